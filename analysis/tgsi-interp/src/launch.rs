//! Whole runs: a quad with its inputs, or the groups of a compute shader.

use tgsi::Stage;
use tgsi::words::SemanticName;

use crate::group::{Subgroup, WAVE};
use crate::open::{OpenOutputs, OpenRegister, OpenRegisters, Script};
use crate::patch::Order;
use crate::program::Program;
use crate::quad::{Limits, Quad, Rest, Stop, StopReason, TraceStep};
use crate::registers::{EMPTY, LANES, Register, Registers};
use crate::resources::Resources;
use crate::together::run_together;

/// The inputs of a quad besides resources.
#[derive(Debug, Clone, Default)]
pub struct QuadInputs {
    /// Inputs by vertex, then attribute. One vertex except in geometry and
    /// tessellation shaders, where the first also holds what belongs to the patch.
    pub inputs: Vec<Vec<Register>>,
    /// The words that inputs may hold where these are more than their bits, by vertex, then
    /// attribute. They are obeyed where all that results may be is asked for.
    pub input_words: Vec<Vec<OpenRegister>>,
    /// System values by register.
    pub system_values: Vec<Register>,
    /// The colours that the pixels have, by colour output.
    pub framebuffer: Vec<Register>,
    /// The lanes that run, a bit each.
    pub mask: u8,
    /// The record of what every instruction wrote, where it is wanted.
    pub tracing: Tracing,
    /// The decisions at open conditions, where all that results may be is asked for.
    pub open: Option<Script>,
    /// The lanes that a subgroup is said to have.
    pub subgroup: Subgroup,
    /// The number that the first lane has in its subgroup.
    pub first_lane: usize,
}

/// The recording of a run's steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tracing {
    /// None.
    #[default]
    Off,
    /// Each step, up to [`Limits::records`].
    On,
}

/// The outputs of a quad besides memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QuadOutputs {
    /// The output registers.
    pub outputs: Vec<Register>,
    /// The lanes that were killed, a bit each.
    pub killed: u8,
    /// Of geometry shaders, lane 0: by stream, primitive and vertex the
    /// vectors of all outputs.
    pub streams: [Vec<Vec<Vec<[u32; 4]>>>; 4],
    /// The lanes whose indices led out of what is declared, a bit each: what comes of
    /// that is left open.
    pub out_of_bounds: u8,
    /// The values that every instruction wrote, where asked for.
    pub trace: Vec<TraceStep>,
    /// All that the outputs may be, where asked for.
    pub words: Option<OpenOutputs>,
}

/// Runs one quad from beginning to end.
///
/// # Errors
/// The run was given up at one of the limits.
pub fn run_quad(
    program: &Program,
    resources: &mut Resources,
    inputs: &QuadInputs,
    limits: Limits,
) -> Result<QuadOutputs, Stop> {
    let mut quad = begin_quad(program, inputs, limits);
    let mut budget = limits.steps;
    resources.open.begin_group();
    // One quad alone never waits for another.
    while quad.run(resources, &mut budget)? == Rest::Barrier {}
    Ok(QuadOutputs {
        words: quad.open_outputs(),
        outputs: quad.registers.outputs,
        killed: quad.killed,
        streams: quad.streams,
        out_of_bounds: quad.out_of_bounds,
        trace: quad.trace.unwrap_or_default(),
    })
}

/// A quad before its first instruction.
pub(crate) fn begin_quad<'p>(
    program: &'p Program,
    inputs: &QuadInputs,
    limits: Limits,
) -> Quad<'p> {
    let mut registers = Registers::new(program);
    registers.open = OpenRegisters::with_inputs(program, inputs);
    registers.inputs.clone_from(&inputs.inputs);
    registers.system_values.clone_from(&inputs.system_values);
    registers.framebuffer.clone_from(&inputs.framebuffer);
    natural_values(program, &mut registers.system_values, |semantic, lane| {
        subgroup_value(semantic, inputs.first_lane + lane, inputs.subgroup)
    });
    let mut quad = Quad::new(program, registers, inputs.mask, limits);
    if inputs.tracing == Tracing::On {
        quad.trace = Some(Vec::new());
    }
    quad
}

