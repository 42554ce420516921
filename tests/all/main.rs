//! Everything that `cargo test` runs beside the unit tests of the crates, as one
//! executable. It needs nothing but the repository.
#![allow(clippy::print_stdout)] // What a test counts or measures, it says.

#[cfg(target_os = "linux")]
mod aco;
mod advice;
mod architecture;
mod debug_adapter;
mod diff_exec;
mod documents;
mod execution;
mod gcn;
#[cfg(target_os = "linux")]
mod lavapipe;
mod llvm;
mod lower;
mod opcodes;
mod open_bits;
mod own;
#[path = "../src/records.rs"]
mod records;
mod run_inputs;
mod sampler;
mod server;
mod softfloat;
mod source;
mod spirv;
mod statements;
mod suites;
mod tgsi;
mod vrend;
mod words;
mod work;
mod worker;

/// Counts what each thread holds, for the tests of memory.
#[global_allocator]
static ALLOCATOR: tests::measure::Counting = tests::measure::Counting;

/// The real program: command line, language server and compile worker.
pub(crate) const TUNGSTEN: &str = env!("CARGO_BIN_EXE_tungsten-under-test");
