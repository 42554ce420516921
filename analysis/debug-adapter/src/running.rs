//! A program that runs for a client: requests to answers.

use std::io::Write;

use debugger::{Debugger, EventKind, Subject};
use serde_json::{Value, json};

use crate::arguments::{Launch, OfThread};
use crate::breakpoints::Breakpoints;
use crate::client::{Client, Request};
use crate::refusal::Refusal;
use crate::variables::Container;

/// Frames of a thread in the numbers of frames.
const FRAMES: usize = 1 << 10;
/// The number of the frame of the machine code beneath a statement: the last one.
const BENEATH: usize = FRAMES - 1;

/// The program and what the client knows of it.
pub(crate) struct Running<'c, S: Subject, W> {
    pub(crate) debugger: Debugger<S>,
    pub(crate) client: &'c mut Client<W>,
    pub(crate) path: String,
    pub(crate) stops_on_entry: bool,
    pub(crate) breakpoints: Breakpoints,
    /// The lane that values are shown of.
    pub(crate) lane: usize,
    /// The meanings of references of variables, until the run moves.
    pub(crate) containers: Vec<Container>,
    /// The last stop, in words: its kind and what happened.
    pub(crate) last_stop: (String, String),
    /// True once the client was told that states were given up.
    pub(crate) told_of_bound: bool,
    runs_only: bool,
}

/// The end of a request: whether the session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Goes,
    Ends,
}

