//! The places to mark while the cursor is on a register or a name.

use text::{TextRange, TextSize};

use super::View;
use super::statement::{First, Statement, WordKind, statement_at, statements};
use crate::cost::{Effects, Instruction as Code};
use crate::instruction::{Bank, Register};

/// A place to mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub range: TextRange,
    /// What it does there.
    pub kind: MarkKind,
}

/// What a marked place does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// It only names it.
    Text,
    /// It reads it.
    Read,
    /// It writes it.
    Write,
}

/// The marks for the word at an offset: of a name all places that name it, of
/// registers those of the same kernel that share one with it.
pub fn marks(view: View<'_>, offset: TextSize) -> Vec<Mark> {
    let expansion = &view.program.expansion;
    let statement = statement_at(view.text(), offset, expansion.dialect);
    if !statement.holds(offset) {
        return Vec::new();
    }
    if let Some(name) = expansion.name_at(view.source, offset) {
        let definitions = expansion.definitions(&name);
        let places = expansion.references(&name).into_iter();
        let here = places.filter(|place| place.source == view.source);
        return here
            .map(|place| Mark {
                range: place.range,
                kind: if definitions.contains(&place) { MarkKind::Write } else { MarkKind::Read },
            })
            .collect();
    }
    let word = statement.words().into_iter().find(|word| word.range.contains_inclusive(offset));
    let Some(WordKind::Registers { bank, first, last }) = word.map(|word| word.kind) else {
        return Vec::new();
    };
    let kernel = kernel_around(view, offset);
    let mut marks = Vec::new();
    for statement in statements(view.text(), expansion.dialect) {
        let range = statement.range();
        if kernel.intersect(range).is_none() || !matches!(statement.first, First::Word(_)) {
            continue;
        }
        mark_statement(view, &statement, (bank, first, last), &mut marks);
    }
    marks
}

fn mark_statement(
    view: View<'_>,
    statement: &Statement<'_>,
    (bank, first, last): (char, u32, u32),
    marks: &mut Vec<Mark>,
) {
    let mut effects = None;
    for word in statement.words() {
        let WordKind::Registers { bank: other, first: from, last: to } = word.kind else {
            continue;
        };
        if other != bank || from > last || to < first {
            continue;
        }
        let effects = effects.get_or_insert_with(|| effects_of(view, statement.range().start()));
        let kind = match effects {
            None => MarkKind::Text,
            Some(effects) => {
                let touches = |set: crate::cost::RegisterSet| {
                    bank_of(bank).is_some_and(|bank| {
                        (from..=to).any(|number| {
                            let index = u16::try_from(number).unwrap_or(u16::MAX);
                            set.touches(Register { bank, first: index, dwords: 1 })
                        })
                    })
                };
                // Results come first in the operands.
                let written = word.operand < 2 && touches(effects.write_set());
                let read = touches(effects.read_set());
                match (written, read) {
                    (true, false) => MarkKind::Write,
                    (true, true) if word.operand == 0 => MarkKind::Write,
                    (_, true) => MarkKind::Read,
                    _ => MarkKind::Text,
                }
            }
        };
        marks.push(Mark { range: word.range, kind });
    }
}

fn bank_of(letter: char) -> Option<Bank> {
    match letter {
        'v' => Some(Bank::Vector),
        's' => Some(Bank::Scalar),
        _ => None,
    }
}

/// What the instruction written at a place reads and writes.
fn effects_of(view: View<'_>, at: TextSize) -> Option<Effects> {
    let instruction = view.instruction_at(at)?;
    let assembled = instruction.assembled?;
    let code = Code::new(instruction.offset, assembled.words(), None);
    Some(Effects::of(&code, view.program.target))
}

/// From the label of the kernel around a place to the next one's.
fn kernel_around(view: View<'_>, offset: TextSize) -> TextRange {
    let mut range = TextRange::up_to(TextSize::of(view.text()));
    for item in super::outline::outline(view) {
        if item.kind != super::outline::ItemKind::Kernel {
            continue;
        }
        if item.range.contains_inclusive(offset) {
            return item.range;
        }
        if item.range.start() > offset {
            range = TextRange::new(range.start(), item.range.start().max(range.start()));
            break;
        }
    }
    range
}
