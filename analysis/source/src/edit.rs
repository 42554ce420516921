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

    /// Returns the new text with a text's line endings. An edit of line endings alone inserts its
    /// own.
    pub fn insert_into(&self, text: &str, ending: LineEnding) -> Cow<'_, str> {
        let replaced = text.get(std::ops::Range::<usize>::from(self.range)).unwrap_or_default();
        let is_of_endings = replaced.contains('\r') && replaced.trim().is_empty();
        if !self.insert.contains('\n') || is_of_endings || ending == LineEnding::Lf {
            return Cow::Borrowed(&self.insert);
        }
        let mut lines = self.insert.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let first = lines.next().unwrap_or_default().to_owned();
        Cow::Owned(lines.fold(first, |all, line| all + "\r\n" + line))
    }
}

/// The signs at the end of each line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnding {
    /// Line feed: of some lines, or of all.
    Lf,
    /// Carriage return and line feed, of every line.
    CrLf,
}

impl LineEnding {
    /// Returns that of a text.
    pub fn of(text: &str) -> LineEnding {
        let mut lines = text.split('\n');
        // Nothing ends the last.
        lines.next_back();
        let mut any = false;
        let all = lines.all(|line| {
            any = true;
            line.ends_with('\r')
        });
        if any && all { LineEnding::CrLf } else { LineEnding::Lf }
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
    let ending = LineEnding::of(text);
    for edit in ordered {
        let (start, end) = (usize::from(edit.range.start()), usize::from(edit.range.end()));
        result.push_str(text.get(done..start)?);
        result.push_str(&edit.insert_into(text, ending));
        text.get(start..end)?;
        done = end;
    }
    result.push_str(text.get(done..within.end().into())?);
    Some(result)
}
