//! Timing: issue and stall clocks of every instruction and what a stall waits for, blocks,
//! loops, units, throughput.
//!
//! Products of matrices keep the matrix unit busy for four clocks a pass, and leave a part of them
//! to other vector instructions of the SIMD (`matrix.tsv` of `isa`): an issue takes one slot, the
//! next product waits for the unit, and nothing waits for a result.
//!
//! Two sets of figures. `measured` is what was measured on the chips, with
//! assumptions for caches: vector memory answers from L2 unless said otherwise.
//! `aco` is the model inside Mesa's ACO back end, followed to the clock, so that
//! a driver's own statistics can be compared with ours.

mod issue;
#[cfg(test)]
mod matrix_tests;
mod outstanding;
mod paths;
mod simulation;
mod steps;
mod summary;
mod weights;

pub use issue::UnitGroup;
pub use paths::Paths;
pub use summary::{Bound, GroupClocks, LoopTime, Totals};

use rustc_hash::FxHashMap;

use super::cancellation::CancelTicker;
use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use crate::Generation;
use crate::encoding::Encoding;
use crate::instruction::{Layout, field};
use issue::{Costs, SLOT};
use simulation::{IssueRules, Simulation, Stretch, Watch};
use source::Checkpoint;
use steps::TimingStep;
use weights::Weight;

/// A set of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Model {
    /// Measurements, where there are some.
    #[default]
    Measured,
    /// Assumptions of Mesa's ACO back end.
    Aco,
}

/// A version of Mesa, where their rules differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// Mesa 22.3: a branch takes 8 clocks, stores have a counter of their own,
    /// and local data share does not limit the waves.
    Mesa22,
    /// Mesa 25.0.
    #[default]
    Mesa25,
}

/// The distance that memory is taken to have, in the measured figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Band {
    /// Everything is in the nearest cache.
    Best,
    /// Vector memory answers from L2, constants from the scalar cache.
    #[default]
    Typical,
    /// Everything comes from memory.
    Worst,
}

/// Options of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TimingOptions {
    /// The set of figures.
    pub model: Model,
    /// The version of Mesa, where it matters.
    pub profile: Profile,
    /// The distance of memory, in the measured figures.
    pub band: Band,
}

/// The clocks of an instruction, for a wave that is alone on its SIMD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstructionTime {
    /// The unit that it keeps busy.
    pub group: UnitGroup,
    /// Clocks from its issue until the wave may issue the next instruction.
    pub issue: u32,
    /// Clocks before its issue in which the wave waits for a result.
    pub stall: u32,
    /// The cause of the stall; `None` where it does not wait.
    pub cause: Option<StallCause>,
    /// The expected number of times that it runs in one run of the program.
    pub weight: f64,
}

/// The thing that a stall waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StallKind {
    /// A result.
    Result,
    /// The matrix unit, which another product keeps busy.
    MatrixUnit,
    /// The vector unit, beside a product that leaves no time to others.
    VectorUnit,
}

impl StallKind {
    /// The unit that is waited for, in words.
    pub fn unit(self) -> Option<&'static str> {
        match self {
            StallKind::Result => None,
            StallKind::MatrixUnit => Some("the matrix unit"),
            StallKind::VectorUnit => Some("the vector unit"),
        }
    }

    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            StallKind::Result => "result",
            StallKind::MatrixUnit => "matrix",
            StallKind::VectorUnit => "valu",
        }
    }
}

/// The cause of a stall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StallCause {
    /// The instruction whose result comes last, or which keeps the unit busy, by its index.
    pub producer: u32,
    /// The thing that it waits for.
    pub kind: StallKind,
    /// Clocks that its result takes, or for which it keeps the unit busy.
    pub latency: u32,
    /// Clocks of these that the wave's own work between hid.
    pub hidden: u32,
    /// Waves on the SIMD with which the rest would be hidden too, if each of the others
    /// issues meanwhile what this one issues in an iteration of the loop around it, or
    /// outside of loops in the whole program. Of a unit that is busy always 1: all waves of
    /// the SIMD share it.
    pub waves: u32,
}

