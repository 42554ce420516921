//! Resolves distances and later definitions: jumps and literals.

use source::{Checkpoint, Severity, TextRange, TextSize};

use super::DiagnosticSink;
use super::{CHECKPOINT_STATEMENTS, Dependence, Instruction, Jump, Program};
use crate::assembler::Dialect;
use crate::codes;
use crate::expression::{Address, Value};
use crate::instruction::{Assembled, Fixup, FixupKind};

/// The outcome of filling in a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filled {
    /// A number, or none that is known.
    Nothing,
    /// The distance to a place.
    Jump(Address),
    /// A diagnostic was reported, or would have been if there were room.
    Doubt,
}

impl Program {
    /// Fills in what instructions left open.
    pub(super) fn resolve(&mut self, sink: &mut DiagnosticSink, checkpoint: Checkpoint<'_>) {
        let mut instructions = std::mem::take(&mut self.instructions);
        for (index, instruction) in instructions.iter_mut().enumerate() {
            if index % CHECKPOINT_STATEMENTS == 0 {
                checkpoint();
            }
            let Some(assembled) = &mut instruction.assembled else { continue };
            if let Some(fixup) = assembled.fixup {
                let place = (instruction.statement, instruction.offset);
                match self.fill(place, assembled, fixup, sink) {
                    Filled::Nothing => {}
                    Filled::Jump(to) => {
                        self.jumps.push(Jump { statement: instruction.statement, to });
                    }
                    Filled::Doubt => instruction.depends_on = Dependence::Doubt,
                }
            }
        }
        self.instructions = instructions;
        if !self.jumps.is_sorted_by_key(|it| it.statement) {
            self.jumps.sort_by_key(|it| it.statement);
        }
    }

    /// Writes the distance of a jump into its words, where it has one that fits.
    pub(super) fn reach(&self, own: &mut Instruction, to: Address) -> Option<()> {
        let assembled = own.assembled.as_mut()?;
        let bytes = 4 * assembled.words().len() as i64;
        let here = Address { section: own.section, statement: own.statement, addend: bytes };
        let distance = self.layout.distance(&self.expansion, here, to)?;
        let is_whole = self.dialect == Dialect::Llvm || distance % 4 == 0;
        let words = i16::try_from(distance.div_euclid(4)).ok().filter(|_| is_whole)?;
        assembled.set_distance(words);
        Some(())
    }

    /// Fills in a value, as far as it is known.
    fn fill(
        &self,
        (statement, offset): (u32, u32),
        assembled: &mut Assembled,
        fixup: Fixup,
        sink: &mut DiagnosticSink,
    ) -> Filled {
        let whole = self.expansion.statements.get(statement as usize);
        let Some(whole) = whole else { return Filled::Nothing };
        let text = self.expansion.text(whole);
        let Some(operand) = fixup.text(text) else { return Filled::Nothing };
        let range = TextRange::new(TextSize::new(fixup.range.0), TextSize::new(fixup.range.1));
        let found = self.expansion.evaluate_placed(operand, 0, statement, Some(&self.layout));
        let Ok((value, _)) = found else { return Filled::Nothing };
        match (fixup.kind, value) {
            (FixupKind::Literal, Value::Absolute(value)) => assembled.apply_fixup(value as u32),
            (FixupKind::Branch, Value::Address(place)) => {
                let bytes = 4 * assembled.words().len() as i64;
                let here = Address { section: whole.section, statement, addend: bytes };
                let distance = self.layout.distance(&self.expansion, here, place);
                let Some(distance) = distance.filter(|_| place.section == whole.section) else {
                    return Filled::Nothing;
                };
                if self.dialect == Dialect::Clrx && distance % 4 != 0 {
                    let message = format!(
                        "`{operand}` is not the place of an instruction: a jump goes to a whole word"
                    );
                    let code = codes::JUMP_DISTANCE;
                    sink.report(&self.expansion, whole, range, code, Severity::Error, &message);
                    return Filled::Doubt;
                }
                match i16::try_from(distance.div_euclid(4)) {
                    Ok(words) => {
                        assembled.apply_fixup(words as u16 as u32);
                        return Filled::Jump(place);
                    }
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
                        return Filled::Doubt;
                    }
                }
            }
            (FixupKind::Branch, Value::Absolute(address)) if self.dialect == Dialect::Clrx => {
                // A number is an address of the section here.
                let behind = i64::from(offset) + 4 * assembled.words().len() as i64;
                let distance = address.wrapping_sub(behind).div_euclid(4);
                if let Ok(words) = i16::try_from(distance) {
                    assembled.apply_fixup(words as u16 as u32);
                }
            }
            (FixupKind::Branch, Value::Absolute(value)) => {
                assembled.apply_fixup(value as u16 as u32);
            }
            (_, Value::Undefined) => {
                let known = self.expansion.wanted.is_empty() && !self.expansion.incomplete;
                let severity = match (fixup.kind, known) {
                    // A command line gives numbers, but no place to jump to.
                    (FixupKind::Branch, true) => Severity::Warning,
                    _ => Severity::Hint,
                };
                sink.report_undefined(&self.expansion, whole, range, severity, fixup.kind);
                return Filled::Doubt;
            }
            // An address: the loader fills it in.
            _ => {}
        }
        Filled::Nothing
    }
}
