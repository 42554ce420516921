//! Reasons why a line is not an instruction.

use std::borrow::Cow;
use std::ops::Range;

use source::Code;

use super::Assembled;

/// A mistake in a line, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// The bytes of the line that are to blame.
    pub range: Range<usize>,
    /// A sentence that names the rule.
    pub message: Cow<'static, str>,
    /// The broken rule: one of [`crate::codes`].
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
