//! Rewritings that keep the meaning.

use salsa::Database;
use source::TextSize;
use tgsi::service::refactor::Refactoring;

use super::languages::{Query, service};
use crate::inputs::File;

/// The rewritings that can be made at an offset.
pub(crate) fn refactorings(db: &dyn Database, file: File, offset: TextSize) -> Vec<Refactoring> {
    let all = Refactoring::ALL.into_iter();
    let service = service(db, file);
    all.filter(|it| service.refactored(Query::of(db, file), offset, *it).is_some()).collect()
}
