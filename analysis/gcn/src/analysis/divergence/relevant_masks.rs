//! Relevant masks: the scalar pairs that EXEC will be computed from.
//!
//! Only their bits tell lanes apart. A pair that no later EXEC depends on is left out, which
//! keeps the number of classes small.

use super::mask_writes::{MaskSource, MaskValue, MaskWrite};
use super::{EXEC_PAIR, PairSet, VCC_PAIR};
use crate::analysis::cancellation::CancelTicker;
use crate::analysis::cfg::Cfg;
use crate::behaviour::BranchCondition;

/// Solves which pairs EXEC is computed from, here or later, at the start of each block: a
/// liveness of masks.
pub(super) fn relevant_masks(
    cfg: &Cfg,
    writes: &[MaskWrite],
    ranges: &[std::ops::Range<usize>],
    cancel: &CancelTicker<'_>,
) -> Vec<PairSet> {
    let mut entering = vec![EXEC_PAIR; cfg.blocks.len()];
    let mut waiting = vec![true; cfg.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for index in cfg.reverse_postorder.iter().rev().map(|block| *block as usize) {
            if !std::mem::take(&mut waiting[index]) {
                continue;
            }
            cancel.step();
            let own = ranges.get(index).and_then(|range| writes.get(range.clone()));
            let mut needed = at_end(cfg, index, &entering);
            for write in own.unwrap_or_default().iter().rev() {
                needed = needed_before(write, needed);
            }
            if needed != entering[index] {
                entering[index] = needed;
                changed = true;
                for predecessor in &cfg.blocks[index].predecessors {
                    waiting[*predecessor as usize] = true;
                }
            }
        }
    }
    entering
}

/// Returns the pairs that are relevant at the end of a block.
pub(super) fn at_end(cfg: &Cfg, index: usize, entering: &[PairSet]) -> PairSet {
    let mut needed = EXEC_PAIR;
    let edges = cfg.blocks.get(index).map(|block| block.edges).unwrap_or_default();
    for edge in edges.into_iter().flatten() {
        needed |= entering.get(edge.to as usize).copied().unwrap_or(0);
        if matches!(
            edge.condition,
            Some((BranchCondition::VccZero | BranchCondition::VccNotZero, _))
        ) {
            // The branch tells that no lane has its bit in VCC, so the bit is worth following.
            needed |= VCC_PAIR;
        }
    }
    needed
}

/// Returns the pairs that are relevant before a write, of those behind it.
pub(super) fn needed_before(write: &MaskWrite, after: PairSet) -> PairSet {
    let mut needed = after & !write.written;
    for (pair, value) in write.values.iter().flatten() {
        if after >> pair & 1 == 0 {
            continue;
        }
        let sources = match *value {
            MaskValue::Table(_, first, second) | MaskValue::Either(first, second) => {
                [first, second]
            }
            MaskValue::Widened(first) => [first, MaskSource::Open],
            MaskValue::Open | MaskValue::ActiveOpen | MaskValue::AsFirst => continue,
        };
        for source in sources {
            if let MaskSource::Pair(pair) = source {
                needed |= 1 << pair;
            }
        }
    }
    needed | EXEC_PAIR
}

/// Leaves out pairs until no more than `most` are followed.
pub(super) fn limit_pairs(mut needed: PairSet, most: u32) -> PairSet {
    while needed.count_ones() > most {
        let others = needed & !EXEC_PAIR;
        needed &= !(1 << (63 - others.leading_zeros()));
    }
    needed | EXEC_PAIR
}
