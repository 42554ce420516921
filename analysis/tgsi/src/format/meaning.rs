//! The meaning of a shader, apart from its spelling: the measure of what formatting may change.

use source::TextRange;

use crate::ast::{
    Declaration, Immediate, Instruction, Shader, Spanned, Statement, StatementKind, WriteMask,
};
use crate::words::{File, InterpolationLocation, MemoryKind, TextureTarget};

/// The shader without positions and instruction numbers, and with every
/// default that the text may leave out filled in or left out alike. Two texts
/// whose meanings are equal differ in layout only.
pub fn meaning(shader: &Shader) -> Shader {
    let mut shader = shader.clone();
    shader.stage.range = TextRange::default();
    // It follows from the words of the broken statements.
    shader.unread.clear();
    let indices = immediate_indices(&shader.statements);
    for (statement, index) in shader.statements.iter_mut().zip(indices) {
        statement.range = TextRange::default();
        match &mut statement.kind {
            StatementKind::Declaration(declaration) => erase_declaration(declaration),
            StatementKind::Immediate(immediate) => erase_immediate(immediate, index),
            StatementKind::Property(property) => {
                forget(&mut property.name);
                forget(&mut property.value);
            }
            StatementKind::Instruction(instruction) => erase_instruction(instruction),
            StatementKind::Unknown => {}
        }
    }
    shader
}

/// The number of each statement that is an immediate: the one it has, else
/// the one after the last. `None` after a statement that was not understood,
/// which may have been an immediate.
pub(super) fn immediate_indices(statements: &[Statement]) -> Vec<Option<u32>> {
    let mut next = Some(0u32);
    let number = |statement: &Statement| {
        if let StatementKind::Immediate(immediate) = &statement.kind {
            let number = immediate.index.map(|index| index.value).or(next);
            next = number.and_then(|number| number.checked_add(1));
            return number;
        }
        if statement.broken {
            next = None;
        }
        None
    };
    statements.iter().map(number).collect()
}

fn forget<T>(spanned: &mut Option<Spanned<T>>) {
    if let Some(spanned) = spanned {
        spanned.range = TextRange::default();
    }
}

fn erase_declaration(declaration: &mut Declaration) {
    declaration.file.range = TextRange::default();
    if let Some(dimension) = &mut declaration.dimension {
        forget(dimension);
    }
    declaration.range.range = TextRange::default();
    forget(&mut declaration.mask);
    declaration.mask = declaration.mask.take().filter(|mask| mask.value != WriteMask::ALL);
    forget(&mut declaration.array);
    forget(&mut declaration.semantic);
    forget(&mut declaration.interpolation);
    forget(&mut declaration.location);
    if declaration.interpolation.is_some() {
        let center = |location: &Spanned<InterpolationLocation>| {
            location.value == InterpolationLocation::Center
        };
        declaration.location = declaration.location.take().filter(|location| !center(location));
    }
    forget(&mut declaration.streams);
    declaration.streams = declaration.streams.take().filter(|streams| streams.value != [0; 4]);
    if let Some(image) = &mut declaration.image {
        image.target.range = TextRange::default();
        forget(&mut image.format);
        image.format = image.format.take().filter(|format| format.value != NO_FORMAT);
    }
    if let Some(view) = &mut declaration.sampler_view {
        view.target.range = TextRange::default();
    }
    forget(&mut declaration.memory);
    if declaration.file.value == File::Memory {
        let range = TextRange::default();
        declaration.memory.get_or_insert(Spanned { value: MemoryKind::Global, range });
    }
}

/// The format of an image that names none.
pub(super) const NO_FORMAT: &str = "PIPE_FORMAT_NONE";

fn erase_immediate(immediate: &mut Immediate, index: Option<u32>) {
    immediate.index = index.map(|value| Spanned { value, range: TextRange::default() });
    immediate.ty.range = TextRange::default();
    immediate.values.fill(TextRange::default());
}

fn erase_instruction(instruction: &mut Instruction) {
    instruction.number = None;
    instruction.indent = None;
    instruction.opcode.range = TextRange::default();
    if let Some(predicate) = &mut instruction.predicate {
        predicate.range = TextRange::default();
        predicate.register.range = TextRange::default();
    }
    for form in &mut instruction.historic {
        form.range = TextRange::default();
    }
    for destination in &mut instruction.destinations {
        destination.range = TextRange::default();
        destination.register.range = TextRange::default();
    }
    for source in &mut instruction.sources {
        source.range = TextRange::default();
        source.register.range = TextRange::default();
    }
    for offset in &mut instruction.offsets {
        offset.range = TextRange::default();
        offset.register.range = TextRange::default();
    }
    forget(&mut instruction.target);
    // A buffer is the target of accesses that name none.
    if !instruction.info().texture {
        let buffer = |target: &Spanned<TextureTarget>| target.value == TextureTarget::Buffer;
        instruction.target = instruction.target.take().filter(|target| !buffer(target));
    }
    for qualifier in &mut instruction.qualifiers {
        qualifier.range = TextRange::default();
    }
    instruction.qualifiers.sort_by_key(|qualifier| qualifier.value);
    instruction.qualifiers.dedup();
    instruction.format.iter_mut().for_each(|format| format.range = TextRange::default());
    instruction.format = instruction.format.take().filter(|format| format.value != NO_FORMAT);
    forget(&mut instruction.label);
}
