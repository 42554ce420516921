//! Edits that apply together.

use source::{TextEdit, TextRange, apply_edits, join_edits};

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

#[test]
fn inserted_lines_end_as_those_of_the_text() {
    let made =
        |text: &str, insert: &str| apply_edits(text, &[edit(0, 0, insert)]).expect("one edit");
    assert_eq!(made("a\r\nb\r\n", "x\ny\n"), "x\r\ny\r\na\r\nb\r\n");
    // One line with other ends makes no text of CRLF.
    assert_eq!(made("a\r\nb\n", "x\ny\n"), "x\ny\na\r\nb\n");
    assert_eq!(made("a\r\nb\r\n", "x\r\n"), "x\r\na\r\nb\r\n");
    assert_eq!(made("a\nb\r\n", "x\n"), "x\na\nb\r\n");
    assert_eq!(made("a", "x\n"), "x\na");
    assert_eq!(made("a\r\n", "x"), "xa\r\n");
    let joined = join_edits("a\r\nb", &[edit(0, 0, "x\n")]).expect("one edit");
    assert_eq!(joined.insert, "x\r\n");
    // What changes the line endings themselves is taken at its word.
    assert_eq!(apply_edits("a\r\nb", &[edit(1, 3, "\n")]).as_deref(), Some("a\nb"));
}
