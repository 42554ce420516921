//! The state of a lowering that only one stage has. Each part belongs to the file of its stage;
//! nobody outside of this folder looks into it.

use std::collections::{BTreeSet, HashMap};

use tgsi::Stage;
use tgsi::ast::WriteMask;
use tgsi::words::InterpolationLocation;

use crate::values::Value;

/// The state that only the shader's stage has.
#[derive(Debug)]
pub(crate) enum StageState {
    Vertex(VertexState),
    TessellationControl(ControlState),
    TessellationEvaluation,
    Geometry(GeometryState),
    Fragment(FragmentState),
    Compute(ComputeState),
}

/// The state of a vertex shader.
#[derive(Debug, Default)]
pub(crate) struct VertexState {
    /// The values of arguments that the hardware may put into other registers.
    pub(super) remapped_arguments: HashMap<&'static str, Value>,
}

/// The places in which the outputs of a control shader are kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ControlState {
    /// Attributes of vertices are read again.
    pub(super) vertices_read: bool,
    /// Attributes of the patch are read again.
    pub(super) patch_read: bool,
    /// Every lane has the tessellation factors in registers.
    pub(super) factors_in_registers: bool,
    /// The components of the outer and the inner factors that are written.
    pub(super) factors: [WriteMask; 2],
}

impl Default for ControlState {
    fn default() -> ControlState {
        ControlState {
            vertices_read: false,
            patch_read: false,
            factors_in_registers: false,
            factors: [WriteMask(0); 2],
        }
    }
}

/// The state of a geometry shader.
#[derive(Debug, Default)]
pub(crate) struct GeometryState {
    /// The vertex streams that it has emitted to.
    pub(super) streams: HashMap<u32, Stream>,
}

/// The ring of one stream, with the number of vertices in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream {
    pub(super) ring: Value,
    /// The cell with the number of vertices emitted.
    pub(super) count: Value,
    /// The number of vertices if every lane that comes here has emitted as many.
    pub(super) known: Option<u32>,
}

/// The state of a fragment shader.
#[derive(Debug, Default)]
pub(crate) struct FragmentState {
    /// The barycentric coordinates in use, by what is interpolated.
    pub(super) barycentrics: HashMap<(&'static str, InterpolationLocation), [Value; 2]>,
}

/// The state of a compute shader.
#[derive(Debug, Default)]
pub(crate) struct ComputeState {
    /// The arguments in use of those that the function has only where they are.
    pub(super) used_arguments: BTreeSet<&'static str>,
}

impl StageState {
    /// The state that a shader of a stage begins with.
    pub(crate) fn of(stage: Stage) -> StageState {
        match stage {
            Stage::Vertex => StageState::Vertex(VertexState::default()),
            Stage::TessellationControl => StageState::TessellationControl(ControlState::default()),
            Stage::TessellationEvaluation => StageState::TessellationEvaluation,
            Stage::Geometry => StageState::Geometry(GeometryState::default()),
            Stage::Fragment => StageState::Fragment(FragmentState::default()),
            Stage::Compute => StageState::Compute(ComputeState::default()),
        }
    }

    /// The value of an argument that the hardware may put into another register than its own.
    pub(crate) fn remapped(&self, argument: &str) -> Option<Value> {
        match self {
            StageState::Vertex(state) => state.remapped_arguments.get(argument).copied(),
            _ => None,
        }
    }
}
