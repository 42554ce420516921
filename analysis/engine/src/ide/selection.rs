//! Ever larger parts of the text around a place.

use salsa::Database;
use source::{TextRange, TextSize};

use super::languages::{Query, service};
use crate::inputs::File;

pub(crate) fn selections(db: &dyn Database, file: File, offset: TextSize) -> Vec<TextRange> {
    let mut parts = service(db, file).selections(Query::of(db, file), offset);
    parts.push(TextRange::up_to(TextSize::of(&*file.text(db))));
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
