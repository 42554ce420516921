//! The memory of the real process does not grow with what was looked at and closed again,
//! and no request takes more than the table of limits says.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use server::limits;
use tests::client::Client;
use tests::measure;

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
    "tungsten/codeCosts",
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

/// Every request about a document, with its parameters.
fn requests(uri: &str, lines: usize) -> Vec<(&'static str, Value)> {
    let end = json!({"line": lines, "character": 0});
    let middle = json!({"line": lines / 2, "character": 8});
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

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "memory is read from /proc")]
fn no_request_takes_more_memory_than_its_document_may() {
    const LINES: usize = 20_000;
    let shader = measure::shader(LINES, 0);
    let kernel = format!("{}{}", measure::CHIP, measure::kernel(LINES, 0));
    for (language, text) in [("tgsi", shader), ("gcn", kernel)] {
        let program = Path::new(crate::TUNGSTEN);
        let mut client = Client::start(program, json!({}), json!({"compile": false}));
        let uri = format!("file:///large.{language}");
        client.open_as(language, &uri, &text);
        client.diagnostics(&uri, 0);
        let may = limits::REQUEST_MEMORY + limits::MEMORY_OF_A_BYTE * text.len() as u64;
        let mut answered = 0;
        for (method, parameters) in requests(&uri, LINES) {
            client.forget_most_resident();
            let id = client.send(method, parameters);
            let answer = client.answer(id);
            answered += usize::from(answer.is_ok_and(|result| !result.is_null()));
            let took = client.most_resident() * 1024;
            println!("{language} {method}: {took} bytes for {} of text", text.len());
            assert!(took <= may, "{language} {method}: {took} bytes for {} of text", text.len());
        }
        assert!(answered > 10, "{language}: {answered} answers");
        // Costs of so long a text may be told of late.
        client.finish_but(&["textDocument/publishDiagnostics"]);
    }
}
