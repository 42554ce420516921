//! Reasons why something is not renamed.

use std::fmt;

/// The reason why a name or a register is not renamed, with a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenameError {
    /// Nothing there can be renamed: it is no name, or not all of its places are known.
    NotRenameable(String),
    /// The new name is none, is taken, or names registers that do not fit.
    UnsuitableName(String),
    /// The program would not mean what it did.
    ChangesMeaning(String),
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenameError::NotRenameable(why)
            | RenameError::UnsuitableName(why)
            | RenameError::ChangesMeaning(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for RenameError {}
