//! The pipes of a running worker.
//!
//! Three small threads serve its standard input, output and error: a worker
//! that stops reading or writing can then never block a caller beyond the
//! watchdog's time, on any platform.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::protocol::Reply;

/// Kept of the worker's last words, in bytes.
const MAXIMAL_WORDS: usize = 4096;

/// The threads around a running worker.
#[derive(Debug)]
pub(crate) struct Worker<O> {
    input: Sender<Vec<u8>>,
    replies: Receiver<Reply<O>>,
    /// The end of what it printed since the last job began.
    words: Arc<Mutex<Vec<u8>>>,
    threads: Vec<JoinHandle<()>>,
}

/// The outcome of a wait for a worker.
pub(crate) enum Answer<O> {
    /// A reply.
    Reply(Reply<O>),
    /// Its output is closed: the worker is gone or going.
    Ended,
    /// Nothing came in time.
    Late,
}

impl<O: DeserializeOwned + Send + 'static> Worker<O> {
    /// Takes the pipes of a process just started.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub(crate) fn attach(child: &mut Child) -> io::Result<Worker<O>> {
        let (Some(mut input), Some(mut output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (input_sender, input_receiver) = mpsc::channel::<Vec<u8>>();
        let (reply_sender, replies) = mpsc::channel();
        let words = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&words);
        let threads = vec![
            // Ends, and closes the worker's input, when the sender is dropped.
            spawn("worker input", move || {
                for frame in input_receiver {
                    if input.write_all(&frame).is_err() {
                        break;
                    }
                }
            })?,
            // A broken stream is as good as its end: the worker is replaced.
            spawn("worker output", move || {
                while let Ok(Some(reply)) = Reply::read(&mut output) {
                    if reply_sender.send(reply).is_err() {
                        break;
                    }
                }
            })?,
            spawn("worker messages", move || collect(errors, &collected))?,
        ];
        Ok(Worker { input: input_sender, replies, words, threads })
    }
}

impl<O> Worker<O> {
    /// Sends a frame. When the worker is gone, [`Worker::wait`] says so.
    pub(crate) fn send(&self, frame: Vec<u8>) {
        lock(&self.words).clear();
        let _ = self.input.send(frame);
    }

    /// The end of what a worker printed since the last frame; the process
    /// must have ended.
    pub(crate) fn last_words(self) -> String {
        let Worker { input, replies, words, threads } = self;
        drop((input, replies));
        for thread in threads {
            // The pipes are closed, so each thread is at its end.
            let _ = thread.join();
        }
        let words = lock(&words);
        String::from_utf8_lossy(&words).trim().to_owned()
    }

    /// The next reply, if it comes within this time.
    pub(crate) fn wait(&self, limit: Duration) -> Answer<O> {
        match self.replies.recv_timeout(limit) {
            Ok(reply) => Answer::Reply(reply),
            Err(RecvTimeoutError::Disconnected) => Answer::Ended,
            Err(RecvTimeoutError::Timeout) => Answer::Late,
        }
    }

    /// Has the worker closed its output?
    pub(crate) fn ended(&self) -> bool {
        matches!(self.replies.try_recv(), Err(mpsc::TryRecvError::Disconnected))
    }
}

/// Keeps the end of what the worker prints.
fn collect(mut errors: ChildStderr, words: &Mutex<Vec<u8>>) {
    let mut piece = [0; 1024];
    while let Ok(length @ 1..) = errors.read(&mut piece) {
        let mut words = lock(words);
        words.extend_from_slice(&piece[..length]);
        let surplus = words.len().saturating_sub(MAXIMAL_WORDS);
        words.drain(..surplus);
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body)
}

/// Locks: a thread that panicked leaves plain data behind, which is still good.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Words for a worker that its sandbox ended.
#[cfg(unix)]
const FORBIDDEN: &str = "it asked the system for what a compiler has no need of, such as a \
                         program or a connection, and was ended";

/// Describes the end of a process.
#[cfg(unix)]
pub(crate) fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(libc::SIGABRT) => "it aborted".to_owned(),
        Some(libc::SIGSEGV | libc::SIGBUS) => "it accessed memory it must not".to_owned(),
        Some(libc::SIGILL) => "it ran into an impossible state".to_owned(),
        Some(libc::SIGKILL) => "it was killed".to_owned(),
        Some(libc::SIGSYS) => FORBIDDEN.to_owned(),
        Some(libc::SIGXCPU) => "it used up its processor time".to_owned(),
        Some(signal) => format!("it ended with signal {signal}"),
        None => status.to_string(),
    }
}

/// Describes the end of a process.
#[cfg(not(unix))]
pub(crate) fn describe(status: ExitStatus) -> String {
    status.to_string()
}
