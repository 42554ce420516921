//! The project's file `tungsten.toml`, found around the documents.

use std::time::{Duration, Instant};

use serde_json::json;

use super::connect;
use crate::server::folder::Folder;
use tests::client::Client;

const UNUSED: &str = "FRAG\nDCL TEMP[0]\nEND\n";

#[test]
fn the_nearest_file_counts_is_watched_and_yields_to_the_client() {
    let folder = Folder::new("lsp-project");
    folder.write("tungsten.toml", "compile = false\n[severity]\nunused-declaration = 'error'\n");
    let mut client = connect(json!({}), json!({"compile": false}));
    let shader = folder.uri("inner/a.tgsi");
    client.open(&shader, UNUSED);
    let found = client.diagnostics(&shader, 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["severity"], 1, "the project raises it: {found:?}");

    // The file changes, and is wrong in one place.
    let toml = "allow = ['unused-declaration']\ntargts = ['x']\n";
    folder.write("tungsten.toml", toml);
    let project = folder.uri("tungsten.toml");
    let changes = json!({"changes": [{"uri": project, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let of_project = client.message("textDocument/publishDiagnostics");
    assert_eq!(of_project["uri"], project.as_str());
    assert_eq!(of_project["diagnostics"][0]["code"], "project::setting");
    assert_eq!(of_project["diagnostics"][0]["range"]["start"], json!({"line": 1, "character": 0}));
    assert_eq!(client.diagnostics(&shader, 0), Vec::<serde_json::Value>::new());

    // The client allows something else: that counts more.
    let settings =
        json!({"settings": {"tungsten": {"compile": false, "allow": ["tgsi::comment"]}}});
    client.notify("workspace/didChangeConfiguration", settings);
    let found = client.diagnostics(&shader, 0);
    assert_eq!(found[0]["code"], "tgsi::unused-declaration");

    // Fixed, the file has no problems; gone, it sets nothing.
    std::fs::remove_file(folder.path().join("tungsten.toml")).expect("removed");
    let changes = json!({"changes": [{"uri": project, "type": 3}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let of_project = client.message("textDocument/publishDiagnostics");
    assert_eq!(
        (of_project["uri"].as_str(), &of_project["diagnostics"]),
        (Some(&*project), &json!([]))
    );
    client.finish();
}

const VERTEX: &str = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[1]\nDCL OUT[1], POSITION\nMOV OUT[0], IN[0]\n\
    MOV OUT[1], IN[0]\nEND\n";
const FRAGMENT: &str =
    "FRAG\nDCL IN[0], GENERIC[2], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

/// Asks until the diagnostics of a document have these codes: the stages beside it are
/// read by the way.
fn has_codes(client: &mut Client, uri: &str, codes: &[&str]) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(30) {
        let params = json!({"textDocument": {"uri": uri}});
        let report = client.call("textDocument/diagnostic", params).expect("an answer");
        let items = report["items"].as_array().expect("a full report");
        if items.iter().filter_map(|it| it["code"].as_str()).eq(codes.iter().copied()) {
            return;
        }
    }
    panic!("{uri}: never {codes:?}");
}

#[test]
fn stages_that_the_project_names_follow_each_others_edits() {
    let folder = Folder::new("lsp-stages");
    folder.write("tungsten.toml", "[[pipeline]]\nfiles = ['inner/a.tgsi', 'b.tgsi']\n");
    folder.write("inner/a.tgsi", VERTEX);
    folder.write("b.tgsi", FRAGMENT);
    let pulls = json!({"textDocument": {"diagnostic": {}}});
    let mut client = connect(pulls, json!({"compile": false}));
    let [first, second] = ["inner/a.tgsi", "b.tgsi"].map(|name| folder.uri(name));
    client.open(&second, FRAGMENT);
    has_codes(&mut client, &second, &["tgsi::link-input"]);
    // The other stage is opened, and edited: what the editor has counts.
    client.open(&first, VERTEX);
    has_codes(&mut client, &first, &["tgsi::link-output"]);
    let index = json!({"start": {"line": 2, "character": 20}, "end": {"line": 2, "character": 21}});
    client.edit(&first, 1, index, "2");
    has_codes(&mut client, &second, &[]);
    // Closed without being saved, it is what the disk has.
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": first}}));
    has_codes(&mut client, &second, &["tgsi::link-input"]);
    // Fixed on the disk.
    folder.write("inner/a.tgsi", &VERTEX.replace("[1]", "[2]"));
    let changes = json!({"changes": [{"uri": first, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    has_codes(&mut client, &second, &[]);
    client.finish();
}