/// Threads of one group, at most, as in every API.
const MOST_THREADS: u64 = 1024;

/// Registers of a thread that are filled in the time of a step.
const REGISTERS_PER_STEP: u64 = 64;

/// A grid of groups, and how they are run.
#[derive(Debug, Clone, Default)]
pub struct Grid<'a> {
    /// The number of groups along each axis.
    pub groups: [u32; 3],
    /// System values by register, besides those that follow from where a thread is.
    pub system_values: &'a [Register],
    /// The order of a group's quads between two barriers.
    pub order: Order,
    /// The thread, counted through all groups, whose quad is traced.
    pub watched: Option<usize>,
    /// The decisions at open conditions, where all that results may be is asked for.
    pub open: Option<Script>,
    /// The lanes of a subgroup.
    pub subgroup: Subgroup,
}

/// The outputs of a compute shader's groups besides memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GridOutputs {
    /// True if indices led out of what is declared: nothing says what then happens.
    pub out_of_bounds: bool,
    /// The values that the instructions of the watched thread's quad wrote.
    pub trace: Vec<TraceStep>,
    /// The decisions behind the results, by quad of each group, where asked for.
    pub words: Vec<OpenOutputs>,
}

/// Runs the groups of a compute shader one after another, in the usual order.
///
/// # Errors
/// As [`run_watched_grid`].
pub fn run_grid(
    program: &Program,
    resources: &mut Resources,
    groups: [u32; 3],
    system_values: &[Register],
    limits: Limits,
) -> Result<(), Stop> {
    let grid = Grid { groups, system_values, ..Grid::default() };
    run_watched_grid(program, resources, &grid, limits).map(drop)
}

/// Runs the groups of a compute shader one after another. The quads of a group
/// run to the next barrier each, along x first where [`Grid::order`] does not say otherwise.
/// Shared memory is not cleared between groups.
///
/// # Errors
/// The run was given up at one of the limits, or the program is none for
/// compute or its groups are too large ([`StopReason::Steps`]).
pub fn run_watched_grid(
    program: &Program,
    resources: &mut Resources,
    grid: &Grid<'_>,
    limits: Limits,
) -> Result<GridOutputs, Stop> {
    let mut budget = limits.steps;
    let mut left = GridOutputs::default();
    let watched = grid.watched.map(|thread| quad_of(program.block, thread));
    for (number, group) in positions(grid.groups).enumerate() {
        let quads = begin_group(program, grid, group, limits, &mut budget)?;
        resources.open.begin_group();
        let mut quads: Vec<(Quad<'_>, Rest)> =
            quads.into_iter().map(|quad| (quad, Rest::Barrier)).collect();
        if let Some((_, quad)) = watched.filter(|(group, _)| *group == number)
            && let Some((quad, _)) = quads.get_mut(quad)
        {
            quad.trace = Some(Vec::new());
        }
        let run = |quad: &mut Quad<'_>, resources: &mut Resources| quad.run(resources, &mut budget);
        if let Some(steps) = run_together(&mut quads, grid.order, resources, run)? {
            left.trace = steps;
        }
        for (quad, _) in &mut quads {
            left.words.extend(quad.open_outputs());
            left.out_of_bounds |= quad.out_of_bounds != 0;
        }
    }
    Ok(left)
}

/// The quads of a group before their first instruction. Takes what it costs to fill their
/// registers from `budget`.
pub(crate) fn begin_group<'p>(
    program: &'p Program,
    grid: &Grid<'_>,
    group: [u32; 3],
    limits: Limits,
    budget: &mut u64,
) -> Result<Vec<Quad<'p>>, Stop> {
    let given_up = Stop { ordinal: 0, reason: StopReason::Steps };
    let block = program.block;
    let threads = block.iter().fold(1u64, |threads, side| threads.saturating_mul((*side).into()));
    if program.stage != Stage::Compute || threads > MOST_THREADS {
        return Err(given_up);
    }
    // An empty program takes no steps of its own, and what it declares is filled.
    let filled = threads * (1 + program.registers() as u64 / REGISTERS_PER_STEP);
    *budget = budget.checked_sub(filled).ok_or(given_up)?;
    let mut quads = Vec::new();
    for first in positions([block[0].div_ceil(LANES as u32), block[1], block[2]]) {
        let first = [first[0] * LANES as u32, first[1], first[2]];
        let row = first[2] as usize * block[1] as usize + first[1] as usize;
        let thread = row * block[0] as usize + first[0] as usize;
        let mut registers = Registers::new(program);
        registers.open = OpenRegisters::begun(program, grid.open.as_ref());
        registers.system_values = grid.system_values.to_vec();
        natural_values(program, &mut registers.system_values, |semantic, lane| {
            Some(match semantic {
                SemanticName::ThreadId => [first[0] + lane as u32, first[1], first[2]],
                SemanticName::BlockId => group,
                SemanticName::BlockSize => program.block,
                SemanticName::GridSize => grid.groups,
                _ => {
                    let inside = match grid.subgroup {
                        Subgroup::Quad => lane,
                        Subgroup::Wave => thread + lane,
                    };
                    return subgroup_value(semantic, inside, grid.subgroup);
                }
            })
        });
        let width = (block[0] - first[0]).min(LANES as u32);
        let mut quad = Quad::new(program, registers, (1u8 << width) - 1, limits);
        (quad.subgroup, quad.first_thread) = (grid.subgroup, thread);
        quads.push(quad);
    }
    Ok(quads)
}

