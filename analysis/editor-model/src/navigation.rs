//! Places that names lead to, and edits that change them together.

use source::{TextEdit, TextRange};

use crate::SymbolKind;

/// A file of many that are asked about together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// The name under the cursor, and where it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definitions {
    /// The name under the cursor.
    pub origin: TextRange,
    /// The places of the declaration: several for a thing that is declared part by part.
    pub destinations: Vec<Destination>,
}

/// A place to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Destination {
    /// The file; `None` for the one that was asked about.
    pub file: Option<FileId>,
    /// The whole statement.
    pub range: TextRange,
    /// The name in it.
    pub selection: TextRange,
}

/// A place that names a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// The file; `None` for the one that was asked about.
    pub file: Option<FileId>,
    /// The name.
    pub range: TextRange,
}

/// An edit of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    /// The file; `None` for the one that was asked about.
    pub file: Option<FileId>,
    /// The edit.
    pub edit: TextEdit,
}

/// The choice between references with the declaration and without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// Every place.
    All,
    /// The places that use it.
    Uses,
}

/// A place to mark while the cursor is on a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    /// The name.
    pub range: TextRange,
    /// Its role there.
    pub kind: HighlightKind,
}

/// The role of a name at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HighlightKind {
    /// A mere mention: a declaration, or a word of a block.
    Text,
    /// The value is read.
    Read,
    /// The value is written.
    Write,
}

/// The kind of thing that a rename replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renamed {
    /// A name, which stands whole wherever it stands.
    Name,
    /// A register, whose number is weighed with those that overlap it.
    Register,
}

/// A name that can be replaced everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renameable {
    /// Its kind.
    pub kind: Renamed,
    /// The name under the cursor.
    pub range: TextRange,
    /// The name as it is offered for editing: `TEMP[3]`.
    pub name: String,
}

/// A piece of code that is entered by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callable {
    /// The file; `None` for the one that was asked about.
    pub file: Option<FileId>,
    /// Its name: `FRAG`, `BGNSUB 12`, `main`.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name, which stands for it in further questions.
    pub selection: TextRange,
}

/// Calls between one piece of code and another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// The other one.
    pub callable: Callable,
    /// The places of its calls: of it, or by it.
    pub places: Vec<TextRange>,
}