/// The time that code takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// Per instruction. In loops the clocks are those of later iterations, except in
    /// the model of ACO, which knows the first one only.
    pub instructions: Vec<InstructionTime>,
    /// Sums over the program.
    pub totals: Totals,
    /// Per loop of the [`Cfg`], in its order.
    pub loops: Vec<LoopTime>,
    /// The shortest and the longest way through the program.
    pub paths: Paths,
    /// Classes of instructions that the model has never seen and takes for one slot:
    /// the class, and the first instruction of it.
    pub unknown: Vec<(&'static str, u32)>,
}

/// Works out how long a code takes. `waves` are those on the SIMD. `checkpoint` may unwind.
pub fn time(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    options: TimingOptions,
    waves: u32,
    checkpoint: Checkpoint<'_>,
) -> Timing {
    let cancel = &CancelTicker::new(checkpoint);
    let prepared = Prepared::of(code, def_use, cfg, options.model, options.profile, cancel);
    let Prepared { costs, steps, weights, .. } = &prepared;
    let simulate = |band: Band| {
        let options = TimingOptions { band, ..options };
        prepared.simulate(cfg, options, Watch::default(), cancel).clocks
    };
    let clocks = simulate(options.band);
    let mut instructions = instructions(&clocks, steps, weights);
    let busy = |index: usize| {
        let TimingStep { class, group, matrix, .. } = steps[index];
        match matrix {
            Some(clocks) => [(group, clocks.matrix), (UnitGroup::Valu, clocks.vector)],
            None => [(group, costs.of(class).busy(group)), (UnitGroup::None, 0)],
        }
    };
    let totals = Totals::of(&instructions, busy, options.model, waves);
    let loops = summary::loops(&instructions, busy, cfg);
    count_waves(&mut instructions, &totals, &loops, cfg);
    let paths = match options.model {
        Model::Aco => Paths::of(&clocks, &clocks, weights, cfg),
        Model::Measured => Paths::of(&simulate(Band::Best), &simulate(Band::Worst), weights, cfg),
    };
    Timing { instructions, totals, loops, paths, unknown: unknown(steps, costs) }
}

/// A result that an instruction waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// The instruction that began it.
    pub producer: u32,
    /// Clocks that it takes.
    pub latency: u32,
    /// Clocks that are left of these when the wait begins.
    pub left: u32,
}

/// The results that some instructions, named in order, wait for, in the order of their issue by
/// counter. In loops they are those of later iterations. `checkpoint` may unwind.
pub fn awaited(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    options: TimingOptions,
    instructions: &[u32],
    checkpoint: Checkpoint<'_>,
) -> FxHashMap<u32, Vec<Awaited>> {
    let cancel = &CancelTicker::new(checkpoint);
    let prepared = Prepared::of(code, def_use, cfg, options.model, options.profile, cancel);
    let watch = Watch { instructions: instructions.to_vec(), ..Watch::default() };
    let simulation = prepared.simulate(cfg, options, watch, cancel);
    let mut awaited: FxHashMap<u32, Vec<Awaited>> = FxHashMap::default();
    for (instruction, entry, left) in simulation.watch.awaited {
        awaited.entry(instruction).or_default().push(Awaited {
            producer: entry.producer,
            latency: entry.latency,
            left: u32::try_from(left).unwrap_or(0),
        });
    }
    awaited
}

/// A code as simulations take it.
struct Prepared {
    generation: Generation,
    costs: Costs,
    steps: Vec<TimingStep>,
    weights: Vec<Weight>,
    stretches: Vec<Stretch>,
}

