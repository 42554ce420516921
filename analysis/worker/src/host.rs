//! The parent's side: starts the worker, bounds it, restarts it, and says what happened.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::child::{Answer, Worker, describe, lock};
use crate::protocol::{Reply, Request};
use crate::{Attempt, Layer};

/// Jobs remembered for having killed a worker.
const MAX_REMEMBERED_JOBS: usize = 4096;
/// Deaths after which a job is not tried again.
const DEATHS_ALLOWED: u8 = 2;

/// The program that serves as worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments, without the manner, which comes last.
    pub arguments: Vec<OsString>,
    /// Variables that are set in its environment beside those of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// The library that it loads, which errors name.
    pub library: PathBuf,
    /// The priority on busy processors.
    pub priority: Priority,
}

/// The priority of a worker on a machine with few processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Priority {
    /// As any process: somebody waits for the result.
    #[default]
    Normal,
    /// Behind the others: somebody types meanwhile.
    Background,
}

/// Limits of a worker, whatever the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For loading the library, which may have to come from a slow disk.
    pub start: Duration,
    /// Address space during a job, in bytes, where the system can bound it.
    pub memory: u64,
    /// Jobs after which the worker is replaced, for what the library leaks.
    pub jobs: u32,
}

/// The reason for which there is no output.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// The library refused the job, with its words.
    #[error("the job was refused: {0}")]
    Rejected(String),
    /// The worker died on this job; with what is known of how.
    #[error("the worker died on this job: {0}")]
    Died(String),
    /// The worker took longer than this many milliseconds and was killed.
    #[error("the job was not done within {0} ms and was stopped")]
    TimedOut(u64),
    /// The worker wanted more memory than these bytes.
    #[error("the job needs more than {} MiB of memory and was stopped", .0 >> 20)]
    OutOfMemory(u64),
    /// This job has killed the worker twice and is not tried again.
    #[error("the worker died twice on this job, which is not tried again")]
    Quarantined,
    /// The worker could not be started.
    #[error("the worker could not be started: {0}")]
    NotStarted(String),
    /// An [`Interrupter`] stopped the job.
    #[error("the job was stopped")]
    Interrupted,
}

/// A worker process for jobs `J` with outputs `O`, which is started on first use and again
/// after it died.
#[derive(Debug)]
pub struct Host<J, O> {
    launch: Launch,
    limits: Limits,
    worker: Option<Worker<O>>,
    /// Jobs that the worker has had.
    served: u32,
    version: Option<String>,
    layers: Vec<Layer>,
    /// Deaths of the worker by job, which its hash names.
    deaths: HashMap<u64, u8>,
    running: Arc<Mutex<Running>>,
    jobs: std::marker::PhantomData<fn(&J)>,
}

/// Stops the running job of a [`Host`] from another thread.
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
    /// [`Failure::Interrupted`] and is not blamed. Returns whether there
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

