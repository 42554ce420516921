//! The clocks of every instruction: a wave alone on its SIMD, block by block.
//!
//! GCN issues in order, and the next instruction of a wave issues when the one
//! before is through, so arithmetic never waits for arithmetic. Only waits stall,
//! until the results that they name are there.

use super::super::flow::Block;
use super::classes::{IssueCost, SLOT};
use super::operations::{COUNTERS, Counter, Operation, ResultClocks, Step, Wait};
use super::outstanding::{Entry, Outstanding};
use super::{Band, Model, Profile};
use crate::Generation;

/// The clocks of one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Clocks {
    pub(super) issue: u32,
    pub(super) stall: u32,
    /// The instruction whose result the stall ends with, and that result's latency.
    pub(super) cause: Option<(u32, u32)>,
}

/// A part of a model that a walk follows.
#[derive(Debug, Clone)]
pub(super) struct Rules<'a> {
    pub(super) costs: &'a [IssueCost],
    results: [(usize, u32); 8],
    full: Wait,
    /// Whether `s_nop` takes as long as it says.
    idles: bool,
    /// Vector stores hold back the overwriting of their data through the export counter.
    stores_lock_data: bool,
}

/// Results are looked at in steps of a SIMD's turn.
const TURN: i64 = 4;

impl<'a> Rules<'a> {
    pub(super) fn new(
        costs: &'a [IssueCost],
        model: Model,
        profile: Profile,
        band: Band,
        generation: Generation,
    ) -> Rules<'a> {
        let apart = model == Model::Aco && profile == Profile::Mesa22;
        let operations = [
            Operation::VectorLoad,
            Operation::VectorStore,
            Operation::FlatShare,
            Operation::ScalarNear,
            Operation::ScalarFar,
            Operation::ScalarClock,
            Operation::Share,
            Operation::Export,
        ];
        let results = operations.map(|operation| {
            let row = ResultClocks::of(operation);
            let counter = match row.counter {
                Counter::Stores if !apart => Counter::Vm,
                counter => counter,
            };
            (counter as usize, row.clocks(model, band))
        });
        // One less than the counters can hold; a counter of stores is the newest chips' own.
        let vm = if generation == Generation::Gfx9 { 62 } else { 14 };
        Rules {
            costs,
            results,
            full: [vm, 6, 14, 62],
            idles: model == Model::Measured,
            stores_lock_data: model == Model::Measured && generation == Generation::Gfx6,
        }
    }

    /// Walks over a block's steps. `first` is the number of the first. Answers
    /// the clock at the end.
    pub(super) fn walk_block(
        &self,
        steps: &[Step],
        first: u32,
        state: &mut Outstanding,
        clocks: &mut [Clocks],
    ) -> i64 {
        let mut now = 0;
        for (step, (number, clocks)) in steps.iter().zip((first..).zip(clocks)) {
            let cost = self.costs[usize::from(step.class)];
            let mut wait = step.wait;
            for (counter, _) in self.begun(step) {
                wait[counter] = wait[counter].min(self.full[counter]);
            }
            let mut stall = 0;
            let mut cause = None;
            if let Some(entry) = state.awaited(&wait) {
                let ready = (entry.ready + TURN - 1).div_euclid(TURN) * TURN;
                if ready > now {
                    stall = ready - now;
                    cause = Some((entry.producer, entry.latency));
                }
            }
            state.retire(&wait);
            let idle = if self.idles { u32::from(step.idle) * SLOT } else { 0 };
            let issue = cost.issue + idle;
            now += stall + i64::from(issue);
            for (counter, latency) in self.begun(step) {
                let ready = now + i64::from(latency);
                state.push(counter, Entry { ready, latency, producer: number });
            }
            *clocks = Clocks { issue, stall: u32::try_from(stall).unwrap_or(u32::MAX), cause };
        }
        now
    }

    /// The counters that a step counts up, and how long the results take.
    fn begun(&self, step: &Step) -> impl Iterator<Item = (usize, u32)> + use<> {
        let lock = self.stores_lock_data && step.results[0] == Some(Operation::VectorStore);
        let lock = lock.then_some(self.results[Operation::Export as usize]);
        let [first, second] = step.results;
        let result = |operation: Option<Operation>| operation.map(|it| self.results[it as usize]);
        [result(first), result(second), lock].into_iter().flatten()
    }
}

/// A walk over all blocks, in the order of the code.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    /// Per instruction.
    pub(super) clocks: Vec<Clocks>,
    /// Per block: what is under way at its end, and the clocks from its start to there.
    ends: Vec<Option<(Outstanding, i64)>>,
}

impl Walk {
    /// Before the first pass.
    pub(super) fn new(instructions: usize, blocks: usize) -> Walk {
        Walk { clocks: vec![Clocks::default(); instructions], ends: vec![None; blocks] }
    }

    /// Passes over all blocks. Ways from blocks that were not seen yet contribute
    /// nothing: in the first pass a loop is entered as from outside, in the second
    /// as from its own end too.
    pub(super) fn pass(&mut self, rules: &Rules<'_>, steps: &[Step], blocks: &[Block]) {
        for (index, block) in blocks.iter().enumerate() {
            let mut state = Outstanding::default();
            for predecessor in &block.predecessors {
                if let Some(Some((end, length))) = self.ends.get(*predecessor as usize) {
                    state.join(end, *length);
                }
            }
            let range = block.instructions();
            let (Some(steps), Some(clocks)) =
                (steps.get(range.clone()), self.clocks.get_mut(range))
            else {
                continue;
            };
            let length = rules.walk_block(steps, block.first, &mut state, clocks);
            if let Some(end) = self.ends.get_mut(index) {
                *end = Some((state, length));
            }
        }
    }
}

/// Nothing but the counters indexes a queue.
const _: () = assert!(Counter::Stores as usize == COUNTERS - 1);
