//! Pages: documents that diagnostics and comments lead to; commands; traces.

use serde_json::{Value, json};

use super::{connect, plain};
use tests::client::Client;

const URI: &str = "file:///shader.tgsi";
const TEXT: &str = "# tungsten: allow-file=tgsi::unused-declaration\nFRAG\nDCL TEMP[0]\n\
    DCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\n  0: MOVV OUT[0], IMM[0]\n  1: END\n";

fn client() -> Client {
    let capabilities = json!({
        "workspace": {"textDocumentContent": {"dynamicRegistration": true}},
        "textDocument": {
            "publishDiagnostics": {"codeDescriptionSupport": true},
            "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        },
    });
    connect(capabilities, json!({"compile": false}))
}

fn content(client: &mut Client, uri: &Value) -> String {
    let found = client.call("workspace/textDocumentContent", json!({ "uri": uri }));
    found.expect("a page")["text"].as_str().expect("a text").to_owned()
}

#[test]
fn diagnostics_and_comments_lead_to_pages() {
    let mut client = client();
    client.open(URI, TEXT);
    let found = client.diagnostics(URI, 0);
    let error = found.iter().find(|it| it["severity"] == 1).expect("an error");
    assert_eq!(error["code"], "tgsi::unknown-opcode");
    let page = content(&mut client, &error["codeDescription"]["href"]);
    assert!(page.starts_with("# tgsi::unknown-opcode\n") && page.contains("Wrong:"), "{page}");

    let document = json!({"textDocument": {"uri": URI}});
    let links = client.call("textDocument/documentLink", document).unwrap();
    assert_eq!(links[0]["range"]["start"], json!({"line": 0, "character": 23}), "{links}");
    let page = content(&mut client, &links[0]["target"]);
    assert!(page.starts_with("# tgsi::unused-declaration\n"), "{page}");
    client.finish();
}

#[test]
fn a_client_with_pages_of_its_own_gets_links_to_them() {
    let href = |shows_pages: bool| {
        let capabilities = json!({
            "textDocument": {"publishDiagnostics": {"codeDescriptionSupport": true}},
            "experimental": {"tungsten": {"showsPages": shows_pages}},
        });
        let mut client = connect(capabilities, json!({"compile": false}));
        client.open(URI, TEXT);
        let found = client.diagnostics(URI, 0);
        client.finish();
        found[0]["codeDescription"]["href"].clone()
    };
    assert!(href(true).as_str().expect("a link").starts_with("tungsten-page:/"));
    assert_eq!(href(false), Value::Null);
}

#[test]
fn commands_are_carried_out() {
    let mut client = plain();
    let run = |command: &str, arguments: Value| json!({"command": command, "arguments": arguments});
    let page = client.call("workspace/executeCommand", run("tungsten.explain", json!(["MAD"])));
    assert!(page.unwrap().as_str().expect("Markdown").contains("MAD"));
    let layout = run("tungsten.explain", json!(["layout:v_mfma_f32_32x32x8f16"]));
    let map = client.call("workspace/executeCommand", layout).unwrap();
    assert!(map.as_str().expect("Markdown").contains("## A[i][k]: 32 × 8 of f16"), "{map}");
    let none = client.call("workspace/executeCommand", run("tungsten.explain", json!(["nothing"])));
    assert_eq!(none, Ok(Value::Null));
    let asked = client.call("workspace/executeCommand", run("tungsten.searchCompiler", json!([])));
    assert_eq!(asked, Ok(Value::Null));
    let refused = client.call("workspace/executeCommand", run("tungsten.fly", json!([])));
    assert_eq!(refused.unwrap_err()["code"], -32602);
    client.finish();
}

#[test]
fn tooltips_of_hints_come_when_somebody_looks() {
    let mut client = client();
    let text = TEXT.replace("FLT32 {1.0, 2.0, 3.0, 4.0}", "UINT32 {1065353216, 0, 0, 0}");
    client.open(URI, &text.replace("MOVV", "MOV"));
    let params = json!({
        "textDocument": {"uri": URI},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 7, "character": 0}},
    });
    let hints = client.call("textDocument/inlayHint", params.clone()).unwrap();
    let later = hints.as_array().unwrap().iter().find(|hint| hint.get("data").is_some());
    let later = later.unwrap_or_else(|| panic!("a hint with a tooltip: {hints}")).clone();
    assert!(later.get("tooltip").is_none());
    let resolved = client.call("inlayHint/resolve", later.clone()).unwrap();
    assert!(resolved["tooltip"]["value"].is_string(), "{resolved}");
    assert_eq!(resolved["label"], later["label"]);

    let start = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    client.edit(URI, 1, start, "\n");
    let refused = client.call("inlayHint/resolve", later);
    assert_eq!(refused.unwrap_err()["code"], -32801, "it is of an older text");
    client.diagnostics(URI, 1);
    client.finish();
}

#[test]
fn work_is_traced_as_much_as_is_wanted() {
    let mut client = plain();
    client.notify("$/setTrace", json!({"value": "verbose"}));
    client.open(URI, TEXT);
    let position = json!({"line": 5, "character": 6});
    let hover = json!({"textDocument": {"uri": URI}, "position": position});
    client.call("textDocument/hover", hover.clone()).unwrap();
    let traced = loop {
        let traced = client.message("$/logTrace");
        if traced["message"].as_str().is_some_and(|it| it.starts_with("HoverParams: done after")) {
            break traced;
        }
    };
    assert_eq!(traced["verbose"], format!("version 0 of {URI}"));
    client.diagnostics(URI, 0);
    client.notify("$/setTrace", json!({"value": "off"}));
    client.finish();
}
