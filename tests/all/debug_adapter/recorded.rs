//! Whole sessions over own programs, every message pinned by checksums.

use std::fmt::Write as _;

use debugger::joined::{Joined, MachineCode};
use gcn::program::{Options, assemble};
use gcn_emu::launch::KernelInputs;
use serde_json::{Value, json};
use tgsi_interp::inputs::Inputs;

use debug_adapter::{Program, Refusal};

use super::client::Client;
use super::sessions::{kernel_session, shader_session};
use crate::architecture::root;
use crate::diff_exec::recorded::Recorded;
use crate::records::Records;

/// Programs with files of inputs beside them, from the root of the repository.
const PROGRAMS: [&str; 14] = [
    "examples/halve.s",
    "examples/saxpy.s",
    "examples/tutorial/sum.s",
    "examples/lit_texture.tgsi",
    "examples/zero_normal.tgsi",
    "tests/data/tgsi/comp/atomic_gallery.tgsi",
    "tests/data/tgsi/comp/deep_calls.tgsi",
    "tests/data/tgsi/comp/doubles.tgsi",
    "tests/data/tgsi/comp/image_atomics.tgsi",
    "tests/data/tgsi/comp/indexed_scratch.tgsi",
    "tests/data/tgsi/comp/tree_reduction.tgsi",
    "tests/data/tgsi/geom/cube_faces.tgsi",
    "tests/data/tgsi/tess_ctrl/by_distance.tgsi",
    "tests/data/tgsi/vert/billboard.tgsi",
];

/// Shaders that run with their machine code.
const JOINED: [&str; 3] = ["frag_alpha_test_tgsi", "comp_bit_tricks_tgsi", "COMP_ATOMFADD"];

/// The program of a path, if it is one of these.
pub(super) fn program(path: &str) -> Option<Result<Program, Refusal>> {
    if let Some(name) = path.strip_prefix("/joined/") {
        return Some(joined(name));
    }
    let path = root().join(path.strip_prefix("/own/")?);
    let read = |path: &std::path::Path| std::fs::read_to_string(path).expect("a text");
    let text = read(&path);
    let inputs = path.with_extension("inputs.toml");
    let inputs = if inputs.is_file() { read(&inputs) } else { String::new() };
    if path.extension().is_some_and(|it| it == "s") {
        let program =
            assemble(&text, &Options::of(&text, "k.s"), &|_| None, &source::no_checkpoint);
        let inputs = KernelInputs::read(&inputs).expect("inputs");
        let kernel = debugger::kernel::Kernel::new(&program, &text, inputs).expect("a kernel");
        return Some(Ok(Program::Kernel(Box::new(kernel))));
    }
    let inputs = Inputs::read(&inputs).expect("inputs");
    let shader = debugger::shader::Shader::new(&text, 1, inputs).expect("a shader");
    Some(Ok(Program::Shader(Box::new(shader))))
}

fn joined(name: &str) -> Result<Program, Refusal> {
    let own = Recorded::all().into_iter().find(|it| it.name.starts_with(name)).expect("a program");
    let inputs = diff_exec::made_up(&own.shaders[0], 1).expect("inputs");
    let code = MachineCode { assembly: own.assembly, code: own.code, edited: None };
    let joined = Joined::new(&own.text, 1, inputs, own.target, &mut |_| Ok(code.clone()));
    joined.map(|it| Program::Joined(Box::new(it))).map_err(|error| Refusal(error.message))
}

fn table(name: &str) -> Records {
    Records::new(root().join("analysis/debug-adapter/records").join(name))
}

/// Every message, a line each.
fn written(log: &[(char, Value)]) -> String {
    log.iter().fold(String::new(), |mut all, (from, message)| {
        let _ = writeln!(all, "{from} {message}");
        all
    })
}

/// A client that takes refusals as they come.
struct Session(Client);

/// Parts of variables that are opened within one another, at most.
const DEEPEST: usize = 3;
/// Variables of an answer that are opened.
const OPENED: usize = 4;

