//! Advice on the programs that were made worse, with a real compiler.

use std::path::Path;
use std::time::{Duration, Instant};

use advise::{Bench, Figures, Outcome};
use engine::Language;
use llvm::{Compiler, Configuration};
use lower::Environment;
use server::advice::{self, Budget, KernelBench, ShaderBench};

use crate::inefficiencies::Inefficiency;

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
            let options = gcn::program::Options {
                target: Some(it.target),
                ..gcn::program::Options::of(&it.worse, &it.name)
            };
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
