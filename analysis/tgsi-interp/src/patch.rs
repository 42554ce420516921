//! Tessellation control: invocations that write a patch together.
//!
//! There is one invocation for each vertex that goes out, in quads. All quads
//! run to the next barrier, the first one first, then all go on. Outputs are
//! memory that every invocation sees at once: `OUT[vertex][n]` belongs to a
//! vertex, `OUT[n]` (tessellation levels, `PATCH`) to the patch.

use tgsi::Stage;

use crate::launch::{QuadInputs, Tracing, natural_values, subgroup_value};
use crate::open::{OpenOutputs, OpenPatch, OpenRegisters};
use crate::program::Program;
use crate::quad::{Limits, Quad, Rest, Stop, StopReason, TraceStep};
use crate::registers::{LANES, Registers};
use crate::resources::Resources;
use crate::together::run_together;

/// The outputs of a tessellation control shader.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    /// By vertex, then output.
    pub vertices: Vec<Vec<[u32; 4]>>,
    /// The values of the patch itself, by output.
    pub shared: Vec<[u32; 4]>,
    /// True if indices led out of what is declared: nothing says what then happens.
    pub out_of_bounds: bool,
    /// The shadow of the outputs, where it is asked for.
    pub(crate) open: Option<OpenPatch>,
    /// The decisions behind the results, by quad, where they are asked for.
    pub words: Vec<OpenOutputs>,
    /// The values that the instructions of the watched invocation's quad wrote.
    pub trace: Vec<TraceStep>,
}

/// The order of quads between two barriers. Results that differ by it depend on who
/// comes first, which nothing says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The quad of the first invocation runs first.
    #[default]
    Forward,
    /// The quad of the last runs first.
    Backward,
}

/// Runs the invocations of a tessellation control shader on a patch. The inputs
/// are by vertex and the same in all lanes; `watched` is the invocation whose
/// quad is traced, if the inputs ask for a trace.
///
/// # Errors
/// The run was given up at one of the limits, or the program is none for
/// tessellation control ([`StopReason::Steps`]).
pub fn run_patch(
    program: &Program,
    resources: &mut Resources,
    inputs: &QuadInputs,
    watched: usize,
    order: Order,
    limits: Limits,
) -> Result<Patch, Stop> {
    let (started, quads) = begin_patch(program, inputs, watched, limits)?;
    let mut patch = Some(started);
    resources.open.begin_group();
    let mut quads: Vec<(Quad<'_>, Rest)> =
        quads.into_iter().map(|quad| (quad, Rest::Barrier)).collect();
    let mut budget = limits.steps;
    let trace = run_together(&mut quads, order, resources, |quad, resources| {
        if let Some(open) = patch.as_mut().and_then(|own| own.open.as_mut()) {
            open.changes = std::mem::take(&mut resources.open.outputs);
            open.changes.follow(&resources.open.changes);
        }
        quad.registers.patch = patch.take();
        let ran = quad.run(resources, &mut budget);
        patch = quad.registers.patch.take();
        if let Some(open) = patch.as_mut().and_then(|own| own.open.as_mut()) {
            resources.open.outputs = std::mem::take(&mut open.changes);
        }
        ran
    })?;
    let trace = trace.unwrap_or_default();
    let patch = patch.unwrap_or_default();
    let out_of_bounds = quads.iter().any(|(quad, _)| quad.out_of_bounds != 0);
    let words = quads.iter_mut().filter_map(|(quad, _)| quad.open_outputs()).collect();
    Ok(Patch { trace, out_of_bounds, words, ..patch })
}

/// A patch before anything is written, and the quads of its invocations.
pub(crate) fn begin_patch<'p>(
    program: &'p Program,
    inputs: &QuadInputs,
    watched: usize,
    limits: Limits,
) -> Result<(Patch, Vec<Quad<'p>>), Stop> {
    if program.stage != Stage::TessellationControl {
        return Err(Stop { ordinal: 0, reason: StopReason::Steps });
    }
    let outputs = vec![[0; 4]; program.outputs];
    let count = program.patch_vertices as usize;
    let open = inputs.open.as_ref().map(|_| OpenPatch::unwritten(count, program.outputs));
    let vertices = vec![outputs.clone(); count];
    let patch = Patch { vertices, shared: outputs, open, ..Patch::default() };
    let mut quads = Vec::new();
    for first in (0..count).step_by(LANES) {
        let mut registers = Registers::new(program);
        registers.first_invocation = first;
        registers.open = OpenRegisters::with_inputs(program, inputs);
        registers.inputs.clone_from(&inputs.inputs);
        registers.system_values.clone_from(&inputs.system_values);
        natural_values(program, &mut registers.system_values, |semantic, lane| {
            use tgsi::words::SemanticName as Name;
            match semantic {
                Name::InvocationId => Some([(first + lane) as u32, 0, 0]),
                Name::VerticesIn => Some([inputs.inputs.len() as u32, 0, 0]),
                _ => subgroup_value(semantic, inputs.first_lane + first + lane, inputs.subgroup),
            }
        });
        let lanes = (count - first).min(LANES);
        let mut quad = Quad::new(program, registers, ((1u16 << lanes) - 1) as u8, limits);
        quad.first_thread = first;
        if inputs.tracing == Tracing::On && watched / LANES == first / LANES {
            quad.trace = Some(Vec::new());
        }
        quads.push(quad);
    }
    Ok((patch, quads))
}
