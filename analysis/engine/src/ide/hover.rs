//! What to say of the word under the cursor.

use salsa::Database;
use text::{TextRange, TextSize};

use crate::database::{File, Language};
use crate::shaders;

/// Markdown about the thing under the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The thing.
    pub range: TextRange,
    /// Markdown.
    pub markdown: String,
}

pub(crate) fn hover(db: &dyn Database, file: File, offset: TextSize) -> Option<Hover> {
    match file.language(db) {
        Language::Tgsi => tgsi_hover(db, file, offset),
        Language::Gcn => None,
    }
}

fn tgsi_hover(db: &dyn Database, file: File, offset: TextSize) -> Option<Hover> {
    let regions = shaders::regions(db, file);
    let index = regions.shaders.iter().position(|range| range.contains_inclusive(offset))?;
    let _parse = shaders::parse(db, shaders::shaders(db, file)[index]);
    None
}
