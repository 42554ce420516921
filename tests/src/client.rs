//! A client of a server: of the real process over its standard streams, or of one in
//! memory on a thread of its own.
//!
//! A thread reads, and notes when each message came before it is taken apart, so that a
//! time is that of the server and not of this client. The client waits for messages, never
//! for time to pass; the one time limit turns a silent server into a failure.
//! [`Client::finish`] fails if the server said anything that matters and that nobody
//! expected.

mod memory;
mod process;

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::Child;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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

impl Arrived {
    fn is(&self, method: &str) -> bool {
        self.message["method"] == method
    }

    fn is_diagnostics_of(&self, uri: &str) -> bool {
        self.is("textDocument/publishDiagnostics") && self.message["params"]["uri"] == uri
    }
}

/// The server at the other end.
#[derive(Debug)]
enum Server {
    Process(Child),
    /// A thread, which returns whether the server was shut down in order.
    Thread(Option<JoinHandle<bool>>),
}

/// The client's end of a connection. Dropped before its end, it kills a server process.
pub struct Client {
    server: Server,
    input: Option<Box<dyn Write + Send>>,
    messages: Receiver<Arrived>,
    next_id: i64,
    /// Requests whose answers have not come, with the moments at which they were sent.
    open: HashMap<i64, Instant>,
    answers: HashMap<i64, (Duration, Result<Value, Value>)>,
    /// Notifications and requests of the server's that nobody has taken, in order.
    inbox: VecDeque<Arrived>,
    /// The file in which every message is written down, for a checker of the protocol.
    record: Option<std::fs::File>,
    /// The answer to `workspace/configuration`, for everything.
    pub settings: Value,
    /// The same for what has a scope of its own, by the scope.
    pub scoped_settings: HashMap<String, Value>,
    /// The server's answer to `initialize`.
    pub initialized: Value,
}

