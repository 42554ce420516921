//! Random sessions: edits, requests, cancels, settings, closing. Whatever comes,
//! each request is answered once, places lie in the text, and what the server says
//! in the end is what a fresh one says of the last text.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::connect;
use tests::client::Client;

/// New sessions are begun for so long, whatever the machine.
const BUDGET: Duration = Duration::from_secs(5);
/// Sessions at most.
const SESSIONS: u64 = 40;
/// Steps of a session.
const STEPS: usize = 60;

/// Numbers that look random and are the same in every run (xorshift, 64 bits).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    pub(crate) fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const ENCODINGS: [&str; 3] = ["utf-8", "utf-16", "utf-32"];

/// A text as an editor has it: signs, a line end of two characters being one.
pub(in crate::server) struct Text {
    pub(in crate::server) signs: Vec<String>,
    encoding: &'static str,
    pub(in crate::server) version: i32,
}

impl Text {
    pub(in crate::server) fn new(text: &str, encoding: &'static str) -> Text {
        Text { signs: signs(text), encoding, version: 0 }
    }

    pub(in crate::server) fn whole(&self) -> String {
        self.signs.concat()
    }

    pub(in crate::server) fn position(&self, place: usize) -> Value {
        let (mut line, mut column) = (0, 0);
        for sign in &self.signs[..place] {
            match sign.as_str() {
                "\n" | "\r\n" => (line, column) = (line + 1, 0),
                sign => column += width(sign, self.encoding),
            }
        }
        json!({"line": line, "character": column})
    }

    /// Every position that exists: by line, the columns between signs.
    fn columns(&self) -> Vec<Vec<usize>> {
        let mut lines = vec![vec![0]];
        for sign in &self.signs {
            match sign.as_str() {
                "\n" | "\r\n" => lines.push(vec![0]),
                sign => {
                    let line = lines.last_mut().expect("one at least");
                    line.push(line.last().expect("one at least") + width(sign, self.encoding));
                }
            }
        }
        lines
    }
}

pub(in crate::server) fn signs(text: &str) -> Vec<String> {
    let mut signs: Vec<String> = Vec::new();
    for sign in text.chars() {
        match signs.last_mut() {
            Some(last) if last == "\r" && sign == '\n' => last.push(sign),
            _ => signs.push(sign.to_string()),
        }
    }
    signs
}

fn width(sign: &str, encoding: &str) -> usize {
    match encoding {
        "utf-8" => sign.len(),
        "utf-16" => sign.encode_utf16().count(),
        _ => sign.chars().count(),
    }
}

pub(in crate::server) const TGSI: &str = "FRAG\r\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\nDCL IN[0], GENERIC[0], PERSPECTIVE\n\
    DCL OUT[0], COLOR # é🦀\nDCL TEMP[0..3]\nIMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\n  0: MOV TEMP[0], IN[0]\n\
    \u{20} 1: IF TEMP[0].xxxx :3\r\n  2: ADD TEMP[1], TEMP[0], IMM[0].xyzw\n  3: ENDIF\n  4: MOV OUT[0], TEMP[1]\n  5: END\n";
pub(in crate::server) const GCN: &str = "// é🦀\nmain:\n  s_mov_b32 s0, 0x3f800000\r\n  v_add_f32 v0, v1, v2\nx = 5\n\
    .macro twice a\n  v_mov_b32 v1, \\a\n.endm\n  twice v3\n  s_cbranch_scc0 main\n  s_endpgm\n";

/// Two pieces of code that are entered on their own, and name each other.
pub(in crate::server) const KERNELS: &str = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.type one,@function\none:\n\
    \u{20} buffer_load_dword v0, v1, s[0:3], 0 offen // é🦀\n  v_add_f32 v2, v0, v0\r\n  s_branch two\n\
    .type two,@function\ntwo:\n  s_waitcnt vmcnt(0)\n  s_cbranch_vccnz one\n  s_endpgm\n";

