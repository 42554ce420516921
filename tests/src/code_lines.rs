//! Code from lines of assembly, for tests of what needs no program.
//!
//! Unit tests include this file, too.

use std::collections::HashMap;

use gcn::Target;
use gcn::analysis::{Code, Instruction, image_address};
use gcn::instruction::{FixupKind, InstructionSet, NoSymbols, assemble_line};

/// Assembles lines of LLVM's dialect: instructions, `label:` lines, comments. Directives are
/// passed over.
///
/// # Errors
/// The first line that is not an instruction of the chip, with the reason.
pub fn from_lines(target: Target, text: &str) -> Result<Code, String> {
    let set = InstructionSet::of(target);
    let mut instructions = Vec::new();
    let mut labels = HashMap::new();
    let mut jumps = Vec::new();
    let mut offset = 0_u32;
    for (index, line) in text.lines().enumerate() {
        let line = line.split([';', '#']).next().unwrap_or("");
        let line = line.split("//").next().unwrap_or("").trim();
        if let Some(label) = line.strip_suffix(':') {
            labels.insert(label.trim(), offset);
            continue;
        }
        if line.is_empty() || line.starts_with('.') {
            continue;
        }
        let assembled = assemble_line(line, set, &NoSymbols)
            .map_err(|error| format!("line {index}: {error:?}"))?;
        if let Some(fixup) = assembled.fixup.filter(|fixup| fixup.kind == FixupKind::Branch) {
            let (start, end) = (fixup.range.0 as usize, fixup.range.1 as usize);
            jumps.push((instructions.len(), line[start..end].trim()));
        }
        let count = image_address(line, assembled.words(), target);
        let instruction = Instruction::new(offset, assembled.words(), count);
        offset = instruction.end();
        instructions.push(instruction);
    }
    for (index, label) in jumps {
        if let Some(target) = labels.get(label) {
            instructions[index].jump_to(*target);
        }
    }
    Ok(Code::of(target, instructions))
}
