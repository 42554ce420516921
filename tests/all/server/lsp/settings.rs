//! Settings, by every road they come.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::connect;
use tests::client::Client;

fn targets(client: &mut Client) -> Value {
    client.call("tungsten/status", Value::Null).unwrap()["targets"].clone()
}

#[test]
fn settings_come_with_initialize_and_by_notification() {
    let options = json!({"compile": false, "targets": ["tahiti", "vega10"]});
    let mut client = connect(json!({}), options);
    assert_eq!(targets(&mut client), json!(["tahiti", "vega10"]));
    let settings = json!({"settings": {"tungsten": {"compile": false, "targets": ["bonaire"]}}});
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(targets(&mut client), json!(["bonaire"]));
    client.finish();
}

#[test]
fn settings_choose_the_layout_and_the_hints() {
    let options = json!({"compile": false, "format": {"instructionNumbers": "always"}});
    let mut client = connect(json!({}), options);
    let uri = "file:///a.tgsi";
    let text = "FRAG\nDCL TEMP[0]\nIMM[0] UINT32 {1065353216, 0, 0, 0}\n\
                MOV TEMP[0], IMM[0].xxxx\nEND\n";
    client.open(uri, text);
    client.diagnostics(uri, 0);
    let document =
        json!({"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = client.call("textDocument/formatting", document.clone()).unwrap();
    let inserted: String =
        edits.as_array().unwrap().iter().map(|it| it["newText"].as_str().unwrap()).collect();
    assert!(inserted.contains("0:") && inserted.contains("1:"), "{edits}");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let place = json!({"textDocument": {"uri": uri}, "range": range});
    let hints = client.call("textDocument/inlayHint", place.clone()).unwrap();
    assert!(!hints.as_array().unwrap().is_empty(), "a float in disguise has a hint");

    let settings = json!({"compile": false, "inlayHints": {"values": false}});
    let settings = json!({"settings": {"tungsten": settings}});
    client.notify("workspace/didChangeConfiguration", settings);
    let hints = client.call("textDocument/inlayHint", place).unwrap();
    assert_eq!(hints, json!([]));
    let edits = client.call("textDocument/formatting", document).unwrap();
    assert!(!edits.to_string().contains("0:"), "{edits}");
    client.finish();
}

#[test]
fn settings_are_asked_for_where_the_client_answers() {
    let capabilities = json!({"workspace": {
        "configuration": true,
        "didChangeConfiguration": {"dynamicRegistration": true},
    }});
    let mut client = connect(capabilities, json!({"compile": false}));
    client.settings = json!({"compile": false, "targets": ["pitcairn"]});
    let asked = client.message("workspace/configuration");
    assert_eq!(asked["items"][0]["section"], "tungsten");
    assert_eq!(targets(&mut client), json!(["pitcairn"]));
    let registered = client.message("client/registerCapability");
    assert_eq!(registered["registrations"][0]["method"], "workspace/didChangeConfiguration");

    client.settings = json!({"compile": false, "targets": ["oland"]});
    let settings = json!({"settings": null});
    client.notify("workspace/didChangeConfiguration", settings);
    client.message("workspace/configuration");
    assert_eq!(targets(&mut client), json!(["oland"]));
    client.finish();
}

#[test]
fn an_unknown_target_is_reported_and_not_used() {
    let options = json!({"compile": false, "targets": ["polaris1O", "vega10"]});
    let mut client = connect(json!({}), options);
    let message = client.message("window/showMessage");
    let text = message["message"].as_str().unwrap();
    assert!(text.contains("`polaris1O`") && text.contains("`polaris10`"), "{text}");
    assert_eq!(targets(&mut client), json!(["vega10"]));
    client.finish();
}

#[test]
fn a_missing_library_is_said_once_and_says_what_to_do() {
    // A file that is there and is not a library, so that nothing else is tried in its place.
    let llvm = Some(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into());
    let env = server::lsp::ServerEnv {
        worker: crate::TUNGSTEN.into(),
        user: server::Trust { llvm, ..server::Trust::default() },
        ..server::lsp::ServerEnv::default()
    };
    let mut client = Client::in_env(&[], json!({}), json!({}), env);
    let status = loop {
        let status = client.call("tungsten/status", Value::Null).unwrap();
        if status["searching"] == false {
            break status;
        }
    };
    if status["llvm"].is_null() {
        let message = client.message("window/showMessage");
        assert_eq!(message["type"], 2);
        assert!(message["message"].as_str().unwrap().contains("Install"), "{message}");
        assert!(status["message"].is_string());
    } else {
        // A named library that is unfit is passed over where another is found.
        assert_ne!(status["llvm"]["origin"], "the setting");
    }
    client.finish();
}

#[test]
fn the_status_says_what_reads_the_shaders() {
    let mut client = connect(json!({}), json!({"compile": false}));
    client.open("file:///a.tgsi", "FRAG1.1\nEND\n");
    let begin = Instant::now();
    let says = |client: &mut Client, expected: &str| {
        let mut said = String::new();
        while said != expected {
            assert!(begin.elapsed() < Duration::from_secs(30), "{said}, never {expected}");
            let status = client.call("tungsten/status", Value::Null).expect("a status");
            said = status["shaders"][0]["message"].as_str().unwrap_or_default().to_owned();
        }
    };
    says(&mut client, "Dialect: auto. Accepted by mesa-2009");
    let settings = json!({"settings": {"tungsten": {"compile": false,
        "tgsi": {"dialect": "virglrenderer"}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    says(&mut client, "TGSI of virglrenderer, as the settings say");
    while client.diagnostics("file:///a.tgsi", 0)[0]["severity"] != 1 {}
    client.finish();
}
