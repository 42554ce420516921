//! A client in memory, and programs for it.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use gcn::program::{Options, assemble};
use gcn_emu::launch::KernelInputs;
use serde_json::{Value, json};
use tgsi_interp::inputs::Inputs;

use super::recorded;
use debug_adapter::{Launch, Loaded, Loader, Program, Refusal, read_message, serve, write_message};

/// A subroutine and a NaN that one pixel makes.
pub(super) const SHADER: &str = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n\
DCL TEMP[0..1]\nIMM[0] FLT32 {1.0, 0.5, 0.0, 0.0}\n\
ADD TEMP[0].x, IN[0].xxxx, -IMM[0].xxxx\nCAL :5\nSQRT TEMP[0].z, TEMP[0].xxxx\n\
MOV OUT[0], TEMP[0].zzzz\nEND\nBGNSUB\nMUL TEMP[1].y, TEMP[0].xxxx, IMM[0].yyyy\nRET\nENDSUB\n";
const SHADER_INPUTS: &str = "lane = 1\n[in]\n0 = [[2.0], [5.0], [0.5], [2.0]]\n";

/// A kernel with a loop.
pub(super) const KERNEL: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\nk:\n\
s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32_e32 v1, 2, v0\nv_mov_b32_e32 v2, 0\n\
s_mov_b32 s6, 0\nloop:\nv_add_u32_e32 v2, 3, v2\ns_add_u32 s6, s6, 1\ns_cmp_lt_u32 s6, 9\n\
s_cbranch_scc1 loop\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v2, s[4:5]\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_kernarg_size 8\n\
.amdhsa_next_free_vgpr 3\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n";
const KERNEL_INPUTS: &str = "[arg]\n0 = \"buf.0\"\n[buf]\n0 = { words = 64 }\n";

/// A loop without end.
const ENDLESS: &str =
    "VERT\nDCL OUT[0], POSITION\nBGNLOOP\nMOV OUT[0].x, OUT[0].xxxx\nENDLOOP\nEND\n";

struct MadeUp;

impl Loader for MadeUp {
    fn load(&mut self, launch: &Launch) -> Result<Loaded, Refusal> {
        let shader = |text: &str, inputs: &str| {
            let inputs = Inputs::read(inputs).expect("inputs");
            let shader = debugger::shader::Shader::new(text, 1, inputs);
            Program::Shader(Box::new(shader.expect("a shader")))
        };
        let program = match &*launch.program {
            "/home/user/a.tgsi" => shader(SHADER, SHADER_INPUTS),
            "/home/user/endless.tgsi" => shader(ENDLESS, ""),
            "/home/user/k.s" => {
                let options = Options::of(KERNEL, "k.s");
                let program = assemble(KERNEL, &options, &|_| None, &source::no_checkpoint);
                let inputs = KernelInputs::read(KERNEL_INPUTS).expect("inputs");
                let kernel = debugger::kernel::Kernel::new(&program, KERNEL, inputs);
                Program::Kernel(Box::new(kernel.expect("a kernel")))
            }
            other => match recorded::program(other) {
                Some(program) => program?,
                None => return Err(format!("{other}: there is no such file").into()),
            },
        };
        let notes = vec!["it runs on made-up inputs".to_owned()];
        Ok(Loaded { program, path: launch.program.clone(), notes })
    }
}

