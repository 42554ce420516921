//! The operands of the instruction under the cursor.

/// Operands, and which one the cursor is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// All in one line of ASCII.
    pub label: String,
    /// Markdown: what the instruction computes and does.
    pub documentation: String,
    /// The operands in order.
    pub operands: Vec<Parameter>,
    /// The operand that the cursor is in; `None` behind the last.
    pub active: Option<usize>,
}

/// An operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its bytes in the label.
    pub range: std::ops::Range<usize>,
    /// Markdown: what it is for.
    pub documentation: String,
}
