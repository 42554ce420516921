//! The crates that are mutated, and the tests that are theirs.

use super::build::Tests;

/// A crate.
pub(super) struct Crate {
    /// Its folder, from the root of the repository.
    pub(super) folder: &'static str,
    /// The tests of the crate alone.
    pub(super) own: &'static [Suite],
    pub(super) notes: Notes,
}

/// The notes on which mutations a test reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notes {
    /// Each test leaves all of its own.
    Whole,
    /// Code that runs in a sandbox leaves none.
    Partial,
}

/// Tests that belong together.
pub(super) struct Suite {
    /// The folder of the package that has them.
    pub(super) folder: &'static str,
    /// The beginnings of their names; none where all of an executable are meant.
    pub(super) filters: &'static [&'static str],
}

impl Crate {
    /// Tells whether its tests leave whole notes.
    pub(super) fn has_notes(&self) -> bool {
        self.notes == Notes::Whole
    }

    /// Returns the tests of the crate, those first that are about a file's instruction set.
    pub(super) fn suites_of(&self, path: &str) -> Vec<&'static Suite> {
        let mut suites: Vec<&Suite> = self.own.iter().collect();
        suites.sort_by_key(|suite| {
            let name = suite.folder.strip_prefix("analysis/").unwrap_or(suite.folder);
            !path.contains(&format!("/{name}/"))
        });
        suites
    }
}

impl Suite {
    /// Tells whether a test of an executable is one of them.
    pub(super) fn holds(&self, tests: &Tests, name: &str) -> bool {
        let is_wanted = |filter: &&str| name.starts_with(filter);
        tests.folder.ends_with(self.folder)
            && (self.filters.is_empty() || self.filters.iter().any(is_wanted))
    }
}

/// The unit tests of a package.
const fn unit(folder: &'static str) -> Suite {
    Suite { folder, filters: &[] }
}

/// The modules of the one executable of all other tests that have a beginning.
const fn modules(filters: &'static [&'static str]) -> Suite {
    Suite { folder: "tests", filters }
}

/// A crate whose tests leave whole notes.
const fn plain(folder: &'static str, own: &'static [Suite]) -> Crate {
    Crate { folder, own, notes: Notes::Whole }
}

/// A crate part of which runs in a sandbox.
const fn confined(folder: &'static str, own: &'static [Suite]) -> Crate {
    Crate { folder, own, notes: Notes::Partial }
}

/// Every crate, what others build on first. Suites are asked in order. A module among the
/// tests of the whole counts where it is all that a crate has, or where the crate cannot be
/// tested without a process or a compiler; those of `tgsi` and `gcn`, and those of `lower` that
/// hand modules to a compiler, call other crates as well, and do not count.
pub(super) const CRATES: [Crate; 26] = [
    plain("analysis/source", &[modules(&["source::"])]),
    // Its users' build scripts run it.
    plain("analysis/tables", &[unit("analysis/tgsi"), unit("analysis/gcn")]),
    // Its types are what the engine and the server hand on.
    plain("analysis/editor-model", &[unit("analysis/engine"), unit("server")]),
    // Its tables are of these two, and are tested there.
    plain("analysis/isa", &[unit("analysis/tgsi"), unit("analysis/gcn")]),
    plain("analysis/sampler", &[modules(&["sampler::"])]),
    plain("analysis/softfloat", &[modules(&["softfloat::"])]),
    plain("analysis/open-bits", &[modules(&["open_bits::"])]),
    plain("analysis/tgsi", &[unit("analysis/tgsi")]),
    plain("analysis/gcn", &[unit("analysis/gcn")]),
    plain(
        "analysis/lower",
        &[modules(&[
            "lower::ir::",
            "lower::environment::",
            "lower::opcodes::",
            "lower::robustness::",
        ])],
    ),
    plain("analysis/spirv", &[modules(&["spirv::"])]),
    plain("analysis/run-inputs", &[modules(&["run_inputs::"])]),
    plain("analysis/tgsi-interp", &[unit("analysis/tgsi-interp")]),
    plain("analysis/gcn-emu", &[unit("analysis/gcn-emu")]),
    plain(
        "analysis/diff-exec",
        &[modules(&["diff_exec::", "execution::agreement", "execution::merged"])],
    ),
    plain("analysis/advise", &[modules(&["advice::"])]),
    plain("analysis/debugger", &[unit("analysis/debugger")]),
    plain("analysis/debug-adapter", &[modules(&["debug_adapter::"])]),
    plain("analysis/engine", &[unit("analysis/engine")]),
    confined("analysis/worker", &[modules(&["worker::", "llvm::"])]),
    confined("analysis/llvm", &[unit("analysis/llvm"), modules(&["llvm::"])]),
    confined("analysis/radv", &[unit("analysis/radv")]),
    confined("analysis/vulkan", &[modules(&["lavapipe::"])]),
    confined("analysis/lavapipe", &[modules(&["lavapipe::"])]),
    plain("analysis/vrend", &[modules(&["vrend::"])]),
    plain("server", &[unit("server"), modules(&["server::"])]),
];
