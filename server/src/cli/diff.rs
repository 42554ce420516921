//! The difference of two texts, as `diff -u` writes it.

use std::io;
use std::ops::Range;

use super::output::{Output, Style, name_at_line_start};

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

/// Beyond this many pairs of lines the middle of two texts counts as changed.
const MAX_PAIRS: usize = 4_000_000;

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
    let same = |(one, other): &(&&str, &&str)| one == other;
    let prefix = old.iter().zip(new).take_while(same).count();
    let rest = old.len().min(new.len()) - prefix;
    let ends = old.iter().rev().zip(new.iter().rev());
    let suffix = ends.take(rest).take_while(same).count();
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    let mut kept = common(&old[prefix..old_end], &new[prefix..new_end]);
    kept.push((old_end - prefix, new_end - prefix));
    let (mut from, mut changes) = ((prefix, prefix), Vec::new());
    for (place, new_place) in kept {
        let to = (prefix + place, prefix + new_place);
        if from != to {
            changes.push(Change { old: from.0..to.0, new: from.1..to.1 });
        }
        from = (to.0 + 1, to.1 + 1);
    }
    changes
}

/// The places of the lines of a longest common subsequence.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MAX_PAIRS {
        return Vec::new();
    }
    let width = new.len() + 1;
    // Of each two ends of the texts, the length of what they have in common.
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for (i, line) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            let at = i * width + j;
            lengths[at] = match line == other {
                true => lengths[at + width + 1] + 1,
                false => lengths[at + width].max(lengths[at + 1]),
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        let at = i * width + j;
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[at + width] >= lengths[at + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
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
