//! Diagnostics of missing words, and the fixes that put them in.

use source::{Diagnostic, TextRange, TextSize};

use super::sequence::Sequence;
use super::{Missing, Sureness};
use crate::Opcode;
use crate::ast::{Instruction, Shader, Statement};
use crate::codes;
use crate::report::Report;
use crate::validate::Nesting;

/// Reports words that were put into a sequence.
pub(super) fn tell(
    shader: &Shader,
    sequence: &Sequence,
    words: &mut [Missing],
    report: &mut Report,
) {
    let text = Text { sequence, instructions: shader.instruction_statements().collect() };
    // Without one of several the blocks still do not close, and may be meant otherwise.
    if words.len() > 1 && words.iter().any(|missing| text.edit(missing).is_none()) {
        words.iter_mut().for_each(|missing| missing.sure = Sureness::Open);
    }
    for missing in words {
        report.push(|| text.diagnostic(missing));
    }
}

/// Loops that are no longer in the language: the opcode that opens one and that which closes it.
const HISTORIC_LOOPS: [(Opcode, Opcode); 3] = [
    (Opcode::REP, Opcode::ENDREP),
    (Opcode::BGNFOR, Opcode::ENDFOR),
    (Opcode::BGNLOOP2, Opcode::ENDLOOP2),
];

/// The instructions of the text, and the sequence with what is missing among them.
struct Text<'a> {
    sequence: &'a Sequence,
    instructions: Vec<(&'a Statement, &'a Instruction)>,
}

