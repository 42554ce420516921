//! The crates that are mutated, and the tests that are theirs.

/// A crate.
pub(super) struct Crate {
    /// Its folder, from the root of the repository.
    pub(super) folder: &'static str,
    /// The tests of the crate alone.
    pub(super) own: &'static [Suite],
}

/// Tests that belong together.
pub(super) struct Suite {
    /// The arguments that build them.
    pub(super) arguments: &'static [&'static str],
    /// The beginnings of their names; none where all of an executable are meant.
    pub(super) filters: &'static [&'static str],
}

/// The unit tests of a package.
macro_rules! unit {
    ($package:literal) => {
        Suite { arguments: &["-p", $package, "--lib"], filters: &[] }
    };
}

/// The modules of the one executable of all other tests that have a beginning.
macro_rules! module {
    ($($beginning:literal)*) => {
        Suite { arguments: &["-p", "tests", "--test", "all"], filters: &[$($beginning),*] }
    };
}

/// Every crate, what others build on first. Suites are asked in order. A module among the
/// tests of the whole counts where it is all that a crate has, or where the crate cannot be
/// tested without a process or a compiler; those of `tgsi`, `gcn` and `lower` call other
/// crates as well, and do not count.
pub(super) const CRATES: [Crate; 18] = [
    Crate { folder: "analysis/source", own: &[module!("source::")] },
    // Its tables are of these two, and are tested there.
    Crate { folder: "analysis/isa", own: &[unit!("tungsten-tgsi"), unit!("tungsten-gcn")] },
    Crate { folder: "analysis/sampler", own: &[module!("sampler::")] },
    Crate { folder: "analysis/softfloat", own: &[module!("softfloat::")] },
    Crate { folder: "analysis/tgsi", own: &[unit!("tungsten-tgsi")] },
    Crate { folder: "analysis/gcn", own: &[unit!("tungsten-gcn")] },
    Crate { folder: "analysis/lower", own: &[unit!("tungsten-lower")] },
    Crate { folder: "analysis/run-inputs", own: &[unit!("tungsten-run-inputs")] },
    Crate { folder: "analysis/tgsi-interp", own: &[unit!("tungsten-tgsi-interp")] },
    Crate { folder: "analysis/gcn-emu", own: &[unit!("tungsten-gcn-emu")] },
    Crate {
        folder: "analysis/diff-exec",
        own: &[unit!("tungsten-diff-exec"), module!("execution::agreement" "execution::merged")],
    },
    Crate { folder: "analysis/debugger", own: &[unit!("tungsten-debugger")] },
    Crate { folder: "analysis/debug-adapter", own: &[unit!("tungsten-debug-adapter")] },
    Crate { folder: "analysis/engine", own: &[unit!("tungsten-engine")] },
    Crate { folder: "analysis/worker", own: &[unit!("tungsten-worker")] },
    Crate { folder: "analysis/llvm", own: &[unit!("tungsten-llvm"), module!("llvm::")] },
    Crate { folder: "analysis/radv", own: &[unit!("tungsten-radv")] },
    Crate { folder: "server", own: &[unit!("tungsten-lsp"), module!("server::")] },
];
