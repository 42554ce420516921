//! The structure of a text: its outline, and what folds away.

use source::TextRange;

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name: `FRAG`, `TEMP[0..3]`, `main`.
    pub name: String,
    /// More, drawn fainter: `GENERIC[1], PERSPECTIVE`.
    pub detail: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name.
    pub selection: TextRange,
    /// The entries within it.
    pub children: Vec<Symbol>,
}

impl Symbol {
    /// An entry with nothing within it.
    pub fn new(name: String, kind: SymbolKind, range: TextRange, selection: TextRange) -> Symbol {
        Symbol { name, detail: String::new(), kind, range, selection, children: Vec::new() }
    }
}

/// The kind of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A shader or kernel.
    Shader,
    /// A declared register.
    Register,
    /// An immediate, or a symbol with a value.
    Constant,
    /// A property.
    Property,
    /// A subroutine or label.
    Label,
    /// A macro.
    Macro,
}

/// A part of the text that folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// From the first character of the line that stays to the last that goes.
    pub range: TextRange,
    /// Its kind.
    pub kind: FoldKind,
}

/// The kind of a fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldKind {
    /// A shader, kernel or function.
    Shader,
    /// A block of control flow, a subroutine, the text between two directives, or the code
    /// from a label to the next.
    Block,
    /// Declarations, immediates and properties.
    Declarations,
}
