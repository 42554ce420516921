//! The temporaries that are followed, and the places of their bits.

use rustc_hash::FxHashSet;

use crate::ast::{IndexRange, Register};
use crate::opcodes::Control;
use crate::validate::context::Context;
use crate::words::File;

/// The most words of state that are copied or joined in one shader: one
/// without end would be as slow as it is nested.
const MOST_WORDS: usize = 1 << 22;

/// No place: the register is not followed.
const LEFT_OUT: u32 = u32::MAX;

/// A register's place among those that are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place(u32);

impl Place {
    /// The place of the word with its bits.
    #[inline]
    pub(super) fn word(self) -> usize {
        self.0 as usize / 16
    }

    /// The place of the first of its four bits in the word.
    #[inline]
    pub(super) fn shift(self) -> u32 {
        self.0 % 16 * 4
    }
}

/// The place of each register.
pub(super) struct Places {
    of: Vec<u32>,
    pub(super) words: usize,
}

impl Places {
    /// Numbers the temporaries that are named directly and never written by a
    /// computed number. `None` where nothing can be said.
    pub(super) fn new(context: &Context<'_>) -> Option<Places> {
        let operands = &context.operands;
        let jumps = context.steps().any(|(_, row)| row.path() == Control::Jump);
        if jumps || operands.predicates {
            return None;
        }
        let temporaries = &operands.named[File::Temporary as usize];
        let mut highest = temporaries.last();
        let mut computed = FxHashSet::default();
        for place in &operands.odd {
            let (instruction, _) = context.instructions[*place];
            for destination in &instruction.destinations {
                let register = &destination.register;
                if register.file != File::Temporary {
                    continue;
                }
                match (register.index.indirect, register.dimension) {
                    // Any temporary may be meant.
                    (_, Some(_)) => return None,
                    (Some(indirect), None) => {
                        computed.insert(indirect.array.filter(|array| *array != 0)?);
                    }
                    (None, None) => {}
                }
            }
            instruction.registers().try_for_each(|register| {
                if register.file == File::Temporary {
                    let number = u32::try_from(register.index.offset).ok()?.min(0xffff);
                    highest = highest.max(Some(number));
                }
                Some(())
            })?;
        }
        // Without temporaries there are still paths.
        let count = highest.map_or(0, |highest| highest as usize + 1);
        // What is not declared has a diagnostic of its own.
        let mut of = vec![LEFT_OUT; count];
        let mut next = 0;
        let numbers = of.iter_mut().zip(0..).zip(followed(context, &computed, count));
        for ((place, number), is_followed) in numbers {
            if is_followed && temporaries.contains(number) {
                *place = next;
                next += 1;
            }
        }
        let words = (next as usize * 4).div_ceil(64);
        let steps = context.step_count();
        (words.saturating_mul(steps + 1) <= MOST_WORDS).then_some(Places { of, words })
    }

    /// The place of a register.
    #[inline]
    pub(super) fn of(&self, register: &Register) -> Option<Place> {
        self.of_number(register.temporary()?)
    }

    /// The numbers of a range that registers have.
    pub(super) fn numbers_in(&self, range: IndexRange) -> impl Iterator<Item = u32> + use<> {
        range.first..range.last.saturating_add(1).min(self.of.len() as u32)
    }

    /// The place of a temporary.
    #[inline]
    pub(super) fn of_number(&self, number: u32) -> Option<Place> {
        let place = *self.of.get(number as usize)?;
        (place != LEFT_OUT).then_some(Place(place))
    }
}

/// Returns which of the first temporaries are declared, and in no array that is written by a
/// computed number.
fn followed(
    context: &Context<'_>,
    computed: &FxHashSet<u32>,
    count: usize,
) -> impl Iterator<Item = bool> + use<> {
    // Where declarations and computed arrays begin and end; overlaps add up.
    let mut changes = vec![(0i64, 0i64); count + 1];
    for declaration in context.declared(File::Temporary) {
        let is_computed = declaration.array.is_some_and(|array| computed.contains(&array.value));
        let range = declaration.range.value;
        let end = (range.last as usize).saturating_add(1).min(count);
        let first = (range.first as usize).min(end);
        for (place, change) in [(first, 1), (end, -1)] {
            changes[place].0 += change;
            changes[place].1 += change * i64::from(is_computed);
        }
    }
    changes.into_iter().scan((0, 0), |sum, change| {
        *sum = (sum.0 + change.0, sum.1 + change.1);
        Some(sum.0 > 0 && sum.1 == 0)
    })
}
