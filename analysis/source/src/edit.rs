//! Edits of a text: disjoint replacements.
//!
//! Whoever makes an edit ends its lines with a line feed; they are inserted with the line ending
//! of the text.

use std::borrow::Cow;

use crate::{TextRange, TextSize};

/// Replaces a range of a text by other text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// The range that is replaced; empty for an insertion.
    pub range: TextRange,
    /// The new text; empty for a deletion.
    pub insert: String,
}

impl TextEdit {
    /// Replaces `range` by `insert`.
    pub fn replace(range: TextRange, insert: impl Into<String>) -> Self {
        TextEdit { range, insert: insert.into() }
    }

    /// Returns the new text with the line endings of the text that it is inserted in: those of its
    /// first line. An edit of line endings alone inserts its own.
    pub fn insert_into(&self, text: &str) -> Cow<'_, str> {
        let is_crlf = |text: &str| text.find('\n').is_some_and(|end| text[..end].ends_with('\r'));
        let replaced = text.get(std::ops::Range::<usize>::from(self.range)).unwrap_or_default();
        let is_of_endings = replaced.contains('\r') && replaced.trim().is_empty();
        if !self.insert.contains('\n') || is_of_endings || !is_crlf(text) {
            return Cow::Borrowed(&self.insert);
        }
        let mut lines = self.insert.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let first = lines.next().unwrap_or_default().to_owned();
        Cow::Owned(lines.fold(first, |all, line| all + "\r\n" + line))
    }
}

/// Applies disjoint edits in any order. Returns `None` where two overlap or
/// one lies outside the text or inside a character.
pub fn apply_edits(text: &str, edits: &[TextEdit]) -> Option<String> {
    edited(text, TextRange::up_to(TextSize::of(text)), edits)
}

/// One edit that does what disjoint edits do together. Returns `None` as [`apply_edits`]
/// does, and for no edits.
pub fn join_edits(text: &str, edits: &[TextEdit]) -> Option<TextEdit> {
    let range = edits.iter().map(|edit| edit.range).reduce(TextRange::cover)?;
    Some(TextEdit { range, insert: edited(text, range, edits)? })
}

/// A range of a text with the edits in it made.
fn edited(text: &str, within: TextRange, edits: &[TextEdit]) -> Option<String> {
    let mut ordered: Vec<&TextEdit> = edits.iter().collect();
    ordered.sort_by_key(|edit| (edit.range.start(), edit.range.end()));
    let mut result = String::with_capacity(within.len().into());
    let mut done = within.start().into();
    for edit in ordered {
        let (start, end) = (usize::from(edit.range.start()), usize::from(edit.range.end()));
        result.push_str(text.get(done..start)?);
        result.push_str(&edit.insert_into(text));
        text.get(start..end)?;
        done = end;
    }
    result.push_str(text.get(done..within.end().into())?);
    Some(result)
}
