//! `tungsten dap` from outside: the process, its streams, and the files that it may read.

use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");

struct Adapter {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    sent: i64,
}

impl Adapter {
    /// An adapter that may read the files of a folder.
    fn start(folder: &str) -> Adapter {
        let mut command = Command::new(crate::TUNGSTEN);
        command.args(["dap", folder]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("tungsten starts");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Adapter { child, to, from, sent: 0 }
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
    for (program, inputs) in
        [("lit_texture.tgsi", "lit_texture.inputs.toml"), ("saxpy.s", "saxpy.inputs.toml")]
    {
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
