//! The nearest producers before each block, over all paths into it.

use isa::gcn::hazard::Producer;

use super::super::cancellation::CancelTicker;
use super::super::cfg::Cfg;

/// For each block and kind of producer the instructions from the last one before the block,
/// which counts as one, back to the nearest producer.
#[derive(Debug)]
pub(super) struct Distances {
    blocks: Vec<[u8; KINDS]>,
}

const KINDS: usize = u32::BITS as usize;

impl Distances {
    /// Finds those that are no farther than `most` instructions. Each round brings a distance
    /// over one more block, so that they are few.
    pub(super) fn of(kinds: &[u32], cfg: &Cfg, most: u8, cancel: &CancelTicker<'_>) -> Distances {
        let far = most.saturating_add(1);
        let own: Vec<[u8; KINDS]> = cfg
            .blocks
            .iter()
            .map(|block| {
                let mut own = [far; KINDS];
                let range = block.first as usize..block.end as usize;
                let near = kinds.get(range).unwrap_or_default().iter().rev();
                for (own_kinds, distance) in near.zip(1..far) {
                    let mut left = *own_kinds;
                    while left != 0 {
                        let kind = left.trailing_zeros() as usize;
                        own[kind] = own[kind].min(distance);
                        left &= left - 1;
                    }
                }
                own
            })
            .collect();
        let mut blocks = vec![[far; KINDS]; cfg.blocks.len()];
        let mut waiting: Vec<u32> = (0..cfg.blocks.len() as u32).rev().collect();
        let mut is_waiting = vec![true; cfg.blocks.len()];
        while let Some(block) = waiting.pop() {
            cancel.step();
            let index = block as usize;
            is_waiting[index] = false;
            let own_block = &cfg.blocks[index];
            let length = own_block.end.saturating_sub(own_block.first);
            let length = u8::try_from(length).unwrap_or(u8::MAX);
            let end: [u8; KINDS] = std::array::from_fn(|kind| {
                own[index][kind].min(blocks[index][kind].saturating_add(length)).min(far)
            });
            for next in own_block.successors() {
                let known = &mut blocks[next];
                let nearer: [u8; KINDS] = std::array::from_fn(|kind| known[kind].min(end[kind]));
                if nearer != *known {
                    *known = nearer;
                    if !std::mem::replace(&mut is_waiting[next], true) {
                        waiting.push(next as u32);
                    }
                }
            }
        }
        Distances { blocks }
    }

    /// The instructions from a block back to the nearest producer of a kind.
    pub(super) fn of_kind(&self, block: usize, kind: Producer) -> u8 {
        self.blocks[block][kind as usize]
    }
}
