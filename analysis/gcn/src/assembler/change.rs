//! The part in which two texts differ.

/// The part in which a text differs from the one before it: all before `start` is the same, and
/// so is all from `old_end` and `new_end` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change {
    /// Bytes at the beginning that both texts have.
    pub(crate) start: usize,
    /// The end of the difference in the earlier text.
    pub(crate) old_end: usize,
    /// The end of the difference in the later text.
    pub(crate) new_end: usize,
}

impl Change {
    /// Compares two texts.
    pub(crate) fn between(old: &str, new: &str) -> Change {
        let [old, new] = [old, new].map(str::as_bytes);
        let shorter = old.len().min(new.len());
        let start = equal_bytes(shorter, |from, to| old[from..to] == new[from..to]);
        let end = equal_bytes(shorter - start, |from, to| {
            old[old.len() - to..old.len() - from] == new[new.len() - to..new.len() - from]
        });
        Change { start, old_end: old.len() - end, new_end: new.len() - end }
    }

    /// The place in the earlier text of a place of the later one; none within the difference.
    pub(crate) fn earlier(self, start: usize, end: usize) -> Option<usize> {
        match (start, end) {
            (_, end) if end <= self.start => Some(start),
            (start, _) if start >= self.new_end => Some(start - self.new_end + self.old_end),
            _ => None,
        }
    }
}

/// Counts equal bytes up to a limit, in steps that the machine compares fast.
fn equal_bytes(most: usize, equal: impl Fn(usize, usize) -> bool) -> usize {
    const STEP: usize = 4096;
    let mut at = 0;
    while at + STEP <= most && equal(at, at + STEP) {
        at += STEP;
    }
    while at < most && equal(at, at + 1) {
        at += 1;
    }
    at
}
