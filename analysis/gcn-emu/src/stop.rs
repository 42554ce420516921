//! The reasons for which a run ends before its programs do.

use thiserror::Error;

use crate::memory::Unmapped;

/// The end of a run, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Stop {
    /// The wave, from 0.
    pub wave: usize,
    /// The index of the instruction in the program.
    pub instruction: usize,
    /// The reason.
    pub reason: Reason,
}

/// The reason for which a run ended early.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// More instructions than were allowed.
    #[error("more instructions than are allowed")]
    Steps,
    /// More records than were allowed: exports, messages, signals.
    #[error("more exports, messages and signals than are allowed")]
    Records,
    /// Control went where no instruction begins.
    #[error("control reaches an address where no instruction begins")]
    NoInstruction,
    /// Words that are not an instruction of the chip.
    #[error("these words are not an instruction")]
    Undecodable,
    /// An instruction that is not executed, with its name and what is missing.
    #[error("not executed: {0}")]
    Unsupported(String),
    /// An address that is not mapped.
    #[error(transparent)]
    Unmapped(#[from] Unmapped),
    /// A register is used before a wait makes sure of it: one sentence.
    #[error("{0}")]
    MissingWait(String),
    /// Too few wait states: one sentence.
    #[error("{0}")]
    Hazard(String),
}
