//! The memory of the real process does not grow with what was looked at and closed again,
//! and no request takes more than the table of limits says.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use server::limits;
use tests::client::Client;
use tests::measure;

use crate::work::shapes::{GCN, TGSI};

/// Documents before memory is looked at, and between that and the second look.
const FIRST: usize = 60;
const MORE: usize = 120;

/// Memory that may be kept of each document that is closed, in bytes: its name and its
/// empty results. While it is open it takes four times as much or more.
const KEPT: u64 = 48 << 10;

/// A kernel or shader like no other.
fn text(language: &str, number: usize) -> String {
    let lines = 0..300;
    match language {
        "gcn" => {
            let head = format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nkernel_{number}:\n");
            let body = lines.fold(head, |mut text, line| {
                let from = (line + number) % 60;
                let _ = writeln!(text, "  v_add_f32 v{}, v{}, v{from}", line % 60, (line + 1) % 60);
                text
            });
            body + "  s_endpgm\n"
        }
        _ => {
            let head = "FRAG\nDCL TEMP[0..63]\n".to_owned();
            let body = lines.fold(head, |mut text, line| {
                let (to, from) = (line % 60, (line + number) % 60);
                let _ = writeln!(text, "  {line}: ADD TEMP[{to}], TEMP[{from}], TEMP[0]");
                text
            });
            body + "  300: END\n"
        }
    }
}

/// Opens documents, asks about them, and closes them.
fn look_at(client: &mut Client, language: &str, numbers: std::ops::Range<usize>) {
    for number in numbers {
        let uri = format!("file:///{number}.{language}");
        client.open_as(language, &uri, &text(language, number));
        client.arrived_diagnostics(&uri, 0);
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": 4, "character": 6}});
        let said = client.call("textDocument/hover", at).expect("a hover");
        assert!(said["contents"].is_object(), "{language} {number}: {said}");
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
}

#[test]
fn documents_that_are_closed_leave_nothing_behind() {
    for language in ["gcn", "tgsi"] {
        let program = Path::new(crate::TUNGSTEN);
        let mut client = Client::start(program, json!({}), json!({"compile": false}));
        look_at(&mut client, language, 0..FIRST);
        let before = client.resident();
        look_at(&mut client, language, FIRST..FIRST + MORE);
        let grown = client.resident().saturating_sub(before) * 1024;
        eprintln!("{language}: {} bytes for each closed document", grown / MORE as u64);
        assert!(grown < KEPT * MORE as u64, "{language}: {grown} bytes are kept of {MORE}");
        client.stop();
    }
}

/// Requests about a document as a whole, and about its lines.
const OF_DOCUMENT: [&str; 6] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/documentLink",
    "textDocument/codeLens",
    "tungsten/costs",
];
const OF_RANGE: [&str; 3] =
    ["textDocument/semanticTokens/range", "textDocument/inlayHint", "textDocument/codeAction"];
const OF_PLACE: [&str; 10] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/selectionRange",
    "textDocument/prepareCallHierarchy",
];

/// Every request about a document of so many lines and about one of them, with its parameters.
pub(crate) fn requests(uri: &str, lines: usize, line: usize) -> Vec<(&'static str, Value)> {
    let end = json!({"line": lines, "character": 0});
    let middle = json!({"line": line, "character": 8});
    let parameters = json!({
        "textDocument": {"uri": uri},
        "position": middle,
        "positions": [middle],
        "newName": "v255",
        "context": {"includeDeclaration": true, "diagnostics": []},
        "options": {"tabSize": 4, "insertSpaces": true},
        "range": {"start": {"line": 0, "character": 0}, "end": end},
    });
    let all = OF_DOCUMENT.iter().chain(&OF_RANGE).chain(&OF_PLACE);
    let all = all.chain(&["textDocument/formatting", "textDocument/rangeFormatting"]);
    all.map(|method| (*method, parameters.clone())).collect()
}

/// The memory that the server may have for a text.
fn memory_of(text: &str) -> u64 {
    limits::REQUEST_MEMORY + limits::MEMORY_OF_A_BYTE * text.len() as u64
}

