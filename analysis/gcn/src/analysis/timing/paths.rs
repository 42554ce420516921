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
        let clocks = |it: &Clocks| f64::from(it.issue) + f64::from(it.stall);
        let once = |index: usize| clocks(&best[index]);
        let often = |index: usize| clocks(&worst[index]) * weights[index].most;
        Paths {
            best: extreme(cfg, once, |new, old| new < old),
            worst: extreme(cfg, often, |new, old| new > old),
        }
    }
}

/// Returns the clocks of the path to an end that no other beats.
fn extreme(cfg: &Cfg, clocks: impl Fn(usize) -> f64, beats: impl Fn(f64, f64) -> bool) -> f64 {
    let mut arrivals: Vec<Option<f64>> = vec![None; cfg.blocks.len()];
    for entry in &cfg.entries {
        arrivals[*entry as usize] = Some(0.0);
    }
    let mut place = vec![0; cfg.blocks.len()];
    for (index, block) in cfg.reverse_postorder.iter().enumerate() {
        place[*block as usize] = index;
    }
    let mut found: Option<f64> = None;
    for block in cfg.reverse_postorder.iter().map(|block| *block as usize) {
        let own = &cfg.blocks[block];
        let Some(arrival) = arrivals[block] else { continue };
        let leave = arrival + own.instructions().map(&clocks).sum::<f64>();
        for next in own.successors() {
            // Backwards in the reverse postorder: a back edge.
            let is_back = place[next] <= place[block];
            if !is_back && arrivals[next].is_none_or(|old| beats(leave, old)) {
                arrivals[next] = Some(leave);
            }
        }
        let ends = own.exit != Exit::None || own.successors().next().is_none();
        if ends && found.is_none_or(|old| beats(leave, old)) {
            found = Some(leave);
        }
    }
    found.unwrap_or(0.0)
}
