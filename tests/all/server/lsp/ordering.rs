//! Order, cancelling, and one answer for every request.

use serde_json::{Value, json};

use super::plain;

const URI: &str = "file:///shader.tgsi";

/// A vertex shader with this many instructions.
fn shader(instructions: usize) -> String {
    let mut text = String::from("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..3]\n");
    for number in 0..instructions {
        text.push_str(&format!("{number:3}: ADD TEMP[{}], IN[0], TEMP[1]\n", number % 4));
    }
    text.push_str(&format!("{instructions:3}: END\n"));
    text
}

fn line(line: usize) -> Value {
    json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}})
}

#[test]
fn five_hundred_edits_arrive_in_order_before_the_question() {
    let mut client = plain();
    client.open(URI, "VERT\n");
    // Each edit depends on the one before: it adds a line behind the last.
    for number in 0..500 {
        let text = format!("DCL TEMP[{number}]\n");
        client.edit(URI, number as i32 + 1, line(number + 1), &text);
    }
    let params = json!({"textDocument": {"uri": URI}});
    let symbols = client.call("textDocument/documentSymbol", params).unwrap();
    let names: Vec<&str> = symbols[0]["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|child| child["name"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = (0..500).map(|number| format!("TEMP[{number}]")).collect();
    assert_eq!(names, expected);
    client.diagnostics(URI, 500);
    client.finish();
}

#[test]
fn every_request_is_answered_once_among_edits_and_cancels() {
    let mut client = plain();
    client.open(URI, &shader(300));
    let mut asked = Vec::new();
    for number in 0..300 {
        let hover = json!({
            "textDocument": {"uri": URI},
            "position": {"line": 4 + number % 200, "character": 6},
        });
        asked.push(client.send("textDocument/hover", hover));
        let document = json!({"textDocument": {"uri": URI}});
        asked.push(client.send("textDocument/documentSymbol", document));
        if number % 7 == 0 {
            client.edit(URI, number + 1, line(4), "# said\n");
        }
        if number % 3 == 0 {
            let id = asked[asked.len() - 2];
            client.notify("$/cancelRequest", json!({ "id": id }));
        }
    }
    let (mut answered, mut cancelled, mut outdated) = (0, 0, 0);
    for id in asked {
        // `Client::answer` fails on a second answer, `finish` on a missing one.
        match client.answer(id) {
            Ok(_) => answered += 1,
            Err(error) if error["code"] == -32800 => cancelled += 1,
            Err(error) if error["code"] == -32801 => outdated += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(answered + cancelled + outdated, 600);
    assert!(answered >= 300, "outlines are answered whatever the edits: {answered}");
    client.diagnostics(URI, 295);
    client.finish();
}

#[test]
fn diagnostics_keep_up_with_typing() {
    let mut client = plain();
    client.open(URI, &shader(300));
    for version in 1..=50 {
        let text = if version % 2 == 1 { "MOVV\n" } else { "" };
        let end = if version % 2 == 1 { 4 } else { 5 };
        let range =
            json!({"start": {"line": 4, "character": 0}, "end": {"line": end, "character": 0}});
        client.edit(URI, version, range, text);
        let diagnostics = client.diagnostics(URI, version.into());
        let errors = diagnostics.iter().filter(|it| it["severity"] == 1).count();
        assert_eq!(errors, version as usize % 2, "{diagnostics:?}");
    }
    client.finish();
}

#[tokio::test]
async fn a_connection_that_breaks_ends_the_server() {
    let (ours, theirs) = tokio::io::duplex(1 << 10);
    let (input, output) = tokio::io::split(theirs);
    let env = server::lsp::ServerEnv { worker: "tungsten".into(), ..Default::default() };
    let server = tokio::spawn(server::lsp::serve(input, output, env));
    drop(ours);
    let orderly = server.await.expect("no panic");
    assert!(!orderly, "nobody said `shutdown`");
}
