//! Reasons why a recorded or compared run says nothing.

use std::num::ParseIntError;

use thiserror::Error;

use crate::files::Refusal;

/// The reason why a run is not repeated.
#[derive(Debug, Error)]
pub(super) enum Skipped {
    #[error(transparent)]
    Unread(#[from] Refusal),
    #[error("no shader")]
    NoShader,
    /// The interpreter does not take the program.
    #[error("{}", .0.message)]
    Program(tgsi_interp::Refusal),
    #[error("the program is for {0}")]
    Stage(tgsi::Stage),
    #[error("number {0} is too large")]
    Number(usize),
    #[error("in: {0}")]
    Inputs(serde_json::Error),
    #[error("{0}")]
    Stopped(tgsi_interp::Stop),
    #[error(transparent)]
    Compile(#[from] llvm::CompileError),
    #[error(transparent)]
    Outside(#[from] crate::lavapipe::LavapipeError),
    #[error(transparent)]
    Aco(#[from] crate::aco::ExecuteError),
    /// Code and interpreter are not compared, in the words of the comparison.
    #[error("{0}")]
    Compared(String),
    #[error("nothing that could be compared")]
    Nothing,
}

impl Skipped {
    pub(super) fn compared(reason: impl ToString) -> Skipped {
        Skipped::Compared(reason.to_string())
    }
}

/// A word of a record that is not a number.
#[derive(Debug, Error)]
#[error("`{digits}`: {error}")]
pub(super) struct WordError {
    pub(super) digits: String,
    pub(super) error: ParseIntError,
}
