//! Forms that only old instructions have: opcodes that went, and the forms of operands of 2007 to
//! 2009.
//!
//! The first token streams had room for factors of a destination, for
//! condition codes, and for sources that are scaled, biased or complemented,
//! with constants in their swizzles. The text parser of 2008 and 2009 took
//! them in the spelling that is read here; condition codes never had one, and
//! are read as GL_NV_fragment_program writes them.

use source::{Severity, TextEdit, TextRange, TextSize};

use super::stream::{Gap, TokenSpan};
use super::{Parser, Result};
use crate::ast::{Component, HistoricForm, Instruction, Source, Swizzle};
use crate::codes;
use crate::lexer::TokenKind;
use crate::opcodes::OpInfo;
use crate::print;
use crate::word_rows::{self, WordRow};
use crate::words::Modifier;

/// Words that may follow a destination register.
const FACTORS: [&str; 7] = ["_1X", "_2X", "_4X", "_8X", "_D2", "_D4", "_D8"];

/// Tests of a condition register.
const CONDITIONS: [&str; 9] = ["EQ", "NE", "LT", "LE", "GT", "GE", "TR", "FL", "UN"];

/// More modifiers than one source can have.
const MOST_MODIFIERS: usize = 8;

/// A sign that opens a source and must be closed behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opener {
    Group,
    Bar,
    Scale,
    Bias,
    Complement,
}

impl Opener {
    /// The tokens that open it.
    fn sign(self) -> &'static str {
        match self {
            Opener::Group => "-(",
            Opener::Bar => "|",
            Opener::Scale => "2*(",
            Opener::Bias => "(",
            Opener::Complement => "1-(",
        }
    }
}

