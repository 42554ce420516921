//! The configuration of a compiler, and the errors of a job.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;
use worker::{Failure, Priority};

use crate::Job;

/// The configuration of a [`Compiler`](crate::Compiler).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// The executable that serves as worker when called with `compile-worker`.
    pub executable: PathBuf,
    /// The libLLVM to load.
    pub library: PathBuf,
    /// The functions an IR may call besides its own; an entry ending in `*`
    /// allows all that begin with it.
    pub functions: &'static [&'static str],
    /// The limits of a job.
    pub limits: Limits,
    /// The worker's priority on busy processors.
    pub priority: Priority,
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
            priority: Priority::default(),
        }
    }
}

/// Limits of the worker: the time until it is killed, and its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For any job.
    pub job: Duration,
    /// Added for every instruction of the source.
    pub instruction: Duration,
    /// For loading the library, which may have to come from a slow disk.
    pub start: Duration,
    /// Address space of the worker during a job, in bytes, where the system can bound it.
    pub memory: u64,
}

impl Limits {
    /// No job may take longer, whatever its size.
    pub const LONGEST: Duration = Duration::from_secs(120);

    pub(crate) fn of(&self, job: &Job) -> Duration {
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
            // The largest shader measured needs a fortieth.
            memory: 4 << 30,
        }
    }
}

/// The reason for which there is no output.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CompileError {
    /// LLVM refused the job, with its words.
    #[error("LLVM refused the program: {0}")]
    Rejected(String),
    /// The library is older than the chip: its version, the processor, and the first version
    /// that knows it.
    #[error("LLVM {version} does not know {processor}; LLVM {since} and later do")]
    OldLibrary {
        /// The library's version.
        version: String,
        /// The processor.
        processor: &'static str,
        /// The first major version that knows it.
        since: u32,
    },
    /// The worker died on this job; with what is known of how.
    #[error("LLVM crashed on this program: {0}")]
    Died(String),
    /// The worker took longer than this many milliseconds and was killed.
    #[error("LLVM did not finish this program within {0} ms and was stopped")]
    TimedOut(u64),
    /// The worker wanted more memory than these bytes.
    #[error("LLVM needs more than {} MiB of memory for this program and was stopped", .0 >> 20)]
    OutOfMemory(u64),
    /// This job has killed the worker twice and is not tried again.
    #[error(
        "LLVM crashed or hung twice on this program; it is not tried again until the program \
         changes"
    )]
    Quarantined,
    /// The worker could not be started.
    #[error("the compiler could not be started: {0}")]
    NotStarted(String),
    /// An [`Interrupter`](crate::Interrupter) stopped the job.
    #[error("the compilation was stopped")]
    Interrupted,
}

impl From<Failure> for CompileError {
    fn from(failure: Failure) -> CompileError {
        match failure {
            Failure::Rejected(words) => CompileError::Rejected(words),
            Failure::Died(words) => CompileError::Died(words),
            Failure::TimedOut(milliseconds) => CompileError::TimedOut(milliseconds),
            Failure::OutOfMemory(bytes) => CompileError::OutOfMemory(bytes),
            Failure::Quarantined => CompileError::Quarantined,
            Failure::NotStarted(words) => CompileError::NotStarted(words),
            Failure::Interrupted => CompileError::Interrupted,
        }
    }
}
