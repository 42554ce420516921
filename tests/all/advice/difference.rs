//! Differences of texts, line by line.

use advise::{DiffLine, difference, line_edits};
use source::apply_edits;
use tests::random_shaders::Numbers;

#[test]
fn lines_that_moved_are_removed_and_added() {
    use DiffLine::{Added, Kept, Removed};
    let lines = difference("a\nb\nc\nd", "a\nc\nb\nd");
    let one = vec![Kept("a"), Removed("b"), Kept("c"), Added("b"), Kept("d")];
    assert_eq!(lines, one);
    assert_eq!(difference("", "x"), [Added("x")]);
    assert_eq!(difference("x\ny", "y"), [Removed("x"), Kept("y")]);
}

#[test]
fn both_texts_can_be_read_from_it() {
    let mut random = Numbers::new(3);
    for _ in 0..200 {
        let mut text = || -> String {
            let words: Vec<&str> =
                (0..random.below(12)).map(|_| ["a", "b", "c"][random.below(3)]).collect();
            words.join("\n")
        };
        let [before, after] = [text(), text()];
        let lines = difference(&before, &after);
        let side = |pick: fn(&DiffLine<'_>) -> bool| -> Vec<String> {
            let own = lines.iter().filter(|line| pick(line));
            let text = |line: &DiffLine<'_>| match line {
                DiffLine::Kept(it) | DiffLine::Removed(it) | DiffLine::Added(it) => {
                    (*it).to_owned()
                }
            };
            own.map(text).collect()
        };
        assert_eq!(
            side(|it| !matches!(it, DiffLine::Added(_))),
            before.lines().collect::<Vec<_>>()
        );
        assert_eq!(
            side(|it| !matches!(it, DiffLine::Removed(_))),
            after.lines().collect::<Vec<_>>()
        );
    }
}

#[test]
fn edits_of_lines_make_the_one_text_of_the_other() {
    let mut random = Numbers::new(5);
    for _ in 0..500 {
        let mut text = || -> String {
            (0..random.below(8)).map(|_| format!("{}\n", random.below(4))).collect()
        };
        let (old, new) = (text(), text());
        assert_eq!(apply_edits(&old, &line_edits(&old, &new)).as_ref(), Some(&new), "{old:?}");
        // Where the last line has no end, it has none afterwards.
        let [old, new] = [&old, &new].map(|text| text.trim_end());
        if !old.is_empty() && !new.is_empty() {
            let made = apply_edits(old, &line_edits(old, new));
            assert_eq!(made.as_deref().map(str::trim_end), Some(new), "{old:?}");
        }
    }
    // Lines that stay keep their ends.
    let made = apply_edits("a\r\nb\r\nc\r\n", &line_edits("a\r\nb\r\nc\r\n", "a\nx\nc\n"));
    assert_eq!(made.as_deref(), Some("a\r\nx\r\nc\r\n"));
    assert_eq!(line_edits("a\nb\n", "a\nb\n"), []);
}
