//! The box that a worker works in: once its library is loaded it needs its pipes, memory and
//! the clock, and everything else is given up for good.
//!
//! Every layer is best effort: an old kernel has fewer, and the worker says which hold.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
pub mod enclosing;
#[cfg(target_os = "linux")]
pub mod linux;

#[cfg(target_os = "linux")]
pub(crate) use enclosing::{Reach, enclose};
#[cfg(target_os = "linux")]
pub(crate) use linux::{attempt, close_inherited, confine, confine_watcher};
#[cfg(not(target_os = "linux"))]
pub(crate) use other::{attempt, close_inherited, confine, confine_watcher};

use serde::{Deserialize, Serialize};

/// The needs of a library beside its pipes, memory and the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Bytes that a file may grow to which was opened while the library was loaded.
    pub written: u64,
    /// The answer to a library that wants to start a program.
    pub programs: Programs,
    /// The answer to a library that wants memory for code of its own.
    pub code: CodeMemory,
}

impl Needs {
    /// Nothing more.
    pub const NOTHING: Needs =
        Needs { written: 0, programs: Programs::Deadly, code: CodeMemory::Refused };
}

/// The answer to a library that wants memory for code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeMemory {
    /// The call fails: it runs no code but that of its file.
    Refused,
    /// The call succeeds: the library makes code and runs it.
    Allowed,
}

/// The answer to a library that wants to start a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Programs {
    /// The process ends: it never does that.
    Deadly,
    /// The call fails: it looks for a program, and does without.
    Refused,
}

/// One part of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// Its name, `seccomp`.
    pub name: String,
    /// The state of it.
    pub state: LayerState,
}

/// The state of a part of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LayerState {
    /// Holds, with details.
    Holds(String),
    /// Does not hold, for this reason.
    Missing(String),
}

/// Something that a worker in its sandbox must not be able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// Opens a file that every user may read.
    OpenFile,
    /// Connects to this machine.
    Connect,
    /// Starts a program.
    StartProgram,
}

impl Attempt {
    /// Every attempt.
    pub const ALL: [Attempt; 3] = [Attempt::OpenFile, Attempt::Connect, Attempt::StartProgram];

    /// The attempt in words, `open a file`.
    pub fn name(self) -> &'static str {
        match self {
            Attempt::OpenFile => "open a file",
            Attempt::Connect => "connect",
            Attempt::StartProgram => "start a program",
        }
    }

    /// The argument that has a worker make the attempt.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Attempt::OpenFile => "attempt-open",
            Attempt::Connect => "attempt-connect",
            Attempt::StartProgram => "attempt-start",
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::{Attempt, Layer, LayerState, Needs};

    /// Nothing to close here.
    pub(crate) fn close_inherited() {}

    /// No box here.
    pub(crate) fn confine_watcher() {}

    /// No box here, which the one layer says.
    pub(crate) fn confine(_: Needs) -> Vec<Layer> {
        let state = LayerState::Missing("there is none on this system".to_owned());
        vec![Layer { name: "box".to_owned(), state }]
    }

    /// Nothing is denied here.
    pub(crate) fn attempt(_: Attempt) -> std::io::Result<()> {
        Ok(())
    }
}
