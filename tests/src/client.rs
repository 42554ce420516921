//! A client of the real server process, over its standard streams.
//!
//! A thread of its own reads, and notes when each message came before it is taken
//! apart, so that a time is that of the server and not of this client.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server that says nothing for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(120);

/// A message of the server's, with the moment at which it was there.
#[derive(Debug, Clone)]
pub struct Arrived {
    /// The time at which its last byte had come.
    pub at: Instant,
    /// The message.
    pub message: Value,
}

/// A running server, and the client's end of it. Dropped before [`Client::finish`], it
/// kills the server.
#[derive(Debug)]
pub struct Client {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Arrived>,
    next_id: i64,
    sent: HashMap<i64, Instant>,
    answers: HashMap<i64, Arrived>,
    /// Notifications and requests of the server's that nobody has taken.
    said: Vec<Arrived>,
}

impl Client {
    /// Starts a server and introduces itself: `initialized` follows the answer to
    /// `initialize`, as the protocol wants.
    pub fn start(program: &Path, capabilities: Value, options: Value) -> Client {
        let mut child = Command::new(program)
            .arg("lsp")
            // Results of other runs would hide what is compiled.
            .env("TUNGSTEN_CACHE", "off")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let input = child.stdin.take().unwrap_or_else(|| panic!("it was piped"));
        let output = child.stdout.take().unwrap_or_else(|| panic!("it was piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(body) = read_body(&mut output) {
                let at = Instant::now();
                let message = serde_json::from_slice(&body).unwrap_or(Value::Null);
                if sender.send(Arrived { at, message }).is_err() {
                    return;
                }
            }
        });
        let mut client = Client {
            child,
            input,
            messages,
            next_id: 0,
            sent: HashMap::new(),
            answers: HashMap::new(),
            said: Vec::new(),
        };
        let params = json!({
            "processId": std::process::id(),
            "rootUri": null,
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        client.call("initialize", params);
        client.notify("initialized", json!({}));
        client
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its number.
    pub fn send(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.sent.insert(id, Instant::now());
        self.write(&message);
        id
    }

    /// Waits for the answer to a request: how long it took, and the message.
    pub fn answer(&mut self, id: i64) -> (Duration, Value) {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                let sent = self.sent.remove(&id).unwrap_or(answer.at);
                return (answer.at.saturating_duration_since(sent), answer.message);
            }
            assert!(self.receive(PATIENCE), "no answer to request {id}");
        }
    }

