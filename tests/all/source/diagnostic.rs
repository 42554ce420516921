//! Diagnostics that move with their text.

use source::{Code, Diagnostic, Tag, TextRange};

#[test]
fn all_places_move_together() {
    let range = |start: u32| TextRange::at(start.into(), 2.into());
    let diagnostic = |start| {
        Diagnostic::hint(Code("a::b"), range(start), "message")
            .with_fix("title", range(start + 3), "new")
            .with_related(range(start + 6), "because")
            .with_tag(Tag::Unnecessary)
    };
    assert_eq!(diagnostic(1).shifted(20.into()), diagnostic(21));
    assert_eq!(diagnostic(1).related[0].range, range(7));
    assert_eq!(diagnostic(1).fixes[0].edits[0].range, range(4));
}
