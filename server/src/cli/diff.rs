//! The difference of two texts, as `diff -u` writes it.

use std::io;
use std::ops::Range;

use source::align;

use super::output::{Output, Style, name_at_line_start};

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

/// Lines of the old text that others of the new one stand in place of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

/// Prints what is different in a file's new text.
pub(super) fn print(name: &str, old: &str, new: &str, output: &mut Output) -> io::Result<()> {
    let name = name_at_line_start(name);
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    output.styled_line(Style::Strong, &format!("--- {name}"))?;
    output.styled_line(Style::Strong, &format!("+++ {name}"))?;
    for hunk in hunks(&changes(&old, &new)) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let before = first.old.start.min(CONTEXT);
        let behind = (old.len() - last.old.end).min(CONTEXT);
        let place = |start: usize, end: usize| {
            let (start, end) = (start - before, end + behind);
            // Of no lines, the number is that of the line before them.
            format!("{},{}", start + usize::from(end > start), end - start)
        };
        let (from, to) =
            (place(first.old.start, last.old.end), place(first.new.start, last.new.end));
        output.styled_line(Style::Place, &format!("@@ -{from} +{to} @@"))?;
        let mut at = first.old.start - before;
        for change in hunk {
            lines(' ', Style::Plain, &old[at..change.old.start], output)?;
            lines('-', Style::Bad, &old[change.old.clone()], output)?;
            lines('+', Style::Good, &new[change.new.clone()], output)?;
            at = change.old.end;
        }
        lines(' ', Style::Plain, &old[at..at + behind], output)?;
    }
    Ok(())
}

fn lines(mark: char, style: Style, lines: &[&str], output: &mut Output) -> io::Result<()> {
    for line in lines {
        let text = line.trim_end_matches(['\n', '\r']);
        output.styled_line(style, &format!("{mark}{text}"))?;
        if !line.ends_with('\n') {
            output.line("\\ No newline at end of file")?;
        }
    }
    Ok(())
}

/// Changes that stand so near that their surroundings meet, together.
fn hunks(changes: &[Change]) -> impl Iterator<Item = &[Change]> {
    changes.chunk_by(|one, next| next.old.start - one.old.end <= 2 * CONTEXT)
}

/// The changes that make new lines of old ones, in order.
fn changes(old: &[&str], new: &[&str]) -> Vec<Change> {
    let kept = align(old, new).into_iter().enumerate();
    let kept = kept.filter_map(|(place, partner)| Some((place, partner?)));
    let (mut from, mut changes) = ((0, 0), Vec::new());
    for to in kept.chain([(old.len(), new.len())]) {
        if from != to {
            changes.push(Change { old: from.0..to.0, new: from.1..to.1 });
        }
        from = (to.0 + 1, to.1 + 1);
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_the_lines_that_differ() {
        let of = |old: &str, new: &str| {
            let [old, new] = [old, new].map(|text| text.split('.').collect::<Vec<_>>());
            let changes = changes(&old, &new).into_iter();
            changes.map(|it| (it.old.start, it.old.end, it.new.start, it.new.end)).collect()
        };
        let none: [(usize, usize, usize, usize); 0] = [];
        let found: Vec<_> = of("a.b.c", "a.b.c");
        assert_eq!(found, none);
        assert_eq!(of("a.b.c", "a.x.c"), vec![(1, 2, 1, 2)]);
        assert_eq!(of("a.b.c", "a.b.x.c"), vec![(2, 2, 2, 3)]);
        assert_eq!(of("a.b.c.d.e", "b.c.x.e.e"), vec![(0, 1, 0, 0), (3, 4, 2, 4)]);
        assert_eq!(of("a", "b"), vec![(0, 1, 0, 1)]);
    }

    #[test]
    fn near_changes_are_shown_together() {
        let change = |at: usize| Change { old: at..at + 1, new: at..at + 1 };
        let changes = [change(0), change(7), change(15)];
        let counts: Vec<usize> = hunks(&changes).map(<[Change]>::len).collect();
        assert_eq!(counts, [2, 1]);
    }
}
