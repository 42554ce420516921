//! Help while a shader is written and read: completion, signatures, navigation, renaming,
//! folding, selections, colours.

use serde_json::{Value, json};

use super::{connect, plain};
use tests::client::Client;

const URI: &str = "file:///shader.tgsi";
/// A comment with a character of 4 bytes and 2 UTF-16 units stands before the
/// last instruction: positions behind it differ by unit.
const SHADER: &str = "\
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..1]
DCL SAMP[0]
IMM[0] FLT32 { 0.5, 0.5, 0.0, 1.0}
  0: MUL TEMP[0].xy, IN[0], IMM[0]
  1: IF TEMP[0].xxxx :3
  2:   MOV TEMP[1], TEMP[0].xyyy
  3: ENDIF
/*\u{1f980}*/ 4: MOV OUT[0], TEMP[1]
  5: END
";

fn at(line: u32, character: u32) -> Value {
    json!({
        "textDocument": {"uri": URI},
        "position": {"line": line, "character": character},
    })
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    })
}

fn opened(capabilities: Value) -> Client {
    let mut client = connect(capabilities, json!({"compile": false}));
    client.open(URI, SHADER);
    client.diagnostics(URI, 0);
    client
}

/// Inserts a line before `END`, and asks what may follow it.
fn completions(client: &mut Client, version: i32, line: &str) -> Vec<Value> {
    let place = json!({
        "start": {"line": 11, "character": 0},
        "end": {"line": 11, "character": 0},
    });
    client.edit(URI, version, place, &format!("{line}\n"));
    let answer = client.call("textDocument/completion", at(11, line.len() as u32)).unwrap();
    client.diagnostics(URI, i64::from(version));
    answer["items"].as_array().unwrap_or_else(|| panic!("{line}: {answer}")).clone()
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn completion_fits_the_place_and_is_explained_on_demand() {
    let mut client = opened(json!({}));
    let items = completions(&mut client, 1, "  5: M");
    let labels_here = labels(&items);
    assert!(labels_here.contains(&"MAD") && labels_here.contains(&"KILL_IF"), "{labels_here:?}");
    assert!(!labels_here.contains(&"EMIT") && !labels_here.contains(&"DCL"), "{labels_here:?}");
    let mad = items.iter().find(|item| item["label"] == "MAD").unwrap();
    assert_eq!(mad["textEdit"], json!({"range": range(11, 5, 6), "newText": "MAD"}));
    assert_eq!(mad["insertTextFormat"], 1, "no snippets for who takes none");
    assert_eq!(mad["filterText"], "MAD", "for clients that filter an edit by nothing else");
    assert_eq!(mad["labelDetails"], Value::Null, "for who shows none");
    assert_eq!(mad["documentation"], Value::Null);
    let resolved = client.call("completionItem/resolve", mad.clone()).unwrap();
    let text = resolved["documentation"]["value"].as_str().unwrap();
    assert!(text.contains("dst.c = src0.c * src1.c + src2.c"), "{text}");

    let items = completions(&mut client, 2, "TEX TEMP[0], IN[0], ");
    assert_eq!(labels(&items), ["SAMP[0]"]);
    let items = completions(&mut client, 3, "TEX TEMP[0], IN[0], SAMP[0], CUBE");
    assert!(labels(&items).contains(&"CUBEARRAY"));
    let items = completions(&mut client, 4, "MOV TEMP[0].");
    assert!(labels(&items).contains(&"xyz"));
    let sorted = items.is_sorted_by_key(|item| item["sortText"].as_str().unwrap().to_owned());
    assert!(sorted, "the fittest come first");
    client.finish();
}

#[test]
fn who_takes_snippets_gets_operands_to_fill_in() {
    let snippets = json!({"snippetSupport": true, "labelDetailsSupport": true});
    let completion = json!({"completion": {"completionItem": snippets}});
    let mut client = opened(json!({ "textDocument": completion }));
    let items = completions(&mut client, 1, "TE");
    let tex = items.iter().find(|item| item["label"] == "TEX").unwrap();
    assert_eq!(tex["insertTextFormat"], 2);
    assert_eq!(tex["textEdit"]["newText"], "TEX ${1:dst}, ${2:src0}, ${3:src1}, ${4:TARGET}");
    assert_eq!(tex["labelDetails"]["description"], tex["detail"], "in every row");
    client.finish();
}

#[test]
fn a_blank_asks_for_operands_but_not_while_indenting() {
    let mut client = opened(json!({}));
    let mut params = at(8, 6);
    params["context"] = json!({"triggerKind": 2, "triggerCharacter": " "});
    let operands = client.call("textDocument/completion", params.clone()).unwrap();
    assert!(operands["items"].is_array(), "{operands}");
    params["position"]["character"] = json!(2);
    assert_eq!(client.call("textDocument/completion", params), Ok(Value::Null));
    client.finish();
}

#[test]
fn an_empty_document_begins_with_a_stage() {
    let mut client = plain();
    client.open(URI, "");
    let answer = client.call("textDocument/completion", at(0, 0)).unwrap();
    let items = answer["items"].as_array().unwrap();
    assert!(labels(items).contains(&"FRAG"), "{answer}");
    client.diagnostics(URI, 0);
    client.finish();
}

#[test]
fn the_signature_follows_the_commas() {
    let offsets = json!({"signatureHelp": {"signatureInformation": {
        "parameterInformation": {"labelOffsetSupport": true},
    }}});
    let mut client = opened(json!({ "textDocument": offsets }));
    let help = client.call("textDocument/signatureHelp", at(6, 22)).unwrap();
    assert_eq!(help["signatures"][0]["label"], "MUL dst: float, src0: float, src1: float");
    assert_eq!(help["activeParameter"], 1);
    assert_eq!(help["signatures"][0]["parameters"][1]["label"], json!([16, 27]));
    let nowhere = client.call("textDocument/signatureHelp", at(1, 9));
    assert_eq!(nowhere, Ok(Value::Null));
    client.finish();
}

#[test]
fn hover_spells_the_operands_and_links_their_declarations() {
    let mut client = opened(json!({}));
    let hover = client.call("textDocument/hover", at(6, 6)).unwrap();
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("TEMP[0].xy = IN[0].xy × (0.5, 0.5)"), "{text}");
    assert!(text.contains("reads `IN[0].xy` as float"), "{text}");
    assert!(text.contains("[`DCL TEMP[0..1]`](file:///shader.tgsi#L4)"), "{text}");
    client.finish();
}

