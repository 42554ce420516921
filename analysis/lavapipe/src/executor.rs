//! The parent's side: a host of the driver's worker.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;
use worker::{Attempt, Failure, Host, Layer, Limits, Priority};

use crate::library::Found;
use crate::{Job, Launch, Output};

/// The configuration of an [`Executor`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// The executable that serves as worker when called with
    /// [`COMMAND`](crate::worker::COMMAND).
    pub executable: PathBuf,
    /// The driver.
    pub driver: Found,
    /// The worker's priority on busy processors.
    pub priority: Priority,
}

/// The reason for which there is no output.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExecuteError {
    /// The driver refused the run.
    #[error("lavapipe refused the shader: {0}")]
    Rejected(String),
    /// The worker died on this run; with what is known of how.
    #[error("lavapipe died on this shader: {0}")]
    Died(String),
    /// The worker took longer than this many milliseconds and was killed.
    #[error("lavapipe did not finish this run within {0} ms and was stopped")]
    TimedOut(u64),
    /// The worker wanted more memory than these bytes.
    #[error("lavapipe needs more than {} MiB of memory for this run and was stopped", .0 >> 20)]
    OutOfMemory(u64),
    /// This run has killed the worker twice and is not tried again.
    #[error("lavapipe died twice on this run, which is not tried again")]
    Quarantined,
    /// The worker could not be started.
    #[error("lavapipe could not be started: {0}")]
    NotStarted(String),
    /// The run was stopped from outside.
    #[error("the run was stopped")]
    Interrupted,
}

impl From<Failure> for ExecuteError {
    fn from(failure: Failure) -> ExecuteError {
        match failure {
            Failure::Rejected(words) => ExecuteError::Rejected(words),
            Failure::Died(words) => ExecuteError::Died(words),
            Failure::TimedOut(milliseconds) => ExecuteError::TimedOut(milliseconds),
            Failure::OutOfMemory(bytes) => ExecuteError::OutOfMemory(bytes),
            Failure::Quarantined => ExecuteError::Quarantined,
            Failure::NotStarted(words) => ExecuteError::NotStarted(words),
            Failure::Interrupted => ExecuteError::Interrupted,
        }
    }
}

/// Limits of a worker: code that was made is never given back, so it is replaced often.
const LIMITS: Limits = Limits { start: Duration::from_secs(30), memory: 4 << 30, jobs: 1_000 };
/// The time of a run, and what is added for each word of its modules, of which code is made.
const JOB: Duration = Duration::from_secs(10);
const WORD: Duration = Duration::from_micros(500);
const LONGEST: Duration = Duration::from_secs(120);

/// The driver of this machine.
#[derive(Debug)]
pub struct Executor {
    host: Host<Job, Output>,
}

impl Executor {
    /// An executor whose worker is not started yet.
    pub fn new(configuration: Configuration) -> Executor {
        let Configuration { executable, driver, priority } = configuration;
        let environment: [(OsString, OsString); 2] = [
            // A cache on the disk would be the driver's to read and write.
            ("MESA_SHADER_CACHE_DISABLE", "true"),
            // What is asked for runs in the thread that asks.
            ("LP_NUM_THREADS", "0"),
        ]
        .map(|(name, value)| (name.into(), value.into()));
        let launch = worker::Launch {
            program: executable,
            arguments: vec![crate::worker::COMMAND.into(), driver.path.clone().into()],
            environment: environment.to_vec(),
            library: driver.path,
            priority,
        };
        Executor { host: Host::new(launch, LIMITS) }
    }

    /// The version of Mesa.
    ///
    /// # Errors
    /// The worker does not start.
    pub fn version(&mut self) -> Result<String, ExecuteError> {
        Ok(self.host.version()?.split('\t').next().unwrap_or_default().to_owned())
    }

    /// The parts of the sandbox that the worker is in.
    ///
    /// # Errors
    /// The worker does not start.
    pub fn confinement(&mut self) -> Result<Vec<Layer>, ExecuteError> {
        Ok(self.host.confinement()?.to_vec())
    }

    /// Has a worker of its own try what it must not be able to do; the system's words where
    /// it is denied, `None` where it is not.
    ///
    /// # Errors
    /// The worker does not start.
    pub fn attempt(&mut self, attempt: Attempt) -> Result<Option<String>, ExecuteError> {
        Ok(self.host.attempt(attempt)?)
    }

    /// Executes a job, blocking.
    ///
    /// # Errors
    /// See [`ExecuteError`]; the executor stays usable after each.
    pub fn run(&mut self, job: &Job) -> Result<Output, ExecuteError> {
        let words = match &job.launch {
            Launch::Vertices { module, .. } | Launch::Grid { module, .. } => module.len(),
            Launch::Quad { vertex, fragment } => vertex.len() + fragment.len(),
        };
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        let limit = JOB.saturating_add(WORD.saturating_mul(words)).min(LONGEST);
        Ok(self.host.run(job, limit)?)
    }
}
