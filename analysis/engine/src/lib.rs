//! The incremental engine: files in, what editors show out.
//!
//! A [`Host`] is owned by one thread: it takes texts, settings and compile
//! results. A [`Snapshot`] is a consistent view that a worker thread may ask;
//! any change of the host cancels it. Everything that comes out is plain data
//! in editor words, with byte offsets of the file. The engine does no I/O and
//! does not know who compiles: it states the jobs it wants.

pub mod ide;

mod host;
mod inputs;
mod queries;
mod snapshot;

pub use editor_model::TargetOrigin;
pub use host::Host;
pub use inputs::{
    AssemblySettings, Budget, BudgetLimit, Build, Compiler, FileId, HostAnswer, HostOutcome,
    Include, JobKey, Language, RuleSettings, RunSettings, Settings, is_source,
};
/// The functions that the IR of a job may call besides its own.
pub use lower::INTRINSICS;
/// The state that shaders are compiled for.
pub use lower::{Environment, environment_keys};
pub use queries::codes::{PROJECT_SETTING, PROJECT_SYNTAX, codes, explain};
pub use queries::compile::{JobInput, JobResult, SpirvShader, WantedJob};
pub use queries::execution::check_inputs;
pub use queries::programs::{AssemblyKind, WantedFiles, is_translation_unit};
pub use snapshot::{Cancelled, Canceller, Snapshot};

#[cfg(test)]
mod compiled_tests;
#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod surface_tests;
#[cfg(test)]
mod tests;