/// Asks everything about a text, and holds that the server never has more memory than that text
/// may take. Returns how many requests were answered with something.
fn check_requests(client: &mut Client, may: u64, language: &str, name: &str, text: &str) -> usize {
    let uri = format!("file:///large.{language}");
    client.forget_most_resident();
    client.open_as(language, &uri, text);
    client.arrived_diagnostics(&uri, 0);
    let mut most = (0, "diagnostics");
    let mut answered = 0;
    let lines = text.lines().count();
    for (method, parameters) in requests(&uri, lines, lines / 2) {
        most = most.max((client.most_resident(), method));
        client.forget_most_resident();
        let answer = client.call(method, parameters);
        answered += usize::from(answer.is_ok_and(|result| !result.is_null()));
    }
    let (took, method) = most.max((client.most_resident(), "the last"));
    let took = took * 1024;
    println!("{language} {name}: {took} bytes for {} of text at {method}", text.len());
    assert!(took <= may, "{language} {name}: {took} bytes for {} of text: {method}", text.len());
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    answered
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "memory is read from /proc")]
fn no_request_takes_more_memory_than_its_document_may() {
    const LINES: usize = 20_000;
    let shader = measure::shader(LINES, 0);
    let kernel = format!("{}{}", measure::CHIP, measure::kernel(LINES, 0));
    for (language, text) in [("tgsi", shader), ("gcn", kernel)] {
        let program = Path::new(crate::TUNGSTEN);
        let mut client = Client::start(program, json!({}), json!({"compile": false}));
        let answered =
            check_requests(&mut client, memory_of(&text), language, "a long text", &text);
        assert!(answered > 10, "{language}: {answered} answers");
        client.stop();
    }
}

/// Bytes of each odd text.
const ODD: usize = if cfg!(unoptimised) { 1 << 16 } else { 1 << 20 };

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "memory is read from /proc")]
fn no_request_about_an_odd_text_takes_more_memory_than_that_may() {
    for (language, shapes) in [("tgsi", &TGSI[..]), ("gcn", &GCN[..])] {
        for shape in shapes {
            let program = Path::new(crate::TUNGSTEN);
            let mut client = Client::start(program, json!({}), json!({"compile": false}));
            let text = shape.text(ODD);
            check_requests(&mut client, memory_of(&text), language, shape.name, &text);
            client.stop();
        }
    }
}

/// Macros of which each call makes lines, and their number.
const MADE: [(&str, &str, u64); 8] = [
    ("instructions", " v_add_f32 v1, v2, v\\a", 2),
    ("labels", "l\\@:", 2),
    ("symbols", ".set x\\@, \\@ + 1", 2),
    ("jumps", "l\\@: s_branch l\\@", 2),
    ("several things", "l\\@: s_branch l\\@\nx\\@ = l\\@ + \\a\n v_add_f32 v1, v2, v\\a", 4),
    ("kernels", ".type k\\@,@function\nk\\@:\n s_endpgm", 4),
    ("descriptors", ".amdhsa_kernel k\\@\n.amdhsa_next_free_vgpr 4\n.end_amdhsa_kernel", 4),
    ("unknown mnemonics", " v_ad_f3 v1", 2),
];

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "memory is read from /proc")]
fn what_macros_make_takes_no_more_memory_than_it_may() {
    // All that may be made takes a build that is not optimised minutes.
    const PART: u64 = if cfg!(unoptimised) { 20 } else { 1 };
    let lines = gcn::limits::EXPANSION_LINES / PART;
    for (name, body, each) in MADE {
        let runs = lines / each - 1;
        let text =
            format!("main:\n.macro m a\n{body}\n.endm\n.rept {runs}\n m 1\n.endr\n s_endpgm\n");
        let program = Path::new(crate::TUNGSTEN);
        let mut client = Client::start(program, json!({}), json!({"compile": false}));
        let may = memory_of(&text) + limits::EXPANSION_MEMORY / PART;
        check_requests(&mut client, may, "gcn", name, &text);
        client.stop();
    }
}

/// The lists that an answer has, those within its entries included.
fn longest_list(answer: &Value) -> usize {
    match answer {
        Value::Array(all) => all.iter().map(longest_list).max().unwrap_or_default().max(all.len()),
        Value::Object(all) => all.values().map(longest_list).max().unwrap_or_default(),
        _ => 0,
    }
}

#[test]
fn costs_of_only_so_many_lines_are_told() {
    let mut client = Client::start(Path::new(crate::TUNGSTEN), json!({}), json!({}));
    let text = "k:\n".to_owned() + &"s_nop 0\n".repeat(limits::ANSWER_COSTS + 7) + "s_endpgm\n";
    let uri = "file:///large.gcn";
    client.open_as("gcn", uri, &text);
    let answer = client.call("tungsten/costs", json!({"textDocument": {"uri": uri}}));
    let code = &answer.expect("an answer")["codes"][0];
    assert_eq!(code["lines"].as_array().map(Vec::len), Some(limits::ANSWER_COSTS));
    assert_eq!(code["lastLine"], limits::ANSWER_COSTS + 8);
    client.call("tungsten/costs", json!({"textDocument": {"uri": uri}})).expect("another answer");
    let words = format!("only the first {} lines with costs of large.gcn", limits::ANSWER_COSTS);
    let shown = client.taken("window/showMessage");
    let told =
        shown.iter().filter(|it| it["message"].as_str().is_some_and(|it| it.contains(&words)));
    assert_eq!(told.count(), 1, "{shown:?}");
}

