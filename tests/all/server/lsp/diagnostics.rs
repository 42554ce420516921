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