impl Text<'_> {
    fn diagnostic(&self, missing: &Missing) -> Diagnostic {
        let word = self.word(missing).mnemonic();
        let (range, message) = match (self.element(missing.partner), missing.word) {
            (Some(it), Nesting::Close(_)) => (it.opcode.range, unmatched(it.opcode.value, word)),
            (Some(it), Nesting::Else) => {
                (it.opcode.range, format!("no `{word}` is where the label of this points to"))
            }
            (Some(it), _) => (it.opcode.range, unmatched(it.opcode.value, word)),
            // Its block misses both ends.
            (None, _) => (self.place(missing).0, format!("`{word}` is missing here")),
        };
        let diagnostic = Diagnostic::error(codes::UNBALANCED, range, message);
        if missing.sure != Sureness::Sure {
            return diagnostic;
        }
        let (place, side) = self.place(missing);
        let diagnostic = diagnostic.with_related(place, format!("`{word}` is missing {side} this"));
        match self.edit(missing) {
            Some((place, line)) => diagnostic.with_fix(format!("Insert `{word}`"), place, line),
            None => diagnostic,
        }
    }

    /// The instruction beside a missing word, and the side of it.
    fn place(&self, missing: &Missing) -> (TextRange, &'static str) {
        match self.instructions.get(self.sequence.in_text(missing.place)) {
            Some((_, instruction)) => (instruction.opcode.range, "before"),
            None => {
                let last = self.instructions.last();
                (last.map_or(TextRange::default(), |(_, it)| it.opcode.range), "after")
            }
        }
    }

    /// The word, which that of the other end of its block decides: `ENDLOOP2` closes `BGNLOOP2`.
    fn word(&self, missing: &Missing) -> Opcode {
        let partner = self.element(missing.partner).map(|it| it.opcode.value);
        let mut loops = HISTORIC_LOOPS.into_iter();
        let other = match missing.word {
            Nesting::Close(_) => loops.find(|it| partner == Some(it.0)).map(|it| it.1),
            Nesting::Open(_) => loops.find(|it| partner == Some(it.1)).map(|it| it.0),
            _ => None,
        };
        other.unwrap_or(opcode(missing.word))
    }

    fn element(&self, at: usize) -> Option<&Instruction> {
        let place = self.sequence.elements[at].instruction?;
        self.instructions.get(place).map(|(_, instruction)| *instruction)
    }

    /// The edit that puts in the word on a line of its own. `None` of a word that has operands.
    fn edit(&self, missing: &Missing) -> Option<(TextRange, String)> {
        let word = self.word(missing);
        if word.row().sources + word.row().destinations > 0 {
            return None;
        }
        let elements = &self.sequence.elements;
        let partner = &elements[missing.partner];
        let label = self.label(missing, word).map_or(String::new(), |label| format!(" :{label}"));
        let blanks = |count: usize| " ".repeat(count);
        let indent = partner.indent.unwrap_or_default() as usize;
        let number = self.number(missing.place).map(|number| number.to_string());
        let written = match &number {
            Some(number) => format!("{number}: {}{}{label}", blanks(indent), word.mnemonic()),
            None => format!("{}{label}", word.mnemonic()),
        };
        let pad = |number: &str| 3usize.saturating_sub(number.len());
        let Some((statement, next)) = self.instructions.get(self.sequence.in_text(missing.place))
        else {
            let (last, _) = self.instructions.last()?;
            let before = number.as_deref().map_or(indent, pad);
            let place = TextRange::empty(last.range.end());
            return Some((place, format!("\n{}{written}", blanks(before))));
        };
        let start = statement.range.start();
        let own = blanks(number.as_deref().map_or(indent, pad));
        Some(match (next.number, next.indent) {
            // It takes the blanks before the next number, which gets its own again.
            (Some(next), _) => {
                let next = blanks(pad(&next.value.to_string()));
                let more = own.strip_prefix(next.as_str()).unwrap_or_default();
                (TextRange::empty(start), format!("{more}{written}\n{next}"))
            }
            (None, Some(next)) => {
                (TextRange::empty(start - TextSize::new(next)), format!("{own}{written}\n"))
            }
            (None, None) => (TextRange::empty(start), format!("{written}\n")),
        })
    }

    /// The number that the numbers around it leave for a word.
    fn number(&self, place: usize) -> Option<u32> {
        if !self.sequence.numbered {
            return None;
        }
        let elements = &self.sequence.elements;
        let number = match place.checked_sub(1) {
            None => 0,
            Some(before) => match elements[before].number {
                Some(number) => number.checked_add(1)?,
                None if elements[before].instruction.is_none() => {
                    self.number(before)?.checked_add(1)?
                }
                None => return None,
            },
        };
        let behind = elements[place + 1..].iter().find_map(|it| it.number);
        behind.is_none_or(|behind| number < behind).then_some(number)
    }

    /// The label of a word, where such words have one in this text.
    fn label(&self, missing: &Missing, word: Opcode) -> Option<u32> {
        if !word.row().label {
            return None;
        }
        let name = |at: usize| match self.sequence.numbered {
            true => self.sequence.elements[at].number,
            false => Some(at as u32),
        };
        let written = self.element(missing.partner).and_then(|it| it.label);
        match missing.word {
            Nesting::Else => {
                written?;
                let elements = &self.sequence.elements;
                name(closer(elements.iter().map(|it| it.nesting), missing.place)?)
            }
            _ => match self.instructions.iter().find(|(_, it)| it.opcode.value == word) {
                Some((_, like)) => like.label,
                None => written,
            }
            .and_then(|label| if label.value == 0 { Some(0) } else { name(missing.partner) }),
        }
    }
}

/// The place of the word that closes the block of an `ELSE`.
fn closer(words: impl Iterator<Item = Option<Nesting>>, alternative: usize) -> Option<usize> {
    let mut depth = 1;
    for (place, word) in words.enumerate().skip(alternative + 1) {
        match word {
            Some(Nesting::Open(_)) => depth += 1,
            Some(Nesting::Close(_)) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

/// The word itself. What opens an `IF` may be another of its kind.
/// A message about a word whose block has no other end.
fn unmatched(opcode: Opcode, other: &str) -> String {
    format!("`{}` has no matching `{other}`", opcode.mnemonic())
}

pub(super) fn opcode(word: Nesting) -> Opcode {
    match word {
        Nesting::Open(block) => block.words().1,
        Nesting::Close(block) => block.words().0,
        Nesting::Else => Opcode::ELSE,
        Nesting::Case => Opcode::CASE,
        Nesting::Break => Opcode::BRK,
        Nesting::Continue => Opcode::CONT,
        Nesting::End => Opcode::END,
    }
}
