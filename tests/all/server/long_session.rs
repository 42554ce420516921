//! One server that is talked to for very long: edits, requests, cancels, settings, closing
//! and opening, hostile frames. Again and again it is compared with a fresh server that is
//! given the last texts; every request is answered once; memory does not grow.
//!
//! `TUNGSTEN_MESSAGES` is how many messages the long form sends.

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use serde_json::{Value, json};

use super::conformance::{Peer, hostile_frames};
use super::lsp::random::{GCN, KERNELS, METHODS, Random, SNIPPETS, TGSI, Text, parameters, signs};

/// Requests that wait at the same time; then answers are waited for.
const MOST_OPEN: usize = 500;

/// The bytes of a text, above which it is closed: many small ones find more.
const LARGEST: usize = 3000;

/// The most that memory may grow between the first comparison and the last, in KiB.
const MOST_GROWTH: u64 = 150 << 10;

/// Documents: their names say what they begin as.
const DOCUMENTS: usize = 24;

/// Sends so many messages, and compares so many times on the way.
struct Session {
    peer: Peer,
    random: Random,
    settings: Value,
    documents: BTreeMap<String, Text>,
    /// Requests without an answer.
    open: HashSet<i64>,
    /// The number of each kind that were sent.
    sent: BTreeMap<&'static str, u64>,
    answers: u64,
    /// The number of the last request.
    last: i64,
}

fn language(uri: &str) -> (&'static str, &'static str) {
    match uri.rsplit('.').next() {
        Some("s") => ("gcn", GCN),
        Some("gcn") => ("gcn", KERNELS),
        _ => ("tgsi", TGSI),
    }
}

fn open(peer: &mut Peer, uri: &str, text: &str) {
    let item = json!({"uri": uri, "languageId": language(uri).0, "version": 0, "text": text});
    peer.tell("textDocument/didOpen", json!({"textDocument": item}));
}

fn configure(peer: &mut Peer, settings: &Value) {
    let changed = json!({"settings": {"tungsten": settings}});
    peer.tell("workspace/didChangeConfiguration", changed);
}

impl Session {
    fn begin() -> Session {
        let settings = json!({"compile": false});
        let mut peer = Peer::start_pulling(settings.clone());
        peer.answers.clear();
        Session {
            peer,
            random: Random(0x9e37_79b9_7f4a_7c15),
            settings,
            documents: BTreeMap::new(),
            open: HashSet::new(),
            sent: BTreeMap::new(),
            answers: 0,
            last: 0,
        }
    }

    /// Sends one message.
    fn step(&mut self, hostile: &[Vec<u8>]) {
        let number = self.random.below(DOCUMENTS);
        let ending = ["tgsi", "s", "tgsi", "gcn"][number % 4];
        let uri = format!("file:///long/{number}.{ending}");
        let Some(text) = self.documents.get_mut(&uri) else {
            let first = language(&uri).1;
            open(&mut self.peer, &uri, first);
            self.documents.insert(uri, Text::new(first, "utf-16"));
            return self.count("openings");
        };
        match self.random.below(1000) {
            0..=599 => {
                let start = self.random.below(text.signs.len() + 1);
                let end = (start + self.random.below(12)).min(text.signs.len());
                let new = *self.random.of(&SNIPPETS);
                let range = json!({"start": text.position(start), "end": text.position(end)});
                text.version += 1;
                let change = json!({"range": range, "text": new});
                text.signs.splice(start..end, signs(new));
                let item = json!({"uri": uri, "version": text.version});
                let params = json!({"textDocument": item, "contentChanges": [change]});
                self.peer.tell("textDocument/didChange", params);
                if text.signs.len() > LARGEST {
                    self.close(&uri);
                }
                self.count("edits");
            }
            600..=899 => {
                let at = text.position(self.random.below(text.signs.len() + 1));
                let end = text.position(text.signs.len());
                let method = *self.random.of(&METHODS);
                let id = self.peer.ask(method, parameters(&uri, &at, &end));
                self.open.insert(id);
                self.last = id;
                self.count("requests");
            }
            900..=959 => {
                // Of a request that waits, one that has its answer, or none.
                let id = self.last - self.random.below(30) as i64;
                self.peer.tell("$/cancelRequest", json!({"id": id}));
                self.count("cancels");
            }
            960..=961 => {
                self.settings = match self.random.below(3) {
                    0 => json!({"compile": false, "allow": ["unused-declaration"]}),
                    1 => json!({"compile": false, "profile": "r600"}),
                    _ => json!({"compile": false, "targets": ["tahiti"]}),
                };
                configure(&mut self.peer, &self.settings);
                self.count("settings");
            }
            962..=974 => {
                let change = json!({"uri": uri, "type": 1 + self.random.below(3)});
                let changes = json!({"changes": [change]});
                self.peer.tell("workspace/didChangeWatchedFiles", changes);
                self.count("news of files");
            }
            975..=989 => {
                let frame = self.random.of(hostile);
                self.peer.raw(frame);
                self.count("hostile frames");
            }
            _ => {
                self.close(&uri);
                self.count("closings");
            }
        }
    }

