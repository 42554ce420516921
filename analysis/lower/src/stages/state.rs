//! The state of a lowering that only one stage has. Each part belongs to the file of its stage;
//! nobody outside of this folder looks into it.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tgsi::ast::WriteMask;
use tgsi::words::InterpolationLocation;

use crate::values::Value;

/// The state that only the shader's stage has.
#[derive(Debug, Default)]
pub(crate) struct StageState {
    /// Of vertex shaders the values of arguments that the hardware may put into other registers.
    pub(super) remapped_arguments: FxHashMap<&'static str, Value>,
    /// Of control shaders the places in which the outputs are kept.
    pub(super) control: ControlState,
    /// The vertex streams that a geometry shader has emitted to.
    pub(super) streams: FxHashMap<u32, Stream>,
    /// The barycentric coordinates that a fragment shader uses, by what is interpolated.
    pub(super) barycentrics: FxHashMap<(&'static str, InterpolationLocation), [Value; 2]>,
    /// The arguments that a compute shader uses of those that it has only where they are.
    pub(super) used_arguments: BTreeSet<&'static str>,
}

/// The places in which the outputs of a control shader are kept.
#[derive(Debug, Clone, Copy, Default)]
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

/// The ring of one stream, with the number of vertices in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream {
    pub(super) ring: Value,
    /// The cell with the number of vertices emitted.
    pub(super) count: Value,
    /// The number of vertices if every lane that comes here has emitted as many.
    pub(super) known: Option<u32>,
}

impl StageState {
    /// The value of an argument that the hardware may put into another register than its own.
    pub(crate) fn remapped(&self, argument: &str) -> Option<Value> {
        self.remapped_arguments.get(argument).copied()
    }
}
