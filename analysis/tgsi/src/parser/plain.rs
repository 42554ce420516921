//! Lines as drivers write them, read byte by byte: most of all text.
//!
//! The grammar reads the same from the same lines, a token at a time and ready for anything. A
//! line in which it would report or note anything, or of which nobody can tell, is left to it:
//! nothing has happened then. `plain_lines_are_read_as_by_the_grammar` compares the two.

mod declarations;
mod instructions;
mod line;

use smallvec::SmallVec;
use source::{TextRange, TextSize};

use super::Parser;
use crate::ast::{
    Declaration, Immediate, Property, PropertyValue, Spanned, Statement, StatementKind,
};
use crate::words::{ImmediateType, PropertyName};
use line::Line;

impl Parser<'_> {
    /// Reads a line that is one whole statement. Returns whether it is one.
    pub(super) fn plain_statement(&mut self) -> bool {
        let Some(start) = self.stream.line_start() else { return false };
        // Filled where it stays: a statement is large.
        let mut statements = std::mem::take(&mut self.statements);
        // Made where it stays, too: `push` would copy it.
        statements.resize_with(statements.len() + 1, || Statement {
            range: TextRange::empty(start),
            broken: false,
            kind: StatementKind::Unknown,
        });
        let is_plain = statements.last_mut().is_some_and(|it| self.fill(it).is_some());
        if !is_plain {
            statements.pop();
            self.stream.wake();
        }
        self.statements = statements;
        is_plain
    }

    /// Reads the line that begins where a statement does.
    #[inline]
    fn fill(&mut self, statement: &mut Statement) -> Option<()> {
        let start = statement.range.start();
        let mut line = Line::new(self.stream.text, start);
        let next = self.plain_kind(&mut line, &mut statement.kind)?;
        match &statement.kind {
            StatementKind::Instruction(instruction) => {
                self.ordinal += 1;
                let row = instruction.info();
                self.row = Some(row);
                if let Some(last) = (row.destinations + row.sources).checked_sub(1) {
                    self.operand = last;
                }
            }
            StatementKind::Immediate(_) => self.immediates = self.immediates.saturating_add(1),
            StatementKind::Property(property) => {
                let name = property.name.map(|name| name.value);
                self.input_size_known |= name == Some(PropertyName::GeometryInputPrimitive);
            }
            _ => {}
        }
        statement.range = TextRange::new(start, line.end());
        self.report.broken = false;
        self.stream.pass(statement.range, next);
        Some(())
    }

    /// Reads the statement of a line, and finds the place of the next one.
    #[inline]
    fn plain_kind(&self, line: &mut Line<'_>, kind: &mut StatementKind) -> Option<TextSize> {
        if line.at_digit() {
            self.plain_instruction(line, kind)?;
        } else if line.keyword("DCL") {
            line.blanks();
            *kind = StatementKind::Declaration(Declaration::default());
            if let StatementKind::Declaration(declaration) = kind {
                self.plain_declaration(line, declaration)?;
            }
        } else if line.keyword("IMM") {
            *kind = StatementKind::Immediate(self.plain_immediate(line)?);
        } else if line.keyword("PROPERTY") {
            line.blanks();
            *kind = StatementKind::Property(plain_property(line)?);
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
            Immediate { index: Some(index), ty, bits: [0; 4], values: SmallVec::new() };
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

/// `NAME value`
fn plain_property(line: &mut Line<'_>) -> Option<Property> {
    let start = line.here();
    let name = PropertyName::from_word(line.word())?;
    let name_range = line.since(start);
    if !name.row().until.is_empty() || !line.blanks() {
        return None;
    }
    let start = line.here();
    let value = match name.value_list() {
        None => PropertyValue::Number(line.number()?),
        Some(list) => PropertyValue::from_word(list, line.word())?,
    };
    let value = Spanned { value, range: line.since(start) };
    Some(Property { name: Some(Spanned { value: name, range: name_range }), value: Some(value) })
}

/// The bits of a value of 32 bits in its usual form.
fn value(ty: ImmediateType, text: &str) -> Option<u32> {
    /// The digits of the largest number.
    const LONGEST: usize = 10;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let starts_plainly = digits.starts_with(|it: char| it.is_ascii_digit());
    let is_short = digits.len() <= LONGEST && digits.bytes().all(|it| it.is_ascii_digit());
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
