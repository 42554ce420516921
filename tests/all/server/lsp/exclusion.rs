//! Files of a folder that users mean: not those that git ignores or the setting `exclude`
//! names, nor, for clients that diagnostics are pushed to, those that are not open where
//! the settings say so.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::client::Client;
use super::workspace::{Folder, Known, pulls, start};

const UNUSED: &str = "FRAG\nDCL TEMP[0]\nEND\n";

async fn changed(client: &mut Client, uri: &str) {
    let changes = json!({"changes": [{"uri": uri, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes).await;
}

/// Takes news of the folder until these of its files have diagnostics and no others.
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

/// Takes what is pushed until these files have diagnostics and no others. Nothing is said of a
/// file that has none and had none.
async fn told(
    client: &mut Client,
    shown: &mut BTreeMap<String, usize>,
    folder: &Folder,
    names: &[&str],
) {
    let expected: Vec<String> = names.iter().map(|name| folder.uri(name)).collect();
    while !shown.keys().eq(&expected) {
        let params = client.message("textDocument/publishDiagnostics").await;
        let uri = params["uri"].as_str().expect("a name").to_owned();
        let count = params["diagnostics"].as_array().expect("a list").len();
        let before = match count {
            0 => shown.remove(&uri),
            _ => shown.insert(uri.clone(), count),
        };
        assert!(count > 0 || before.is_some() || params["version"].is_i64(), "{uri}: no news");
    }
}

#[tokio::test]
async fn a_client_that_is_pushed_to_is_told_of_the_whole_workspace_where_it_wants_that() {
    let folder = Folder::new("pushed-workspace");
    for name in ["a.tgsi", "b.tgsi", "old/c.tgsi"] {
        folder.write(name, UNUSED);
    }
    folder.write("good.tgsi", "FRAG\nEND\n");
    let watches = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
    let capabilities = json!({"workspace": watches});
    let mut client = start(&[&folder], capabilities).await;
    let settings = |scope: &str, exclude: &[&str]| {
        json!({"settings": {
            "compile": false, "exclude": exclude, "diagnostics": {"scope": scope},
        }})
    };
    let mut shown = BTreeMap::new();
    let wide = settings("workspace", &[]);
    client.notify("workspace/didChangeConfiguration", wide.clone()).await;
    told(&mut client, &mut shown, &folder, &["a.tgsi", "b.tgsi", "old/c.tgsi"]).await;

    // Deleted, excluded, opened, closed.
    folder.remove("b.tgsi");
    changed(&mut client, &folder.uri("b.tgsi")).await;
    told(&mut client, &mut shown, &folder, &["a.tgsi", "old/c.tgsi"]).await;
    let narrow = settings("workspace", &["old"]);
    client.notify("workspace/didChangeConfiguration", narrow).await;
    told(&mut client, &mut shown, &folder, &["a.tgsi"]).await;
    client.open(&folder.uri("a.tgsi"), "FRAG\nEND\n").await;
    told(&mut client, &mut shown, &folder, &[]).await;
    let close = json!({"textDocument": {"uri": folder.uri("a.tgsi")}});
    client.notify("textDocument/didClose", close).await;
    let closed = client.message("textDocument/publishDiagnostics").await;
    assert_eq!(closed["diagnostics"], json!([]));
    told(&mut client, &mut shown, &folder, &["a.tgsi"]).await;

    // And no more of that.
    client.notify("workspace/didChangeConfiguration", settings("open", &[])).await;
    told(&mut client, &mut shown, &folder, &[]).await;
    client.notify("workspace/didChangeConfiguration", wide).await;
    told(&mut client, &mut shown, &folder, &["a.tgsi", "old/c.tgsi"]).await;
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
