//! Diagnostics: pushed or pulled, never both.

use serde_json::{Value, json};

use super::{connect, plain};

const URI: &str = "file:///shader.tgsi";
const WRONG: &str = "FRAG\nDCL OUT[0], COLOR\n  0: MOVV OUT[0], OUT[0]\n  1: END\n";

fn errors(diagnostics: &[Value]) -> Vec<&Value> {
    diagnostics.iter().filter(|diagnostic| diagnostic["severity"] == 1).collect()
}

#[test]
fn a_client_that_says_nothing_is_pushed_to() {
    let mut client = plain();
    assert!(client.initialized["capabilities"]["diagnosticProvider"].is_null());
    client.open(URI, WRONG);
    let diagnostics = client.diagnostics(URI, 0);
    let errors = errors(&diagnostics);
    assert_eq!(errors.len(), 1, "{diagnostics:?}");
    assert_eq!(errors[0]["range"]["start"], json!({"line": 2, "character": 5}));
    assert_eq!(errors[0]["code"], "tgsi::unknown-opcode");

    // Fixed, it has no error; closed, it has no diagnostics at all.
    let range = json!({"start": {"line": 2, "character": 8}, "end": {"line": 2, "character": 9}});
    client.edit(URI, 1, range, "");
    let diagnostics = client.diagnostics(URI, 1);
    assert!(self::errors(&diagnostics).is_empty(), "{diagnostics:?}");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    let params = client.message("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"], json!([]));
    client.finish();
}

#[test]
fn a_client_that_pulls_is_not_pushed_to() {
    let capabilities = json!({
        "textDocument": {"diagnostic": {"dynamicRegistration": false}, "publishDiagnostics": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    let mut client = connect(capabilities, json!({"compile": false}));
    assert!(client.initialized["capabilities"]["diagnosticProvider"].is_object());
    client.open(URI, WRONG);
    let params = json!({"textDocument": {"uri": URI}});
    let report = client.call("textDocument/diagnostic", params).unwrap();
    assert_eq!(report["kind"], "full");
    assert_eq!(errors(report["items"].as_array().unwrap()).len(), 1, "{report}");

    let params = json!({"textDocument": {"uri": URI}, "previousResultId": report["resultId"]});
    let again = client.call("textDocument/diagnostic", params).unwrap();
    assert_eq!(again["kind"], "unchanged");
    assert_eq!(again["resultId"], report["resultId"]);
    client.finish(); // Fails if anything was pushed.
}

#[test]
fn nothing_is_published_for_our_own_virtual_documents() {
    let mut client = plain();
    let uri = "tungsten-gcn:/polaris10.shader.tgsi.0.gcn?file%3A%2F%2F%2Fshader.tgsi";
    client.open_as("gcn", uri, "; nonsense\nmain:\n  v_mad_f32 v0, v1, v2, v3\n  no_such v1\n");
    // It is explained for the target of its name, and judged by nobody.
    let symbols = json!({"textDocument": {"uri": uri}});
    let symbols = client.call("textDocument/documentSymbol", symbols).unwrap();
    assert_eq!(symbols[0]["name"], "main");
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 2, "character": 4}});
    let hover = client.call("textDocument/hover", at).unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("v1") && shown.contains("polaris10"), "{shown}");
    client.finish();
}

/// Its declaration of `SAMP[0]` is unused, unless the empty line uses it.
const TYPED: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n  0: MOV OUT[0], IN[0]\n\n  1: END\n";
const TYPED_LINE: u32 = 5;

/// Puts a letter behind those of the typed line.
fn type_letter(client: &mut tests::client::Client, version: u32, letter: &str) {
    let at = json!({"line": TYPED_LINE, "character": version - 1});
    client.edit(URI, version, json!({"start": at, "end": at}), letter);
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|it| it["code"].as_str().unwrap()).collect()
}

#[test]
fn pushed_diagnostics_of_other_lines_stay_while_a_word_is_typed() {
    let mut client = plain();
    client.open(URI, TYPED);
    assert_eq!(codes(&client.diagnostics(URI, 0)), ["tgsi::unused-declaration"]);
    for (version, letter) in (1..).zip(["M", "O"]) {
        type_letter(&mut client, version, letter);
        let shown = client.diagnostics(URI, version.into());
        assert_eq!(errors(&shown).len(), 1, "{shown:?}");
        assert_eq!(codes(&shown)[0], "tgsi::unused-declaration");
    }
    // After the pause: the line may use what is declared.
    let shown = client.diagnostics(URI, 2);
    assert_eq!(errors(&shown).len(), 1, "{shown:?}");
    assert_eq!(shown.len(), 1, "{shown:?}");
    type_letter(&mut client, 3, "V OUT[0], IN[0]");
    assert_eq!(codes(&client.diagnostics(URI, 3))[0], "tgsi::unused-declaration");
    client.finish();
}

#[test]
fn pulled_diagnostics_of_other_lines_stay_where_the_client_can_be_asked_to_pull_again() {
    for can_be_asked in [true, false] {
        let capabilities = json!({
            "textDocument": {"diagnostic": {}},
            "workspace": {"diagnostics": {"refreshSupport": can_be_asked}},
        });
        let mut client = connect(capabilities, json!({"compile": false}));
        client.open(URI, TYPED);
        let pull = |client: &mut tests::client::Client| {
            let params = json!({"textDocument": {"uri": URI}});
            let report = client.call("textDocument/diagnostic", params).unwrap();
            report["items"].as_array().unwrap().clone()
        };
        assert_eq!(codes(&pull(&mut client)), ["tgsi::unused-declaration"]);
        type_letter(&mut client, 1, "M");
        let shown = pull(&mut client);
        assert_eq!(errors(&shown).len(), 1, "{shown:?}");
        assert_eq!(codes(&shown).contains(&"tgsi::unused-declaration"), can_be_asked);
        if can_be_asked {
            client.message("workspace/diagnostic/refresh");
            let shown = pull(&mut client);
            assert_eq!((errors(&shown).len(), shown.len()), (1, 1), "{shown:?}");
        }
        client.finish();
    }
}

#[test]
fn what_a_diagnostic_rests_on_is_told_to_every_client() {
    const TEXT: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIV\nDCL OUT[0], COLOR\n\
                        MOV OUT[0], IN[1]\nEND\n";
    let note = "holds if this line is meant as `DCL IN[0], GENERIC[0], PERSPECTIVE`";
    let undeclared = |related: bool| {
        let publish = json!({"relatedInformation": related});
        let capabilities = json!({"textDocument": {"publishDiagnostics": publish}});
        let mut client = connect(capabilities, json!({"compile": false}));
        client.open(URI, TEXT);
        let diagnostics = client.diagnostics(URI, 0);
        client.finish();
        let found = diagnostics.iter().find(|it| it["code"] == "tgsi::undeclared-register");
        found.expect("told").clone()
    };
    let able = undeclared(true);
    assert_eq!(able["message"], "`IN[1]` is not declared");
    assert_eq!(able["relatedInformation"][0]["message"], note);
    let simple = undeclared(false);
    assert_eq!(simple["message"], format!("`IN[1]` is not declared\nline 2: {note}"));
    assert!(simple["relatedInformation"].is_null());
}
