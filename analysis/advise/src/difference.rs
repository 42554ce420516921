//! The lines in which two texts differ.

/// Lines that are compared one with each other, at most: beyond, all of them count as changed.
const MOST_LINES: usize = 2048;

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
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    lines.extend(old[..same].iter().map(|line| DiffLine::Kept(line)));
    let [old, new] = [&old[same..], &new[same..]];
    if old.len() > MOST_LINES || new.len() > MOST_LINES {
        lines.extend(old.iter().map(|line| DiffLine::Removed(line)));
        lines.extend(new.iter().map(|line| DiffLine::Added(line)));
        return lines;
    }
    // The length of the longest common part of what is left, by both beginnings.
    let width = new.len() + 1;
    let mut common = vec![0_u16; (old.len() + 1) * width];
    for (row, left) in old.iter().enumerate().rev() {
        for (column, right) in new.iter().enumerate().rev() {
            let below = common[(row + 1) * width + column];
            let beside = common[row * width + column + 1];
            common[row * width + column] = match left == right {
                true => common[(row + 1) * width + column + 1] + 1,
                false => below.max(beside),
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    loop {
        match (old.get(row), new.get(column)) {
            (Some(left), Some(right)) if left == right => {
                lines.push(DiffLine::Kept(left));
                (row, column) = (row + 1, column + 1);
            }
            (Some(left), right)
                if right.is_none()
                    || common[(row + 1) * width + column] >= common[row * width + column + 1] =>
            {
                lines.push(DiffLine::Removed(left));
                row += 1;
            }
            (_, Some(right)) => {
                lines.push(DiffLine::Added(right));
                column += 1;
            }
            _ => return lines,
        }
    }
}