#[test]
fn definitions_references_and_highlights() {
    let mut client = opened(json!({}));
    let definition = client.call("textDocument/definition", at(8, 18)).unwrap();
    assert_eq!(definition, json!([{"uri": URI, "range": range(3, 4, 14)}]));
    assert_eq!(client.call("textDocument/declaration", at(8, 18)), Ok(definition));
    let label = client.call("textDocument/definition", at(7, 23)).unwrap();
    assert_eq!(label, json!([{"uri": URI, "range": range(9, 5, 10)}]));

    let mut params = at(8, 12);
    params["context"] = json!({"includeDeclaration": false});
    let references = client.call("textDocument/references", params).unwrap();
    // Behind the crab two units of UTF-16 were counted.
    let expected = json!([
        {"uri": URI, "range": range(8, 11, 18)},
        {"uri": URI, "range": range(10, 22, 29)},
    ]);
    assert_eq!(references, expected);

    let highlights = client.call("textDocument/documentHighlight", at(6, 10)).unwrap();
    assert_eq!(
        highlights,
        json!([
            {"range": range(3, 4, 14), "kind": 1},
            {"range": range(6, 9, 16), "kind": 3},
            {"range": range(7, 8, 15), "kind": 2},
            {"range": range(8, 20, 27), "kind": 2},
        ])
    );
    client.finish();
}

#[test]
fn who_takes_links_gets_the_whole_statement() {
    let link = json!({"linkSupport": true});
    let mut client = opened(json!({"textDocument": {"definition": link, "declaration": link}}));
    let definition = client.call("textDocument/definition", at(8, 12)).unwrap();
    assert_eq!(
        definition,
        json!([{
            "originSelectionRange": range(8, 11, 18),
            "targetUri": URI,
            "targetRange": range(3, 0, 14),
            "targetSelectionRange": range(3, 4, 14),
        }])
    );
    client.finish();
}

