//! Sums of clocks: over the program and over each loop, by unit, and what bounds them.

use super::super::cfg::Cfg;
use super::issue::SLOT;
use super::{InstructionTime, Model, StallKind, UnitGroup};

/// The clocks for which an instruction keeps two units busy.
pub(super) type Busy = [(UnitGroup, u32); 2];

/// Clocks by group, in the order of [`UnitGroup::ALL`].
pub type GroupClocks = [f64; UnitGroup::ALL.len()];

/// The clocks of a run of the program, by the weights of its instructions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Totals {
    /// Clocks from the start to the end of one wave.
    pub latency: f64,
    /// Clocks of the latency in which the wave issues.
    pub issue: f64,
    /// Clocks of the latency in which it waits.
    pub stall: f64,
    /// Clocks in which a wave keeps each unit busy; of units that four SIMDs share,
    /// the clocks of a SIMD's share.
    pub busy: GroupClocks,
    /// The number of waves that can be under way without waiting for each other.
    pub parallelism: f64,
    /// Clocks of a SIMD per wave, when it has as many waves as fit.
    pub inverse_throughput: f64,
    /// The limit that keeps the inverse throughput from being less.
    pub bound: Bound,
    /// The unit that is busy longest.
    pub busiest: UnitGroup,
}

/// A limit of throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A unit has no time left.
    Unit(UnitGroup),
    /// There are too few waves to hide the waiting.
    Waves,
}

impl Bound {
    /// The word used in output: a unit's name, or `waves`.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Unit(unit) => unit.name(),
            Bound::Waves => "waves",
        }
    }
}

/// One iteration of a loop, with what is inside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopTime {
    /// Clocks in which the wave issues.
    pub issue: f64,
    /// Clocks in which it waits.
    pub stall: f64,
    /// Of these, the clocks spent waiting for what an earlier iteration began.
    pub carried: f64,
    /// Clocks by unit.
    pub busy: GroupClocks,
    /// The unit that is busy longest.
    pub busiest: UnitGroup,
    /// Waves with which the waiting would be hidden, if all run this loop.
    pub waves: u32,
}

impl Totals {
    /// Sums over a program. `busy` says how long an instruction takes which units.
    pub(super) fn of(
        instructions: &[InstructionTime],
        busy: impl Fn(usize) -> Busy,
        model: Model,
        waves: u32,
    ) -> Totals {
        let mut sum = Sum::default();
        for (index, instruction) in instructions.iter().enumerate() {
            sum.add(instruction, busy(index), instruction.weight);
        }
        let latency = sum.issue + sum.stall;
        let mut parallelism = f64::from(waves.max(1));
        let mut bound = Bound::Waves;
        for (unit, busy) in limits(&sum.busy, model) {
            if busy > 0.0 && latency / busy < parallelism {
                parallelism = latency / busy;
                bound = Bound::Unit(unit);
            }
        }
        Totals {
            latency,
            issue: sum.issue,
            stall: sum.stall,
            busy: sum.busy,
            parallelism,
            inverse_throughput: match model {
                Model::Measured => latency / parallelism.max(f64::MIN_POSITIVE),
                // In the order in which ACO computes it, which shows where a half is rounded.
                Model::Aco if latency > 0.0 => (1.0 / latency * parallelism).recip(),
                Model::Aco => 0.0,
            },
            bound,
            busiest: busiest(&sum.busy),
        }
    }
}

/// The units that bound throughput, with their clocks. ACO takes scalar arithmetic
/// and scalar memory for one unit.
fn limits(busy: &GroupClocks, model: Model) -> impl Iterator<Item = (UnitGroup, f64)> {
    UnitGroup::ALL.into_iter().zip(*busy).filter_map(move |(unit, clocks)| match (unit, model) {
        (UnitGroup::None, _) | (UnitGroup::Smem, Model::Aco) => None,
        (UnitGroup::Salu, Model::Aco) => {
            Some((unit, busy[UnitGroup::Salu as usize] + busy[UnitGroup::Smem as usize]))
        }
        _ => Some((unit, clocks)),
    })
}

/// Per loop, in the order of the control flow's.
pub(super) fn loops(
    instructions: &[InstructionTime],
    busy: impl Fn(usize) -> Busy,
    cfg: &Cfg,
) -> Vec<LoopTime> {
    let mut sums = vec![Sum::default(); cfg.loops.len()];
    for block in &cfg.blocks {
        let Some(inner) = block.inner_loop else { continue };
        let sum = &mut sums[inner as usize];
        for index in block.instructions() {
            let instruction = &instructions[index];
            sum.add(instruction, busy(index), instruction.weight);
            let earlier = |cause: super::StallCause| cause.producer as usize >= index;
            if instruction.cause.is_some_and(earlier) {
                sum.carried += f64::from(instruction.stall) * instruction.weight;
            }
        }
    }
    // Parents stand behind what is in them.
    for index in 0..sums.len() {
        let own = sums[index];
        if let Some(parent) = cfg.loops[index].parent {
            sums[parent as usize].join(&own);
        }
    }
    let times = cfg.loops.iter().zip(&sums).map(|(own, sum)| {
        let header = cfg.blocks[own.header as usize].first as usize;
        sum.iteration(instructions[header].weight)
    });
    times.collect()
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    issue: f64,
    stall: f64,
    /// The clocks of stalls that wait for results.
    results: f64,
    carried: f64,
    busy: GroupClocks,
}

impl Sum {
    fn add(&mut self, instruction: &InstructionTime, busy: Busy, weight: f64) {
        let stall = f64::from(instruction.stall) * weight;
        self.issue += f64::from(instruction.issue) * weight;
        self.stall += stall;
        if instruction.cause.is_some_and(|cause| cause.kind == StallKind::Result) {
            self.results += stall;
        }
        for (group, clocks) in busy {
            self.busy[group as usize] += f64::from(clocks) * weight;
        }
    }

    fn join(&mut self, other: &Sum) {
        self.issue += other.issue;
        self.stall += other.stall;
        self.results += other.results;
        self.carried += other.carried;
        for (own, other) in self.busy.iter_mut().zip(other.busy) {
            *own += other;
        }
    }

    fn iteration(&self, weight: f64) -> LoopTime {
        let each = |clocks: f64| clocks / weight.max(f64::MIN_POSITIVE);
        let busy = self.busy.map(each);
        let issue = each(self.issue);
        // All waves wait alike for a unit of their SIMD.
        let waves = ((self.issue + self.results) / self.issue.max(f64::from(SLOT))).ceil();
        LoopTime {
            issue,
            stall: each(self.stall),
            carried: each(self.carried),
            busy,
            busiest: busiest(&busy),
            waves: waves.clamp(1.0, f64::from(u32::MAX)) as u32,
        }
    }
}

/// The unit with the most clocks; the first of several.
fn busiest(busy: &GroupClocks) -> UnitGroup {
    let mut best = UnitGroup::None;
    for (unit, clocks) in UnitGroup::ALL.into_iter().zip(busy) {
        let most = if best == UnitGroup::None { 0.0 } else { busy[best as usize] };
        if unit != UnitGroup::None && *clocks > most {
            best = unit;
        }
    }
    best
}
