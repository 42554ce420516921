//! The server's status, asked and unasked.

use serde_json::{Value, json};

use super::client::Client;

const URI: &str = "file:///kernel.s";

fn at_top() -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}})
}

async fn follower(options: Value) -> Client {
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "experimental": {"tungsten": {"statusNotification": true}},
    });
    Client::start(capabilities, options).await
}

#[tokio::test]
async fn the_end_of_the_search_for_a_compiler_is_told() {
    let mut client = follower(json!({})).await;
    let mut told = client.message("tungsten/statusChanged").await;
    while told["searching"] == true {
        assert_eq!(told["llvm"], Value::Null, "{told}");
        told = client.message("tungsten/statusChanged").await;
    }
    // Found or not, it is what the answer to the request is, and nothing more follows.
    assert!(told["llvm"].is_object() != told["message"].is_string(), "{told}");
    assert_eq!(client.call("tungsten/status", Value::Null).await, Ok(told));
    client.finish().await;
}

/// Takes news until they fit, each of which must say something else than the last one.
async fn news(client: &mut Client, last: &mut Value, fits: impl Fn(&Value) -> bool) {
    while !fits(last) {
        let told = client.message("tungsten/statusChanged").await;
        assert_ne!(told, *last, "nothing has changed");
        *last = told;
    }
}

#[tokio::test]
async fn whatever_changes_the_status_is_told_and_nothing_else() {
    let mut client = follower(json!({"compile": false})).await;
    let mut last = client.message("tungsten/statusChanged").await;
    assert_eq!((&last["searching"], &last["assembly"]), (&json!(false), &json!([])));
    client.open_as("gcn", URI, "  s_endpgm\n").await;
    let origin = |status: &Value| status["assembly"][0]["targetOrigin"].clone();
    news(&mut client, &mut last, |it| origin(it) == "default").await;
    let top = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    client.edit(URI, 1, top, ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n").await;
    news(&mut client, &mut last, |it| origin(it) == "directive").await;
    // An edit that changes nothing of it.
    let end = json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}});
    client.edit(URI, 2, end, "\n").await;
    client.call("textDocument/hover", at_top()).await.unwrap();
    let options = json!({"settings": {"tungsten": {"compile": false, "targets": ["tahiti"]}}});
    client.notify("workspace/didChangeConfiguration", options).await;
    news(&mut client, &mut last, |it| it["targets"] == json!(["tahiti"])).await;
    assert_eq!(client.call("tungsten/status", Value::Null).await, Ok(last));
    client.finish().await;
}

#[tokio::test]
#[cfg(unix)]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
async fn a_compiler_that_ends_again_and_again_is_told_with_its_reason() {
    const URI: &str = "file:///a.tgsi";
    let shader = |value: usize| {
        format!(
            "FRAG\nDCL OUT[0], COLOR\nIMM[0] UINT32 {{{value}, 0, 0, 0}}\nMOV OUT[0], IMM[0]\nEND\n"
        )
    };
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::start_with_worker(capabilities, json!({}), "/bin/false".into()).await;
    client.find_compiler().await;
    client.open(URI, &shader(0)).await;
    for edit in 1..100 {
        let document = json!({"textDocument": {"uri": URI}});
        let mut state = json!("pending");
        while state == "pending" {
            let code = client.call("tungsten/compiledCode", document.clone()).await;
            state = code.expect("an answer")["state"].clone();
        }
        let status = client.call("tungsten/status", Value::Null).await.expect("a status");
        if let Some(message) = status["message"].as_str() {
            assert!(edit > 2 && message.contains("times in a row"), "{message}");
            break;
        }
        assert!(edit < 99, "{status}");
        let changes = json!([{"text": shader(edit)}]);
        let item = json!({"uri": URI, "version": edit});
        let params = json!({"textDocument": item, "contentChanges": changes});
        client.notify("textDocument/didChange", params).await;
    }
    client.finish_but(&["window/showMessage"]).await;
}
