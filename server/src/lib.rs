//! The server: the language server protocol and the command line, over the
//! engine and the compiler.
//!
//! This is the only crate that knows the protocol, JSON and async. Analysis
//! happens in `engine`, compilation in `llvm` and `radv`; here messages become calls and
//! plain data becomes messages.

#[doc(hidden)]
pub mod advice;
pub mod cli;
pub mod lsp;

mod aco;
mod configuration;
mod decoded_files;
mod exchanged;
mod exclude;
mod files;
mod folders;
mod hosts;
mod ignored;
mod includes;
mod jobs;
mod language;
mod lavapipe;
pub mod limits;
mod own_profiles;
#[doc(hidden)]
pub mod pages;
mod project;
#[doc(hidden)]
pub mod readers;
mod settings;
mod triton;
mod trust;
mod walk;

pub use trust::Trust;
