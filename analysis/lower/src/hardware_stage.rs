//! Hardware stages: where the shader of a stage runs, alone or as half of a program.

use isa::gcn::Generation;
use tgsi::Stage;

use crate::context::Lowering;
use crate::environment::NextStage;

/// The bits of the wave's information (`wave_info`) that count the lanes of a half: from bit 0
/// those of the first, behind them those of the second.
pub(crate) const LANE_BITS: i32 = 8;

/// The hardware stages of the graphics pipeline, and compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HardwareStage {
    /// Before the rasterizer; also the program that fetches what a geometry
    /// shader wrote.
    Vertex,
    /// Before tessellation control.
    Local,
    /// Before geometry.
    Export,
    /// Tessellation control.
    Hull,
    Geometry,
    Pixel,
    Compute,
}

/// The part that a shader is of a program of two stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Half {
    First,
    Second,
}

impl Lowering<'_> {
    /// Returns the hardware stage that the shader runs in.
    pub(crate) fn hardware_stage(&self) -> HardwareStage {
        match self.stage() {
            Stage::Fragment => HardwareStage::Pixel,
            Stage::Compute => HardwareStage::Compute,
            Stage::TessellationControl => HardwareStage::Hull,
            Stage::Geometry if self.is_copy() => HardwareStage::Vertex,
            Stage::Geometry => HardwareStage::Geometry,
            _ => match self.next_stage() {
                NextStage::Rasterizer => HardwareStage::Vertex,
                NextStage::Geometry => HardwareStage::Export,
                NextStage::Tessellation if self.stage() == Stage::Vertex => HardwareStage::Local,
                NextStage::Tessellation => HardwareStage::Vertex,
            },
        }
    }

    /// Returns the reader of the outputs: as the shader says, else as the environment does.
    fn next_stage(&self) -> NextStage {
        use tgsi::ast::PropertyValue::Stage as Value;
        match self.declared.property_value(tgsi::words::PropertyName::NextShader) {
            Some(Value(Stage::Geometry)) => NextStage::Geometry,
            Some(Value(Stage::TessellationControl | Stage::TessellationEvaluation)) => {
                NextStage::Tessellation
            }
            Some(Value(Stage::Fragment)) => NextStage::Rasterizer,
            _ => self.environment.next_stage,
        }
    }

    /// Returns the part of a merged program that the shader is; `None` where it is a whole program.
    pub(crate) fn half(&self) -> Option<Half> {
        if self.generation < Generation::Gfx9 {
            return None;
        }
        match self.hardware_stage() {
            HardwareStage::Local | HardwareStage::Export => Some(Half::First),
            HardwareStage::Hull | HardwareStage::Geometry => Some(Half::Second),
            _ => None,
        }
    }

    /// Tells whether this shader is the first of two that are lowered to one program.
    pub(crate) fn is_first_of_two(&self) -> bool {
        self.other_half.is_some() && self.half() == Some(Half::First)
    }
}
