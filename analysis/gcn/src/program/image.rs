//! The bytes of a section: instructions, data, padding.

use super::{Instruction, Program};
use crate::assembler::data::{self, Known};
use crate::assembler::result::StatementKind;

/// The contents of sections in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The bytes; zero where a value is not known.
    pub bytes: Vec<u8>,
    /// True if all of it is known: no instruction is wrong, no size or value is unknown, and
    /// the section was not cut.
    pub complete: bool,
}

/// A section is cut at so many bytes: `.space` can ask for any number.
const LARGEST: usize = 256 << 20;

impl Program {
    /// The bytes of a section.
    pub fn image(&self, section: u32) -> Image {
        let mut image = Image { bytes: Vec::new(), complete: true };
        let statements = self.expansion.statements.iter().zip(0..);
        let mut instructions = self.instructions[self.instructions_of_section(section)].iter();
        for (what, index) in statements.filter(|(statement, _)| statement.section == section) {
            let known = match what.kind {
                StatementKind::Instruction => {
                    write_instruction(instructions.next(), &mut image.bytes)
                }
                _ => self.write(index, &mut image.bytes),
            };
            image.complete &= known == Known::Fully;
        }
        image
    }

    /// The bytes that a statement puts into its section, none for a wrong one.
    pub fn bytes_of_statement(&self, statement: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(statement, &mut bytes);
        bytes
    }

    /// The bytes that a statement puts into its section, where all of them are known.
    pub(crate) fn known_bytes_of_statement(&self, statement: u32) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        (self.write(statement, &mut bytes) == Known::Fully).then_some(bytes)
    }

    /// Writes the bytes of a statement behind others.
    fn write(&self, statement: u32, bytes: &mut Vec<u8>) -> Known {
        let Some(what) = self.expansion.statements.get(statement as usize) else {
            return Known::Partly;
        };
        let size = match what.kind {
            StatementKind::Label(_) | StatementKind::NumericLabel | StatementKind::Directive => {
                return Known::Fully;
            }
            StatementKind::Instruction => {
                return write_instruction(self.instruction_of_statement(statement), bytes);
            }
            StatementKind::Data(size) => size,
            StatementKind::Align(to) => {
                let start = self.layout.start(statement);
                let end = start.bytes.checked_next_multiple_of(to.max(1));
                end.filter(|_| start.unknown == 0).map(|end| end - start.bytes)
            }
            StatementKind::Origin(to) => {
                let start = self.layout.start(statement);
                to.checked_sub(start.bytes).filter(|_| start.unknown == 0)
            }
            StatementKind::Moved => None,
        };
        let Some(size) = size.and_then(|size| usize::try_from(size).ok()) else {
            return Known::Partly;
        };
        let start = bytes.len();
        let end = start.saturating_add(size).min(LARGEST.max(start));
        bytes.resize(end, 0);
        let known = data::write(&self.expansion, &self.layout, statement, &mut bytes[start..]);
        if end - start < size { Known::Partly } else { known }
    }

    /// The instruction that a statement is.
    pub fn instruction_of_statement(&self, statement: u32) -> Option<&Instruction> {
        let section = self.expansion.statements.get(statement as usize)?.section;
        let key = (section, statement);
        let found = self.instructions.binary_search_by_key(&key, |it| (it.section, it.statement));
        self.instructions.get(found.ok()?)
    }
}

/// Writes the words of an instruction behind other bytes.
fn write_instruction(instruction: Option<&Instruction>, bytes: &mut Vec<u8>) -> Known {
    let Some(assembled) = instruction.and_then(|it| it.assembled.as_ref()) else {
        return Known::Partly;
    };
    for word in assembled.words() {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    Known::Fully
}
