//! The places to mark while the cursor is on a register or a block's word.

use salsa::Database;
use text::{TextRange, TextSize};
use tgsi::service::accesses::AccessKind;
use tgsi::service::navigation;

use super::{assembly, placed};
use crate::inputs::{File, Language};

/// A place to mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    /// The name.
    pub range: TextRange,
    /// What it does.
    pub kind: HighlightKind,
}

/// What a marked place does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HighlightKind {
    /// It only names it: a declaration, or a word of a block.
    Text,
    /// It reads it.
    Read,
    /// It writes it.
    Write,
}

pub(crate) fn highlights(db: &dyn Database, file: File, offset: TextSize) -> Vec<Highlight> {
    if file.language(db) == Language::Gcn {
        return assembly::highlights(db, file, offset);
    }
    let Some((placed, place)) = placed::at(db, file, offset) else { return Vec::new() };
    let Some(shader) = &placed.parse.shader else { return Vec::new() };
    let found = navigation::highlights(&placed.text, shader, place).into_iter();
    let highlight = |mention: navigation::Mention| Highlight {
        range: placed.to_file(mention.range),
        kind: match mention.kind {
            Some(AccessKind::Read) => HighlightKind::Read,
            Some(AccessKind::Write) => HighlightKind::Write,
            Some(AccessKind::Declaration) | None => HighlightKind::Text,
        },
    };
    found.map(highlight).collect()
}
