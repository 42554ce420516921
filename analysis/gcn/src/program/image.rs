//! The bytes of a section: instructions, data, padding.

use super::Program;
use crate::assembler::data::{self, Known};
use crate::assembler::result::StatementKind;

/// What a section holds in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The bytes; zero where a value is not known.
    pub bytes: Vec<u8>,
    /// Whether all of it is known: no instruction is wrong, no size is unknown, and
    /// the section was not cut.
    pub complete: bool,
}

/// A section is cut at so many bytes: `.space` can ask for any number.
const LARGEST: u64 = 256 << 20;

impl Program {
    /// The bytes of a section.
    pub fn image(&self, section: u32) -> Image {
        let end = self.layout.end(section);
        let mut image = Image { bytes: Vec::new(), complete: end.unknown == 0 };
        let last = end.bytes.min(LARGEST);
        image.complete &= last == end.bytes;
        if end.unknown > 0 {
            return image;
        }
        image.bytes.resize(last as usize, 0);
        for instruction in &self.instructions[self.instructions_of_section(section)] {
            let Some(assembled) = &instruction.assembled else {
                image.complete = false;
                continue;
            };
            let start = instruction.offset as usize;
            for (byte, at) in assembled.bytes().zip(start..) {
                match image.bytes.get_mut(at) {
                    Some(place) => *place = byte,
                    None => image.complete = false,
                }
            }
        }
        for (statement, index) in self.expansion.statements.iter().zip(0..) {
            let size = match statement.kind {
                _ if statement.section != section => continue,
                StatementKind::Data(size) => size,
                StatementKind::Align(to) => {
                    let start = self.layout.start(index).bytes;
                    start.checked_next_multiple_of(to.max(1)).map(|end| end - start)
                }
                _ => continue,
            };
            let start = self.layout.start(index).bytes as usize;
            let end = size.map_or(start, |size| start.saturating_add(size as usize));
            let last = image.bytes.len();
            let place = &mut image.bytes[start.min(last)..end.min(last)];
            image.complete &=
                data::write(&self.expansion, &self.layout, index, place) == Known::Fully;
        }
        image
    }
}
