//! The compiler: finds a libLLVM on this machine and runs it in a process of
//! its own.
//!
//! LLVM ends its process on input it does not like, may loop for ever, and
//! leaks; so it is never loaded into the server. The worker is our own binary
//! started as `tungsten compile-worker`; the crate `worker` bounds it. This crate does I/O; it knows nothing
//! of TGSI or of the engine.

pub mod cache;
pub mod library;
pub mod protocol;
pub mod worker;

#[cfg(all(test, unix))]
mod actor_tests;
mod api;
mod compile;
mod configuration;
mod error;
#[cfg(all(test, target_os = "linux"))]
mod library_tests;
mod module;
mod object;
mod parent;
mod toolchain;
mod whitelist;

pub use ::worker::{Attempt, Interrupter, Layer, LayerState, Priority};
pub use configuration::{CompileError, Configuration, Limits};
pub use library::Found;
pub use parent::Compiler;
pub use protocol::{Job, Output, Warning};
