//! Assembly files: what is found in them, what they include, what they are taken for.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{connect, plain};
use crate::server::folder::Folder;
use tests::client::Client;

/// The diagnostics that were pushed last for each document.
#[derive(Default)]
struct Pushed(HashMap<String, Vec<String>>);

impl Pushed {
    /// Waits until the diagnostics of a document are as they should be.
    fn until(
        &mut self,
        client: &mut Client,
        uri: &str,
        enough: impl Fn(&[String]) -> bool,
    ) -> Vec<String> {
        loop {
            if let Some(found) = self.0.get(uri).filter(|found| enough(found)) {
                return found.clone();
            }
            let params = client.message("textDocument/publishDiagnostics");
            let all = params["diagnostics"].as_array().expect("a list");
            let shown = all.iter().map(|it| {
                let line = it["range"]["start"]["line"].as_u64().unwrap_or(u64::MAX);
                format!("{line} {} {}", it["severity"], it["code"].as_str().unwrap_or_default())
            });
            let uri = params["uri"].as_str().expect("a document").to_owned();
            self.0.insert(uri, shown.collect());
        }
    }
}

#[test]
fn an_error_of_an_assembly_file_is_told() {
    let (mut client, mut pushed) = (plain(), Pushed::default());
    let uri = "file:///a.s";
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n\
                v_mov_b32 s0, v1\nv_add_u32 v0, v1, v2\n.nothing_known 1\ns_endpgm\n";
    client.open_as("gcn", uri, text);
    let found = pushed.until(&mut client, uri, |_| true);
    assert_eq!(
        found,
        ["1 1 \"gcn::operand\"", "2 1 \"gcn::operand\"", "3 4 \"gcn::unknown-directive\""]
            .map(|it| it.replace('"', ""))
    );
    client.finish();
}

#[test]
fn a_guessed_target_accuses_nobody() {
    let (mut client, mut pushed) = (plain(), Pushed::default());
    let uri = "file:///kernel.s";
    // Most lines are right on gfx9 only; one on gfx6 and gfx7 only, one nowhere.
    let text = "v_add_u32_e32 v0, v1, v2\nglobal_load_dword v1, v[2:3], off\n\
                v_min_legacy_f32_e32 v4, v2, v3\nv_mov_b32 s0, v1\n";
    client.open_as("gcn", uri, text);
    let found = pushed.until(&mut client, uri, |_| true);
    let severities: Vec<&str> = found.iter().map(|it| &it[..3]).collect();
    assert_eq!(severities, ["2 4", "3 1"], "{found:?}");

    // The status says what was taken for what; a setting decides.
    let status = loop {
        let status = client.call("tungsten/status", Value::Null).unwrap();
        if status["assembly"].as_array().is_some_and(|it| !it.is_empty()) {
            break status;
        }
    };
    assert_eq!(status["assembly"][0]["uri"], uri);
    assert_eq!(status["assembly"][0]["target"], "gfx900");
    assert_eq!(status["assembly"][0]["targetOrigin"], "instructions");
    let settings = json!({"settings": {"compile": false, "assembly": {"target": "vega10"}}});
    client.notify("workspace/didChangeConfiguration", settings);
    let certain = |found: &[String]| found.iter().all(|it| it[1..].starts_with(" 1"));
    let found = pushed.until(&mut client, uri, certain);
    assert_eq!(found.len(), 2, "{found:?}");
    let settings = json!({"settings": {"compile": false, "assembly": {"target": "gfx803"}}});
    client.notify("workspace/didChangeConfiguration", settings);
    let found = pushed.until(&mut client, uri, |found| found.len() == 4);
    assert!(found.iter().all(|it| it[1..].starts_with(" 1")), "{found:?}");
    client.finish();
}

