//! Ever larger parts of the text around a place.

use salsa::Database;
use text::{TextRange, TextSize};
use tgsi::service::selection;

use super::{assembly, placed};
use crate::inputs::{File, Language};

pub(crate) fn selections(db: &dyn Database, file: File, offset: TextSize) -> Vec<TextRange> {
    let text = file.text(db);
    let whole = TextRange::up_to(TextSize::of(&*text));
    let mut parts = Vec::new();
    if let Some((placed, place)) = placed::at(db, file, offset)
        && let Some(shader) = &placed.parse.shader
    {
        let found = selection::selections(&placed.text, shader, place);
        parts.extend(found.into_iter().map(|range| placed.to_file(range)));
    }
    if file.language(db) == Language::Gcn {
        parts.extend(assembly::selections(db, file, offset));
    }
    parts.push(whole);
    // Pieces of a log may meet at the same place.
    let mut selections: Vec<TextRange> = Vec::new();
    for part in parts {
        let larger =
            selections.last().is_none_or(|last| part.contains_range(*last) && part != *last);
        if larger && part.contains_inclusive(offset) {
            selections.push(part);
        }
    }
    selections
}
