//! Advice on the programs that were made worse, with a real compiler.

use std::path::Path;
use std::time::{Duration, Instant};

use advise::{Bench, Figures, Outcome};
use engine::Language;
use gcn::Target;
use gcn::program::Options;
use llvm::{Compiler, Configuration};
use lower::Environment;
use server::advice::{self, Budget, KernelBench, ShaderBench};

pub use server::advice::INPUTS;

use crate::inefficiencies::Inefficiency;

/// The options of a command that asks for advice.
#[derive(Debug)]
pub struct Arguments(Vec<String>);

impl Arguments {
    /// The options of this process.
    pub fn of_process() -> Arguments {
        Arguments(std::env::args().skip(1).collect())
    }

    /// The word behind an option.
    pub fn value(&self, name: &str) -> Option<&str> {
        let place = self.0.iter().position(|word| word == name)?;
        self.0.get(place + 1).map(String::as_str)
    }

    /// The number behind an option, or the usual one.
    pub fn number(&self, name: &str, usual: usize) -> usize {
        self.value(name).and_then(|it| it.parse().ok()).unwrap_or(usual)
    }

    /// Tells whether an option is there.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|word| word == name)
    }
}

/// The advice on one program.
#[derive(Debug, Clone)]
pub struct Advised {
    /// The figures of the original; `None` where it does not compile.
    pub original: Option<Figures>,
    /// The search.
    pub outcome: Outcome,
}

impl Advised {
    /// Tells whether it is one that was made worse, as this compiler sees it.
    pub fn was_worse(&self) -> bool {
        let (Some(original), Some(before)) = (&self.original, &self.outcome.before) else {
            return false;
        };
        original.gains_on(before)
    }

    /// Tells whether a form was found that is at least as good as the original.
    pub fn is_found(&self) -> bool {
        let found = self.outcome.found.as_ref();
        let original = self.original.as_ref();
        found
            .zip(original)
            .is_some_and(|(found, original)| found.figures.is_no_worse_than(original))
    }
}

/// A compiler in a worker.
pub fn compiler(worker: &Path, library: &Path) -> Compiler {
    Compiler::new(Configuration::new(worker, library, engine::INTRINSICS))
}

/// Asks for advice on a shader, for so many seconds.
pub fn of_shader(
    text: &str,
    target: Target,
    compiler: &mut Compiler,
    seed: u64,
    seconds: u64,
) -> Outcome {
    let budget = Budget::unwatched(Instant::now() + Duration::from_secs(seconds), usize::MAX);
    advice::of_shader(text, target, Environment::default(), compiler, seed, budget)
}

/// Asks for advice on a kernel, for so many seconds.
pub fn of_kernel(text: &str, options: &Options, seed: u64, seconds: u64) -> Outcome {
    let budget = Budget::unwatched(Instant::now() + Duration::from_secs(seconds), usize::MAX);
    advice::of_kernel(text, options, None, seed, budget)
}

/// Asks for advice on a program that was made worse: at most so many variants, at most so long.
pub fn advised(it: &Inefficiency, compiler: &mut Compiler, most: usize, seconds: u64) -> Advised {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let environment = Environment::default();
    match it.language {
        Language::Tgsi => {
            let original = {
                let budget = Budget::none();
                let mut bench =
                    ShaderBench::new(&it.original, it.target, environment, compiler, budget);
                bench.measure(&it.original)
            };
            let budget = Budget::unwatched(deadline, most);
            let outcome = advice::of_shader(&it.worse, it.target, environment, compiler, 1, budget);
            Advised { original, outcome }
        }
        Language::Gcn => {
            let options = Options { target: Some(it.target), ..Options::of(&it.worse, &it.name) };
            let original = {
                let budget = Budget::none();
                KernelBench::new(&it.original, &options, None, budget).measure(&it.original)
            };
            let budget = Budget::unwatched(deadline, most);
            let outcome = advice::of_kernel(&it.worse, &options, None, 1, budget);
            Advised { original, outcome }
        }
    }
}
