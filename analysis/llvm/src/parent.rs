//! The parent's side: a host of LLVM's worker.

use std::path::Path;

use worker::{Host, Interrupter, Launch};

use crate::{Attempt, CompileError, Configuration, Job, Layer, Output, whitelist};

/// A compiler: a worker process that is started on first use and again after
/// it died.
#[derive(Debug)]
pub struct Compiler {
    configuration: Configuration,
    host: Host<Job, Output>,
}

impl Compiler {
    /// A compiler whose worker is not started yet.
    pub fn new(configuration: Configuration) -> Compiler {
        let library = configuration.library.clone();
        let launch = Launch {
            program: configuration.executable.clone(),
            arguments: vec![crate::worker::COMMAND.into(), library.clone().into()],
            environment: Vec::new(),
            library,
            priority: configuration.priority,
        };
        let limits = worker::Limits {
            start: configuration.limits.start,
            memory: configuration.limits.memory,
            jobs: u32::MAX,
        };
        Compiler { configuration, host: Host::new(launch, limits) }
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
        Ok(self.host.version()?)
    }

    /// The parts of the sandbox that the worker is in; starts the worker if it never ran.
    ///
    /// # Errors
    /// [`CompileError::NotStarted`] with the reason.
    pub fn confinement(&mut self) -> Result<&[Layer], CompileError> {
        Ok(self.host.confinement()?)
    }

    /// Has a worker of its own try from within the sandbox what it must not be able to do.
    /// The system's words where it is denied, `None` where it is not.
    ///
    /// # Errors
    /// When the worker does not come so far.
    pub fn attempt(&self, attempt: Attempt) -> Result<Option<String>, CompileError> {
        Ok(self.host.attempt(attempt)?)
    }

    /// A handle with which another thread can stop the running job.
    pub fn interrupter(&self) -> Interrupter {
        self.host.interrupter()
    }

    /// Compiles one job, blocking.
    ///
    /// # Errors
    /// See [`CompileError`]; the compiler stays usable after each.
    pub fn compile(&mut self, job: &Job) -> Result<Output, CompileError> {
        whitelist::check(&job.ir, self.configuration.functions)
            .map_err(|error| CompileError::Rejected(error.to_string()))?;
        Ok(self.host.run(job, self.configuration.limits.of(job))?)
    }
}
