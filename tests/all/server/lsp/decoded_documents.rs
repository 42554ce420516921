//! Files of bytes, opened as the text they stand for.

use serde_json::json;

use super::plain;
use crate::server::folder::Folder;

/// `VERT`, `MOV OUT[0], IN[0]`, `END` in the layout of 2016.
const WORDS: [u32; 6] = [0x0402, 0, 0x00a0_1022, 0x0000_00f3, 0x3900_0002, 0x0007_5002];

#[test]
fn a_file_of_tokens_is_served_as_text() {
    let folder = Folder::new("tokens");
    let path = folder.path().join("shader.tgsib");
    std::fs::write(&path, tgsi::tokens::to_raw(&WORDS)).unwrap();

    let mut client = plain();
    let source = format!("file://{}", path.display()).replace('/', "%2F").replace(':', "%3A");
    let uri = format!("tungsten-decoded:/shader.tgsib.tgsi?{source}");
    let content = client.call("workspace/textDocumentContent", json!({"uri": uri})).unwrap();
    let text = content["text"].as_str().unwrap().to_owned();
    assert_eq!(text, "VERT\n  0: MOV OUT[0], IN[0]\n  1: END\n");

    // From here on it is a document like any other.
    client.open(&uri, &text);
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}});
    let hover = client.call("textDocument/hover", at).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("MOV"), "{hover}");
    let found = client.message("textDocument/publishDiagnostics");
    assert_eq!(found["uri"], json!(uri));
    assert!(!found["diagnostics"].as_array().unwrap().is_empty(), "nothing is declared: {found}");

    // Unreadable files are reported.
    std::fs::write(&path, [1, 2, 3]).unwrap();
    let refused = client.call("workspace/textDocumentContent", json!({"uri": uri}));
    let refused = refused.unwrap_err();
    assert_eq!(refused["code"], -32803);
    assert!(refused["message"].as_str().unwrap().contains("3 bytes"), "{refused}");
    let other = uri.replace(".tgsib", ".txt");
    let refused = client.call("workspace/textDocumentContent", json!({"uri": other}));
    assert_eq!(refused.unwrap_err()["code"], -32602);
    client.finish();
}

#[test]
fn a_code_object_is_served_as_a_listing() {
    let digits: String = include_str!("../../../editors/code_object.hex")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let (pairs, _) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    let bytes: Vec<u8> = pairs.iter().map(byte).collect();
    let folder = Folder::new("code");
    let path = folder.path().join("kernel.co");
    std::fs::write(&path, &bytes).unwrap();

    let mut client = plain();
    let source = format!("file://{}", path.display()).replace('/', "%2F").replace(':', "%3A");
    let uri = format!("tungsten-decoded:/kernel.co.gcn?{source}");
    let content = client.call("workspace/textDocumentContent", json!({"uri": uri})).unwrap();
    let text = content["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n"), "{text}");
    assert!(text.contains("main_kernel:\n\ts_mov_b32 s0, 0x1234"), "{text}");

    client.open_as("gcn", &uri, &text);
    let line = text.lines().position(|line| line.starts_with("\tv_mov_b32")).unwrap();
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": 4}});
    let hover = client.call("textDocument/hover", at).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("v_mov_b32"), "{hover}");
    let found = client.message("textDocument/publishDiagnostics");
    assert_eq!(found["uri"], json!(uri));

    // Objects of other machines bear such names too.
    let mut other = bytes;
    other[18..20].copy_from_slice(&62_u16.to_le_bytes());
    std::fs::write(&path, other).unwrap();
    let refused = client.call("workspace/textDocumentContent", json!({"uri": uri}));
    let refused = refused.unwrap_err();
    assert_eq!(refused["code"], -32803);
    assert!(refused["message"].as_str().unwrap().contains("machine 62"), "{refused}");
    client.finish();
}

#[test]
fn an_entry_of_a_bundle_is_served_by_its_number() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/gcn/bundle/three_chips_zstd.hipfb");
    let file = format!("file://{path}");
    let source = file.replace('/', "%2F").replace(':', "%3A");
    let uri = |entry: &str| format!("tungsten-decoded:/three.hipfb.gcn?{source}{entry}");
    let mut client = plain();
    let mut text = |entry: &str| {
        let content = client.call("workspace/textDocumentContent", json!({"uri": uri(entry)}));
        content.map(|it| it["text"].as_str().unwrap_or_default().to_owned())
    };
    let first = text("").unwrap();
    assert!(first.starts_with("// entry 2 of 4: hipv4-amdgcn-amd-amdhsa--gfx900\n"), "{first}");
    assert!(
        first.contains("\n//   4 hipv4-amdgcn-amd-amdhsa--gfx908: code for gfx908\n"),
        "{first}"
    );
    let last = text("%234").unwrap();
    assert!(last.contains(".amdgcn_target \"amdgcn-amd-amdhsa--gfx908"), "{last}");
    assert_eq!(text("%231").unwrap_err()["message"], "no section of the file has code");
    let none = text("%239").unwrap_err();
    assert!(none["message"].as_str().unwrap().starts_with("no entry has the number 9; "), "{none}");
    assert_eq!(text("%23x").unwrap_err()["code"], -32602);

    // The entries, of the file and of a document that shows it.
    for uri in [file, uri("%234")] {
        let params = json!({"command": "tungsten.listCodeObjects", "arguments": [uri]});
        let found = client.call("workspace/executeCommand", params).unwrap();
        assert_eq!(found.as_array().map(Vec::len), Some(4), "{found}");
        let host = "host-x86_64-unknown-linux-gnu-";
        let wanted =
            json!({"number": 1, "name": host, "bytes": 0, "kind": "empty", "isRead": false});
        assert_eq!(found[0], wanted);
        assert_eq!((&found[3]["number"], &found[3]["isRead"]), (&json!(4), &json!(true)));
    }
    for (argument, code) in [("http://a/b", -32602), ("file:///nothing/at/all.co", -32803)] {
        let params = json!({"command": "tungsten.listCodeObjects", "arguments": [argument]});
        let refused = client.call("workspace/executeCommand", params).unwrap_err();
        assert_eq!(refused["code"], code, "{refused}");
    }
    client.finish();
}
