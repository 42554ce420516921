//! The folders of a workspace: diagnostics of files that nobody has opened, folders that come
//! and go, files that change on the disk.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::plain;
use crate::server::folder::Folder;
use tests::client::Client;

const UNUSED: &str = "FRAG\nDCL TEMP[0]\nEND\n";
const GOOD: &str = "FRAG\nEND\n";

pub(crate) fn pulls() -> Value {
    json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {
            "workspaceFolders": true,
            "didChangeWatchedFiles": {"dynamicRegistration": true},
        },
    })
}

pub(crate) fn start(folders: &[&Folder], capabilities: Value) -> Client {
    let folders: Vec<String> = folders.iter().map(|folder| folder.own_uri()).collect();
    let worker = PathBuf::from(crate::TUNGSTEN);
    Client::in_folders(&folders, capabilities, json!({"compile": false}), worker)
}

/// The diagnostics of a workspace, as a client knows them.
#[derive(Default)]
pub(crate) struct Known {
    /// The identity of the diagnostics of each file.
    identities: BTreeMap<String, String>,
    /// The codes of the diagnostics of each file that has some.
    pub(crate) codes: BTreeMap<String, Vec<String>>,
    /// The version of each file that was reported as open.
    versions: BTreeMap<String, i64>,
}

impl Known {
    /// Returns the parameters of its request.
    pub(crate) fn params(&self) -> Value {
        let previous = self.identities.iter();
        let previous = previous.map(|(uri, value)| json!({"uri": uri, "value": value}));
        json!({"previousResultIds": previous.collect::<Vec<_>>()})
    }

    pub(crate) fn ask(&self, client: &mut Client) -> i64 {
        client.send("workspace/diagnostic", self.params())
    }

    /// Takes reports in. Returns how many were new.
    pub(crate) fn take(&mut self, report: &Value) -> usize {
        let items = report["items"].as_array().expect("a list");
        for item in items {
            let uri = item["uri"].as_str().expect("a name").to_owned();
            match item["version"].as_i64() {
                Some(version) => self.versions.insert(uri.clone(), version),
                None => self.versions.remove(&uri),
            };
            if item["kind"] == "unchanged" {
                assert_eq!(item["resultId"].as_str(), self.identities.get(&uri).map(|it| &**it));
                continue;
            }
            let found = item["items"].as_array().expect("diagnostics").iter();
            let codes: Vec<String> =
                found.map(|it| it["code"].as_str().expect("a code").to_owned()).collect();
            match item["resultId"].as_str() {
                Some(identity) => self.identities.insert(uri.clone(), identity.to_owned()),
                None => self.identities.remove(&uri),
            };
            match codes.is_empty() {
                true => self.codes.remove(&uri),
                false => self.codes.insert(uri, codes),
            };
        }
        items.iter().filter(|item| item["kind"] == "full").count()
    }

    /// Asks once and takes the answer in.
    pub(crate) fn pull(&mut self, client: &mut Client) -> usize {
        let id = self.ask(client);
        let report = client.answer(id).expect("a report");
        self.take(&report)
    }

    /// Tells whether a file was reported.
    pub(crate) fn knows(&self, uri: &str) -> bool {
        self.identities.contains_key(uri)
    }

    fn has(&self, uri: &str) -> Vec<&str> {
        self.codes.get(uri).into_iter().flatten().map(String::as_str).collect()
    }
}

