//! Random sessions over the folders of a workspace: files are written, renamed and deleted,
//! documents opened, typed in and closed, folders added and removed, and diagnostics of the
//! workspace asked for all the while. In the end the client knows what a fresh server says
//! of the disk and of the documents as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::random::{Random, play};
use super::workspace::{Known, pulls, start};
use crate::server::folder::Folder;
use tests::client::Client;

/// Sessions at most.
const SESSIONS: u64 = 25;
/// Steps of a session.
const STEPS: usize = 50;
/// The time after which a client that gets changes has all of them.
const PATIENCE: Duration = Duration::from_secs(60);

const SHADERS: [&str; 5] = [
    "FRAG\nDCL TEMP[0]\nEND\n",
    "FRAG\nEND\n",
    "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[1]\nMOV OUT[0], IN[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[2], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n",
    "FRAG\nMOVV OUT[0], TEMP[1]\n",
];
const ASSEMBLY: [&str; 4] = [
    ".include \"common.inc\"\nmain:\n  twice\n  s_branch out\nout:\n  s_endpgm\n",
    ".include \"deep/far.inc\"\n  thrice\n  s_endpgm\n",
    "main:\n  v_nonsense v0\n  s_endpgm\n",
    FOREIGN,
];
const FOREIGN: &str = "\tpushq %rbp\n\tret\n";
const INCLUDED: [&str; 4] = [
    ".macro twice\n  s_nop 0\n.endm\n.macro thrice\n  s_nop 1\n.endm\n",
    ".macro twice\n  s_nonsense\n.endm\n",
    ".include \"deep/far.inc\"\n",
    "\n",
];
const PROJECTS: [&str; 4] = [
    "allow = ['unused-declaration']\n",
    "severity.unused-declaration = 'error'\n",
    "[[pipeline]]\nfiles = ['a.tgsi', 'deep/b.tgsi']\n",
    "targts = 1\n[[pipeline]]\nfiles = ['deep/b.tgsi', 'a.tgsi']\n",
];

/// Files that sessions write, and what they may hold.
const FILES: [(&str, &[&str]); 10] = [
    ("a.tgsi", &SHADERS),
    ("deep/b.tgsi", &SHADERS),
    ("deep/er/c.tgsi", &SHADERS),
    ("d e.tgsi", &SHADERS),
    ("a.s", &ASSEMBLY),
    ("deep/b.s", &ASSEMBLY),
    ("common.inc", &INCLUDED),
    ("deep/far.inc", &INCLUDED),
    ("tungsten.toml", &PROJECTS),
    ("deep/tungsten.toml", &PROJECTS),
];

/// The state of a session so far.
struct World {
    folders: [Folder; 2],
    /// True for each that is a folder of the workspace.
    named: [bool; 2],
    /// The open documents, with their texts and versions.
    open: BTreeMap<String, (&'static str, i32)>,
    known: Known,
    /// A question that was not answered yet, and under which name its parts come.
    asked: Option<(i64, String)>,
    questions: usize,
}

impl World {
    /// Takes what has come in answer to a question.
    fn take(&mut self, client: &mut Client, name: &str, report: &Value) {
        self.take_parts(client, name);
        self.known.take(report);
    }

    /// Takes the parts of an answer. Those of one that was given up may come late, and
    /// count no more.
    fn take_parts(&mut self, client: &mut Client, name: &str) {
        while let Some(part) = client.received("$/progress") {
            if part["token"] == name {
                self.known.take(&part["value"]);
            }
        }
    }

    fn ask(&mut self, client: &mut Client, in_parts: bool) {
        self.questions += 1;
        let name = format!("parts {}", self.questions);
        let mut params = self.known.params();
        if in_parts {
            params["partialResultToken"] = json!(name);
        }
        let id = client.send("workspace/diagnostic", params);
        self.asked = Some((id, name));
    }

    fn answered(&mut self, client: &mut Client) {
        let (id, name) = self.asked.take().expect("a question");
        let report = client.answer(id).expect("a report");
        self.take(client, &name, &report);
    }

    /// Gives a question up. What came of it counts.
    fn give_up(&mut self, client: &mut Client) {
        let Some((id, name)) = self.asked.take() else { return };
        client.notify("$/cancelRequest", json!({"id": id}));
        match client.answer(id) {
            Ok(report) => self.take(client, &name, &report),
            Err(error) => {
                assert_eq!(error["code"], -32800, "{error}");
                self.take_parts(client, &name);
            }
        }
    }

