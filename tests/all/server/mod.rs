//! The command line and the language server, from outside.

mod advising;
mod answers;
mod budgets;
mod cache;
mod caps;
mod checks;
mod cli;
mod commands;
mod compiling;
#[cfg(target_os = "linux")]
mod conformance;
mod debugging;
mod fixing;
mod fmt;
pub(crate) mod folder;
mod hostile;
#[cfg(target_os = "linux")]
mod largest;
mod limits;
#[cfg(target_os = "linux")]
mod load;
#[cfg(target_os = "linux")]
mod long_session;
mod looks;
mod lsp;
#[cfg(target_os = "linux")]
pub(crate) mod memory;
#[cfg(target_os = "linux")]
mod process;
mod protocol;
mod readers;
mod runs;
mod tokens;
mod why;
