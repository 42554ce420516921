//! Files of a folder that users mean: not those that git ignores or the setting `exclude`
//! names, nor, for clients that diagnostics are pushed to, those that are not open where
//! the settings say so.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::connect;
use super::workspace::{Known, pulls, start};
use crate::server::folder::Folder;
use tests::client::Client;

const UNUSED: &str = "FRAG\nDCL TEMP[0]\nEND\n";

fn changed(client: &mut Client, uri: &str) {
    let changes = json!({"changes": [{"uri": uri, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
}

/// Takes news of the folder until these of its files have diagnostics and no others.
fn until(known: &mut Known, client: &mut Client, folder: &Folder, names: &[&str]) {
    let expected: Vec<String> = names.iter().map(|name| folder.uri(name)).collect();
    while !known.codes.keys().eq(&expected) {
        known.pull(client); // Each answer has some.
    }
}

#[test]
fn what_is_left_out_follows_git_the_project_and_the_editor() {
    let folder = Folder::new("exclusion");
    for name in ["a.tgsi", "b.tgsi", "made/c.tgsi", "old/d.tgsi", "old/e.tgsi"] {
        folder.write(name, UNUSED);
    }
    folder.write(".git/HEAD", "");
    folder.write(".gitignore", "/made/\n");
    folder.write("tungsten.toml", "exclude = ['/old/*', '!/old/e.tgsi']\n");
    let mut capabilities = pulls();
    capabilities["workspace"]["configuration"] = json!(true);
    let mut client = start(&[&folder], capabilities);
    client.settings = json!({"compile": false, "exclude": ["b.*"]});
    client.message("workspace/configuration");
    let mut known = Known::default();
    until(&mut known, &mut client, &folder, &["a.tgsi", "old/e.tgsi"]);

    // What is open is judged, wherever it is.
    client.open(&folder.uri("made/c.tgsi"), UNUSED);
    until(&mut known, &mut client, &folder, &["a.tgsi", "made/c.tgsi", "old/e.tgsi"]);
    let close = json!({"textDocument": {"uri": folder.uri("made/c.tgsi")}});
    client.notify("textDocument/didClose", close);
    until(&mut known, &mut client, &folder, &["a.tgsi", "old/e.tgsi"]);

    // Each of the three may change its mind.
    folder.write(".gitignore", "a.*\n");
    changed(&mut client, &folder.uri(".gitignore"));
    until(&mut known, &mut client, &folder, &["made/c.tgsi", "old/e.tgsi"]);
    folder.write("tungsten.toml", "exclude = ['made']\n");
    changed(&mut client, &folder.uri("tungsten.toml"));
    until(&mut known, &mut client, &folder, &["old/d.tgsi", "old/e.tgsi"]);
    client.settings = json!({"compile": false, "exclude": ["d.*"]});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    until(&mut known, &mut client, &folder, &["b.tgsi", "old/e.tgsi"]);
    client.finish();
}

/// Takes what is pushed until these files have diagnostics and no others. Nothing is said of a
/// file that has none and had none.
fn told(client: &mut Client, shown: &mut BTreeMap<String, usize>, folder: &Folder, names: &[&str]) {
    let expected: Vec<String> = names.iter().map(|name| folder.uri(name)).collect();
    while !shown.keys().eq(&expected) {
        let params = client.message("textDocument/publishDiagnostics");
        let uri = params["uri"].as_str().expect("a name").to_owned();
        let count = params["diagnostics"].as_array().expect("a list").len();
        let before = match count {
            0 => shown.remove(&uri),
            _ => shown.insert(uri.clone(), count),
        };
        assert!(count > 0 || before.is_some() || params["version"].is_i64(), "{uri}: no news");
    }
}

#[test]
fn a_client_that_is_pushed_to_is_told_of_the_whole_workspace_where_it_wants_that() {
    let folder = Folder::new("pushed-workspace");
    for name in ["a.tgsi", "b.tgsi", "old/c.tgsi"] {
        folder.write(name, UNUSED);
    }
    folder.write("good.tgsi", "FRAG\nEND\n");
    let watches = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
    let capabilities = json!({"workspace": watches});
    let mut client = start(&[&folder], capabilities);
    let settings = |scope: &str, exclude: &[&str]| {
        json!({"settings": {
            "compile": false, "exclude": exclude, "diagnostics": {"scope": scope},
        }})
    };
    let mut shown = BTreeMap::new();
    let wide = settings("workspace", &[]);
    client.notify("workspace/didChangeConfiguration", wide.clone());
    told(&mut client, &mut shown, &folder, &["a.tgsi", "b.tgsi", "old/c.tgsi"]);

    // Deleted, excluded, opened, closed.
    folder.remove("b.tgsi");
    changed(&mut client, &folder.uri("b.tgsi"));
    told(&mut client, &mut shown, &folder, &["a.tgsi", "old/c.tgsi"]);
    let narrow = settings("workspace", &["old"]);
    client.notify("workspace/didChangeConfiguration", narrow);
    told(&mut client, &mut shown, &folder, &["a.tgsi"]);
    client.open(&folder.uri("a.tgsi"), "FRAG\nEND\n");
    told(&mut client, &mut shown, &folder, &[]);
    let close = json!({"textDocument": {"uri": folder.uri("a.tgsi")}});
    client.notify("textDocument/didClose", close);
    let closed = client.message("textDocument/publishDiagnostics");
    assert_eq!(closed["diagnostics"], json!([]));
    told(&mut client, &mut shown, &folder, &["a.tgsi"]);

    // And no more of that.
    client.notify("workspace/didChangeConfiguration", settings("open", &[]));
    told(&mut client, &mut shown, &folder, &[]);
    client.notify("workspace/didChangeConfiguration", wide);
    told(&mut client, &mut shown, &folder, &["a.tgsi", "old/c.tgsi"]);
    client.finish();
}

#[test]
fn a_pattern_that_is_none_is_said() {
    let mut client = connect(json!({}), json!({"compile": false, "exclude": ["{a"]}));
    let shown = client.message("window/showMessage");
    let text = shown["message"].as_str().expect("a text");
    assert!(text.contains("tungsten.exclude") && text.contains("{a"), "{text}");
    assert_eq!(shown["type"], Value::from(2));
    client.finish();
}