fn changed(client: &mut Client, uri: &str, kind: u32) {
    let changes = json!({"changes": [{"uri": uri, "type": kind}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
}

#[test]
fn files_that_nobody_has_opened_are_reported_and_follow_the_disk() {
    let folder = Folder::new("workspace");
    folder.write("a.tgsi", UNUSED);
    folder.write("good.tgsi", GOOD);
    folder.write("inner/tungsten.toml", "allow = ['unused-declaration']\n");
    folder.write("inner/b.tgsi", UNUSED);
    folder.write("target/made.tgsi", UNUSED);
    folder.write("c.s", ".include \"c.inc\"\nwrong v0\n");
    folder.write("c.inc", ".macro wrong x\n  v_mov_b32 \\x, 0\n.endm\n");
    folder.write("other.s", "\tpushq %rbp\n\tret\n");
    let mut client = start(&[&folder], pulls());
    assert_eq!(
        client.initialized["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"],
        true
    );
    let mut known = Known::default();
    assert_eq!(known.pull(&mut client), 4, "{:?}", known.codes);
    let all: Vec<&str> = known.identities.keys().map(String::as_str).collect();
    let expected = ["a.tgsi", "c.s", "good.tgsi", "inner/b.tgsi"].map(|it| folder.uri(it));
    assert_eq!(all, expected);
    assert_eq!(known.has(&folder.uri("a.tgsi")), ["tgsi::unused-declaration"]);
    assert_eq!(known.codes.len(), 1, "{:?}", known.codes);
    assert!(known.versions.is_empty(), "nothing is open");

    // Nothing has changed: there is no answer until something has.
    let id = known.ask(&mut client);
    client.call("tungsten/status", Value::Null).expect("a status");
    assert!(client.is_open(id));
    folder.write("a.tgsi", GOOD);
    changed(&mut client, &folder.uri("a.tgsi"), 2);
    let report = client.answer(id).expect("a report");
    assert_eq!(known.take(&report), 1);
    assert_eq!(known.has(&folder.uri("a.tgsi")), [""; 0]);

    // What is included changes, and what judges.
    let id = known.ask(&mut client);
    folder.write("c.inc", "\n");
    changed(&mut client, &folder.uri("c.inc"), 2);
    known.take(&client.answer(id).expect("a report"));
    assert_eq!(known.has(&folder.uri("c.s")).len(), 1, "{:?}", known.codes);
    let id = known.ask(&mut client);
    folder.remove("inner/tungsten.toml");
    changed(&mut client, &folder.uri("inner/tungsten.toml"), 3);
    known.take(&client.answer(id).expect("a report"));
    assert_eq!(known.has(&folder.uri("inner/b.tgsi")), ["tgsi::unused-declaration"]);

    // A file is gone, with a folder that no message named; another is new.
    let id = known.ask(&mut client);
    folder.remove("inner");
    folder.write("new.tgsi", UNUSED);
    changed(&mut client, &folder.uri("new.tgsi"), 1);
    known.take(&client.answer(id).expect("a report"));
    if known.identities.contains_key(&folder.uri("inner/b.tgsi"))
        || !known.identities.contains_key(&folder.uri("new.tgsi"))
    {
        known.pull(&mut client); // The news came in two parts.
    }
    assert_eq!(known.has(&folder.uri("inner/b.tgsi")), [""; 0]);
    assert_eq!(known.has(&folder.uri("new.tgsi")), ["tgsi::unused-declaration"]);
    client.finish();
}

#[test]
fn an_open_document_is_reported_as_it_is_typed_and_as_it_is_saved_once_closed() {
    let folder = Folder::new("workspace-open");
    folder.write("a.tgsi", UNUSED);
    let a = folder.uri("a.tgsi");
    let mut client = start(&[&folder], pulls());
    let mut known = Known::default();
    known.pull(&mut client);
    client.open(&a, GOOD);
    let id = known.ask(&mut client);
    known.take(&client.answer(id).expect("a report"));
    assert_eq!((known.has(&a).len(), known.versions.get(&a)), (0, Some(&0)));
    let id = known.ask(&mut client);
    let range = json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}});
    client.edit(&a, 1, range, "\nDCL TEMP[3]\n");
    known.take(&client.answer(id).expect("a report"));
    assert_eq!((known.has(&a).len(), known.versions.get(&a)), (1, Some(&1)));
    let typed = known.identities[&a].clone();
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": a}}));
    // Clients ask for it once more, and have what the disk has from then on.
    let last = client.call("textDocument/diagnostic", json!({"textDocument": {"uri": a}}));
    let last = last.expect("a report");
    assert_eq!(last["items"].as_array().map(Vec::len), Some(1));
    assert_ne!(last["resultId"], json!(typed), "another line");
    known.pull(&mut client);
    assert_eq!(
        (json!(known.identities[&a]), known.versions.get(&a)),
        (last["resultId"].clone(), None)
    );
    client.finish();
}

#[test]
fn a_file_that_is_opened_under_another_spelling_is_reported_once() {
    let folder = Folder::new("workspace-spelling");
    folder.write("a.tgsi", UNUSED);
    let (own, other) = (folder.uri("a.tgsi"), folder.uri("%61.tgsi"));
    let mut client = start(&[&folder], pulls());
    let mut known = Known::default();
    known.pull(&mut client);
    assert_eq!((known.has(&own).len(), known.has(&other).len()), (1, 0));
    let id = known.ask(&mut client);
    client.open(&other, UNUSED);
    known.take(&client.answer(id).expect("a report"));
    if known.has(&own).len() + known.has(&other).len() != 1 {
        known.pull(&mut client); // The news came in two parts.
    }
    assert_eq!((known.has(&own).len(), known.has(&other).len()), (0, 1));
    client.finish();
}

