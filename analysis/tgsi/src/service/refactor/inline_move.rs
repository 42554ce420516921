//! The reads of a `MOV`'s result read its source, and the `MOV` goes.
//!
//! Only where nothing else writes the result, every read follows in the same stretch
//! without branches, and the source keeps its value until the last of them.

use source::{TextEdit, TextSize};

use super::{declaration_at, declaration_of, slice, with_line, without};
use crate::ast::{Component, Instruction, Register, Shader, Source, Statement, Swizzle};
use crate::opcodes::{Opcode, ValueType};
use crate::print;
use crate::service::accesses::{AccessKind, accesses};
use crate::validate::{reads_value, source_components, steers};
use crate::words::File;

pub(super) fn edits(text: &str, shader: &Shader, offset: TextSize) -> Option<Vec<TextEdit>> {
    let instructions: Vec<(&Statement, &Instruction)> = shader.instruction_statements().collect();
    let place = instructions.iter().position(|(it, _)| it.range.contains_inclusive(offset))?;
    let (statement, move_) = instructions[place];
    let (destination, source) = is_plain(move_)?;
    let number = u32::try_from(destination.register.index.offset).ok()?;
    let mask = destination.mask;

    // Every place that names the result: this write, and reads of its components.
    let uses = accesses(text, shader);
    let named = uses.iter().filter(|it| {
        it.kind != AccessKind::Declaration
            && it.span.file == File::Temporary
            && (it.span.first..=it.span.last).contains(&number)
    });
    let (mut writes, mut reads) = (0, 0);
    for access in named {
        if access.span.first != access.span.last {
            return None;
        }
        match access.kind {
            AccessKind::Write => writes += 1,
            _ => reads += 1,
        }
    }
    if writes != 1 || reads == 0 {
        return None;
    }

    let mut edits = Vec::new();
    let mut replaced = 0;
    for (statement, instruction) in &instructions[place + 1..] {
        if replaced == reads || statement.range.is_empty() {
            break;
        }
        if steers(instruction.opcode.value) {
            return None;
        }
        for (operand, read) in instruction.sources.iter().enumerate() {
            if read.register.temporary() != Some(number) {
                continue;
            }
            let with = inlined(text, instruction, operand, read, source, mask.0)?;
            edits.push(TextEdit { range: read.range, insert: with });
            replaced += 1;
        }
        // Reads come before writes within one instruction.
        let changes = |register: &Register| {
            register.file == source.register.file
                && (register.index.indirect.is_some()
                    || register.index.offset == source.register.index.offset)
        };
        let changed = instruction.destinations.iter().any(|it| changes(&it.register));
        if changed && replaced < reads {
            return None;
        }
    }
    if replaced != reads {
        return None;
    }
    edits.push(TextEdit { range: with_line(text, statement.range), insert: String::new() });
    // Labels count instructions.
    for (_, instruction) in &instructions {
        if let Some(label) = instruction.label.filter(|label| label.value as usize > place) {
            edits.push(TextEdit { range: label.range, insert: (label.value - 1).to_string() });
        }
    }
    edits.extend(undeclared(text, shader, number));
    Some(edits)
}

/// The result and the source of a `MOV` that does nothing else.
fn is_plain(instruction: &Instruction) -> Option<(&crate::ast::Destination, &Source)> {
    let alone = instruction.opcode.value == Opcode::MOV
        && !instruction.saturate
        && !instruction.signed_saturate
        && instruction.predicate.is_none()
        && instruction.historic.is_empty();
    let destination = instruction.destinations.first().filter(|_| alone)?;
    let source = instruction.sources.first()?;
    let register = &destination.register;
    let direct = |it: &Register| !it.is_computed();
    let kept = matches!(
        source.register.file,
        File::Constant | File::Immediate | File::Input | File::SystemValue | File::Temporary
    );
    let itself = source.register.file == File::Temporary
        && source.register.index.offset == register.index.offset;
    let result = register.file == File::Temporary && register.dimension.is_none();
    (result && direct(register) && direct(&source.register) && kept && !itself)
        .then_some((destination, source))
}

/// The operand that reads the source in place of the result.
fn inlined(
    text: &str,
    instruction: &Instruction,
    operand: usize,
    read: &Source,
    source: &Source,
    written: u8,
) -> Option<String> {
    let opcode = instruction.opcode.value;
    if !reads_value(opcode, operand) || !instruction.historic.is_empty() {
        return None;
    }
    // A sign of a float is none of an integer.
    let signs = source.negate || source.absolute;
    if signs && opcode.row().source_types.get(operand) != Some(&ValueType::Float) {
        return None;
    }
    let needed = source_components(instruction, operand);
    let mut swizzle = [Component::X; 4];
    let mut some = None;
    for (position, component) in read.swizzle.0.into_iter().enumerate() {
        if written & 1 << component as u8 != 0 {
            swizzle[position] = source.swizzle.0[component as usize];
            some = some.or(Some(swizzle[position]));
        } else if needed.is_none_or(|needed| needed & 1 << component as u8 != 0) {
            return None;
        }
    }
    for (position, component) in read.swizzle.0.into_iter().enumerate() {
        if written & 1 << component as u8 == 0 {
            swizzle[position] = some?;
        }
    }
    let absolute = read.absolute || source.absolute;
    let negate = if read.absolute { read.negate } else { read.negate != source.negate };
    let register = slice(text, source.register.range)?;
    let bar = if absolute { "|" } else { "" };
    let sign = if negate { "-" } else { "" };
    let letters = print::swizzle(Swizzle(swizzle));
    Some(format!("{sign}{bar}{register}{letters}{bar}"))
}

/// The edits that take a register that nothing uses any more out of its declaration.
fn undeclared(text: &str, shader: &Shader, number: u32) -> Vec<TextEdit> {
    let declared = declaration_at(shader, File::Temporary, number);
    let Some((statement, declaration)) = declared else { return Vec::new() };
    if declaration.array.is_some() {
        return Vec::new();
    }
    let parts = without(declaration.range.value, number);
    let lines = parts.filter_map(|part| declaration_of(text, statement, declaration, part));
    let lines: Vec<String> = lines.collect();
    let range = match lines.is_empty() {
        true => with_line(text, statement.range),
        false => statement.range,
    };
    let insert = lines.join(&format!("\n{}", super::indentation(text, statement)));
    vec![TextEdit { range, insert }]
}