impl<J: Hash + Serialize, O: DeserializeOwned + Send + 'static> Host<J, O> {
    /// A host whose worker is not started yet.
    pub fn new(launch: Launch, limits: Limits) -> Host<J, O> {
        Host {
            launch,
            limits,
            worker: None,
            served: 0,
            version: None,
            layers: Vec::new(),
            deaths: HashMap::new(),
            running: Arc::default(),
            jobs: std::marker::PhantomData,
        }
    }

    /// The library's version as it tells itself; starts the worker if it never ran.
    ///
    /// # Errors
    /// [`Failure::NotStarted`] with the reason.
    pub fn version(&mut self) -> Result<&str, Failure> {
        if self.version.is_none() {
            self.ready()?;
        }
        Ok(self.version.as_deref().unwrap_or_default())
    }

    /// The parts of the sandbox that the worker is in; starts the worker if it never ran.
    ///
    /// # Errors
    /// [`Failure::NotStarted`] with the reason.
    pub fn confinement(&mut self) -> Result<&[Layer], Failure> {
        self.version()?;
        Ok(&self.layers)
    }

    /// Has a worker of its own try from within the sandbox what it must not be able to do.
    /// The system's words where it is denied, `None` where it is not.
    ///
    /// # Errors
    /// When the worker does not come so far.
    pub fn attempt(&self, attempt: Attempt) -> Result<Option<String>, Failure> {
        let mut trial: Host<J, O> = Host::new(self.launch.clone(), self.limits);
        let worker = trial.start(Some(attempt.argument()))?;
        let limit = self.limits.start;
        let answers = [worker.wait(limit), worker.wait(limit)];
        trial.worker = Some(worker);
        match answers {
            [Answer::Reply(Reply::Ready { .. }), Answer::Reply(Reply::Attempted(denied))] => {
                Ok((!denied.is_empty()).then_some(denied))
            }
            [Answer::Reply(Reply::Ready { .. }), Answer::Ended] => Ok(Some(trial.bury())),
            _ => Err(Failure::NotStarted(trial.bury())),
        }
    }

    /// A handle with which another thread can stop the running job.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(Arc::clone(&self.running))
    }

    /// Has one job done within this time, blocking.
    ///
    /// # Errors
    /// See [`Failure`]; the host stays usable after each.
    pub fn run(&mut self, job: &J, limit: Duration) -> Result<O, Failure> {
        // The system's own limit comes well after the watchdog's.
        let seconds = u32::try_from(limit.as_secs()).unwrap_or(u32::MAX).saturating_add(10);
        let request = Request { job, seconds, memory: self.limits.memory };
        let frame = request.frame().map_err(|error| Failure::Rejected(error.to_string()))?;
        let culprit = self.hash(job);
        if self.deaths.get(&culprit).is_some_and(|deaths| *deaths >= DEATHS_ALLOWED) {
            return Err(Failure::Quarantined);
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
            Err(Failure::Died(_) | Failure::OutOfMemory(_) | Failure::NotStarted(_))
                if interrupted =>
            {
                Err(Failure::Interrupted)
            }
            Err(error) => {
                if matches!(
                    error,
                    Failure::Died(_) | Failure::TimedOut(_) | Failure::OutOfMemory(_)
                ) {
                    self.blame(culprit);
                }
                Err(error)
            }
        }
    }

    /// Sends a job to a living worker and waits for its answer.
    fn exchange(&mut self, frame: &[u8], limit: Duration) -> Result<O, Failure> {
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
            Answer::Reply(Reply::Done(output)) => Ok(output),
            Answer::Reply(Reply::Rejected(message)) => Err(Failure::Rejected(message)),
            Answer::Reply(Reply::Fatal(message)) => {
                self.bury();
                Err(self.death(message))
            }
            Answer::Reply(_) => {
                self.bury();
                Err(Failure::Died("it answered out of turn".to_owned()))
            }
            Answer::Ended => {
                let words = self.bury();
                Err(self.death(words))
            }
            Answer::Late => {
                self.bury();
                Err(Failure::TimedOut(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)))
            }
        }
    }

    /// Returns the cause of a worker's death, by its last words.
    fn death(&self, words: String) -> Failure {
        // LLVM's words, those of the C++ library, and those of Rust's.
        const NO_MEMORY: [&str; 4] =
            ["out of memory", "Allocation failed", "std::bad_alloc", "memory allocation of"];
        if NO_MEMORY.iter().any(|it| words.contains(it)) {
            return Failure::OutOfMemory(self.limits.memory);
        }
        Failure::Died(words)
    }

    /// Sends a job and waits for the word that it has arrived.
    fn deliver(&mut self, frame: &[u8], limit: Duration) -> Result<Answer<O>, Failure> {
        let worker = self.ready()?;
        worker.send(frame.to_vec());
        let answer = worker.wait(limit);
        self.served = self.served.saturating_add(1);
        Ok(answer)
    }

    /// The worker, alive and with its library loaded.
    fn ready(&mut self) -> Result<&mut Worker<O>, Failure> {
        if self.served >= self.limits.jobs {
            self.bury();
        }
        if self.worker.is_some() && !self.alive() {
            // Ended between two jobs, so no job is to blame.
            self.bury();
        }
        if self.worker.is_none() {
            let background = match self.launch.priority {
                Priority::Normal => None,
                Priority::Background => Some(crate::serve::BACKGROUND),
            };
            let worker = self.start(background)?;
            let answer = worker.wait(self.limits.start);
            self.worker = Some(worker);
            if let Answer::Reply(Reply::Ready { version, layers }) = answer {
                self.version = Some(version);
                self.layers = layers;
            } else {
                let words = self.bury();
                let problem = match answer {
                    Answer::Ended => words,
                    Answer::Late => {
                        format!("loading took longer than {:?}", self.limits.start)
                    }
                    Answer::Reply(Reply::Unusable(reason) | Reply::Fatal(reason)) => reason,
                    Answer::Reply(_) => "the worker answered out of turn".to_owned(),
                };
                let library = self.launch.library.display();
                return Err(Failure::NotStarted(format!("{library}: {problem}")));
            }
        }
        match &mut self.worker {
            Some(worker) => Ok(worker),
            None => Err(Failure::NotStarted("the worker ended at once".to_owned())),
        }
    }

    fn start(&mut self, manner: Option<&str>) -> Result<Worker<O>, Failure> {
        let executable = &self.launch.program;
        let failed = |error: &dyn fmt::Display| {
            Failure::NotStarted(format!("{}: {error}", executable.display()))
        };
        // Under the lock, so that an interrupt comes before or after, not between.
        let mut running = lock(&self.running);
        if running.busy && running.interrupted {
            return Err(Failure::NotStarted("stopped before it started".to_owned()));
        }
        let mut child = Command::new(executable)
            .args(&self.launch.arguments)
            .args(manner)
            .envs(self.launch.environment.iter().map(|(name, value)| (name, value)))
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

    fn hash(&self, job: &J) -> u64 {
        let mut hasher = DefaultHasher::new();
        job.hash(&mut hasher);
        self.launch.library.hash(&mut hasher);
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

impl<J, O> Host<J, O> {
    fn alive(&self) -> bool {
        let mut running = lock(&self.running);
        running.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Ends the worker if it still lives, and says how it ended.
    fn bury(&mut self) -> String {
        self.served = 0;
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
}

impl<J, O> Drop for Host<J, O> {
    fn drop(&mut self) {
        self.bury();
    }
}
