//! Words with their meaning, for colouring.

use source::TextRange;

/// A coloured word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    /// Its bytes, always within one line.
    pub range: TextRange,
    /// Its meaning.
    pub kind: SemanticKind,
    /// True if it has left the language.
    pub historic: bool,
}

impl SemanticToken {
    /// A word of today's language.
    pub fn new(range: TextRange, kind: SemanticKind) -> SemanticToken {
        SemanticToken { range, kind, historic: false }
    }
}

/// The meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SemanticKind {
    /// `DCL`, `IMM`, `PROPERTY`, a stage header, a directive.
    Keyword,
    /// An opcode with its modifiers, or a mnemonic.
    Opcode,
    /// A register file.
    File,
    /// A macro, defined or called.
    Macro,
    /// A semantic, target, interpolation or other word of a list.
    Word,
    /// The name of a label, or of a symbol with a value.
    Symbol,
    /// The name of a property.
    Property,
    /// A parameter of a macro.
    Parameter,
    /// A modifier of an instruction.
    Modifier,
    /// A mask or swizzle.
    Components,
    /// A register.
    Register,
    /// A number.
    Number,
    /// Text in quotes.
    Text,
    /// The number of an instruction, or of one that is jumped to.
    Label,
    /// A comment.
    Comment,
}
