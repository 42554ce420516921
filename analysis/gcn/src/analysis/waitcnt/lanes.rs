//! Operations whose lanes are others than those of an instruction behind them: what returns to a
//! lane changes no other, so both sides of a divergent branch may write one register.

use std::cell::{Cell, OnceCell};

use rustc_hash::FxHashMap;

use super::Walk;
use super::state::{WaitcntState, registers_of};
use crate::analysis::cancellation::CancelTicker;
use crate::analysis::cfg::Cfg;
use crate::analysis::def_use::{AccessKind, DefUse};
use crate::analysis::divergence::{Divergence, LaneClassSet, bits};
use crate::instruction::code::EXEC;
use crate::instruction::{Bank, Register};
use crate::mnemonics::Opcode;

/// The regions that all questions about a code may visit together, for each region that it has.
const VISITS: usize = 16;

/// The distance of two instructions between which all others are looked at, at most.
const NEAR: usize = 64;

/// EXEC as a register.
const ACTIVE_LANES: Register = Register { bank: Bank::Scalar, first: EXEC, dwords: 2 };

/// The lanes of instructions over all paths. They are followed once somebody asks.
pub(super) struct LanesOnPaths<'a> {
    walk: &'a Walk<'a>,
    cfg: &'a Cfg,
    cancel: &'a CancelTicker<'a>,
    /// The operations that are outstanding where blocks begin.
    states: &'a [Option<WaitcntState>],
    /// `None` where all lanes stay as they are.
    divergence: OnceCell<Option<Divergence>>,
    /// The regions that may still be visited.
    left: Cell<Option<usize>>,
}

impl<'a> LanesOnPaths<'a> {
    pub(super) fn new(
        walk: &'a Walk<'a>,
        cfg: &'a Cfg,
        states: &'a [Option<WaitcntState>],
        cancel: &'a CancelTicker<'a>,
    ) -> LanesOnPaths<'a> {
        let (divergence, left) = (OnceCell::new(), Cell::new(None));
        LanesOnPaths { walk, cfg, cancel, states, divergence, left }
    }

    /// Tells whether no lane that is active at the first of two instructions is active when control
    /// comes from there to the second one while its operation is outstanding.
    pub(super) fn are_apart(&self, from: usize, to: usize) -> bool {
        if self.is_right_behind(from, to) {
            return false;
        }
        let Some(divergence) = self.divergence.get_or_init(|| self.follow()) else {
            return false;
        };
        let regions = &divergence.regions;
        let most = regions.len().saturating_mul(VISITS);
        let mut left = self.left.get().unwrap_or(most);
        let begin = region_of(divergence, from);
        let goal = region_of(divergence, to);
        // Classes that lanes of the first instruction may be of, by region.
        let mut known: FxHashMap<usize, LaneClassSet> = FxHashMap::default();
        let mut waiting = vec![(begin, regions[begin].active() & regions[begin].reachable)];
        // What is behind in the same region is executed in the same lanes.
        let mut is_apart = begin != goal || to <= from;
        while is_apart && let Some((region, classes)) = waiting.pop() {
            let Some(fewer) = left.checked_sub(1) else {
                is_apart = false;
                break;
            };
            left = fewer;
            self.cancel.step();
            let own = &regions[region];
            let mut add = |target: usize, classes: LaneClassSet| {
                let known = known.entry(target).or_default();
                let news = classes & !*known;
                *known |= news;
                (news != 0).then_some((target, news))
            };
            // The last region of a block may have no instruction.
            let block = divergence.block_regions.partition_point(|own| own.end <= region);
            for class in bits(classes) {
                let next = divergence.next_classes(own, class);
                if region + 1 < divergence.block_regions[block].end {
                    waiting.extend(add(region + 1, next));
                    continue;
                }
                let leaving = divergence.leaving(self.cfg, block, class);
                for (block, classes) in leaving.filter(|it| self.is_outstanding(from, it.0)) {
                    waiting.extend(add(divergence.block_regions[block].start, classes));
                }
            }
            is_apart = known.get(&goal).is_none_or(|own| own & regions[goal].active() == 0);
        }
        self.left.set(Some(left));
        is_apart
    }

    /// Follows the lanes; `None` where nothing changes which are active.
    fn follow(&self) -> Option<Divergence> {
        let def_use = self.walk.def_use;
        let changes_lanes = def_use.iter().any(|it| it.write_set().touches(ACTIVE_LANES));
        changes_lanes.then(|| Divergence::of(def_use, self.cfg, self.cancel))
    }

    /// Tells whether an instruction is near behind another one, with the same lanes active.
    fn is_right_behind(&self, from: usize, to: usize) -> bool {
        let is_near = from < to && to - from <= NEAR;
        let between = || self.walk.def_use.get(from + 1..to).unwrap_or_default().iter();
        is_near
            && self.cfg.block_of(from) == self.cfg.block_of(to)
            && !between().any(|it| it.write_set().touches(ACTIVE_LANES))
    }

    /// Tells whether an operation is outstanding where a block begins.
    fn is_outstanding(&self, instruction: usize, block: usize) -> bool {
        let state = self.states.get(block).and_then(Option::as_ref);
        state.is_none_or(|it| it.entries.iter().any(|own| own.instruction as usize == instruction))
    }
}

/// The region of an instruction.
fn region_of(divergence: &Divergence, index: usize) -> usize {
    let behind = divergence.regions.partition_point(|region| region.first as usize <= index);
    behind.saturating_sub(1)
}

impl Walk<'_> {
    /// Tells whether all that an instruction uses too early is of lanes that are not active there;
    /// `is_apart` tells so of the lanes for which an instruction before it issued its operation.
    pub(super) fn is_in_other_lanes(
        &self,
        def_use: &DefUse,
        state: &WaitcntState,
        first: FirstLane,
        is_apart: impl Fn(u32) -> bool,
    ) -> bool {
        let reads_inactive =
            first == FirstLane::Inactive && def_use.is(Opcode::v_readfirstlane_b32);
        let by_lane = def_use.read_set().touches(ACTIVE_LANES) && !reads_inactive;
        let mut conflicts = state.entries.iter().filter_map(|entry| {
            let own = registers_of(entry.event, self.def_use.get(entry.instruction as usize)?);
            let accesses = def_use.reads().iter().chain(def_use.writes());
            let mut met = accesses.filter(|access| own.touches(access.register)).peekable();
            met.peek()?;
            let of_lanes = met.all(|access| {
                access.register.bank == Bank::Vector
                    && matches!(
                        access.kind,
                        AccessKind::Full | AccessKind::Partial | AccessKind::Unknown
                    )
            });
            Some((entry.instruction, of_lanes))
        });
        by_lane && conflicts.all(|(instruction, of_lanes)| of_lanes && is_apart(instruction))
    }
}

/// The lane that `v_readfirstlane_b32` reads: the first one where none is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstLane {
    Active,
    /// None is active, or may be.
    Inactive,
}