#[test]
fn a_register_is_renumbered_or_the_reason_is_told() {
    let versioned = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut client = opened(versioned);
    let prepared = client.call("textDocument/prepareRename", at(8, 12)).unwrap();
    assert_eq!(prepared, json!({"range": range(8, 11, 18), "placeholder": "TEMP[1]"}));
    let mut params = at(8, 12);
    params["newName"] = json!("TEMP[7]");
    let edit = client.call("textDocument/rename", params.clone()).unwrap();
    assert_eq!(
        edit["documentChanges"],
        json!([{
            "textDocument": {"uri": URI, "version": 0},
            "edits": [
                {"range": range(3, 0, 14), "newText": "DCL TEMP[0]\nDCL TEMP[7]"},
                {"range": range(8, 16, 17), "newText": "7"},
                {"range": range(10, 27, 28), "newText": "7"},
            ],
        }])
    );
    params["newName"] = json!("TEMP[0]");
    let refused = client.call("textDocument/rename", params).unwrap_err();
    assert_eq!(
        (refused["code"].clone(), refused["message"].clone()),
        (json!(-32803), json!("TEMP[0] is in use"))
    );
    let refused = client.call("textDocument/prepareRename", at(6, 30)).unwrap_err();
    assert_eq!(refused["message"], "immediates are numbered by their order");
    client.finish();
}

#[test]
fn shaders_blocks_and_declarations_fold() {
    let mut client = opened(json!({}));
    let params = json!({"textDocument": {"uri": URI}});
    let folds = client.call("textDocument/foldingRange", params).unwrap();
    assert_eq!(
        folds,
        json!([
            {"startLine": 0, "endLine": 11, "kind": "region"},
            {"startLine": 1, "endLine": 5},
            {"startLine": 7, "endLine": 8},
        ])
    );
    client.finish();
}

#[test]
fn selections_grow() {
    let mut client = opened(json!({}));
    let params = json!({
        "textDocument": {"uri": URI},
        "positions": [{"line": 8, "character": 22}, {"line": 0, "character": 1}],
    });
    let answer = client.call("textDocument/selectionRange", params).unwrap();
    let mut ranges = Vec::new();
    let mut part = &answer[0];
    while part.is_object() {
        ranges.push(part["range"].clone());
        part = &part["parent"];
    }
    let head = [range(8, 20, 24), range(8, 20, 27), range(8, 20, 32), range(8, 2, 32)];
    assert_eq!(ranges[..4], head);
    assert_eq!(ranges.len(), 7, "block, shader, file: {ranges:?}");
    assert_eq!(answer.as_array().unwrap().len(), 2);
    client.finish();
}

/// The lines, columns and lengths of tokens, and their kinds.
fn places(data: &Value) -> Vec<[u64; 4]> {
    let numbers: Vec<u64> =
        data.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let tokens = numbers.chunks_exact(5).map(|token| {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        [line, column, token[2], token[3]]
    });
    tokens.collect()
}