struct Pipe {
    bytes: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.bytes.recv() {
                Ok(bytes) => self.rest = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct Sink(Sender<Vec<u8>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client and its session.
pub(super) struct Client {
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    sent: i64,
    /// Events that nobody has asked for yet.
    events: Vec<Value>,
    /// Every message, with who sent it: `>` the client, `<` the adapter.
    pub(super) log: Vec<(char, Value)>,
    session: Option<JoinHandle<io::Result<()>>>,
}

/// The time that an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

impl Client {
    /// A client whose session has begun.
    pub(super) fn new() -> Client {
        let (to, bytes) = channel();
        let (sink, from) = channel();
        let session = std::thread::spawn(move || {
            serve(Pipe { bytes, rest: Vec::new() }, Sink(sink), &mut MadeUp)
        });
        Client {
            to: Some(to),
            from,
            bytes: Vec::new(),
            sent: 0,
            events: Vec::new(),
            log: Vec::new(),
            session: Some(session),
        }
    }

    /// A client whose program was launched and is configured.
    pub(super) fn launched(program: &str, stop_on_entry: Stops) -> Client {
        let mut client = Client::new();
        client.ask("initialize", json!({ "adapterID": "tungsten" }));
        let stops = stop_on_entry == Stops::OnEntry;
        client.ask("launch", json!({ "program": program, "stopOnEntry": stops }));
        client.event("initialized");
        client
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.to.as_ref().expect("an open stream").send(bytes.to_vec()).expect("a session");
    }

    pub(super) fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.sent += 1;
        let message = json!({
            "seq": self.sent, "type": "request", "command": command, "arguments": arguments,
        });
        let mut bytes = Vec::new();
        write_message(&mut bytes, &message).expect("bytes");
        self.raw(&bytes);
        self.log.push(('>', message));
        self.sent
    }

    fn next(&mut self) -> Value {
        loop {
            let mut stream = &self.bytes[..];
            if let Ok(Some(message)) = read_message(&mut stream) {
                let rest = stream.len();
                self.bytes.drain(..self.bytes.len() - rest);
                self.log.push(('<', message.clone()));
                return message;
            }
            self.bytes.extend(self.from.recv_timeout(PATIENCE).expect("an answer in time"));
        }
    }

    /// The response to a request.
    pub(super) fn response(&mut self, number: i64) -> Value {
        loop {
            let message = self.next();
            match message["type"] == "response" {
                true => {
                    assert_eq!(message["request_seq"], number, "{message}");
                    return message;
                }
                false => self.events.push(message),
            }
        }
    }

    /// The body of the answer to a request, which must succeed.
    pub(super) fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let number = self.send(command, arguments);
        let response = self.response(number);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// The message of the answer to a request, which must be refused.
    pub(super) fn refused(&mut self, command: &str, arguments: Value) -> String {
        let number = self.send(command, arguments);
        let response = self.response(number);
        assert_eq!(response["success"], false, "{response}");
        response["message"].as_str().expect("a message").to_owned()
    }

    /// The body of the next event of a kind; those before it are passed over.
    pub(super) fn event(&mut self, name: &str) -> Value {
        self.event_of(&[name])["body"].clone()
    }

    /// The next event of some kinds; those before it are passed over.
    pub(super) fn event_of(&mut self, names: &[&str]) -> Value {
        loop {
            while !self.events.is_empty() {
                let event = self.events.remove(0);
                if names.iter().any(|name| event["event"] == *name) {
                    return event;
                }
            }
            let message = self.next();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Moves the run, and gives the line of the first frame where it stops then.
    pub(super) fn go(&mut self, command: &str, thread: usize) -> (String, u64) {
        self.ask(command, json!({ "threadId": thread }));
        self.stop()
    }

    /// The reason and the line of the next stop.
    pub(super) fn stop(&mut self) -> (String, u64) {
        let stopped = self.event("stopped");
        let stack = self.ask("stackTrace", json!({ "threadId": stopped["threadId"] }));
        let line = stack["stackFrames"][0]["line"].as_u64().expect("a line");
        (stopped["reason"].as_str().expect("a reason").to_owned(), line)
    }

    /// The variables of the scope of a name, of the first thread.
    pub(super) fn scope(&mut self, name: &str) -> Vec<Value> {
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        let frame = stack["stackFrames"][0]["id"].clone();
        let scopes = self.ask("scopes", json!({ "frameId": frame }));
        let scopes = scopes["scopes"].as_array().expect("scopes");
        let own = scopes.iter().find(|scope| scope["name"] == name);
        let reference = own.unwrap_or_else(|| panic!("{scopes:?}"))["variablesReference"].clone();
        self.parts(&reference)
    }

    pub(super) fn parts(&mut self, reference: &Value) -> Vec<Value> {
        let variables = self.ask("variables", json!({ "variablesReference": reference }));
        variables["variables"].as_array().expect("variables").clone()
    }

    pub(super) fn evaluate(&mut self, expression: &str, context: &str) -> String {
        let body = self.ask("evaluate", json!({ "expression": expression, "context": context }));
        body["result"].as_str().expect("a result").to_owned()
    }

    /// Closes the stream, and waits for the session's end.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.to = None;
        self.session.take().expect("a session").join().expect("no panic")
    }
}

/// The place where a launch stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stops {
    OnEntry,
    Later,
}
