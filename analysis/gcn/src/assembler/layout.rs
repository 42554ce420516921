//! How far apart places are: sizes of statements, added up when first asked for.

use super::expand::Expander;
use super::expression::{Place, Value};
use super::result::{Expansion, StatementKind};

/// An offset in a section: bytes since the last statement of unknown size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Offset {
    /// How many statements of unknown size come before.
    unknown: u32,
    bytes: u64,
}

/// Offsets of statements, as far as they were asked for.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Where each statement stands in its section.
    statements: Vec<Offset>,
    /// Where each section ends so far.
    ends: Vec<Offset>,
}

impl Expander<'_> {
    /// The bytes between two places of one section, where all sizes are known.
    pub(super) fn measured(&mut self, from: Place, to: Place) -> Option<i64> {
        let mut layout = std::mem::take(&mut self.layout);
        layout.extend(&self.out, self.options.instruction_size);
        let offsets = (layout.offset(&self.out, from), layout.offset(&self.out, to));
        self.layout = layout;
        let (from_offset, to_offset) = (offsets.0?, offsets.1?);
        if from_offset.unknown != to_offset.unknown {
            return None;
        }
        let bytes = to_offset.bytes.wrapping_sub(from_offset.bytes) as i64;
        Some(bytes.wrapping_add(to.addend).wrapping_sub(from.addend))
    }
}

impl Layout {
    /// Adds up what is new.
    fn extend(&mut self, expansion: &Expansion, size: Option<super::InstructionSize<'_>>) {
        for (index, statement) in
            expansion.statements.iter().enumerate().skip(self.statements.len())
        {
            let section = statement.section as usize;
            if self.ends.len() <= section {
                self.ends.resize(section + 1, Offset::default());
            }
            let end = self.ends[section];
            self.statements.push(end);
            let bytes = match statement.kind {
                StatementKind::Label(_) | StatementKind::NearLabel | StatementKind::Directive => {
                    Some(0)
                }
                StatementKind::Data(bytes) => bytes,
                // Padding depends on the offset alone, while that is known.
                StatementKind::Align(to) if end.unknown == 0 && to > 0 => {
                    Some(end.bytes.next_multiple_of(to) - end.bytes)
                }
                StatementKind::Align(_) | StatementKind::Origin => None,
                StatementKind::Instruction => size.and_then(|size| {
                    let index = u32::try_from(index).unwrap_or(u32::MAX);
                    let mut value = |name: &str| match expansion.value(name, index)?.value {
                        Value::Absolute(number) => Some(number),
                        _ => None,
                    };
                    size(expansion.text(statement), &mut value).map(u64::from)
                }),
            };
            let end = &mut self.ends[section];
            match bytes.and_then(|bytes| end.bytes.checked_add(bytes)) {
                Some(bytes) => end.bytes = bytes,
                None => *end = Offset { unknown: end.unknown.saturating_add(1), bytes: 0 },
            }
        }
    }

    fn offset(&self, expansion: &Expansion, place: Place) -> Option<Offset> {
        let index = place.statement as usize;
        match expansion.statements.get(index) {
            Some(statement) if statement.section == place.section => {
                self.statements.get(index).copied()
            }
            // The next statement went elsewhere.
            Some(_) => None,
            None => Some(self.ends.get(place.section as usize).copied().unwrap_or_default()),
        }
    }
}
