//! The worker's side: loads the library and does the jobs that arrive on standard input.
//!
//! One thread works, with a stack for deep recursions; the first thread waits for the parent
//! to go, so that a worker that hangs inside its library never outlives it. Both enter the
//! sandbox before any input is read.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::confinement::{self, Attempt, Needs};
use crate::process;
use crate::protocol::{Reply, Request};

/// Stack of the working thread, in bytes; only what is used becomes memory.
const STACK: usize = 256 << 20;

/// Exit status: called wrongly or out of resources.
pub(crate) const STATUS_USAGE: i32 = 2;
/// Exit status: the library gave up.
const STATUS_FATAL: i32 = 70;
/// Exit status: a defect of our own.
const STATUS_DEFECT: i32 = 101;

/// The stream of replies. A library's fatal handler needs it from anywhere.
static REPLIES: OnceLock<Mutex<Box<dyn Write + Send>>> = OnceLock::new();

/// The argument of a worker that lets everything else on the processors first.
pub const BACKGROUND: &str = "background";

/// The words with which a library refuses a job, or cannot be loaded.
#[derive(Debug)]
pub struct Refusal(String);

impl Refusal {
    /// Takes the words of an error.
    pub fn of(error: impl std::fmt::Display) -> Refusal {
        Refusal(error.to_string())
    }
}

/// A loaded library at work.
pub trait Service {
    /// A job.
    type Job: DeserializeOwned;
    /// The result of one.
    type Output: Serialize;

    /// The library's needs in its sandbox.
    const NEEDS: Needs = Needs::NOTHING;

    /// The library's version, as it tells itself.
    fn version(&self) -> &str;

    /// Does one job.
    ///
    /// # Errors
    /// The library's words. What it cannot say in words ends the process.
    fn run(&mut self, job: &Self::Job) -> Result<Self::Output, Refusal>;
}

/// Ends the process with a message of usage.
pub fn refuse_usage(message: &str) -> ! {
    eprintln!("usage: {message}");
    process::exit(STATUS_USAGE)
}

/// Serves jobs until standard input ends. Never returns.
///
/// `load` makes the service, or says for the user why it cannot. `manner` is the last
/// argument of the program: nothing, [`BACKGROUND`], or that of an [`Attempt`] to be made
/// from within the sandbox.
pub fn serve<S: Service>(
    manner: &str,
    load: impl FnOnce() -> Result<S, Refusal> + Send + 'static,
) -> ! {
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
    if manner == BACKGROUND {
        process::stand_back();
    }
    let attempt = Attempt::ALL.into_iter().find(|it| it.argument() == manner);
    let (confined, watcher) = mpsc::channel();
    let working = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let _guard = ExitGuard;
        work(load, attempt, &watcher)
    });
    if let Err(error) = working {
        eprintln!("the working thread: {error}");
        process::exit(STATUS_USAGE)
    }
    confinement::confine_watcher();
    // Whoever waits hears of it, or has ended already.
    let _ = confined.send(());
    process::wait_for_parent_to_go();
    process::exit(0)
}

/// Ends the process when the working thread ends in any way.
struct ExitGuard;

impl Drop for ExitGuard {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // Something of C++ unwinds, not of ours: its allocator throws where there is no
            // memory. For the message there must be some.
            process::bound_memory(u64::MAX);
            give_up("std::bad_alloc")
        }
        process::exit(STATUS_DEFECT)
    }
}

fn work<S: Service>(
    load: impl FnOnce() -> Result<S, Refusal>,
    attempt: Option<Attempt>,
    watcher: &Receiver<()>,
) -> ! {
    let mut service = match load() {
        Ok(service) => service,
        Err(Refusal(reason)) => {
            send(&Reply::<()>::Unusable(reason));
            process::exit(0)
        }
    };
    // The calls by which the watcher enters its sandbox are no more allowed behind this.
    let _ = watcher.recv();
    let layers = confinement::confine(S::NEEDS);
    send(&Reply::<()>::Ready { version: service.version().to_owned(), layers });
    if let Some(attempt) = attempt {
        let denied = confinement::attempt(attempt).err();
        let words = denied.map_or_else(String::new, |error| error.to_string());
        send(&Reply::<()>::Attempted(words));
        process::exit(0)
    }
    let mut input = io::stdin().lock();
    loop {
        let request: Request<S::Job> = match Request::read(&mut input) {
            Ok(Some(request)) => request,
            Ok(None) => process::exit(0),
            Err(error) => {
                eprintln!("standard input: {error}");
                process::exit(STATUS_USAGE)
            }
        };
        send(&Reply::<()>::Begun);
        process::bound_processor_time(request.seconds);
        process::bound_memory(request.memory);
        send(&match service.run(&request.job) {
            Ok(output) => Reply::Done(output),
            Err(Refusal(message)) => Reply::Rejected(message),
        });
    }
}

/// Tells the parent of a library that is about to end the process, and ends it.
pub fn give_up(message: &str) -> ! {
    send(&Reply::<()>::Fatal(message.to_owned()));
    process::exit(STATUS_FATAL)
}

/// Sends a reply; a parent that cannot be reached is gone.
fn send(reply: &Reply<impl Serialize>) {
    let Some(replies) = REPLIES.get() else { process::exit(STATUS_DEFECT) };
    let Ok(mut replies) = replies.lock() else { process::exit(STATUS_DEFECT) };
    if let Err(error) = reply.write(&mut *replies) {
        // A result too large to send is the job's fault, not the stream's.
        if error.kind() == io::ErrorKind::InvalidInput
            && Reply::<()>::Rejected(error.to_string()).write(&mut *replies).is_ok()
        {
            return;
        }
        process::exit(STATUS_USAGE)
    }
}
