//! The worker's side: loads libLLVM and compiles what arrives on standard input.
//!
//! One thread compiles, with a stack for LLVM's deep recursions; the first
//! thread waits for the parent to go, so that a worker that hangs inside LLVM
//! never outlives it. Both enter the sandbox before any input is read.

use std::ffi::{CStr, c_char};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, OnceLock};

use crate::compile::Session;
use crate::confinement::{self, Attempt};
use crate::process;
use crate::protocol::{Reply, Request};

/// The first argument of the program that makes it a worker.
pub const COMMAND: &str = "compile-worker";

/// Stack of the compiling thread, in bytes; only what is used becomes memory.
const STACK: usize = 256 << 20;

/// Exit status: called wrongly or out of resources.
const STATUS_USAGE: i32 = 2;
/// Exit status: LLVM gave up.
const STATUS_FATAL: i32 = 70;
/// Exit status: a defect of our own.
const STATUS_DEFECT: i32 = 101;

/// The stream of replies. LLVM's fatal handler needs it from anywhere.
static REPLIES: OnceLock<Mutex<Box<dyn Write + Send>>> = OnceLock::new();

/// The argument of a worker that lets everything else on the processors first.
pub(crate) const BACKGROUND: &str = "background";

/// Serves compile jobs until standard input ends. Never returns.
///
/// The first argument is the path of the library; the second may be [`BACKGROUND`], or
/// that of an [`Attempt`] to be made from within the sandbox.
pub fn run(mut arguments: impl Iterator<Item = String>) -> ! {
    let Some(library) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: {COMMAND} LIBRARY [{BACKGROUND}]");
        process::exit(STATUS_USAGE)
    };
    confinement::close_inherited();
    match process::reserve_standard_output() {
        Ok(output) => {
            REPLIES.get_or_init(|| Mutex::new(Box::new(output)));
        }
        Err(error) => {
            eprintln!("standard output: {error}");
            process::exit(STATUS_USAGE)
        }
    }
    process::bound();
    let manner = arguments.next().unwrap_or_default();
    if manner == BACKGROUND {
        process::stand_back();
    }
    let attempt = Attempt::ALL.into_iter().find(|it| it.argument() == manner);
    let (confined, watcher) = mpsc::channel();
    let compiling = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let _guard = ExitGuard;
        serve(library, attempt, &watcher)
    });
    if let Err(error) = compiling {
        eprintln!("the compiling thread: {error}");
        process::exit(STATUS_USAGE)
    }
    confinement::confine_watcher();
    // Whoever waits hears of it, or has ended already.
    let _ = confined.send(());
    process::wait_for_parent_to_go();
    process::exit(0)
}

/// Ends the process when the compiling thread ends in any way.
struct ExitGuard;

impl Drop for ExitGuard {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // Something of C++ unwinds, not of ours. LLVM throws nothing, but its
            // allocator does where there is no memory. For the message there must be some.
            process::bound_memory(u64::MAX);
            send(&Reply::Fatal("std::bad_alloc".to_owned()));
            process::exit(STATUS_FATAL)
        }
        process::exit(STATUS_DEFECT)
    }
}

fn serve(library: PathBuf, attempt: Option<Attempt>, watcher: &Receiver<()>) -> ! {
    let mut session = match Session::load(&library, fatal) {
        Ok(session) => session,
        Err(reason) => {
            send(&Reply::Unusable(reason.to_string()));
            process::exit(0)
        }
    };
    // The calls by which the watcher enters its sandbox are no more allowed behind this.
    let _ = watcher.recv();
    let layers = confinement::confine();
    send(&Reply::Ready { version: session.version().to_owned(), layers });
    if let Some(attempt) = attempt {
        let denied = confinement::attempt(attempt).err();
        send(&Reply::Attempted(denied.map_or_else(String::new, |error| error.to_string())));
        process::exit(0)
    }
    let mut input = io::stdin().lock();
    loop {
        let request = match Request::read(&mut input) {
            Ok(Some(request)) => request,
            Ok(None) => process::exit(0),
            Err(error) => {
                eprintln!("standard input: {error}");
                process::exit(STATUS_USAGE)
            }
        };
        send(&Reply::Begun);
        process::bound_processor_time(request.seconds);
        process::bound_memory(request.memory);
        let job = &request.job;
        send(&match session.compile(&job.ir, &job.processor, &job.features) {
            Ok(output) => Reply::Compiled(output),
            Err(error) => Reply::Rejected(error.to_string()),
        });
    }
}

/// Called by LLVM before it aborts.
extern "C" fn fatal(message: *const c_char) {
    let text = if message.is_null() {
        String::new()
    } else {
        // SAFETY: LLVM passes a NUL-terminated string that lives through the call.
        unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
    };
    send(&Reply::Fatal(text));
    process::exit(STATUS_FATAL)
}

/// Sends a reply; a parent that cannot be reached is gone.
fn send(reply: &Reply) {
    let Some(replies) = REPLIES.get() else { process::exit(STATUS_DEFECT) };
    let Ok(mut replies) = replies.lock() else { process::exit(STATUS_DEFECT) };
    if let Err(error) = reply.write(&mut *replies) {
        // A result too large to send is the job's fault, not the stream's.
        if error.kind() == io::ErrorKind::InvalidInput
            && Reply::Rejected(error.to_string()).write(&mut *replies).is_ok()
        {
            return;
        }
        process::exit(STATUS_USAGE)
    }
}
