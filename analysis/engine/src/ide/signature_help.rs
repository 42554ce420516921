//! The operands of the instruction under the cursor.

use editor_model::Signature;
use salsa::Database;
use text::TextSize;
use tgsi::service::signature;

use super::{assembly, placed};
use crate::inputs::{File, Language};

pub(crate) fn signature_help(db: &dyn Database, file: File, offset: TextSize) -> Option<Signature> {
    if file.language(db) == Language::Gcn {
        return assembly::signature_help(db, file, offset);
    }
    match placed::at(db, file, offset) {
        Some((placed, place)) => signature::signature(&placed.text, place),
        // Behind a blank at the end of the last line, which is no part of the shader.
        None => signature::signature(&file.text(db), offset),
    }
}