#[test]
fn parts_of_the_answer_come_before_the_rest_and_nobody_waits_behind_it() {
    let folder = Folder::new("workspace-parts");
    let count = 200;
    for number in 0..count {
        folder.write(&format!("{number}.tgsi"), UNUSED);
    }
    let mut client = start(&[&folder], pulls());
    client.open("file:///open.tgsi", GOOD);
    let mut params = Known::default().params();
    params["partialResultToken"] = json!("parts");
    let id = client.send("workspace/diagnostic", params);
    let hover = json!({
        "textDocument": {"uri": "file:///open.tgsi"}, "position": {"line": 0, "character": 1},
    });
    client.call("textDocument/hover", hover).expect("a hover");
    assert!(client.is_open(id), "the hover came first");
    let report = client.answer(id).expect("a report");
    assert_eq!(report, json!({"items": []}), "all was told in parts");
    let mut known = Known::default();
    let mut parts = 0;
    while let Some(part) = client.received("$/progress") {
        assert_eq!(part["token"], "parts");
        parts += usize::from(known.take(&part["value"]) > 0);
    }
    assert!(parts > 1);
    assert_eq!(known.codes.len(), count);
    assert_eq!(known.identities.len(), count + 1);
    client.finish();
}

#[test]
fn folders_come_and_go_each_with_its_project_and_settings() {
    let (one, two) = (Folder::new("workspace-one"), Folder::new("workspace-two"));
    one.write("a.tgsi", UNUSED);
    one.write("tungsten.toml", "severity.unused-declaration = 'error'\ntargts = 1\n");
    two.write("b.tgsi", UNUSED);
    let mut capabilities = pulls();
    capabilities["workspace"]["configuration"] = json!(true);
    let mut client = start(&[&two], capabilities);
    let announced = &client.initialized["capabilities"]["workspace"]["workspaceFolders"];
    assert_eq!(announced, &json!({"supported": true, "changeNotifications": true}));
    client.settings = json!({"compile": false});
    client
        .scoped_settings
        .insert(two.own_uri(), json!({"compile": false, "allow": ["unused-declaration"]}));
    client.message("workspace/configuration");
    let mut known = Known::default();
    while !known.identities.contains_key(&two.uri("b.tgsi")) || !known.codes.is_empty() {
        known.pull(&mut client); // Perhaps before the settings were there.
    }

    let id = known.ask(&mut client);
    let folder = |folder: &Folder| json!([{"uri": folder.own_uri(), "name": "x"}]);
    let event = json!({"event": {"added": folder(&one), "removed": []}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    known.take(&client.answer(id).expect("a report"));
    assert_eq!(known.has(&one.uri("a.tgsi")), ["tgsi::unused-declaration"]);
    assert_eq!(known.codes.len(), 1, "{:?}", known.codes);
    let wrong = client.message("textDocument/publishDiagnostics");
    assert_eq!(wrong["uri"], one.uri("tungsten.toml"));
    assert_eq!(wrong["diagnostics"].as_array().map(Vec::len), Some(1));

    let id = known.ask(&mut client);
    let event = json!({"event": {"added": [], "removed": folder(&one)}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    known.take(&client.answer(id).expect("a report"));
    assert!(known.codes.is_empty() && known.identities.len() == 1, "{:?}", known.identities);
    let fixed = client.message("textDocument/publishDiagnostics");
    assert_eq!(
        (fixed["uri"].as_str(), &fixed["diagnostics"]),
        (Some(&*one.uri("tungsten.toml")), &json!([]))
    );
    // A look through the folders that was under way may tell of the file again, and takes
    // that back.
    client.finish_but(&["textDocument/publishDiagnostics"]);
}

#[test]
fn a_cancelled_question_ends_and_is_not_offered_to_who_is_pushed_to() {
    let folder = Folder::new("workspace-cancelled");
    folder.write("a.tgsi", UNUSED);
    let mut client = start(&[&folder], pulls());
    let mut known = Known::default();
    known.pull(&mut client);
    let id = known.ask(&mut client);
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id).expect_err("cancelled")["code"], -32800);
    // The client's end answers what is kept back.
    let id = known.ask(&mut client);
    let goodbye = client.send("shutdown", Value::Null);
    assert_eq!(known.take(&client.answer(id).expect("a report")), 0);
    client.answer(goodbye).expect("goodbye");
    client.leave();

    let client = plain();
    assert!(client.initialized["capabilities"]["diagnosticProvider"].is_null());
    client.finish();
}

const SHARED: &str = ".macro twice\n  s_nop 0\n.endm\n";

#[test]
fn names_are_found_and_renamed_in_files_that_nobody_has_opened() {
    let (one, two) = (Folder::new("workspace-names"), Folder::new("workspace-names-too"));
    one.write("inc/shared.inc", SHARED);
    one.write("a.s", ".include \"inc/shared.inc\"\nfirst:\ntwice\ns_endpgm\n");
    one.write(
        "tungsten.toml",
        &format!("assembly.includeFolders = ['{}']\n", one.path().display()),
    );
    two.write(
        "tungsten.toml",
        &format!("assembly.includeFolders = ['{}']\n", one.path().display()),
    );
    two.write("b.s", ".include \"inc/shared.inc\"\nsecond:\n  s_nop 1\ntwice\ntwice\ns_endpgm\n");
    two.write("c.tgsi", "FRAG\nDCL TEMP[0]\nEND\n");
    let mut client = start(&[&one, &two], json!({}));
    let (a, b, inner) = (one.uri("a.s"), two.uri("b.s"), one.uri("inc/shared.inc"));
    client.open_as("gcn", &a, ".include \"inc/shared.inc\"\nfirst:\ntwice\ns_endpgm\n");
    let at_call = json!({"textDocument": {"uri": a}, "position": {"line": 2, "character": 1}});

    let mut params = at_call.clone();
    params["context"] = json!({"includeDeclaration": true});
    let found = client.call("textDocument/references", params).expect("places");
    let places: Vec<(&str, u64)> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            (
                it["uri"].as_str().expect("a file"),
                it["range"]["start"]["line"].as_u64().expect("a line"),
            )
        })
        .collect();
    let count = |uri: &str| places.iter().filter(|it| it.0 == uri).count();
    assert_eq!((count(&a), count(&inner), count(&b)), (1, 1, 2), "{places:?}");

    let mut params = at_call.clone();
    params["newName"] = json!("again");
    let edit = client.call("textDocument/rename", params).expect("an edit");
    let edits = |uri: &str| edit["changes"][uri].as_array().map_or(0, Vec::len);
    assert_eq!((edits(&a), edits(&inner), edits(&b)), (1, 1, 2), "{edit}");

    let items = client.call("textDocument/prepareCallHierarchy", at_call).expect("items");
    let calls = client.call("callHierarchy/incomingCalls", json!({"item": items[0]}));
    let calls = calls.expect("calls");
    let names: Vec<&str> = calls
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["from"]["name"].as_str())
        .collect();
    assert_eq!(names, ["first", "second"], "{calls}");
    // Who calls from a file that is not open is asked for its calls in turn.
    let outgoing = client.call("callHierarchy/outgoingCalls", json!({"item": calls[1]["from"]}));
    assert_eq!(outgoing.expect("calls")[0]["to"]["name"], "twice");

    let symbols = client.call("workspace/symbol", json!({"query": ""})).expect("symbols");
    let mut files: Vec<&str> = symbols
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["location"]["uri"].as_str())
        .collect();
    files.dedup();
    assert_eq!(files, [a.as_str(), &inner, &b, &two.uri("c.tgsi")]);
    client.diagnostics(&a, 0);
    client.finish();
}