impl Prepared {
    fn of(
        code: &Code,
        def_use: &[DefUse],
        cfg: &Cfg,
        model: Model,
        profile: Profile,
        cancel: &CancelTicker<'_>,
    ) -> Prepared {
        let target = code.target;
        let costs = Costs::new(model, profile, target);
        let gds = field(Layout::Of(Encoding::Ds), target.features(), "gds");
        let step = |def_use| {
            cancel.step();
            let step = steps::step(def_use, target, gds);
            match model {
                Model::Measured => step,
                // ACO knows no products of matrices.
                Model::Aco => {
                    let group = steps::group_of_aco(def_use, step.group);
                    TimingStep { matrix: None, group, ..step }
                }
            }
        };
        let mut steps: Vec<TimingStep> = def_use.iter().map(step).collect();
        close_loops(&mut steps, cfg);
        let (weights, regions) = weights::weights(cfg, def_use, target);
        // The machine runs on through a region that no branch passes over. ACO counts before it
        // leaves the branch out.
        let stretches = match model {
            Model::Aco => simulation::stretches(&cfg.blocks, &regions.unbranched),
            Model::Measured => simulation::stretches(&cfg.blocks, &[]),
        };
        Prepared { generation: target.generation(), costs, steps, weights, stretches }
    }

    fn simulate(
        &self,
        cfg: &Cfg,
        options: TimingOptions,
        watch: Watch,
        cancel: &CancelTicker<'_>,
    ) -> Simulation {
        let rules = IssueRules::new(&self.costs, options, self.generation);
        let mut simulation = Simulation::new(self.steps.len(), self.stretches.len());
        simulation.watch = watch;
        simulation.pass(&rules, &self.steps, &self.stretches, cancel);
        // In the second pass a loop begins with what its last iteration left outstanding:
        // the clocks of all iterations but the first. ACO makes one pass.
        if options.model == Model::Measured && !cfg.loops.is_empty() {
            simulation.pass(&rules, &self.steps, &self.stretches, cancel);
        }
        simulation
    }
}

fn instructions(
    clocks: &[simulation::Clocks],
    steps: &[TimingStep],
    weights: &[Weight],
) -> Vec<InstructionTime> {
    let time = |((clocks, step), weight): ((&simulation::Clocks, &TimingStep), &Weight)| {
        let cause = clocks.cause.map(|(producer, kind, latency)| {
            let hidden = latency.saturating_sub(clocks.stall);
            StallCause { producer, kind, latency, hidden, waves: 1 }
        });
        let (issue, stall) = (clocks.issue, clocks.stall);
        InstructionTime { group: step.group, issue, stall, cause, weight: weight.runs }
    };
    clocks.iter().zip(steps).zip(weights).map(time).collect()
}

/// Branches back are taken at every iteration but the last.
fn close_loops(steps: &mut [TimingStep], cfg: &Cfg) {
    for (index, block) in cfg.blocks.iter().enumerate() {
        let back = |edge: &super::cfg::Edge| {
            edge.condition.is_some_and(|(_, taken)| taken) && edge.to as usize <= index
        };
        steps[block.end as usize - 1].taken |= block.edges.iter().flatten().any(back);
    }
}

/// Says of every stall how many waves hide it.
fn count_waves(
    instructions: &mut [InstructionTime],
    totals: &Totals,
    loops: &[LoopTime],
    cfg: &Cfg,
) {
    for block in &cfg.blocks {
        let issue = block.inner_loop.map_or(totals.issue, |inner| loops[inner as usize].issue);
        let issue = issue.max(f64::from(SLOT));
        for instruction in &mut instructions[block.instructions()] {
            if let Some(cause) = &mut instruction.cause
                && cause.kind == StallKind::Result
            {
                let others = (f64::from(instruction.stall) / issue).ceil();
                cause.waves = (others as u32).saturating_add(1);
            }
        }
    }
}

fn unknown(steps: &[TimingStep], costs: &Costs) -> Vec<(&'static str, u32)> {
    let mut found: Vec<(&'static str, u32)> = Vec::new();
    for (index, step) in (0..).zip(steps) {
        if !costs.of(step.class).known && !found.iter().any(|(name, _)| *name == step.class.name())
        {
            found.push((step.class.name(), index));
        }
    }
    found
}