impl Client {
    /// Introduces itself to a server: `initialized` follows the answer to `initialize`, as
    /// the protocol wants.
    fn connect(
        server: Server,
        input: Box<dyn Write + Send>,
        output: impl Read + Send + 'static,
        params: Value,
    ) -> Client {
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
            server,
            input: Some(input),
            messages,
            next_id: 0,
            open: HashMap::new(),
            answers: HashMap::new(),
            inbox: VecDeque::new(),
            record: record(),
            settings: Value::Null,
            scoped_settings: HashMap::new(),
            initialized: Value::Null,
        };
        let answer = client.call("initialize", params);
        client.initialized = answer.unwrap_or_else(|error| panic!("initialize: {error}"));
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
        self.open.insert(id, Instant::now());
        self.write(&message);
        id
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        self.timed_answer(id).1
    }

    /// Waits for the answer to a request: how long it took, and the result or error.
    pub fn timed_answer(&mut self, id: i64) -> (Duration, Result<Value, Value>) {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            self.wait_for_message();
        }
    }

    /// Sends a request and waits for its answer.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Waits for a message of the server's, a notification or a request that was answered
    /// already, and returns its parameters.
    pub fn message(&mut self, method: &str) -> Value {
        loop {
            if let Some(params) = self.received(method) {
                return params;
            }
            self.wait_for_message();
        }
    }

    /// A message that has come and that nobody took, as [`Client::message`] returns it.
    pub fn received(&mut self, method: &str) -> Option<Value> {
        self.take_what_came();
        let place = self.inbox.iter().position(|it| it.is(method))?;
        self.inbox.remove(place).map(|mut it| it.message["params"].take())
    }

    /// The parameters of the server's messages of a method so far.
    pub fn taken(&mut self, method: &str) -> Vec<Value> {
        std::iter::from_fn(|| self.received(method)).collect()
    }

    /// Waits for a message of the server's own that is wanted. Those before it that
    /// are of the same method are dropped: they are old news.
    pub fn wait(&mut self, method: &str, wanted: impl Fn(&Value) -> bool) -> Arrived {
        loop {
            let is_it = |it: &Arrived| it.is(method) && wanted(&it.message);
            if let Some(place) = self.inbox.iter().position(is_it)
                && let Some(found) = self.inbox.remove(place)
            {
                self.inbox.retain(|it| it.at > found.at || !it.is(method));
                return found;
            }
            self.wait_for_message();
        }
    }

    /// Opens a document of version 0.
    pub fn open(&mut self, uri: &str, text: &str) {
        self.open_as("tgsi", uri, text);
    }

    /// Opens a document of version 0 in a language.
    pub fn open_as(&mut self, language: &str, uri: &str, text: &str) {
        let item = json!({"uri": uri, "languageId": language, "version": 0, "text": text});
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces a range of a document, and returns the moment that was sent.
    pub fn edit(
        &mut self,
        uri: &str,
        version: impl Into<i64>,
        range: impl Into<Value>,
        text: &str,
    ) -> Instant {
        let params = json!({
            "textDocument": {"uri": uri, "version": version.into()},
            "contentChanges": [{"range": range.into(), "text": text}],
        });
        let now = Instant::now();
        self.notify("textDocument/didChange", params);
        now
    }

    /// Waits for pushed diagnostics of a version, and returns them. Those of no other
    /// document may come.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            let mut params = self.message("textDocument/publishDiagnostics");
            assert_eq!(params["uri"], uri);
            if params["version"] == version {
                let Value::Array(found) = params["diagnostics"].take() else {
                    panic!("no list: {params}");
                };
                return found;
            }
        }
    }

    /// Waits for pushed diagnostics of a version among those of other documents.
    pub fn arrived_diagnostics(&mut self, uri: &str, version: i64) -> Arrived {
        self.wait("textDocument/publishDiagnostics", |message| {
            message["params"]["uri"] == uri && message["params"]["version"] == version
        })
    }

    /// The diagnostics of a document that came and that nobody has taken, in order.
    pub fn unread_diagnostics(&self, uri: &str) -> impl DoubleEndedIterator<Item = &Arrived> {
        self.inbox.iter().filter(move |it| it.is_diagnostics_of(uri))
    }

    /// Tells whether an answer has not come.
    pub fn is_open(&self, id: i64) -> bool {
        self.open.contains_key(&id)
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

    /// Waits for the end of the search for a libLLVM. Returns whether there is one.
    pub fn has_compiler(&mut self) -> bool {
        loop {
            let status = self.call("tungsten/status", Value::Null);
            let status = status.unwrap_or_else(|error| panic!("no status: {error}"));
            if status["searching"] == false {
                return status["llvm"].is_object();
            }
        }
    }

    /// Says goodbye. Fails if an answer is owed or something was said that matters.
    pub fn finish(self) {
        self.finish_but(&[]);
    }

    /// The same where notifications of some methods may still be on their way.
    pub fn finish_but(mut self, expected: &[&str]) {
        assert_eq!(self.call("shutdown", Value::Null), Ok(Value::Null));
        self.leave_but(expected);
    }

    /// The same after `shutdown`.
    pub fn leave(self) {
        self.leave_but(&[]);
    }

    /// Says goodbye, whatever the server has said, and fails where it does not end well.
    pub fn stop(mut self) {
        assert_eq!(self.call("shutdown", Value::Null), Ok(Value::Null));
        self.exit();
    }

    fn leave_but(mut self, expected: &[&str]) {
        self.exit();
        let open: Vec<&i64> = self.open.keys().collect();
        assert!(open.is_empty(), "never answered: {open:?}");
        assert!(self.answers.is_empty(), "nobody took {:?}", self.answers);
        let harmless = [
            "window/logMessage",
            "$/logTrace",
            "client/registerCapability",
            "workspace/configuration",
            "tungsten/compiledCodeChanged",
            "tungsten/costsChanged",
        ];
        let is_harmless = |it: &Arrived| {
            let method = it.message["method"].as_str().unwrap_or_default();
            harmless.contains(&method)
                || method.ends_with("/refresh")
                || method.contains("rogress")
                || expected.contains(&method)
        };
        self.inbox.retain(|it| !is_harmless(it));
        assert!(self.inbox.is_empty(), "nobody expected {:?}", self.inbox);
    }

    /// Tells the server to end, and waits until it has.
    fn exit(&mut self) {
        self.write(&json!({"jsonrpc": "2.0", "method": "exit"}));
        self.input = None;
        // What was on its way when it ended.
        while let Some(arrived) = self.next(PATIENCE, "the server did not end") {
            self.file(arrived);
        }
        let is_orderly = match &mut self.server {
            Server::Process(child) => child.wait().is_ok_and(|it| it.success()),
            Server::Thread(thread) => {
                let ended = thread.take().map(JoinHandle::join);
                ended.is_some_and(|it| it.unwrap_or_else(|_| panic!("the server panicked")))
            }
        };
        assert!(is_orderly, "the server did not end as the protocol wants");
    }

    fn configuration(&self, items: &Value) -> Value {
        let items = items.as_array().into_iter().flatten();
        items
            .map(|item| match item["scopeUri"].as_str() {
                Some(scope) => self.scoped_settings.get(scope).unwrap_or(&self.settings).clone(),
                None => self.settings.clone(),
            })
            .collect()
    }

    fn write(&mut self, message: &Value) {
        self.note("client", message);
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let written = self.input.as_mut().map(|it| it.write_all(message.as_bytes()));
        if let Some(Err(error)) = written {
            panic!("the server reads no more: {error}");
        }
    }

    /// Writes a message down where that is wanted.
    fn note(&mut self, sender: &str, message: &Value) {
        if let Some(record) = &mut self.record {
            let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let line = json!({"time": time.as_secs_f64(), "from": sender, "message": message});
            let written = record.write_all(format!("{line}\n").as_bytes());
            written.unwrap_or_else(|error| panic!("the record: {error}"));
        }
    }

    /// The next message; `None` where there will be none.
    fn next(&mut self, patience: Duration, silence: &str) -> Option<Arrived> {
        match self.messages.recv_timeout(patience) {
            Ok(arrived) => Some(arrived),
            Err(RecvTimeoutError::Timeout) => panic!("{silence}; unread: {:?}", self.inbox),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn wait_for_message(&mut self) {
        match self.next(PATIENCE, "silence") {
            Some(arrived) => self.file(arrived),
            None => panic!("the server is gone"),
        }
    }

    /// Files the messages that are there.
    fn take_what_came(&mut self) {
        while let Ok(arrived) = self.messages.try_recv() {
            self.file(arrived);
        }
    }

    /// Takes one message; `false` where none comes in time.
    fn receive(&mut self, patience: Duration) -> bool {
        match self.messages.recv_timeout(patience) {
            Ok(arrived) => self.file(arrived),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => panic!("the server is gone"),
        }
        true
    }

    /// Keeps a message for those who will ask for it, and answers it if it is a request.
    fn file(&mut self, mut arrived: Arrived) {
        self.note("server", &arrived.message);
        let message = &mut arrived.message;
        let Some(method) = message["method"].as_str() else {
            let id = message["id"].as_i64().unwrap_or_else(|| panic!("not our number: {message}"));
            let sent = self.open.remove(&id);
            let sent = sent.unwrap_or_else(|| panic!("never asked, or answered twice: {message}"));
            let answer = match message.get_mut("error") {
                Some(error) => Err(error.take()),
                None => Ok(message["result"].take()),
            };
            let time = arrived.at.saturating_duration_since(sent);
            self.answers.insert(id, (time, answer));
            return;
        };
        if let Some(id) = message.get("id") {
            let result = match method {
                "workspace/configuration" => self.configuration(&message["params"]["items"]),
                _ => Value::Null,
            };
            self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
        }
        self.inbox.push_back(arrived);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Server::Process(child) = &mut self.server {
            // After its end there is nothing to kill.
            let _ = child.kill();
            let _ = child.wait();
        }
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

impl From<Place> for Value {
    fn from(place: Place) -> Value {
        json!({
            "start": {"line": place.line, "character": place.start},
            "end": {"line": place.line, "character": place.end},
        })
    }
}

/// A file of its own for each client in the folder that `TUNGSTEN_RECORDS` names, as
/// `tests/editors/protocol/check.py` reads it.
fn record() -> Option<std::fs::File> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = std::env::var_os("TUNGSTEN_RECORDS")?;
    let name = format!("{}-{}.jsonl", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(folder).join(name);
    let file = std::fs::File::create(&path);
    Some(file.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The body of the next message; `None` at the end.
fn read_body(output: &mut impl BufRead) -> Option<Vec<u8>> {
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
