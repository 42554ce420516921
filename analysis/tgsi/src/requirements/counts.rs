//! Counts of a shader: registers, instructions, nesting, threads.

use source::TextRange;

use super::{Demand, Needs};
use crate::Stage;
use crate::ast::{Declaration, Instruction, PropertyValue, Shader};
use crate::opcodes::Control;
use crate::register_set::RegisterSet;
use crate::words::{File, PropertyName, SemanticName};

/// A limit as it is counted, with the place that reaches it.
#[derive(Default, Clone, Copy)]
struct Count {
    number: i64,
    range: TextRange,
}

impl Count {
    fn raise(&mut self, number: i64, range: TextRange) {
        if number > self.number {
            *self = Count { number, range };
        }
    }
}

/// Registers of a file, each once: drivers split what one register holds.
#[derive(Default)]
struct Registers {
    numbers: RegisterSet,
    count: i64,
    range: TextRange,
}

impl Registers {
    fn add(&mut self, declared: &Declaration) {
        let added = self.numbers.insert(declared.range.value);
        if added > 0 {
            self.count += i64::from(added);
            self.range = declared.range.range;
        }
    }
}

/// Everything that is counted.
#[derive(Default)]
pub(super) struct Counts {
    inputs: Registers,
    outputs: Registers,
    temporaries: Registers,
    patch: Registers,
    varyings: Registers,
    constant_buffers: Count,
    constant_bytes: Count,
    samplers: Count,
    views: Count,
    buffers: Count,
    images: Count,
    counters: Count,
    counter_buffers: Count,
    targets: Count,
    vertices: Count,
    block: [Option<(u32, TextRange)>; 3],
    depth: i64,
    deepest: Count,
    instructions: i64,
    arithmetic: i64,
    texture: i64,
}

impl Counts {
    pub(super) fn declaration(&mut self, stage: Stage, declared: &Declaration) {
        let range = declared.range;
        let end = i64::from(range.value.last) + 1;
        let dimension = declared.dimension.flatten().map_or(0, |buffer| buffer.value.first);
        let name = declared.semantic.map(|semantic| semantic.value.name);
        match declared.file.value {
            File::Input => {
                self.inputs.add(declared);
                if stage == Stage::Fragment
                    && matches!(name, Some(SemanticName::Generic | SemanticName::TextureCoordinate))
                {
                    self.varyings.add(declared);
                }
            }
            // Colours are counted apart there; the rest has no limit.
            File::Output if stage == Stage::Fragment => {
                if let Some(semantic) = declared.semantic
                    && semantic.value.name == SemanticName::Color
                {
                    let more = range.value.last.saturating_sub(range.value.first);
                    let last = i64::from(semantic.value.index) + i64::from(more);
                    self.targets.raise(last + 1, range.range);
                }
            }
            File::Output => {
                self.outputs.add(declared);
                if name == Some(SemanticName::Patch) {
                    self.patch.add(declared);
                }
            }
            File::Temporary => self.temporaries.add(declared),
            File::Constant => {
                self.constant_buffers.raise(i64::from(dimension) + 1, declared.file.range);
                self.constant_bytes.raise(end * 16, range.range);
            }
            File::Sampler => self.samplers.raise(end, range.range),
            File::SamplerView => self.views.raise(end, range.range),
            File::Buffer => self.buffers.raise(end, range.range),
            File::Image => self.images.raise(end, range.range),
            File::HardwareAtomic => {
                self.counters.raise(end, range.range);
                self.counter_buffers.raise(i64::from(dimension) + 1, declared.file.range);
            }
            _ => {}
        }
    }

    pub(super) fn property(&mut self, name: PropertyName, value: PropertyValue, range: TextRange) {
        let PropertyValue::Number(number) = value else { return };
        match name {
            PropertyName::GeometryMaxOutputVertices => {
                self.vertices = Count { number: i64::from(number), range };
            }
            PropertyName::BlockWidth => self.block[0] = Some((number, range)),
            PropertyName::BlockHeight => self.block[1] = Some((number, range)),
            PropertyName::BlockDepth => self.block[2] = Some((number, range)),
            _ => {}
        }
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        let opcode = instruction.opcode;
        self.instructions += 1;
        let row = opcode.value.row();
        match row.path() {
            Control::If | Control::Loop | Control::Switch => {
                self.depth += 1;
                self.deepest.raise(self.depth, opcode.range);
            }
            Control::EndIf | Control::EndLoop | Control::EndSwitch => self.depth -= 1,
            Control::Next
            | Control::Else
            | Control::Case
            | Control::Default
            | Control::Break
            | Control::Continue
            | Control::Return
            | Control::End
            | Control::Call
            | Control::Subroutine
            | Control::EndSubroutine
            | Control::Jump => {
                if row.texture {
                    self.texture += 1;
                } else if !instruction.destinations.is_empty() {
                    // What makes a value and looks nothing up.
                    self.arithmetic += 1;
                }
            }
        }
    }

