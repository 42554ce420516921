//! Workspaces of strangers: what they name outside of themselves is neither loaded nor read,
//! and an editor's settings, which may be theirs, prove nothing.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use server::Trust;
use server::lsp::ServerEnv;

use crate::server::folder::Folder;
use tests::client::Client;

const SECRET: &str = "hunter2";

/// A folder with a secret, and a workspace of a stranger within it.
struct Place(Folder);

impl Place {
    fn new(name: &str) -> Place {
        let root = Folder::with(name, &[("secret", &format!("{SECRET} v0\n"))]);
        std::fs::create_dir_all(root.path().join("work/.git")).expect("made");
        Place(root)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("work").join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).expect("written");
        uri(&self.path(name))
    }

    fn client(&self, options: Value, user: Trust) -> Client {
        let worker = PathBuf::from(crate::TUNGSTEN);
        let env = ServerEnv { worker, user, ..ServerEnv::default() };
        Client::in_env(&[uri(&self.0.path().join("work"))], json!({}), options, env)
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn without_compiler() -> Value {
    json!({"compile": false})
}

/// Opens assembly and waits for its diagnostics, which are not those of a text alone.
fn diagnostics(client: &mut Client, uri: &str, text: &str) -> String {
    client.open_as("gcn", uri, text);
    let params = json!({"textDocument": {"uri": uri}});
    let report = client.call("textDocument/diagnostic", params).expect("an answer");
    report.to_string()
}

#[test]
fn includes_stay_within_the_workspace() {
    let place = Place::new("includes");
    let text = ".include \"../secret\"\n s_endpgm\n";
    let file = place.write("a.gcn", text);
    let mut client = place.client(without_compiler(), Trust::default());
    let found = diagnostics(&mut client, &file, text);
    assert!(found.contains("outside of the folders that may be read"), "{found}");
    assert!(!found.contains(SECRET), "{found}");
    let at = json!({"textDocument": {"uri": file}, "position": {"line": 0, "character": 3}});
    let expanded = client.call("tungsten/expandMacro", at);
    assert!(!format!("{expanded:?}").contains(SECRET), "{expanded:?}");
    client.finish_but(&["textDocument/publishDiagnostics"]);

    // The user trusts the folder.
    let user = Trust { folders: vec![place.0.path().to_owned()], ..Trust::default() };
    let mut client = place.client(without_compiler(), user);
    let found = diagnostics(&mut client, &file, text);
    assert!(!found.contains("outside of the folders"), "{found}");
    client.finish_but(&["textDocument/publishDiagnostics"]);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else() {
    let place = Place::new("links");
    std::os::unix::fs::symlink(place.0.path().join("secret"), place.path("linked.inc"))
        .expect("linked");
    std::os::unix::fs::symlink(place.0.path().join("secret"), place.path("tungsten.toml"))
        .expect("linked");
    let text = ".include \"linked.inc\"\n s_endpgm\n";
    let file = place.write("a.gcn", text);
    let mut client = place.client(without_compiler(), Trust::default());
    let found = diagnostics(&mut client, &file, text);
    assert!(found.contains("outside of the folders") && !found.contains(SECRET), "{found}");
    let told = client.taken("textDocument/publishDiagnostics");
    let of_project = told.iter().find(|it| it["uri"] == uri(&place.path("tungsten.toml")));
    let message = of_project.expect("told")["diagnostics"][0]["message"].to_string();
    assert!(message.contains("cannot be read") && !message.contains(SECRET), "{message}");
    client.finish();
}

#[test]
fn a_workspace_names_no_native_code() {
    let place = Place::new("native");
    place.write("libLLVM-19.so", "no library");
    place.write("tungsten.toml", "llvm = 'libLLVM-19.so'\n");
    let shader = "FRAG\nEND\n";
    let file = place.write("a.tgsi", shader);
    let library = place.path("libLLVM-19.so").display().to_string();
    let options = json!({"compile": false, "llvm": library, "cache": "/", "trustedFolders": ["/"]});
    let mut client = place.client(options.clone(), Trust::default());
    let message = client.message("window/showMessage");
    let text = message["message"].as_str().expect("text");
    for word in ["`llvm`", "`cache`", "`trustedFolders`", "--llvm PATH", "TUNGSTEN_CACHE"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    client.open(&file, shader);
    let told = client.message("textDocument/publishDiagnostics");
    assert!(told["uri"].as_str().expect("a name").ends_with("/tungsten.toml"), "{told}");
    assert_eq!(told["diagnostics"][0]["severity"], 2, "{told}");
    assert_eq!(told["diagnostics"][0]["range"]["start"]["line"], 0, "{told}");
    // The same settings again are not news.
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"tungsten": options}}));
    let status = client.call("tungsten/status", Value::Null).expect("a status");
    assert_eq!(status["ignored"].as_array().map(Vec::len), Some(3), "{status}");
    assert!(client.taken("window/showMessage").is_empty());
    client.finish_but(&["textDocument/publishDiagnostics"]);
}

