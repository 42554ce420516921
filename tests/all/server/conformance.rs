//! Trials that a language server must stand: hostile frames, floods, killed and stopped
//! workers, damaged caches, a parent that is gone. Every request is answered and memory is
//! bounded.
//!
//! The server is a program that is given by its path, so that any can be measured:
//! `CONFORMANCE_SERVER=/usr/bin/other CONFORMANCE_ARGUMENTS=--stdio cargo test -p tests
//! conformance`. The other cases are of Tungsten's own processes.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::folder::Folder;

/// A server that says nothing for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most memory that a server may ever have had, in KiB.
const MOST_MEMORY: u64 = 700 << 10;

const SHADER: &str = "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n  \
                      0: MOV OUT[0], IN[0]\n  1: END\n";
const URI: &str = "file:///conformance.tgsi";

/// A server, and all its messages.
pub(super) struct Peer {
    pub(super) child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: i64,
    /// Answers by their id, each with how often it came.
    pub(super) answers: HashMap<i64, (Value, u32)>,
    /// Errors without an id.
    pub(super) nameless: Vec<Value>,
    /// Notifications.
    pub(super) said: Vec<Value>,
}

impl Peer {
    /// Starts a server with a folder for its cache, and introduces the client.
    fn start(cache: Option<&Path>, process: Option<u32>) -> Peer {
        Peer::start_in(None, cache, process)
    }

    /// Starts a server for a client that asks for diagnostics, and with these options.
    pub(super) fn start_pulling(options: Value) -> Peer {
        Peer::start_as(
            json!({
                "processId": null,
                "rootUri": null,
                "capabilities": {"textDocument": {"diagnostic": {}}},
                "initializationOptions": options,
            }),
            None,
        )
    }

    /// The same in a folder of the workspace.
    fn start_in(folder: Option<&Path>, cache: Option<&Path>, process: Option<u32>) -> Peer {
        let root = folder.map(|folder| format!("file://{}", folder.display()));
        let params = json!({"processId": process, "rootUri": root, "capabilities": {}});
        let mut peer = Peer::start_as(params, cache);
        peer.open_shader();
        peer
    }

