//! Liveness: the registers that hold something that is needed later, at every instruction.
//!
//! Scalar registers follow the control flow alone. Vector registers are followed by
//! lane: a write ends the need for the old value only in lanes that are active,
//! so the need is kept for every class of lanes that [`super::divergence`] tells apart.
//! A register counts as live where any lane needs it.

#[cfg(test)]
mod tests;
mod transfer;

use super::cancellation::CancelTicker;
use super::cfg::{Cfg, Direction, Exit};
use super::code::Code;
use super::def_use::DefUse;
use super::divergence::{Divergence, MaskRegion, bits};
use super::register_set::{LaneSet, RegisterSet};
use super::register_use::{named, reachable};
use crate::Target;
use crate::behaviour::CounterEvent;
use crate::instruction::Bank;
use source::Checkpoint;
use transfer::{NO_LANES, Transfer, add, back};

/// The needs of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Liveness {
    /// The registers that are live before each instruction.
    before: Vec<RegisterSet>,
    /// The registers that are live at the end of each block.
    ends: Vec<RegisterSet>,
    /// The pressure during each instruction: its results take room beside what is needed
    /// behind it, and beside its sources where those are read late.
    during: Vec<Pressure>,
    /// Stretches of instructions that some lanes may not take part in.
    divergent: Vec<std::ops::Range<u32>>,
}

/// Numbers of live registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pressure {
    /// Vector registers.
    pub vgprs: u16,
    /// Accumulation registers.
    pub agprs: u16,
    /// Numbered scalar registers and the halves of VCC; EXEC, M0 and SCC are not of the
    /// file.
    pub sgprs: u16,
}

/// A moment of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The reading of its sources.
    Sources,
    /// The writing of its results.
    Results,
}

impl Pressure {
    /// Returns the number of a bank.
    pub fn of_bank(self, bank: Bank) -> u16 {
        match bank {
            Bank::Scalar => self.sgprs,
            Bank::Vector => self.vgprs,
            Bank::Accumulator => self.agprs,
        }
    }

    fn of(set: &RegisterSet) -> Pressure {
        Pressure {
            vgprs: set.vector_count() as u16,
            agprs: set.accumulator_count() as u16,
            sgprs: set.scalar_count() as u16,
        }
    }

    /// Returns the numbers of a set from those of a similar one.
    fn moved(self, from: &RegisterSet, to: &RegisterSet) -> Pressure {
        let vgprs = moved(self.vgprs, &from.vector[..4], &to.vector[..4]);
        let agprs = moved(self.agprs, &from.vector[4..], &to.vector[4..]);
        let sgprs = match from.scalar == to.scalar {
            true => self.sgprs,
            false => to.scalar_count() as u16,
        };
        Pressure { vgprs, agprs, sgprs }
    }

    fn max(self, other: Pressure) -> Pressure {
        Pressure {
            vgprs: self.vgprs.max(other.vgprs),
            agprs: self.agprs.max(other.agprs),
            sgprs: self.sgprs.max(other.sgprs),
        }
    }
}

/// The sets where blocks begin: for every class the vector registers, and the scalar
/// ones.
struct Solver<'a> {
    cfg: &'a Cfg,
    divergence: Divergence,
    /// Per segment.
    transfers: Vec<Transfer>,
    /// Per block where its classes' sets begin.
    starts: Vec<usize>,
    lanes: Vec<LaneSet>,
    scalars: Vec<u128>,
    /// The registers that an index may reach, and that unseen code may need.
    named: RegisterSet,
    cancel: &'a CancelTicker<'a>,
}

impl Liveness {
    /// Solves the liveness of a code, backwards over its control flow. `checkpoint` may
    /// unwind.
    pub fn of(code: &Code, def_use: &[DefUse], cfg: &Cfg, checkpoint: Checkpoint<'_>) -> Liveness {
        let cancel = &CancelTicker::new(checkpoint);
        let named = reachable(&named(def_use));
        let divergence = Divergence::of(def_use, cfg, cancel);
        let transfer = |region: &MaskRegion| {
            Transfer::of(&def_use[region.first as usize..region.end as usize], &named, cancel)
        };
        let transfers = divergence.regions.iter().map(transfer).collect();
        let mut starts = Vec::with_capacity(cfg.blocks.len());
        let mut count = 0;
        for block in 0..cfg.blocks.len() {
            starts.push(count);
            count += divergence.regions_of(block).first().map_or(0, |first| first.classes());
        }
        let mut solver = Solver {
            cfg,
            divergence,
            transfers,
            starts,
            lanes: vec![NO_LANES; count],
            scalars: vec![0; cfg.blocks.len()],
            named,
            cancel,
        };
        solver.solve();
        solver.record(code, def_use)
    }

