//! The walk over a shader that notes what it asks for, word by word.

use source::TextRange;

use super::counts::Counts;
use super::{Demand, Needs, sampling};
use crate::Stage;
use crate::ast::{
    Declaration, Immediate, Instruction, PropertyValue, Register, Shader, StatementKind,
};
use crate::opcodes::Opcode;
use crate::words::{File, PropertyName, SemanticName};

/// The most declarations of images that are compared with accesses: no driver
/// has as many.
const MOST_IMAGES: usize = 64;

/// Declarations and immediates that instructions refer to.
pub(super) struct Known<'a> {
    pub(super) stage: Stage,
    pub(super) immediates: Vec<&'a Immediate>,
    /// Ranges of images whose declaration says a format.
    formatted: Vec<(u32, u32)>,
}

impl<'a> Known<'a> {
    fn new(shader: &'a Shader) -> Known<'a> {
        let images = shader.declarations().filter(|declared| declared.file.value == File::Image);
        let formatted = images.take(MOST_IMAGES).filter_map(|declared| {
            let format = declared.image.as_ref()?.format.as_ref()?;
            let range = declared.range.value;
            is_format(&format.value).then_some((range.first, range.last))
        });
        Known {
            stage: shader.stage.value,
            immediates: shader.immediates().collect(),
            formatted: formatted.collect(),
        }
    }
}

/// Notes everything that a shader asks for.
pub(super) fn gather(shader: &Shader, needs: &mut Needs, checkpoint: source::Checkpoint<'_>) {
    let stage = shader.stage.value;
    needs.word("stage", stage.word(), stage, shader.stage.range);
    let known = Known::new(shader);
    let mut counts = Counts::default();
    for (number, statement) in shader.statements.iter().enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        match &statement.kind {
            StatementKind::Declaration(declared) => {
                declaration(stage, declared, needs);
                counts.declaration(stage, declared, needs);
            }
            StatementKind::Immediate(immediate) => {
                let ty = immediate.ty;
                needs.word("immediate", ty.value.word(), stage, ty.range);
            }
            StatementKind::Property(property) => {
                let (Some(name), Some(value)) = (property.name, property.value) else { continue };
                self::property(stage, name.value, value.value, value.range, needs);
                counts.property(name.value, value.value, value.range);
            }
            StatementKind::Instruction(instruction) => {
                self::instruction(&known, instruction, needs);
                counts.instruction(instruction, needs);
            }
            StatementKind::Unknown => {}
        }
    }
    counts.finish(shader, needs);
}

fn declaration(stage: Stage, declared: &Declaration, needs: &mut Needs) {
    let file = declared.file;
    needs.word("file", file.value.word(), stage, file.range);
    if let Some(location) = declared.location {
        needs.word("location", location.value.word(), stage, location.range);
    }
    if let Some(view) = &declared.sampler_view {
        sampling::target(stage, view.target, needs);
    }
    if let Some(image) = &declared.image {
        sampling::target(stage, image.target, needs);
    }
    if let Some(streams) = declared.streams {
        let highest = streams.value.iter().copied().max().unwrap_or(0);
        stream(highest, streams.range, needs);
    }
    if matches!(file.value, File::Input | File::Output) {
        if declared.range.value.last > declared.range.value.first {
            let capability = "PIPE_SHADER_CAP_TGSI_ANY_INOUT_DECL_RANGE";
            needs.ask(capability, Demand::Yes, declared.range.range, || {
                format!("a range of several {}", file.value)
            });
        }
        if let (Some(mask), true) = (declared.mask, declared.array.is_some()) {
            needs.ask("PIPE_CAP_TGSI_ARRAY_COMPONENTS", Demand::Yes, mask.range, || {
                "an array of some components".to_owned()
            });
        }
    }
    if let Some(semantic) = declared.semantic {
        self::semantic(stage, file.value, semantic.value.name, semantic.range, needs);
    }
}

fn stream(number: u32, range: TextRange, needs: &mut Needs) {
    let demand = Demand::AtLeast(i64::from(number) + 1);
    needs.ask("PIPE_CAP_MAX_VERTEX_STREAMS", demand, range, || format!("vertex stream {number}"));
}

fn semantic(stage: Stage, file: File, name: SemanticName, range: TextRange, needs: &mut Needs) {
    // Vertex inputs of old texts name what the application binds.
    if file == File::Input && stage == Stage::Vertex {
        return;
    }
    needs.word("semantic", name.word(), stage, range);
    let system = file == File::SystemValue;
    let (capability, demand) = match (stage, name) {
        (Stage::Vertex, SemanticName::Layer | SemanticName::ViewportIndex) => {
            ("PIPE_CAP_TGSI_VS_LAYER_VIEWPORT", Demand::Yes)
        }
        (Stage::TessellationEvaluation, SemanticName::Layer | SemanticName::ViewportIndex)
            if file == File::Output =>
        {
            ("PIPE_CAP_TGSI_TES_LAYER_VIEWPORT", Demand::Yes)
        }
        (Stage::Fragment, SemanticName::Position) if file != File::Output => {
            ("PIPE_CAP_TGSI_FS_POSITION_IS_SYSVAL", Demand::Form(system))
        }
        (Stage::Fragment, SemanticName::PointCoordinate) => {
            ("PIPE_CAP_TGSI_FS_POINT_IS_SYSVAL", Demand::Form(system))
        }
        (Stage::Fragment, SemanticName::Face) => {
            ("PIPE_CAP_TGSI_FS_FACE_IS_INTEGER_SYSVAL", Demand::Form(system))
        }
        (
            Stage::TessellationEvaluation,
            SemanticName::TessellationOuter | SemanticName::TessellationInner,
        ) => ("PIPE_CAP_GLSL_TESS_LEVELS_AS_INPUTS", Demand::Form(!system)),
        (Stage::Vertex, SemanticName::VertexId) => {
            ("PIPE_CAP_VERTEXID_NOBASE", Demand::Form(false))
        }
        _ => return,
    };
    needs.ask(capability, demand, range, || format!("{name} in {file} of {stage}"));
}