impl Session {
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let number = self.0.send(command, arguments);
        self.0.response(number)
    }

    /// Moves the run; tells whether it goes on.
    fn go(&mut self, command: &str, arguments: Value) -> bool {
        let is_done = self.ask(command, arguments)["success"] == true;
        is_done && self.0.event_of(&["stopped", "terminated"])["event"] == "stopped"
    }

    /// Opens variables, and the memory that some of them are.
    fn open(&mut self, reference: &Value, depth: usize) {
        let asked = json!({ "variablesReference": reference, "start": depth % 2, "count": 9 });
        let found = self.ask("variables", asked)["body"]["variables"].clone();
        for variable in found.as_array().into_iter().flatten().take(OPENED) {
            let memory = &variable["memoryReference"];
            if memory.is_string() {
                let asked = json!({ "memoryReference": memory, "offset": 3, "count": 70 });
                self.ask("readMemory", asked);
            }
            if depth < DEEPEST && variable["variablesReference"].as_u64() > Some(0) {
                self.open(&variable["variablesReference"], depth + 1);
            }
        }
    }

    /// Asks everything about where the run stands.
    fn look(&mut self) {
        let threads = self.ask("threads", json!({}))["body"]["threads"].clone();
        for thread in threads.as_array().into_iter().flatten().take(2) {
            let asked = json!({ "threadId": thread["id"], "startFrame": 1, "levels": 1 });
            self.ask("stackTrace", asked);
            let stack = self.ask("stackTrace", json!({ "threadId": thread["id"] }));
            let frames = stack["body"]["stackFrames"].clone();
            for frame in frames.as_array().into_iter().flatten().take(2) {
                let scopes = self.ask("scopes", json!({ "frameId": frame["id"] }));
                for scope in scopes["body"]["scopes"].as_array().into_iter().flatten() {
                    self.open(&scope["variablesReference"], 0);
                }
                self.ask("tungsten/lineValues", json!({ "frameId": frame["id"] }));
            }
            let place = &frames[0]["instructionPointerReference"];
            for (first, offset) in [(-3, 0), (0, 4), (2, -8)] {
                let asked = json!({ "memoryReference": place, "instructionOffset": first,
                    "offset": offset, "instructionCount": 6 });
                self.ask("disassemble", asked);
            }
        }
        for name in ["OUT[0].x", "TEMP[0]", "TEMP[0].x", "v1", "s4", "BUFFER[0]", "buf[0][0]"] {
            for context in ["hover", "watch"] {
                self.ask("evaluate", json!({ "expression": name, "context": context }));
            }
            for question in ["why ", "nan ", "row ", "lane "] {
                let asked = format!("{question}{name}");
                let found = self.ask("evaluate", json!({ "expression": asked, "context": "repl" }));
                if found["body"]["variablesReference"].as_u64() > Some(0) {
                    self.open(&found["body"]["variablesReference"], 1);
                }
            }
            for follow in ["everything", "nan", "neither"] {
                self.ask("tungsten/origins", json!({ "expression": name, "follow": follow }));
            }
            self.ask("dataBreakpointInfo", json!({ "name": name }));
        }
        for lane in ["1", "2 | pixel", "0", "64", "x"] {
            let asked = json!({ "variablesReference": 1, "name": "lane", "value": lane });
            self.ask("setVariable", asked);
        }
        self.ask("exceptionInfo", json!({ "threadId": 1 }));
    }

    /// Breakpoints of every kind, some of which cannot be set.
    fn set(&mut self, path: &str) {
        let wishes = (1..60).step_by(4).map(|line| match line % 5 {
            0 => json!({ "line": line, "condition": "lane == 1 && 1 < 2" }),
            1 => json!({ "line": line, "hitCondition": "> 1" }),
            2 => json!({ "line": line, "logMessage": "lane {lane}: {TEMP[0].x} {v0}" }),
            3 => json!({ "line": line, "condition": "TEMP[0].x >", "logMessage": "{" }),
            _ => json!({ "line": line, "hitCondition": "often" }),
        });
        let wishes: Vec<Value> = wishes.collect();
        let asked = json!({ "source": { "path": path }, "breakpoints": wishes });
        self.ask("setBreakpoints", asked);
        self.ask("breakpointLocations", json!({ "line": 1, "endLine": 40 }));
        self.ask("breakpointLocations", json!({ "line": 12 }));
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        let place = &stack["body"]["stackFrames"][0]["instructionPointerReference"];
        let wishes = [(0, "1"), (4, ""), (8, "2"), (9, "")].map(|(offset, hits)| {
            json!({ "instructionReference": place, "offset": offset, "hitCondition": hits })
        });
        self.ask("setInstructionBreakpoints", json!({ "breakpoints": wishes }));
        let wishes = ["1:OUT[0].x", "1:TEMP[0].x", "1:v2", "9:TEMP[0].x", "none", "x:1", "1:+"]
            .map(|name| json!({ "dataId": name, "condition": "lane >= 0" }));
        self.ask("setDataBreakpoints", json!({ "breakpoints": wishes }));
        let options = [json!({ "filterId": "infinity" })];
        let asked = json!({ "filters": ["nan", "outside"], "filterOptions": options });
        self.ask("setExceptionBreakpoints", asked);
        self.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "main" }] }));
    }
}

