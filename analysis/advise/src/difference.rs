//! The lines in which two texts differ.

use source::align;

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
