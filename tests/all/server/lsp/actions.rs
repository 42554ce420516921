//! Code actions and lenses: what is offered, and that it is the same whether a client
//! takes it at once or asks for it when it is wanted.

use serde_json::{Value, json};

use super::{connect, plain};
use tests::client::Client;

const URI: &str = "file:///a.tgsi";
const SHADER: &str = "\
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL CONST[0]
DCL TEMP[0]
  0: MAD TEMP[0], IN[0], CONST[0], IN[0]
  1: MOV OUT[0], TEMP[0]
  2: END
";

/// A blank too many, a word to fix, and a number in an operand's place.
const WRONG: &str = "VERT\nDCL  IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n\
                     MOVV TEMP[0], IN[0]\nADD OUT[0], TEMP[0], 2.0\nEND\n";

/// A wait is missing, and nothing is laid out.
const KERNEL: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\nmain:\n\
    buffer_load_dword   v1, v0, s[4:7], 0 offen\n\
    v_add_f32 v1,v1,v1\n\
    buffer_store_dword v1, v0, s[4:7], 0 offen\n  s_endpgm\n";

/// A client that pulls, and takes versioned edits and things later, where that is wanted.
fn client(later: &[(&str, &str)]) -> Client {
    let mut document = json!({"diagnostic": {}});
    for (feature, property) in later {
        document[feature] =
            json!({"dataSupport": true, "resolveSupport": {"properties": [property]}});
    }
    let capabilities = json!({
        "textDocument": document,
        "workspace": {"workspaceEdit": {"documentChanges": true}},
    });
    connect(capabilities, json!({"compile": false}))
}

/// Every action that is offered for each line and for the whole of a document.
fn offered(client: &mut Client, uri: &str, lines: usize, only: &Value) -> Vec<Value> {
    let at = |line: usize| json!({"line": line, "character": 0});
    let each = (0..lines).map(|line| json!({"start": at(line), "end": at(line)}));
    let number = json!({"line": 5, "character": 21});
    let number = json!({"start": number, "end": number});
    let mut all = Vec::new();
    for range in each.chain([number]).chain([json!({"start": at(0), "end": at(lines)})]) {
        let mut params = json!({
            "textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []},
        });
        if !only.is_null() {
            params["context"]["only"] = only.clone();
        }
        let actions = client.call("textDocument/codeAction", params).expect("actions");
        all.extend(actions.as_array().expect("a list").iter().cloned());
    }
    all
}

#[test]
fn every_action_does_the_same_at_once_and_when_chosen() {
    let mut eager = client(&[]);
    let mut lazy = client(&[("codeAction", "edit")]);
    let mut kinds = std::collections::BTreeSet::new();
    let documents =
        [(URI, "tgsi", WRONG), ("file:///b.tgsi", "tgsi", MOVED), ("file:///k.s", "gcn", KERNEL)];
    for (uri, language, text) in documents {
        let lines = text.lines().count();
        for client in [&mut eager, &mut lazy] {
            client.open_as(language, uri, text);
            let params = json!({"textDocument": {"uri": uri}});
            client.call("textDocument/diagnostic", params).expect("diagnostics");
        }
        for only in [json!(null), json!([""]), json!(["source"]), json!(["refactor", "quickfix"])] {
            let now = offered(&mut eager, uri, lines, &only);
            let later = offered(&mut lazy, uri, lines, &only);
            assert_eq!(now.len(), later.len(), "{only}");
            for (now, later) in now.iter().zip(&later) {
                let kind = now["kind"].as_str().expect("a kind");
                kinds.insert(kind.to_owned());
                assert_eq!(
                    kind.starts_with("source"),
                    only == json!(["source"])
                        || (only == json!([""]) && kind.starts_with("source")),
                    "{only}: {now}"
                );
                assert!(later["edit"].is_null() && later["data"].is_object(), "{later}");
                let mut chosen = lazy.call("codeAction/resolve", later.clone()).expect("resolved");
                assert_eq!(chosen["edit"]["documentChanges"][0]["textDocument"]["version"], 0);
                chosen.as_object_mut().expect("an action").remove("data");
                assert_eq!(*now, chosen);
            }
        }
    }
    let all = [
        "quickfix",
        "refactor.extract",
        "refactor.inline",
        "refactor.rewrite",
        "source.fixAll",
        "source.format",
    ];
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), all);
    eager.finish();
    lazy.finish();
}

#[test]
fn a_fix_is_offered_in_the_line_of_its_diagnostic_and_preferred_on_it() {
    let mut client = client(&[]);
    client.open(URI, "FRAG\nDCL OUT[0], COLOR\nMOVV OUT[0], OUT[0]\nEND\n");
    let mut offered = Vec::new();
    for (line, column) in [(2, 1), (2, 10), (1, 3), (3, 0)] {
        let place = json!({"line": line, "character": column});
        let params = json!({
            "textDocument": {"uri": URI}, "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "only": ["quickfix"]},
        });
        let found = client.call("textDocument/codeAction", params).expect("actions");
        let found = found.as_array().expect("a list").iter();
        let found =
            found.map(|it| (it["title"].to_string().contains("MOV"), it["isPreferred"] == true));
        offered.push(found.collect::<Vec<_>>());
    }
    assert_eq!(offered[0], [(true, true)], "on the diagnostic");
    assert_eq!(offered[1], [(true, false)], "in its line");
    assert!(offered[2..].iter().all(|others| others.iter().all(|(is_it, _)| !is_it)));
    client.finish();
}

