//! Shaders that are run on a file of inputs: the values beside their lines.

use serde_json::json;

use crate::assembly::Folder;
use crate::client::Client;

const SHADER: &str = "# tungsten: run=given.toml lane=1\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n\
                      ADD OUT[0].xy, IN[0], IN[0]\nEND\n";

async fn labels(client: &mut Client, uri: &str) -> Vec<String> {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let params = json!({"textDocument": {"uri": uri}, "range": range});
    let hints = client.call("textDocument/inlayHint", params).await.unwrap();
    let labels = hints.as_array().unwrap().iter().map(|hint| hint["label"].as_str().unwrap());
    labels.map(str::to_owned).collect()
}

#[tokio::test]
async fn values_follow_the_file_of_inputs() {
    let folder = Folder::new("runs");
    let uri = folder.write("shader.tgsi", "");
    let given = folder.write("given.toml", "[in]\n0 = [[1.0, 1.0], [2.5, -1.0], [0], [0]]\n");
    let capabilities = json!({
        "workspace": {"inlayHint": {"refreshSupport": true}},
        "textDocument": {"diagnostic": {}},
    });
    let mut client = Client::start(capabilities, json!({"compile": false})).await;
    client.open(&uri, SHADER).await;
    assert_eq!(labels(&mut client, &uri).await, ["\u{2192} 5.0, -2.0"]);

    // The file changes on the disk: the client is told to ask again.
    folder.write("given.toml", "[in]\n0 = [3.0]\n");
    let changes = json!({"changes": [{"uri": given, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes).await;
    client.message("workspace/inlayHint/refresh").await;
    let mut shown = labels(&mut client, &uri).await;
    while shown != ["\u{2192} 6.0, 0.0"] {
        // A refresh may be one that the first answer asked for.
        client.message("workspace/inlayHint/refresh").await;
        shown = labels(&mut client, &uri).await;
    }
    client.finish().await;
}
