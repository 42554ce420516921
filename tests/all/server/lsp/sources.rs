//! Sources of other languages, whose own servers answer beside ours.

use serde_json::{Value, json};

use super::workspace::{Known, pulls, start};
use crate::server::folder::Folder;

/// A source with a shader in which one opcode is unknown.
const SOURCE: &str = "const FRAG: &str = \"FRAG\\n\\\n    DCL OUT[0], COLOR\\n\\\n    \
    MVO OUT[0], OUT[0]\\n\\\n    END\\n\";\nfn main() {\n    \n}\n";

#[test]
fn only_the_shaders_of_a_source_are_answered_about() {
    let folder = Folder::new("sources");
    folder.write("shader.tgsi", "FRAG\nDCL TEMP[0]\nEND\n");
    let mut client = start(&[&folder], pulls());
    let uri = folder.uri("a.rs");
    client.open_as("rust", &uri, SOURCE);
    let document = json!({"uri": uri});
    let found = client
        .call("textDocument/diagnostic", json!({"textDocument": document}))
        .expect("diagnostics");
    let found = found["items"].as_array().expect("a list");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "tgsi::unknown-opcode");
    assert_eq!(found[0]["range"]["start"], json!({"line": 2, "character": 4}));

    let mut at = |method: &str, line: u32, character: u32| {
        let place = json!({"line": line, "character": character});
        let params = json!({"textDocument": document, "position": place});
        client.call(method, params).expect("an answer")
    };
    assert_ne!(at("textDocument/completion", 2, 5), Value::Null);
    assert_eq!(at("textDocument/completion", 5, 4), Value::Null);
    assert_ne!(at("textDocument/hover", 1, 9), Value::Null);
    assert_eq!(at("textDocument/hover", 4, 4), Value::Null);
    assert_eq!(at("textDocument/definition", 4, 4), Value::Null);

    let options = json!({"tabSize": 4, "insertSpaces": true});
    let params = json!({"textDocument": document, "options": options});
    assert_eq!(client.call("textDocument/formatting", params), Ok(Value::Null));

    // A client asks of what it has open, and would show the same twice.
    let mut known = Known::default();
    let id = known.ask(&mut client);
    known.take(&client.answer(id).expect("a report"));
    assert_eq!(known.codes.into_keys().collect::<Vec<_>>(), [folder.uri("shader.tgsi")]);
    client.finish();
}
