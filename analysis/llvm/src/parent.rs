//! The parent's side: starts the worker, bounds it, restarts it, and says what happened.
//!
//! Each worker has three small threads here, for its standard input, output
//! and error: a worker that stops reading or writing can then never block a
//! caller beyond the watchdog's time, on any platform.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::protocol::{Reply, Request};
use crate::{Job, Output, whitelist};

/// Kept of the worker's last words, in bytes.
const MAXIMAL_WORDS: usize = 4096;
/// Jobs remembered for having killed a worker.
const MAXIMAL_CULPRITS: usize = 4096;
/// Deaths after which a job is not tried again.
const DEATHS_ALLOWED: u8 = 2;

/// What a [`Compiler`] is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// The executable that serves as worker when called with `compile-worker`.
    pub executable: PathBuf,
    /// The libLLVM to load.
    pub library: PathBuf,
    /// The functions an IR may call besides its own; an entry ending in `*`
    /// allows all that begin with it.
    pub functions: &'static [&'static str],
    /// How long a job may take.
    pub limits: Limits,
}

impl Configuration {
    /// The usual limits.
    pub fn new(
        executable: impl Into<PathBuf>,
        library: impl Into<PathBuf>,
        functions: &'static [&'static str],
    ) -> Configuration {
        Configuration {
            executable: executable.into(),
            library: library.into(),
            functions,
            limits: Limits::default(),
        }
    }
}

/// How long the worker may take before it is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For any job.
    pub job: Duration,
    /// Added for every instruction of the source.
    pub instruction: Duration,
    /// For loading the library, which may have to come from a slow disk.
    pub start: Duration,
}

impl Limits {
    /// No job may take longer, whatever its size.
    const LONGEST: Duration = Duration::from_secs(120);

    fn of(&self, job: &Job) -> Duration {
        self.job
            .saturating_add(self.instruction.saturating_mul(job.instructions))
            .min(Limits::LONGEST)
    }
}

impl Default for Limits {
    /// Several times what the slowest measured shader of each size takes.
    fn default() -> Limits {
        Limits {
            job: Duration::from_secs(5),
            instruction: Duration::from_millis(2),
            start: Duration::from_secs(30),
        }
    }
}

/// Why there is no output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileError {
    /// LLVM refused the job, with its words.
    Rejected(String),
    /// The worker died on this job; with what is known of how.
    Died(String),
    /// The worker took longer than this many milliseconds and was killed.
    TimedOut(u64),
    /// This job has killed the worker twice and is not tried again.
    Quarantined,
    /// The worker could not be started.
    NotStarted(String),
    /// An [`Interrupter`] stopped the job.
    Interrupted,
}

impl fmt::Display for CompileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Rejected(message) => write!(formatter, "LLVM refused the program: {message}"),
            CompileError::Died(message) => write!(formatter, "LLVM crashed on this program: {message}"),
            CompileError::TimedOut(limit) => {
                write!(formatter, "LLVM did not finish this program within {limit} ms and was stopped")
            }
            CompileError::Quarantined => formatter.write_str(
                "LLVM crashed or hung twice on this program; it is not tried again until the program changes",
            ),
            CompileError::NotStarted(reason) => write!(formatter, "the compiler could not be started: {reason}"),
            CompileError::Interrupted => formatter.write_str("the compilation was stopped"),
        }
    }
}

impl std::error::Error for CompileError {}

/// A compiler: a worker process that is started on first use and again after
/// it died.
#[derive(Debug)]
pub struct Compiler {
    configuration: Configuration,
    worker: Option<Worker>,
    version: Option<String>,
    /// How often a job, by its hash, has killed the worker.
    deaths: HashMap<u64, u8>,
    running: Arc<Mutex<Running>>,
}

/// Stops the running job of a [`Compiler`] from another thread.
#[derive(Debug, Clone)]
pub struct Interrupter(Arc<Mutex<Running>>);

#[derive(Debug, Default)]
struct Running {
    child: Option<Child>,
    busy: bool,
    interrupted: bool,
}

impl Interrupter {
    /// Kills the worker if it is at work; the job ends with
    /// [`CompileError::Interrupted`] and is not blamed. Returns whether there
    /// was a job to stop.
    pub fn interrupt(&self) -> bool {
        let mut running = lock(&self.0);
        if !running.busy {
            return false;
        }
        running.interrupted = true;
        if let Some(child) = &mut running.child {
            // It may have died by itself already; the caller is told either way.
            let _ = child.kill();
        }
        true
    }
}

impl Compiler {
    /// A compiler whose worker is not started yet.
    pub fn new(configuration: Configuration) -> Compiler {
        Compiler {
            configuration,
            worker: None,
            version: None,
            deaths: HashMap::new(),
            running: Arc::default(),
        }
    }

    /// The libLLVM this compiler runs.
    pub fn library(&self) -> &Path {
        &self.configuration.library
    }

