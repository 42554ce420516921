//! Processes of our own around foreign libraries, which may end their process, loop for ever
//! and leak: so they are never loaded into the server.
//!
//! The parent's side is [`Host`]: it starts the worker, bounds it, restarts it and says what
//! happened. The worker's side is [`serve()`]: it loads the library, gives up all rights but
//! those to its pipes, and answers jobs. This crate does I/O; it knows none of the libraries.

pub mod confinement;
pub mod enclosed;
pub mod folders;
pub mod protocol;
pub mod serve;

mod child;
mod host;
mod process;

pub use confinement::{Attempt, CodeMemory, Layer, LayerState, Needs, Programs};
pub use host::{Failure, Host, Interrupter, Launch, Limits, Priority};
pub use serve::{Refusal, Service, serve};