impl Parser<'_> {
    /// `TEMP[0]_2X`
    pub(super) fn factor(&mut self) -> Result<()> {
        let Some(item) = self.stream.peek().filter(|item| item.gap == Gap::None) else {
            return Ok(());
        };
        let word = self.stream.word(item);
        if FACTORS.iter().any(|factor| factor.eq_ignore_ascii_case(word)) {
            self.stream.next();
            let factor = word.to_ascii_uppercase();
            if factor == "_1X" {
                self.note_form(Modifier::Factor, item.range(), Some(String::new()));
            } else {
                self.note_form(Modifier::Factor, item.range(), None);
                self.keep_form(Modifier::Factor, item.range(), factor);
            }
        }
        Ok(())
    }

    /// `TEMP[0].xy (EQ.xyzw)`, `TEMP[0].xy (EQ1.xyzw)`
    pub(super) fn condition_code(&mut self) -> Result<()> {
        let Some(open) = self.stream.peek().filter(|item| item.gap != Gap::Line) else {
            return Ok(());
        };
        let code = self.stream.peek_at(1).map(|item| self.stream.word(item));
        // A number after the test is that of the condition register.
        let test = |code: &str| code.trim_end_matches(|it: char| it.is_ascii_digit()).len();
        let is_test = |code: &&str| {
            let test = &code[..test(code)];
            CONDITIONS.iter().any(|condition| condition.eq_ignore_ascii_case(test))
        };
        let Some(code) = code.filter(is_test) else {
            return Ok(());
        };
        self.stream.next();
        self.stream.next();
        let swizzle = self.swizzle()?;
        self.sign(TokenKind::RightParenthesis, "`)` after the condition code")?;
        let range = TextRange::new(open.start(), self.stream.last_end());
        let letters: String = swizzle.0.into_iter().map(Component::letter).collect();
        self.note_form(Modifier::ConditionCode, range, None);
        let spelling = format!("{}.{letters}", code.to_ascii_uppercase());
        self.keep_form(Modifier::ConditionCode, range, spelling);
        Ok(())
    }

    /// Tells whether a source begins with something that no source of today does.
    pub(super) fn begins_historic_source(&self) -> bool {
        let kind_at = |ahead| self.stream.peek_at(ahead).map(|item: TokenSpan| item.kind);
        match kind_at(0) {
            Some(TokenKind::LeftParenthesis) => {
                // The parenthesis of a predicate begins the next statement.
                !self.starts_statement(0)
            }
            Some(TokenKind::Number) => self.opener().is_some(),
            Some(TokenKind::Minus) => kind_at(1) == Some(TokenKind::LeftParenthesis),
            Some(TokenKind::Bar) => match kind_at(1) {
                Some(TokenKind::LeftParenthesis) => true,
                Some(TokenKind::Number) => kind_at(3) == Some(TokenKind::LeftParenthesis),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns what the next tokens open, and how many they are.
    fn opener(&self) -> Option<(Opener, usize)> {
        let at = |ahead| self.stream.peek_at(ahead).map(|item| (item.kind, self.stream.word(item)));
        let parenthesis = |ahead| at(ahead).is_some_and(|it| it.0 == TokenKind::LeftParenthesis);
        match at(0)? {
            (TokenKind::LeftParenthesis, _) => Some((Opener::Bias, 1)),
            (TokenKind::Bar, _) => Some((Opener::Bar, 1)),
            (TokenKind::Minus, _) if parenthesis(1) => Some((Opener::Group, 2)),
            (TokenKind::Number, "2") if at(1)?.1 == "*" && parenthesis(2) => {
                Some((Opener::Scale, 3))
            }
            (TokenKind::Number, "1") if at(1)?.0 == TokenKind::Minus && parenthesis(2) => {
                Some((Opener::Complement, 3))
            }
            _ => None,
        }
    }

    /// `-(|2*((1-(-FILE[index].swizzle))-0.5)|)`, any part of it.
    pub(super) fn historic_source(&mut self) -> Result<Source> {
        let start = self.place().start();
        let mut openers = Vec::new();
        while let Some((opener, length)) = self.opener() {
            if openers.len() == MOST_MODIFIERS || openers.contains(&opener) {
                return Err(self.expected(codes::BAD_OPERAND, "a source register"));
            }
            (0..length).for_each(|_| {
                self.stream.next();
            });
            openers.push(opener);
        }
        let inner_sign = self.stream.eat(TokenKind::Minus).is_some();
        let register = self.register("a source register")?;
        let swizzle = self.swizzle()?;
        for opener in openers.iter().rev() {
            self.close(*opener)?;
        }
        let range = TextRange::new(start, self.stream.last_end());
        let has = |opener| openers.contains(&opener);
        // A sign before the absolute value is swallowed by it.
        let negate = has(Opener::Group) != (inner_sign && !has(Opener::Bar));
        let source = Source { range, register, swizzle, absolute: has(Opener::Bar), negate };
        let numeric = [
            (Opener::Complement, Modifier::Complement),
            (Opener::Bias, Modifier::Bias),
            (Opener::Scale, Modifier::Scale),
        ];
        let signs = openers.iter().map(|opener| opener.sign());
        let spelling: String = signs.chain(inner_sign.then_some("-")).collect();
        let mut any = false;
        for (opener, kind) in numeric {
            if has(opener) {
                any = true;
                self.note_form(kind, range, None);
                self.keep_form(kind, range, spelling.clone());
            }
        }
        if !any {
            let plain = self.plain_source(&source);
            self.note_form(Modifier::Group, range, Some(plain));
            self.keep_form(Modifier::Group, range, spelling);
        }
        Ok(source)
    }

    fn close(&mut self, opener: Opener) -> Result<()> {
        match opener {
            Opener::Bar => {
                self.sign(TokenKind::Bar, "`|`, which closes the absolute value")?;
            }
            Opener::Group | Opener::Scale | Opener::Complement => {
                self.sign(TokenKind::RightParenthesis, "`)`")?;
            }
            Opener::Bias => {
                self.sign(TokenKind::RightParenthesis, "`)-0.5`")?;
                self.sign(TokenKind::Minus, "`-0.5` after the parenthesis")?;
                if self.stream.peek().is_some_and(|zero| self.stream.word(zero) == "0") {
                    self.stream.next();
                }
                self.sign(TokenKind::Dot, "`0.5`, the only bias there was")?;
                let half = self.stream.peek().filter(|half| self.stream.word(*half) == "5");
                if half.is_none() {
                    return Err(self.expected(codes::BAD_OPERAND, "`0.5`, the only bias there was"));
                }
                self.stream.next();
            }
        }
        Ok(())
    }

    /// A source in today's spelling.
    fn plain_source(&self, source: &Source) -> String {
        let register = &self.stream.text[source.register.range];
        let swizzle = print::swizzle(source.swizzle);
        let bar = if source.absolute { "|" } else { "" };
        let sign = if source.negate { "-" } else { "" };
        format!("{sign}{bar}{register}{swizzle}{bar}")
    }

    /// `.x01w`, `.-xy-zw`: read behind the dot; `None`, with nothing taken,
    /// where it is none.
    #[cold]
    pub(super) fn extended_swizzle(&mut self, dot: TokenSpan) -> Option<Swizzle> {
        let rest = &self.stream.text.as_bytes()[usize::from(dot.range().end())..];
        let mut components = Vec::with_capacity(4);
        let mut length = 0;
        let mut signed = false;
        while components.len() < 4 {
            let byte = *rest.get(length)?;
            length += 1;
            match byte {
                b'-' if !signed => {
                    signed = true;
                    continue;
                }
                // Constants read nothing; x stands in for them.
                b'0' | b'1' => components.push(Component::X),
                _ => components.push(Component::from_letter(char::from(byte))?),
            }
            signed = false;
        }
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let components = <[Component; 4]>::try_from(components).ok()?;
        if rest.get(length).is_some_and(goes_on) {
            return None;
        }
        let end = dot.range().end() + TextSize::new(length as u32);
        while self.stream.peek().is_some_and(|item| item.start() < end) {
            self.stream.next();
        }
        let spelling = self.stream.text[TextRange::new(dot.range().end(), end)].to_owned();
        let range = TextRange::new(dot.start(), self.stream.last_end());
        self.note_form(Modifier::ExtendedSwizzle, range, None);
        self.keep_form(Modifier::ExtendedSwizzle, range, spelling.to_ascii_uppercase());
        Some(Swizzle(components))
    }

    fn keep_form(&mut self, kind: Modifier, range: TextRange, spelling: String) {
        let operand = self.operand;
        self.historic.push(HistoricForm { range, operand, kind, spelling });
    }

    /// Hints at a form, with what replaces it where that is sure.
    fn note_form(&mut self, kind: Modifier, range: TextRange, insert: Option<String>) {
        let row = kind.row();
        self.report.lenient(
            (codes::HISTORIC_FORM, Severity::Hint, row.word),
            range,
            || {
                let (from, until) = (year(row.since), year(row.until));
                let subject = match kind {
                    Modifier::Factor => "factors of the result were in the language",
                    Modifier::Complement => "`1-(\u{2026})` was in the language",
                    Modifier::Bias => "`(\u{2026})-0.5` was in the language",
                    Modifier::Scale => "`2*(\u{2026})` was in the language",
                    Modifier::Group => "`-(\u{2026})` was in the language",
                    Modifier::ConditionCode => {
                        "condition codes were in token streams, not in text,"
                    }
                    _ => "constants and signs in a swizzle were in the language",
                };
                let today = row.replacement;
                let message = format!("{subject} from {from} to {until}; today: {today}");
                (message, "Write it as today")
            },
            insert.map(|insert| TextEdit::replace(range, insert)),
        );
    }

    /// Hints at a property or semantic whose name is not today's. A name that
    /// took its place is the fix.
    #[inline]
    pub(super) fn note_historic_word(&mut self, row: &'static WordRow, range: TextRange) {
        if row.until.is_empty() {
            return;
        }
        let successor = word_rows::find(row.list, row.replacement);
        let edit = successor.map(|it| TextEdit::replace(range, it.word));
        self.report.lenient(
            (codes::HISTORIC_WORD, Severity::Hint, row.word),
            range,
            || {
                let (from, until) = (year(row.since), year(row.until));
                let today = row.replacement;
                let message = format!(
                    "the {} `{}` was in the language from {from} to {until}; today: `{today}`",
                    row.list, row.word
                );
                (message, format!("Write `{today}`"))
            },
            edit,
        );
    }

    /// Hints at an opcode that went, and at what replaces it.
    #[cold]
    pub(super) fn note_historic_opcode(&mut self, instruction: &Instruction) {
        let opcode = instruction.opcode.value;
        let row = opcode.row();
        // One that no reader ever took has its error.
        if !opcode.had_text_form() {
            return;
        }
        let edit = if self.report.broken { None } else { self.replaced(instruction, row) };
        self.report.lenient(
            (codes::HISTORIC_OPCODE, Severity::Hint, row.mnemonic),
            instruction.opcode.range,
            || {
                let until = match row.until {
                    "" => String::new(),
                    day => format!(" on {day}"),
                };
                let instead = match row.replacement.strip_prefix("none") {
                    Some("") => "; it has no replacement".to_owned(),
                    Some(why) => {
                        format!("; instead, {}", why.trim_start_matches([':', ' ']))
                    }
                    None => format!("; today write `{}`", row.replacement),
                };
                (format!("`{}` left the language{until}{instead}", row.mnemonic), {
                    let first = row.replacement.split(' ').next().unwrap_or_default();
                    format!("Write `{first}`")
                })
            },
            edit,
        );
    }

    /// The instruction in today's words; `None` unless one instruction of the
    /// same operands does the same for certain.
    fn replaced(&self, instruction: &Instruction, row: &OpInfo) -> Option<TextEdit> {
        if !instruction.historic.is_empty() || row.replacement.contains("; ") {
            return None;
        }
        let (mnemonic, operands) = row.replacement.split_once(' ').unwrap_or((row.replacement, ""));
        let text = self.stream.text;
        let written = &text[instruction.opcode.range];
        let modifiers = written.get(row.mnemonic.len()..)?;
        crate::Opcode::find(mnemonic)?;
        let mut words: Vec<String> = Vec::new();
        for operand in operands.split(", ").filter(|operand| !operand.is_empty()) {
            match operand {
                "dst" => words.push(text[instruction.destinations.first()?.range].to_owned()),
                "TARGET" => words.push(text[instruction.target?.range].to_owned()),
                // It stands behind the operands, and stays.
                ":n" => {}
                _ => words.push(self.replaced_source(instruction, operand)?),
            }
        }
        let ends = instruction.destinations.iter().map(|it| it.range.end());
        let ends = ends.chain(instruction.sources.iter().map(|it| it.range.end()));
        let ends = ends.chain(instruction.target.map(|it| it.range.end()));
        let end = ends.max().unwrap_or(instruction.opcode.range.end());
        let range = TextRange::new(instruction.opcode.range.start(), end);
        if text[range].contains(['#', '/']) {
            return None;
        }
        let blank = if words.is_empty() { "" } else { " " };
        Some(TextEdit::replace(range, format!("{mnemonic}{modifiers}{blank}{}", words.join(", "))))
    }

    /// `src1`, `-src1` or `|src0|` of a replacement.
    fn replaced_source(&self, instruction: &Instruction, operand: &str) -> Option<String> {
        let bare = operand.trim_start_matches('-').trim_matches('|');
        let number: usize = bare.strip_prefix("src")?.parse().ok()?;
        let mut source = *instruction.sources.get(number)?;
        if operand.starts_with('|') {
            source.absolute = true;
            source.negate = false;
        } else if operand.starts_with('-') {
            source.negate = !source.negate;
        } else {
            return Some(self.stream.text[source.range].to_owned());
        }
        Some(self.plain_source(&source))
    }
}

/// The year of a day.
fn year(day: &str) -> &str {
    day.split('-').next().unwrap_or_default()
}
