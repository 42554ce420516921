//! A session: what comes before a program runs, and who runs it.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc;

use debugger::joined::Joined;
use debugger::kernel::Kernel;
use debugger::shader::Shader;
use debugger::{DEFAULT_BYTES, Debugger, EventKind, Recording, Subject};
use serde_json::{Value, json};

use crate::arguments::Launch;
use crate::client::{Client, Incoming, Request};
use crate::framing::read_message;
use crate::refusal::Refusal;
use crate::running::Running;

/// Something that runs.
pub enum Program {
    /// A TGSI shader.
    Shader(Box<Shader>),
    /// A GCN kernel.
    Kernel(Box<Kernel>),
    /// A TGSI shader and its machine code.
    Joined(Box<Joined>),
}

/// The shader or kernel that a launch names, read.
pub struct Loaded {
    /// The shader or kernel.
    pub program: Program,
    /// Its path, as clients name it.
    pub path: String,
    /// Lines for people: what it runs on, what was assumed.
    pub notes: Vec<String>,
}

/// Reads what a launch names.
pub trait Loader {
    /// Reads it.
    ///
    /// # Errors
    /// The reason why it cannot be run, in a sentence.
    fn load(&mut self, launch: &Launch) -> Result<Loaded, Refusal>;
}

/// The most mebibytes of recorded states that a launch may ask for.
const MOST_MEGABYTES: usize = 4096;
/// Messages that wait for an answer, at most: a client that sends more waits.
const MOST_WAITING: usize = 256;

/// Serves one client until it goes.
///
/// # Errors
/// The streams failed, or what came is not the protocol.
pub fn serve(
    reader: impl Read + Send + 'static,
    writer: impl Write,
    loader: &mut dyn Loader,
) -> io::Result<()> {
    let (sender, receiver) = mpsc::sync_channel::<Incoming>(MOST_WAITING);
    // It ends with the stream; who is gone needs no answer, so nobody waits for it.
    std::thread::Builder::new().name("client".to_owned()).spawn(move || {
        let mut reader = BufReader::new(reader);
        loop {
            let message = read_message(&mut reader);
            let is_last = !matches!(message, Ok(Some(_)));
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    })?;
    let mut client = Client::new(receiver, writer);
    before_launch(&mut client, loader);
    let failure = client.failure.take();
    match (client.into_error(), failure) {
        (Some(error), _) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        (_, Some(failure)) => Err(io::Error::new(io::ErrorKind::InvalidData, failure)),
        _ => Ok(()),
    }
}

fn before_launch<W: Write>(client: &mut Client<W>, loader: &mut dyn Loader) {
    let mut is_initialized = false;
    while let Some(request) = client.next() {
        match request.command.as_str() {
            "initialize" => {
                is_initialized = true;
                client.answer(&request, capabilities());
            }
            "disconnect" | "terminate" => return client.answer(&request, Value::Null),
            _ if !is_initialized => client.refuse(&request, "`initialize` comes first"),
            "launch" => {
                let loaded = request
                    .arguments::<Launch>()
                    .and_then(|launch| loader.load(&launch).map(|loaded| (launch, loaded)));
                let ran = match loaded {
                    Ok((launch, Loaded { program, path, notes })) => {
                        run(client, &request, &launch, &program, path, &notes)
                    }
                    Err(reason) => Err(reason),
                };
                match ran {
                    Ok(()) => return,
                    Err(reason) => {
                        client.refuse(&request, &reason.0);
                        client.event("terminated", Value::Null);
                    }
                }
            }
            "attach" => client.refuse(&request, "there is nothing to attach to: use `launch`"),
            other => {
                let reason = format!("`{other}` is not known before `launch`");
                client.refuse(&request, &reason);
            }
        }
    }
}

fn run<W: Write>(
    client: &mut Client<W>,
    request: &Request,
    launch: &Launch,
    program: &Program,
    path: String,
    notes: &[String],
) -> Result<(), Refusal> {
    let most = match launch.recording_megabytes {
        Some(megabytes) => megabytes.clamp(1, MOST_MEGABYTES) << 20,
        None => DEFAULT_BYTES,
    };
    let failed = |failure: tgsi_interp::execution::Failure| Refusal(failure.to_string());
    let begin = (client, request, notes);
    match program {
        Program::Shader(shader) => {
            debug(begin, Recording::new(shader.run().map_err(failed)?, most), launch, path);
        }
        Program::Kernel(kernel) => debug(begin, Recording::new(kernel.run(), most), launch, path),
        Program::Joined(joined) => {
            debug(begin, Recording::new(joined.run().map_err(failed)?, most), launch, path);
        }
    }
    Ok(())
}

/// Answers a launch, and serves what it has launched.
fn debug<S: Subject, W: Write>(
    (client, request, notes): (&mut Client<W>, &Request, &[String]),
    recording: Recording<S>,
    launch: &Launch,
    path: String,
) {
    client.answer(request, Value::Null);
    notes.iter().for_each(|note| client.say(note));
    Running::new(Debugger::new(recording), client, launch, path).serve();
}

/// The capabilities of the adapter.
fn capabilities() -> Value {
    let filters: Vec<Value> = EventKind::ALL
        .iter()
        .map(|kind| json!({ "filter": kind.word(), "label": kind.label(), "default": kind.is_default() }))
        .collect();
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "exceptionBreakpointFilters": filters,
        "supportsExceptionInfoRequest": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsSteppingGranularity": true,
        "supportsInstructionBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsReadMemoryRequest": true,
        "supportsDisassembleRequest": true,
        "supportsBreakpointLocationsRequest": true,
    })
}
