//! Lines as drivers write them, read byte by byte: most of all text.
//!
//! The grammar reads the same from the same lines, a token at a time and ready for anything. A
//! line in which it would report or note anything, or of which nobody can tell, is left to it:
//! nothing has happened then. `plain_lines_are_read_as_by_the_grammar` compares the two.

mod declarations;
mod instructions;
mod line;

use source::{TextRange, TextSize};

use super::Parser;
use crate::ast::{Immediate, Spanned, Statement, StatementKind};
use crate::words::ImmediateType;
use line::Line;

impl Parser<'_> {
    /// Reads a line that is one whole statement. Returns whether it is one.
    pub(super) fn plain_statement(&mut self) -> bool {
        let Some(start) = self.stream.line_start() else { return false };
        let mut line = Line::new(self.stream.text, start);
        // Filled where it is: a statement is large.
        let mut kind = StatementKind::Unknown;
        let Some(next) = self.plain_kind(&mut line, &mut kind) else {
            self.stream.wake();
            return false;
        };
        match &kind {
            StatementKind::Instruction(instruction) => {
                self.ordinal += 1;
                let row = instruction.info();
                self.row = Some(row);
                if let Some(last) = (row.destinations + row.sources).checked_sub(1) {
                    self.operand = last;
                }
            }
            StatementKind::Immediate(_) => self.immediates = self.immediates.saturating_add(1),
            _ => {}
        }
        let range = TextRange::new(start, line.end());
        self.statements.push(Statement { range, broken: false, kind });
        self.report.broken = false;
        self.stream.pass(range, next);
        true
    }

    /// Reads the statement of a line, and finds the place of the next one.
    #[inline]
    fn plain_kind(&self, line: &mut Line<'_>, kind: &mut StatementKind) -> Option<TextSize> {
        if line.at_digit() {
            self.plain_instruction(line, kind)?;
        } else if line.keyword("DCL") {
            line.blanks();
            *kind = StatementKind::Declaration(self.plain_declaration(line)?);
        } else if line.keyword("IMM") {
            *kind = StatementKind::Immediate(self.plain_immediate(line)?);
        } else {
            self.plain_instruction(line, kind)?;
        }
        line.next_line()
    }

    /// `[n] FLT32 { a, b, c, d }`
    fn plain_immediate(&self, line: &mut Line<'_>) -> Option<Immediate> {
        // The number is judged where it may be another.
        if self.missed || !line.eat(b'[') {
            return None;
        }
        let index = line.spanned_number()?;
        if index.value != self.immediates || !line.eat(b']') || !line.blanks() {
            return None;
        }
        let start = line.here();
        let ty = ImmediateType::from_word(line.word())?;
        let ty = Spanned { value: ty, range: line.since(start) };
        line.blanks();
        if !line.eat(b'{') {
            return None;
        }
        let mut immediate =
            Immediate { index: Some(index), ty, bits: [0; 4], values: Vec::with_capacity(4) };
        for component in 0..4 {
            if component > 0 && !line.eat(b',') {
                return None;
            }
            line.blanks();
            let start = line.here();
            immediate.bits[component] = value(ty.value, line.value())?;
            immediate.values.push(line.since(start));
            line.blanks();
        }
        line.eat(b'}').then_some(immediate)
    }
}

/// The bits of a value of 32 bits in its usual form.
fn value(ty: ImmediateType, text: &str) -> Option<u32> {
    /// So many digits always fit.
    const SHORT: usize = 9;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let starts_plainly = digits.starts_with(|it: char| it.is_ascii_digit());
    let is_short = digits.len() <= SHORT && digits.bytes().all(|it| it.is_ascii_digit());
    match ty {
        ImmediateType::Float32 => text.parse().ok().filter(|_| starts_plainly).map(f32::to_bits),
        ImmediateType::Unsigned32 => text.parse().ok().filter(|_| starts_plainly && is_short),
        ImmediateType::Signed32 => {
            let value: i32 = text.parse().ok().filter(|_| starts_plainly && is_short)?;
            Some(value.cast_unsigned())
        }
        _ => None,
    }
}
