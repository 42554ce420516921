//! Long answers in parts.

use serde_json::{Value, json};

use super::connect;
use tests::client::Client;

const URI: &str = "file:///long.tgsi";
/// More than fit into a few parts.
const LINES: usize = 600;

/// A shader that names one register in each of its lines.
fn long() -> String {
    let lines = "ADD TEMP[0], TEMP[0], TEMP[0]\n".repeat(LINES);
    format!("VERT\nDCL TEMP[0]\n{lines}END\n")
}

/// An answer with the parts that came before it; others would come too late.
fn in_parts(client: &mut Client, method: &str, mut params: Value) -> (Value, Vec<Value>) {
    params["partialResultToken"] = json!("parts");
    let answer = client.call(method, params).expect(method);
    let parts = client.taken("$/progress").into_iter().map(|mut part| {
        assert_eq!(part["token"], "parts");
        part["value"].take()
    });
    (answer, parts.collect())
}

#[test]
fn a_long_answer_comes_in_parts_that_make_up_the_whole() {
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = connect(capabilities, json!({"compile": false}));
    client.open(URI, &long());
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let params = json!({
        "textDocument": {"uri": URI},
        "position": {"line": 1, "character": 5},
        "positions": vec![json!({"line": 1, "character": 5}); LINES],
        "range": whole,
        "query": "",
        "context": {"includeDeclaration": true, "diagnostics": []},
    });
    for method in
        ["textDocument/references", "textDocument/documentHighlight", "textDocument/selectionRange"]
    {
        let expected = client.call(method, params.clone()).expect(method);
        assert!(expected.as_array().is_some_and(|all| all.len() >= LINES), "{method}");
        for _ in 0..2 {
            let (answer, parts) = in_parts(&mut client, method, params.clone());
            assert_eq!(answer, json!([]), "{method}");
            assert!(parts.len() > LINES / 256, "{method}: {} parts", parts.len());
            let all = parts.iter().flat_map(|part| part.as_array().expect("a list").clone());
            assert_eq!(Value::Array(all.collect()), expected, "{method}");
        }
    }
    // What fits into one part comes at once.
    for method in ["textDocument/documentSymbol", "workspace/symbol", "textDocument/foldingRange"] {
        let (answer, parts) = in_parts(&mut client, method, params.clone());
        assert!(answer.as_array().is_some_and(|all| !all.is_empty()), "{method}: {answer}");
        assert_eq!(parts, Vec::<Value>::new(), "{method}");
    }
    client.finish();
}
