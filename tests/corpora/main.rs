//! Everything that needs the data in `../shared`, which must be beside the project:
//! `cargo test -p tests --test corpora`.
#![allow(clippy::print_stdout)] // What a test counts or measures, it says.

mod execution;
mod gcn;
mod lower;
mod runs;
mod spirv;
mod tgsi;

/// The real program: command line, language server and compile worker.
pub(crate) const TUNGSTEN: &str = env!("CARGO_BIN_EXE_tungsten-under-test");