/// The group of a thread and its quad's number in the group.
pub(crate) fn quad_of(block: [u32; 3], thread: usize) -> (usize, usize) {
    let [width, height, depth] = block.map(|side| side as usize);
    let (group, inside) = (thread / (width * height * depth), thread % (width * height * depth));
    (group, inside / width * width.div_ceil(LANES) + inside % width / LANES)
}

/// A thread's lane in its quad.
pub(crate) fn lane_of(block: [u32; 3], thread: usize) -> usize {
    thread % block[0] as usize % LANES
}

/// All positions of a box, x fastest.
pub(crate) fn positions(size: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..size[2])
        .flat_map(move |z| (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| [x, y, z])))
}

/// The system values that follow from where a thread is. The function gives a
/// semantic's vector in a lane, if it has one.
pub(crate) fn natural_values(
    program: &Program,
    registers: &mut Vec<Register>,
    natural: impl Fn(SemanticName, usize) -> Option<[u32; 3]>,
) {
    for (number, semantic) in &program.system_values {
        let number = *number as usize;
        // Declared numbers are not bounded by the language.
        if number >= MOST_SYSTEM_VALUES {
            continue;
        }
        for lane in 0..LANES {
            let Some(vector) = natural(*semantic, lane) else { break };
            if registers.len() <= number {
                registers.resize(number + 1, EMPTY);
            }
            for (component, value) in vector.into_iter().enumerate() {
                registers[number][component][lane] = value;
            }
        }
    }
}

/// Returns the values of a lane in its subgroup; masks have a bit for each lane.
pub(crate) fn subgroup_value(
    semantic: SemanticName,
    lane: usize,
    subgroup: Subgroup,
) -> Option<[u32; 3]> {
    use SemanticName as Name;
    let lanes = subgroup.lanes();
    let lane = lane % lanes;
    let all = u64::MAX >> (WAVE - lanes);
    let mask = match semantic {
        Name::SubgroupSize => lanes as u64,
        Name::SubgroupInvocation => lane as u64,
        Name::SubgroupEqualMask => 1 << lane,
        Name::SubgroupGreaterEqualMask => all & u64::MAX << lane,
        Name::SubgroupGreaterMask => all & (u64::MAX << lane) << 1,
        Name::SubgroupLessEqualMask => u64::MAX >> (WAVE - 1 - lane),
        Name::SubgroupLessMask => !(u64::MAX << lane),
        _ => return None,
    };
    Some([mask as u32, (mask >> 32) as u32, 0])
}

/// System values that a program may have.
const MOST_SYSTEM_VALUES: usize = 64;
