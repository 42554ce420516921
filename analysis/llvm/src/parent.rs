//! The parent's side: starts the worker, bounds it, restarts it, and says what happened.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::child::{Answer, Worker, describe, lock};
use crate::protocol::{Reply, Request};
use crate::{Attempt, CompileError, Configuration, Job, Layer, Output, Priority, whitelist};

/// Jobs remembered for having killed a worker.
const MAX_REMEMBERED_JOBS: usize = 4096;
/// Deaths after which a job is not tried again.
const DEATHS_ALLOWED: u8 = 2;

/// A compiler: a worker process that is started on first use and again after
/// it died.
#[derive(Debug)]
pub struct Compiler {
    configuration: Configuration,
    worker: Option<Worker>,
    version: Option<String>,
    layers: Vec<Layer>,
    /// Deaths of the worker by job, which its hash names.
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
            // It may have died by itself already; the caller gets an error either way.
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
            layers: Vec::new(),
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

    /// The parts of the sandbox that the worker is in; starts the worker if it never ran.
    ///
    /// # Errors
    /// [`CompileError::NotStarted`] with the reason.
    pub fn confinement(&mut self) -> Result<&[Layer], CompileError> {
        self.version()?;
        Ok(&self.layers)
    }

    /// Has a worker of its own try from within the sandbox what it must not be able to do.
    /// The system's words where it is denied, `None` where it is not.
    ///
    /// # Errors
    /// When the worker does not come so far.
    pub fn attempt(&self, attempt: Attempt) -> Result<Option<String>, CompileError> {
        let mut trial = Compiler::new(self.configuration.clone());
        let worker = trial.start(Some(attempt.argument()))?;
        let limit = self.configuration.limits.start;
        let answers = [worker.wait(limit), worker.wait(limit)];
        trial.worker = Some(worker);
        match answers {
            [Answer::Reply(Reply::Ready { .. }), Answer::Reply(Reply::Attempted(denied))] => {
                Ok((!denied.is_empty()).then_some(denied))
            }
            [Answer::Reply(Reply::Ready { .. }), Answer::Ended] => Ok(Some(trial.bury())),
            _ => Err(CompileError::NotStarted(trial.bury())),
        }
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
        let request = Request { job, seconds, memory: self.configuration.limits.memory };
        let rejected = |error: &dyn fmt::Display| CompileError::Rejected(error.to_string());
        let frame = request.frame().map_err(|error| rejected(&error))?;
        whitelist::check(&job.ir, self.configuration.functions)
            .map_err(|error| rejected(&error))?;
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
            Err(
                CompileError::Died(_) | CompileError::OutOfMemory(_) | CompileError::NotStarted(_),
            ) if interrupted => Err(CompileError::Interrupted),
            Err(error) => {
                if matches!(
                    error,
                    CompileError::Died(_)
                        | CompileError::TimedOut(_)
                        | CompileError::OutOfMemory(_)
                ) {
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
                Err(self.death(message))
            }
            Answer::Reply(_) => {
                self.bury();
                Err(CompileError::Died("it answered out of turn".to_owned()))
            }
            Answer::Ended => {
                let words = self.bury();
                Err(self.death(words))
            }
            Answer::Late => {
                self.bury();
                Err(CompileError::TimedOut(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)))
            }
        }
    }

    /// Returns the cause of a worker's death, by its last words.
    fn death(&self, words: String) -> CompileError {
        // LLVM's own words, those of the C++ library, and those of Rust's.
        const NO_MEMORY: [&str; 4] =
            ["out of memory", "Allocation failed", "std::bad_alloc", "memory allocation of"];
        if NO_MEMORY.iter().any(|it| words.contains(it)) {
            return CompileError::OutOfMemory(self.configuration.limits.memory);
        }
        CompileError::Died(words)
    }

    /// Sends a job and waits for the word that it has arrived.
    fn deliver(&mut self, frame: &[u8], limit: Duration) -> Result<Answer, CompileError> {
        let worker = self.ready()?;
        worker.send(frame.to_vec());
        Ok(worker.wait(limit))
    }

    /// The worker, alive and with its library loaded.
    fn ready(&mut self) -> Result<&mut Worker, CompileError> {
        if self.worker.is_some() && !self.alive() {
            // Ended between two jobs, so no job is to blame.
            self.bury();
        }
        if self.worker.is_none() {
            let background = match self.configuration.priority {
                Priority::Normal => None,
                Priority::Background => Some(crate::worker::BACKGROUND),
            };
            let worker = self.start(background)?;
            let answer = worker.wait(self.configuration.limits.start);
            self.worker = Some(worker);
            if let Answer::Reply(Reply::Ready { version, layers }) = answer {
                self.version = Some(version);
                self.layers = layers;
            } else {
                let words = self.bury();
                let problem = match answer {
                    Answer::Ended => words,
                    Answer::Late => {
                        format!("loading took longer than {:?}", self.configuration.limits.start)
                    }
                    Answer::Reply(Reply::Unusable(reason) | Reply::Fatal(reason)) => reason,
                    Answer::Reply(_) => "the worker answered out of turn".to_owned(),
                };
                let library = self.configuration.library.display();
                return Err(CompileError::NotStarted(format!("{library}: {problem}")));
            }
        }
        match &mut self.worker {
            Some(worker) => Ok(worker),
            None => Err(CompileError::NotStarted("the worker ended at once".to_owned())),
        }
    }

    fn start(&mut self, manner: Option<&str>) -> Result<Worker, CompileError> {
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
            .arg(crate::worker::COMMAND)
            .arg(&self.configuration.library)
            .args(manner)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let worker = Worker::attach(&mut child);
        running.child = Some(child);
        drop(running);
        let error = match worker {
            Ok(worker) => return Ok(worker),
            Err(error) => failed(&error),
        };
        self.bury();
        Err(error)
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
        let words = self.worker.take().map_or_else(String::new, Worker::last_words);
        if !words.is_empty() {
            text.push_str(": ");
            text.push_str(&words);
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
        if self.deaths.len() >= MAX_REMEMBERED_JOBS {
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
