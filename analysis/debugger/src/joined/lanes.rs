//! The lanes of quads among those of waves: a group's threads fill waves one after another, while
//! a quad of the interpreter is four threads of a row.

use std::ops::Range;

use gcn_emu::LANES as WAVE;
use tgsi_interp::{LANES as QUAD, Stepping};

/// For each quad of a group the place of its first lane, counted through the waves.
#[derive(Debug, Clone)]
pub(super) struct QuadLanes {
    first: Vec<usize>,
}

impl QuadLanes {
    /// The quads of runs one after another: each begins anew with the first lane.
    pub(super) fn of<'r>(runs: impl Iterator<Item = &'r Stepping<'r>>) -> QuadLanes {
        QuadLanes { first: runs.flat_map(QuadLanes::of_run).collect() }
    }

    fn of_run(run: &Stepping<'_>) -> Vec<usize> {
        let mut first: Vec<usize> = (0..run.quads()).map(|quad| QUAD * quad).collect();
        for thread in 0..QUAD * run.quads() {
            if let (0, quad, 0) = run.place_of(thread)
                && let Some(own) = first.get_mut(quad)
            {
                *own = thread;
            }
        }
        first
    }

    /// The wave of a lane of a quad, and its lane there.
    pub(super) fn place(&self, quad: usize, lane: usize) -> (usize, usize) {
        let thread = self.first.get(quad).map_or(0, |first| first + lane);
        (thread / WAVE, thread % WAVE)
    }

    /// The wave that a quad begins in.
    pub(super) fn wave(&self, quad: usize) -> usize {
        self.place(quad, 0).0
    }

    /// The lanes of a quad in the wave that it begins in.
    pub(super) fn in_wave(&self, quad: usize) -> Range<usize> {
        let (_, first) = self.place(quad, 0);
        first..(first + QUAD).min(WAVE)
    }

    /// The quads that begin in a wave.
    pub(super) fn quads(&self, wave: usize) -> Range<usize> {
        let first = self.first.partition_point(|own| *own < wave * WAVE);
        first..self.first.partition_point(|own| *own < (wave + 1) * WAVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_that_are_no_multiple_of_a_wave_lie_in_two() {
        // Rows of five threads: a quad and a single thread each.
        let first = (0..26).map(|quad| quad / 2 * 5 + quad % 2 * 4).collect();
        let lanes = QuadLanes { first };
        assert_eq!(lanes.place(0, 3), (0, 3));
        assert_eq!(lanes.place(1, 0), (0, 4));
        assert_eq!(lanes.place(2, 1), (0, 6));
        assert_eq!((lanes.place(24, 3), lanes.place(24, 4)), ((0, 63), (1, 0)));
        assert_eq!((lanes.wave(25), lanes.in_wave(25)), (1, 0..4));
        assert_eq!((lanes.quads(0), lanes.quads(1), lanes.quads(2)), (0..25, 25..26, 26..26));
    }
}