    /// LLVM's version as it tells itself, `22.1.2` (`15` where the library is
    /// too old to tell); starts the worker if it never ran.
    ///
    /// # Errors
    /// [`CompileError::NotStarted`] with the reason.
    pub fn version(&mut self) -> Result<&str, CompileError> {
        if self.version.is_none() {
            self.ready()?;
        }
        Ok(self.version.as_deref().unwrap_or_default())
    }

    /// A handle with which another thread can stop the running job.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(Arc::clone(&self.running))
    }

    /// Compiles one job, blocking.
    ///
    /// # Errors
    /// See [`CompileError`]; the compiler stays usable after each.
    pub fn compile(&mut self, job: &Job) -> Result<Output, CompileError> {
        let limit = self.configuration.limits.of(job);
        // The system's own limit comes well after the watchdog's.
        let seconds = u32::try_from(limit.as_secs()).unwrap_or(u32::MAX).saturating_add(10);
        let frame = Request::frame(job, seconds)
            .map_err(|error| CompileError::Rejected(error.to_string()))?;
        whitelist::check(&job.ir, self.configuration.functions).map_err(CompileError::Rejected)?;
        let culprit = self.hash(job);
        if self.deaths.get(&culprit).is_some_and(|deaths| *deaths >= DEATHS_ALLOWED) {
            return Err(CompileError::Quarantined);
        }
        {
            let mut running = lock(&self.running);
            running.busy = true;
            running.interrupted = false;
        }
        let result = self.exchange(&frame, limit);
        let interrupted = {
            let mut running = lock(&self.running);
            running.busy = false;
            running.interrupted
        };
        match result {
            Ok(output) => Ok(output),
            Err(CompileError::Died(_) | CompileError::NotStarted(_)) if interrupted => {
                Err(CompileError::Interrupted)
            }
            Err(error) => {
                if matches!(error, CompileError::Died(_) | CompileError::TimedOut(_)) {
                    self.blame(culprit);
                }
                Err(error)
            }
        }
    }

    /// Sends a job to a living worker and waits for its answer.
    fn exchange(&mut self, frame: &[u8], limit: Duration) -> Result<Output, CompileError> {
        let deadline = Instant::now() + limit;
        let mut answer = self.deliver(frame, limit)?;
        if matches!(answer, Answer::Ended) {
            // It was gone, or went, before it had the job. Not the job's
            // doing, so another worker gets it.
            self.bury();
            answer = self.deliver(frame, limit)?;
        }
        if let (Answer::Reply(Reply::Begun), Some(worker)) = (&answer, &self.worker) {
            answer = worker.wait(deadline.saturating_duration_since(Instant::now()));
        }
        match answer {
            Answer::Reply(Reply::Compiled(output)) => Ok(output),
            Answer::Reply(Reply::Rejected(message)) => Err(CompileError::Rejected(message)),
            Answer::Reply(Reply::Fatal(message)) => {
                self.bury();
                Err(CompileError::Died(message))
            }
            Answer::Reply(Reply::Ready(_) | Reply::Unusable(_) | Reply::Begun) => {
                self.bury();
                Err(CompileError::Died("it answered out of turn".to_owned()))
            }
            Answer::Ended => Err(CompileError::Died(self.bury())),
            Answer::Late => {
                self.bury();
                Err(CompileError::TimedOut(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)))
            }
        }
    }

    /// Sends a job and waits for the word that it has arrived.
    fn deliver(&mut self, frame: &[u8], limit: Duration) -> Result<Answer, CompileError> {
        let worker = self.ready()?;
        lock(&worker.words).clear();
        // When the worker is gone, the wait says so.
        let _ = worker.input.send(frame.to_vec());
        Ok(worker.wait(limit))
    }

    /// The worker, alive and with its library loaded.
    fn ready(&mut self) -> Result<&mut Worker, CompileError> {
        if self.worker.is_some() && !self.alive() {
            // Ended between two jobs, so no job is to blame.
            self.bury();
        }
        if self.worker.is_none() {
            let worker = self.start()?;
            let answer = worker.wait(self.configuration.limits.start);
            self.worker = Some(worker);
            let problem = match answer {
                Answer::Reply(Reply::Ready(version)) => {
                    self.version = Some(version);
                    None
                }
                Answer::Reply(Reply::Unusable(reason)) => {
                    self.bury();
                    Some(reason)
                }
                Answer::Reply(Reply::Fatal(message)) => {
                    self.bury();
                    Some(message)
                }
                Answer::Reply(Reply::Begun | Reply::Compiled(_) | Reply::Rejected(_)) => {
                    self.bury();
                    Some("the worker answered out of turn".to_owned())
                }
                Answer::Ended => Some(self.bury()),
                Answer::Late => {
                    self.bury();
                    Some(format!("loading took longer than {:?}", self.configuration.limits.start))
                }
            };
            if let Some(problem) = problem {
                let library = self.configuration.library.display();
                return Err(CompileError::NotStarted(format!("{library}: {problem}")));
            }
        }
        match &mut self.worker {
            Some(worker) => Ok(worker),
            None => Err(CompileError::NotStarted("the worker ended at once".to_owned())),
        }
    }

    fn start(&mut self) -> Result<Worker, CompileError> {
        let executable = &self.configuration.executable;
        let failed = |error: &dyn fmt::Display| {
            CompileError::NotStarted(format!("{}: {error}", executable.display()))
        };
        // Under the lock, so that an interrupt comes before or after, not between.
        let mut running = lock(&self.running);
        if running.busy && running.interrupted {
            return Err(CompileError::NotStarted("stopped before it started".to_owned()));
        }
        let mut child = Command::new(executable)
            .arg("compile-worker")
            .arg(&self.configuration.library)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        running.child = Some(child);
        drop(running);
        let (Some(mut input), Some(mut output), Some(errors)) = pipes else {
            self.bury();
            return Err(CompileError::NotStarted("the worker has no pipes".to_owned()));
        };
        let (input_sender, input_receiver) = mpsc::channel::<Vec<u8>>();
        let (reply_sender, replies) = mpsc::channel();
        let words = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&words);
        let threads = [
            // Ends, and closes the worker's input, when the sender is dropped.
            spawn("compiler input", move || {
                for frame in input_receiver {
                    if input.write_all(&frame).is_err() {
                        break;
                    }
                }
            }),
            // A broken stream is as good as its end: the worker is replaced.
            spawn("compiler output", move || {
                while let Ok(Some(reply)) = Reply::read(&mut output) {
                    if reply_sender.send(reply).is_err() {
                        break;
                    }
                }
            }),
            spawn("compiler messages", move || collect(errors, &collected)),
        ];
        let mut handles = Vec::with_capacity(threads.len());
        for thread in threads {
            match thread {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    let error = failed(&error);
                    self.bury();
                    return Err(error);
                }
            }
        }
        Ok(Worker { input: input_sender, replies, words, threads: handles })
    }

    fn alive(&self) -> bool {
        let mut running = lock(&self.running);
        running.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Ends the worker if it still lives, and says how it ended.
    fn bury(&mut self) -> String {
        let child = lock(&self.running).child.take();
        let status = child.and_then(|mut child| {
            // A worker that closed its output is ending; give it the moment
            // it needs to do so by itself, for the status.
            let deadline = Instant::now() + Duration::from_millis(200);
            let closed = self.worker.as_ref().is_none_or(Worker::ended);
            while closed && Instant::now() < deadline {
                if let Ok(Some(status)) = child.try_wait() {
                    return Some(status);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = child.kill();
            child.wait().ok()
        });
        let mut text = status.map_or_else(|| "it ended".to_owned(), describe);
        if let Some(worker) = self.worker.take() {
            let Worker { input, replies, words, threads } = worker;
            drop((input, replies));
            for thread in threads {
                // The pipes are closed, so each thread is at its end.
                let _ = thread.join();
            }
            let words = lock(&words);
            let words = String::from_utf8_lossy(&words);
            if !words.trim().is_empty() {
                text.push_str(": ");
                text.push_str(words.trim());
            }
        }
        text
    }

    fn hash(&self, job: &Job) -> u64 {
        let mut hasher = DefaultHasher::new();
        job.hash(&mut hasher);
        self.configuration.library.hash(&mut hasher);
        hasher.finish()
    }

    fn blame(&mut self, culprit: u64) {
        if self.deaths.len() >= MAXIMAL_CULPRITS {
            self.deaths.clear();
        }
        let deaths = self.deaths.entry(culprit).or_default();
        *deaths = deaths.saturating_add(1);
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        self.bury();
    }
}

/// The threads around a running worker.
#[derive(Debug)]
struct Worker {
    input: Sender<Vec<u8>>,
    replies: Receiver<Reply>,
    /// The end of what it printed since the last job began.
    words: Arc<Mutex<Vec<u8>>>,
    threads: Vec<JoinHandle<()>>,
}

enum Answer {
    Reply(Reply),
    Ended,
    Late,
}

impl Worker {
    fn wait(&self, limit: Duration) -> Answer {
        match self.replies.recv_timeout(limit) {
            Ok(reply) => Answer::Reply(reply),
            Err(RecvTimeoutError::Disconnected) => Answer::Ended,
            Err(RecvTimeoutError::Timeout) => Answer::Late,
        }
    }

    /// Has the worker closed its output?
    fn ended(&self) -> bool {
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

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body)
}

/// A thread that panicked leaves plain data behind, which is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(libc::SIGABRT) => "it aborted".to_owned(),
        Some(libc::SIGSEGV | libc::SIGBUS) => "it accessed memory it must not".to_owned(),
        Some(libc::SIGILL) => "it ran into an impossible state".to_owned(),
        Some(libc::SIGKILL) => "it was killed".to_owned(),
        Some(libc::SIGXCPU) => "it used up its processor time".to_owned(),
        Some(signal) => format!("it ended with signal {signal}"),
        None => status.to_string(),
    }
}

#[cfg(not(unix))]
fn describe(status: ExitStatus) -> String {
    status.to_string()
}
