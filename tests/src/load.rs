//! A busy hour in short: many open documents, one of them typed in, compiles for
//! several targets, and a client that asks all the time.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Arrived, Client, Place};
use crate::measure::{CHIP, kernel, shader};

/// The amount of work.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Open documents: two thirds are shaders, the others assembly.
    pub documents: usize,
    /// Edits of one of them.
    pub edits: usize,
    /// From one edit to the next.
    pub pause: Duration,
    /// The search for a faster form of another document, all the while or not.
    pub search: Search,
}

/// A search for a faster form beside everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// None.
    None,
    /// One that does not end by itself.
    Running,
}

/// The results of the load.
#[derive(Debug)]
pub struct Outcome {
    /// The time of each completion.
    pub completions: Vec<Duration>,
    /// The time of each hover.
    pub hovers: Vec<Duration>,
    /// Questions that were refused, since an edit overtook them.
    pub refused: usize,
    /// From an edit to its diagnostics, for each that got them before the next edit.
    pub diagnostics: Vec<Duration>,
    /// The versions that diagnostics came for, in the order in which they came.
    pub told: Vec<i64>,
    /// The most threads that the server had.
    pub threads: u64,
    /// The most compiler processes that it had.
    pub compilers: usize,
    /// True if the search was still running behind the last edit.
    pub searched: bool,
    /// True if there was a compiler to be busy with.
    pub compiled: bool,
    /// The server's last diagnostics of the edited document.
    pub last: Value,
    /// The diagnostics of a fresh server for the same text.
    pub fresh: Value,
}

/// The chips that everything is compiled for.
const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

const EDITED: &str = "file:///load/0.tgsi";

/// A shader whose last instruction reads a constant that is one letter.
fn edited(letter: char) -> (String, Place) {
    let last = "MOV OUT[0], CONST[0][";
    let text = shader(300, 0).replace("MOV OUT[0], IN[0]", &format!("{last}{letter}]"));
    let line = text.lines().position(|line| line.starts_with(last)).unwrap_or_default();
    (text, Place { line, start: last.len(), end: last.len() + 1 })
}

/// Returns the sign that an edit types: a number, or a letter.
fn letter(edit: usize) -> char {
    if edit.is_multiple_of(3) { 'x' } else { char::from(b'0' + (edit % 10) as u8) }
}

/// Puts a server under load.
pub fn run(program: &Path, load: Load) -> Outcome {
    let options = json!({ "targets": TARGETS });
    let mut client = Client::start(program, json!({}), options.clone());
    let compiled = client.has_compiler();
    let (text, place) = edited('7');
    client.open(EDITED, &text);
    for number in 1..load.documents {
        match number % 3 {
            0 => client.open_as(
                "gcn",
                &format!("file:///load/{number}.s"),
                &(CHIP.to_owned() + &kernel(500, number)),
            ),
            _ => client.open(&format!("file:///load/{number}.tgsi"), &shader(100, number)),
        }
    }
    let mut outcome = Outcome {
        completions: Vec::new(),
        hovers: Vec::new(),
        refused: 0,
        diagnostics: Vec::new(),
        told: Vec::new(),
        threads: 0,
        compilers: 0,
        searched: false,
        compiled,
        last: Value::Null,
        fresh: Value::Null,
    };
    client.arrived_diagnostics(EDITED, 0);
    let search = (load.search == Search::Running).then(|| {
        let place = json!({"line": 2, "character": 0});
        let document = json!({"uri": "file:///load/1.tgsi"});
        let params = json!({"textDocument": document, "position": place, "seconds": 600});
        client.send("tungsten/advise", params)
    });
    for edit in 1..=load.edits {
        let sent = client.edit(EDITED, edit as i64, place, &letter(edit).to_string());
        let next = sent + load.pause;
        let at = |line: usize, character: usize| {
            json!({
                "textDocument": {"uri": EDITED},
                "position": {"line": line, "character": character},
            })
        };
        // An editor asks for both at every key: where one types, and where the mouse is.
        let completion = client.send("textDocument/completion", at(place.line, place.end));
        let hover = client.send("textDocument/hover", at(6 + edit % 200, 6));
        for (id, times) in [(completion, &mut outcome.completions), (hover, &mut outcome.hovers)] {
            match client.timed_answer(id) {
                (time, Ok(_)) => times.push(time),
                (_, Err(_)) => outcome.refused += 1,
            }
        }
        client.listen(next);
        outcome.threads = outcome.threads.max(client.threads());
        outcome.compilers = outcome.compilers.max(client.compilers());
        let is_it = |it: &&Arrived| it.message["params"]["version"] == edit;
        let came = client.unread_diagnostics(EDITED).find(is_it);
        outcome.diagnostics.extend(came.map(|it| it.at.saturating_duration_since(sent)));
    }
    if let Some(search) = search {
        outcome.searched = client.is_open(search);
        client.notify("$/cancelRequest", json!({"id": search}));
        outcome.searched &= client.answer(search).is_err();
    }
    outcome.fresh = fresh(program, options, load.edits);
    // Diagnostics of an older text may come before; nothing else may come after.
    let edits = load.edits as i64;
    let right = |message: &Value| {
        message["params"]["version"] == edits && message["params"]["diagnostics"] == outcome.fresh
    };
    let is_right = |message: &Value| message["params"]["uri"] == EDITED && right(message);
    let versions =
        client.unread_diagnostics(EDITED).map(|it| it.message["params"]["version"].as_i64());
    outcome.told = versions.flatten().collect();
    let last = client.wait("textDocument/publishDiagnostics", is_right);
    outcome.told.extend(last.message["params"]["version"].as_i64());
    while result(client.call("tungsten/status", Value::Null))["compiling"] != 0 {
        client.listen(Instant::now() + Duration::from_millis(5));
    }
    result(client.call("textDocument/documentSymbol", json!({"textDocument": {"uri": EDITED}})));
    let last = client.unread_diagnostics(EDITED).next_back();
    let last = last.map(|it| it.message["params"]["diagnostics"].clone());
    outcome.last = last.unwrap_or_else(|| outcome.fresh.clone());
    client.stop();
    outcome
}

fn result(answer: Result<Value, Value>) -> Value {
    answer.unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the diagnostics of a server that has seen no other text than that behind the
/// last edit.
fn fresh(program: &Path, options: Value, edits: usize) -> Value {
    let mut client = Client::start(program, json!({}), options);
    client.has_compiler();
    client.open(EDITED, &edited(letter(edits)).0);
    let mut found = client.arrived_diagnostics(EDITED, 0);
    client.stop();
    found.message["params"]["diagnostics"].take()
}
