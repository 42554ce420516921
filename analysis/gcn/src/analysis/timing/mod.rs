//! How long code takes: issue and stall clocks of every instruction and what a
//! stall waits for, blocks, loops, units, throughput.
//!
//! Two sets of figures. `measured` is what was measured on the chips, with
//! assumptions for caches: vector memory answers from L2 unless said otherwise.
//! `aco` is the model inside Mesa's ACO back end, followed to the clock, so that
//! a driver's own statistics can be compared with ours.

mod issue;
mod outstanding;
mod paths;
mod steps;
mod summary;
mod walk;
mod weights;

pub use issue::Group;
pub use paths::Paths;
pub use summary::{Bound, GroupClocks, LoopTime, Totals};

use super::cancellation::Pace;
use super::cfg::Flow;
use super::code::Code;
use super::def_use::Effects;
use issue::{Costs, SLOT};
use steps::{Reader, Step};
use walk::{Rules, Walk};
use weights::Weight;

/// A set of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Model {
    /// Measurements, where there are some.
    #[default]
    Measured,
    /// What Mesa's ACO back end assumes.
    Aco,
}

/// Whose rules count where versions of Mesa differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// Mesa 22.3: a branch takes 8 clocks, stores have a counter of their own,
    /// and local data share does not limit the waves.
    Mesa22,
    /// Mesa 25.0.
    #[default]
    Mesa25,
}

/// How far memory is taken to be, in the measured figures.
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

/// What to work out, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TimingOptions {
    /// The set of figures.
    pub model: Model,
    /// The version of Mesa, where it matters.
    pub profile: Profile,
    /// How far memory is, in the measured figures.
    pub band: Band,
}

/// The clocks of an instruction, for a wave that is alone on its SIMD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstructionTime {
    /// What it takes.
    pub group: Group,
    /// Clocks from its issue until the wave may issue the next instruction.
    pub issue: u32,
    /// Clocks before its issue in which the wave waits for a result.
    pub stall: u32,
    /// What the wave waits for; `None` where it does not wait.
    pub cause: Option<StallCause>,
    /// How often it is taken to run in one run of the program.
    pub weight: f64,
}

/// What a stall waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StallCause {
    /// The instruction whose result comes last, by its index.
    pub producer: u32,
    /// Clocks that its result takes.
    pub latency: u32,
    /// Clocks of these that the wave's own work between hid.
    pub hidden: u32,
    /// Waves on the SIMD with which the rest would be hidden too, if each of the others
    /// issues meanwhile what this one issues in an iteration of the loop around it, or
    /// outside of loops in the whole program.
    pub waves: u32,
}

/// How long code takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// Per instruction. In loops the clocks are those of later iterations, except in
    /// the model of ACO, which knows the first one only.
    pub instructions: Vec<InstructionTime>,
    /// Sums over the program.
    pub totals: Totals,
    /// Per loop of the [`Flow`], in its order.
    pub loops: Vec<LoopTime>,
    /// The shortest and the longest way through the program.
    pub paths: Paths,
    /// Classes of instructions that the model has never seen and takes for one slot:
    /// the class, and the first instruction of it.
    pub unknown: Vec<(&'static str, u32)>,
}

/// Works out how long a code takes. `waves` are those on the SIMD.
pub fn time(
    code: &Code,
    effects: &[Effects],
    flow: &Flow,
    options: TimingOptions,
    waves: u32,
) -> Timing {
    time_until(code, effects, flow, options, waves, &Pace::new(&text::no_checkpoint))
}

pub(super) fn time_until(
    code: &Code,
    effects: &[Effects],
    flow: &Flow,
    options: TimingOptions,
    waves: u32,
    pace: &Pace<'_>,
) -> Timing {
    let target = code.target;
    let costs = Costs::new(options.model, options.profile, target);
    let reader = Reader::of(target.generation());
    let step = |effects| {
        pace.step();
        reader.step(effects)
    };
    let mut steps: Vec<Step> = effects.iter().map(step).collect();
    close_loops(&mut steps, flow);
    let weights = weights::weights(code, effects);
    let walk = |band: Band| {
        let (model, profile) = (options.model, options.profile);
        let rules = Rules::new(&costs, model, profile, band, target.generation());
        let mut walk = Walk::new(steps.len(), flow.blocks.len());
        walk.pass(&rules, &steps, &flow.blocks, pace);
        if model == Model::Measured && !flow.loops.is_empty() {
            walk.pass(&rules, &steps, &flow.blocks, pace);
        }
        walk.clocks
    };
    let clocks = walk(options.band);
    let mut instructions = instructions(&clocks, &steps, &weights);
    let busy =
        |index: usize| steps.get(index).map_or(0, |step| costs.of(step.class).busy(step.group));
    let totals = Totals::of(&instructions, busy, options.model, waves);
    let loops = summary::loops(&instructions, busy, flow);
    count_waves(&mut instructions, &totals, &loops, flow);
    let paths = match options.model {
        Model::Aco => Paths::of(&clocks, &clocks, &weights, flow),
        Model::Measured => Paths::of(&walk(Band::Best), &walk(Band::Worst), &weights, flow),
    };
    Timing { instructions, totals, loops, paths, unknown: unknown(&steps, &costs) }
}

fn instructions(
    clocks: &[walk::Clocks],
    steps: &[Step],
    weights: &[Weight],
) -> Vec<InstructionTime> {
    let cause = |stall: u32, (producer, latency): (u32, u32)| {
        let hidden = latency.saturating_sub(stall);
        StallCause { producer, latency, hidden, waves: 1 }
    };
    let instructions = clocks.iter().zip(steps).zip(weights);
    instructions
        .map(|((clocks, step), weight)| InstructionTime {
            group: step.group,
            issue: clocks.issue,
            stall: clocks.stall,
            cause: clocks.cause.map(|it| cause(clocks.stall, it)),
            weight: weight.runs,
        })
        .collect()
}

/// Branches back are taken at every iteration but the last.
fn close_loops(steps: &mut [Step], flow: &Flow) {
    for (index, block) in flow.blocks.iter().enumerate() {
        let back = |edge: &super::cfg::Edge| {
            edge.condition.is_some_and(|(_, taken)| taken) && edge.to as usize <= index
        };
        let last = (block.end as usize).checked_sub(1).and_then(|last| steps.get_mut(last));
        if let Some(last) = last.filter(|_| block.edges.iter().flatten().any(back)) {
            last.taken = true;
        }
    }
}

/// Says of every stall how many waves hide it.
fn count_waves(
    instructions: &mut [InstructionTime],
    totals: &Totals,
    loops: &[LoopTime],
    flow: &Flow,
) {
    for block in &flow.blocks {
        let around = block.inner_loop.and_then(|inner| loops.get(inner as usize));
        let issue = around.map_or(totals.issue, |around| around.issue).max(f64::from(SLOT));
        for instruction in instructions.get_mut(block.instructions()).unwrap_or_default() {
            if let Some(cause) = &mut instruction.cause {
                let others = (f64::from(instruction.stall) / issue).ceil();
                cause.waves = (others as u32).saturating_add(1);
            }
        }
    }
}

fn unknown(steps: &[Step], costs: &Costs) -> Vec<(&'static str, u32)> {
    let mut found: Vec<(&'static str, u32)> = Vec::new();
    for (index, step) in (0..).zip(steps) {
        if !costs.of(step.class).known && !found.iter().any(|(name, _)| *name == step.class.name())
        {
            found.push((step.class.name(), index));
        }
    }
    found
}
