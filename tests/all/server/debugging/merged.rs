//! Shaders that a chip runs as one program.

use super::*;

/// A geometry shader that emits the points of its primitives.
const POINTS: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
IMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";

/// A vertex shader in front of it: both are one program on gfx9.
const MOVES: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nADD OUT[0], IN[0], IN[0]\nEND\n";

/// The lines of the console until the program is there.
fn said(adapter: &mut Adapter) -> String {
    let mut said = String::new();
    loop {
        let message = adapter.read();
        if message["event"] == "initialized" {
            return said;
        }
        said += message["body"]["output"].as_str().expect("a line");
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn shaders_of_one_program_are_debugged_together() {
    let both = format!("{MOVES}\n{POINTS}");
    let vertices = "[in]\n0 = [[1.0, 2.0, 3.0, 4.0], [5.0], [6.0], [7.0]]\n";
    let primitive = "[vertex.0]\n0 = [9.0, 9.0, 9.0, 9.0]\n";
    let files = [("both.tgsi", &*both), ("vertices.toml", vertices), ("point.toml", primitive)];
    let folder = Folder::with("merged", &files);
    let program = folder.path().join("both.tgsi");
    let launch = |own: Value| {
        let mut adapter = Adapter::start(&folder.path().to_string_lossy());
        adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
        let mut all = json!({ "program": program, "shader": 2, "stopOnEntry": true });
        all.as_object_mut().expect("an object").extend(own.as_object().expect("one").clone());
        let launched = adapter.ask("launch", all);
        (adapter, launched)
    };
    let (mut adapter, launched) = launch(json!({
        "target": "vega10", "before": 1, "beforeInputs": "vertices.toml", "inputs": "point.toml",
    }));
    assert_eq!(launched["success"], true, "{launched}");
    let notes = said(&mut adapter);
    assert!(notes.contains("in one program with shader 1") && notes.contains("agree"), "{notes}");
    adapter.ask("configurationDone", json!({}));
    adapter.event("stopped");
    let own =
        json!({ "source": { "path": program }, "breakpoints": [{ "line": 3 }, { "line": 14 }] });
    let placed = adapter.ask("setBreakpoints", own);
    let placed: Vec<&Value> =
        placed["body"]["breakpoints"].as_array().expect("two").iter().collect();
    assert_eq!([&placed[0]["line"], &placed[1]["line"]], [4, 14], "{placed:?}");
    let mut seen = Vec::new();
    let mut go = |adapter: &mut Adapter, command: &str, expression: &str| {
        adapter.ask(command, json!({ "threadId": 1 }));
        let stopped = adapter.event("stopped");
        let stack = adapter.ask("stackTrace", json!({ "threadId": stopped["threadId"] }));
        let frames = &stack["body"]["stackFrames"];
        let asked = json!({ "expression": expression, "frameId": frames[0]["id"] });
        let value = adapter.ask("evaluate", asked)["body"]["result"].clone();
        seen.push((frames[0]["line"].clone(), value));
    };
    // What the first hands over is what the second reads, whatever its own inputs say.
    go(&mut adapter, "next", "OUT[0]");
    go(&mut adapter, "continue", "IN[0][0]");
    go(&mut adapter, "reverseContinue", "IN[0]");
    let wanted = [
        (5, "(2.0, 4.0, 6.0, 8.0) | lanes differ"),
        (14, "(2.0, 4.0, 6.0, 8.0)"),
        (4, "(1.0, 2.0, 3.0, 4.0) | lanes differ"),
    ];
    assert_eq!(seen, wanted.map(|(line, value)| (json!(line), json!(value))));
    assert_eq!(adapter.end(), Some(0));
    // Without a word about it: the shader above, unless vertices are given.
    for (own, words) in [
        (json!({ "target": "vega10" }), "in one program with shader 1"),
        (json!({ "target": "vega10", "seed": 2 }), "in one program with shader 1"),
        (json!({ "target": "vega10", "before": 0 }), "its half is alone"),
        (json!({ "target": "vega10", "inputs": "point.toml" }), "its half is alone"),
        (json!({ "target": "polaris10" }), "agree"),
    ] {
        let (mut adapter, launched) = launch(own.clone());
        assert_eq!(launched["success"], true, "{launched}");
        let notes = said(&mut adapter);
        assert!(notes.contains(words), "{own}: {notes}");
        let is_pair = words.contains("shader 1");
        assert_eq!(notes.contains("shader 1"), is_pair, "{own}: {notes}");
        assert_eq!(adapter.end(), Some(0));
    }
    // Whose inputs are lost is not joined, and that is said.
    let lost = format!("# tungsten: run=nowhere.toml\n{both}");
    std::fs::write(&program, lost).expect("written");
    let (mut adapter, launched) = launch(json!({ "target": "vega10" }));
    assert_eq!(launched["success"], true, "{launched}");
    let notes = said(&mut adapter);
    assert!(
        notes.contains("it is not joined with shader 1: ") && notes.contains("nowhere.toml"),
        "{notes}"
    );
    assert_eq!(adapter.end(), Some(0));
    std::fs::write(&program, &both).expect("written");
    for (own, words) in [
        (json!({ "target": "vega10", "before": 7 }), "there is no shader 7"),
        (json!({ "target": "vega10", "before": 2 }), "not lowered: no such pair"),
        (json!({ "target": "polaris10", "before": 1 }), "not lowered: no such pair"),
        (json!({ "before": 1 }), "name it as `target`"),
    ] {
        let (adapter, refused) = launch(own.clone());
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains(words), "{own}: {message}");
        assert_eq!(adapter.end(), Some(0));
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn half_of_a_merged_program_says_that_it_is_alone() {
    let folder = Folder::with("merged-half", &[("points.tgsi", POINTS)]);
    for (chip, is_half) in [("polaris10", false), ("vega10", true)] {
        let mut adapter = Adapter::start(&folder.path().to_string_lossy());
        adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
        let program = folder.path().join("points.tgsi");
        let launch = json!({ "program": program, "target": chip, "seed": 1 });
        assert_eq!(adapter.ask("launch", launch)["success"], true);
        let said = said(&mut adapter);
        assert!(said.contains("agree"), "{said}");
        assert_eq!(said.contains("one program with the stage before it"), is_half, "{said}");
        assert_eq!(adapter.end(), Some(0));
    }
}
