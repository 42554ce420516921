//! The client: its messages in order, and what is sent to it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::Receiver;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::framing::{FramingError, write_message};
use crate::refusal::Refusal;

/// A request that came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) number: i64,
    pub(crate) command: String,
    arguments: Value,
}

impl Request {
    /// Its arguments.
    ///
    /// # Errors
    /// They are not those of the request; one sentence.
    pub(crate) fn arguments<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let read = serde_json::from_value(self.arguments.clone());
        read.map_err(|error| Refusal(format!("the arguments of `{}`: {error}", self.command)))
    }
}

/// A message that came, or the end of the stream.
pub(crate) type Incoming = Result<Option<Value>, FramingError>;

/// One client.
pub(crate) struct Client<W> {
    incoming: Receiver<Incoming>,
    /// Messages that came while something ran.
    waiting: VecDeque<Request>,
    writer: W,
    sent: i64,
    /// The reason why nothing more comes, once that is so.
    pub(crate) failure: Option<String>,
    is_gone: bool,
    /// The first error of writing.
    error: Option<io::Error>,
}

impl<W: Write> Client<W> {
    pub(crate) fn new(incoming: Receiver<Incoming>, writer: W) -> Client<W> {
        Client {
            incoming,
            waiting: VecDeque::new(),
            writer,
            sent: 0,
            failure: None,
            is_gone: false,
            error: None,
        }
    }

    /// The next request; `None` once the client has gone.
    pub(crate) fn next(&mut self) -> Option<Request> {
        if let Some(request) = self.waiting.pop_front() {
            return Some(request);
        }
        while !self.is_gone && self.error.is_none() {
            let incoming = self.incoming.recv().unwrap_or(Ok(None));
            if let Some(request) = self.read(incoming) {
                return Some(request);
            }
        }
        None
    }

    /// Tells, while something runs, whether a message waits that ends it; other requests wait.
    pub(crate) fn interrupts(&mut self) -> bool {
        while let Ok(incoming) = self.incoming.try_recv() {
            if let Some(request) = self.read(incoming) {
                self.waiting.push_back(request);
            }
        }
        const INTERRUPTING: [&str; 4] = ["pause", "terminate", "disconnect", "restart"];
        self.is_gone || self.waiting.iter().any(|it| INTERRUPTING.contains(&it.command.as_str()))
    }

    fn read(&mut self, incoming: Incoming) -> Option<Request> {
        match incoming {
            Ok(Some(message)) if message["type"] == "request" => {
                let command = message["command"].as_str().unwrap_or_default().to_owned();
                let number = message["seq"].as_i64().unwrap_or(0);
                let arguments = match &message["arguments"] {
                    Value::Null => json!({}),
                    arguments => arguments.clone(),
                };
                Some(Request { number, command, arguments })
            }
            // Responses: nothing was asked of the client.
            Ok(Some(_)) => None,
            Ok(None) => {
                self.is_gone = true;
                None
            }
            Err(error) => {
                self.failure = Some(error.to_string());
                self.is_gone = true;
                None
            }
        }
    }

    fn send(&mut self, mut message: Value) {
        self.sent += 1;
        message["seq"] = self.sent.into();
        if self.error.is_none()
            && let Err(error) = write_message(&mut self.writer, &message)
        {
            self.error = Some(error);
        }
    }

    /// Answers a request.
    pub(crate) fn answer(&mut self, request: &Request, body: Value) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.number,
            "success": true,
            "command": request.command,
        });
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message);
    }

    /// Refuses a request, with a reason for people.
    pub(crate) fn refuse(&mut self, request: &Request, reason: &str) {
        self.send(json!({
            "type": "response",
            "request_seq": request.number,
            "success": false,
            "command": request.command,
            "message": reason,
            "body": { "error": { "id": 1, "format": reason.replace(['{', '}'], "'"), "showUser": true } },
        }));
    }

    /// Tells of an event.
    pub(crate) fn event(&mut self, event: &str, body: Value) {
        let mut message = json!({ "type": "event", "event": event });
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message);
    }

    /// Writes a line to the client's console.
    pub(crate) fn say(&mut self, text: &str) {
        self.event("output", json!({ "category": "console", "output": format!("{text}\n") }));
    }

    /// The error of writing, if there was one.
    pub(crate) fn into_error(self) -> Option<io::Error> {
        self.error
    }
}