#[test]
fn what_the_user_said_too_is_not_told() {
    let place = Place::new("said");
    let user = Trust { llvm: Some(place.path("libLLVM.so")), ..Trust::default() };
    let options = json!({"compile": false, "llvm": place.path("libLLVM.so"), "cache": false});
    let mut client = place.client(options, user);
    let status = client.call("tungsten/status", Value::Null).expect("a status");
    assert_eq!(status["ignored"], json!([]));
    client.finish();
}

#[test]
fn settings_of_an_editor_read_nothing_outside() {
    let place = Place::new("profile");
    let options = json!({"compile": false, "profile": place.0.path().join("secret")});
    let mut client = place.client(options, Trust::default());
    let message = client.message("window/showMessage")["message"].to_string();
    assert!(message.contains("cannot be read") && !message.contains(SECRET), "{message}");
    client.finish();
}

#[test]
fn virtual_documents_show_files_of_the_workspace() {
    let place = Place::new("virtual");
    std::fs::write(place.0.path().join("a.o"), "no object").expect("written");
    place.write("b.o", "no object");
    let mut client = place.client(without_compiler(), Trust::default());
    let mut ask = |path: PathBuf| {
        let query = uri(&path).replace(':', "%3A").replace('/', "%2F");
        let params = json!({"uri": format!("tungsten-decoded:/a.o.gcn?{query}")});
        client.call("workspace/textDocumentContent", params).expect_err("no object").to_string()
    };
    assert!(ask(place.0.path().join("a.o")).contains("outside of the folders"));
    assert!(ask(place.path("b.o")).contains("not an ELF file"));
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo").arg(place.path("pipe.o")).status();
        assert!(made.expect("mkfifo starts").success());
        assert!(ask(place.path("pipe.o")).contains("not a plain file"));
    }
    client.finish();
}

#[test]
fn what_a_file_says_reaches_no_message_raw() {
    let place = Place::new("messages");
    let text = "FRAG\nDCL IN[0], \u{1b}]0;pwned\u{7}BOGUS\u{202e}\nEND\n";
    let file = place.write("a.tgsi", text);
    let mut client = place.client(without_compiler(), Trust::default());
    client.open(&file, text);
    let found = client.diagnostics(&file, 0);
    assert!(!found.is_empty());
    for diagnostic in &found {
        let message = diagnostic["message"].as_str().expect("text");
        assert!(!message.contains(|it| source::is_hidden(it) && it != '\n'), "{message:?}");
    }
    client.finish();
}

#[test]
fn what_a_file_says_is_no_markdown() {
    let place = Place::new("markdown");
    let text = " .macro evil a=\"`](command:x)<img src=x>\"\n .endm\n evil\n \
                s_endpgm // ![x](http://a/b) [go](command:x) ```\n";
    let file = place.write("a.gcn", text);
    let capabilities = json!({"textDocument": {"hover": {"contentFormat": ["markdown"]}}});
    let env = ServerEnv::default();
    let folder = uri(&place.0.path().join("work"));
    let mut client = Client::in_env(&[folder], capabilities, without_compiler(), env);
    client.open_as("gcn", &file, text);
    for (line, character) in [(0, 9), (2, 2), (3, 3)] {
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": file}, "position": position});
        let hover = client.call("textDocument/hover", params).expect("an answer");
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        let mut is_code = false;
        for line in shown.lines() {
            is_code ^= line.starts_with("```");
            let spans: String = line.split('`').step_by(2).collect();
            let raw = !is_code
                && (spans.contains("](command:") || spans.contains("<img") || spans.contains("!["));
            assert!(!raw, "{shown}");
        }
    }
    client.finish_but(&["textDocument/publishDiagnostics"]);
}

#[test]
fn who_names_the_language_knows_it() {
    let place = Place::new("language");
    let text = "\tpushq %rbp\n\tret\n";
    let file = place.write("a.s", text);
    let mut client = place.client(without_compiler(), Trust::default());
    client.open_as("gcn", &file, text);
    assert!(!client.diagnostics(&file, 0).is_empty());
    client.finish();
}
