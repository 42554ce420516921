//! Instructions that every path to another one passes.

use gcn::analysis::Cfg;

/// The dominators of each block.
#[derive(Debug)]
pub(super) struct Dominance {
    blocks: Vec<u32>,
    /// For each block the set of those that dominate it, itself among them.
    dominators: Vec<Vec<bool>>,
}

impl Dominance {
    /// The dominators of a graph with one entry, all of whose edges are known.
    pub(super) fn of(cfg: &Cfg) -> Option<Dominance> {
        let [entry] = cfg.entries[..] else { return None };
        if !cfg.uncertainties.is_empty() {
            return None;
        }
        let count = cfg.blocks.len();
        let mut dominators = vec![vec![true; count]; count];
        *dominators.get_mut(entry as usize)? = only(entry as usize, count);
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for block in cfg.reverse_postorder.iter().filter(|block| **block != entry) {
                let own = *block as usize;
                let mut common = vec![true; count];
                for before in &cfg.blocks.get(own)?.predecessors {
                    let reachable = cfg.blocks.get(*before as usize)?.reachable;
                    for (all, one) in common.iter_mut().zip(&dominators[*before as usize]) {
                        *all &= *one || !reachable;
                    }
                }
                common[own] = true;
                is_changed |= dominators[own] != common;
                dominators[own] = common;
            }
        }
        let last = cfg.blocks.iter().map(|block| block.end as usize).max().unwrap_or(0);
        let blocks = (0..last).map(|place| cfg.block_of(place)).collect();
        Some(Dominance { blocks, dominators })
    }

    /// Tells whether control comes to an instruction only after another one.
    pub(super) fn before(&self, first: usize, second: usize) -> bool {
        let [one, two] = [first, second].map(|place| self.blocks.get(place).copied());
        match (one, two) {
            (Some(one), Some(two)) if one == two => first < second,
            (Some(one), Some(two)) => self.dominators[two as usize][one as usize],
            _ => false,
        }
    }
}

fn only(block: usize, count: usize) -> Vec<bool> {
    (0..count).map(|it| it == block).collect()
}