impl<'c, S: Subject, W: Write> Running<'c, S, W> {
    pub(crate) fn new(
        mut debugger: Debugger<S>,
        client: &'c mut Client<W>,
        launch: &Launch,
        path: String,
    ) -> Running<'c, S, W> {
        let lane = debugger.subject().watched().1;
        debugger.events.extend(EventKind::ALL.into_iter().filter(|kind| kind.is_default()));
        Running {
            debugger,
            client,
            path,
            stops_on_entry: launch.stop_on_entry,
            breakpoints: Breakpoints::default(),
            lane,
            containers: Vec::new(),
            last_stop: (String::new(), String::new()),
            told_of_bound: false,
            runs_only: launch.no_debug,
        }
    }

    /// Answers until the client ends the session.
    pub(crate) fn serve(mut self) {
        self.client.event("initialized", Value::Null);
        while let Some(request) = self.client.next() {
            if self.request(&request) == Next::Ends {
                return;
            }
        }
    }

    fn request(&mut self, request: &Request) -> Next {
        let is_move = self.moves(request);
        if is_move {
            return Next::Goes;
        }
        let body = match request.command.as_str() {
            "configurationDone" => {
                self.client.answer(request, Value::Null);
                if self.runs_only {
                    return self.run_to_the_end();
                }
                self.begin();
                return Next::Goes;
            }
            "restart" => {
                self.client.answer(request, Value::Null);
                self.debugger.restart();
                self.begin();
                return Next::Goes;
            }
            "terminate" | "disconnect" => {
                self.client.answer(request, Value::Null);
                if request.command == "terminate" {
                    self.client.event("terminated", Value::Null);
                }
                return Next::Ends;
            }
            // Whatever ran has stopped by now, and told so.
            "pause" => Ok(Value::Null),
            "threads" => Ok(self.threads()),
            "stackTrace" => request.arguments().and_then(|it: OfThread| self.stack(&it)),
            "scopes" => request.arguments().and_then(|it| self.scopes(&it)),
            "variables" => request.arguments().and_then(|it| self.variables(&it)),
            "setVariable" => request.arguments().and_then(|it| self.set_variable(&it)),
            "evaluate" => request.arguments().and_then(|it| self.evaluate(&it)),
            "setBreakpoints" => request.arguments().map(|it| self.set_breakpoints(&it)),
            "setInstructionBreakpoints" => {
                request.arguments().map(|it| self.set_instruction_breakpoints(&it))
            }
            "dataBreakpointInfo" => {
                request.arguments().and_then(|it| self.data_breakpoint_info(&it))
            }
            "setDataBreakpoints" => request.arguments().map(|it| self.set_data_breakpoints(&it)),
            "setExceptionBreakpoints" => {
                request.arguments().and_then(|it| self.set_exception_breakpoints(&it))
            }
            "setFunctionBreakpoints" => Ok(json!({ "breakpoints": [] })),
            "breakpointLocations" => request.arguments().map(|it| self.breakpoint_locations(&it)),
            "tungsten/origins" => request.arguments().and_then(|it| self.origins(&it)),
            "tungsten/lineValues" => request.arguments().and_then(|it| self.line_values(&it)),
            "tungsten/goTo" => {
                self.go_to(request);
                return Next::Goes;
            }
            "exceptionInfo" => Ok(self.exception_info()),
            "disassemble" => request.arguments().and_then(|it| self.disassemble(&it)),
            "readMemory" => request.arguments().and_then(|it| self.read_memory(&it)),
            "source" => Err("the source is the file itself".into()),
            other => Err(format!("`{other}` is not known").into()),
        };
        match body {
            Ok(body) => self.client.answer(request, body),
            Err(reason) => self.client.refuse(request, &reason.0),
        }
        Next::Goes
    }

    fn run_to_the_end(&mut self) -> Next {
        let client = &mut *self.client;
        let stop = self.debugger.go_on(&mut || match client.interrupts() {
            true => debugger::Pace::Pause,
            false => debugger::Pace::Go,
        });
        let steps = self.debugger.recording().position();
        match &stop {
            debugger::Stop::Fault(fault) => self.client.say(&fault.message),
            debugger::Stop::Event(event) => self.client.say(&event.message()),
            _ => {}
        }
        self.client.say(&format!("{steps} instructions"));
        self.client.event("terminated", Value::Null);
        Next::Goes
    }

    fn threads(&self) -> Value {
        let subject = self.debugger.subject();
        let threads: Vec<Value> = (0..subject.threads())
            .map(|thread| json!({ "id": thread + 1, "name": subject.thread_name(thread) }))
            .collect();
        json!({ "threads": threads })
    }

    /// The thread of a number of the protocol.
    pub(crate) fn thread(&self, id: usize) -> Result<usize, Refusal> {
        let count = self.debugger.subject().threads();
        let thread = id.checked_sub(1).filter(|thread| *thread < count);
        thread.ok_or_else(|| Refusal(format!("there is no thread {id}")))
    }

    /// The thread of a frame; without one that whose turn it is.
    pub(crate) fn thread_of_frame(&self, frame: Option<usize>) -> Result<usize, Refusal> {
        match frame {
            Some(frame) => self.thread(frame / FRAMES),
            None => Ok(self.debugger.subject().thread().unwrap_or(0)),
        }
    }

    fn stack(&self, arguments: &OfThread) -> Result<Value, Refusal> {
        let thread = self.thread(arguments.thread_id)?;
        let subject = self.debugger.subject();
        let mut places = vec![(0, subject.instruction(thread))];
        places.extend(
            subject
                .returns(thread)
                .into_iter()
                .rev()
                .enumerate()
                .map(|(depth, place)| (depth + 1, place)),
        );
        places.truncate(BENEATH);
        let beneath = subject.beneath(thread);
        places.extend(beneath.map(|own| (BENEATH, Some(own))));
        let frame = |(depth, place): &(usize, Option<usize>)| {
            let own = place.or(subject.instructions().checked_sub(1)).unwrap_or(0);
            let name = match place {
                Some(own) => subject.text(*own).to_owned(),
                None => "the end of the run".to_owned(),
            };
            // The machine stands where it stands, whatever statement is above it.
            let address = beneath.filter(|_| *depth == 0).unwrap_or(own);
            json!({
                "id": (thread + 1) * FRAMES + depth,
                "name": name,
                "line": subject.line(own).unwrap_or(0),
                "column": 1,
                "source": self.source(),
                "instructionPointerReference": self.address(address),
            })
        };
        let total = places.len();
        let first = arguments.start_frame.unwrap_or(0);
        let count = arguments.levels.filter(|count| *count > 0).unwrap_or(FRAMES);
        let frames: Vec<Value> = places.iter().map(frame).skip(first).take(count).collect();
        Ok(json!({ "stackFrames": frames, "totalFrames": total }))
    }

    /// Tells whether a frame is that of the machine code beneath a statement.
    pub(crate) fn is_beneath(frame: usize) -> bool {
        frame % FRAMES == BENEATH
    }

    /// The file that is debugged.
    pub(crate) fn source(&self) -> Value {
        let name = self.path.rsplit(['/', '\\']).next().unwrap_or(&self.path);
        json!({ "name": name, "path": self.path })
    }
}
