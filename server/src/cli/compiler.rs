//! The compiler of a run of the command line: searched for once, for all its files.

use std::cell::OnceCell;
use std::path::PathBuf;

use engine::ide::CompiledCode;
use engine::{FileId, JobResult, WantedJob};
use llvm::Found;

use super::output::{conclude, counted};
use super::settings::user;
use super::{CompilerArguments, complain};
use crate::jobs::{self, JobManager, LibraryState};

/// Compiles the shaders of one file after the other.
pub(super) struct Compiler<'a> {
    arguments: &'a CompilerArguments,
    /// Nothing where there is no library.
    ready: OnceCell<Option<(JobManager, Found)>>,
}

impl<'a> Compiler<'a> {
    /// Looks for nothing yet.
    pub(super) fn new(arguments: &'a CompilerArguments) -> Compiler<'a> {
        Compiler { arguments, ready: OnceCell::new() }
    }

    /// Runs every job, and returns the results with the library; nothing where there is none,
    /// which is complained of once.
    pub(super) fn run(
        &self,
        file: FileId,
        jobs: Vec<WantedJob>,
    ) -> Option<(Vec<(WantedJob, JobResult)>, &Found)> {
        let (manager, found) = self.ready.get_or_init(|| self.begin()).as_ref()?;
        manager.want(file, jobs);
        manager.wait_until_finished();
        Some((manager.take_finished().results, found))
    }

    fn begin(&self) -> Option<(JobManager, Found)> {
        let worker = match std::env::current_exe() {
            Ok(worker) => worker,
            Err(error) => {
                complain(format_args!("the path of tungsten itself is not known: {error}"));
                PathBuf::from("tungsten")
            }
        };
        match jobs::search(self.arguments.library.wanted(), &worker) {
            (LibraryState::Found(found), Some(configuration)) => {
                let manager = JobManager::new(Box::new(|| {}));
                // Where the folder for results cannot be had, everything is compiled.
                let folder = jobs::folder(&user().cache).ok();
                let folder = folder.filter(|_| !self.arguments.no_cache);
                manager.set_cache(jobs::cache(folder.as_deref()));
                manager.set_compiler(Some(configuration));
                Some((manager, found))
            }
            (LibraryState::Missing(advice), _) => {
                complain(advice);
                None
            }
            _ => None,
        }
    }
}

/// The shaders of all files, each for each of its chips.
#[derive(Debug, Default)]
pub(super) struct Counts {
    compiled: usize,
    refused: usize,
}

impl Counts {
    /// Counts one.
    pub(super) fn add(&mut self, code: &CompiledCode) {
        match code.problem {
            None => self.compiled += 1,
            Some(_) => self.refused += 1,
        }
    }

    /// Says on standard error how many there were, if any was tried.
    pub(super) fn print(&self, files: usize) {
        if self.compiled + self.refused == 0 {
            return;
        }
        let compiled = counted(self.compiled, "shader");
        let refused = match self.refused {
            0 => String::new(),
            refused => format!(", {refused} not compiled"),
        };
        conclude(&format!("{compiled} compiled{refused}, in {}", counted(files, "file")));
    }
}
