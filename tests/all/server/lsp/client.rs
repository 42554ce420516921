//! A client in memory: speaks the wire format to a server on the same runtime.
//!
//! It waits for messages, never for time to pass; the one time limit turns a
//! silent server into a failure. [`Client::finish`] fails if the server said
//! anything that matters and that the test did not expect.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use server::lsp::ServerEnv;
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

/// A server that says nothing for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// The client's end of a connection.
pub(crate) struct Client {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    server: JoinHandle<bool>,
    next_id: i64,
    /// Requests whose answers have not come.
    open: HashSet<i64>,
    answers: HashMap<i64, Result<Value, Value>>,
    /// The server's messages that nobody has taken, in order.
    inbox: VecDeque<(String, Value)>,
    /// The answer to `workspace/configuration`, for everything.
    pub(crate) settings: Value,
    /// The file in which every message is written down, for a checker of the protocol.
    record: Option<std::fs::File>,
    /// The same for what has a scope of its own, by the scope.
    pub(crate) scoped_settings: HashMap<String, Value>,
    /// The server's answer to `initialize`.
    pub(crate) initialized: Value,
}

impl Client {
    /// Connects, and introduces itself with these capabilities and options.
    pub(crate) async fn start(capabilities: Value, options: Value) -> Client {
        let worker = PathBuf::from(crate::TUNGSTEN);
        Client::start_with_worker(capabilities, options, worker).await
    }

    /// The same with another program for the compiler process.
    pub(crate) async fn start_with_worker(
        capabilities: Value,
        options: Value,
        worker: PathBuf,
    ) -> Client {
        Client::start_in(&[], capabilities, options, worker).await
    }

    /// The same in folders, by their URIs.
    pub(crate) async fn start_in(
        folders: &[String],
        capabilities: Value,
        options: Value,
        worker: PathBuf,
    ) -> Client {
        // Results of other runs would hide what is compiled.
        let env = ServerEnv { worker, ..ServerEnv::default() };
        Client::start_among(folders, capabilities, options, env).await
    }

    /// The same with all that the server needs of the machine.
    pub(crate) async fn start_among(
        folders: &[String],
        capabilities: Value,
        options: Value,
        env: ServerEnv,
    ) -> Client {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        let server = tokio::spawn(server::lsp::serve(input, output, env));
        let (reader, writer) = tokio::io::split(ours);
        let mut client = Client {
            reader: BufReader::new(reader),
            writer,
            server,
            next_id: 0,
            open: HashSet::new(),
            answers: HashMap::new(),
            inbox: VecDeque::new(),
            record: record(),
            settings: Value::Null,
            scoped_settings: HashMap::new(),
            initialized: Value::Null,
        };
        let params = json!({
            "processId": null,
            "rootUri": null,
            "workspaceFolders": folders.iter().map(|uri| json!({"uri": uri, "name": uri})).collect::<Vec<_>>(),
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        client.initialized = client.call("initialize", params).await.expect("initialize");
        client.notify("initialized", json!({})).await;
        client
    }

    /// A client that is pushed to, with the compiler off: for what needs none.
    pub(crate) async fn plain() -> Client {
        Client::start(json!({}), json!({"compile": false})).await
    }

    /// Waits for the end of the search for a libLLVM, which there must be.
    pub(crate) async fn find_compiler(&mut self) {
        loop {
            let status = self.call("tungsten/status", Value::Null).await.expect("a status");
            if status["searching"] == false {
                assert!(status["llvm"].is_object(), "no libLLVM: {}", status["message"]);
                return;
            }
        }
    }

    /// Sends a request and returns its number.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.open.insert(id);
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.write(&message).await;
        id
    }

    /// Waits for the answer to a request.
    pub(crate) async fn answer(&mut self, id: i64) -> Result<Value, Value> {
        while !self.answers.contains_key(&id) {
            self.read().await;
        }
        self.answers.remove(&id).expect("just seen")
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// Sends a notification.
    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    /// Waits for a message of the server's, a notification or a request that
    /// was answered already, and returns its parameters.
    pub(crate) async fn message(&mut self, method: &str) -> Value {
        loop {
            if let Some(place) = self.inbox.iter().position(|(name, _)| name == method) {
                return self.inbox.remove(place).expect("just found").1;
            }
            self.read().await;
        }
    }

    /// The parameters of the server's messages of a method so far.
    pub(crate) fn taken(&mut self, method: &str) -> Vec<Value> {
        let (taken, rest): (VecDeque<_>, VecDeque<_>) =
            self.inbox.drain(..).partition(|(name, _)| name == method);
        self.inbox = rest;
        taken.into_iter().map(|(_, params)| params).collect()
    }

    /// Opens a document of version 0.
    pub(crate) async fn open(&mut self, uri: &str, text: &str) {
        self.open_as("tgsi", uri, text).await;
    }

    /// Opens a document of version 0 in a language.
    pub(crate) async fn open_as(&mut self, language: &str, uri: &str, text: &str) {
        let item = json!({"uri": uri, "languageId": language, "version": 0, "text": text});
        self.notify("textDocument/didOpen", json!({ "textDocument": item })).await;
    }

    /// Replaces a range of a document.
    pub(crate) async fn edit(&mut self, uri: &str, version: i32, range: Value, text: &str) {
        let params = json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": range, "text": text}],
        });
        self.notify("textDocument/didChange", params).await;
    }