    /// The registers that are live before an instruction.
    pub fn before(&self, instruction: usize) -> &RegisterSet {
        self.before.get(instruction).unwrap_or(&RegisterSet::EMPTY)
    }

    /// The registers that are live behind an instruction.
    pub fn after(&self, cfg: &Cfg, instruction: usize) -> &RegisterSet {
        let block = cfg.block_of(instruction) as usize;
        let last = cfg.blocks.get(block).is_some_and(|block| block.end as usize == instruction + 1);
        if last {
            self.ends.get(block).unwrap_or(&RegisterSet::EMPTY)
        } else {
            self.before(instruction + 1)
        }
    }

    /// The stretches, in the order of the code, in which lanes that were active at the
    /// start may be inactive: sides of divergent branches, loops that lanes leave one by
    /// one.
    pub fn divergent(&self) -> &[std::ops::Range<u32>] {
        &self.divergent
    }

    /// Returns the number of registers that an instruction needs at once.
    pub fn pressure(&self, instruction: usize) -> Pressure {
        self.during.get(instruction).copied().unwrap_or_default()
    }

    /// Returns the registers of a bank that an instruction needs at once, as many as its pressure
    /// says, and the moment at which it needs them.
    pub fn held(
        &self,
        cfg: &Cfg,
        def_use: &DefUse,
        target: Target,
        instruction: usize,
        bank: Bank,
    ) -> (RegisterSet, Moment) {
        let block = cfg.blocks.get(cfg.block_of(instruction) as usize);
        if !block.is_some_and(|block| block.reachable) {
            return (RegisterSet::EMPTY, Moment::Sources);
        }
        let before = self.before(instruction);
        let results = at_results(before, self.after(cfg, instruction), def_use, target);
        let (before, results) = (before.counted(bank), results.counted(bank));
        match results.count(bank) >= before.count(bank) {
            true => (results, Moment::Results),
            false => (before, Moment::Sources),
        }
    }

    /// The most vector and accumulation registers together that are needed at once.
    pub fn peak_of_vectors(&self) -> u32 {
        let both = |own: &Pressure| u32::from(own.vgprs) + u32::from(own.agprs);
        self.during.iter().map(both).max().unwrap_or(0)
    }

    /// The most registers of each kind that are needed at once.
    pub fn peak(&self) -> Pressure {
        self.during.iter().fold(Pressure::default(), |most, own| most.max(*own))
    }
}

