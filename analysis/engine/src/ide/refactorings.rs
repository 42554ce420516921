//! Rewritings of shaders that keep their meaning.

use salsa::Database;
use text::{TextEdit, TextSize};
use tgsi::service::refactor::{self, Refactoring};

use super::placed;
use crate::inputs::File;

/// The rewritings that can be made at an offset.
pub(crate) fn refactorings(db: &dyn Database, file: File, offset: TextSize) -> Vec<Refactoring> {
    let all = Refactoring::ALL.into_iter();
    all.filter(|refactoring| refactored(db, file, offset, *refactoring).is_some()).collect()
}

/// The edits of one of them; `None` where it cannot be made, or where the file around
/// the shader cannot hold it.
pub(crate) fn refactored(
    db: &dyn Database,
    file: File,
    offset: TextSize,
    refactoring: Refactoring,
) -> Option<Vec<TextEdit>> {
    let (placed, place) = placed::at(db, file, offset)?;
    let shader = placed.parse.shader.as_ref()?;
    let edits = refactor::edits(&placed.text, shader, place, refactoring)?;
    edits.iter().map(|edit| placed.map.edit_to_file(edit)).collect()
}
