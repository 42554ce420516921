//! Edits that apply together.

use source::{TextEdit, TextRange, apply_edits};

fn edit(start: u32, end: u32, insert: &str) -> TextEdit {
    TextEdit::replace(TextRange::new(start.into(), end.into()), insert)
}

#[test]
fn edits_apply_in_any_order() {
    let edits = [edit(4, 7, "two"), edit(0, 3, "one"), edit(7, 7, "!")];
    assert_eq!(apply_edits("ONE TWO", &edits).as_deref(), Some("one two!"));
}

#[test]
fn overlapping_or_outside_edits_are_refused() {
    assert_eq!(apply_edits("abcd", &[edit(0, 2, ""), edit(1, 3, "")]), None);
    assert_eq!(apply_edits("abcd", &[edit(3, 9, "")]), None);
    assert_eq!(apply_edits("é", &[edit(1, 2, "")]), None);
}
