//! The clocks of every instruction: a wave alone on its SIMD, stretch by stretch.
//!
//! GCN issues in order, and the next instruction of a wave issues when the one
//! before is through, so arithmetic never waits for arithmetic. Waits stall, until the
//! results that they name are there, and what needs the matrix unit or, beside a product of
//! matrices, the vector unit stalls until that is free. Nothing waits for a product's result:
//! the states between are the program's to keep.

use std::ops::Range;

use super::super::cancellation::CancelTicker;
use super::super::cfg::Block;
use super::super::waitcnt::state as waitcnt;
use super::issue::{Costs, SLOT, UnitGroup};
use super::outstanding::{Outstanding, PendingResult};
use super::steps::{COUNTERS, Operation, STORES, TimingStep, Wait, result_clocks};
use super::{Model, Profile, StallKind, TimingOptions};
use crate::Generation;

/// The clocks of one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Clocks {
    pub(super) issue: u32,
    pub(super) stall: u32,
    /// The instruction that the stall waits for, what of it, and how long that takes.
    pub(super) cause: Option<(u32, StallKind, u32)>,
}

/// The rules of a simulation.
#[derive(Debug, Clone)]
pub(super) struct IssueRules<'a> {
    costs: &'a Costs,
    results: [Option<u32>; Operation::ALL.len()],
    /// The number of results that may be outstanding when one more begins.
    full: Wait,
    /// True if vector stores have a counter of their own.
    stores_apart: bool,
    /// True if `s_nop` takes as long as it says.
    idles: bool,
}

/// Clocks between two issue cycles of a SIMD: a wave that waits goes on in the next one.
const ISSUE_CYCLE: i64 = SLOT as i64;

impl<'a> IssueRules<'a> {
    pub(super) fn new(
        costs: &'a Costs,
        options: TimingOptions,
        generation: Generation,
    ) -> IssueRules<'a> {
        let TimingOptions { model, profile, band } = options;
        let mut full = [u8::MAX; COUNTERS];
        // One less than the counters can hold.
        for counter in waitcnt::COUNTERS {
            full[counter as usize] = waitcnt::limit(counter, generation) - 1;
        }
        full[STORES] = 62;
        IssueRules {
            costs,
            results: result_clocks(model, band),
            full,
            stores_apart: model == Model::Aco && profile == Profile::Mesa22,
            idles: model == Model::Measured,
        }
    }

    /// Issues a stretch's instructions; `first` is the number of the first. Returns the
    /// clock at the end.
    pub(super) fn issue(
        &self,
        steps: &[TimingStep],
        first: u32,
        state: &mut Outstanding,
        clocks: &mut [Clocks],
        (watch, cancel): (&mut Watch, &CancelTicker<'_>),
    ) -> i64 {
        let mut now = 0;
        for (step, (number, clocks)) in steps.iter().zip((first..).zip(clocks)) {
            cancel.step();
            let cost = self.costs.of(step.class);
            // A full counter makes the wave wait as `s_waitcnt` does.
            let mut wait = step.wait;
            for (counter, _) in self.begun(step) {
                wait[counter] = wait[counter].min(self.full[counter]);
            }
            let mut stall = 0;
            let mut cause = None;
            let kind = match step.group {
                UnitGroup::Matrix => StallKind::MatrixUnit,
                _ => StallKind::VectorUnit,
            };
            if watch.instructions.binary_search(&number).is_ok() {
                let awaited = state.awaited(&wait).map(|entry| (number, entry, entry.ready - now));
                watch.awaited.extend(awaited);
            }
            let result = state.retire(&wait).map(|entry| (StallKind::Result, entry));
            let unit = state.unit(step.group).map(|entry| (kind, entry));
            for (kind, entry) in result.into_iter().chain(unit) {
                let ready = (entry.ready + ISSUE_CYCLE - 1).div_euclid(ISSUE_CYCLE) * ISSUE_CYCLE;
                if ready - now > stall {
                    stall = ready - now;
                    cause = Some((entry.producer, kind, entry.latency));
                }
            }
            let idle = if self.idles { u32::from(step.idle) * SLOT } else { 0 };
            let issue = if step.taken { cost.taken } else { cost.issue } + idle;
            if let Some(clocks) = step.matrix {
                state.keep_busy(now + stall, clocks, number);
            }
            now += stall + i64::from(issue);
            for (counter, latency) in self.begun(step) {
                let ready = now + i64::from(latency);
                state.push(counter, PendingResult { ready, latency, producer: number });
            }
            *clocks = Clocks { issue, stall: u32::try_from(stall).unwrap_or(u32::MAX), cause };
        }
        now
    }

    /// Returns the counters that a step increments, and how long the results take.
    fn begun(&self, step: &TimingStep) -> impl Iterator<Item = (usize, u32)> + use<> {
        let begun = step.begins.map(|begins| {
            let (counter, operation) = begins?;
            let apart = self.stores_apart && operation == Operation::VectorStore;
            let counter = if apart { STORES } else { usize::from(counter) };
            Some((counter, self.results[operation as usize]?))
        });
        begun.into_iter().flatten()
    }
}