#[test]
fn included_files_are_read_and_watched() {
    let folder = Folder::new("includes");
    let uri = folder.write("main.s", "");
    folder.write("macros.inc", ".macro two\n s_nop 1\n.endm\n");
    let (mut client, mut pushed) = (plain(), Pushed::default());
    let text =
        ".include \"macros.inc\"\n.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n two\n three\n";
    client.open_as("gcn", &uri, text);
    let right = |found: &[String]| found == ["3 1 gcn::unknown-mnemonic"];
    pushed.until(&mut client, &uri, right);

    // The disk changes, and the client says so.
    let inner = folder.write("macros.inc", ".macro two\n s_nop 1\n.endm\n.macro three\n.endm\n");
    let changes = json!({"changes": [{"uri": inner, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    pushed.until(&mut client, &uri, <[String]>::is_empty);

    // Opened, the included file is judged as its includer reads it, and its text
    // counts more than the disk's.
    client.open_as("gcn", &inner, ".macro two\n v_nop v0\n.endm\n.macro three\n.endm\n");
    let found = pushed.until(&mut client, &inner, |found| !found.is_empty());
    assert_eq!(found, ["1 1 gcn::extra-operand"]);
    let found = pushed.until(&mut client, &uri, |found| !found.is_empty());
    assert_eq!(found, ["2 1 gcn::extra-operand"]);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": inner}}));
    pushed.until(&mut client, &uri, <[String]>::is_empty);
    client.finish();
}

#[test]
fn selected_lines_are_written_in_the_other_dialect() {
    let uri = "file:///dialect.s";
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\nmain: // entry\n\
                s_getreg_b32 s0, hwreg(HW_REG_MODE)\n.rept 2\n s_nop 0\n.endr\n s_branch main\n";
    let (mut client, mut pushed) = (plain(), Pushed::default());
    client.open_as("gcn", uri, text);
    pushed.until(&mut client, uri, |found| found == ["2 4 gcn::dead-write"]);
    let ask = |from: u32, to: u32| {
        json!({"textDocument": {"uri": uri},
               "range": {"start": {"line": from, "character": 0}, "end": {"line": to, "character": 1}},
               "context": {"diagnostics": [], "only": ["refactor.rewrite"]}})
    };
    let offered = client.call("textDocument/codeAction", ask(0, 2)).unwrap();
    assert_eq!(offered[0]["title"], "Write this in the clrx dialect", "{offered}");
    let edits = offered[0]["edit"]["changes"][uri].as_array().unwrap().clone();
    let written: Vec<&str> = edits.iter().filter_map(|edit| edit["newText"].as_str()).collect();
    assert_eq!(written, [".gpu fiji", "main: # entry", "s_getreg_b32 s0, hwreg(MODE, 0, 32)"]);
    // A repetition is not converted.
    let none = client.call("textDocument/codeAction", ask(2, 4)).unwrap();
    assert_eq!(none, json!([]));
    client.finish();
}

#[test]
fn symbols_of_the_settings_count_as_those_of_a_command_line() {
    let uri = "file:///symbols.s";
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.if SIZE > 3\n v_bad v0\n.endif\n\
                s_mov_b32 s0, SIZE\ns_endpgm\n";
    let (mut client, mut pushed) = (plain(), Pushed::default());
    client.open_as("gcn", uri, text);
    let unknown = |found: &[String]| found.iter().any(|it| it.contains("gcn::undefined-symbol"));
    pushed.until(&mut client, uri, unknown);
    let set =
        |value: &str| json!({"settings": {"compile": false, "assembly": {"symbols": [value]}}});
    client.notify("workspace/didChangeConfiguration", set("SIZE=4"));
    let taken = |found: &[String]| {
        found.iter().any(|it| it == "2 1 gcn::unknown-mnemonic") && !unknown(found)
    };
    pushed.until(&mut client, uri, taken);
    client.notify("workspace/didChangeConfiguration", set("SIZE=0x2"));
    let skipped = |found: &[String]| !found.iter().any(|it| it.starts_with("2 ") || unknown(found));
    pushed.until(&mut client, uri, skipped);
    client.finish();
}

#[test]
fn a_file_that_is_opened_alone_is_judged_as_its_includer_reads_it() {
    let folder = Folder::new("includer");
    let kernel = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nsize = 4\n\
                  .include \"part.inc\"\n.include \"rest.inc\"\n s_endpgm\n";
    let main = folder.write("main.s", kernel);
    folder.write("rest.inc", ".macro rest\n.endm\n");
    let text = " v_add_co_u32 v0, vcc, size, v1\n exp mrt0 v0, v0, v0, v0 done vm\n v_bad v0\n";
    let part = folder.write("part.inc", text);
    let follows = json!({"experimental": {"tungsten": {"statusNotification": true}}});
    let mut client = connect(follows, json!({"compile": false}));
    let mut pushed = Pushed::default();
    client.open_as("gcn", &part, text);
    // An error, not a hint: the chip and all that is defined are known.
    let right = |found: &[String]| found == ["2 1 gcn::unknown-mnemonic"];
    pushed.until(&mut client, &part, right);
    // What a file was taken for is asked apart from what is wrong with it.
    let mut status = client.message("tungsten/statusChanged");
    while status["assembly"][0]["targetOrigin"] != "includer" {
        status = client.message("tungsten/statusChanged");
    }
    assert_eq!(status["assembly"][0]["target"], "gfx900", "{status}");
    let at = json!({"textDocument": {"uri": part}, "position": {"line": 0, "character": 25}});
    let definition = client.call("textDocument/definition", at).unwrap();
    assert_eq!(definition[0]["uri"], main.as_str(), "{definition}");

    // The includer changes on the disk, then is opened with another text, then closed.
    let changed = kernel.replace("s_endpgm", ".macro v_bad reg\n.endm\n");
    let other = kernel.replace("size = 4", ".macro v_bad reg\n.endm\nsize = 4");
    folder.write("main.s", &other);
    let changes = json!({"changes": [{"uri": main, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    pushed.until(&mut client, &part, <[String]>::is_empty);
    client.open_as("gcn", &main, &changed);
    pushed.until(&mut client, &part, right);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": main}}));
    pushed.until(&mut client, &part, <[String]>::is_empty);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": part}}));
    client.message("textDocument/publishDiagnostics");
    while status["assembly"] != json!([]) {
        status = client.message("tungsten/statusChanged");
    }
    client.finish();
}

#[test]
fn an_assembly_file_is_served_as_a_language() {
    let folder = Folder::new("assembly-services");
    let uri = folder.write("kernel.s", "");
    let inner = ".macro twice reg\n v_add_f32 v\\reg, v\\reg, v\\reg\n.endm\n";
    let inner = folder.write("macros.inc", inner);
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.include \"macros.inc\"\n\
                start:\n twice 3\n v_mov_b32 v0, v3\n s_branch start\n";
    let (mut client, mut pushed) = (plain(), Pushed::default());
    client.open_as("gcn", &uri, text);
    // Nothing leaves the loop, so that nobody sees what it moves.
    pushed.until(&mut client, &uri, |found| found == ["4 4 gcn::dead-write"]);
    let document = json!({ "uri": uri });
    let at = |line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});

    let hover = client.call("textDocument/hover", at(4, 3)).unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap().to_owned();
    assert!(shown.contains("v0") && shown.contains("gfx803"), "{shown}");
    let definition = client.call("textDocument/definition", at(3, 2)).unwrap();
    assert_eq!(definition[0]["uri"], inner.as_str());
    assert_eq!(definition[0]["range"]["start"], json!({"line": 0, "character": 7}));
    let references = json!({"textDocument": document, "position": {"line": 3, "character": 2},
                            "context": {"includeDeclaration": true}});
    let references = client.call("textDocument/references", references).unwrap();
    assert_eq!(references.as_array().unwrap().len(), 2, "{references}");
    let expanded = client.call("tungsten/expandMacro", at(3, 2)).unwrap();
    assert_eq!(expanded["text"], "\tv_add_f32 v3, v3, v3\n");
    let from_start = client.call("tungsten/expandMacro", at(3, 0)).unwrap();
    assert_eq!(from_start, expanded, "the line's start means the line");
    assert_eq!(client.call("tungsten/expandMacro", at(4, 3)).unwrap(), Value::Null);
    let actions = |line: u32| {
        let place = json!({"line": line, "character": 2});
        json!({"textDocument": {"uri": uri}, "range": {"start": place, "end": place},
               "context": {"diagnostics": [], "only": ["refactor"]}})
    };
    let offered = client.call("textDocument/codeAction", actions(3)).unwrap();
    assert_eq!(offered[0]["command"]["command"], "tungsten.expandMacro", "{offered}");
    let argument = json!([{"uri": uri, "position": {"line": 3, "character": 2}}]);
    assert_eq!(offered[0]["command"]["arguments"], argument);
    let none = client.call("textDocument/codeAction", actions(4)).unwrap();
    assert_eq!(none, json!([]), "nothing is expanded there");
    let of_document = json!({ "textDocument": document });
    let links = client.call("textDocument/documentLink", of_document.clone());
    assert_eq!(links.unwrap()[0]["target"], inner.as_str());

    let symbols = client.call("textDocument/documentSymbol", of_document.clone());
    assert_eq!(symbols.unwrap()[0]["name"], "start");
    let offers = client.call("textDocument/completion", at(5, 10)).unwrap();
    let offers = offers["items"].as_array().unwrap().clone();
    assert_eq!(offers.len(), 1, "a jump goes to a label: {offers:?}");
    let help = client.call("textDocument/signatureHelp", at(4, 15)).unwrap();
    assert_eq!(help["activeParameter"], 1, "{help}");
    let tokens = client.call("textDocument/semanticTokens/full", of_document).unwrap();
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() >= 5 * 10), "{tokens}");
    let marks = client.call("textDocument/documentHighlight", at(4, 15)).unwrap();
    let place = |it: &Value| (it["range"]["start"]["line"].as_u64(), it["kind"].as_u64());
    let marks: Vec<_> = marks.as_array().unwrap().iter().map(place).collect();
    assert_eq!(marks, [(Some(3), Some(3)), (Some(4), Some(2))], "the macro writes what is read");

    let rename = |line: u32, character: u32| {
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character},
               "newName": "again"})
    };
    let edit = client.call("textDocument/rename", rename(5, 11)).unwrap();
    assert_eq!(edit["changes"][&uri].as_array().unwrap().len(), 2, "{edit}");
    // The macro is defined in the included file, which is edited too.
    let edit = client.call("textDocument/rename", rename(3, 2)).unwrap();
    let place = |line: u32, from: u32, to: u32| {
        json!([{"newText": "again", "range": {"start": {"line": line, "character": from},
                                              "end": {"line": line, "character": to}}}])
    };
    let expected = json!({&uri: place(3, 1, 6), &inner: place(0, 7, 12)});
    assert_eq!(edit["changes"], expected);
    client.finish();
}

#[test]
fn assembly_of_other_machines_gets_nothing() {
    let mut client = plain();
    let uri = "file:///start.s";
    let text = "_start:\n  movl $1, %eax\n  int $0x80\n";
    client.open_as("asm", uri, text);
    let document = |uri: &str| json!({"textDocument": {"uri": uri}});
    let symbols = client.call("textDocument/documentSymbol", document(uri));
    assert_eq!(symbols, Ok(Value::Null));
    // What the editor says counts more than what the text looks like.
    let said = "file:///said.s";
    client.open_as("gcn", said, text);
    assert!(!client.diagnostics(said, 0).is_empty());
    let symbols = client.call("textDocument/documentSymbol", document(said));
    assert_eq!(symbols.expect("an answer")[0]["name"], "_start");
    client.finish(); // Fails if anything else was pushed.
}

#[test]
fn lines_to_begin_with_are_offered_with_places_or_without() {
    for (snippets, format, name) in [(true, 2, "${1:kernel}:"), (false, 1, "\nkernel:")] {
        let capabilities = json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": snippets}}}});
        let mut client = connect(capabilities, json!({"compile": false}));
        client.open_as("gcn", "file:///new.s", "");
        client.diagnostics("file:///new.s", 0);
        let at = json!({
            "textDocument": {"uri": "file:///new.s"}, "position": {"line": 0, "character": 0},
        });
        let offered = client.call("textDocument/completion", at).expect("an answer");
        let items = offered["items"].as_array().expect("a list");
        let kernel = items.iter().find(|it| it["label"] == "kernel …").expect("a kernel");
        assert_eq!((&kernel["kind"], &kernel["insertTextFormat"]), (&json!(15), &json!(format)));
        let text = kernel["textEdit"]["newText"].as_str().expect("a text");
        assert!(text.contains("--gfx803\"") && text.contains(name), "{text}");
        client.finish();
    }
}

#[test]
fn registers_are_symbols() {
    let uri = "file:///registers.s";
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\nmain:\n\
                v_mov_b32 v1, 0\nv_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\n\
                v_mov_b32 v1, 1.0\ns_mov_b64 exec, s[0:1]\n\
                exp mrt0 v1, v1, v1, v1 done vm\ns_waitcnt expcnt(0)\nv_mov_b32 v1, v0\n\
                s_endpgm\n";
    let (mut client, mut pushed) = (plain(), Pushed::default());
    client.open_as("gcn", uri, text);
    pushed.until(&mut client, uri, |found| found == ["9 4 gcn::dead-write"]);
    let at = |line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let lines = |found: &Value| -> Vec<u64> {
        let all = found.as_array().expect("a list");
        all.iter().map(|it| it["range"]["start"]["line"].as_u64().expect("a line")).collect()
    };
    // The lanes that slept hold what was written first.
    let found = client.call("textDocument/definition", at(7, 10)).unwrap();
    assert_eq!(lines(&found), [2, 5], "{found}");
    let found = client.call("textDocument/declaration", at(3, 19)).unwrap();
    assert_eq!(lines(&found), [1], "an input: {found}");
    let marks = client.call("textDocument/documentHighlight", at(2, 11)).unwrap();
    assert_eq!(lines(&marks), [2, 3, 5, 7, 7, 7, 7], "{marks}");
    let kinds: Vec<u64> =
        marks.as_array().unwrap().iter().filter_map(|it| it["kind"].as_u64()).collect();
    assert_eq!(kinds, [3, 2, 3, 2, 2, 2, 2]);
    let mut params = at(2, 11);
    params["context"] = json!({"includeDeclaration": false});
    let uses = client.call("textDocument/references", params).unwrap();
    assert_eq!(lines(&uses), [3, 7, 7, 7, 7], "{uses}");
    let hover = client.call("textDocument/hover", at(7, 10)).unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("written 2 times, read 2 times"), "{shown}");
    assert!(shown.contains("[`v_mov_b32 v1, 1.0`](file:///registers.s#L6)"), "{shown}");

    let prepared = client.call("textDocument/prepareRename", at(5, 10)).unwrap();
    assert_eq!(prepared["placeholder"], "v1");
    let rename = |line: u32, character: u32, name: &str| {
        let mut params = at(line, character);
        params["newName"] = json!(name);
        params
    };
    let edit = client.call("textDocument/rename", rename(5, 10, "v7")).unwrap();
    let edits = edit["changes"][uri].clone();
    assert_eq!(lines(&edits), [2, 3, 5, 7, 7, 7, 7], "{edit}");
    assert!(edits.as_array().unwrap().iter().all(|it| it["newText"] == "v7"), "{edit}");
    let refused = client.call("textDocument/rename", rename(5, 10, "v256")).unwrap_err();
    assert_eq!(refused["code"], -32803);
    assert_eq!(refused["message"], "gfx803 has no `v256`");
    let refused = client.call("textDocument/prepareRename", at(3, 15)).unwrap_err();
    assert_eq!(refused["message"], "a special register cannot be exchanged for another");
    client.finish();
}

