//! The Debug Adapter Protocol for shaders and kernels that run without a GPU.
//!
//! [`serve`] speaks the protocol on any pair of streams with one client. What a client names in
//! `launch` is read by a [`Loader`], so that who starts the adapter decides which files it may
//! read; nothing here opens one. A thread of the protocol is a quad or a wave; a lane of it is
//! chosen by the variable `lane` of the scope *Focus*, or by `lane 5` in the console.
//!
//! Source: Debug Adapter Protocol, specification 1.71.

mod arguments;
pub mod base64;
mod breakpoints;
mod client;
mod disassembly;
mod framing;
mod moves;
mod origins;
mod refusal;
mod running;
mod session;
pub mod show;
mod variables;

pub use arguments::Launch;
pub use framing::{FramingError, read_message, write_message};
pub use refusal::Refusal;
pub use session::{Loaded, Loader, Program, serve};