/// Instructions of which a simulation notes what they wait for.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch {
    /// The instructions, in order.
    pub(super) instructions: Vec<u32>,
    /// The results that each sees arrive, with the clocks until then; of the last pass.
    pub(super) awaited: Vec<(u32, PendingResult, i64)>,
}

/// A stretch of code that is simulated from its start to its end: a block, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    instructions: Range<usize>,
    /// The stretches that may go on here.
    predecessors: Vec<usize>,
}

/// Returns the stretches of a code, in its order: its blocks, cut where a region begins or
/// ends. What stands before a region may go on behind it.
pub(super) fn stretches(blocks: &[Block], regions: &[Range<usize>]) -> Vec<Stretch> {
    let mut cuts: Vec<usize> = regions.iter().flat_map(|it| [it.start, it.end]).collect();
    cuts.sort_unstable();
    let mut all: Vec<Stretch> = Vec::new();
    // The stretches that blocks begin and end with.
    let mut of_block: Vec<Range<usize>> = Vec::new();
    for block in blocks {
        let own = block.instructions();
        let first = cuts.partition_point(|cut| *cut <= own.start);
        let inside = cuts[first..].iter().copied().take_while(|cut| *cut < own.end);
        let begin = all.len();
        let mut start = own.start;
        for end in inside.chain([own.end]) {
            if start < end {
                let predecessors = if all.len() > begin { vec![all.len() - 1] } else { Vec::new() };
                all.push(Stretch { instructions: start..end, predecessors });
                start = end;
            }
        }
        of_block.push(begin..all.len());
    }
    for (block, own) in blocks.iter().zip(&of_block) {
        let last = |block: &u32| of_block[*block as usize].end.checked_sub(1);
        if let Some(stretch) = all.get_mut(own.start) {
            stretch.predecessors.extend(block.predecessors.iter().filter_map(last));
        }
    }
    for region in regions {
        let at = |index: usize| all.partition_point(|it| it.instructions.end <= index);
        let (before, behind) = (region.start.checked_sub(1).map(at), at(region.end));
        if let (Some(before), Some(behind)) = (before, all.get_mut(behind)) {
            behind.predecessors.push(before);
        }
    }
    all
}

/// A simulation of all stretches, in the order of the code.
#[derive(Debug, Clone)]
pub(super) struct Simulation {
    /// Per instruction.
    pub(super) clocks: Vec<Clocks>,
    /// Per stretch: what is under way at its end, and the clocks from its start to there.
    ends: Vec<Option<(Outstanding, i64)>>,
    pub(super) watch: Watch,
}

impl Simulation {
    /// Before the first pass.
    pub(super) fn new(instructions: usize, stretches: usize) -> Simulation {
        Simulation {
            clocks: vec![Clocks::default(); instructions],
            ends: vec![None; stretches],
            watch: Watch::default(),
        }
    }

    /// Passes over all stretches. Ways from those that were not seen yet contribute
    /// nothing: in the first pass a loop is entered as from outside, in the second
    /// as from its own end too.
    pub(super) fn pass(
        &mut self,
        rules: &IssueRules<'_>,
        steps: &[TimingStep],
        stretches: &[Stretch],
        cancel: &CancelTicker<'_>,
    ) {
        self.watch.awaited.clear();
        for (index, stretch) in stretches.iter().enumerate() {
            let mut state = Outstanding::default();
            for predecessor in &stretch.predecessors {
                if let Some((end, length)) = &self.ends[*predecessor] {
                    state.join(end, *length);
                }
            }
            let own = stretch.instructions.clone();
            let first = own.start as u32;
            let (steps, clocks) = (&steps[own.clone()], &mut self.clocks[own]);
            let notes = (&mut self.watch, cancel);
            let length = rules.issue(steps, first, &mut state, clocks, notes);
            self.ends[index] = Some((state, length));
        }
    }
}
