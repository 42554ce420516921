//! The budgets of projects: what is checked beside the text of shaders, for which they are
//! compiled.

use engine::{Host, Language};

use super::opened::Opened;
use crate::cli::compiler::Compiler;
use crate::cli::{CompilerArguments, CompilerName, LibraryArgument, complain};

/// Compiles the shaders of files that are held to budgets.
pub(super) struct Budgets<'a> {
    compiler: Compiler<'a>,
    /// Set once it was told that there is no compiler.
    is_missing: bool,
}

/// Tells whether a file could be held to the budgets of its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Yes,
    No,
}

/// Returns the arguments for the compiler of the machine, as the user names it elsewhere.
pub(super) fn arguments() -> CompilerArguments {
    CompilerArguments {
        library: LibraryArgument { llvm: None },
        no_cache: false,
        compiler: vec![CompilerName::Llvm],
    }
}

impl<'a> Budgets<'a> {
    /// Looks for no compiler yet.
    pub(super) fn new(arguments: &'a CompilerArguments) -> Budgets<'a> {
        Budgets { compiler: Compiler::new(arguments), is_missing: false }
    }

    /// Compiles the shaders of a file for the chips of its budgets.
    pub(super) fn compile(&mut self, host: &mut Host, opened: &Opened<'_>) -> Held {
        if opened.language != Language::Tgsi || opened.budgeted.is_empty() {
            return Held::Yes;
        }
        let mut wanted = host.snapshot().wanted_jobs(opened.id).unwrap_or_default();
        wanted.retain(|job| opened.budgeted.contains(&job.build.target));
        if wanted.is_empty() {
            return Held::Yes;
        }
        if let Some((results, _)) = self.compiler.run(opened.id, wanted) {
            host.finish_jobs(results);
            return Held::Yes;
        }
        if !std::mem::replace(&mut self.is_missing, true) {
            complain("without a compiler the budgets of shaders are not checked");
        }
        Held::No
    }
}