pub(in crate::server) const SNIPPETS: [&str; 17] = [
    "",
    "\n",
    "\r\n",
    "🦀",
    "é",
    "MOV TEMP[0], TEMP[1]\n",
    "TEMP[",
    "IMM[1] UINT32 {1, 2}\n",
    "# c\n",
    "v_mad_f32 v0, v1, v2, v3\n",
    "label:\n",
    "ENDIF\n",
    "/* ",
    "FRAG\nEND\n",
    ".include \"nowhere.inc\"\n",
    "  s_waitcnt lgkmcnt(0)\n",
    "// tungsten: allow=gcn::unused\n",
];

pub(in crate::server) const METHODS: [&str; 18] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/diagnostic",
    "textDocument/declaration",
    "textDocument/documentLink",
    "textDocument/linkedEditingRange",
    "textDocument/prepareCallHierarchy",
];

/// The parameters of every method at once: each takes what it knows.
pub(in crate::server) fn parameters(uri: &str, at: &Value, end: &Value) -> Value {
    json!({
        "textDocument": {"uri": uri},
        "position": at,
        "positions": [at],
        "range": {"start": {"line": 0, "character": 0}, "end": end},
        "context": {
            "includeDeclaration": true, "diagnostics": [], "triggerKind": 1, "isRetrigger": false,
        },
    })
}

/// Fails unless every range of an answer about a document lies in its text, between
/// whole characters.
fn check_ranges(answer: &Value, columns: &[Vec<usize>], what: &str) {
    match answer {
        Value::Array(items) => items.iter().for_each(|it| check_ranges(it, columns, what)),
        Value::Object(fields) => {
            if let (Some(line), Some(column)) = (fields.get("line"), fields.get("character")) {
                let line = line.as_u64().expect("a number") as usize;
                let column = column.as_u64().expect("a number") as usize;
                let has = columns.get(line).is_some_and(|line| line.binary_search(&column).is_ok());
                assert!(has, "{what}: {line}:{column} is no place in the text");
            }
            if let (Some(start), Some(end)) = (fields.get("start"), fields.get("end")) {
                let place = |it: &Value| (it["line"].as_u64(), it["character"].as_u64());
                assert!(place(start) <= place(end), "{what}: {answer}");
            }
            fields.values().for_each(|it| check_ranges(it, columns, what));
        }
        _ => {}
    }
}

/// Fails unless tokens come in order, one after the other, each within its line.
fn check_tokens(answer: &Value, columns: &[Vec<usize>]) {
    let Some(data) = answer["data"].as_array() else { return };
    let numbers: Vec<usize> =
        data.iter().map(|it| it.as_u64().expect("a number") as usize).collect();
    let (mut line, mut column, mut end) = (0, 0, 0);
    for token in numbers.chunks(5) {
        if token[0] > 0 {
            (line, column, end) = (line + token[0], 0, 0);
        }
        column += token[1];
        assert!(column >= end, "tokens overlap in line {line}");
        end = column + token[2];
        let has = |column| columns[line].binary_search(&column).is_ok();
        assert!(has(column) && has(end), "a token at {line}:{column} is no place in the text");
    }
}

fn check_sorted(answer: &Value, what: &str) {
    let items = answer.get("items").unwrap_or(answer).as_array();
    let starts = items.into_iter().flatten().map(|it| {
        let start = &it["range"]["start"];
        (start["line"].as_u64(), start["character"].as_u64())
    });
    assert!(starts.is_sorted(), "{what} is out of order: {answer}");
}

/// Asks a server for its results on a text, apart from the names it gives its answers.
fn says(client: &mut Client, uri: &str, text: &Text) -> Vec<Value> {
    let end = text.position(text.signs.len());
    let mut all = Vec::new();
    let whole = [
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/semanticTokens/full",
        "textDocument/inlayHint",
        "textDocument/diagnostic",
    ];
    for method in whole {
        let mut answer = client.call(method, parameters(uri, &end, &end)).expect(method);
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("resultId");
        }
        check_ranges(&answer, &text.columns(), method);
        all.push(answer);
    }
    check_tokens(&all[2], &text.columns());
    check_sorted(&all[4], "diagnostics");
    for place in (0..text.signs.len()).step_by(37) {
        let at = text.position(place);
        let hover = client.call("textDocument/hover", parameters(uri, &at, &end));
        all.push(hover.expect("a hover"));
    }
    all
}

