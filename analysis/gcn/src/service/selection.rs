//! Ever larger parts of the text around a place.

use source::{TextRange, TextSize};

use super::View;
use super::folding::folds;
use super::statement::{First, statement_at};

/// The parts that hold an offset, each within the next; not the whole file.
pub fn selections(view: View<'_>, offset: TextSize) -> Vec<TextRange> {
    let statement = statement_at(view, offset);
    let mut parts: Vec<TextRange> = Vec::new();
    let words = statement.words();
    parts.extend(words.iter().map(|word| word.range));
    parts.extend(statement.labels.iter().copied());
    if let First::Word(range) | First::Assigned(range) = statement.first {
        parts.push(range);
    }
    if let Some(word) = words.iter().find(|word| word.range.contains_inclusive(offset)) {
        let same = words.iter().filter(|other| other.operand == word.operand);
        parts.extend(same.map(|it| it.range).reduce(TextRange::cover));
    }
    if let (Some(first), Some(last)) = (words.first(), words.last()) {
        parts.push(first.range.cover(last.range));
    }
    parts.push(statement.range());
    parts.extend(folds(view).into_iter().map(|fold| fold.range));
    parts.retain(|part| !part.is_empty() && part.contains_inclusive(offset));
    parts.sort_by_key(|part| (part.len(), part.start()));
    let mut nested: Vec<TextRange> = Vec::new();
    for part in parts {
        if nested.last().is_none_or(|last| part.contains_range(*last) && part != *last) {
            nested.push(part);
        }
    }
    nested
}