    pub(super) fn finish(&self, shader: &Shader, needs: &mut Needs) {
        let stage = shader.stage.value;
        let header = shader.stage.range;
        let mut limit = |capability: &'static str, number: i64, range: TextRange, what: &str| {
            if number > 0 {
                let why = || match number {
                    1 => format!("1 {}", what.strip_suffix('s').unwrap_or(what)),
                    _ => format!("{number} {what}"),
                };
                needs.ask(capability, Demand::AtLeast(number), range, why);
            }
        };
        let depth = self.deepest;
        for (capability, number, range, what) in [
            ("PIPE_SHADER_CAP_MAX_INSTRUCTIONS", self.instructions, header, "instructions"),
            (
                "PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS",
                self.arithmetic,
                header,
                "arithmetic instructions",
            ),
            ("PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS", self.texture, header, "texture instructions"),
            ("PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH", depth.number, depth.range, "nested blocks"),
        ] {
            limit(capability, number, range, what);
        }
        for (capability, registers, what) in [
            ("PIPE_SHADER_CAP_MAX_INPUTS", &self.inputs, "input registers"),
            ("PIPE_SHADER_CAP_MAX_OUTPUTS", &self.outputs, "output registers"),
            ("PIPE_SHADER_CAP_MAX_TEMPS", &self.temporaries, "temporary registers"),
            ("PIPE_CAP_MAX_SHADER_PATCH_VARYINGS", &self.patch, "patch outputs"),
            ("PIPE_CAP_MAX_VARYINGS", &self.varyings, "varyings"),
        ] {
            limit(capability, registers.count, registers.range, what);
        }
        for (capability, count, what) in [
            ("PIPE_SHADER_CAP_MAX_CONST_BUFFERS", self.constant_buffers, "constant buffers"),
            ("PIPE_SHADER_CAP_MAX_CONST_BUFFER_SIZE", self.constant_bytes, "bytes of constants"),
            ("PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS", self.samplers, "samplers"),
            ("PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS", self.views, "sampler views"),
            ("PIPE_SHADER_CAP_MAX_SHADER_BUFFERS", self.buffers, "buffers"),
            ("PIPE_SHADER_CAP_MAX_SHADER_IMAGES", self.images, "images"),
            ("PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS", self.counters, "atomic counters"),
            (
                "PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS",
                self.counter_buffers,
                "atomic counter buffers",
            ),
            ("PIPE_CAP_MAX_RENDER_TARGETS", self.targets, "render targets"),
        ] {
            limit(capability, count.number, count.range, what);
        }
        if stage == Stage::Geometry {
            let components = self.vertices.number.saturating_mul(self.outputs.count * 4);
            let range = self.vertices.range;
            let what = "components of all vertices";
            limit("PIPE_CAP_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS", components, range, what);
        }
        if stage == Stage::Compute {
            self.threads(header, needs);
        }
    }

    /// The size of a thread group, or that it is not known.
    fn threads(&self, header: TextRange, needs: &mut Needs) {
        let sizes = self.block.map(|size| size.map_or(0, |(size, _)| i64::from(size)));
        let threads = sizes.iter().fold(1i64, |product, size| product.saturating_mul(*size));
        if threads == 0 {
            let capability = "PIPE_COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK";
            needs.ask(capability, Demand::AtLeast(1), header, || {
                "a thread group of no fixed size".to_owned()
            });
            return;
        }
        let range = self.block[0].map_or(header, |(_, range)| range);
        let [width, height, depth] = sizes;
        needs.ask("PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE", Demand::AtLeastEach(sizes), range, || {
            format!("a thread group of {width} × {height} × {depth}")
        });
        let capability = "PIPE_COMPUTE_CAP_MAX_THREADS_PER_BLOCK";
        needs.ask(capability, Demand::AtLeast(threads), range, || {
            format!("{threads} threads in a group")
        });
    }
}
