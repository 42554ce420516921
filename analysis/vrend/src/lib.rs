//! virglrenderer's translation of TGSI to GLSL, and the verdict of a GL compiler on it: its
//! test server found on this machine, and run in a process of its own for each host.
//!
//! The server is a foreign program that may crash, hang or leak. So it runs in a sandbox
//! ([`worker::enclosed`]), its answers are waited for within limits, and it is started again
//! after it died. It speaks over a socket in a folder that nobody else reads. This crate does
//! I/O; what GLSL says of TGSI is in `tgsi::glsl`.

pub mod connection;
pub mod hosts;
pub mod library;
pub mod partners;
pub mod printed;
pub mod process;
pub mod translator;

pub use hosts::{Api, Host, HostError};
pub use library::{Found, choose, find};
pub use translator::{Configuration, TranslateError, Translation, Translator, Verdict};
pub use worker::enclosed::Enclosed;

/// The first argument of the program that makes it the server in its sandbox.
pub const COMMAND: &str = "vrend-worker";
