//! `tungsten dap` from outside: the process, its streams, and the files that it may read.

mod endings;
mod merged;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::folder::Folder;

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