fn start(encoding: &str) -> Client {
    let capabilities = json!({
        "general": {"positionEncodings": [encoding]},
        "textDocument": {"diagnostic": {}},
    });
    connect(capabilities, json!({"compile": false}))
}

fn session(seed: u64) {
    let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let encoding = *random.of(&ENCODINGS);
    let mut client = start(encoding);
    let files = [
        ("a.tgsi", "tgsi", TGSI),
        ("b.tgsi", "tgsi", TGSI),
        ("c.s", "gcn", GCN),
        ("d.s", "gcn", KERNELS),
    ];
    let mut open: BTreeMap<String, Text> = BTreeMap::new();
    let mut settings = json!({"compile": false});
    let mut waiting: Vec<i64> = Vec::new();
    for _ in 0..STEPS {
        let (name, language, first) = *random.of(&files);
        let uri = format!("file:///random/{name}");
        let Some(text) = open.get_mut(&uri) else {
            client.open_as(language, &uri, first);
            open.insert(uri, Text::new(first, encoding));
            continue;
        };
        match random.below(20) {
            0..=8 => {
                let start = random.below(text.signs.len() + 1);
                let end = (start + random.below(12)).min(text.signs.len());
                let new = *random.of(&SNIPPETS);
                let range = json!({"start": text.position(start), "end": text.position(end)});
                text.version += 1;
                client.edit(&uri, text.version, range, new);
                text.signs.splice(start..end, signs(new));
            }
            9..=15 => {
                let method = *random.of(&METHODS);
                let at = text.position(random.below(text.signs.len() + 1));
                let end = text.position(text.signs.len());
                let id = client.send(method, parameters(&uri, &at, &end));
                match random.below(3) {
                    0 => waiting.push(id),
                    1 => {
                        client.notify("$/cancelRequest", json!({ "id": id }));
                        waiting.push(id);
                    }
                    _ => {
                        // No edit came after it: it is answered, from this text.
                        let answer = client.answer(id).expect(method);
                        let columns = text.columns();
                        check_ranges(&answer, &columns, method);
                        if method.contains("semanticTokens") {
                            check_tokens(&answer, &columns);
                        }
                        if method == "textDocument/diagnostic" {
                            check_sorted(&answer, method);
                        }
                    }
                }
            }
            16..=17 => {
                settings = match random.below(3) {
                    0 => json!({"compile": false, "allow": ["unused-declaration"]}),
                    1 => json!({"compile": false, "inlayHints": {"values": false}}),
                    _ => json!({"compile": false, "targets": ["tahiti"]}),
                };
                let changed = json!({"settings": {"tungsten": settings}});
                client.notify("workspace/didChangeConfiguration", changed);
            }
            18 => {
                client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
                open.remove(&uri);
            }
            _ => {
                let found = client.call("workspace/symbol", json!({"query": "t"}));
                assert!(found.is_ok(), "{found:?}");
            }
        }
    }
    for id in waiting {
        if let Err(error) = client.answer(id) {
            let code = error["code"].as_i64();
            assert!(matches!(code, Some(-32800 | -32801)), "{error}");
        }
    }
    let mut fresh = start(encoding);
    let changed = json!({"settings": {"tungsten": settings}});
    fresh.notify("workspace/didChangeConfiguration", changed);
    for (uri, text) in &open {
        let language = if uri.ends_with(".s") { "gcn" } else { "tgsi" };
        fresh.open_as(language, uri, &text.whole());
        let (ours, theirs) = (says(&mut client, uri, text), says(&mut fresh, uri, text));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "seed {seed}, {uri}: {:?}", text.whole());
        }
    }
    fresh.finish();
    client.finish(); // Fails where an answer is owed, or came twice.
}

/// Plays sessions of seeds from 1 on: as many, or those begun within [`BUDGET`].
pub(super) fn play(sessions: u64, session: impl Fn(u64)) {
    // The first reads the tables, which a debug build is slow at.
    session(0);
    let begin = Instant::now();
    let mut played = 0;
    while played < sessions && begin.elapsed() < BUDGET {
        played += 1;
        session(played);
    }
    eprintln!("{played} sessions in {:?}", begin.elapsed());
}

#[test]
fn random_sessions_end_as_fresh_ones() {
    play(SESSIONS, session);
}
