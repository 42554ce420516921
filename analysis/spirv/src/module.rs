//! A whole module: checks, the translation, and the parts in the order that SPIR-V wants.

use lower::declared::Declared;
use lower::failure::{Failure, unsupported};
use tgsi::Stage;
use tgsi::ast::{PropertyValue, Shader};
use tgsi::words::PropertyName;

use crate::builder::{Builder, push};
use crate::context::Translation;
use crate::exchange::ValuePlaces;
use crate::layout::Binding;
use crate::options::Options;
use crate::words::{AddressingModel, ExecutionModel, MemoryModel, Op, string_words};

/// The most instructions of a shader, as other compilers of TGSI have it.
pub(crate) const MOST_INSTRUCTIONS: usize = 16384;

/// The first word of a module.
pub(crate) const MAGIC: u32 = 0x0723_0203;
/// SPIR-V 1.3, the newest version that every Vulkan 1.1 reads.
const VERSION: u32 = 0x0001_0300;

/// A module and what a pipeline needs to know of it. Its entry point is `main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The stage of its entry point.
    pub stage: Stage,
    /// The module, in words of the machine's order; files have them as four bytes each.
    pub words: Vec<u32>,
    /// The bindings of descriptor set 0 that it uses, by number.
    pub bindings: Vec<Binding>,
    /// The number of instructions of the shader.
    pub instructions: u32,
    /// The places of values in their buffers, where they come and go by such.
    pub values: Option<ValuePlaces>,
}

impl Module {
    /// Returns the module as a file has it: the lowest byte of each word first.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Translates a shader.
pub(crate) fn translate(shader: &Shader, options: &Options) -> Result<Module, Vec<Failure>> {
    let mut failures = lower::broken_statements(shader);
    if !failures.is_empty() {
        return Err(failures);
    }
    let declared = Declared::gather(shader, &mut failures);
    // What uses a declaration that cannot be translated would only say so again.
    if !failures.is_empty() {
        return Err(failures);
    }
    let mut translation = Translation::new(shader, declared, options);
    if let Some(beyond) = translation.instructions.get(MOST_INSTRUCTIONS) {
        let construct = format!("more than {MOST_INSTRUCTIONS} instructions");
        return Err(vec![unsupported(beyond.opcode.range, construct)]);
    }
    let mut failures = refused_properties(shader);
    failures.extend(translation.refused_state());
    failures.extend(translation.functions());
    if !failures.is_empty() {
        failures.sort_by_key(|failure| (failure.range.start(), failure.range.end()));
        failures.dedup();
        return Err(failures);
    }
    let instructions = translation.instructions.len() as u32;
    let bindings = translation.bindings.iter().copied().collect();
    let values = translation.by_buffers().then(|| translation.value_places());
    let words = assemble(translation.builder, shader.stage.value, &options.file);
    Ok(Module { stage: shader.stage.value, words, bindings, instructions, values })
}

/// Properties that Vulkan has no word for.
fn refused_properties(shader: &Shader) -> Vec<Failure> {
    let refused = |property: &tgsi::ast::Property| {
        let name = property.name?;
        let value = property.value?.value;
        (value != PropertyValue::Number(0)
            && matches!(
                name.value,
                PropertyName::BlitSgprs
                    | PropertyName::WindowSpacePosition
                    | PropertyName::LayerViewportRelative
            ))
        .then(|| unsupported(name.range, format!("property {}", name.value)))
    };
    shader.properties().filter_map(refused).collect()
}

/// Joins the parts of a module.
fn assemble(builder: Builder, stage: Stage, file: &str) -> Vec<u32> {
    let mut words = vec![MAGIC, VERSION, 0, builder.bound(), 0];
    let mut extensions: Vec<&str> = Vec::new();
    for capability in &builder.capabilities {
        push(&mut words, Op::Capability, &[*capability as u32]);
        extensions.extend(capability.extension());
    }
    extensions.sort_unstable();
    extensions.dedup();
    for extension in extensions {
        push(&mut words, Op::Extension, &string_words(extension));
    }
    let set = [vec![builder.extended.0], string_words("GLSL.std.450")].concat();
    push(&mut words, Op::ExtInstImport, &set);
    let model = [AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32];
    push(&mut words, Op::MemoryModel, &model);
    let mut entry = vec![execution_model(stage) as u32, builder.main.0];
    entry.extend(string_words("main"));
    entry.extend(builder.interface.iter().map(|variable| variable.0));
    push(&mut words, Op::EntryPoint, &entry);
    words.extend(builder.modes);
    push(&mut words, Op::String, &[vec![builder.file.0], string_words(file)].concat());
    words.extend(builder.names);
    words.extend(builder.decorations);
    words.extend(builder.globals);
    words.extend(builder.functions);
    words
}

fn execution_model(stage: Stage) -> ExecutionModel {
    match stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::TessellationControl => ExecutionModel::TessellationControl,
        Stage::TessellationEvaluation => ExecutionModel::TessellationEvaluation,
        Stage::Geometry => ExecutionModel::Geometry,
        Stage::Fragment => ExecutionModel::Fragment,
        Stage::Compute => ExecutionModel::GLCompute,
    }
}
