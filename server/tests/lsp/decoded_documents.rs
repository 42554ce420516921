//! Files of binary tokens, opened as text.

use serde_json::json;

use crate::client::Client;

/// `VERT`, `MOV OUT[0], IN[0]`, `END` in the layout of 2016.
const WORDS: [u32; 6] = [0x0402, 0, 0x00a0_1022, 0x0000_00f3, 0x3900_0002, 0x0007_5002];

#[tokio::test]
async fn a_file_of_tokens_is_served_as_text() {
    let folder = std::env::temp_dir().join(format!("tungsten-tokens-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("shader.tgsib");
    std::fs::write(&path, tgsi::tokens::to_raw(&WORDS)).unwrap();

    let mut client = Client::plain().await;
    let source = format!("file://{}", path.display()).replace('/', "%2F").replace(':', "%3A");
    let uri = format!("tungsten-tokens:/shader.tgsib.tgsi?{source}");
    let content = client.call("workspace/textDocumentContent", json!({"uri": uri})).await.unwrap();
    let text = content["text"].as_str().unwrap().to_owned();
    assert_eq!(text, "VERT\n  0: MOV OUT[0], IN[0]\n  1: END\n");

    // From here on it is a document like any other.
    client.open(&uri, &text).await;
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}});
    let hover = client.call("textDocument/hover", at).await.unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("MOV"), "{hover}");
    let found = client.message("textDocument/publishDiagnostics").await;
    assert_eq!(found["uri"], json!(uri));
    assert!(!found["diagnostics"].as_array().unwrap().is_empty(), "nothing is declared: {found}");

    // What cannot be read is said.
    std::fs::write(&path, [1, 2, 3]).unwrap();
    let refused = client.call("workspace/textDocumentContent", json!({"uri": uri})).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused["code"], -32803);
    assert!(refused["message"].as_str().unwrap().contains("3 bytes"), "{refused}");
    let other = uri.replace(".tgsib", ".txt");
    let refused = client.call("workspace/textDocumentContent", json!({"uri": other})).await;
    assert_eq!(refused.unwrap_err()["code"], -32602);
    client.finish().await;
    std::fs::remove_dir_all(&folder).unwrap();
}
