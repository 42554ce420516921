//! Faster forms from the client's side: searched in the background, told with their proof.

use serde_json::{Value, json};
use source::apply_edits;
use tests::client::Client;

use super::{connect, find_compiler, plain};

const KERNEL: &str = include_str!("../../../data/advice/spoiled/rows_early_waits.s");
const SHADER: &str = include_str!("../../../data/advice/spoiled/load_in_both_arms.tgsi");
/// A line of the kernel's code.
const LINE: usize = 10;

/// A client that carries out the command behind the action.
fn asking(options: Value) -> Client {
    connect(json!({"experimental": {"tungsten": {"findsFasterForms": true}}}), options)
}

fn ask(uri: &str, line: usize, seconds: u64) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": 2},
           "seconds": seconds, "workDoneToken": "search"})
}

fn actions(client: &mut Client, uri: &str, line: usize) -> Vec<Value> {
    let place = json!({"line": line, "character": 2});
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": place, "end": place},
                        "context": {"diagnostics": [], "only": ["refactor.rewrite"],
                                    "triggerKind": 1}});
    let offered = client.call("textDocument/codeAction", params).unwrap();
    let offered = offered.as_array().unwrap().iter();
    offered.filter(|it| it["command"]["command"] == "tungsten.findFasterForm").cloned().collect()
}

/// A text behind the edits of an answer, whose lines hold ASCII alone.
fn edited(text: &str, answer: &Value, uri: &str) -> String {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |place: &Value| {
        let [line, column] = ["line", "character"].map(|key| place[key].as_u64().unwrap() as usize);
        source::TextSize::new((starts[line] + column) as u32)
    };
    let edits = answer["edit"]["changes"][uri].as_array().expect("edits").iter();
    let edits: Vec<source::TextEdit> = edits
        .map(|edit| {
            let [start, end] = ["start", "end"].map(|key| offset(&edit["range"][key]));
            let insert = edit["newText"].as_str().unwrap();
            source::TextEdit::replace(source::TextRange::new(start, end), insert)
        })
        .collect();
    apply_edits(text, &edits).expect("disjoint edits")
}

#[test]
fn a_kernel_gets_a_faster_form_with_its_proof_and_it_is_remembered() {
    let mut client = asking(json!({"compile": false}));
    let uri = "file:///rows.s";
    client.open_as("gcn", uri, KERNEL);
    client.arrived_diagnostics(uri, 0);
    let offered = actions(&mut client, uri, LINE);
    assert_eq!(offered[0]["title"], "Find a faster form", "{offered:?}");
    let argument = json!([{"uri": uri, "position": {"line": LINE, "character": 2}}]);
    assert_eq!(offered[0]["command"]["arguments"], argument);

    let mut params = ask(uri, LINE, 600);
    params["variants"] = json!(24);
    let answer = client.call("tungsten/advise", params.clone()).unwrap();
    assert_eq!(answer["status"], "better", "{answer}");
    assert_eq!(answer["proof"], json!({"inputs": 32, "open": 0}));
    assert_eq!((answer["target"].as_str(), answer["shader"].as_u64()), (Some("gfx900"), None));
    let message = answer["message"].as_str().unwrap();
    let (before, after) = (&answer["before"]["clocks"], &answer["after"]["clocks"]);
    assert!(after.as_u64() < before.as_u64(), "{answer}");
    let gain = format!("{before} → {after} clocks on gfx900, the same on 32 random inputs");
    assert!(message.contains(&gain), "{message}");
    // What is applied is what was looked at.
    let made = edited(KERNEL, &answer, uri);
    assert_eq!(Some(made.trim_end()), answer["preview"]["after"].as_str().map(str::trim_end));
    assert_eq!(answer["preview"]["before"], KERNEL);
    // How far it was came under the token of the client.
    for kind in ["begin", "end"] {
        let told = client.wait("$/progress", |it| it["params"]["value"]["kind"] == kind);
        assert_eq!(told.message["params"]["token"], "search");
    }

    // Nothing is searched twice, and what is searched again begins anew.
    let again = client.call("tungsten/advise", params).unwrap();
    assert_eq!(
        (again["remembered"].as_bool(), &again["message"]),
        (Some(true), &answer["message"])
    );
    assert_eq!(client.taken("$/progress"), Vec::<Value>::new());
    client.finish();
}

