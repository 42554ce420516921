//! The instructions between two others, over all ways from one to the other.

use crate::analysis::cfg::Cfg;

/// Returns the instructions on the ways from one to another that do not pass the first again,
/// without both of them; a way may pass the second and come back.
pub(super) fn between(cfg: &Cfg, from: usize, to: usize) -> Vec<usize> {
    let (start, end) = (cfg.block_of(from) as usize, cfg.block_of(to) as usize);
    if start == end && from < to {
        return (from + 1..to).collect();
    }
    let forward = reached(start, |block| cfg.blocks[block].successors().collect(), cfg);
    let predecessors = |block: usize| -> Vec<usize> {
        cfg.blocks[block].predecessors.iter().map(|it| *it as usize).collect()
    };
    // The start is entered again only to pass the first instruction again.
    let mut backward = vec![false; cfg.blocks.len()];
    let mut stack = predecessors(end);
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut backward[block], true) && block != start {
            stack.extend(predecessors(block));
        }
    }
    let mut found: Vec<usize> = (from + 1..cfg.blocks[start].end as usize).collect();
    for block in 0..cfg.blocks.len() {
        if block == end {
            let own = cfg.blocks[block].instructions();
            let again = block != start && forward[block] && backward[block];
            found.extend(if again { own } else { own.start..to });
        } else if block != start && forward[block] && backward[block] {
            found.extend(cfg.blocks[block].instructions());
        }
    }
    found
}

/// The blocks that are reached from the end of one without passing it again.
fn reached(start: usize, next: impl Fn(usize) -> Vec<usize>, cfg: &Cfg) -> Vec<bool> {
    let mut reached = vec![false; cfg.blocks.len()];
    let mut stack = next(start);
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut reached[block], true) && block != start {
            stack.extend(next(block));
        }
    }
    reached
}
