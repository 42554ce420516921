//! `tungsten dap` from outside: the process, its streams, and the files that it may read.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::folder::Folder;

/// The time that a process may take to end.
const PATIENCE: Duration = Duration::from_secs(60);
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");

struct Adapter {
    child: Child,
    to: Option<Box<dyn Write>>,
    from: Box<dyn Read>,
    sent: i64,
}

impl Adapter {
    /// An adapter that may read the files of a folder.
    fn start(folder: &str) -> Adapter {
        let mut command = Command::new(crate::TUNGSTEN);
        command.args(["dap", folder]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("tungsten starts");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Adapter { child, to: Some(Box::new(to)), from: Box::new(from), sent: 0 }
    }

    /// An adapter on a port, with the token that it has printed.
    fn on_port(folder: &str) -> (Adapter, String, u16) {
        let mut command = Command::new(crate::TUNGSTEN);
        command.args(["dap", "--port", "0", folder]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("tungsten starts");
        let mut line = String::new();
        let mut printed = BufReader::new(child.stdout.take().expect("a pipe"));
        printed.read_line(&mut line).expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["port", port, "token", token] = words[..] else { panic!("{line}") };
        let port = port.parse().expect("a port");
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        let from = Box::new(stream.try_clone().expect("a stream"));
        (Adapter { child, to: Some(Box::new(stream)), from, sent: 0 }, token.to_owned(), port)
    }

    fn read(&mut self) -> Value {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            self.from.read_exact(&mut byte).expect("a header");
            head.extend(byte);
        }
        let head = String::from_utf8(head).expect("UTF-8");
        let length = head.trim().strip_prefix("Content-Length: ").expect("a length");
        let mut bytes = vec![0; length.parse().expect("a number")];
        self.from.read_exact(&mut bytes).expect("a message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// The answer to a request.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.sent += 1;
        let message = json!({
            "seq": self.sent, "type": "request", "command": command, "arguments": arguments,
        });
        let text = message.to_string();
        let to = self.to.as_mut().expect("an open stream");
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
        to.flush().expect("it reads");
        loop {
            let message = self.read();
            if message["type"] == "response" && message["request_seq"] == self.sent {
                return message;
            }
        }
    }

    /// The body of the next event of a kind.
    fn event(&mut self, name: &str) -> Value {
        loop {
            let message = self.read();
            if message["event"] == name {
                return message["body"].clone();
            }
        }
    }

    /// The exit status once the client has gone.
    fn end(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn the_examples_are_debugged_both_ways() {
    for (program, inputs) in [
        ("lit_texture.tgsi", "lit_texture.inputs.toml"),
        ("saxpy.s", "saxpy.inputs.toml"),
        ("halve.s", "halve.inputs.toml"),
    ] {
        let mut adapter = Adapter::start(EXAMPLES);
        adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
        let program = format!("{EXAMPLES}/{program}");
        let launch = json!({ "program": program, "inputs": inputs, "stopOnEntry": true });
        let launched = adapter.ask("launch", launch);
        assert_eq!(launched["success"], true, "{launched}");
        adapter.event("initialized");
        adapter.ask("configurationDone", json!({}));
        assert_eq!(adapter.event("stopped")["reason"], "entry");
        let line = |adapter: &mut Adapter| {
            let stack = adapter.ask("stackTrace", json!({ "threadId": 1 }));
            stack["body"]["stackFrames"][0]["line"].as_u64().expect("a line")
        };
        let mut forth = vec![line(&mut adapter)];
        for _ in 0..6 {
            adapter.ask("next", json!({ "threadId": 1 }));
            adapter.event("stopped");
            forth.push(line(&mut adapter));
        }
        assert!(forth.is_sorted_by(|one, next| one < next), "{forth:?}");
        let mut back = Vec::new();
        for _ in 0..6 {
            adapter.ask("stepBack", json!({ "threadId": 1 }));
            adapter.event("stopped");
            back.push(line(&mut adapter));
        }
        back.reverse();
        assert_eq!(back, forth[..6]);
        adapter.ask("continue", json!({ "threadId": 1 }));
        assert_eq!(adapter.event("stopped")["description"], "the end of the run");
        assert_eq!(adapter.ask("disconnect", json!({}))["success"], true);
        assert_eq!(adapter.end(), Some(0));
    }
}

#[test]
fn files_outside_of_the_folders_are_not_read() {
    let mut adapter = Adapter::start(EXAMPLES);
    adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
    let outside = Path::new(EXAMPLES).parent().expect("a folder").join("Cargo.toml");
    let inside = format!("{EXAMPLES}/saxpy.s");
    for launch in [
        json!({ "program": outside }),
        json!({ "program": inside, "inputs": outside }),
        json!({ "program": inside, "inputs": "../Cargo.toml" }),
    ] {
        let refused = adapter.ask("launch", launch);
        assert_eq!(refused["success"], false);
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains(source::OUTSIDE), "{message}");
    }
    // Who goes without a word leaves no process behind.
    assert_eq!(adapter.end(), Some(0));
}

/// A shader that never ends.
const ENDLESS: &str = "VERT\nDCL OUT[0], POSITION\nDCL TEMP[0]\nBGNLOOP\n\
ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].xxxx\nENDLOOP\nEND\n";

/// The exit status of a process that is to end by itself.
fn ends(child: &mut Child) -> Option<i32> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it is there");
    panic!("the adapter is still there");
}

#[test]
fn a_client_that_breaks_off_leaves_no_process() {
    let folder = Folder::with("endless", &[("endless.tgsi", ENDLESS)]);
    let program = folder.path().join("endless.tgsi");
    let running = || {
        let mut adapter = Adapter::start(&folder.path().to_string_lossy());
        adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
        assert_eq!(adapter.ask("launch", json!({ "program": program }))["success"], true);
        adapter.event("initialized");
        adapter.ask("configurationDone", json!({}));
        adapter
    };
    // It goes without a word while the shader runs, or breaks off within a message.
    let mut adapter = running();
    adapter.to = None;
    assert_eq!(ends(&mut adapter.child), Some(0));
    let mut adapter = running();
    write!(adapter.to.as_mut().expect("a stream"), "Content-Length: 90\r\n\r\n{{")
        .expect("it reads");
    adapter.to = None;
    assert_eq!(ends(&mut adapter.child), Some(2));
    // What it sends is no protocol, at first or while the shader runs.
    for bytes in
        ["GET / HTTP/1.1\r\n\r\n", "Content-Length: 2\r\n\r\n{x", "Content-Length: -7\r\n\r\n"]
    {
        for mut adapter in [Adapter::start(EXAMPLES), running()] {
            let to = adapter.to.as_mut().expect("a stream");
            to.write_all(bytes.as_bytes()).and_then(|()| to.flush()).expect("it reads");
            assert_eq!(ends(&mut adapter.child), Some(2), "{bytes:?}");
        }
    }
    // Nobody reads what the adapter says.
    let mut adapter = running();
    adapter.from = Box::new(std::io::empty());
    let to = adapter.to.as_mut().expect("a stream");
    let pause = json!({
        "seq": 9, "type": "request", "command": "pause", "arguments": { "threadId": 1 },
    });
    let pause = pause.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{pause}", pause.len()).expect("it reads");
    to.flush().expect("it reads");
    assert_eq!(ends(&mut adapter.child), Some(0));
}

#[test]
fn a_port_serves_one_client_with_the_token() {
    let (mut adapter, token, port) = Adapter::on_port(EXAMPLES);
    assert_eq!(token.len(), 32);
    adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
    let program = format!("{EXAMPLES}/zero_normal.tgsi");
    for wrong in [json!(null), json!("0"), json!(token[1..])] {
        let launch = json!({ "program": program, "token": wrong });
        let refused = adapter.ask("launch", launch);
        assert_eq!(refused["success"], false);
        assert!(refused["message"].as_str().expect("a message").contains("token"), "{refused}");
    }
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err(), "there is one client");
    let launch = json!({ "program": program, "token": token, "stopOnEntry": true });
    assert_eq!(adapter.ask("launch", launch)["success"], true);
    adapter.event("initialized");
    adapter.ask("configurationDone", json!({}));
    assert_eq!(adapter.event("stopped")["reason"], "entry");
    assert_eq!(adapter.ask("disconnect", json!({}))["success"], true);
    assert_eq!(adapter.end(), Some(0));
}

#[test]
fn what_cannot_be_launched_says_why() {
    let mut adapter = Adapter::start(EXAMPLES);
    adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
    let shader = format!("{EXAMPLES}/zero_normal.tgsi");
    let kernel = format!("{EXAMPLES}/saxpy.s");
    for (launch, words) in [
        (json!({ "program": format!("{EXAMPLES}/nothing.tgsi") }), "nothing.tgsi"),
        (json!({ "program": shader, "shader": 7 }), "there is no shader 7"),
        (json!({ "program": shader, "inputs": "zero_normal.tgsi" }), "zero_normal.tgsi:4: "),
        (json!({ "program": shader, "target": "voodoo" }), "voodoo"),
        (json!({ "program": kernel, "kernel": "other" }), "there is no kernel `other`"),
        (
            json!({ "program": shader, "inputs": "zero_normal.inputs.toml", "seed": 1 }),
            "one of them",
        ),
        (json!({ "program": shader, "machineCode": kernel }), "name it as `target`"),
        (json!({ "shader": 1 }), "`program`"),
    ] {
        let refused = adapter.ask("launch", launch.clone());
        assert_eq!(refused["success"], false, "{launch}");
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains(words), "{launch}: {message}");
    }
    assert_eq!(adapter.end(), Some(0));
}

