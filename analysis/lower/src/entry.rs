//! The entry of each stage's function: its calling convention, its parameters, and the
//! attributes that its hardware stage needs.
//!
//! Scalar parameters come first, in the order in which radeonsi set the user
//! data; the hardware appends its own scalars and fills the vector registers.
//! On gfx9 the stages before tessellation control and geometry run in one
//! program with them, and the registers are those of the whole program: a
//! shader compiled alone is one half of it.

use isa::gcn::Generation;
use tgsi::Stage;

use crate::abi::{Content, EntryPoint, Parameter, parameters};
use crate::context::Lowering;
use crate::hardware_stage::{Half, HardwareStage};
use crate::lists::{FIRST_BUFFERS, FIRST_IMAGES, LISTS};
use crate::stages::fragment;

/// The outside of the one function of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntryFunction {
    /// The convention and the parameters.
    pub(crate) point: EntryPoint,
    /// Function attributes of this stage, beside those of all.
    pub(crate) attributes: String,
    /// Definitions before the function.
    pub(crate) globals: String,
}

/// The values of the draw call, as the vertex stage gets them.
const DRAW: &str = "state_bits base_vertex start_instance draw_id";
/// The vector registers of a vertex, as the hardware fills them.
const VERTEX: &str = "vertex_id instance_id primitive_id -";
/// The same before tessellation control.
const LOCAL_VERTEX: &str = "vertex_id relative_vertex instance_id -";
/// The vector registers of a point, as the tessellator fills them.
const POINT: &str = "coordinate_u coordinate_v relative_patch patch_id";
/// The lists in the first two registers of a merged program: those of its second shader.
const SECOND_LISTS: &str = "const_and_shader_buffers samplers_and_images";

impl Lowering<'_> {
    /// Returns the entry of the function; complete only when the body is, which says what it uses.
    pub(crate) fn entry_point(&self) -> EntryFunction {
        let hardware = self.hardware_stage();
        let (convention, mut parameters) = match hardware {
            HardwareStage::Pixel => ("amdgpu_ps", fragment::pixel_parameters()),
            HardwareStage::Compute => ("amdgpu_cs", self.compute_parameters()),
            _ if self.half().is_some() => self.merged_parameters(),
            _ => self.separate_parameters(hardware),
        };
        // LLVM drops the barriers of groups that fit one wave, so groups that may have several
        // count as two; on gfx6 a patch of the control stage fits one.
        let lanes = match hardware {
            HardwareStage::Hull if self.generation == Generation::Gfx6 => Some(64),
            HardwareStage::Hull => Some(128),
            _ if self.half().is_some() => Some(128),
            _ => None,
        };
        let attributes = match lanes {
            Some(lanes) => format!("\"amdgpu-flat-work-group-size\"=\"{lanes},{lanes}\" "),
            None if hardware == HardwareStage::Compute => self.compute_attributes(),
            None => String::new(),
        };
        for parameter in &mut parameters {
            if self.builder.constant_buffers.contains(parameter.name.as_str()) {
                parameter.content = Content::ConstantBuffer;
            }
        }
        let point = EntryPoint { convention, parameters };
        EntryFunction { point, attributes, globals: self.shared_memory_definition() }
    }

    /// A stage that is a program of its own.
    fn separate_parameters(&self, hardware: HardwareStage) -> (&'static str, Vec<Parameter>) {
        let evaluates = self.stage() == Stage::TessellationEvaluation;
        let tessellated = "state_bits offchip_layout offchip_address";
        let (convention, scalars, vectors) = match hardware {
            HardwareStage::Vertex if evaluates => {
                let streams = self.stream_parameters();
                let streams = if streams.is_empty() { "-" } else { &streams };
                ("amdgpu_vs", format!("{LISTS} {tessellated} {streams} offchip_offset"), POINT)
            }
            HardwareStage::Vertex if self.stage() == Stage::Geometry => {
                let streams = self.stream_parameters();
                ("amdgpu_vs", format!("{LISTS} state_bits {streams}"), "vertex_id - - -")
            }
            HardwareStage::Export if evaluates => (
                "amdgpu_es",
                format!("{LISTS} {tessellated} offchip_offset - export_offset"),
                POINT,
            ),
            HardwareStage::Local => {
                ("amdgpu_ls", format!("{LISTS} {DRAW} vertex_buffers"), LOCAL_VERTEX)
            }
            HardwareStage::Export => {
                ("amdgpu_es", format!("{LISTS} {DRAW} vertex_buffers export_offset"), VERTEX)
            }
            HardwareStage::Hull => (
                "amdgpu_hs",
                format!(
                    "{LISTS} offchip_layout output_offsets output_layout state_bits \
                     offchip_offset factor_offset"
                ),
                "patch_id relative_ids",
            ),
            HardwareStage::Geometry => (
                "amdgpu_gs",
                format!("{LISTS} ring_offset wave_id"),
                "vertex0 vertex1 geometry_primitive_id vertex2 vertex3 vertex4 vertex5 invocation_id",
            ),
            HardwareStage::Vertex | HardwareStage::Pixel | HardwareStage::Compute => {
                let streams = self.stream_parameters();
                ("amdgpu_vs", format!("{LISTS} {DRAW} vertex_buffers {streams}"), VERTEX)
            }
        };
        (convention, parameters(&scalars, vectors))
    }

    /// One half of a program of two stages. The lists of the first half stand
    /// behind those that the halves share, those of the second come first.
    fn merged_parameters(&self) -> (&'static str, Vec<Parameter>) {
        let lists_of_first = format!("{FIRST_BUFFERS} {FIRST_IMAGES}");
        let (first_lists, own_lists) = match (self.half(), self.other_half) {
            (Some(Half::First), None) => ("- -", SECOND_LISTS),
            (_, None) => (SECOND_LISTS, "- -"),
            (_, Some(_)) => (SECOND_LISTS, lists_of_first.as_str()),
        };
        let evaluation = Some(Stage::TessellationEvaluation);
        let evaluates = Some(self.stage()) == evaluation || self.other_half == evaluation;
        if matches!(self.hardware_stage(), HardwareStage::Hull | HardwareStage::Local) {
            let scalars = format!(
                "{first_lists} offchip_offset wave_info factor_offset - - - \
                 rw_buffers bindless {own_lists} {DRAW} \
                 offchip_layout output_offsets output_layout vertex_buffers"
            );
            return (
                "amdgpu_hs",
                parameters(&scalars, &format!("patch_id relative_ids {LOCAL_VERTEX}")),
            );
        }
        let draw = match evaluates {
            true => "state_bits offchip_layout offchip_address -".to_owned(),
            false => format!("{DRAW} vertex_buffers"),
        };
        let scalars = format!(
            "{first_lists} ring_offset wave_info offchip_offset - - - \
             rw_buffers bindless {own_lists} {draw}"
        );
        let vectors = match self.hardware_stage() {
            HardwareStage::Geometry => "geometry_primitive_id invocation_id",
            _ => "- -",
        };
        let rest = if evaluates { POINT } else { VERTEX };
        let vectors = format!("vertices01 vertices23 {vectors} vertices45 {rest}");
        ("amdgpu_gs", parameters(&scalars, &vectors))
    }
}