    fn open_shader(&mut self) {
        let item = json!({"uri": URI, "languageId": "tgsi", "version": 1, "text": SHADER});
        self.tell("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Starts a server on a disk that becomes full: each file takes so many blocks of 512 bytes,
    /// or of 1024, and no byte more.
    fn start_on_a_full_disk(cache: &Path, blocks: u32) -> Peer {
        let mut command = Command::new("sh");
        // Without the signal the write fails, as it does on such a disk.
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" lsp");
        command.args(["-c", &limited, crate::TUNGSTEN]);
        let params = json!({"processId": null, "rootUri": null, "capabilities": {}});
        let mut peer = Peer::start_by(command, params, Some(cache));
        peer.open_shader();
        peer
    }

    /// Starts a server on a real disk of so many bytes, which it alone sees: full from the
    /// beginning but for some bytes.
    fn start_on_a_small_disk(cache: &Path, bytes: usize, free: usize) -> Peer {
        let mut command = Command::new("unshare");
        let small = format!(
            "mount -t tmpfs -o size={bytes} none \"$1\" || exit 1; \
             head -c {} /dev/zero >\"$1/filler\"; exec \"$0\" lsp",
            bytes - free
        );
        command.args(["--mount", "sh", "-c", &small, crate::TUNGSTEN]).arg(cache);
        let params = json!({"processId": null, "rootUri": null, "capabilities": {}});
        let mut peer = Peer::start_by(command, params, Some(cache));
        peer.open_shader();
        peer
    }

    /// Starts a server with the parameters of `initialize`.
    fn start_as(params: Value, cache: Option<&Path>) -> Peer {
        let program =
            std::env::var("CONFORMANCE_SERVER").unwrap_or_else(|_| crate::TUNGSTEN.to_owned());
        let arguments = std::env::var("CONFORMANCE_ARGUMENTS").unwrap_or_else(|_| "lsp".to_owned());
        let mut command = Command::new(program);
        command.args(arguments.split_whitespace());
        Peer::start_by(command, params, cache)
    }

    fn start_by(mut command: Command, params: Value, cache: Option<&Path>) -> Peer {
        let cache = cache.map_or_else(|| "off".into(), |path| path.as_os_str().to_owned());
        let mut child = command
            .env("TUNGSTEN_CACHE", cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("piped");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let (answers, nameless, said) = (HashMap::new(), Vec::new(), Vec::new());
        let mut peer = Peer { child, input, messages, next: 0, answers, nameless, said };
        let id = peer.ask("initialize", params);
        assert!(peer.answer(id)["result"]["capabilities"].is_object());
        peer.tell("initialized", json!({}));
        peer
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn send(&mut self, message: &Value) {
        self.raw(framed(&message.to_string()).as_bytes());
    }

    pub(super) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Takes one message; a server that has nothing to say for too long has failed.
    pub(super) fn take(&mut self) {
        let message = self.messages.recv_timeout(PATIENCE).expect("the server lives and speaks");
        self.sort(message);
    }

    /// Takes what has come, and waits for nothing.
    pub(super) fn take_all(&mut self) {
        while let Ok(message) = self.messages.try_recv() {
            self.sort(message);
        }
    }

    fn sort(&mut self, message: Value) {
        match (message.get("method").is_some(), message.get("id").cloned()) {
            // A question of the server's.
            (true, Some(id)) => self.send(&json!({"jsonrpc": "2.0", "id": id, "result": null})),
            (true, None) => self.said.push(message),
            (false, Some(Value::Number(id))) => {
                let id = id.as_i64().expect("an id of ours");
                self.answers.entry(id).or_insert((message, 0)).1 += 1;
            }
            (false, _) => self.nameless.push(message),
        }
    }

    pub(super) fn answer(&mut self, id: i64) -> Value {
        while !self.answers.contains_key(&id) {
            self.take();
        }
        self.answers[&id].0.clone()
    }

    /// Shows that the server serves: a document that was opened before is still known.
    fn assert_serves(&mut self, what: &str) {
        let id = self.ask("textDocument/hover", place());
        let answer = self.answer(id);
        assert!(answer["result"]["contents"].is_object(), "{what}: {answer}");
    }

    /// Returns a figure of the process's memory, in KiB: `VmRSS:` is the present one,
    /// `VmHWM:` the highest so far.
    pub(super) fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("Linux");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Says goodbye; the server ends well, and was never too large.
    pub(super) fn finish(mut self) {
        let peak = self.memory("VmHWM:");
        assert!(peak < MOST_MEMORY, "{peak} KiB");
        let id = self.ask("shutdown", Value::Null);
        assert!(self.answer(id).get("error").is_none());
        self.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
        assert!(self.child.wait().expect("it ends").success());
        assert!(self.answers.values().all(|(_, times)| *times == 1), "an answer came twice");
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn place() -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": 3, "character": 6}})
}

fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// Frames that are wrong, each with the code of its answer; none where it can be served.
pub(super) fn hostile_frames() -> Vec<(&'static str, Vec<u8>, Option<i64>)> {
    let deep = |count: usize| "[".repeat(count) + &"]".repeat(count);
    let note = r#"{"jsonrpc":"2.0","method":"$/none"}"#;
    let (parse, request) = (Some(-32700), Some(-32600));
    let text = |frame: &str| frame.as_bytes().to_vec();
    let body = |body: &str| framed(body).into_bytes();
    let large = [&b"Content-Length: 67108865\r\n\r\n"[..], &vec![b' '; (64 << 20) + 1]].concat();
    vec![
        ("bad JSON", body("{\"jsonrpc\":\"2.0\",,}"), parse),
        ("cut JSON", body("{\"jsonrpc\":\"2.0\""), parse),
        ("empty body", body(""), parse),
        ("blank body", body("   "), parse),
        ("words", body("hello"), parse),
        ("not UTF-8", b"Content-Length: 4\r\n\r\n\"\xff\xfe\"".to_vec(), parse),
        ("NUL", body("\0\0\0"), parse),
        ("batch", body(&format!("[{note}]")), request),
        ("empty batch", body("[]"), request),
        ("number", body("42"), request),
        ("null", body("null"), request),
        ("string", body("\"a\""), request),
        ("empty object", body("{}"), request),
        ("id 1.5", body(r#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#), request),
        ("id object", body(r#"{"jsonrpc":"2.0","id":{},"method":"a"}"#), request),
        ("no jsonrpc", body(r#"{"method":"a"}"#), request),
        ("jsonrpc 1.0", body(r#"{"jsonrpc":"1.0","method":"a"}"#), request),
        ("method 5", body(r#"{"jsonrpc":"2.0","method":5}"#), request),
        ("method twice", body(r#"{"jsonrpc":"2.0","method":"a","method":"b"}"#), request),
        ("number out of range", body(r#"{"jsonrpc":"2.0","method":"a","x":1e999}"#), parse),
        ("half a surrogate", body(r#"{"jsonrpc":"2.0","method":"\ud800"}"#), parse),
        ("nesting 100,000", body(&deep(100_000)), request),
        (
            "deep parameters",
            body(&note.replace('}', &format!(",\"params\":{}}}", deep(100_000)))),
            parse,
        ),
        ("no number", text("Content-Length: many\r\n\r\n"), parse),
        ("no length", text("Content-Type: text/plain\r\n\r\n"), parse),
        ("negative", text("Content-Length: -1\r\n\r\n"), parse),
        ("overflow", text("Content-Length: 99999999999999999999\r\n\r\n"), parse),
        ("no such length", text("Content-Length: 100000000000\r\n\r\n"), parse),
        ("no header", text(note), parse),
        ("web", text("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), parse),
        ("utf-16", text(&format!("Content-Type: x; charset=utf-16\r\n{}", framed(note))), request),
        ("body shorter", text(&format!("Content-Length: 99\r\n\r\n{note}")), parse),
        ("body longer", text(&format!("Content-Length: 9\r\n\r\n{note}")), parse),
        ("too large", large, request),
        ("LF alone", text(&format!("Content-Length: {}\n\n{note}", note.len())), None),
        ("other header", text(&format!("X-Other: a\r\n{}", framed(note))), None),
        ("lower case", text(&framed(note).replace("Content-Length", "content-length")), None),
    ]
}

#[test]
fn hostile_frames_are_answered_and_the_session_lives_on() {
    let mut peer = Peer::start(None, None);
    for (name, frame, code) in hostile_frames() {
        let before = peer.nameless.len();
        peer.raw(&frame);
        peer.assert_serves(name);
        let told: Vec<i64> = peer.nameless[before..]
            .iter()
            .filter_map(|answer| answer["error"]["code"].as_i64())
            .collect();
        assert_eq!(told.first().copied(), code, "{name}: {told:?}");
    }
    peer.finish();
}

#[test]
fn floods_of_requests_are_answered_one_by_one() {
    let mut peer = Peer::start(None, None);
    let mut asked = Vec::new();
    for number in 0..3000 {
        let method = ["textDocument/hover", "textDocument/completion", "none/such"][number % 3];
        let id = peer.ask(method, place());
        if number % 4 == 0 {
            peer.tell("$/cancelRequest", json!({"id": id}));
        }
        asked.push(id);
    }
    for id in asked {
        let answer = peer.answer(id);
        assert!(answer.get("result").is_some() || answer["error"]["code"].is_i64(), "{answer}");
    }
    peer.finish();
}

#[test]
fn floods_of_changed_files_and_of_edits_delay_nobody_for_long() {
    let mut peer = Peer::start(None, None);
    let change = |number: usize| json!({"uri": format!("file:///a/{number}.s"), "type": 2});
    let changes: Vec<Value> = (0..50_000).map(change).collect();
    peer.tell("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    for number in 0..2000 {
        let one = json!({"changes": [change(number)]});
        peer.tell("workspace/didChangeWatchedFiles", one);
    }
    for version in 2..2002 {
        let at = json!({"line": 4, "character": 0});
        let change = json!({"range": {"start": at, "end": at}, "text": " "});
        let item = json!({"uri": URI, "version": version});
        let params = json!({"textDocument": item, "contentChanges": [change]});
        peer.tell("textDocument/didChange", params);
    }
    peer.assert_serves("after the floods");
    peer.finish();
}

/// Files that are not there, and one that never says anything.
#[test]
fn six_hundred_requests_for_files_leave_room_for_others() {
    let folder = Folder::new("pipe");
    let made = Command::new("mkfifo").arg(folder.path().join("pipe.co")).status();
    assert!(made.expect("mkfifo starts").success());
    let mut peer = Peer::start_in(Some(folder.path()), None, None);
    let place = folder.path().display().to_string().replace('/', "%2F");
    let uri = |number: usize| {
        let name = if number.is_multiple_of(2) { "pipe".to_owned() } else { number.to_string() };
        format!("tungsten-decoded:/a.co.gcn?file%3A%2F%2F{place}%2F{name}.co")
    };
    let asked: Vec<i64> = (0..600)
        .map(|number| peer.ask("workspace/textDocumentContent", json!({"uri": uri(number)})))
        .collect();
    peer.assert_serves("meanwhile");
    for id in asked {
        assert!(peer.answer(id)["error"].is_object());
    }
    peer.finish();
}

#[test]
fn lists_of_what_is_left_out_may_be_pipes_and_devices() {
    let folder = Folder::new("lists");
    std::fs::create_dir_all(folder.path().join(".git/info")).expect("made");
    std::fs::write(folder.path().join("a.gcn"), "needle:\n s_endpgm\n").expect("written");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join(".gitignore")).expect("linked");
    for pipe in [".ignore", ".git/info/exclude"] {
        let made = Command::new("mkfifo").arg(folder.path().join(pipe)).status();
        assert!(made.expect("mkfifo starts").success());
    }
    let mut peer = Peer::start_in(Some(folder.path()), None, None);
    let id = peer.ask("workspace/symbol", json!({"query": "needle"}));
    let answer = peer.answer(id);
    assert_eq!(answer["result"].as_array().map(Vec::len), Some(1), "{answer}");
    peer.finish();
}

#[test]
fn a_text_that_asks_for_too_much_is_told_so_once() {
    let mut peer = Peer::start(None, None);
    for (number, text) in [
        ".rept 1000000000\n.foo v_c\n.endr\n",
        ".rept 15.set\n.v_fma_4x4_s8 v_c,v_a,v_b\n.endr\n",
        ".rept 3.5\nv_nop\n.endr\n",
    ]
    .into_iter()
    .enumerate()
    {
        let uri = format!("file:///{number}.gcn");
        let item = json!({"uri": uri, "languageId": "gcn", "version": 1, "text": text});
        peer.tell("textDocument/didOpen", json!({"textDocument": item}));
        let found = loop {
            let told = peer.said.iter().find(|it| {
                it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == *uri
            });
            match told {
                Some(told) => break told["params"]["diagnostics"].clone(),
                None => peer.take(),
            }
        };
        let told = found.as_array().expect("a list").len();
        assert!((1..=2).contains(&told), "{text}: {found}");
    }
    peer.assert_serves("after them");
    peer.finish();
}

/// The compiler processes of a server.
fn workers(server: u32) -> Vec<u32> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{server}/task")) else { return Vec::new() };
    let lists = tasks.flatten().map(|task| std::fs::read_to_string(task.path().join("children")));
    let lists: Vec<String> = lists.flatten().collect();
    let children = lists.iter().flat_map(|list| list.split_whitespace());
    children.filter_map(|child| child.parse().ok()).filter(|child| is_worker(*child)).collect()
}

fn is_worker(process: u32) -> bool {
    let command = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&command).contains("compile-worker")
}

fn signal(name: &str, process: u32) {
    // It may have ended by itself meanwhile.
    let _ = Command::new("kill").args([name, &process.to_string()]).stderr(Stdio::null()).status();
}

#[test]
fn killed_and_stopped_workers_cost_no_answer() {
    let mut peer = Peer::start(None, None);
    let ask_code = |peer: &mut Peer| {
        let id = peer.ask("tungsten/compiledCode", json!({"textDocument": {"uri": URI}}));
        peer.answer(id)["result"].clone()
    };
    for round in 0..12 {
        let text =
            SHADER.replace("0: MOV", &format!("0: MUL OUT[0], IN[0], IN[0]\n  {round}: MOV"));
        let item = json!({"uri": URI, "version": round + 2});
        let params = json!({"textDocument": item, "contentChanges": [{"text": text}]});
        peer.tell("textDocument/didChange", params);
        for worker in workers(peer.child.id()) {
            signal(if round % 3 == 2 { "-STOP" } else { "-KILL" }, worker);
        }
        assert!(ask_code(&mut peer)["state"].is_string(), "round {round}");
        peer.assert_serves("beside it");
    }
    // What is stopped is killed by the watchdog; then code is fresh again, or the reason is given.
    let deadline = Instant::now() + PATIENCE;
    while ask_code(&mut peer)["state"] != "fresh" {
        let id = peer.ask("tungsten/status", Value::Null);
        let status = peer.answer(id)["result"].clone();
        if status["message"].is_string() {
            break; // There is no compiler on this machine.
        }
        assert!(Instant::now() < deadline, "{status}");
        std::thread::sleep(Duration::from_millis(100));
        let item = json!({"uri": URI, "version": 100});
        let params = json!({"textDocument": item, "contentChanges": [{"text": SHADER}]});
        peer.tell("textDocument/didChange", params);
    }
    peer.finish();
}

/// Waits for the compiled code, or for the word that there is no compiler.
fn compiled(peer: &mut Peer) -> Option<String> {
    loop {
        let id = peer.ask("tungsten/compiledCode", json!({"textDocument": {"uri": URI}}));
        let code = peer.answer(id)["result"].clone();
        if code["state"] == "fresh" {
            return code["text"].as_str().map(str::to_owned);
        }
        let id = peer.ask("tungsten/status", Value::Null);
        if peer.answer(id)["result"]["message"].is_string() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn damaged_caches_change_no_result() {
    let folder = Folder::new("cache");
    let mut first = Peer::start(Some(folder.path()), None);
    let expected = compiled(&mut first);
    first.finish();
    let mut files = vec![folder.path().to_owned()];
    let mut entries = Vec::new();
    while let Some(path) = files.pop() {
        match path.is_dir() {
            true => files.extend(std::fs::read_dir(&path).unwrap().flatten().map(|it| it.path())),
            false => entries.push(path),
        }
    }
    assert_eq!(entries.is_empty(), expected.is_none());
    for damage in ["cut", "flipped", "a folder", "gone"] {
        for entry in entries.iter().filter(|it| it.is_file()) {
            let bytes = std::fs::read(entry).unwrap();
            match damage {
                "cut" => std::fs::write(entry, &bytes[..bytes.len() / 2]).unwrap(),
                "flipped" => {
                    let flipped: Vec<u8> = bytes.iter().map(|byte| byte ^ 0x20).collect();
                    std::fs::write(entry, flipped).unwrap();
                }
                _ => {
                    std::fs::remove_file(entry).unwrap();
                    if damage == "a folder" {
                        std::fs::create_dir(entry).unwrap();
                    }
                }
            }
        }
        let mut peer = Peer::start(Some(folder.path()), None);
        assert_eq!(compiled(&mut peer), expected, "{damage}");
        peer.finish();
    }
    // A disk on which nothing can be written, or the beginning of a file, and what it leaves.
    for blocks in [0, 1] {
        let full = Folder::new("full");
        let mut peer = Peer::start_on_a_full_disk(full.path(), blocks);
        assert_eq!(compiled(&mut peer), expected, "a disk that is full at {blocks}");
        peer.finish();
        let mut peer = Peer::start(Some(full.path()), None);
        assert_eq!(compiled(&mut peer), expected, "behind a disk that was full at {blocks}");
        peer.finish();
    }
    // A file in the folder's place, and a disk that is full of nothing.
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    for place in [file.as_path(), Path::new("/dev/full"), Path::new("/proc/none")] {
        let mut peer = Peer::start(Some(place), None);
        assert_eq!(compiled(&mut peer), expected, "{}", place.display());
        peer.finish();
    }
}

#[test]
#[cfg_attr(no_mount, ignore = "this user may mount no disk")]
fn a_disk_that_is_full_changes_no_result() {
    const PAGES: usize = 1 << 14;
    let folder = Folder::new("disk");
    let mut plain = Peer::start(None, None);
    let expected = compiled(&mut plain);
    plain.finish();
    // Nothing fits, not the whole of a result, and one of them.
    for free in [0, 1 << 12, 1 << 13] {
        let mut peer = Peer::start_on_a_small_disk(folder.path(), PAGES, free);
        assert_eq!(compiled(&mut peer), expected, "{free} bytes are free");
        assert_eq!(compiled(&mut peer), expected, "{free} bytes were free");
        let shown = peer.said.iter().filter(|it| it["method"] == "window/showMessage").count();
        assert_eq!(shown, usize::from(expected.is_none()), "{free} bytes are free");
        peer.finish();
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert!(left.is_empty(), "the disk was not the server's alone: {left:?}");
}

#[test]
fn more_files_than_are_looked_at_are_told_once_where_it_is_seen() {
    let folder = Folder::new("many");
    for number in 0..4100 {
        std::fs::write(folder.path().join(format!("{number}.tgsi")), "FRAG\nEND\n").unwrap();
    }
    let mut peer = Peer::start_in(Some(folder.path()), None, None);
    let shown = |peer: &Peer| {
        let messages = peer.said.iter().filter(|it| it["method"] == "window/showMessage");
        let words = messages.filter_map(|it| it["params"]["message"].as_str());
        words.filter(|it| it.contains("4000 files")).count()
    };
    let id = peer.ask("workspace/symbol", json!({"query": "none"}));
    peer.answer(id);
    while shown(&peer) == 0 {
        peer.take();
    }
    std::fs::write(folder.path().join("more.tgsi"), "VERT\nEND\n").unwrap();
    let change = json!({"uri": format!("file://{}/more.tgsi", folder.path().display()), "type": 1});
    peer.tell("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    let id = peer.ask("workspace/symbol", json!({"query": "none"}));
    peer.answer(id);
    peer.assert_serves("after it");
    assert_eq!(shown(&peer), 1);
    peer.finish();
}

#[test]
fn a_server_leaves_when_its_parent_is_gone() {
    let mut parent = Command::new("sleep").arg("1000").spawn().expect("it starts");
    let mut peer = Peer::start(None, Some(parent.id()));
    peer.assert_serves("while it lives");
    parent.kill().expect("it lives");
    parent.wait().expect("it ends");
    // Its pipes are still held, by this test.
    let deadline = Instant::now() + PATIENCE;
    while peer.child.try_wait().expect("a child").is_none() {
        assert!(Instant::now() < deadline, "it stays");
        std::thread::sleep(Duration::from_millis(50));
    }
}
