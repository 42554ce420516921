//! Costs of code, in the editor: figures, diagnostics with fixes, and the order in which
//! they come.

use serde_json::{Value, json};

use super::{connect, plain};

const URI: &str = "file:///kernel.s";
const KERNEL: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v1, v0, s[4:7], 0 offen
  v_add_f32 v1, v1, v1
  buffer_store_dword v1, v0, s[4:7], 0 offen
  s_endpgm
";

fn document() -> Value {
    json!({"textDocument": {"uri": URI}})
}

fn codes(diagnostics: &Value) -> Vec<String> {
    let all = diagnostics.as_array().expect("a list").iter();
    all.map(|it| format!("{} {}", it["severity"], it["code"].as_str().unwrap_or_default()))
        .collect()
}

/// A kernel with enough instructions that its costs are not to be had at once, with a
/// wait missing near its end.
fn long() -> String {
    let (head, rest) = KERNEL.split_at(KERNEL.find("  buffer_load").expect("a load"));
    let filler = "  v_mul_f32 v2, v3, v2\n".repeat(1_200);
    format!("{head}{filler}{}", rest.replace("v1, v1, v1", "v1, v1, v2"))
}

#[test]
fn a_missing_wait_is_told_and_fixed() {
    let mut client = plain();
    client.open_as("gcn", URI, KERNEL);
    let found = client.diagnostics(URI, 0);
    assert_eq!(codes(&json!(found)), ["1 gcn::missing-wait"]);
    let mut params = document();
    params["range"] = found[0]["range"].clone();
    params["context"] = json!({ "diagnostics": found });
    let actions = client.call("textDocument/codeAction", params).unwrap();
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!(edit["newText"], "s_waitcnt vmcnt(0)\n  ", "{actions}");
    assert_eq!(edit["range"]["start"], json!({"line": 4, "character": 2}));
    client.edit(URI, 1, edit["range"].clone(), edit["newText"].as_str().unwrap());
    assert_eq!(client.diagnostics(URI, 1), Vec::<Value>::new());
    client.finish();
}

#[test]
fn diagnostics_of_a_long_kernel_follow_those_of_its_text() {
    let mut client = plain();
    client.open_as("gcn", URI, &long());
    let first = client.diagnostics(URI, 0);
    assert_eq!(first, Vec::<Value>::new(), "those of the text alone");
    let second = client.diagnostics(URI, 0);
    assert_eq!(codes(&json!(second)), ["1 gcn::missing-wait"]);
    client.finish();
}

#[test]
fn a_client_that_pulls_is_told_to_ask_again() {
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    let mut client = connect(capabilities, json!({"compile": false}));
    client.open_as("gcn", URI, &long());
    let first = client.call("textDocument/diagnostic", document()).unwrap();
    if codes(&first["items"]).is_empty() {
        client.message("workspace/diagnostic/refresh");
    } // Else the costs were there first.
    let second = client.call("textDocument/diagnostic", document()).unwrap();
    assert_eq!(codes(&second["items"]), ["1 gcn::missing-wait"], "{second}");
    client.finish();
}

#[test]
fn a_map_of_heat_has_its_data() {
    let options = json!({"compile": false, "targets": ["gfx803", "vega10"]});
    let mut client = connect(json!({}), options);
    client.open_as("gcn", URI, &KERNEL.replace("v1, v1, v1", "v1, v0, v0"));
    client.diagnostics(URI, 0);
    let costs = client.call("tungsten/costs", document()).unwrap();
    let code = &costs["codes"][0];
    assert_eq!(code["state"], "fresh");
    assert_eq!((&code["firstLine"], &code["lastLine"]), (&json!(1), &json!(6)));
    let chips: Vec<&Value> =
        code["chips"].as_array().unwrap().iter().map(|it| &it["target"]).collect();
    assert_eq!(chips, ["gfx803", "vega10"]);
    assert_eq!(code["chips"][0]["waves"], 10);
    assert_eq!(
        code["chips"][0]["vgprs"],
        json!({"used": 2, "allocated": 4, "peak": 2, "spare": 22})
    );
    let ladder = code["chips"][1]["ladder"].as_array().unwrap();
    assert_eq!(ladder[0], json!({"waves": 10, "vgprs": 24, "sgprs": 80}));
    assert_eq!(ladder.last().unwrap()["waves"], 1);
    let lines = code["lines"].as_array().unwrap();
    // Line, instructions, issue, stall, cause, three kinds of registers, and the peak.
    assert!(lines.iter().all(|row| row.as_array().map(Vec::len) == Some(9)), "{lines:?}");
    let wait = lines.iter().find(|row| row[0] == 2).expect("the wait");
    assert_eq!(wait[4], 1, "{wait}");
    assert!(wait[3].as_u64() > Some(0), "{wait}");
    assert!(lines.iter().any(|row| row[8] == 1));

    // Settings change what it costs, and an edit is known to the client.
    let options = json!({"settings": {"tungsten": {"compile": false, "targets": ["tahiti"]}}});
    client.notify("workspace/didChangeConfiguration", options);
    let news = client.message("tungsten/costsChanged");
    assert_eq!(news["textDocument"]["uri"], URI);
    let nobody = json!({"textDocument": {"uri": "file:///nobody.s"}});
    assert_eq!(client.call("tungsten/costs", nobody), Ok(Value::Null));
    client.finish();
}

#[test]
fn kinds_of_cost_hints_are_chosen_by_settings() {
    let kinds = json!({"lines": "all", "clocks": false, "scalarRegisters": true});
    let mut client = connect(json!({}), json!({"compile": false, "inlayHints": kinds}));
    client.open_as("gcn", URI, KERNEL);
    client.diagnostics(URI, 0);
    let mut params = document();
    params["range"] =
        json!({"start": {"line": 3, "character": 0}, "end": {"line": 4, "character": 0}});
    let hints = client.call("textDocument/inlayHint", params).unwrap();
    assert_eq!(hints[0]["label"], "V 2/4 \u{b7} S 4/16", "{hints}");
    let lenses = client.call("textDocument/codeLens", document()).unwrap();
    let lens = &lenses[0]["command"];
    assert!(lens["title"].as_str().unwrap().starts_with("gfx803: 2 VGPRs, "), "{lens}");
    assert_eq!(lens["command"], "", "it opens nothing");
    client.finish();
}
