//! Views of compiled code beside the code itself, targets side by side, and the pinned
//! result. Needs a libLLVM; skipped aloud without one.

use serde_json::{Value, json};

use super::shader::{SHADER, URI, ask, start, view};

fn all_fresh(comparison: &Value) -> bool {
    comparison["columns"].as_array().unwrap().iter().all(|column| column["state"] == "fresh")
}

/// The line of a document's text that holds a word, and the source line it is joined to.
fn joined(view: &Value, word: &str) -> Value {
    let text = view["text"].as_str().unwrap();
    let lines = view["sourceLines"].as_array().unwrap();
    assert_eq!(text.lines().count(), lines.len());
    let line = text.lines().position(|line| line.contains(word));
    lines[line.unwrap_or_else(|| panic!("no {word} in {text}"))].clone()
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn the_ir_and_the_bytes_are_documents_joined_to_the_source() {
    let mut client = start();
    client.open(URI, SHADER);
    let ir = json!({"textDocument": {"uri": URI}, "shader": 0, "view": "ir"});
    let ir = client.call("tungsten/compiledCode", ir).unwrap();
    assert_eq!(ir["state"], "fresh");
    assert_eq!(joined(&ir, "fadd float"), 4);
    assert_eq!(joined(&ir, "fmul float"), 5);
    assert!(ir["uri"].as_str().unwrap().starts_with("tungsten-view:/"), "{ir}");

    let hex = json!({"textDocument": {"uri": URI}, "shader": 0, "view": "hex"});
    let hex = view(&mut client, hex, "fresh");
    assert_eq!(joined(&hex, "v_add_f32"), 4);
    assert!(hex["text"].as_str().unwrap().contains("00 00 81 BF"), "{hex}");
    for view in [&ir, &hex] {
        let content = json!({"uri": view["uri"]});
        let content = client.call("workspace/textDocumentContent", content).unwrap();
        assert_eq!(content["text"], view["text"]);
    }
    // An editor that opens one of them as a text gets nothing for it.
    let uri = hex["uri"].as_str().unwrap().to_owned();
    client.open_as("plaintext", &uri, hex["text"].as_str().unwrap());
    client.finish();
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn targets_are_compared_statement_by_statement() {
    let mut client = start();
    client.open(URI, SHADER);
    let params = json!({
        "textDocument": {"uri": URI}, "shader": 0, "with": "targets", "beside": ["tahiti", "vega10"]
    });
    let compared = ask(&mut client, "tungsten/compare", params, all_fresh);
    let labels: Vec<&Value> =
        compared["columns"].as_array().unwrap().iter().map(|column| &column["label"]).collect();
    assert_eq!(labels, ["polaris10", "tahiti", "vega10"]);
    assert!(compared["columns"][2]["figures"]["waves"].as_u64().unwrap() > 0, "{compared}");
    let statements = compared["statements"].as_array().unwrap();
    let add = statements.iter().find(|statement| statement["line"] == 4).unwrap();
    assert_eq!(add["text"], "ADD TEMP[0], IN[0], IN[0]");
    assert!(add["rows"].as_array().unwrap().iter().any(|row| {
        row["cells"]
            .as_array()
            .unwrap()
            .iter()
            .all(|cell| cell["text"].as_str().is_some_and(|text| text.starts_with("v_add_f32")))
    }));

    let beside = json!({"textDocument": {"uri": URI}, "shader": 0, "view": "targets"});
    let beside = view(&mut client, beside, "fresh");
    assert_eq!(beside["beside"], json!(["tahiti"]));
    assert_eq!(joined(&beside, " | v_add_f32"), 4);
    let unknown = json!({"textDocument": {"uri": URI}, "with": "targets", "beside": ["voodoo2"]});
    let refused = client.call("tungsten/compare", unknown).unwrap_err();
    assert_eq!(refused["code"], -32602);
    client.finish();
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_pinned_result_is_compared_with_the_current_one() {
    let mut client = start();
    client.open(URI, SHADER);
    let which = json!({"textDocument": {"uri": URI}, "shader": 0});
    let code = view(&mut client, which.clone(), "fresh");
    assert_eq!(code["pinned"], false);
    let pinned = client.call("tungsten/pinBaseline", which.clone()).unwrap();
    assert_eq!(pinned["target"], "polaris10");
    assert_eq!(pinned["state"], "fresh");
    let kept = pinned["figures"]["instructions"].as_u64().unwrap();

    // The view of the difference follows the text, and news of it come unasked.
    let params = json!({"textDocument": {"uri": URI}, "shader": 0, "view": "baseline"});
    let same = client.call("tungsten/compiledCode", params.clone()).unwrap();
    assert_eq!(same["pinned"], true);
    let changed = |text: &str| text.lines().any(|line| line.starts_with(['-', '+']));
    assert!(!changed(same["text"].as_str().unwrap()), "{same}");
    let all = json!({"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}});
    client.edit(URI, 1, all, "  0: MUL TEMP[0], IN[0], IN[0].wwww\n");
    let params = json!({"textDocument": {"uri": URI}, "shader": 0, "with": "baseline"});
    let compared = ask(&mut client, "tungsten/compare", params, all_fresh);
    assert_eq!(compared["columns"][0]["figures"]["instructions"], kept);
    let statements = compared["statements"].as_array().unwrap();
    let edited = statements.iter().find(|statement| statement["line"] == 4).unwrap();
    assert_eq!(edited["before"], "ADD TEMP[0], IN[0], IN[0]");
    let changes = edited["rows"].as_array().unwrap().iter().map(|row| row["change"].as_str());
    assert!(changes.clone().any(|change| change == Some("added")), "{edited}");
    assert!(changes.clone().any(|change| change == Some("removed")), "{edited}");

    let content = client.call("workspace/textDocumentContent", json!({"uri": same["uri"]}));
    assert!(changed(content.unwrap()["text"].as_str().unwrap()));
    assert_eq!(client.call("tungsten/unpinBaseline", which.clone()), Ok(json!(true)));
    assert_eq!(client.call("tungsten/unpinBaseline", which), Ok(json!(false)));
    client.finish();
}
