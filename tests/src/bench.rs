//! The engine with a real compiler behind it, as the server drives it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::ide::{CompiledCode, CompiledRef};
use engine::{FileId, Host, JobResult, Language, Settings};
use gcn::Target;
use llvm::{Compiler, Configuration, Found, Job};

/// An engine, and one compiler per libLLVM that was asked for.
#[derive(Debug)]
pub struct Bench {
    /// The engine.
    pub host: Host,
    compiler: Option<Compiler>,
}

/// The word that makes a program serve as compile worker.
pub const WORKER: &str = "compile-worker";

/// Serves as compile worker if the process was started as one. Call it first
/// in the `main` of an example or a bench that compiles.
pub fn serve_if_worker() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(WORKER) {
        llvm::worker::run(arguments);
    }
}

/// This program, as the compile worker of an example or a bench.
///
/// # Panics
/// Where the system does not tell its name.
pub fn own_program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|error| panic!("the name of this program: {error}"))
}

/// Every libLLVM that can be used on this machine.
pub fn libraries() -> Vec<Found> {
    let mut found = llvm::library::find(None);
    found.retain(|library| library.problem.is_none());
    found
}

impl Bench {
    /// An engine for some targets that compiles nothing.
    pub fn new(targets: Vec<Target>) -> Bench {
        Bench { host: Host::new(Settings { targets, ..Settings::default() }), compiler: None }
    }

    /// An engine for some targets, with the compiler of a library in a worker.
    pub fn with_compiler(targets: Vec<Target>, worker: &Path, library: &Path) -> Bench {
        let configuration = Configuration::new(worker, library, engine::INTRINSICS);
        let compiler = Some(Compiler::new(configuration));
        Bench {
            host: Host::new(Settings { targets, compile: true, ..Settings::default() }),
            compiler,
        }
    }

    /// Adds a text, or replaces the one of this name.
    pub fn open(&mut self, name: &str, text: &str) -> FileId {
        self.host.set_file(name, Arc::from(text), Language::Tgsi)
    }

    /// Does every job that is wanted for a file. Answers how many there were.
    pub fn compile(&mut self, file: FileId) -> usize {
        self.compile_and_look(file, &mut |_, _, _| {})
    }

    /// As [`compile`](Self::compile), and shows the assembly and the bytes that
    /// came of every job.
    pub fn compile_and_look(
        &mut self,
        file: FileId,
        look: &mut dyn FnMut(Target, &str, &[u8]),
    ) -> usize {
        let wanted = self.host.snapshot().wanted_jobs(file).unwrap_or_default();
        let Some(compiler) = &mut self.compiler else { return 0 };
        let results: Vec<_> = wanted
            .into_iter()
            .filter_map(|wanted| {
                let (ir, features) = wanted.input.ir()?;
                let job = Job {
                    ir: ir.to_string(),
                    processor: wanted.build.target.row().processor.to_owned(),
                    features: features.to_owned(),
                    instructions: wanted.instructions,
                };
                let outcome = match compiler.compile(&job) {
                    Ok(output) => {
                        look(wanted.build.target, &output.assembly, &output.code);
                        JobResult::Compiled {
                            assembly: Arc::from(output.assembly),
                            code: Arc::from(output.code),
                            warnings: (output.warnings.into_iter())
                                .map(|warning| (warning.line, warning.message))
                                .collect(),
                        }
                    }
                    Err(error) => JobResult::Failed(error.to_string()),
                };
                Some((wanted, outcome))
            })
            .collect();
        let count = results.len();
        self.host.finish_jobs(results);
        count
    }

    /// The compiled code of a shader.
    pub fn code(&self, file: FileId, shader: usize, target: Target) -> Option<CompiledCode> {
        self.host.snapshot().compiled_code(file, &CompiledRef::new(shader, target)).ok()?
    }
}