/// A whole session, told in full.
fn session(path: &str) -> String {
    let mut own = Session(Client::new());
    own.ask("initialize", json!({ "adapterID": "tungsten" }));
    let launched = own.ask("launch", json!({ "program": path, "stopOnEntry": true }));
    if launched["success"] == true {
        own.0.event("initialized");
        own.go("configurationDone", json!({}));
        own.look();
        let all = [
            ("next", "line"),
            ("stepIn", "instruction"),
            ("stepBack", "line"),
            ("next", "instruction"),
            ("stepOut", "line"),
            ("reverseContinue", "line"),
            ("continue", "line"),
            ("stepBack", "instruction"),
        ];
        for round in 0..2 {
            for (command, granularity) in all {
                let asked = json!({ "threadId": 1 + round, "granularity": granularity });
                if !own.go(command, asked) {
                    break;
                }
                own.ask("stackTrace", json!({ "threadId": 1 }));
            }
            own.look();
            own.set(path);
            if !own.go("restart", json!({})) {
                break;
            }
        }
        for _ in 0..5 {
            own.go("continue", json!({ "threadId": 1 }));
            own.ask("exceptionInfo", json!({ "threadId": 1 }));
        }
        own.look();
        for _ in 0..3 {
            own.go("reverseContinue", json!({ "threadId": 1 }));
        }
        for position in [0, 3, 5, 9_999_999] {
            own.go("tungsten/goTo", json!({ "position": position }));
        }
        own.ask("source", json!({ "sourceReference": 0 }));
    }
    own.ask("disconnect", json!({}));
    own.0.close().expect("an end");
    written(&own.0.log)
}

#[test]
fn every_message_of_sessions() {
    let mut records = table("sessions.tsv");
    records.add("a shader", "told", &written(&shader_session()));
    records.add("a kernel", "told", &written(&kernel_session()));
    for name in PROGRAMS {
        records.add(name, "all", &session(&format!("/own/{name}")));
    }
    for name in JOINED {
        records.add(name, "all", &session(&format!("/joined/{name}")));
    }
    records.check();
}

/// A run that nothing stops, with what it says; and one that may keep few states.
#[test]
fn runs_that_are_only_run() {
    let mut records = table("runs.tsv");
    for name in PROGRAMS {
        let mut said = String::new();
        for (alone, megabytes) in [(true, 1), (false, 0), (false, 9999)] {
            let mut own = Session(Client::new());
            own.ask("initialize", json!({}));
            let launch = json!({
                "program": format!("/own/{name}"), "noDebug": alone,
                "recordingMegabytes": megabytes,
            });
            own.ask("launch", launch);
            own.go("configurationDone", json!({}));
            own.ask("terminate", json!({}));
            own.0.close().expect("an end");
            said += &written(&own.0.log);
        }
        records.add(name, "said", &said);
    }
    records.check();
}

/// Requests with arguments that are missing or of another kind, at each time.
#[test]
fn requests_that_are_refused() {
    const COMMANDS: [&str; 26] = [
        "attach",
        "breakpointLocations",
        "configurationDone",
        "continue",
        "dataBreakpointInfo",
        "disassemble",
        "evaluate",
        "exceptionInfo",
        "fly",
        "initialize",
        "launch",
        "next",
        "readMemory",
        "scopes",
        "setBreakpoints",
        "setDataBreakpoints",
        "setExceptionBreakpoints",
        "setInstructionBreakpoints",
        "setVariable",
        "source",
        "stackTrace",
        "stepBack",
        "tungsten/goTo",
        "tungsten/lineValues",
        "tungsten/origins",
        "variables",
    ];
    let mut own = Session(Client::new());
    for command in COMMANDS.iter().filter(|it| **it != "initialize") {
        own.ask(command, json!({}));
    }
    own.ask("initialize", json!({}));
    for command in COMMANDS {
        own.ask(command, json!({ "program": 1 }));
    }
    own.ask("launch", json!({ "program": "/home/user/a.tgsi", "stopOnEntry": true }));
    own.0.event("initialized");
    own.go("configurationDone", json!({}));
    for arguments in [json!({}), json!({ "threadId": "x", "line": -1, "expression": 7 })] {
        for command in COMMANDS.iter().filter(|it| **it != "configurationDone") {
            own.ask(command, arguments.clone());
        }
    }
    own.ask("terminate", json!({}));
    own.0.close().expect("an end");
    let mut records = table("refused.tsv");
    records.add("requests", "told", &written(&own.0.log));
    records.check();
}
