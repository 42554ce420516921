//! The shortest and the longest path through a program.
//!
//! Back edges are left out: on the shortest path a loop runs once, on the
//! longest as often as the weights take it to.

use super::super::cfg::{Cfg, Exit};
use super::simulation::Clocks;
use super::weights::Weight;

/// Clocks of paths through a program.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Paths {
    /// The shortest, with everything in the nearest cache.
    pub best: f64,
    /// The longest, with everything in memory.
    pub worst: f64,
}

impl Paths {
    pub(super) fn of(best: &[Clocks], worst: &[Clocks], weights: &[Weight], cfg: &Cfg) -> Paths {
        let once = |index: usize| clocks(best, index);
        let often = |index: usize| {
            clocks(worst, index) * weights.get(index).map_or(1.0, |weight| weight.most)
        };
        Paths {
            best: extreme(cfg, once, |new, old| new < old),
            worst: extreme(cfg, often, |new, old| new > old),
        }
    }
}

fn clocks(clocks: &[Clocks], index: usize) -> f64 {
    clocks.get(index).map_or(0.0, |it| f64::from(it.issue) + f64::from(it.stall))
}

/// Returns the clocks of the path to an end that no other beats.
fn extreme(cfg: &Cfg, clocks: impl Fn(usize) -> f64, beats: impl Fn(f64, f64) -> bool) -> f64 {
    let mut arrivals: Vec<Option<f64>> = vec![None; cfg.blocks.len()];
    for entry in &cfg.entries {
        if let Some(arrival) = arrivals.get_mut(*entry as usize) {
            *arrival = Some(0.0);
        }
    }
    let mut place = vec![0; cfg.blocks.len()];
    for (index, block) in cfg.reverse_postorder.iter().enumerate() {
        if let Some(place) = place.get_mut(*block as usize) {
            *place = index;
        }
    }
    let mut found: Option<f64> = None;
    for block in cfg.reverse_postorder.iter().map(|block| *block as usize) {
        let (Some(Some(arrival)), Some(own)) =
            (arrivals.get(block).copied(), cfg.blocks.get(block))
        else {
            continue;
        };
        let leave = arrival + own.instructions().map(&clocks).sum::<f64>();
        let mut ends = own.exit != Exit::None;
        for next in own.successors() {
            // Backwards in the reverse postorder: a back edge.
            if place.get(next) <= place.get(block) {
                continue;
            }
            if let Some(arrival) = arrivals.get_mut(next)
                && arrival.is_none_or(|old| beats(leave, old))
            {
                *arrival = Some(leave);
            }
        }
        ends |= own.successors().next().is_none();
        if ends && found.is_none_or(|old| beats(leave, old)) {
            found = Some(leave);
        }
    }
    found.unwrap_or(0.0)
}
