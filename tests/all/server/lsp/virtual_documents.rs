//! Views that need no compiler as virtual documents: tokens of shaders, expanded assembly.

use serde_json::{Value, json};

use super::connect;
use tests::client::Client;

const SHADER: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
const KERNEL: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"
.macro twice register
  v_add_f32 \\register, \\register, \\register
  v_mul_f32 \\register, \\register, \\register
.endm
kernel:
  twice v7
  s_endpgm
";

fn start() -> Client {
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"textDocumentContent": {"dynamicRegistration": true}},
    });
    connect(capabilities, json!({"compile": false}))
}

/// A view, whose document must have the same text.
fn view(client: &mut Client, uri: &str, view: &str) -> Value {
    let params = json!({"textDocument": {"uri": uri}, "view": view});
    let view = client.call("tungsten/compiledCode", params).expect("a view");
    let content = json!({"uri": view["uri"]});
    let content = client.call("workspace/textDocumentContent", content).expect("a document");
    assert_eq!(content["text"], view["text"]);
    view
}

/// The lines of a view with the source lines that they are joined to.
fn joined(view: &Value) -> Vec<(String, Value)> {
    let lines = view["text"].as_str().expect("a text").lines().map(str::to_owned);
    lines.zip(view["sourceLines"].as_array().expect("a list").iter().cloned()).collect()
}

#[test]
fn the_tokens_of_a_shader_are_a_document_that_follows_it() {
    let uri = "file:///a.tgsi";
    let mut client = start();
    client.open(uri, SHADER);
    let tokens = view(&mut client, uri, "tokens");
    assert_eq!(tokens["state"], "fresh");
    let lines = joined(&tokens);
    let line_of = |what: &str| {
        lines.iter().find(|(line, _)| line.contains(what)).unwrap_or_else(|| panic!("{lines:?}"))
    };
    assert_eq!(line_of("DCL OUT[0], POSITION").1, 2);
    assert_eq!(line_of("MOV OUT[0], IN[0]").1, 3);
    assert_eq!(line_of("END").1, 4);
    // Each line that is not a remark is a word of the stream.
    let words = lines.iter().filter(|(line, _)| !line.starts_with('#'));
    for (place, (line, _)) in words.enumerate() {
        let mut columns = line.split_whitespace();
        assert_eq!(columns.next(), Some(place.to_string().as_str()), "{line}");
        assert!(columns.next().is_some_and(|it| u32::from_str_radix(it, 16).is_ok()), "{line}");
    }

    // An edit moves the lines at once, and the client is notified.
    let top = json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}});
    client.edit(uri, 1, top, "DCL IN[1]\n");
    let news = client.message("tungsten/compiledCodeChanged");
    assert_eq!((&news["view"], &news["uri"]), (&json!("tokens"), &tokens["uri"]));
    let refresh = client.message("workspace/textDocumentContent/refresh");
    assert_eq!(refresh["uri"], tokens["uri"]);
    let moved = view(&mut client, uri, "tokens");
    assert!(joined(&moved).iter().any(|(line, at)| line.contains("MOV OUT") && *at == 4));

    // What has no tokens says so where it stands.
    let word = json!({"start": {"line": 4, "character": 5}, "end": {"line": 4, "character": 8}});
    client.edit(uri, 2, word, "MO?");
    let wrong = view(&mut client, uri, "tokens");
    assert_eq!(wrong["state"], "unavailable");
    assert_eq!(joined(&wrong)[1].1, 4, "{wrong}");
    client.finish();
}

#[test]
fn expanded_assembly_is_a_document_in_which_everything_works() {
    let uri = "file:///k.s";
    let mut client = start();
    client.open_as("gcn", uri, KERNEL);
    let expanded = view(&mut client, uri, "expanded");
    assert_eq!((&expanded["state"], &expanded["target"]), (&json!("fresh"), &json!("gfx900")));
    let lines = joined(&expanded);
    let shown: Vec<(&str, &Value)> = lines.iter().map(|(line, at)| (line.trim(), at)).collect();
    assert_eq!(
        shown,
        [
            ("kernel:", &json!(5)),
            ("v_add_f32 v7, v7, v7", &json!(6)),
            ("v_mul_f32 v7, v7, v7", &json!(6)),
            ("s_endpgm", &json!(7)),
        ]
    );
    // No other shader is compiled for the chip of an assembly file.
    let status = client.call("tungsten/status", Value::Null).expect("a status");
    assert_eq!(status["targets"], json!(["polaris10"]));

    let document = expanded["uri"].as_str().expect("a URI").to_owned();
    client.open_as("gcn", &document, expanded["text"].as_str().expect("a text"));
    let at = json!({"textDocument": {"uri": document}, "position": {"line": 1, "character": 4}});
    let hover = client.call("textDocument/hover", at.clone()).expect("a hover");
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("v_add_f32"), "{text}");
    let symbols = client.call("textDocument/documentSymbol", at.clone()).expect("symbols");
    assert_eq!(symbols[0]["name"], "kernel");
    let tokens = client.call("textDocument/semanticTokens/full", at.clone()).expect("tokens");
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() > 20), "{tokens}");
    let found = client.call("textDocument/diagnostic", at).expect("diagnostics");
    assert_eq!(found["items"], json!([]), "nobody wrote it");

    let call = json!({"start": {"line": 6, "character": 8}, "end": {"line": 6, "character": 10}});
    client.edit(uri, 1, call, "v9");
    let refresh = client.message("workspace/textDocumentContent/refresh");
    assert_eq!(refresh["uri"], document);
    let changed = view(&mut client, uri, "expanded");
    assert!(changed["text"].as_str().expect("a text").contains("v_add_f32 v9, v9, v9"));
    // A shader has nothing to expand, and assembly no tokens.
    client.open("file:///a.tgsi", SHADER);
    for (uri, view) in [("file:///a.tgsi", "expanded"), (uri, "tokens"), (uri, "code")] {
        let params = json!({"textDocument": {"uri": uri}, "view": view});
        assert_eq!(client.call("tungsten/compiledCode", params), Ok(Value::Null));
    }
    client.finish();
}
