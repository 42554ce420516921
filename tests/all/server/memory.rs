//! The memory of the real process does not grow with what was looked at and closed again.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use tests::client::Client;

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
        client.open(language, &uri, &text(language, number));
        client.diagnostics(&uri, 0);
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": 4, "character": 6}});
        let said = client.call("textDocument/hover", at);
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
        client.finish();
    }
}