    /// Sends a request and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let (_, mut message) = self.answer(id);
        assert!(message["error"].is_null(), "{method}: {}", message["error"]);
        message["result"].take()
    }

    /// Waits for a message of the server's own that is wanted. Those before it that
    /// are of the same method are dropped: they are old news.
    pub fn wait(&mut self, method: &str, wanted: impl Fn(&Value) -> bool) -> Arrived {
        loop {
            let is_it = |it: &Arrived| it.message["method"] == method && wanted(&it.message);
            if let Some(place) = self.said.iter().position(is_it) {
                let found = self.said.remove(place);
                self.said.retain(|it| it.at > found.at || it.message["method"] != method);
                return found;
            }
            assert!(self.receive(PATIENCE), "{method} never came; there was {:?}", self.said);
        }
    }

    /// The diagnostics pushed for a version of a document, with the moment they came.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Arrived {
        self.wait("textDocument/publishDiagnostics", |message| {
            message["params"]["uri"] == uri && message["params"]["version"] == version
        })
    }

    /// Returns the time at which diagnostics for a version of a document came, where they
    /// have.
    pub fn diagnostics_time(&mut self, uri: &str, version: i64) -> Option<Instant> {
        let is_it = |it: &&Arrived| {
            it.message["method"] == "textDocument/publishDiagnostics"
                && it.message["params"]["uri"] == uri
                && it.message["params"]["version"] == version
        };
        self.said.iter().find(is_it).map(|it| it.at)
    }

    /// The versions of a document that diagnostics came for and that nobody has taken, in
    /// the order in which they came.
    pub fn versions_told(&self, uri: &str) -> Vec<i64> {
        let of_document = self.said.iter().filter(|it| {
            it.message["method"] == "textDocument/publishDiagnostics"
                && it.message["params"]["uri"] == uri
        });
        of_document.filter_map(|it| it.message["params"]["version"].as_i64()).collect()
    }

    /// The diagnostics of a document that came last and that nobody has taken.
    pub fn last_diagnostics(&mut self, uri: &str) -> Option<Value> {
        let is_it = |it: &&Arrived| {
            it.message["method"] == "textDocument/publishDiagnostics"
                && it.message["params"]["uri"] == uri
        };
        self.said.iter().rev().find(is_it).map(|it| it.message["params"]["diagnostics"].clone())
    }

    /// Opens a document of version 0.
    pub fn open(&mut self, language: &str, uri: &str, text: &str) {
        let item = json!({"uri": uri, "languageId": language, "version": 0, "text": text});
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces characters of one line, and returns the moment that was sent.
    pub fn edit(&mut self, uri: &str, version: i64, place: Place, text: &str) -> Instant {
        let params = json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{
                "range": {
                    "start": {"line": place.line, "character": place.start},
                    "end": {"line": place.line, "character": place.end},
                },
                "text": text,
            }],
        });
        let now = Instant::now();
        self.notify("textDocument/didChange", params);
        now
    }

    /// Takes what comes for so long.
    pub fn listen(&mut self, until: Instant) {
        loop {
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() || !self.receive(rest) {
                return;
            }
        }
    }

    /// The number of the server's process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Resident memory of the server without its compilers, in KiB. Linux only.
    pub fn resident(&self) -> u64 {
        self.status_line("VmRSS:")
    }

    /// The most resident memory of the server since [`Client::forget_most_resident`], in KiB.
    /// Linux only.
    pub fn most_resident(&self) -> u64 {
        self.status_line("VmHWM:")
    }

    /// Has the system forget the most memory so far. Linux only.
    ///
    /// # Panics
    /// Where it does not.
    pub fn forget_most_resident(&self) {
        let path = format!("/proc/{}/clear_refs", self.process());
        std::fs::write(path, "5").expect("one's own process");
    }

    /// Returns the number of the server's threads. Linux only.
    pub fn threads(&self) -> u64 {
        self.status_line("Threads:")
    }

    /// Returns the number of the server's compiler processes. Linux only.
    pub fn compilers(&self) -> usize {
        self.compiler_processes().len()
    }

    /// Resident memory of each compiler process of the server, in KiB. Linux only.
    pub fn compiler_memory(&self) -> Vec<u64> {
        self.compiler_processes().iter().map(|process| status_of(process, "VmRSS:")).collect()
    }

    fn compiler_processes(&self) -> Vec<String> {
        let server = self.child.id();
        let tasks = std::fs::read_dir(format!("/proc/{server}/task"));
        let lists = tasks.into_iter().flatten().flatten();
        let children: Vec<String> = lists
            .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
            .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let is_compiler = |child: &String| {
            let command = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains("compile-worker")
        };
        children.into_iter().filter(is_compiler).collect()
    }

    fn status_line(&self, name: &str) -> u64 {
        status_of(&self.child.id().to_string(), name)
    }

    /// Waits for the end of the search for a libLLVM. Returns whether there is one.
    pub fn has_compiler(&mut self) -> bool {
        loop {
            let status = self.call("tungsten/status", Value::Null);
            if status["searching"] == false {
                return status["llvm"].is_object();
            }
        }
    }

    /// Says goodbye, and fails where the server does not end well.
    pub fn finish(mut self) {
        self.call("shutdown", Value::Null);
        self.write(&json!({"jsonrpc": "2.0", "method": "exit"}));
        let ended = self.child.wait().unwrap_or_else(|error| panic!("{error}"));
        assert!(ended.success(), "the server ended with {ended}");
    }

    fn write(&mut self, message: &Value) {
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let written = self.input.write_all(message.as_bytes());
        written.unwrap_or_else(|error| panic!("the server reads no more: {error}"));
    }

    /// Takes one message; `false` where none comes in time.
    fn receive(&mut self, patience: Duration) -> bool {
        let arrived = match self.messages.recv_timeout(patience) {
            Ok(arrived) => arrived,
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => panic!("the server is gone"),
        };
        let message = &arrived.message;
        let id = message.get("id").cloned();
        match (message.get("method"), id) {
            (None, Some(id)) => {
                let id = id.as_i64().unwrap_or_default();
                assert!(self.sent.contains_key(&id), "never asked, or answered twice: {message}");
                self.answers.insert(id, arrived);
            }
            (Some(method), Some(id)) => {
                let result =
                    if method == "workspace/configuration" { json!([null]) } else { json!(null) };
                self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
                self.said.push(arrived);
            }
            _ => self.said.push(arrived),
        }
        true
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After `finish` it has ended, and there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Characters of a line.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The line, from 0.
    pub line: usize,
    /// The first character.
    pub start: usize,
    /// Behind the last.
    pub end: usize,
}

/// The body of the next message; `None` at the end.
fn read_body(output: &mut BufReader<ChildStdout>) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(value) => length = value.parse().ok()?,
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(body)
}

/// A number of a process's status; 0 where there is none.
fn status_of(process: &str, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let word = line.and_then(|line| line.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or_default()
}