    /// Waits for pushed diagnostics of a version, and returns them.
    pub(crate) async fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            let params = self.message("textDocument/publishDiagnostics").await;
            assert_eq!(params["uri"], uri);
            if params["version"] == version {
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Tells whether an answer has not come.
    pub(crate) fn is_open(&self, id: i64) -> bool {
        self.open.contains(&id)
    }

    /// A message that has come and that nobody took, as [`Client::message`] returns it.
    pub(crate) fn received(&mut self, method: &str) -> Option<Value> {
        let place = self.inbox.iter().position(|(name, _)| name == method)?;
        self.inbox.remove(place).map(|(_, params)| params)
    }

    /// Says goodbye. Fails if an answer is owed or something was said that matters.
    pub(crate) async fn finish(self) {
        self.finish_but(&[]).await;
    }

    /// The same where notifications of some methods may still be on their way.
    pub(crate) async fn finish_but(mut self, expected: &[&str]) {
        assert_eq!(self.call("shutdown", Value::Null).await, Ok(Value::Null));
        self.leave_but(expected).await;
    }

    /// The same after `shutdown`.
    pub(crate) async fn leave(self) {
        self.leave_but(&[]).await;
    }

    async fn leave_but(mut self, expected: &[&str]) {
        self.notify("exit", Value::Null).await;
        let ended = tokio::time::timeout(PATIENCE, &mut self.server).await;
        assert!(ended.expect("the server did not end").expect("the server panicked"));
        // What was on its way when it ended.
        let mut rest = Vec::new();
        self.reader.read_to_end(&mut rest).await.expect("readable");
        assert!(self.open.is_empty(), "never answered: {:?}", self.open);
        assert!(self.answers.is_empty(), "nobody took {:?}", self.answers);
        let harmless = |method: &str| {
            method == "window/logMessage"
                || method == "$/logTrace"
                || method == "client/registerCapability"
                || method == "workspace/configuration"
                || method == "tungsten/compiledCodeChanged"
                || method == "tungsten/costsChanged"
                || method.ends_with("/refresh")
                || method.contains("rogress")
                || expected.contains(&method)
        };
        self.inbox.retain(|(method, _)| !harmless(method));
        assert!(self.inbox.is_empty(), "nobody expected {:?}", self.inbox);
    }

    fn configuration(&self, items: &Value) -> Value {
        let items = items.as_array().expect("a list").iter();
        items
            .map(|item| match item["scopeUri"].as_str() {
                Some(scope) => self.scoped_settings.get(scope).unwrap_or(&self.settings).clone(),
                None => self.settings.clone(),
            })
            .collect()
    }

    async fn write(&mut self, message: &Value) {
        self.note("client", message);
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.writer.write_all(message.as_bytes()).await.expect("the server reads");
    }

    /// Writes a message down where that is wanted.
    fn note(&mut self, sender: &str, message: &Value) {
        if let Some(record) = &mut self.record {
            let time = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
            let line = json!({"time": time.as_secs_f64(), "from": sender, "message": message});
            std::io::Write::write_all(record, format!("{line}\n").as_bytes()).expect("writable");
        }
    }

    /// Reads one message and files it.
    async fn read(&mut self) {
        let message = tokio::time::timeout(PATIENCE, read_message(&mut self.reader)).await;
        let message = message.unwrap_or_else(|_| panic!("silence; unread: {:?}", self.inbox));
        self.note("server", &message);
        let Some(method) = message["method"].as_str().map(str::to_owned) else {
            let id = message["id"].as_i64().expect("an answer has our number");
            assert!(self.open.remove(&id), "answered twice, or never asked: {message}");
            let answer = match message.get("error") {
                Some(error) => Err(error.clone()),
                None => Ok(message["result"].clone()),
            };
            self.answers.insert(id, answer);
            return;
        };
        if let Some(id) = message.get("id") {
            let result = match method.as_str() {
                "workspace/configuration" => self.configuration(&message["params"]["items"]),
                _ => Value::Null,
            };
            self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result})).await;
        }
        self.inbox.push_back((method, message["params"].clone()));
    }
}

/// A file of its own for each client in the folder that `TUNGSTEN_RECORDS` names, as
/// `tests/editors/protocol/check.py` reads it.
fn record() -> Option<std::fs::File> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = std::env::var_os("TUNGSTEN_RECORDS")?;
    let name = format!("{}-{}.jsonl", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    Some(std::fs::File::create(PathBuf::from(folder).join(name)).expect("a folder for records"))
}

async fn read_message(reader: &mut BufReader<ReadHalf<DuplexStream>>) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert_ne!(reader.read_line(&mut line).await.expect("readable"), 0, "the server is gone");
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.expect("the whole body");
    serde_json::from_slice(&body).expect("JSON")
}