    fn close(&mut self, uri: &str) {
        self.documents.remove(uri);
        self.peer.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    fn count(&mut self, what: &'static str) {
        *self.sent.entry(what).or_default() += 1;
    }

    /// Takes what has come; waits while more than so many requests have no answer.
    fn settle(&mut self, most_open: usize) {
        self.peer.take_all();
        loop {
            for (id, (answer, times)) in self.peer.answers.drain() {
                let known = self.open.remove(&id);
                assert!(known && times == 1, "{id} was answered once more: {answer}");
                let code = answer["error"]["code"].as_i64();
                assert!(matches!(code, None | Some(-32800 | -32801)), "{answer}");
                self.answers += 1;
            }
            self.peer.said.clear();
            if self.open.len() <= most_open {
                return;
            }
            self.peer.take();
        }
    }

    /// Compares what the server says with what a fresh one does.
    fn compare(&mut self) {
        self.settle(0);
        let mut fresh = Peer::start_pulling(json!({"compile": false}));
        configure(&mut fresh, &self.settings);
        for (uri, text) in &self.documents {
            open(&mut fresh, uri, &text.whole());
        }
        for (uri, text) in &self.documents {
            let (ours, theirs) = (says(&mut self.peer, uri, text), says(&mut fresh, uri, text));
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert_eq!(ours, theirs, "{uri}: {:?}", text.whole());
            }
        }
        self.peer.answers.clear();
        fresh.finish();
    }
}

/// Asks a server for its results on a text, apart from the names that it gives its answers.
fn says(peer: &mut Peer, uri: &str, text: &Text) -> Vec<Value> {
    let end = text.position(text.signs.len());
    let whole = [
        "textDocument/diagnostic",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/semanticTokens/full",
        "textDocument/inlayHint",
    ];
    let mut asked: Vec<i64> =
        whole.iter().map(|method| peer.ask(method, parameters(uri, &end, &end))).collect();
    for place in (0..text.signs.len()).step_by(97) {
        let at = text.position(place);
        asked.push(peer.ask("textDocument/hover", parameters(uri, &at, &end)));
    }
    let mut said: Vec<Value> = asked.iter().map(|id| peer.answer(*id)["result"].clone()).collect();
    for answer in said.iter_mut().filter_map(Value::as_object_mut) {
        answer.remove("resultId");
    }
    said
}

/// Talks to a server.
fn talk(messages: u64, comparisons: u64) {
    let hostile = hostile_frames().into_iter().filter(|(name, ..)| *name != "too large");
    let hostile: Vec<Vec<u8>> = hostile.map(|(_, frame, _)| frame).collect();
    let mut session = Session::begin();
    let began = Instant::now();
    let mut first = 0;
    for number in 1..=messages {
        session.step(&hostile);
        session.settle(MOST_OPEN);
        if number % (messages / comparisons) == 0 {
            session.compare();
            first = if first == 0 { session.peer.memory("VmRSS:") } else { first };
            eprintln!("{number} messages, {:?}", began.elapsed());
        }
    }
    session.settle(0);
    let (last, most) = (session.peer.memory("VmRSS:"), session.peer.memory("VmHWM:"));
    eprintln!(
        "| {messages} | {:?} | {} | {comparisons} | {} | {first} | {last} | {most} | {:.0} |",
        session.sent,
        session.answers,
        session.peer.nameless.len(),
        began.elapsed().as_secs_f64(),
    );
    assert!(last <= first + MOST_GROWTH, "{first} KiB became {last}");
    assert!(session.peer.nameless.len() as u64 >= session.sent["hostile frames"] / 2);
    assert_eq!(session.answers, session.sent["requests"]);
    session.peer.finish();
}

#[test]
fn a_server_says_after_many_messages_what_a_fresh_one_says() {
    talk(3000, 3);
}

#[test]
#[ignore = "takes half an hour: run by name"]
fn a_server_says_after_a_million_messages_what_a_fresh_one_says() {
    let messages = std::env::var("TUNGSTEN_MESSAGES").ok().and_then(|it| it.parse().ok());
    talk(messages.unwrap_or(1_000_000), 25);
}
