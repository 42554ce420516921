//! A client in memory: speaks the wire format to a server on the same runtime.
//!
//! It waits for messages, never for time to pass; the one time limit turns a
//! silent server into a failure. [`Client::finish`] fails if the server said
//! anything that matters and that the test did not expect.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use server::lsp::Surroundings;
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
    /// What the server said and nobody has taken, in order.
    inbox: VecDeque<(String, Value)>,
    /// The answer to `workspace/configuration`.
    pub(crate) settings: Value,
    /// What the server answered to `initialize`.
    pub(crate) initialized: Value,
}

impl Client {
    /// Connects, and introduces itself with these capabilities and options.
    pub(crate) async fn start(capabilities: Value, options: Value) -> Client {
        let worker = PathBuf::from(env!("CARGO_BIN_EXE_tungsten"));
        Client::start_with_worker(capabilities, options, worker).await
    }

    /// The same with another program for the compiler process.
    pub(crate) async fn start_with_worker(
        capabilities: Value,
        options: Value,
        worker: PathBuf,
    ) -> Client {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        // Results of other runs would hide what is compiled.
        let surroundings = Surroundings { worker, cache: None };
        let server = tokio::spawn(server::lsp::serve(input, output, surroundings));
        let (reader, writer) = tokio::io::split(ours);
        let mut client = Client {
            reader: BufReader::new(reader),
            writer,
            server,
            next_id: 0,
            open: HashSet::new(),
            answers: HashMap::new(),
            inbox: VecDeque::new(),
            settings: Value::Null,
            initialized: Value::Null,
        };
        let params = json!({
            "processId": null,
            "rootUri": null,
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

    /// Waits for the end of the search for a libLLVM. Returns whether there
    /// is one, and says so where there is none.
    pub(crate) async fn has_compiler(&mut self) -> bool {
        loop {
            let status = self.call("tungsten/status", Value::Null).await.expect("a status");
            if status["searching"] == false {
                if status["llvm"].is_null() {
                    println!("skipped: no libLLVM: {}", status["message"]);
                }
                return status["llvm"].is_object();
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

    /// Waits for pushed findings of a version, and returns them.
    pub(crate) async fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            let params = self.message("textDocument/publishDiagnostics").await;
            assert_eq!(params["uri"], uri);
            if params["version"] == version {
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Says goodbye. Fails if an answer is owed or something was said that matters.
    pub(crate) async fn finish(mut self) {
        assert_eq!(self.call("shutdown", Value::Null).await, Ok(Value::Null));
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
        };
        self.inbox.retain(|(method, _)| !harmless(method));
        assert!(self.inbox.is_empty(), "nobody expected {:?}", self.inbox);
    }

    async fn write(&mut self, message: &Value) {
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.writer.write_all(message.as_bytes()).await.expect("the server reads");
    }

    /// Reads one message and files it.
    async fn read(&mut self) {
        let message = tokio::time::timeout(PATIENCE, read_message(&mut self.reader)).await;
        let message = message.unwrap_or_else(|_| panic!("silence; unread: {:?}", self.inbox));
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
                "workspace/configuration" => json!([self.settings]),
                _ => Value::Null,
            };
            self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result})).await;
        }
        self.inbox.push_back((method, message["params"].clone()));
    }
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
