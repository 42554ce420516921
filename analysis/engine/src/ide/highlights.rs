//! The places to mark while the cursor is on a register or a block's word.

use editor_model::Highlight;
use salsa::Database;
use text::TextSize;
use tgsi::service::navigation;

use super::{assembly, placed};
use crate::inputs::{File, Language};

pub(crate) fn highlights(db: &dyn Database, file: File, offset: TextSize) -> Vec<Highlight> {
    if file.language(db) == Language::Gcn {
        return assembly::highlights(db, file, offset);
    }
    let Some((placed, place)) = placed::at(db, file, offset) else { return Vec::new() };
    let Some(shader) = &placed.parse.shader else { return Vec::new() };
    let found = navigation::highlights(&placed.text, shader, place).into_iter();
    found.map(|it| Highlight { range: placed.to_file(it.range), ..it }).collect()
}
