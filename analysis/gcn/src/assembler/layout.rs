//! Distances of places: sizes of statements, added up when first asked for.

use super::expand::Expander;
use super::result::{Expansion, Statement, StatementKind};
use crate::expression::Address;

/// An offset in a section: bytes since the last statement of unknown size, or of one that ends
/// beyond 4 GiB.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Offset {
    /// The statements of unknown size that come before.
    pub(crate) unknown: u32,
    pub(crate) bytes: u32,
}

/// Offsets of statements, in the order in which they are added.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The place of each statement in its section.
    statements: Vec<Offset>,
    /// The end of each section so far.
    ends: Vec<Offset>,
}

impl Expander<'_> {
    /// The bytes between two places of one section, where all sizes are known.
    pub(super) fn measured(&mut self, from: Address, to: Address) -> Option<i64> {
        let mut layout = std::mem::take(&mut self.layout);
        layout.extend(&self.out, self.options.instruction_size);
        let distance = layout.distance(&self.out, from, to);
        self.layout = layout;
        distance
    }
}

impl Layout {
    /// Adds up what is new.
    fn extend(&mut self, expansion: &Expansion, size: Option<super::InstructionSize<'_>>) {
        for (index, statement) in
            expansion.statements.iter().enumerate().skip(self.statements.len())
        {
            let bytes = match (statement.kind, size) {
                (StatementKind::Instruction, Some(size)) => {
                    let index = u32::try_from(index).unwrap_or(u32::MAX);
                    let mut value = |name: &str| expansion.value(name, index)?.value.absolute();
                    size(expansion.text(statement), &mut value)
                }
                _ => None,
            };
            self.push(statement, bytes);
        }
    }

    /// The number of statements that were added.
    pub(crate) fn len(&self) -> usize {
        self.statements.len()
    }

    /// Makes room for so many statements more.
    pub(crate) fn reserve(&mut self, statements: usize) {
        self.statements.reserve(statements);
    }

    /// Takes over the places of the first statements of an earlier layout, to which none was
    /// added.
    pub(crate) fn keep_start(&mut self, earlier: &Layout, statements: &[Statement], count: usize) {
        self.statements.extend(earlier.statements.iter().take(count));
        // Each section goes on at the place of its next statement.
        self.ends.clone_from(&earlier.ends);
        let mut open = vec![true; self.ends.len()];
        let mut left = open.len();
        for (statement, place) in statements.iter().zip(&earlier.statements).skip(count) {
            if left == 0 {
                break;
            }
            let section = statement.section as usize;
            if open.get_mut(section).is_some_and(std::mem::take) {
                self.ends[section] = *place;
                left -= 1;
            }
        }
    }

    /// Takes over the places of an earlier layout from a statement on.
    pub(crate) fn keep_end(&mut self, earlier: &Layout, from: usize) {
        self.statements.extend(earlier.statements.iter().skip(from));
        self.ends.clone_from(&earlier.ends);
    }

    /// Adds the next statement, with the bytes of its instruction where they are
    /// known, and answers where it stands.
    pub(crate) fn push(&mut self, statement: &Statement, instruction: Option<u32>) -> Offset {
        let section = statement.section as usize;
        if self.ends.len() <= section {
            self.ends.resize(section + 1, Offset::default());
        }
        let start = self.ends[section];
        self.statements.push(start);
        let bytes = match statement.kind {
            StatementKind::Label(_) | StatementKind::NumericLabel | StatementKind::Directive => {
                Some(0)
            }
            StatementKind::Data(bytes) => bytes,
            // Padding depends on the offset alone, while that is known.
            StatementKind::Align(to) if start.unknown == 0 && to > 0 => {
                start.bytes.checked_next_multiple_of(to).map(|end| end - start.bytes)
            }
            StatementKind::Origin(to) if start.unknown == 0 => to.checked_sub(start.bytes),
            StatementKind::Align(_) | StatementKind::Origin(_) | StatementKind::Moved => None,
            StatementKind::Instruction => instruction,
        };
        let end = &mut self.ends[section];
        match bytes.and_then(|bytes| end.bytes.checked_add(bytes)) {
            Some(bytes) => end.bytes = bytes,
            None => *end = Offset { unknown: end.unknown.saturating_add(1), bytes: 0 },
        }
        start
    }

    /// The bytes between two places of one section, where all sizes are known.
    pub(crate) fn distance(
        &self,
        expansion: &Expansion,
        from: Address,
        to: Address,
    ) -> Option<i64> {
        let (start, end) = (self.offset(expansion, from)?, self.offset(expansion, to)?);
        if start.unknown != end.unknown {
            return None;
        }
        let bytes = i64::from(end.bytes) - i64::from(start.bytes);
        Some(bytes.wrapping_add(to.addend).wrapping_sub(from.addend))
    }

    /// Returns the place of a statement.
    pub(crate) fn start(&self, statement: u32) -> Offset {
        self.statements.get(statement as usize).copied().unwrap_or_default()
    }

    /// Returns the end of a section.
    pub(crate) fn end(&self, section: u32) -> Offset {
        self.ends.get(section as usize).copied().unwrap_or_default()
    }

    fn offset(&self, expansion: &Expansion, place: Address) -> Option<Offset> {
        match expansion.statements.get(place.statement as usize) {
            Some(statement) if statement.section == place.section => {
                self.statements.get(place.statement as usize).copied()
            }
            // The next statement went elsewhere.
            Some(_) => None,
            None => Some(self.end(place.section)),
        }
    }
}
