//! Formatting as an editor asks for it.

use serde_json::{Value, json};

use super::plain;

const URI: &str = "file:///shader";

/// The text after the edits of an answer, whose positions count ASCII.
fn edited(text: &str, edits: &Value) -> String {
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |position: &Value| {
        let number = |name: &str| position[name].as_u64().expect("a number") as usize;
        lines[number("line")] + number("character")
    };
    let mut result = text.to_owned();
    for edit in edits.as_array().expect("edits").iter().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        result.replace_range(range, edit["newText"].as_str().expect("text"));
    }
    result
}

fn ask(text: &str, method: &str, more: Value) -> String {
    ask_of("tgsi", text, method, more)
}

fn ask_of(language: &str, text: &str, method: &str, more: Value) -> String {
    let mut client = plain();
    client.open_as(language, URI, text);
    let mut params = json!({
        "textDocument": {"uri": URI},
        "options": {"tabSize": 8, "insertSpaces": false},
    });
    params.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
    let edits = client.call(method, params).expect("an answer");
    client.diagnostics(URI, 0);
    client.finish();
    edited(text, &edits)
}

const TEXT: &str = "VERT\ndcl  IN[0]\nDCL OUT[0],POSITION\nmov OUT[0],IN[0]\nend\n";

#[test]
fn a_document_is_formatted() {
    let formatted = ask(TEXT, "textDocument/formatting", json!({}));
    assert_eq!(formatted, "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n");
}

#[test]
fn a_range_is_formatted_and_nothing_else() {
    let range = json!({"start": {"line": 2, "character": 4}, "end": {"line": 3, "character": 1}});
    let formatted = ask(TEXT, "textDocument/rangeFormatting", json!({"range": range}));
    assert_eq!(formatted, "VERT\ndcl  IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nend\n");
}

#[test]
fn a_line_end_formats_the_line_before_it() {
    let position = json!({"position": {"line": 4, "character": 0}});
    let with = |sign: &str| {
        let mut more = position.clone();
        more["ch"] = json!(sign);
        more
    };
    let method = "textDocument/onTypeFormatting";
    let expected = TEXT.replace("mov OUT[0],IN[0]", "MOV OUT[0], IN[0]");
    assert_eq!(ask(TEXT, method, with("\n")), expected);
    assert_eq!(ask(TEXT, method, with("]")), TEXT, "no other sign does");
}

const KERNEL: &str = "main:\n  v_add_f32 v0,v1,v2\n.if 1\n s_nop 0 \n.endif\n";

#[test]
fn assembly_is_formatted_whole_by_range_and_while_it_is_typed() {
    let formatted = ask_of("gcn", KERNEL, "textDocument/formatting", json!({}));
    assert_eq!(formatted, "main:\n  v_add_f32 v0, v1, v2\n.if 1\n  s_nop 0\n.endif\n");
    let range = json!({"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 1}});
    let range = json!({ "range": range });
    let formatted = ask_of("gcn", KERNEL, "textDocument/rangeFormatting", range);
    assert_eq!(formatted, KERNEL.replace(" s_nop 0 ", "  s_nop 0"));
    let typed = "main:\n  v_add_f32 v0,v1,v2\n\n";
    let position = json!({"position": {"line": 2, "character": 0}, "ch": "\n"});
    let formatted = ask_of("gcn", typed, "textDocument/onTypeFormatting", position);
    assert_eq!(formatted, "main:\n  v_add_f32 v0, v1, v2\n  \n");
}
