//! Checks of words that only some stages have: opcodes, files, kinds of memory.
//!
//! Facts: the `stages` column of `isa/data/tgsi/opcodes.tsv` and `data/words.tsv`.

use crate::ast::{Declaration, Instruction};
use crate::codes;
use crate::report::Report;
use crate::words::{File, MemoryKind, Stage};

/// Checks that an opcode is one of this stage.
pub(super) fn check_opcode(stage: Stage, instruction: &Instruction, report: &mut Report) {
    let row = instruction.info();
    if row.is_for(stage.word()) {
        return;
    }
    report.warning(codes::OPCODE_STAGE, instruction.opcode.range, || {
        let stages = row.stages.replace(' ', " and ");
        format!("`{}` is for {stages} only", row.mnemonic)
    });
}

/// Checks that a file or a kind of memory is one of this stage.
pub(super) fn check_declaration(stage: Stage, declaration: &Declaration, report: &mut Report) {
    let file = declaration.file;
    if stage == Stage::Compute && matches!(file.value, File::Input | File::Output) {
        report.warning(codes::FILE_STAGE, file.range, || {
            format!("compute shaders have no {}", file.value)
        });
    }
    if let Some(memory) = declaration.memory
        && stage != Stage::Compute
        && matches!(memory.value, MemoryKind::Shared | MemoryKind::Input)
    {
        report.warning(codes::FILE_STAGE, memory.range, || {
            format!("{} memory is for COMP only", memory.value)
        });
    }
}
