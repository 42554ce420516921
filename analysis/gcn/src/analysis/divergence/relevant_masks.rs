//! Relevant masks: the scalar pairs that EXEC will be computed from.
//!
//! Only their bits tell lanes apart. A pair that no later EXEC depends on is left out, which
//! keeps the number of classes small.

use super::mask_writes::{MaskSource, MaskValue, MaskWrite};
use super::{EXEC_PAIR, PairSet, VCC_PAIR};
use crate::analysis::cancellation::CancelTicker;
use crate::analysis::cfg::{Cfg, Direction};
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
    cfg.solve(Direction::Backward, &cfg.reverse_postorder, |block| {
        cancel.step();
        let own = writes[ranges[block].clone()].iter().rev();
        let needed =
            own.fold(at_end(cfg, block, &entering), |needed, write| needed_before(write, needed));
        let changed = needed != entering[block];
        entering[block] = needed;
        changed
    });
    entering
}

/// Returns the pairs that are relevant at the end of a block.
pub(super) fn at_end(cfg: &Cfg, index: usize, entering: &[PairSet]) -> PairSet {
    let mut needed = EXEC_PAIR;
    for edge in cfg.blocks[index].edges.into_iter().flatten() {
        needed |= entering[edge.to as usize];
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