/// A shader whose constants are loaded, and what it is run on.
const LOADING: &str = "# tungsten: color-format=32_abgr run=loading.inputs.toml\nFRAG\n\
DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0]\n\
  0: MUL OUT[0], IN[0], CONST[0][0]\n  1: END\n";
const LOADING_INPUTS: &str =
    "[in]\n0 = [1.0, 2.0, 3.0, 4.0]\n[const]\n0 = [[5.0, 6.0, 7.0, 8.0]]\n";

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn edited_machine_code_runs_beside_its_shader() {
    let folder = Folder::new("edited-machine-code");
    folder.write("loading.tgsi", LOADING);
    folder.write("loading.inputs.toml", LOADING_INPUTS);
    let program = folder.path().join("loading.tgsi");
    let compiled = Command::new(crate::TUNGSTEN)
        .args(["compile", "--target", "polaris10", "--emit", "asm"])
        .arg(&program)
        .output()
        .expect("tungsten starts");
    let listing = String::from_utf8(compiled.stdout).expect("UTF-8");
    let early = listing.replace("s_waitcnt lgkmcnt(0)", "s_nop 0");
    assert_ne!(early, listing);
    folder.write("same.s", &listing);
    folder.write("early.s", &early);
    folder.write("broken.s", &listing.replace("s_endpgm", "s_end"));
    folder.write("packed.s", "main:\n  exp mrt0 v1, v1, v0, v0 done compr vm\n  s_endpgm\n");
    let launch = |name: &str| {
        let mut adapter = Adapter::start(&folder.path().to_string_lossy());
        adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
        let own = json!({ "program": program, "target": "polaris10", "machineCode": name });
        let launched = adapter.ask("launch", own);
        (adapter, launched)
    };
    for (name, words) in [
        ("broken.s", "broken.s:"),
        ("packed.s", "color-format=32_abgr"),
        ("../other.s", "other.s"),
        ("nothing.s", "nothing.s"),
    ] {
        let (adapter, refused) = launch(name);
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains(words), "{name}: {message}");
        assert_eq!(adapter.end(), Some(0));
    }
    // The missing wait, unless somebody says otherwise, then the difference; or neither.
    for (name, filters, stops) in [
        ("same.s", None, vec![]),
        ("early.s", None, vec!["wait"]),
        ("early.s", Some(json!([])), vec![]),
        ("early.s", Some(json!(["difference"])), vec!["difference"]),
    ] {
        let (mut adapter, launched) = launch(name);
        assert_eq!(launched["success"], true, "{launched}");
        adapter.event("initialized");
        if let Some(filters) = &filters {
            adapter.ask("setExceptionBreakpoints", json!({ "filters": filters }));
        }
        adapter.ask("configurationDone", json!({}));
        for stop in stops {
            assert_eq!(adapter.event("stopped")["reason"], "exception", "{name} {filters:?}");
            let info = adapter.ask("exceptionInfo", json!({ "threadId": 1 }));
            assert_eq!(info["body"]["exceptionId"], stop, "{name} {filters:?}");
            let frames = adapter.ask("stackTrace", json!({ "threadId": 1 }));
            assert_eq!(frames["body"]["stackFrames"][0]["line"], 6, "{name} {filters:?}");
            adapter.ask("setExceptionBreakpoints", json!({ "filters": [] }));
            adapter.ask("continue", json!({ "threadId": 1 }));
        }
        assert_eq!(adapter.event("stopped")["description"], "the end of the run", "{name}");
        assert_eq!(adapter.end(), Some(0));
    }
    let run = |name: &str| {
        let mut command = Command::new(crate::TUNGSTEN);
        command.args(["run", "--engine", "polaris10", "--machine-code"]);
        let ran = command.arg(folder.path().join(name)).arg(&program).output();
        let ran = ran.expect("tungsten starts");
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    assert_eq!(run("same.s").0, Some(0));
    let (status, message) = run("early.s");
    assert!(status == Some(1) && message.contains("no wait after"), "{message}");
}

/// The values of the outputs at the end of a run of the example on inputs of a seed.
fn outputs_of_seed(seed: u64) -> String {
    let mut adapter = Adapter::start(EXAMPLES);
    adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
    let program = format!("{EXAMPLES}/zero_normal.tgsi");
    let launched = adapter.ask("launch", json!({ "program": program, "seed": seed }));
    assert_eq!(launched["success"], true, "{launched}");
    adapter.event("initialized");
    adapter.ask("configurationDone", json!({}));
    assert_eq!(adapter.event("stopped")["description"], "the end of the run");
    let asked = json!({ "expression": "row OUT[0].x", "context": "repl" });
    let row = adapter.ask("evaluate", asked)["body"]["result"].to_string();
    assert_eq!(adapter.end(), Some(0));
    row
}

#[test]
fn a_seed_makes_up_inputs() {
    let [one, same, other] = [5, 5, 6].map(outputs_of_seed);
    assert_eq!(one, same);
    assert_ne!(one, other);
    assert!(!one.contains("NaN") && one.contains('.'), "{one}");
}

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
