//! Stages: one file each, and here what every stage answers in its own way.

pub(crate) mod compute;
pub(crate) mod control;
mod evaluation;
pub(crate) mod fragment;
mod fragment_exports;
mod fragment_state;
pub(crate) mod geometry;
mod geometry_copy;
pub(crate) mod interpolation;
pub(crate) mod state;
mod tessellation;
mod vertex;

use tgsi::Stage;
use tgsi::ast::{Component, Register};
use tgsi::words::{File, SemanticName};

use crate::context::{Emitted, Lowering};
use crate::declared::Input;
use crate::failure::{Failure, unsupported};
use crate::hardware_stage::HardwareStage;
use crate::values::Value;

impl Lowering<'_> {
    /// Emits the beginning of a stage, before the main program; returns the failures that it finds.
    pub(crate) fn prepare_stage(&mut self) -> Vec<Failure> {
        match self.stage() {
            Stage::Geometry => self.geometry_failures(),
            Stage::Fragment => {
                self.discard_holes();
                Vec::new()
            }
            Stage::TessellationControl => {
                self.prepare_control();
                self.control_failures()
            }
            Stage::Vertex | Stage::TessellationEvaluation | Stage::Compute => Vec::new(),
        }
    }

    /// Emits the end of a stage, which hands the outputs on; returns the failures that it finds.
    pub(crate) fn finish_stage(&mut self) -> Vec<Failure> {
        match self.hardware_stage() {
            HardwareStage::Pixel => return self.export_fragment(),
            HardwareStage::Vertex => {
                self.capture_stream(0);
                self.export_vertex();
            }
            HardwareStage::Local | HardwareStage::Export => self.store_es_ls_outputs(),
            HardwareStage::Hull => self.finish_control(),
            HardwareStage::Geometry => self.finish_geometry(),
            HardwareStage::Compute => {}
        }
        Vec::new()
    }

    /// One component of a register that the stage has in memory, in whatever form: in a ring, in
    /// the memory of the group, outside of the chip. `None` for all others.
    pub(crate) fn read_stage_memory(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Option<Emitted<Value>> {
        Some(match (self.stage(), register.file) {
            (Stage::Geometry, File::Input) => self.geometry_input(register, component),
            (Stage::TessellationControl, File::Input) => self.control_input(register, component),
            (Stage::TessellationControl, File::Output) => self.control_output(register, component),
            (Stage::TessellationEvaluation, File::Input) => {
                self.evaluation_input(register, component)
            }
            _ => return None,
        })
    }

    /// One component of a declared input that the hardware hands the lane.
    pub(crate) fn stage_input(
        &mut self,
        index: u32,
        input: Input,
        component: Component,
    ) -> Emitted<Value> {
        match self.stage() {
            Stage::Fragment => self.fragment_input(index, input, component),
            Stage::Compute => Err(unsupported(self.current.place, "inputs of COMP".to_owned())),
            Stage::Vertex => Ok(self.vertex_input(index, component)),
            // These read theirs from memory, before it comes to this.
            Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation => {
                Err(unsupported(self.current.place, format!("inputs of {}", self.stage())))
            }
        }
    }

    /// One component of a system value. Single values are in all components.
    pub(crate) fn system_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Emitted<Value> {
        let value = match self.stage() {
            Stage::Vertex => self.vertex_system_value(name),
            Stage::Compute => self.compute_system_value(name, component),
            Stage::Geometry => self.geometry_system_value(name),
            Stage::TessellationControl => self.control_system_value(name),
            Stage::TessellationEvaluation => self.evaluation_system_value(name, component),
            Stage::Fragment => self.fragment_system_value(name, component),
        };
        match value.or_else(|| self.subgroup_value(name, component)) {
            Some(value) => Ok(value),
            None => {
                let construct = format!("system value {name} in {}", self.stage());
                Err(unsupported(self.current.place, construct))
            }
        }
    }
}
