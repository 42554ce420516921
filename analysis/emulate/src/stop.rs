//! The reasons for which a run ends before its programs do.

use crate::memory::Unmapped;

/// The end of a run, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The wave, from 0.
    pub wave: usize,
    /// The index of the instruction in the program.
    pub instruction: usize,
    /// The reason.
    pub reason: Reason,
}

/// The reason for which a run ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// More instructions than were allowed.
    Steps,
    /// More records than were allowed: exports, messages, signals.
    Records,
    /// Control went where no instruction begins.
    NoInstruction,
    /// Words that are no instruction of the chip.
    Undecodable,
    /// An instruction that is not executed, with its name and what is missing.
    Unsupported(String),
    /// An address that is not mapped.
    Unmapped(Unmapped),
    /// A register is used before a wait makes sure of it: one sentence.
    MissingWait(String),
    /// Too few wait states: one sentence.
    Hazard(String),
}

impl From<Unmapped> for Reason {
    fn from(unmapped: Unmapped) -> Reason {
        Reason::Unmapped(unmapped)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Steps => f.write_str("more instructions than are allowed"),
            Reason::Records => f.write_str("more exports, messages and signals than are allowed"),
            Reason::NoInstruction => f.write_str("control goes where no instruction begins"),
            Reason::Undecodable => f.write_str("these words are no instruction"),
            Reason::Unsupported(what) => write!(f, "not executed: {what}"),
            Reason::Unmapped(it) => write!(f, "no memory at {:#x}", it.address),
            Reason::MissingWait(what) | Reason::Hazard(what) => f.write_str(what),
        }
    }
}