fn property(
    stage: Stage,
    name: PropertyName,
    value: PropertyValue,
    range: TextRange,
    needs: &mut Needs,
) {
    match value {
        // What is switched off asks for nothing.
        PropertyValue::Number(0) => {}
        PropertyValue::Number(number) => {
            needs.word("property", name.word(), stage, range);
            let limit = match name {
                PropertyName::GeometryInvocations => "PIPE_CAP_MAX_GS_INVOCATIONS",
                PropertyName::GeometryMaxOutputVertices | PropertyName::GeometryMaxVertices => {
                    "PIPE_CAP_MAX_GEOMETRY_OUTPUT_VERTICES"
                }
                _ => return,
            };
            let demand = Demand::AtLeast(i64::from(number));
            needs.ask(limit, demand, range, || format!("{name} {number}"));
        }
        PropertyValue::Origin(word) => needs.word("origin", word.word(), stage, range),
        PropertyValue::PixelCenter(word) => needs.word("center", word.word(), stage, range),
        PropertyValue::Primitive(_) | PropertyValue::Stage(_) => {}
    }
}

fn instruction(known: &Known<'_>, instruction: &Instruction, needs: &mut Needs) {
    let stage = known.stage;
    let opcode = instruction.opcode;
    needs.word("opcode", opcode.value.mnemonic(), stage, opcode.range);
    if instruction.saturate && stage == Stage::Vertex {
        needs.ask("PIPE_CAP_VERTEX_SHADER_SATURATE", Demand::Yes, opcode.range, || {
            "`_SAT` in VERT".to_owned()
        });
    }
    for destination in &instruction.destinations {
        register(&destination.register, needs);
    }
    for source in &instruction.sources {
        register(&source.register, needs);
        if source.register.file == File::Output
            && stage != Stage::TessellationControl
            && opcode.value != Opcode::FBFETCH
        {
            needs.ask("PIPE_CAP_TGSI_CAN_READ_OUTPUTS", Demand::Yes, source.range, || {
                format!("OUT as a source in {stage}")
            });
        }
    }
    sampling::check(known, instruction, needs);
    access(known, instruction, needs);
}

/// Memory accesses, the render target and vertex streams.
fn access(known: &Known<'_>, instruction: &Instruction, needs: &mut Needs) {
    let Some(source) = instruction.sources.first() else { return };
    let register = &source.register;
    let opcode = instruction.opcode.value;
    if opcode == Opcode::LOAD {
        if matches!(register.file, File::Constant | File::ConstantBuffer) {
            needs.ask("PIPE_CAP_LOAD_CONSTBUF", Demand::Yes, source.range, || {
                format!("`LOAD` from {}", register.file)
            });
        } else if register.file == File::Image && !has_format(known, instruction, register) {
            needs.ask("PIPE_CAP_IMAGE_LOAD_FORMATTED", Demand::Yes, source.range, || {
                "`LOAD` from an image without a format".to_owned()
            });
        }
    } else if opcode == Opcode::FBFETCH {
        let targets = i64::from(register.index.offset.max(0)) + 1;
        needs.ask("PIPE_CAP_FBFETCH", Demand::AtLeast(targets), source.range, || {
            "`FBFETCH`".to_owned()
        });
    } else if matches!(opcode, Opcode::EMIT | Opcode::ENDPRIM)
        && let Some(number) = sampling::immediate(known, register, source.swizzle.0[0])
    {
        stream(number, source.range, needs);
    }
}

/// Tells whether the access or the image's declaration says a format.
fn has_format(known: &Known<'_>, instruction: &Instruction, image: &Register) -> bool {
    if instruction.format.as_ref().is_some_and(|format| is_format(&format.value)) {
        return true;
    }
    let Ok(number) = u32::try_from(image.index.offset) else { return false };
    known.formatted.iter().any(|(first, last)| (first..=last).contains(&&number))
}

fn is_format(word: &str) -> bool {
    !word.eq_ignore_ascii_case("PIPE_FORMAT_NONE")
}

/// Indices that are computed, and out of what.
fn register(register: &Register, needs: &mut Needs) {
    let capability = match register.file {
        File::Input => Some("PIPE_SHADER_CAP_INDIRECT_INPUT_ADDR"),
        File::Output => Some("PIPE_SHADER_CAP_INDIRECT_OUTPUT_ADDR"),
        File::Temporary => Some("PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR"),
        File::Constant => Some("PIPE_SHADER_CAP_INDIRECT_CONST_ADDR"),
        _ => None,
    };
    for index in [Some(register.index), register.dimension].into_iter().flatten() {
        let Some(indirect) = index.indirect else { continue };
        if let Some(capability) = capability {
            needs.ask(capability, Demand::Yes, register.range, || {
                format!("{} with a computed number", register.file)
            });
        }
        if indirect.file != File::Address {
            needs.ask("PIPE_CAP_TGSI_ANY_REG_AS_ADDRESS", Demand::Yes, register.range, || {
                format!("an index out of {}", indirect.file)
            });
        }
    }
}
