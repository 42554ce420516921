//! Settings, by every road they come.

use serde_json::{Value, json};

use super::client::Client;

async fn targets(client: &mut Client) -> Value {
    client.call("tungsten/status", Value::Null).await.unwrap()["targets"].clone()
}

#[tokio::test]
async fn settings_come_with_initialize_and_by_notification() {
    let options = json!({"compile": false, "targets": ["tahiti", "vega10"]});
    let mut client = Client::start(json!({}), options).await;
    assert_eq!(targets(&mut client).await, json!(["tahiti", "vega10"]));
    let settings = json!({"settings": {"tungsten": {"compile": false, "targets": ["bonaire"]}}});
    client.notify("workspace/didChangeConfiguration", settings).await;
    assert_eq!(targets(&mut client).await, json!(["bonaire"]));
    client.finish().await;
}

#[tokio::test]
async fn settings_choose_the_layout_and_the_hints() {
    let options = json!({"compile": false, "format": {"instructionNumbers": "always"}});
    let mut client = Client::start(json!({}), options).await;
    let uri = "file:///a.tgsi";
    let text = "FRAG\nDCL TEMP[0]\nIMM[0] UINT32 {1065353216, 0, 0, 0}\n\
                MOV TEMP[0], IMM[0].xxxx\nEND\n";
    client.open(uri, text).await;
    client.diagnostics(uri, 0).await;
    let document =
        json!({"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = client.call("textDocument/formatting", document.clone()).await.unwrap();
    let inserted: String =
        edits.as_array().unwrap().iter().map(|it| it["newText"].as_str().unwrap()).collect();
    assert!(inserted.contains("0:") && inserted.contains("1:"), "{edits}");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let place = json!({"textDocument": {"uri": uri}, "range": range});
    let hints = client.call("textDocument/inlayHint", place.clone()).await.unwrap();
    assert!(!hints.as_array().unwrap().is_empty(), "a float in disguise has a hint");

    let settings = json!({"compile": false, "inlayHints": {"values": false}});
    let settings = json!({"settings": {"tungsten": settings}});
    client.notify("workspace/didChangeConfiguration", settings).await;
    let hints = client.call("textDocument/inlayHint", place).await.unwrap();
    assert_eq!(hints, json!([]));
    let edits = client.call("textDocument/formatting", document).await.unwrap();
    assert!(!edits.to_string().contains("0:"), "{edits}");
    client.finish().await;
}

#[tokio::test]
async fn settings_are_asked_for_where_the_client_answers() {
    let capabilities = json!({"workspace": {
        "configuration": true,
        "didChangeConfiguration": {"dynamicRegistration": true},
    }});
    let mut client = Client::start(capabilities, json!({"compile": false})).await;
    client.settings = json!({"compile": false, "targets": ["pitcairn"]});
    let asked = client.message("workspace/configuration").await;
    assert_eq!(asked["items"][0]["section"], "tungsten");
    assert_eq!(targets(&mut client).await, json!(["pitcairn"]));
    let registered = client.message("client/registerCapability").await;
    assert_eq!(registered["registrations"][0]["method"], "workspace/didChangeConfiguration");

    client.settings = json!({"compile": false, "targets": ["oland"]});
    let settings = json!({"settings": null});
    client.notify("workspace/didChangeConfiguration", settings).await;
    client.message("workspace/configuration").await;
    assert_eq!(targets(&mut client).await, json!(["oland"]));
    client.finish().await;
}

#[tokio::test]
async fn an_unknown_target_is_reported_and_not_used() {
    let options = json!({"compile": false, "targets": ["polaris1O", "vega10"]});
    let mut client = Client::start(json!({}), options).await;
    let message = client.message("window/showMessage").await;
    let text = message["message"].as_str().unwrap();
    assert!(text.contains("`polaris1O`") && text.contains("`polaris10`"), "{text}");
    assert_eq!(targets(&mut client).await, json!(["vega10"]));
    client.finish().await;
}

#[tokio::test]
async fn a_missing_library_is_said_once_and_says_what_to_do() {
    // A file that is there and is no library, so that nothing else is tried in its place.
    let llvm = Some(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into());
    let env = server::lsp::ServerEnv {
        worker: crate::TUNGSTEN.into(),
        user: server::Trust { llvm, ..server::Trust::default() },
        ..server::lsp::ServerEnv::default()
    };
    let mut client = Client::start_among(&[], json!({}), json!({}), env).await;
    let status = loop {
        let status = client.call("tungsten/status", Value::Null).await.unwrap();
        if status["searching"] == false {
            break status;
        }
    };
    if status["llvm"].is_null() {
        let message = client.message("window/showMessage").await;
        assert_eq!(message["type"], 2);
        assert!(message["message"].as_str().unwrap().contains("Install"), "{message}");
        assert!(status["message"].is_string());
    } else {
        // A named library that is unfit is passed over where another is found.
        assert_ne!(status["llvm"]["origin"], "the setting");
    }
    client.finish().await;
}

#[tokio::test]
async fn the_status_says_what_reads_the_shaders() {
    let mut client = Client::start(json!({}), json!({"compile": false})).await;
    client.open("file:///a.tgsi", "FRAG1.1\nEND\n").await;
    let said = |status: &serde_json::Value| {
        status["shaders"][0]["message"].as_str().unwrap_or_default().to_owned()
    };
    let asked = async {
        while said(&client.call("tungsten/status", serde_json::Value::Null).await.expect("status"))
            != "TGSI of any reader; taken by mesa-2009"
        {}
        let settings = json!({"settings": {"tungsten": {"compile": false,
            "tgsi": {"dialect": "virglrenderer"}}}});
        client.notify("workspace/didChangeConfiguration", settings).await;
        while said(&client.call("tungsten/status", serde_json::Value::Null).await.expect("status"))
            != "TGSI of virglrenderer, as the settings say"
        {}
        let mut found = client.diagnostics("file:///a.tgsi", 0).await;
        while found[0]["severity"] != 1 {
            found = client.diagnostics("file:///a.tgsi", 0).await;
        }
        client.finish().await;
    };
    let patience = std::time::Duration::from_secs(30);
    tokio::time::timeout(patience, asked).await.expect("it is said in time");
}
