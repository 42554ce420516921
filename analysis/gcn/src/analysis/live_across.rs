//! Which values are live across an instruction, and who wrote them: what holds the
//! registers where most are live.

use super::cfg::Flow;
use super::def_use::{Effects, Manner};
use super::liveness::Liveness;
use super::register_set::RegisterSet;
use crate::instruction::Register;

/// A value that is live across an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crossing {
    /// The register.
    pub register: Register,
    /// The instructions that may have written what it holds; of many the first few.
    pub definitions: Vec<u32>,
    /// Whether it may hold what it held at the start.
    pub from_start: bool,
}

/// So many writers of one value are named.
const MOST_DEFINITIONS: usize = 8;

impl Liveness {
    /// The values that are live before and behind an instruction, or that it writes,
    /// each with the instructions that may have written it.
    pub fn crossing(&self, flow: &Flow, effects: &[Effects], instruction: usize) -> Vec<Crossing> {
        let mut set = *self.before(instruction);
        if let Some(own) = effects.get(instruction) {
            let needed = self.after(flow, instruction).intersection(&own.write_set());
            set.add_all(&needed);
        }
        let mut found: Vec<Crossing> = set
            .registers()
            .map(|register| Crossing { register, definitions: Vec::new(), from_start: false })
            .collect();
        let block = flow.block_of(instruction) as usize;
        let first = flow.blocks.get(block).map_or(0, |block| block.first as usize);
        let mut seen: Vec<RegisterSet> = vec![RegisterSet::EMPTY; flow.blocks.len()];
        let mut stack = vec![(block, instruction + 1, set)];
        let mut start = RegisterSet::EMPTY;
        while let Some((block, end, mut wanted)) = stack.pop() {
            let Some(own) = flow.blocks.get(block) else { continue };
            for index in (own.first as usize..end).rev() {
                let Some(effects) = effects.get(index) else { continue };
                for access in effects.writes() {
                    if !wanted.touches(access.register) {
                        continue;
                    }
                    for crossing in &mut found {
                        let one = crossing.register;
                        let hit = wanted.touches(one)
                            && RegisterSet::of(access.register).touches(one)
                            && !crossing.definitions.contains(&(index as u32));
                        if hit && crossing.definitions.len() < MOST_DEFINITIONS {
                            crossing.definitions.push(index as u32);
                        }
                    }
                    if access.manner == Manner::Whole {
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
            if flow.entries.contains(&(block as u32)) {
                start.add_all(&wanted);
            }
            for predecessor in &own.predecessors {
                let predecessor = *predecessor as usize;
                let Some(known) = seen.get_mut(predecessor) else { continue };
                let more = wanted.without(known);
                if more.is_empty() {
                    continue;
                }
                known.add_all(&more);
                let end = flow.blocks.get(predecessor).map_or(first, |block| block.end as usize);
                stack.push((predecessor, end, more));
            }
        }
        for crossing in &mut found {
            crossing.from_start = start.touches(crossing.register);
            crossing.definitions.sort_unstable();
        }
        found
    }
}