#[test]
fn a_lens_says_the_same_at_once_and_when_it_comes_into_sight() {
    let mut eager = client(&[]);
    let mut lazy = client(&[("codeLens", "command")]);
    for (uri, language, text) in [(URI, "tgsi", SHADER), ("file:///k.s", "gcn", KERNEL)] {
        let params = json!({"textDocument": {"uri": uri}});
        eager.open_as(language, uri, text);
        lazy.open_as(language, uri, text);
        let now = eager.call("textDocument/codeLens", params.clone()).expect("lenses");
        let later = lazy.call("textDocument/codeLens", params).expect("lenses");
        let (now, later) = (now.as_array().expect("a list"), later.as_array().expect("a list"));
        assert_eq!((now.len(), later.len()), (1, 1), "{now:?}");
        assert!(later[0]["command"].is_null(), "{later:?}");
        let seen = lazy.call("codeLens/resolve", later[0].clone()).expect("resolved");
        assert_eq!((&seen["command"], &seen["range"]), (&now[0]["command"], &now[0]["range"]));
        // After an edit the place may be another shader's.
        let start = json!({"line": 0, "character": 0});
        lazy.edit(uri, 1, json!({"start": start, "end": start}), "\n");
        let late = lazy.call("codeLens/resolve", later[0].clone());
        assert_eq!(late.expect_err("outdated")["code"], -32801);
    }
    eager.finish();
    lazy.finish();
}

#[test]
fn a_diagnostic_that_can_be_fixed_offers_the_fix() {
    let mut client = plain();
    client.open(URI, &SHADER.replace("MAD", "MAAD"));
    let diagnostics = client.diagnostics(URI, 0);
    let error = diagnostics.iter().find(|it| it["severity"] == 1).expect("an error");
    let params = json!({
        "textDocument": {"uri": URI},
        "range": error["range"],
        "context": {"diagnostics": [error]},
    });
    let actions = client.call("textDocument/codeAction", params).unwrap();
    let edits = actions.as_array().unwrap().iter().map(|action| {
        assert_eq!(action["kind"], "quickfix");
        action["edit"]["changes"][URI].clone()
    });
    let word = json!({"start": {"line": 5, "character": 5}, "end": {"line": 5, "character": 9}});
    let edits: Vec<Value> = edits.collect();
    assert!(edits.contains(&json!([{"range": word, "newText": "MAD"}])), "{edits:?}");
    client.finish();
}

#[test]
fn everything_is_fixed_at_once_in_the_version_it_was_asked_of() {
    let capabilities = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut client = connect(capabilities, json!({"compile": false}));
    let uri = "file:///a.tgsi";
    client.open(uri, "FRAG\nDCL TEMP[0]\nDCL TEMP[1]\n  0: MOVV TEMP[0], TEMP[1]\n  1: END\n");
    let found = client.diagnostics(uri, 0);
    assert!(!found.is_empty());
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let params = |only: &str| {
        json!({
            "textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": [], "only": [only]},
        })
    };
    let actions = client.call("textDocument/codeAction", params("source")).unwrap();
    assert_eq!(actions[0]["kind"], "source.fixAll", "{actions}");
    let change = &actions[0]["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": uri, "version": 0}));
    assert!(
        change["edits"].as_array().unwrap().iter().any(|it| it["newText"] == "MOV"),
        "{change}"
    );
    let none = client.call("textDocument/codeAction", params("refactor")).unwrap();
    assert_eq!(none, json!([]));
    client.finish();
}

const MOVED: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[3..4]\nMOV TEMP[3], IN[0]\n\
                     ADD OUT[0], TEMP[3], TEMP[3]\nEND\n";

/// The rewritings offered at the start of a line.
fn rewritings(client: &mut Client, line: u32) -> Vec<Value> {
    let at = json!({"line": line, "character": 0});
    let params = json!({
        "textDocument": {"uri": "file:///a.tgsi"},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": [], "only": ["refactor"]},
    });
    let answer = client.call("textDocument/codeAction", params).expect("an answer");
    answer.as_array().cloned().unwrap_or_default()
}

#[test]
fn shaders_are_rewritten_at_once_or_when_chosen() {
    let mut client = connect(json!({}), json!({"compile": false}));
    client.open("file:///a.tgsi", MOVED);
    client.diagnostics("file:///a.tgsi", 0);
    let offered = rewritings(&mut client, 4);
    assert_eq!(offered.len(), 1, "{offered:?}");
    assert_eq!(offered[0]["kind"], "refactor.inline");
    let edits = &offered[0]["edit"]["changes"]["file:///a.tgsi"];
    assert_eq!(edits.as_array().map(Vec::len), Some(4), "{edits}");
    let of_declaration = rewritings(&mut client, 3);
    let titles: Vec<_> = of_declaration.iter().filter_map(|it| it["title"].as_str()).collect();
    assert_eq!(titles, ["Number temporaries in order of use", "Declare each register by itself"]);
    client.finish();

    let capabilities = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {"codeAction": {
            "dataSupport": true, "resolveSupport": {"properties": ["edit"]},
        }},
    });
    let mut client = connect(capabilities, json!({"compile": false}));
    client.open("file:///a.tgsi", MOVED);
    client.diagnostics("file:///a.tgsi", 0);
    let offered = rewritings(&mut client, 4);
    assert!(offered[0].get("edit").is_none(), "{offered:?}");
    let resolved = client.call("codeAction/resolve", offered[0].clone()).expect("resolved");
    let change = &resolved["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": "file:///a.tgsi", "version": 0}));
    assert_eq!(change["edits"].as_array().map(Vec::len), Some(4), "{change}");
    // Of a text that is no more.
    let start = json!({"line": 0, "character": 4});
    client.edit("file:///a.tgsi", 1, json!({"start": start, "end": start}), "\n");
    let late = client.call("codeAction/resolve", offered[0].clone());
    assert_eq!(late.expect_err("outdated")["code"], -32801);
    client.diagnostics("file:///a.tgsi", 1);
    client.finish();
}
