//! Values that are live across an instruction, with their definitions: those that hold the
//! registers where pressure is highest.

use super::cfg::Cfg;
use super::def_use::{AccessKind, DefUse};
use super::liveness::Liveness;
use super::register_set::RegisterSet;
use crate::instruction::Register;

/// A value that is live across an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveAcross {
    /// The register.
    pub register: Register,
    /// The instructions that may have written what it holds; of many the first few.
    pub definitions: Vec<u32>,
    /// True if it may hold what it held at the start.
    pub from_start: bool,
}

/// So many writers of one value are named.
const MOST_DEFINITIONS: usize = 8;

impl Liveness {
    /// The values that are live before and behind an instruction, or that it writes,
    /// each with the instructions that may have written it.
    pub fn live_across(
        &self,
        cfg: &Cfg,
        def_use: &[DefUse],
        instruction: usize,
    ) -> Vec<LiveAcross> {
        let mut set = *self.before(instruction);
        let Some(own) = def_use.get(instruction) else { return Vec::new() };
        set.add_all(&self.after(cfg, instruction).intersection(&own.write_set()));
        let mut found: Vec<LiveAcross> = set
            .registers()
            .map(|register| LiveAcross { register, definitions: Vec::new(), from_start: false })
            .collect();
        let block = cfg.block_of(instruction) as usize;
        let mut seen: Vec<RegisterSet> = vec![RegisterSet::EMPTY; cfg.blocks.len()];
        let mut stack = vec![(block, instruction + 1, set)];
        let mut start = RegisterSet::EMPTY;
        while let Some((block, end, mut wanted)) = stack.pop() {
            let own = &cfg.blocks[block];
            for index in (own.first as usize..end).rev() {
                for access in def_use[index].writes() {
                    let hit = wanted.intersection(&RegisterSet::of(access.register));
                    if hit.is_empty() {
                        continue;
                    }
                    for live_across in &mut found {
                        let definitions = &mut live_across.definitions;
                        if hit.touches(live_across.register)
                            && definitions.len() < MOST_DEFINITIONS
                            && !definitions.contains(&(index as u32))
                        {
                            definitions.push(index as u32);
                        }
                    }
                    if access.kind == AccessKind::Full {
                        wanted.remove(access.register);
                    }
                }
                if wanted.is_empty() {
                    break;
                }
            }
            if wanted.is_empty() {
                continue;
            }
            if cfg.entries.contains(&(block as u32)) {
                start.add_all(&wanted);
            }
            for predecessor in own.predecessors.iter().map(|it| *it as usize) {
                let more = wanted.without(&seen[predecessor]);
                if !more.is_empty() {
                    seen[predecessor].add_all(&more);
                    stack.push((predecessor, cfg.blocks[predecessor].end as usize, more));
                }
            }
        }
        for live_across in &mut found {
            live_across.from_start = start.touches(live_across.register);
            live_across.definitions.sort_unstable();
        }
        found
    }
}
