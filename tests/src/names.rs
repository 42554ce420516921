//! Names and registers in suites: their definitions, their uses, and the text with others.

use std::fmt::Write as _;

use engine::FileId;
use engine::ide::{HighlightKind, References};
use source::{LineIndex, TextEdit, TextRange, TextSize, apply_edits};

use crate::bench::Bench;
use crate::literate::Block;

/// The text of a block of a kind, as the engine answers it at an offset.
///
/// # Errors
/// What is wrong with the block, or with the answer.
pub fn answer(
    bench: &Bench,
    file: FileId,
    text: &str,
    block: &Block,
    offset: TextSize,
) -> Result<String, String> {
    let lines = LineIndex::new(text);
    let line = |range: TextRange| lines.line(range.start()) + 1;
    let cancelled = |_| "the question was cancelled".to_owned();
    let snapshot = bench.host.snapshot();
    let mut found = String::new();
    match block.kind.as_str() {
        "definition" => {
            let places = snapshot.definitions(file, offset).map_err(cancelled)?;
            for place in places.into_iter().flat_map(|it| it.destinations) {
                let _ = writeln!(found, "{} {}", line(place.range), text[place.range].trim());
            }
        }
        "uses" => {
            let marks = snapshot.highlights(file, offset).map_err(cancelled)?;
            let all = snapshot.references(file, offset, References::All).map_err(cancelled)?;
            if marks.len() != all.len() {
                return Err(format!("{} marks for {} references", marks.len(), all.len()));
            }
            for mark in marks {
                let does = match mark.kind {
                    HighlightKind::Text => "names",
                    HighlightKind::Read => "reads",
                    HighlightKind::Write => "writes",
                };
                let _ = writeln!(found, "{} {does} {}", line(mark.range), &text[mark.range]);
            }
        }
        _ => {
            let new = block.arguments.get(1).ok_or("the block wants LINE:COLUMN NAME")?;
            match snapshot.rename(file, offset, new).map_err(cancelled)? {
                Err(reason) => {
                    let _ = writeln!(found, "refused: {reason}");
                }
                Ok(edits) => {
                    let edits: Vec<TextEdit> = edits.into_iter().map(|it| it.edit).collect();
                    let after = apply_edits(text, &edits).ok_or("the edits touch")?;
                    let changed = text.lines().zip(after.lines()).zip(1..);
                    for ((_, new), line) in changed.filter(|((old, new), _)| old != new) {
                        let _ = writeln!(found, "{line} {}", new.trim());
                    }
                }
            }
        }
    }
    Ok(found)
}
