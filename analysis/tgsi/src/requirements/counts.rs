//! Counts of a shader: registers, instructions, nesting, threads.

use source::TextRange;

use super::{Demand, Needs};
use crate::Stage;
use crate::ast::{Declaration, Instruction, PropertyValue, Shader};
use crate::opcodes::Control;
use crate::register_set::RegisterSet;
use crate::words::{File, PropertyName, SemanticName};

/// Registers of a file, each once: drivers split what one register holds.
#[derive(Default)]
struct Registers {
    numbers: RegisterSet,
    count: i64,
}

impl Registers {
    fn add(&mut self, declared: &Declaration, limit: Limit, needs: &mut Needs) {
        self.count += i64::from(self.numbers.insert(declared.range.value));
        needs.at_least(limit, self.count, declared.range.range);
    }
}

/// A limit of drivers, and what it counts.
type Limit = (&'static str, &'static str);

impl Needs {
    /// Notes that so many of something are there.
    fn at_least(&mut self, (capability, what): Limit, number: i64, range: TextRange) {
        if number > 0 {
            self.ask(capability, Demand::AtLeast(number), range, || match number {
                1 => format!("1 {}", what.strip_suffix('s').unwrap_or(what)),
                _ => format!("{number} {what}"),
            });
        }
    }
}

const INPUTS: Limit = ("PIPE_SHADER_CAP_MAX_INPUTS", "input registers");
const OUTPUTS: Limit = ("PIPE_SHADER_CAP_MAX_OUTPUTS", "output registers");
const TEMPORARIES: Limit = ("PIPE_SHADER_CAP_MAX_TEMPS", "temporary registers");
const PATCH: Limit = ("PIPE_CAP_MAX_SHADER_PATCH_VARYINGS", "patch outputs");
const VARYINGS: Limit = ("PIPE_CAP_MAX_VARYINGS", "varyings");
const CONSTANT_BUFFERS: Limit = ("PIPE_SHADER_CAP_MAX_CONST_BUFFERS", "constant buffers");
const CONSTANT_BYTES: Limit = ("PIPE_SHADER_CAP_MAX_CONST_BUFFER_SIZE", "bytes of constants");
const SAMPLERS: Limit = ("PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS", "samplers");
const VIEWS: Limit = ("PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS", "sampler views");
const BUFFERS: Limit = ("PIPE_SHADER_CAP_MAX_SHADER_BUFFERS", "buffers");
const IMAGES: Limit = ("PIPE_SHADER_CAP_MAX_SHADER_IMAGES", "images");
const COUNTERS: Limit = ("PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS", "atomic counters");
const COUNTER_BUFFERS: Limit =
    ("PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS", "atomic counter buffers");
const TARGETS: Limit = ("PIPE_CAP_MAX_RENDER_TARGETS", "render targets");
const DEPTH: Limit = ("PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH", "nested blocks");
const INSTRUCTIONS: Limit = ("PIPE_SHADER_CAP_MAX_INSTRUCTIONS", "instructions");
const ARITHMETIC: Limit = ("PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS", "arithmetic instructions");
const TEXTURE: Limit = ("PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS", "texture instructions");
const COMPONENTS: Limit =
    ("PIPE_CAP_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS", "components of all vertices");

/// Everything that is counted.
#[derive(Default)]
pub(super) struct Counts {
    inputs: Registers,
    outputs: Registers,
    temporaries: Registers,
    patch: Registers,
    varyings: Registers,
    /// The vertices that may be emitted, and where that stands.
    vertices: Option<(u32, TextRange)>,
    block: [Option<(u32, TextRange)>; 3],
    depth: i64,
    instructions: i64,
    arithmetic: i64,
    texture: i64,
}

impl Counts {
    pub(super) fn declaration(&mut self, stage: Stage, declared: &Declaration, needs: &mut Needs) {
        let range = declared.range;
        let end = i64::from(range.value.last) + 1;
        let buffer = declared.dimension.flatten().map_or(0, |buffer| buffer.value.first);
        let buffers = i64::from(buffer) + 1;
        let name = declared.semantic.map(|semantic| semantic.value.name);
        match declared.file.value {
            File::Input => {
                self.inputs.add(declared, INPUTS, needs);
                if stage == Stage::Fragment
                    && matches!(name, Some(SemanticName::Generic | SemanticName::TextureCoordinate))
                {
                    self.varyings.add(declared, VARYINGS, needs);
                }
            }
            // Colours are counted apart there; the rest has no limit.
            File::Output if stage == Stage::Fragment => {
                if let Some(semantic) = declared.semantic
                    && semantic.value.name == SemanticName::Color
                {
                    let more = range.value.last.saturating_sub(range.value.first);
                    let last = i64::from(semantic.value.index) + i64::from(more);
                    needs.at_least(TARGETS, last + 1, range.range);
                }
            }
            File::Output => {
                self.outputs.add(declared, OUTPUTS, needs);
                if name == Some(SemanticName::Patch) {
                    self.patch.add(declared, PATCH, needs);
                }
            }
            File::Temporary => self.temporaries.add(declared, TEMPORARIES, needs),
            File::Constant => {
                needs.at_least(CONSTANT_BUFFERS, buffers, declared.file.range);
                needs.at_least(CONSTANT_BYTES, end * 16, range.range);
            }
            File::Sampler => needs.at_least(SAMPLERS, end, range.range),
            File::SamplerView => needs.at_least(VIEWS, end, range.range),
            File::Buffer => needs.at_least(BUFFERS, end, range.range),
            File::Image => needs.at_least(IMAGES, end, range.range),
            File::HardwareAtomic => {
                needs.at_least(COUNTERS, end, range.range);
                needs.at_least(COUNTER_BUFFERS, buffers, declared.file.range);
            }
            _ => {}
        }
    }

    pub(super) fn property(&mut self, name: PropertyName, value: PropertyValue, range: TextRange) {
        let PropertyValue::Number(number) = value else { return };
        match name {
            PropertyName::GeometryMaxOutputVertices => self.vertices = Some((number, range)),
            PropertyName::BlockWidth => self.block[0] = Some((number, range)),
            PropertyName::BlockHeight => self.block[1] = Some((number, range)),
            PropertyName::BlockDepth => self.block[2] = Some((number, range)),
            _ => {}
        }
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn instruction(&mut self, instruction: &Instruction, needs: &mut Needs) {
        let opcode = instruction.opcode;
        self.instructions += 1;
        let row = opcode.value.row();
        match row.path() {
            Control::If | Control::Loop | Control::Switch => {
                self.depth += 1;
                needs.at_least(DEPTH, self.depth, opcode.range);
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
        needs.at_least(INSTRUCTIONS, self.instructions, header);
        needs.at_least(ARITHMETIC, self.arithmetic, header);
        needs.at_least(TEXTURE, self.texture, header);
        if let (Stage::Geometry, Some((vertices, range))) = (stage, self.vertices) {
            let components = i64::from(vertices).saturating_mul(self.outputs.count * 4);
            needs.at_least(COMPONENTS, components, range);
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
