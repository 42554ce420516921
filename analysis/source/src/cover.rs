//! Overlapping ranges, and the one that counts at a place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

/// The least of the values whose ranges cover a number, for every number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover<V> {
    /// The beginning of each stretch, and the value that covers it up to the next one.
    stretches: Vec<(u32, Option<V>)>,
}

impl<V: Copy + Ord> Cover<V> {
    /// Divides the numbers into stretches, in time that grows as the number of ranges times
    /// its logarithm.
    pub fn new(ranges: impl IntoIterator<Item = (RangeInclusive<u32>, V)>) -> Cover<V> {
        let mut ranges: Vec<_> =
            ranges.into_iter().filter(|(range, _)| !range.is_empty()).collect();
        ranges.sort_by_key(|(range, _)| *range.start());
        let ends = ranges.iter().filter_map(|(range, _)| range.end().checked_add(1));
        let starts = ranges.iter().map(|(range, _)| *range.start());
        let mut bounds: Vec<u32> = starts.chain(ends).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut beginning = ranges.into_iter().peekable();
        // Those that have begun; those that have ended go when they come first.
        let mut open = BinaryHeap::new();
        let stretches = bounds.into_iter().map(|bound| {
            while let Some((range, value)) = beginning.next_if(|(range, _)| *range.start() <= bound)
            {
                open.push(Reverse((value, *range.end())));
            }
            while open.peek().is_some_and(|Reverse((_, end))| *end < bound) {
                open.pop();
            }
            (bound, open.peek().map(|Reverse((value, _))| *value))
        });
        Cover { stretches: stretches.collect() }
    }

    /// The least value whose range covers a number.
    pub fn at(&self, number: u32) -> Option<V> {
        let after = self.stretches.partition_point(|(start, _)| *start <= number);
        self.stretches.get(after.checked_sub(1)?)?.1
    }
}
