//! Reasons why a line is no instruction.

use std::borrow::Cow;
use std::ops::Range;

use super::Assembled;
use crate::codes;

/// A mistake in a line, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// The bytes of the line that are to blame.
    pub range: Range<usize>,
    /// A sentence that names the rule.
    pub message: Cow<'static, str>,
    /// The broken rule, for settings and documentation.
    pub code: Code,
    /// The words that the references encode all the same: they cut the number without a word.
    pub cut: Option<Assembled>,
}

impl LineError {
    pub(crate) fn new(
        code: Code,
        range: Range<usize>,
        message: impl Into<Cow<'static, str>>,
    ) -> LineError {
        LineError { range, message: message.into(), code, cut: None }
    }
}

/// The kinds of rules a line can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// The text is no operand at all.
    Syntax,
    /// No chip knows the mnemonic.
    UnknownMnemonic,
    /// The target lacks the instruction, or this encoding of it.
    Unavailable,
    /// No register has this name, number or alignment on the target.
    Register,
    /// The operand is of the wrong kind or size.
    Operand,
    /// An operand is missing.
    MissingOperand,
    /// There is more than the instruction takes.
    ExtraOperand,
    /// A number does not fit.
    Range,
    /// More scalar values than the path to the vector units carries.
    ConstantBus,
    /// A literal where none fits.
    Literal,
    /// A modifier that the instruction or target does not have.
    Modifier,
    /// Data registers do not match what moves.
    DataSize,
}

impl Code {
    /// The name users see: `gcn::constant-bus`.
    pub fn name(self) -> source::Code {
        match self {
            Code::Syntax => codes::SYNTAX,
            Code::UnknownMnemonic => codes::UNKNOWN_MNEMONIC,
            Code::Unavailable => codes::UNAVAILABLE,
            Code::Register => codes::REGISTER,
            Code::Operand => codes::OPERAND,
            Code::MissingOperand => codes::MISSING_OPERAND,
            Code::ExtraOperand => codes::EXTRA_OPERAND,
            Code::Range => codes::RANGE,
            Code::ConstantBus => codes::CONSTANT_BUS,
            Code::Literal => codes::LITERAL,
            Code::Modifier => codes::MODIFIER,
            Code::DataSize => codes::DATA_SIZE,
        }
    }
}
