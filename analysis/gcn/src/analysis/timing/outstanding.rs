//! Results that are under way, per wait counter, in the order of their issue.
//!
//! A wait lets a counter fall to a number: the oldest entries beyond it must be
//! there. A product of matrices keeps units of the SIMD busy. Where control flow joins, the queues of the ways are laid over each
//! other from the youngest entry on, and the later arrival counts.

use std::collections::VecDeque;

use super::issue::UnitGroup;
use super::steps::{COUNTERS, MatrixClocks, Wait};

/// A result under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PendingResult {
    /// The clock at which it is there, from the start of the block.
    pub(super) ready: i64,
    /// The clocks between its issue and then.
    pub(super) latency: u32,
    /// The instruction that began it.
    pub(super) producer: u32,
}

/// The queues of all counters, and the units that a product of matrices keeps busy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outstanding {
    queues: [VecDeque<PendingResult>; COUNTERS],
    matrix: Option<PendingResult>,
    vector: Option<PendingResult>,
}

impl Outstanding {
    /// Removes what a wait sees arrive. Returns what arrives last; `None` where it waits for
    /// nothing.
    pub(super) fn retire(&mut self, wait: &Wait) -> Option<PendingResult> {
        let mut last: Option<PendingResult> = None;
        for (queue, left) in self.queues.iter_mut().zip(wait) {
            let count = queue.len().saturating_sub(usize::from(*left));
            for entry in queue.drain(..count) {
                if last.is_none_or(|last| last.ready < entry.ready) {
                    last = Some(entry);
                }
            }
        }
        last
    }

    /// The results that a wait sees arrive, oldest first by counter.
    pub(super) fn awaited(&self, wait: &Wait) -> impl Iterator<Item = PendingResult> {
        self.queues.iter().zip(wait).flat_map(|(queue, left)| {
            queue.iter().take(queue.len().saturating_sub(usize::from(*left))).copied()
        })
    }

    /// Says when the unit that an instruction needs is free, where a product keeps it busy.
    pub(super) fn unit(&self, group: UnitGroup) -> Option<PendingResult> {
        match group {
            UnitGroup::Matrix => self.matrix,
            UnitGroup::Valu => self.vector,
            _ => None,
        }
    }

    /// Keeps the units of a product busy. `issued` is the clock of its issue.
    pub(super) fn keep_busy(&mut self, issued: i64, clocks: MatrixClocks, producer: u32) {
        let until = |latency: u32| {
            Some(PendingResult { ready: issued + i64::from(latency), latency, producer })
        };
        (self.matrix, self.vector) = (until(clocks.matrix), until(clocks.vector));
    }

    /// Adds the youngest result of a counter.
    pub(super) fn push(&mut self, counter: usize, entry: PendingResult) {
        self.queues[counter].push_back(entry);
    }

    /// Lays the state at the end of another block over this one. `end` is the
    /// other block's clock at its end, which is this one's clock 0.
    pub(super) fn join(&mut self, other: &Outstanding, end: i64) {
        let shift = |entry: &PendingResult| PendingResult { ready: entry.ready - end, ..*entry };
        for (ours, theirs) in [(&mut self.matrix, other.matrix), (&mut self.vector, other.vector)] {
            if let Some(theirs) = theirs.as_ref().map(shift) {
                *ours = Some(ours.filter(|ours| ours.ready >= theirs.ready).unwrap_or(theirs));
            }
        }
        for (queue, theirs) in self.queues.iter_mut().zip(&other.queues) {
            for (ours, theirs) in queue.iter_mut().rev().zip(theirs.iter().rev().map(shift)) {
                if ours.ready < theirs.ready {
                    *ours = theirs;
                }
            }
            let longer = theirs.len().saturating_sub(queue.len());
            for entry in theirs.iter().take(longer).rev() {
                queue.push_front(shift(entry));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::NO_WAIT;
    use super::*;

    fn entry(ready: i64, producer: u32) -> PendingResult {
        PendingResult { ready, latency: 100, producer }
    }

    #[test]
    fn a_wait_sees_the_oldest_arrive() {
        let mut state = Outstanding::default();
        for (ready, producer) in [(100, 0), (300, 1), (200, 2)] {
            state.push(0, entry(ready, producer));
        }
        state.push(2, entry(900, 3));
        assert_eq!(state.clone().retire(&NO_WAIT), None);
        assert_eq!(state.clone().retire(&[2, 255, 255, 255]), Some(entry(100, 0)));
        assert_eq!(state.clone().retire(&[0, 255, 255, 255]), Some(entry(300, 1)));
        assert_eq!(state.clone().retire(&[0; COUNTERS]), Some(entry(900, 3)));
        state.retire(&[1, 255, 255, 255]);
        assert_eq!(state.clone().retire(&[0, 255, 255, 255]), Some(entry(200, 2)));
    }

    #[test]
    fn ways_join_from_the_youngest_entry() {
        let mut state = Outstanding::default();
        state.push(0, entry(50, 0));
        let mut other = Outstanding::default();
        for (ready, producer) in [(500, 1), (120, 2)] {
            other.push(0, entry(ready, producer));
        }
        state.join(&other, 100);
        // The youngest of the other arrives at 20: ours is later.
        assert_eq!(state.clone().retire(&[1, 255, 255, 255]), Some(entry(400, 1)));
        state.retire(&[1, 255, 255, 255]);
        assert_eq!(state.clone().retire(&[0, 255, 255, 255]), Some(entry(50, 0)));
    }
}
