//! Reasons why something is not renamed.

use thiserror::Error;

/// The reason why a name or a register is not renamed, with a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RenameError {
    /// Nothing there can be renamed: it is not a name, or not all of its places are known.
    #[error("{0}")]
    NotRenameable(String),
    /// The new name is none, is taken, or names registers that do not fit.
    #[error("{0}")]
    UnsuitableName(String),
    /// The program would not mean what it did.
    #[error("{0}")]
    ChangesMeaning(String),
}

/// Nothing there can be renamed.
pub(super) fn not_renameable(why: impl Into<String>) -> RenameError {
    RenameError::NotRenameable(why.into())
}

/// The new name does not fit.
pub(super) fn unsuitable(why: impl Into<String>) -> RenameError {
    RenameError::UnsuitableName(why.into())
}

/// The program would mean something else.
pub(super) fn changes_meaning(why: impl Into<String>) -> RenameError {
    RenameError::ChangesMeaning(why.into())
}
