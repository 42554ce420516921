//! What users do not mean when they speak of a folder's files: what git ignores, and what
//! the setting `exclude` names.

use serde_json::{Value, json};

use crate::client::Client;
use crate::workspace::{Folder, Known, pulls, start};

const UNUSED: &str = "FRAG\nDCL TEMP[0]\nEND\n";

async fn changed(client: &mut Client, uri: &str) {
    let changes = json!({"changes": [{"uri": uri, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes).await;
}

/// Takes news of the folder until these of its files have findings and no others.
async fn until(known: &mut Known, client: &mut Client, folder: &Folder, names: &[&str]) {
    let expected: Vec<String> = names.iter().map(|name| folder.uri(name)).collect();
    while !known.codes.keys().eq(&expected) {
        known.pull(client).await; // Each answer has some.
    }
}

#[tokio::test]
async fn what_is_left_out_follows_git_the_project_and_the_editor() {
    let folder = Folder::new("exclusion");
    for name in ["a.tgsi", "b.tgsi", "made/c.tgsi", "old/d.tgsi", "old/e.tgsi"] {
        folder.write(name, UNUSED);
    }
    folder.write(".git/HEAD", "");
    folder.write(".gitignore", "/made/\n");
    folder.write("tungsten.toml", "exclude = ['/old/*', '!/old/e.tgsi']\n");
    let mut capabilities = pulls();
    capabilities["workspace"]["configuration"] = json!(true);
    let mut client = start(&[&folder], capabilities).await;
    client.settings = json!({"compile": false, "exclude": ["b.*"]});
    client.message("workspace/configuration").await;
    let mut known = Known::default();
    until(&mut known, &mut client, &folder, &["a.tgsi", "old/e.tgsi"]).await;

    // What is open is judged, wherever it is.
    client.open(&folder.uri("made/c.tgsi"), UNUSED).await;
    until(&mut known, &mut client, &folder, &["a.tgsi", "made/c.tgsi", "old/e.tgsi"]).await;
    let close = json!({"textDocument": {"uri": folder.uri("made/c.tgsi")}});
    client.notify("textDocument/didClose", close).await;
    until(&mut known, &mut client, &folder, &["a.tgsi", "old/e.tgsi"]).await;

    // Each of the three may change its mind.
    folder.write(".gitignore", "a.*\n");
    changed(&mut client, &folder.uri(".gitignore")).await;
    until(&mut known, &mut client, &folder, &["made/c.tgsi", "old/e.tgsi"]).await;
    folder.write("tungsten.toml", "exclude = ['made']\n");
    changed(&mut client, &folder.uri("tungsten.toml")).await;
    until(&mut known, &mut client, &folder, &["old/d.tgsi", "old/e.tgsi"]).await;
    client.settings = json!({"compile": false, "exclude": ["d.*"]});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null})).await;
    until(&mut known, &mut client, &folder, &["b.tgsi", "old/e.tgsi"]).await;
    client.finish().await;
}

#[tokio::test]
async fn a_pattern_that_is_none_is_said() {
    let mut client = Client::start(json!({}), json!({"compile": false, "exclude": ["{a"]})).await;
    let shown = client.message("window/showMessage").await;
    let text = shown["message"].as_str().expect("a text");
    assert!(text.contains("tungsten.exclude") && text.contains("{a"), "{text}");
    assert_eq!(shown["type"], Value::from(2));
    client.finish().await;
}
