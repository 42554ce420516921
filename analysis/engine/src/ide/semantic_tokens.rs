//! What each word of a file is, for colouring.

use editor_model::SemanticToken;
use salsa::Database;
use text::TextRange;
use tgsi::service::tokens;

use super::{assembly, placed};
use crate::inputs::{File, Language};

/// The coloured words of the shaders that touch a range, in order. Each stands
/// within one line.
pub(crate) fn semantic_tokens(
    db: &dyn Database,
    file: File,
    range: TextRange,
) -> Vec<SemanticToken> {
    if file.language(db) == Language::Gcn {
        return assembly::semantic_tokens(db, file, range);
    }
    let text = file.text(db);
    let mut found = Vec::new();
    for placed in placed::all(db, file) {
        db.unwind_if_revision_cancelled();
        if placed.map.range().intersect(range).is_none() {
            continue;
        }
        let within = if placed.map.is_contiguous() {
            range.intersect(placed.map.range()).unwrap_or_default() - placed.map.range().start()
        } else {
            TextRange::up_to(text::TextSize::of(&*placed.text))
        };
        let tokens = tokens::tokens(&placed.text, within).into_iter();
        let tokens =
            tokens.map(|token| SemanticToken { range: placed.to_file(token.range), ..token });
        found.extend(tokens.filter(|token| {
            // A word that a log cuts in two has no one place.
            let whole = text.get(std::ops::Range::<usize>::from(token.range));
            whole.is_some_and(|whole| !whole.contains(['\n', '\r']))
                && token.range.intersect(range).is_some()
        }));
    }
    found
}
