//! What editors show, as plain data.

use text::{Diagnostic, TextRange, TextSize};

/// Markdown about the thing under the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The thing.
    pub range: TextRange,
    /// Markdown.
    pub markdown: String,
}

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called: `FRAG`, `TEMP[0..3]`, `main`.
    pub name: String,
    /// More, drawn fainter: `PERSPECTIVE`.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name.
    pub selection: TextRange,
    /// What stands in it.
    pub children: Vec<Symbol>,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A shader or kernel.
    Shader,
    /// A declared register.
    Register,
    /// An immediate.
    Constant,
    /// A property.
    Property,
    /// A subroutine or label.
    Label,
}

/// A word shown within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    /// Where it is drawn.
    pub offset: TextSize,
    /// The word.
    pub label: String,
    /// Markdown shown over it.
    pub tooltip: String,
}

/// A line of figures above a shader, with the command behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLens {
    /// The line it stands above.
    pub range: TextRange,
    /// `polaris10: 24 VGPR, 32 SGPR, 10 waves, 312 bytes`
    pub title: String,
    /// The compiled code it opens; `None` where there is nothing to open.
    pub opens: Option<CompiledRef>,
}

/// Names the compiled code of a shader for a target.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CompiledRef {
    /// Which shader of the file, from 0.
    pub shader: usize,
    /// The target's name.
    pub target: &'static str,
}

/// The compiled code of a shader as a document, joined to its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledView {
    /// The document.
    pub text: String,
    /// The state of the compile it shows.
    pub state: CompiledState,
    /// For each line of the document, the line of the source file (from 0)
    /// that it was compiled from.
    pub source_lines: Vec<Option<u32>>,
    /// Changes whenever the text does.
    pub hash: u64,
}

/// How current a compiled view is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompiledState {
    /// Of the current text.
    Fresh,
    /// Of an earlier text; a new one is on its way.
    Stale,
    /// Of an earlier text; the current one has errors, or could not be compiled.
    Outdated(String),
    /// Nothing yet; the first compile is on its way.
    Pending,
    /// There is nothing to show, and why.
    Unavailable(String),
}

/// The findings of a file, in order of the text.
pub type Diagnostics = Vec<Diagnostic>;
