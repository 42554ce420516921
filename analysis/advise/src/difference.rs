//! The lines in which two texts differ.

use source::{TextEdit, TextRange, TextSize, align};

/// A line of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffLine<'t> {
    /// In both texts.
    Kept(&'t str),
    /// In the first alone.
    Removed(&'t str),
    /// In the second alone.
    Added(&'t str),
}

/// Compares two texts line by line: the fewest lines that are removed and added.
pub fn difference<'t>(before: &'t str, after: &'t str) -> Vec<DiffLine<'t>> {
    let [old, new]: [Vec<&str>; 2] = [before, after].map(|text| text.lines().collect());
    let mut lines = Vec::new();
    let mut added = 0;
    for (line, partner) in old.iter().zip(align(&old, &new)) {
        match partner {
            None => lines.push(DiffLine::Removed(line)),
            Some(partner) => {
                lines.extend(new[added..partner].iter().map(|line| DiffLine::Added(line)));
                lines.push(DiffLine::Kept(line));
                added = partner + 1;
            }
        }
    }
    lines.extend(new[added..].iter().map(|line| DiffLine::Added(line)));
    lines
}

/// The edits that make the lines of one text those of another: disjoint and in order. Line ends
/// of lines that stay are left alone, and so is what stands behind the last line.
pub fn line_edits(before: &str, after: &str) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = Vec::new();
    let mut rest = before.split_inclusive('\n');
    let mut offset = TextSize::new(0);
    // What is between two lines that stay: the text that goes, and the lines that come.
    let mut change: Option<(TextRange, Vec<&str>)> = None;
    let mut end = |change: &mut Option<(TextRange, Vec<&str>)>| {
        if let Some((range, lines)) = change.take() {
            edits.push(of_lines(before, range, &lines));
        }
    };
    for line in difference(before, after) {
        match line {
            DiffLine::Kept(_) => {
                end(&mut change);
                offset += rest.next().map_or(TextSize::new(0), TextSize::of);
            }
            DiffLine::Removed(_) => {
                let start = offset;
                offset += rest.next().map_or(TextSize::new(0), TextSize::of);
                let (range, _) =
                    change.get_or_insert_with(|| (TextRange::empty(start), Vec::new()));
                *range = TextRange::new(range.start(), offset);
            }
            DiffLine::Added(line) => {
                let empty = || (TextRange::empty(offset), Vec::new());
                change.get_or_insert_with(empty).1.push(line);
            }
        }
    }
    end(&mut change);
    edits
}

/// The edit that puts whole lines in the place of others.
fn of_lines(before: &str, range: TextRange, lines: &[&str]) -> TextEdit {
    let mut insert: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let replaced = &before[std::ops::Range::<usize>::from(range)];
    let is_at_end = usize::from(range.end()) == before.len() && !before.ends_with('\n');
    if is_at_end && !before.is_empty() {
        // The last line has no end, before and after.
        insert.truncate(insert.trim_end_matches('\n').len());
        if replaced.is_empty() {
            insert.insert(0, '\n');
        }
    }
    TextEdit::replace(range, insert)
}