#[test]
fn typing_goes_on_beside_a_search_which_can_be_cancelled() {
    let mut client = asking(json!({"compile": false}));
    let uri = "file:///rows.s";
    client.open_as("gcn", uri, KERNEL);
    client.arrived_diagnostics(uri, 0);
    let search = client.send("tungsten/advise", ask(uri, LINE, 600));
    client.wait("$/progress", |it| it["params"]["value"]["kind"] == "begin");
    for version in 1..=20_i64 {
        let start =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
        client.edit(uri, version, start, "\n");
        let at = json!({"textDocument": {"uri": uri},
                        "position": {"line": LINE + version as usize, "character": 3}});
        client.call("textDocument/hover", at).unwrap();
        client.arrived_diagnostics(uri, version);
    }
    assert!(client.is_open(search), "an edit ended the search");
    // One runs at a time.
    let second = client.call("tungsten/advise", ask(uri, LINE + 20, 1));
    assert!(second.unwrap_err()["message"].as_str().unwrap().contains("another search"));
    client.notify("window/workDoneProgress/cancel", json!({"token": "search"}));
    assert_eq!(client.answer(search).unwrap_err()["code"], -32800);
    // By its own number as well; then there is a search again at once.
    let search = client.send("tungsten/advise", ask(uri, LINE + 20, 600));
    client.wait("$/progress", |it| it["params"]["value"]["kind"] == "report");
    client.notify("$/cancelRequest", json!({"id": search}));
    assert_eq!(client.answer(search).unwrap_err()["code"], -32800);
    client.taken("$/progress");
    let short = client.call("tungsten/advise", ask(uri, LINE + 20, 0)).unwrap();
    assert_eq!(short["message"], "no time was given: nothing was tried");
    client.finish_but(&["$/progress"]);
}

#[test]
fn nothing_is_offered_to_a_client_that_does_not_carry_the_command_out() {
    let mut client = plain();
    let uri = "file:///rows.s";
    client.open_as("gcn", uri, KERNEL);
    client.arrived_diagnostics(uri, 0);
    assert_eq!(actions(&mut client, uri, LINE), Vec::<Value>::new());
    client.finish();
}

#[test]
fn nothing_is_offered_without_time_or_where_nothing_is_searched() {
    let mut client = asking(json!({"compile": false, "advice": {"seconds": 0}}));
    let uri = "file:///rows.s";
    client.open_as("gcn", uri, KERNEL);
    client.arrived_diagnostics(uri, 0);
    assert_eq!(actions(&mut client, uri, LINE), Vec::<Value>::new());
    let place = json!({"textDocument": {"uri": uri}, "position": {"line": LINE, "character": 0}});
    let answer = client.call("tungsten/advise", place).unwrap();
    assert_eq!((answer["status"].as_str(), answer["tried"].as_u64()), (Some("none"), Some(0)));
    client.finish();

    let mut client = asking(json!({"compile": false}));
    let clrx = ".amd\n.gpu tahiti\n.kernel a\n    .config\n    .text\n    s_endpgm\n";
    client.open_as("gcn", "file:///clrx.s", clrx);
    client.arrived_diagnostics("file:///clrx.s", 0);
    assert_eq!(actions(&mut client, "file:///clrx.s", 5), Vec::<Value>::new());
    let refused = client.call("tungsten/advise", ask("file:///clrx.s", 5, 5)).unwrap();
    assert_eq!(refused["status"], "refused", "{refused}");
    client.open("file:///none.tgsi", "nothing\n");
    let none = client.call("tungsten/advise", ask("file:///none.tgsi", 0, 5)).unwrap();
    assert_eq!(none, Value::Null);
    client.open("file:///shader.tgsi", SHADER);
    let wrong = json!({"textDocument": {"uri": "file:///shader.tgsi"}, "target": "nothing",
                       "position": {"line": 16, "character": 0}});
    let wrong = client.call("tungsten/advise", wrong).unwrap_err();
    assert!(wrong["message"].as_str().unwrap().contains("unknown target"), "{wrong}");
    client.stop();
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_shader_in_its_place_gets_the_lines_of_its_form() {
    let mut client = asking(json!({"targets": ["polaris10"]}));
    find_compiler(&mut client);
    let uri = "file:///two.tgsi";
    let text = format!(
        "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {{ 1, 1, 1, 1 }}\nMOV OUT[0], IMM[0]\nEND\n\n{SHADER}"
    );
    client.open(uri, &text);
    let line = 6 + SHADER.lines().position(|line| line.starts_with("UIF")).unwrap();
    assert_eq!(actions(&mut client, uri, line).len(), 1);
    // By their number, so that a busy machine finds the same.
    let mut params = ask(uri, line, 600);
    params["variants"] = json!(24);
    let answer = client.call("tungsten/advise", params).unwrap();
    assert_eq!(answer["status"], "better", "{answer}");
    assert_eq!(
        (answer["shader"].as_u64(), answer["target"].as_str()),
        (Some(1), Some("polaris10"))
    );
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("in interpreter and emulator"), "{message}");
    let made = edited(&text, &answer, uri);
    let after = answer["preview"]["after"].as_str().unwrap();
    assert!(made.starts_with("FRAG") && made.trim_end().ends_with(after.trim_end()), "{made}");
    let code = &answer["machineCode"];
    assert!(
        code["before"].as_str().unwrap().contains("s_endpgm") && code["before"] != code["after"]
    );
    client.stop();
}
