//! Shaders that are run on a file of inputs: the values beside their lines.

use serde_json::json;

use super::connect;
use crate::server::folder::Folder;
use tests::client::Client;

const SHADER: &str = "# tungsten: run=given.toml lane=1\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n\
                      ADD OUT[0].xy, IN[0], IN[0]\nEND\n";

fn labels(client: &mut Client, uri: &str) -> Vec<String> {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let params = json!({"textDocument": {"uri": uri}, "range": range});
    let hints = client.call("textDocument/inlayHint", params).unwrap();
    let labels = hints.as_array().unwrap().iter().map(|hint| hint["label"].as_str().unwrap());
    labels.map(str::to_owned).collect()
}

#[test]
fn values_follow_the_file_of_inputs() {
    let folder = Folder::new("runs");
    let uri = folder.write("shader.tgsi", "");
    let given = folder.write("given.toml", "[in]\n0 = [[1.0, 1.0], [2.5, -1.0], [0], [0]]\n");
    let capabilities = json!({
        "workspace": {"inlayHint": {"refreshSupport": true}},
        "textDocument": {"diagnostic": {}},
    });
    let mut client = connect(capabilities, json!({"compile": false}));
    client.open(&uri, SHADER);
    assert_eq!(labels(&mut client, &uri), ["\u{2192} 5.0, -2.0"]);

    // The file changes on the disk: the client is asked to ask again.
    folder.write("given.toml", "[in]\n0 = [3.0]\n");
    let changes = json!({"changes": [{"uri": given, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    client.message("workspace/inlayHint/refresh");
    let mut shown = labels(&mut client, &uri);
    while shown != ["\u{2192} 6.0, 0.0"] {
        // A refresh may be one that the first answer asked for.
        client.message("workspace/inlayHint/refresh");
        shown = labels(&mut client, &uri);
    }
    client.finish();
}

#[test]
fn settings_choose_the_inputs_and_the_lane() {
    let folder = Folder::new("run-settings");
    let text = SHADER.split_once('\n').map(|(_, rest)| rest).unwrap();
    let uri = folder.write("shader.tgsi", "");
    folder.write("given.toml", "[in]\n0 = [[1.0, 1.0], [2.5, -1.0], [0], [4.0, 4.0]]\n");
    let settings = |run: serde_json::Value| json!({"compile": false, "run": run});
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let options = settings(json!({"inputs": "given.toml"}));
    let mut client = connect(capabilities, options);
    client.open(&uri, text);
    assert_eq!(labels(&mut client, &uri), ["\u{2192} 2.0"]);
    for (lane, shown) in [(1, "\u{2192} 5.0, -2.0"), (3, "\u{2192} 8.0")] {
        let run = settings(json!({"inputs": "given.toml", "lane": lane}));
        let changed = json!({"settings": {"tungsten": run}});
        client.notify("workspace/didChangeConfiguration", changed);
        assert_eq!(labels(&mut client, &uri), [shown], "lane {lane}");
    }
    // The file's own words count more.
    let end = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    client.edit(&uri, 2, end, "# tungsten: lane=1\n");
    assert_eq!(labels(&mut client, &uri), ["\u{2192} 5.0, -2.0"]);
    let nothing = json!({"settings": {"tungsten": settings(json!({"inputs": null}))}});
    client.notify("workspace/didChangeConfiguration", nothing);
    assert_eq!(labels(&mut client, &uri), [""; 0]);
    client.finish();
}

#[test]
fn a_project_names_inputs_from_its_folder() {
    let folder = Folder::new("run-project");
    folder.write(
        "tungsten.toml",
        "compile = false\n[run]\ninputs = \"values/quad.toml\"\nlane = 2\n",
    );
    folder.write("values/quad.toml", "[in]\n0 = [[0], [0], [1.5, -3.0], [0]]\n");
    let uri = folder.write("shaders/shader.tgsi", "");
    let text = SHADER.split_once('\n').map(|(_, rest)| rest).unwrap();
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = connect(capabilities, json!({}));
    client.open(&uri, text);
    assert_eq!(labels(&mut client, &uri), ["\u{2192} 3.0, -6.0"]);
    client.finish();
}

#[test]
fn a_mistake_in_a_file_of_inputs_is_drawn_in_it() {
    let folder = Folder::new("run-mistakes");
    let uri = folder.write("shader.tgsi", "");
    let given = folder.write("given.toml", "[in]\n0 = [1.0, true]\n");
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = connect(capabilities, json!({"compile": false}));
    client.open(&uri, SHADER);
    let params = json!({"textDocument": {"uri": uri}});
    let found = client.call("textDocument/diagnostic", params.clone()).unwrap();
    let of_line = "it is not run: given.toml:2: a number is expected";
    let item = found["items"].as_array().unwrap().iter().find(|it| it["message"] == of_line);
    assert_eq!(item.unwrap()["code"], "run::failed", "{found}");
    let drawn = client.message("textDocument/publishDiagnostics");
    assert_eq!(drawn["uri"], given.as_str());
    let diagnostic = &drawn["diagnostics"][0];
    assert_eq!((&diagnostic["code"], &diagnostic["severity"]), (&json!("run::inputs"), &json!(1)));
    let range = json!({"start": {"line": 1, "character": 10}, "end": {"line": 1, "character": 14}});
    assert_eq!(diagnostic["range"], range);

    // Fixed, the file has no diagnostic.
    folder.write("given.toml", "[in]\n0 = [1.0, 2.0]\n");
    let changes = json!({"changes": [{"uri": given, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let drawn = client.message("textDocument/publishDiagnostics");
    assert_eq!((&drawn["uri"], &drawn["diagnostics"]), (&json!(given), &json!([])));
    let found = client.call("textDocument/diagnostic", params).unwrap();
    assert!(!found.to_string().contains("it is not run"), "{found}");
    client.finish();
}
