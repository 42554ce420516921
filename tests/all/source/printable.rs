//! Text that is printed commands no terminal.

use source::Printable;

#[test]
fn control_characters_are_shown_and_not_obeyed() {
    let hostile = "a\u{1b}[31m\u{9b}2J\u{7f}\0\u{202e}z\u{2066}\u{2028}é ✓";
    let shown = Printable::text(hostile);
    assert_eq!(shown.as_str(), "a␛[31m\\u{9b}2J␡␀\\u{202e}z\\u{2066}\\u{2028}é ✓");
    assert!(shown.is_changed());
    let again = Printable::text(shown.as_str());
    assert_eq!(again.as_str(), shown.as_str());
    assert!(!again.is_changed(), "what is shown needs no cleaning");
}

#[test]
fn lines_end_where_text_has_lines() {
    assert_eq!(Printable::text("a\tb\r\nc\rd\n").as_str(), "a\tb\nc␍d\n");
    assert_eq!(Printable::line("a\tb\r\n::error").as_str(), "a\tb␍␊::error");
}