#[test]
fn answers_list_only_so_many_entries_and_say_so_once() {
    let program = Path::new(crate::TUNGSTEN);
    let mut client = Client::start(program, json!({}), json!({"compile": false}));
    let lines = limits::ANSWER_ENTRIES + 500;
    let uses = " MOV  TEMP[0],TEMP[0]\n".repeat(lines);
    let declarations: String = (1..lines).map(|it| format!("DCL TEMP[{it}]\n")).collect();
    let text = format!("VERT\nDCL TEMP[0]\n{declarations}{uses}END\n");
    let uri = "file:///large.tgsi";
    client.open_as("tgsi", uri, &text);
    client.diagnostics(uri, 0);
    let last_use = json!({"line": 2 * lines, "character": 8});
    for method in [
        "textDocument/references",
        "textDocument/documentHighlight",
        "textDocument/references",
        "textDocument/documentSymbol",
        "textDocument/formatting",
        "textDocument/rename",
    ] {
        let answer = client.call(
            method,
            json!({
                "textDocument": {"uri": uri},
                "position": last_use,
                "newName": "TEMP[30000]",
                "context": {"includeDeclaration": true},
                "options": {"tabSize": 4, "insertSpaces": true},
            }),
        );
        let listed = longest_list(&answer.expect("an answer"));
        match method {
            "textDocument/formatting" | "textDocument/rename" => assert_eq!(listed, 1, "{method}"),
            // The shader itself is an entry, too.
            _ => assert!(listed.abs_diff(limits::ANSWER_ENTRIES) <= 1, "{method}: {listed}"),
        }
    }
    let shown = client.taken("window/showMessage");
    let told = |what: &str| {
        let words = format!("only the first {} {what} of large.tgsi", limits::ANSWER_ENTRIES);
        shown
            .iter()
            .filter(|it| it["message"].as_str().is_some_and(|it| it.contains(&words)))
            .count()
    };
    assert_eq!((told("places"), told("symbols"), shown.len()), (1, 1, 2), "{shown:?}");
    client.finish();
}

#[test]
fn an_answer_has_only_so_many_tokens_and_says_so_once() {
    let program = Path::new(crate::TUNGSTEN);
    let mut client = Client::start(program, json!({}), json!({"compile": false}));
    let uri = "file:///large.gcn";
    let text = format!("main:\n .long 1{}\n", ",1".repeat(limits::ANSWER_TOKENS));
    client.open_as("gcn", uri, &text);
    client.diagnostics(uri, 0);
    for _ in 0..2 {
        let asked = json!({"textDocument": {"uri": uri}});
        let answer = client.call("textDocument/semanticTokens/full", asked).expect("an answer");
        // Each is five numbers.
        assert_eq!(answer["data"].as_array().map(Vec::len), Some(5 * limits::ANSWER_TOKENS));
    }
    let shown = client.taken("window/showMessage");
    let words = format!("only the first {} tokens of large.gcn", limits::ANSWER_TOKENS);
    let told =
        shown.iter().filter(|it| it["message"].as_str().is_some_and(|it| it.contains(&words)));
    assert_eq!((told.count(), shown.len()), (1, 1), "{shown:?}");
    client.finish();
}

#[test]
fn a_selection_in_deep_blocks_grows_by_so_many_steps() {
    const DEEP: usize = 50_000;
    let program = Path::new(crate::TUNGSTEN);
    let mut client = Client::start(program, json!({}), json!({"compile": false}));
    let uri = "file:///deep.tgsi";
    let (open, close) = ("IF TEMP[0].xxxx\n".repeat(DEEP), "ENDIF\n".repeat(DEEP));
    client.open_as("tgsi", uri, &format!("VERT\nDCL TEMP[0]\n{open}{close}END\n"));
    client.diagnostics(uri, 0);
    let at = json!({"line": DEEP, "character": 4});
    let document = json!({"uri": uri});
    let asked = |count: usize| json!({"textDocument": document, "positions": vec![&at; count]});
    let answer = client.call("textDocument/selectionRange", asked(1)).expect("an answer");
    let parents = std::iter::successors(Some(&answer[0]), |it| it.get("parent"));
    let chain: Vec<&Value> = parents.filter(|it| it.is_object()).collect();
    assert_eq!(chain.len(), limits::SELECTION_DEPTH);
    assert_eq!(chain[0]["range"]["start"]["line"], DEEP);
    assert_eq!(chain[chain.len() - 1]["range"]["start"], json!({"line": 0, "character": 0}));
    let refused = client.call("textDocument/selectionRange", asked(limits::ANSWER_ENTRIES + 1));
    let error = refused.expect_err("too many");
    assert!(error["message"].as_str().is_some_and(|it| it.contains("positions")), "{error}");
    client.stop();
}
