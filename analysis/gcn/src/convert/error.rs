//! Reasons why a line stays as it is.

use std::borrow::Cow;

use thiserror::Error;

use crate::dialect::{Dialect, Unsupported};

/// A reason why something has no counterpart in the other dialect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoCounterpart {
    /// The line is not an instruction; with the reason.
    #[error("it is not an instruction: {0}")]
    NoInstruction(Cow<'static, str>),
    /// The words are not an instruction.
    #[error("the words are not an instruction")]
    NoWords,
    /// A value that comes later is computed.
    #[error("a value that is known later is computed by the rules of its dialect")]
    ComputedLater,
    /// The dialect cannot write the line with its symbols.
    #[error("{} has no way to write this with its symbols", title(*.0))]
    Symbols(Dialect),
    /// The dialect cannot write the words.
    #[error("{} has no way to write these words", title(*.0))]
    Words(Dialect),
    /// The text is a printed listing.
    #[error("a printed listing is in the dialect of who printed it")]
    Listing,
    /// The text is for a chip that is not supported.
    #[error("{0} is not supported yet")]
    Unsupported(Unsupported),
    /// The whole would be another program.
    #[error("the code or data of the whole would be other bytes")]
    OtherBytes,
    /// A comment or a join stands within the line.
    #[error("a comment or a line end is inside it")]
    Broken,
    /// The line has several statements.
    #[error("another statement is on its line")]
    Shared,
    /// The assignment means something of its own.
    #[error("it has a meaning of its own in this dialect")]
    OwnMeaning,
    /// An argument has a sign that the dialects read differently.
    #[error("`{0}` is not read alike by both dialects")]
    Sign(char),
    /// The dialect does not know the chip.
    #[error("{} has no name for this chip", assembler(*.0))]
    Chip(Dialect),
    /// The directive is of one dialect.
    #[error("`{0}` has no certain counterpart in the other dialect")]
    Directive(String),
    /// The instruction does not stand in the text as it is assembled.
    #[error("it is part of a macro or of a macro call, or it is not assembled")]
    NotWritten,
}

fn title(dialect: Dialect) -> String {
    format!("{}'s dialect", assembler(dialect))
}

fn assembler(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Llvm => "LLVM",
        Dialect::Clrx => "CLRX",
    }
}
