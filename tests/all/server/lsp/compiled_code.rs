//! Compiled code in the editor. Needs a libLLVM; skipped aloud without one.

use serde_json::{Value, json};

use super::shader::{SHADER, URI, start, view};
use super::{connect_with_worker, find_compiler};

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_shader_is_compiled_and_shown_and_follows_the_text() {
    let mut client = start();
    client.open(URI, SHADER);
    let at = json!({"textDocument": {"uri": URI}, "position": {"line": 4, "character": 0}});
    let fresh = view(&mut client, at.clone(), "fresh");
    let text = fresh["text"].as_str().unwrap();
    assert!(text.contains("s_endpgm"), "{text}");
    assert_eq!(fresh["target"], "polaris10");
    assert_eq!(fresh["targets"], json!(["polaris10", "tahiti"]));
    let lines = fresh["sourceLines"].as_array().unwrap();
    assert_eq!(lines.len(), text.lines().count());
    let of_add = text.lines().zip(lines).filter(|(_, line)| **line == json!(4));
    assert_eq!(of_add.filter(|(line, _)| line.contains("v_add_f32")).count(), 4, "{text}");

    // The virtual document has the same text.
    let content = client.call("workspace/textDocumentContent", json!({"uri": fresh["uri"]}));
    assert_eq!(content.unwrap()["text"], fresh["text"]);

    // The figures reach hints and lenses, and clients are notified.
    client.message("workspace/codeLens/refresh");
    let lenses = json!({"textDocument": {"uri": URI}});
    let lenses = client.call("textDocument/codeLens", lenses).unwrap();
    let lens = lenses
        .as_array()
        .unwrap()
        .iter()
        .find(|lens| lens["command"]["arguments"][0]["target"] == "polaris10");
    let command = &lens.expect("a lens for the first target")["command"];
    assert_eq!(command["command"], "tungsten.openCompiledCode");
    assert_eq!(command["arguments"][0]["uri"], URI);
    assert!(command["title"].as_str().unwrap().contains("VGPR"), "{command}");

    // A line above moves the lines at once and compiles nothing.
    let top = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    client.edit(URI, 1, top, "\n");
    let moved = client.call("tungsten/compiledCode", at.clone()).unwrap();
    assert_eq!(moved["state"], "fresh");
    assert_eq!(moved["text"], fresh["text"]);
    assert!(moved["sourceLines"].as_array().unwrap().contains(&json!(5)));

    // An error keeps the last good view.
    let word = json!({"start": {"line": 5, "character": 5}, "end": {"line": 5, "character": 8}});
    client.edit(URI, 2, word.clone(), "AD?");
    let outdated = view(&mut client, at.clone(), "outdated");
    assert!(outdated["text"].as_str().unwrap().contains("s_endpgm"));
    assert!(outdated["message"].is_string());

    // Fixed to something else, it is compiled again.
    client.edit(URI, 3, word, "MUL");
    let fresh = view(&mut client, at, "fresh");
    assert!(!fresh["text"].as_str().unwrap().contains("v_add_f32"), "{fresh}");
    client.finish();
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_target_that_is_not_configured_is_compiled_when_asked_for() {
    let mut client = start();
    client.open(URI, SHADER);
    let params = json!({"textDocument": {"uri": URI}, "shader": 0, "target": "vega10"});
    let fresh = view(&mut client, params, "fresh");
    assert_eq!(fresh["target"], "vega10");
    assert!(fresh["text"].as_str().unwrap().contains("s_endpgm"));
    let unknown = json!({"textDocument": {"uri": URI}, "target": "voodoo2"});
    let refused = client.call("tungsten/compiledCode", unknown).unwrap_err();
    assert_eq!(refused["code"], -32602);
    let none = json!({"textDocument": {"uri": URI}, "shader": 7});
    assert_eq!(client.call("tungsten/compiledCode", none), Ok(Value::Null));
    client.finish();
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_compiler_that_does_not_start_is_said_once_and_hides_nothing_else() {
    let capabilities = json!({"textDocument": {"publishDiagnostics": {}}});
    let worker = "/nowhere/at/all/tungsten".into();
    let mut client = connect_with_worker(capabilities, json!({}), worker);
    find_compiler(&mut client);
    client.open(URI, SHADER);
    let message = client.message("window/showMessage");
    assert_eq!(message["type"], 1);
    let params = json!({"textDocument": {"uri": URI}});
    let view = view(&mut client, params.clone(), "unavailable");
    assert!(view["message"].as_str().unwrap().contains("could not be started"), "{view}");
    // The next failure goes to the log only: `finish` expects no message.
    let word = json!({"start": {"line": 4, "character": 5}, "end": {"line": 4, "character": 8}});
    client.edit(URI, 1, word, "MUL");
    let hover = json!({"textDocument": {"uri": URI}, "position": {"line": 4, "character": 6}});
    let hover = client.call("textDocument/hover", hover).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("MUL"), "{hover}");
    let failed = |method: &Value| method["message"].as_str().unwrap().contains("not be started");
    while !failed(&client.message("window/logMessage")) {}
    while !client.diagnostics(URI, 1).iter().any(|it| it["code"] == "compile::failed") {}
    client.finish();
}
