//! The waits on the one path that a run takes: what the analysis of all paths
//! decides once for a code, decided step by step as instructions are executed.

use super::lanes::FirstLane;
use super::state::{COUNTERS, WaitcntState, limit, registers_of, wait_of};
use super::{Walk, counter_place};
use crate::analysis::code::Code;
use crate::analysis::def_use::DefUse;
use crate::analysis::diagnostic::InstDiagnostic;
use crate::analysis::register_set::RegisterSet;
use crate::behaviour::{Counter, CounterEvent};
use crate::instruction::counter_name;

/// An operation that is under way in a running wave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InFlight {
    /// The index of the instruction that issued it last.
    pub instruction: usize,
    /// The event that lowers the counter.
    pub event: CounterEvent,
    /// The registers that it will write, or still reads; none where it brings nothing.
    pub registers: RegisterSet,
    /// The greatest value of its counter at which it is surely done.
    pub done_at: u8,
}

/// A wait counter of a running wave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterState {
    /// Its name, as `s_waitcnt` writes it.
    pub name: &'static str,
    /// The operations that may still be under way: the highest value that it can have.
    pub most: u8,
    /// The operations themselves, of each instruction the last one, in the order of the code.
    pub operations: Vec<InFlight>,
}

/// The operations that are outstanding in a running wave.
#[derive(Debug, Clone)]
pub struct PathWaits<'a> {
    walk: Walk<'a>,
    state: WaitcntState,
    /// For each counter the operations that may be under way.
    counts: [u8; 3],
    /// The lanes of operations that are under way, by the instructions that issued them.
    lanes: Vec<(u32, u64)>,
}

impl<'a> PathWaits<'a> {
    /// Nothing is under way in a wave that begins.
    pub fn new(code: &'a Code, def_use: &'a [DefUse]) -> PathWaits<'a> {
        let walk = Walk::new(code, def_use);
        PathWaits { walk, state: WaitcntState::default(), counts: [0; 3], lanes: Vec::new() }
    }

    /// Executes the instruction of an index in the lanes that are active. What it gives is what
    /// the instruction uses too early.
    pub fn step(&mut self, index: usize, active: u64) -> Option<InstDiagnostic> {
        let first = if active == 0 { FirstLane::Inactive } else { FirstLane::Active };
        let diagnostic = self.walk.too_early(index, &mut self.state, first, |instruction| {
            let own = self.lanes.iter().find(|(own, _)| *own == instruction);
            own.is_some_and(|(_, lanes)| lanes & active == 0)
        });
        self.walk.step(index, &mut self.state);
        self.count(index);
        self.note_lanes(index as u32, active);
        diagnostic
    }

    /// Notes the lanes for which an instruction has issued an operation.
    fn note_lanes(&mut self, index: u32, active: u64) {
        let entries = &self.state.entries;
        self.lanes.retain(|(own, _)| entries.iter().any(|entry| entry.instruction == *own));
        match self.lanes.iter_mut().find(|(own, _)| *own == index) {
            // It was issued before, and that may still be under way.
            Some((_, lanes)) => *lanes |= active,
            None if entries.iter().any(|entry| entry.instruction == index) => {
                self.lanes.push((index, active));
            }
            None => {}
        }
    }

    /// Counts what the instruction of an index has issued, or waited for.
    fn count(&mut self, index: usize) {
        if self.state.entries.is_empty() {
            self.counts = [0; 3];
            return;
        }
        let generation = self.walk.generation;
        let wait = self.walk.def_use.get(index).and_then(|own| wait_of(own, generation));
        for (place, counter) in COUNTERS.into_iter().enumerate() {
            let count = &mut self.counts[place];
            let mut own = self.state.entries.iter().filter(|entry| entry.counter == counter);
            *count = match wait {
                Some(wait) => wait[place].map_or(*count, |value| value.min(*count)),
                // Only what it has issued now stands under its own index.
                None if own.clone().any(|entry| entry.instruction as usize == index) => {
                    count.saturating_add(1).min(limit(counter, generation))
                }
                None => *count,
            };
            if own.next().is_none() {
                *count = 0;
            }
        }
    }

    /// The counters with what is under way on each.
    pub fn counters(&self) -> [CounterState; 3] {
        COUNTERS.map(|counter| {
            let own = self.state.entries.iter().filter(|entry| entry.counter == counter);
            let operations = own.map(|entry| {
                let def_use = self.walk.def_use.get(entry.instruction as usize);
                InFlight {
                    instruction: entry.instruction as usize,
                    event: entry.event,
                    registers: def_use
                        .map_or(RegisterSet::EMPTY, |own| registers_of(entry.event, own)),
                    done_at: entry.done_at(),
                }
            });
            CounterState {
                name: counter_name(counter),
                most: self.counts[counter_place(counter)],
                operations: operations.collect(),
            }
        })
    }

    /// Says that an instruction's data do not come by one of the counters that it raised:
    /// of flat memory a run knows which. The counter counts it all the same.
    pub fn without_data(&mut self, index: usize, counter: Counter) {
        self.state.without_data(index, counter, self.walk.def_use);
    }
}
