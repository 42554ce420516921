//! Requests about the text.

use serde_json::{Value, json};

use super::{connect, plain};

const URI: &str = "file:///shader.tgsi";
const SHADER: &str = "\
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL TEMP[0]
  0: MOV TEMP[0], IN[0]
  1: MAD OUT[0], TEMP[0], TEMP[0], TEMP[0]
  2: END
";

fn at(line: u32, character: u32) -> Value {
    json!({
        "textDocument": {"uri": URI},
        "position": {"line": line, "character": character},
    })
}

#[test]
fn hover_explains_the_opcode_under_the_cursor() {
    let mut client = plain();
    client.open(URI, SHADER);
    let hover = client.call("textDocument/hover", at(5, 6)).unwrap();
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("MAD"), "{hover}");
    assert_eq!(
        hover["range"],
        json!({"start": {"line": 5, "character": 5}, "end": {"line": 5, "character": 8}})
    );
    client.diagnostics(URI, 0);
    client.finish();
}

#[test]
fn the_outline_holds_the_shader_and_its_registers() {
    let mut client = plain();
    client.open(URI, SHADER);
    let params = json!({"textDocument": {"uri": URI}});
    let symbols = client.call("textDocument/documentSymbol", params).unwrap();
    assert_eq!(symbols.as_array().unwrap().len(), 1, "{symbols}");
    assert_eq!(symbols[0]["name"], "VERT");
    let names: Vec<&str> = symbols[0]["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|child| child["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"TEMP[0]"), "{names:?}");
    client.diagnostics(URI, 0);
    client.finish();
}

#[test]
fn positions_count_in_the_negotiated_unit() {
    // The comment holds a character of 4 bytes, 2 UTF-16 units, 1 scalar value.
    let text = SHADER.replace("  1: MAD", "/*🦀*/ 1: MAD");
    for (encoding, before) in [("utf-8", 12), ("utf-16", 10), ("utf-32", 9)] {
        let capabilities = json!({"general": {"positionEncodings": [encoding]}});
        let mut client = connect(capabilities, json!({"compile": false}));
        assert_eq!(client.initialized["capabilities"]["positionEncoding"], encoding);
        client.open(URI, &text);
        let hover = client.call("textDocument/hover", at(5, before + 1)).unwrap();
        assert_eq!(
            hover["range"],
            json!({
                "start": {"line": 5, "character": before},
                "end": {"line": 5, "character": before + 3},
            }),
            "{encoding}"
        );
        client.diagnostics(URI, 0);
        client.finish();
    }
}

#[test]
fn a_document_that_is_not_open_has_nothing() {
    let mut client = plain();
    assert_eq!(client.call("textDocument/hover", at(0, 0)), Ok(Value::Null));
    let params = json!({"textDocument": {"uri": URI}});
    for method in ["textDocument/documentSymbol", "textDocument/codeLens", "tungsten/compiledCode"]
    {
        assert_eq!(client.call(method, params.clone()), Ok(Value::Null), "{method}");
    }
    client.finish();
}

#[test]
fn names_of_all_open_documents_are_found() {
    let mut client = plain();
    for (uri, text) in [
        ("file:///a.tgsi", "FRAG\nDCL TEMP[0]\nEND\n"),
        ("file:///b.tgsi", "VERT\nDCL TEMP[7]\nEND\n"),
    ] {
        client.open(uri, text);
        client.diagnostics(uri, 0);
    }
    let found = client.call("workspace/symbol", json!({"query": "tmp"})).unwrap();
    let names: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["name"].as_str().unwrap(),
                it["containerName"].as_str().unwrap(),
                it["location"]["uri"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [("TEMP[0]", "FRAG", "file:///a.tgsi"), ("TEMP[7]", "VERT", "file:///b.tgsi")]
    );
    client.finish();
}