    fn name_folder(&mut self, client: &mut Client, number: usize) {
        let folder = json!([{"uri": self.folders[number].own_uri(), "name": "x"}]);
        let (added, removed) = match self.named[number] {
            false => (folder, json!([])),
            true => (json!([]), folder),
        };
        self.named[number] = !self.named[number];
        let event = json!({"event": {"added": added, "removed": removed}});
        client.notify("workspace/didChangeWorkspaceFolders", event);
    }
}

fn changed(client: &mut Client, uri: &str, kind: u32) {
    let changes = json!({"changes": [{"uri": uri, "type": kind}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
}

/// One step on a random file of a random folder.
fn step(random: &mut Random, world: &mut World, client: &mut Client) {
    let number = random.below(2);
    let (name, texts) = *random.of(&FILES);
    let text = *random.of(texts);
    let uri = world.folders[number].uri(name).replace(' ', "%20");
    let path = world.folders[number].path().join(name);
    match random.below(20) {
        0..=6 => {
            let kind = if path.exists() { 2 } else { 1 };
            world.folders[number].write(name, text);
            changed(client, &uri, kind);
        }
        7 if path.exists() => {
            world.folders[number].remove(name);
            changed(client, &uri, 3);
        }
        8 => {
            // A folder with all in it, as the client says it when it does it by itself.
            if world.folders[number].path().join("deep").exists() {
                world.folders[number].remove("deep");
                let files = json!({"files": [{"uri": world.folders[number].uri("deep")}]});
                client.notify("workspace/didDeleteFiles", files);
            }
        }
        9 if path.exists() => {
            let other = FILES.iter().find(|it| it.1 == texts && it.0 != name).expect("another");
            let new = world.folders[number].uri(other.0).replace(' ', "%20");
            let files = json!({"files": [{"oldUri": uri, "newUri": new}]});
            let edit = client.call("workspace/willRenameFiles", files.clone());
            edit.expect("edits, or none");
            let to = world.folders[number].path().join(other.0);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            std::fs::rename(&path, to).expect("renamed");
            client.notify("workspace/didRenameFiles", files);
        }
        // Which machine's a document is, is seen when it is opened.
        10..=12 if !name.ends_with(".toml") && text != FOREIGN => match world.open.get_mut(&uri) {
            None => {
                let language = if name.ends_with(".tgsi") { "tgsi" } else { "gcn" };
                client.open_as(language, &uri, text);
                world.open.insert(uri, (text, 0));
            }
            Some(known) => {
                *known = (text, known.1 + 1);
                let params = json!({
                    "textDocument": {"uri": uri, "version": known.1},
                    "contentChanges": [{"text": text}],
                });
                client.notify("textDocument/didChange", params);
            }
        },
        13 => {
            if let Some(uri) = world.open.keys().next().cloned() {
                world.open.remove(&uri);
                let params = json!({"textDocument": {"uri": uri}});
                client.notify("textDocument/didClose", params);
            }
        }
        14 => world.name_folder(client, number),
        15 => {
            let found = client.call("workspace/symbol", json!({"query": "m"}));
            found.expect("symbols");
        }
        16 => {
            let params = json!({
                "textDocument": {"uri": uri},
                "position": {"line": 1, "character": 3},
                "context": {"includeDeclaration": true},
            });
            match client.call("textDocument/references", params) {
                Ok(_) => {}
                Err(error) => assert_eq!(error["code"], -32801, "{error}"),
            }
        }
        17 => world.give_up(client),
        _ => {
            world.give_up(client);
            let in_parts = random.below(2) == 0;
            world.ask(client, in_parts);
        }
    }
}

/// Returns a server's diagnostics of the whole workspace once it has seen the disk as it
/// is. A file that was not there before has it answer.
fn settled(world: &mut World, client: &mut Client, witness: &str) {
    world.give_up(client);
    world.folders[0].write(witness, SHADERS[1]);
    let uri = world.folders[0].uri(witness);
    changed(client, &uri, 1);
    while !world.known.knows(&uri) {
        world.ask(client, true);
        world.answered(client);
    }
}

fn fresh(world: &World) -> World {
    World {
        folders: world.folders.each_ref().map(Folder::clone),
        named: world.named,
        open: BTreeMap::new(),
        known: Known::default(),
        asked: None,
        questions: 0,
    }
}

fn session(seed: u64) {
    let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let folders = ["one", "two"].map(|it| Folder::new(&format!("random-{it}-{seed}")));
    for (name, texts) in FILES.iter().filter(|_| random.below(2) == 0).collect::<Vec<_>>() {
        folders[0].write(name, random.of::<&str>(texts));
    }
    let mut client = start(&[&folders[0]], pulls());
    let mut world = World {
        folders,
        named: [true, false],
        open: BTreeMap::new(),
        known: Known::default(),
        asked: None,
        questions: 0,
    };
    for _ in 0..STEPS {
        step(random, &mut world, &mut client);
    }
    if !world.named[0] {
        world.name_folder(&mut client, 0);
    }

    // Files beside a document are read by the way, so both may need more than one look.
    let begin = Instant::now();
    let mut looks = 0;
    loop {
        looks += 1;
        settled(&mut world, &mut client, &format!("witness-{looks}.tgsi"));
        let named: Vec<&Folder> =
            world.folders.iter().zip(world.named).filter(|it| it.1).map(|it| it.0).collect();
        let mut other = start(&named, pulls());
        for (uri, (text, _)) in &world.open {
            let language = if uri.ends_with(".tgsi") { "tgsi" } else { "gcn" };
            other.open_as(language, uri, text);
        }
        let mut theirs = fresh(&world);
        settled(&mut theirs, &mut other, &format!("witness-{looks}-too.tgsi"));
        other.notify("shutdown", Value::Null);
        drop(other);
        settled(&mut world, &mut client, &format!("witness-{looks}-last.tgsi"));
        if world.known.codes == theirs.known.codes {
            break;
        }
        let (ours, theirs) = (&world.known.codes, &theirs.known.codes);
        let files: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
        let other = files.into_iter().find(|it| ours.get(*it) != theirs.get(*it));
        let other = other.expect("a file that they differ in");
        let disk = std::fs::read_to_string(other.trim_start_matches("file://"));
        assert!(
            begin.elapsed() < PATIENCE,
            "seed {seed}, {other}: {:?}, but a fresh server says {:?}; on the disk: {disk:?}; \
             open: {:?}",
            ours.get(other),
            theirs.get(other),
            world.open.get(other),
        );
    }
    while client.received("textDocument/publishDiagnostics").is_some() {}
    while client.received("$/progress").is_some() {}
    client.finish();
}

#[test]
fn random_workspaces_end_as_fresh_ones() {
    play(SESSIONS, session);
}
