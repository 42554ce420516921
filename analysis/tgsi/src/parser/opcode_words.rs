//! The words before the operands: a predicate, an opcode, and what is unusual or wrong about it.

use source::{Severity, TextEdit, TextRange};

use super::repairs::{Shape, repair};
use super::stream::{Gap, TokenSpan};
use super::{Parser, Result, quote};
use crate::ast::Predicate;
use crate::codes;
use crate::lexer::TokenKind;
use crate::vocabulary::{self, Oddity, OpcodeWord};
use crate::words::{File, Stage};

impl Parser<'_> {
    /// `(PRED[0].x)`, `(!PRED[0].x)`
    pub(super) fn predicate(&mut self) -> Result<Option<Box<Predicate>>> {
        let Some(open) = self.stream.eat(TokenKind::LeftParenthesis) else { return Ok(None) };
        let mut inverted = false;
        if let Some(item) = self.stream.peek()
            && self.stream.word(item) == "!"
        {
            self.stream.next();
            inverted = true;
        }
        let register = self.register("a predicate register `PRED[n]`")?;
        if register.file != File::Predicate {
            self.report.error(codes::PREDICATE, register.range, || {
                format!("a predicate is a register of the file `PRED`, not `{}`", register.file)
            });
        }
        let swizzle = self.swizzle()?;
        self.sign(TokenKind::RightParenthesis, "`)`")?;
        let range = TextRange::new(open.start(), self.stream.last_end());
        let message = "predicates were in the language from 2010 to 2017; use `IF` or `UCMP`";
        self.report.note(codes::PREDICATE, range, || message);
        Ok(Some(Box::new(Predicate { range, register, swizzle, inverted })))
    }

    #[cold]
    pub(super) fn unknown_opcode(&mut self, item: TokenSpan, number: Option<TextRange>) {
        let word = self.stream.word(item);
        let range = item.range();
        let next = self.stream.peek_at(1);
        let numbered = number.is_some();
        let (shape, stage) = (Shape::of(self.line_behind(range)), self.stage);
        if numbered && ["DCL", "IMM", "PROPERTY"].iter().any(|key| word.eq_ignore_ascii_case(key)) {
            self.report.error_with(
                codes::UNEXPECTED_TEXT,
                range,
                || format!("only instructions may be numbered, `{word}` not"),
                number.and_then(|number| {
                    let before = TextRange::new(number.start(), range.start());
                    repair("Remove the number", before, "")
                }),
            );
        } else if Stage::from_word(word).is_some() {
            self.report.error(codes::SECOND_HEADER, range, || {
                format!("a shader has one header; `{word}` is a second one")
            });
        } else if next.is_some_and(|next| next.kind == TokenKind::LeftBracket)
            && vocabulary::file(word).is_some()
        {
            // With a comma behind it is half of an instruction.
            let behind = self.line_behind(range);
            let declares = !numbered && self.ordinal == 0 && may_be_declared(behind);
            let fix = repair("Write `DCL`", TextRange::empty(range.start()), "DCL ");
            self.report.error_with(
                codes::UNEXPECTED_TEXT,
                range,
                || format!("expected a statement, found an operand of the file `{word}`"),
                fix.filter(|_| declares),
            );
        } else if next.is_some_and(|next| next.kind == TokenKind::Colon && next.gap != Gap::Line)
            && word.as_bytes()[0].is_ascii_digit()
        {
            self.report.error(codes::UNEXPECTED_TEXT, range, || {
                format!("instruction numbers are decimal, {} is not", quote(word))
            });
        } else {
            self.report.unknown_word(
                codes::UNKNOWN_OPCODE,
                range,
                || format!("unknown opcode {}", quote(word)),
                || vocabulary::closest_opcode(word, shape, stage),
            );
        }
    }

    /// Notes what is historic or wrong about an opcode that was understood.
    pub(super) fn note_oddities(&mut self, item: TokenSpan, spelled: &OpcodeWord) {
        let range = item.range();
        let row = spelled.opcode.row();
        if !spelled.opcode.had_text_form() {
            self.report.error(codes::UNKNOWN_OPCODE, range, || {
                format!("`{}` left the instruction set before any reader took text", row.mnemonic)
            });
        }
        match spelled.oddity {
            None => {}
            Some(Oddity::SignedSaturate) => self.report.note(codes::OPCODE_MODIFIER, range, || {
                "the limits -1..1 (`_SATNV`, `_SSAT`) were in the language until \
                 2015; clamp with `MAX` and `MIN`"
            }),
            Some(Oddity::Order) => {
                let insert = format!("{}_SAT_PRECISE", row.mnemonic);
                let edit = TextEdit::replace(range, insert.clone());
                self.report.error_with_fix(
                    codes::OPCODE_MODIFIER,
                    range,
                    || format!("`_SAT` comes before `_PRECISE`: write `{insert}`"),
                    || (format!("Write `{insert}`"), edit),
                );
            }
            Some(Oddity::Gap) => {
                self.report.note((codes::GAP_OPCODE, Severity::Warning, ""), range, || {
                    "Mesa's parser reads this word, but no opcode has this number; \
                     it does nothing"
                })
            }
        }
    }
}

/// Tells whether what follows a file may be the rest of a declaration: no second register and no
/// label, and components in their order.
fn may_be_declared(behind: &str) -> bool {
    let components = behind.split_once("].").map_or("", |(_, components)| components);
    let places = components.chars().map_while(|letter| "xyzw".find(letter));
    !behind.contains("], ") && !behind.contains(':') && places.is_sorted_by(|a, b| a < b)
}