impl Solver<'_> {
    /// Solves the backward dataflow equations.
    fn solve(&mut self) {
        let cfg = self.cfg;
        let mut classes = Vec::new();
        cfg.solve(Direction::Backward, &cfg.reverse_postorder, |block| {
            self.cancel.step();
            let scalar = self.transfer_block(block, &mut classes, &mut |_, _, _| {});
            let start = self.starts[block];
            let own = &mut self.lanes[start..start + classes.len()];
            let changed = own != classes.as_slice() || self.scalars[block] != scalar;
            own.copy_from_slice(&classes);
            self.scalars[block] = scalar;
            changed
        });
    }

    /// Goes back through a block: the sets of its end's classes, then those of its
    /// start's in `classes`. `at_end` is called for every segment with the sets at its
    /// end. The scalar registers that are live at the block's start are returned.
    fn transfer_block(
        &self,
        block: usize,
        classes: &mut Vec<LaneSet>,
        at_end: &mut dyn FnMut(usize, &[LaneSet], u128),
    ) -> u128 {
        let own = &self.cfg.blocks[block];
        let regions = self.divergence.regions_of(block);
        let first = self.divergence.block_regions[block].start;
        classes.clear();
        let Some(last) = regions.last() else { return 0 };
        let unknown = own.exit == Exit::Unknown;
        let mut scalar = if unknown { self.named.scalar } else { 0 };
        for edge in own.edges.iter().flatten() {
            scalar |= self.scalars[edge.to as usize];
        }
        for class in 0..last.classes() {
            let mut live = if unknown { self.named.vector } else { NO_LANES };
            if last.may_be(class) {
                for (to, behind) in self.divergence.leaving(self.cfg, block, class) {
                    bits(behind).for_each(|it| add(&mut live, &self.lanes[self.starts[to] + it]));
                }
            }
            classes.push(live);
        }
        let mut scalar_now = scalar;
        for (place, region) in regions.iter().enumerate().rev() {
            if place + 1 < regions.len() {
                let behind = std::mem::take(classes);
                classes.extend((0..region.classes()).map(|class| {
                    let next = self.divergence.next_classes(region, class);
                    let mut live = NO_LANES;
                    for class in bits(next).filter(|_| region.may_be(class)) {
                        add(&mut live, &behind[class]);
                    }
                    live
                }));
            }
            at_end(first + place, classes, scalar_now);
            let transfer = &self.transfers[first + place];
            scalar_now = transfer.scalar(scalar_now);
            for class in bits(region.reachable) {
                if region.is_active(class) {
                    transfer.active(&mut classes[class]);
                } else {
                    transfer.inactive(&mut classes[class]);
                }
            }
        }
        scalar_now
    }

    /// Goes through all blocks once more with what is live at their ends, and records it
    /// instruction by instruction.
    fn record(&self, code: &Code, def_use: &[DefUse]) -> Liveness {
        let mut before = vec![RegisterSet::EMPTY; def_use.len()];
        let mut ends = vec![RegisterSet::EMPTY; self.cfg.blocks.len()];
        let mut during = vec![Pressure::default(); def_use.len()];
        let mut classes = Vec::new();
        for block in self.cfg.reverse_postorder.iter().map(|block| *block as usize) {
            let mut whole_end = None;
            self.transfer_block(block, &mut classes, &mut |index, classes, scalar| {
                let region = &self.divergence.regions[index];
                let (mut active, mut inactive) = (NO_LANES, NO_LANES);
                for class in bits(region.reachable) {
                    let side = if region.is_active(class) { &mut active } else { &mut inactive };
                    add(side, &classes[class]);
                }
                // Whether any lane is active, and any is not.
                let some = region.reachable & region.active() != 0;
                let others = region.reachable & region.inactive() != 0;
                let mut active = RegisterSet { scalar, vector: active };
                let mut after = active;
                add(&mut after.vector, &inactive);
                let mut pressure = Pressure::of(&after);
                whole_end.get_or_insert(after);
                for instruction in (region.first as usize..region.end as usize).rev() {
                    let def_use = &def_use[instruction];
                    self.cancel.step();
                    back(def_use, &self.named, &mut active, others.then_some(&mut inactive));
                    if !some {
                        active.vector = NO_LANES;
                    }
                    let mut own = active;
                    add(&mut own.vector, &inactive);
                    before[instruction] = own;
                    let results = at_results(&own, &after, def_use, code.target);
                    let with_results = pressure.moved(&after, &results);
                    pressure = pressure.moved(&after, &own);
                    during[instruction] = with_results.max(pressure);
                    after = own;
                }
            });
            ends[block] = whole_end.unwrap_or_default();
        }
        let mut divergent: Vec<std::ops::Range<u32>> = Vec::new();
        for region in self.divergence.regions.iter().filter(|region| region.narrowed) {
            match divergent.last_mut().filter(|last| last.end == region.first) {
                Some(last) => last.end = region.end,
                None => divergent.push(region.first..region.end),
            }
        }
        divergent.retain(|range| !range.is_empty());
        Liveness { before, ends, during, divergent }
    }
}

/// Returns the number of bits from that of a similar set: most of its words are the same.
fn moved(count: u16, from: &[u64], to: &[u64]) -> u16 {
    let differing = from.iter().zip(to).filter(|(from, to)| from != to);
    differing
        .fold(count, |count, (from, to)| count + to.count_ones() as u16 - from.count_ones() as u16)
}

/// Returns the registers that take room once an instruction has its results: these, what is
/// needed behind it, and its sources where those are read late.
fn at_results(
    before: &RegisterSet,
    after: &RegisterSet,
    def_use: &DefUse,
    target: Target,
) -> RegisterSet {
    let mut results = *after;
    def_use.writes().iter().for_each(|access| results.insert(access.register));
    if target.row().xnack && is_load(def_use) {
        results.add_all(before);
    }
    results
}

/// Tells whether results arrive later: where faults are replayed, the address must stay until
/// then.
fn is_load(def_use: &DefUse) -> bool {
    let behaviour = def_use.desc.map(|desc| desc.behaviour());
    behaviour.is_some_and(|behaviour| {
        behaviour.counters.iter().any(|inc| inc.event == CounterEvent::Result)
    }) && def_use.writes().iter().any(|access| access.register.bank != Bank::Accumulator)
}
