//! The compiler of a run of the command line: searched for once, for all its files.

use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;

use engine::ide::{CompiledCode, Problem, ProblemKind};
use engine::{FileId, JobResult, SpirvShader, WantedJob};
use gcn::Target;
use llvm::Found;

use super::output::{conclude, counted};
use super::settings::user;
use super::{CompilerArguments, CompilerName, complain};
use crate::aco::{self, Aco, AcoError, Made};
use crate::jobs::{self, JobManager, LibraryState};

/// Compiles the shaders of one file after the other.
pub(super) struct Compiler<'a> {
    arguments: &'a CompilerArguments,
    /// Nothing where there is no library.
    ready: OnceCell<Option<(JobManager, Found)>>,
    /// ACO, or the reason why there is none.
    aco: OnceCell<Result<RefCell<Aco>, AcoError>>,
}

/// The compiler that made some code.
#[derive(Debug, Clone, Copy)]
pub(super) enum Maker<'a> {
    /// LLVM, by this library; none where there is none.
    Llvm(Option<&'a Found>),
    /// ACO, with what its driver says of the code; nothing where it made none.
    Aco(Option<&'a Made>),
}

impl Maker<'_> {
    /// The compiler.
    pub(super) fn name(self) -> CompilerName {
        match self {
            Maker::Llvm(_) => CompilerName::Llvm,
            Maker::Aco(_) => CompilerName::Aco,
        }
    }

    /// Its version.
    pub(super) fn version(self) -> Option<String> {
        match self {
            Maker::Llvm(library) => library.map(|library| library.version.clone()),
            Maker::Aco(made) => made.map(|made| made.version.clone()),
        }
    }
}

impl<'a> Compiler<'a> {
    /// Looks for nothing yet.
    pub(super) fn new(arguments: &'a CompilerArguments) -> Compiler<'a> {
        Compiler { arguments, ready: OnceCell::new(), aco: OnceCell::new() }
    }

    /// The compilers that were asked for, each once.
    pub(super) fn names(&self) -> Vec<CompilerName> {
        let mut names = Vec::new();
        for name in &self.arguments.compiler {
            if !names.contains(name) {
                names.push(*name);
            }
        }
        names
    }

    /// Tells whether a compiler was asked for.
    pub(super) fn has(&self, name: CompilerName) -> bool {
        self.arguments.compiler.contains(&name)
    }

    /// Compiles a shader by ACO.
    pub(super) fn compile_by_aco(
        &self,
        shader: &SpirvShader,
        target: Target,
    ) -> Result<Made, Problem> {
        let problem =
            |kind, error: &AcoError| Problem { kind, message: error.to_string(), range: None };
        let aco = self.aco.get_or_init(|| {
            let aco = Aco::find(&own_executable(), aco::Priority::Normal);
            if let Err(advice) = &aco {
                complain(advice.to_string());
            }
            aco.map(RefCell::new)
        });
        let aco = aco.as_ref().map_err(|advice| problem(ProblemKind::Off, advice))?;
        let mut aco = aco.borrow_mut();
        let (job, stage) = aco::job(&shader.module);
        let made = aco.compile(&job, stage, target);
        let made = made.and_then(|plain| aco.join((&job, stage), shader, target, plain));
        made.map_err(|error| problem(ProblemKind::Failed, &error))
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
        let worker = own_executable();
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
                complain(advice.to_string());
                None
            }
            _ => None,
        }
    }
}

/// Our own executable, which serves as worker.
pub(super) fn own_executable() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|error| {
        complain(format_args!("the path of tungsten itself is not known: {error}"));
        PathBuf::from("tungsten")
    })
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
