//! The parent's side: starts the worker, bounds it, restarts it, and says what happened.

use std::path::PathBuf;

use crate::{Job, Output};

/// What a [`Compiler`] is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// The executable that serves as worker when called with `compile-worker`.
    pub executable: PathBuf,
    /// The libLLVM to load.
    pub library: PathBuf,
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
}

/// A compiler: a worker process that is started on first use and again after
/// it died.
#[derive(Debug)]
pub struct Compiler {
    configuration: Configuration,
}

impl Compiler {
    /// A compiler whose worker is not started yet.
    pub fn new(configuration: Configuration) -> Compiler {
        Compiler { configuration }
    }

    /// Compiles one job, blocking.
    ///
    /// # Errors
    /// See [`CompileError`]; the compiler stays usable after each.
    pub fn compile(&mut self, job: &Job) -> Result<Output, CompileError> {
        let _ = job;
        Err(CompileError::NotStarted(self.configuration.executable.display().to_string()))
    }
}
