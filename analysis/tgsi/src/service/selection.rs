//! Ever larger parts of the text around a place: word, operand, statement,
//! block, shader.

use source::{TextRange, TextSize};

use super::folding;
use crate::ast::{Shader, StatementKind};
use crate::cursor;

/// The parts that hold an offset, the smallest first; each holds the one before.
pub fn selections(text: &str, shader: &Shader, offset: TextSize) -> Vec<TextRange> {
    let mut parts = Vec::new();
    if let Some(statement) = cursor::statement_at(shader, offset) {
        parts.extend(word(text, statement.range, offset));
        if let StatementKind::Instruction(instruction) = &statement.kind {
            let registers = instruction
                .destinations
                .iter()
                .map(|it| (it.register.range, it.range))
                .chain(instruction.sources.iter().map(|it| (it.register.range, it.range)))
                .chain(instruction.offsets.iter().map(|it| (it.register.range, it.range)));
            for (register, operand) in registers {
                parts.extend([register, operand].iter().filter(|it| it.contains_inclusive(offset)));
            }
        }
        parts.push(statement.range);
    } else {
        parts.extend(word(text, shader.stage.range, offset));
    }
    let mut blocks = folding::blocks(shader);
    blocks.retain(|block| block.contains_inclusive(offset));
    parts.extend(blocks);
    parts.push(whole(shader));
    // Each part holds the one before, and is larger.
    let mut selections: Vec<TextRange> = Vec::new();
    parts.sort_by_key(|part| part.len());
    for part in parts {
        let fits = selections
            .last()
            .is_none_or(|last| part.contains_range(*last) && part.len() > last.len());
        if part.contains_inclusive(offset) && fits {
            selections.push(part);
        }
    }
    selections
}

/// From the header to the last statement.
fn whole(shader: &Shader) -> TextRange {
    let last = shader.statements.last().map_or(shader.stage.range, |last| last.range);
    shader.stage.range.cover(last)
}

/// The word or number that the offset touches.
fn word(text: &str, within: TextRange, offset: TextSize) -> Option<TextRange> {
    cursor::word_at(text, within, offset).map(|(range, _)| range)
}
