//! What can be folded away.

use salsa::Database;
use tgsi::service::folding;

use super::placed;
use crate::database::File;

pub use tgsi::service::folding::{Fold, FoldKind};

pub(crate) fn folds(db: &dyn Database, file: File) -> Vec<Fold> {
    let mut folds = Vec::new();
    for placed in placed::all(db, file) {
        let Some(shader) = &placed.parse.shader else { continue };
        let found = folding::folds(&placed.text, shader).into_iter();
        folds.extend(found.map(|fold| Fold { range: placed.to_file(fold.range), ..fold }));
    }
    folds
}
