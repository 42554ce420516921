//! What can be folded away.

use editor_model::Fold;
use salsa::Database;
use tgsi::service::folding;

use super::{assembly, placed};
use crate::inputs::{File, Language};

pub(crate) fn folds(db: &dyn Database, file: File) -> Vec<Fold> {
    if file.language(db) == Language::Gcn {
        return assembly::folds(db, file);
    }
    let mut folds = Vec::new();
    for placed in placed::all(db, file) {
        let Some(shader) = &placed.parse.shader else { continue };
        let found = folding::folds(&placed.text, shader).into_iter();
        folds.extend(found.map(|fold| Fold { range: placed.to_file(fold.range), ..fold }));
    }
    folds
}
