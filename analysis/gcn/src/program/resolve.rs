//! Resolves distances and later definitions: jumps and literals.

use source::{Checkpoint, Severity, TextRange, TextSize};

use super::DiagnosticSink;
use super::{CHECKPOINT_STATEMENTS, Program};
use crate::assembler::Dialect;
use crate::codes;
use crate::expression::{Place, Value};
use crate::instruction::{Assembled, Later, LaterPlace};

impl Program {
    /// Fills in what instructions left open.
    pub(super) fn resolve(&mut self, sink: &mut DiagnosticSink, checkpoint: Checkpoint<'_>) {
        let mut instructions = std::mem::take(&mut self.instructions);
        for (index, instruction) in instructions.iter_mut().enumerate() {
            if index % CHECKPOINT_STATEMENTS == 0 {
                checkpoint();
            }
            let Some(assembled) = &mut instruction.assembled else { continue };
            if let Some(later) = assembled.later {
                let place = (instruction.statement, instruction.offset);
                self.fill(place, assembled, later, sink);
            }
        }
        self.instructions = instructions;
    }

    fn fill(
        &self,
        (statement, offset): (u32, u32),
        assembled: &mut Assembled,
        later: Later,
        sink: &mut DiagnosticSink,
    ) {
        let Some(whole) = self.expansion.statements.get(statement as usize) else { return };
        let text = self.expansion.text(whole);
        let Some(operand) = later.text(text) else { return };
        let range = TextRange::new(TextSize::new(later.range.0), TextSize::new(later.range.1));
        let found = self.expansion.evaluate_placed(operand, 0, statement, Some(&self.layout));
        let Ok((value, _)) = found else { return };
        match (later.place, value) {
            (LaterPlace::Literal, Value::Absolute(value)) => assembled.fill_later(value as u32),
            (LaterPlace::Branch, Value::Place(place)) => {
                let bytes = 4 * assembled.words().len() as i64;
                let here = Place { section: whole.section, statement, addend: bytes };
                let distance = self.layout.distance(&self.expansion, here, place);
                let Some(distance) = distance.filter(|_| place.section == whole.section) else {
                    return;
                };
                match i16::try_from(distance.div_euclid(4)) {
                    Ok(words) => assembled.fill_later(words as u16 as u32),
                    Err(_) => {
                        let message = format!(
                            "a jump reaches 32767 words ahead and 32768 back; \
                             `{operand}` is {} words away",
                            distance.div_euclid(4)
                        );
                        let severity = match self.expansion.incomplete {
                            true => Severity::Hint,
                            false => Severity::Error,
                        };
                        let code = codes::JUMP_DISTANCE;
                        sink.report(&self.expansion, whole, range, code, severity, &message);
                    }
                }
            }
            (LaterPlace::Branch, Value::Absolute(address)) if self.dialect == Dialect::Clrx => {
                // A number is an address of the section here.
                let behind = i64::from(offset) + 4 * assembled.words().len() as i64;
                let distance = address.wrapping_sub(behind).div_euclid(4);
                if let Ok(words) = i16::try_from(distance) {
                    assembled.fill_later(words as u16 as u32);
                }
            }
            (LaterPlace::Branch, Value::Absolute(value)) => {
                assembled.fill_later(value as u16 as u32);
            }
            (_, Value::Undefined) => {
                let known = self.expansion.wanted.is_empty() && !self.expansion.incomplete;
                let severity = match (later.place, known) {
                    // A command line gives numbers, but no place to jump to.
                    (LaterPlace::Branch, true) => Severity::Warning,
                    _ => Severity::Hint,
                };
                sink.report_undefined(&self.expansion, whole, range, severity, later.place);
            }
            // An address: the loader fills it in.
            _ => {}
        }
    }
}