#[test]
fn includes_and_pipelines_follow_files_that_are_renamed_whoever_has_them_open() {
    let folder = Folder::new("workspace-renaming");
    folder.write("parts/shared.inc", ".include \"parts/inner.inc\"\n");
    folder.write("parts/inner.inc", SHARED);
    folder.write("a.s", ".include \"parts/shared.inc\"\ntwice\ns_endpgm\n");
    folder.write("tungsten.toml", "[[pipeline]]\nfiles = ['parts/v.tgsi', \"f.tgsi\"]\n");
    folder.write("parts/v.tgsi", "VERT\nEND\n");
    folder.write("f.tgsi", "FRAG\nEND\n");
    let mut client = start(&[&folder], pulls());
    let renamed = |old: &str, new: &str| json!({"files": [{"oldUri": folder.uri(old), "newUri": folder.uri(new)}]});
    let edit = client.call("workspace/willRenameFiles", renamed("parts/inner.inc", "parts/x.inc"));
    let edit = edit.expect("an edit");
    let new = |edit: &Value, file: &str| -> Vec<String> {
        let edits = edit["changes"][folder.uri(file)].as_array().cloned().unwrap_or_default();
        edits.iter().filter_map(|it| it["newText"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(new(&edit, "parts/shared.inc"), ["parts/x.inc"], "{edit}");
    assert_eq!(edit["changes"].as_object().expect("files").len(), 1, "{edit}");
    let edit = client.call("workspace/willRenameFiles", renamed("parts", "other"));
    let edit = edit.expect("an edit");
    assert_eq!(new(&edit, "a.s"), ["other/shared.inc"], "{edit}");
    assert_eq!(new(&edit, "parts/shared.inc"), ["other/inner.inc"], "{edit}");
    assert_eq!(new(&edit, "tungsten.toml"), ["'other/v.tgsi'"], "{edit}");
    let edit = client.call("workspace/willRenameFiles", renamed("f.tgsi", "it's.tgsi"));
    let edit = edit.expect("an edit");
    assert_eq!(new(&edit, "tungsten.toml"), ["\"it's.tgsi\""], "{edit}");
    let range = json!({"start": {"line": 1, "character": 25}, "end": {"line": 1, "character": 33}});
    assert_eq!(edit["changes"][folder.uri("tungsten.toml")][0]["range"], range);
    client.finish();
}
