//! The server's status, asked and unasked.

use serde_json::{Value, json};

use super::connect;
use tests::client::Client;

const URI: &str = "file:///kernel.s";

fn at_top() -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}})
}

fn follower(options: Value) -> Client {
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "experimental": {"tungsten": {"statusNotification": true}},
    });
    connect(capabilities, options)
}

#[test]
fn the_end_of_the_search_for_a_compiler_is_told() {
    let mut client = follower(json!({}));
    let mut told = client.message("tungsten/statusChanged");
    while told["searching"] == true {
        assert_eq!(told["llvm"], Value::Null, "{told}");
        told = client.message("tungsten/statusChanged");
    }
    // Found or not, it is what the answer to the request is, and nothing more follows.
    assert!(told["llvm"].is_object() != told["message"].is_string(), "{told}");
    assert_eq!(client.call("tungsten/status", Value::Null), Ok(told));
    client.finish();
}

/// Takes news until they fit, each of which must say something else than the last one.
fn news(client: &mut Client, last: &mut Value, fits: impl Fn(&Value) -> bool) {
    while !fits(last) {
        let told = client.message("tungsten/statusChanged");
        assert_ne!(told, *last, "nothing has changed");
        *last = told;
    }
}

#[test]
fn whatever_changes_the_status_is_told_and_nothing_else() {
    let mut client = follower(json!({"compile": false}));
    let mut last = client.message("tungsten/statusChanged");
    assert_eq!((&last["searching"], &last["assembly"]), (&json!(false), &json!([])));
    client.open_as("gcn", URI, "  s_endpgm\n");
    let origin = |status: &Value| status["assembly"][0]["targetOrigin"].clone();
    news(&mut client, &mut last, |it| origin(it) == "default");
    let top = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    client.edit(URI, 1, top, ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n");
    news(&mut client, &mut last, |it| origin(it) == "directive");
    // An edit that changes nothing of it.
    let end = json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}});
    client.edit(URI, 2, end, "\n");
    client.call("textDocument/hover", at_top()).unwrap();
    let options = json!({"settings": {"tungsten": {"compile": false, "targets": ["tahiti"]}}});
    client.notify("workspace/didChangeConfiguration", options);
    news(&mut client, &mut last, |it| it["targets"] == json!(["tahiti"]));
    assert_eq!(client.call("tungsten/status", Value::Null), Ok(last));
    client.finish();
}

#[test]
#[cfg(unix)]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_compiler_that_ends_again_and_again_is_told_with_its_reason() {
    use super::{connect_with_worker, find_compiler};

    const URI: &str = "file:///a.tgsi";
    let shader = |value: usize| {
        format!(
            "FRAG\nDCL OUT[0], COLOR\nIMM[0] UINT32 {{{value}, 0, 0, 0}}\nMOV OUT[0], IMM[0]\nEND\n"
        )
    };
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = connect_with_worker(capabilities, json!({}), "/bin/false".into());
    find_compiler(&mut client);
    client.open(URI, &shader(0));
    for edit in 1..100 {
        let document = json!({"textDocument": {"uri": URI}});
        let mut state = json!("pending");
        while state == "pending" {
            let code = client.call("tungsten/compiledCode", document.clone());
            state = code.expect("an answer")["state"].clone();
        }
        let status = client.call("tungsten/status", Value::Null).expect("a status");
        if let Some(message) = status["message"].as_str() {
            assert!(edit > 2 && message.contains("times in a row"), "{message}");
            break;
        }
        assert!(edit < 99, "{status}");
        let changes = json!([{"text": shader(edit)}]);
        let item = json!({"uri": URI, "version": edit});
        let params = json!({"textDocument": item, "contentChanges": changes});
        client.notify("textDocument/didChange", params);
    }
    client.finish_but(&["window/showMessage"]);
}