#[test]
fn symbols_without_a_value_get_a_place_in_the_projects_file() {
    let folder = Folder::new("undefined-symbols");
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.if batch > 1\n  s_nop 0\n.endif\n\
         .if wide == 2\n  s_nop 1\n.endif\n  s_endpgm\n";
    let name = folder.write("conv.s", text);
    let operations = json!({"documentChanges": true, "resourceOperations": ["create"]});
    let actions = |edits: Value| {
        let capabilities = json!({
            "textDocument": {"diagnostic": {}},
            "workspace": {"workspaceEdit": edits},
        });
        let mut client = connect(capabilities, json!({"compile": false}));
        client.open_as("gcn", &name, text);
        let start = json!({"line": 1, "character": 0});
        let params = json!({
            "textDocument": {"uri": name}, "range": {"start": start, "end": start},
            "context": {"diagnostics": [], "only": ["quickfix"]},
        });
        let found = client.call("textDocument/codeAction", params).expect("actions");
        client.finish();
        found.as_array().expect("a list").clone()
    };
    assert_eq!(actions(json!({})), [Value::Null; 0], "who cannot make a file");
    let found = actions(operations.clone());
    assert_eq!(found[0]["title"], "Define 2 symbols as 0 in tungsten.toml", "{found:?}");
    let changes = &found[0]["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create", "{changes}");
    // One that came meanwhile is not lost.
    assert_eq!(changes[0]["options"], json!({"ignoreIfExists": true}), "{changes}");
    assert!(changes[0]["uri"].as_str().expect("a URI").ends_with("/tungsten.toml"), "{changes}");
    let list = "[assembly]\nsymbols = [\n    \"batch=0\",\n    \"wide=0\",\n]\n";
    assert_eq!(changes[1]["edits"][0]["newText"], list, "{changes}");

    // Where there is a file it grows, and what it defines is no longer asked for.
    folder.write("tungsten.toml", "[assembly]\nsymbols = [\"batch=4\"]\n");
    let found = actions(operations);
    assert_eq!(found.len(), 0, "`batch` is known: {found:?}");
}