#[test]
fn words_are_coloured_whole_by_range_and_by_difference() {
    let mut client = opened(json!({}));
    let params = json!({"textDocument": {"uri": URI}});
    let full = client.call("textDocument/semanticTokens/full", params).unwrap();
    let tokens = places(&full["data"]);
    assert_eq!(tokens[..3], [[0, 0, 4, 0], [1, 0, 3, 0], [1, 4, 2, 2]]);
    assert!(tokens.contains(&[10, 0, 6, 7]), "the comment in units of UTF-16: {tokens:?}");
    assert!(tokens.contains(&[10, 10, 3, 1]), "the opcode behind it: {tokens:?}");

    let params = json!({"textDocument": {"uri": URI}, "range": range(8, 0, 40)});
    let some = client.call("textDocument/semanticTokens/range", params).unwrap();
    let expected: Vec<_> = tokens.iter().filter(|token| token[0] == 8).copied().collect();
    assert_eq!(places(&some["data"]), expected);

    client.edit(URI, 1, range(8, 7, 10), "FLR_SAT");
    let params = json!({"textDocument": {"uri": URI}, "previousResultId": full["resultId"]});
    let delta = client.call("textDocument/semanticTokens/full/delta", params).unwrap();
    let edits = delta["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 1);
    let mut patched = full["data"].as_array().unwrap().clone();
    let start = edits[0]["start"].as_u64().unwrap() as usize;
    let end = start + edits[0]["deleteCount"].as_u64().unwrap() as usize;
    assert!(end - start <= 10, "the opcode, and the distance of the next word: {delta}");
    patched.splice(start..end, edits[0]["data"].as_array().unwrap().clone());
    let params = json!({"textDocument": {"uri": URI}});
    let again = client.call("textDocument/semanticTokens/full", params).unwrap();
    assert_eq!(Value::Array(patched), again["data"]);
    assert_eq!(delta["resultId"], again["resultId"]);
    client.diagnostics(URI, 1);
    client.finish();
}

/// The names of the other ends of calls, with the lines of the places.
fn calls(answer: &Value, end: &str) -> Vec<(String, Vec<u64>)> {
    let calls = answer.as_array().expect("a list").iter();
    calls
        .map(|call| {
            let lines = call["fromRanges"].as_array().expect("places").iter();
            let lines = lines.map(|range| range["start"]["line"].as_u64().expect("a line"));
            (call[end]["name"].as_str().expect("a name").to_owned(), lines.collect())
        })
        .collect()
}

#[test]
fn calls_lead_up_and_down_in_both_languages() {
    let shader = "FRAG\nDCL OUT[0], COLOR\n  0: CAL :3\n  1: CAL :3\n  2: END\n  3: BGNSUB\n\
        \u{20} 4: CAL :7\n  5: RET\n  6: ENDSUB\n  7: BGNSUB\n  8: RET\n  9: ENDSUB\n";
    let code = ".macro twice\n  s_nop 0\n.endm\n.type main,@function\nmain:\n  twice\n\
        \u{20} s_branch tail\nagain:\n  twice\n  s_branch again\n.type tail,@function\ntail:\n\
        \u{20} s_branch main\n  s_endpgm\n";
    let mut client = plain();
    for (language, uri, text, position, name, incoming, outgoing) in [
        (
            "tgsi",
            "file:///a.tgsi",
            shader,
            (2, 6),
            "BGNSUB 3",
            vec![("FRAG", vec![2, 3])],
            vec![("BGNSUB 7", vec![6])],
        ),
        (
            "gcn",
            "file:///a.s",
            code,
            (12, 12),
            "main",
            vec![("tail", vec![12])],
            vec![("twice", vec![5, 8]), ("tail", vec![6])],
        ),
    ] {
        client.open_as(language, uri, text);
        client.diagnostics(uri, 0);
        let at = json!({
            "textDocument": {"uri": uri},
            "position": {"line": position.0, "character": position.1},
        });
        let items = client.call("textDocument/prepareCallHierarchy", at).unwrap();
        assert_eq!(items[0]["name"], name, "{items}");
        let item = json!({"item": items[0]});
        let expected = |calls: Vec<(&str, Vec<u64>)>| -> Vec<(String, Vec<u64>)> {
            calls.into_iter().map(|(name, lines)| (name.to_owned(), lines)).collect()
        };
        let found = client.call("callHierarchy/incomingCalls", item.clone()).unwrap();
        assert_eq!(calls(&found, "from"), expected(incoming), "{found}");
        let found = client.call("callHierarchy/outgoingCalls", item).unwrap();
        assert_eq!(calls(&found, "to"), expected(outgoing), "{found}");
    }
    client.finish();
}

#[test]
fn a_label_is_typed_everywhere_at_once_and_a_register_is_not() {
    let mut client = plain();
    let uri = "file:///a.s";
    client.open_as("gcn", uri, "again:\n  v_mov_b32 v0, v1\n  s_branch again\n  s_endpgm\n");
    client.diagnostics(uri, 0);
    let at = |line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let linked = client.call("textDocument/linkedEditingRange", at(2, 13)).unwrap();
    let starts: Vec<_> = linked["ranges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (it["start"]["line"].as_u64().unwrap(), it["start"]["character"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(starts, [(0, 0), (2, 11)]);
    let none = client.call("textDocument/linkedEditingRange", at(1, 13)).unwrap();
    assert_eq!(none, Value::Null);
    client.finish();
}
