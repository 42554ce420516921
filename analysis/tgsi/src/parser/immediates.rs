//! `IMM[n] TYPE { a, b, c, d }`

use smallvec::SmallVec;
use source::{Severity, TextEdit, TextRange};

use super::repairs::repair;
use super::stream::Gap;
use super::{Parser, Result, quote};
use crate::ast::{Immediate, Spanned, StatementKind};
use crate::codes;
use crate::lexer::TokenKind;
use crate::vocabulary;
use crate::words::ImmediateType;

impl Parser<'_> {
    /// Reads an immediate. `None` where not even its type was understood;
    /// that is reported.
    pub(super) fn immediate(&mut self) -> Option<StatementKind> {
        let keyword = self.stream.next()?;
        let number = self.immediates;
        // The one before may have called itself the last that there can be.
        self.immediates = number.saturating_add(1);
        let index = self.immediate_index(keyword.range(), number).ok()?;
        let ty = self.immediate_type().ok()?;
        let mut immediate = Immediate { index, ty, bits: [0; 4], values: SmallVec::new() };
        // A wrong value is reported; the immediate keeps its place.
        let _ = self.immediate_values(&mut immediate);
        Some(StatementKind::Immediate(immediate))
    }

    fn immediate_index(&mut self, keyword: TextRange, number: u32) -> Result<Option<Spanned<u32>>> {
        let Some(open) = self.stream.eat(TokenKind::LeftBracket) else {
            // Behind a broken statement nobody knows the number.
            if self.missed {
                return Ok(None);
            }
            self.report.lenient(
                codes::IMMEDIATE_WITHOUT_INDEX,
                keyword,
                || {
                    let message = format!("this immediate is `IMM[{number}]`; newer texts say so");
                    (message, "Write the number")
                },
                Some(TextEdit::replace(TextRange::empty(keyword.end()), format!("[{number}]"))),
            );
            return Ok(None);
        };
        if open.gap != Gap::None {
            let blank = TextRange::new(keyword.end(), open.start());
            self.report.error_with_fix(
                codes::BAD_IMMEDIATE,
                open.range(),
                || "no blank is allowed between `IMM` and `[`".to_owned(),
                || ("Remove the blank".to_owned(), TextEdit::replace(blank, "")),
            );
        }
        let item = self.numeral(codes::BAD_IMMEDIATE, "the number of the immediate")?;
        let value = self.number(item);
        let missed = std::mem::replace(&mut self.missed, false);
        if value != number && missed {
            self.immediates = value.saturating_add(1);
        } else if value != number {
            let range = item.range();
            self.report.error_with_fix(
                codes::IMMEDIATE_ORDER,
                range,
                || format!("immediates are numbered in order: expected {number}, found {value}"),
                || {
                    let edit = TextEdit::replace(range, number.to_string());
                    (format!("Write `{number}`"), edit)
                },
            );
            // Those that follow are measured by this one: one mistake, one error.
            self.immediates = value.saturating_add(1);
        }
        self.sign(TokenKind::RightBracket, "`]`")?;
        Ok(Some(Spanned { value, range: item.range() }))
    }

    fn immediate_type(&mut self) -> Result<Spanned<ImmediateType>> {
        let item = self.stream.peek().filter(|item| item.kind == TokenKind::Word && !self.at_end());
        let Some(item) = item else {
            let what = "the type of the immediate, such as `FLT32`";
            return Err(self.expected(codes::BAD_IMMEDIATE, what));
        };
        let word = self.stream.word(item);
        let Some(value) = ImmediateType::from_word(word) else {
            let what = "expected the type of the immediate, such as `FLT32`, found";
            return Err(self.report.unknown_word(
                codes::BAD_IMMEDIATE,
                item.range(),
                || format!("{what} {}", quote(word)),
                || {
                    let types = ImmediateType::ALL.iter().map(|ty| ty.word());
                    vocabulary::meant("immediate", word, types)
                },
            ));
        };
        if item.gap == Gap::None {
            self.report.error(codes::BAD_IMMEDIATE, item.range(), || {
                format!("a blank is needed before `{value}`")
            });
        }
        self.stream.next();
        Ok(Spanned { value, range: item.range() })
    }

    fn immediate_values(&mut self, immediate: &mut Immediate) -> Result<()> {
        if !self.stream.at(TokenKind::LeftBrace) {
            let fix = self.missing_brace();
            return Err(self.expected_with(codes::MISSING_SIGN, "`{` and the values", fix));
        }
        self.stream.next();
        let ty = immediate.ty.value;
        let wide = ty.is_wide();
        let count = if wide { 2 } else { 4 };
        // virglrenderer writes doubles as pairs of raw words.
        let mut raw_words = false;
        let mut taken = 0;
        while taken < 4 {
            let value = self.value_range()?;
            immediate.values.push(value);
            let text = &self.stream.text[value];
            let raw = ty == ImmediateType::Float64 && (raw_words || self.two_raw_words(text));
            if raw && let Some(bits) = raw_bits(text) {
                raw_words = true;
                immediate.bits[taken] = bits;
                taken += 1;
            } else {
                let bits = self.value(ty, value)?;
                if wide {
                    immediate.bits[taken] = bits as u32;
                    immediate.bits[taken + 1] = (bits >> 32) as u32;
                    taken += 2;
                } else {
                    immediate.bits[taken] = bits as u32;
                    taken += 1;
                }
            }
            if taken < 4 {
                self.value_separator(ty, count, immediate.values.len())?;
            }
        }
        if self.stream.at(TokenKind::Comma) {
            let range = self.place();
            let fix = self.surplus_values();
            let message =
                || format!("an immediate of the type {ty} has {count} values; here is one more");
            return Err(self.report.error_with(codes::BAD_IMMEDIATE, range, message, fix));
        }
        self.sign(TokenKind::RightBrace, "`}` after the values")?;
        Ok(())
    }

    /// Tells whether a double is written as two raw words, of which this is the first.
    fn two_raw_words(&self, text: &str) -> bool {
        let second = self.stream.peek_at(1).map(|item| self.stream.word(item));
        raw_bits(text).is_some()
            && self.stream.at(TokenKind::Comma)
            && second.is_some_and(|word| raw_bits(word).is_some())
    }

    fn value_separator(&mut self, ty: ImmediateType, count: usize, found: usize) -> Result<()> {
        if self.stream.eat(TokenKind::Comma).is_some() {
            return Ok(());
        }
        if self.stream.at(TokenKind::RightBrace) {
            let range = self.place();
            let zeros = ", 0".repeat(count.saturating_sub(found));
            let fix = repair("Add zeros", self.here(), zeros);
            let message =
                || format!("an immediate of the type {ty} has {count} values, found only {found}");
            return Err(self.report.error_with(codes::BAD_IMMEDIATE, range, message, fix));
        }
        let value = self.stream.peek().is_some_and(|next| is_value_part(next.kind));
        let fix = self.inserted(",").filter(|_| value && !self.at_end());
        Err(self.expected_with(codes::MISSING_COMMA, "`,` and the next value", fix))
    }

    /// `{ a, b, c, d }` of floats: one register of an `IMMX`.
    pub(super) fn float_group(&mut self) -> Result<[u32; 4]> {
        let place = Spanned { value: ImmediateType::Float32, range: self.place() };
        let mut group = Immediate { index: None, ty: place, bits: [0; 4], values: SmallVec::new() };
        self.immediate_values(&mut group)?;
        Ok(group.bits)
    }

    /// Takes the tokens of one value: a number with sign, point and exponent
    /// is several of them.
    fn value_range(&mut self) -> Result<TextRange> {
        let Some(first) = self.stream.peek() else {
            return Err(self.expected(codes::BAD_IMMEDIATE, "a value"));
        };
        if self.at_end() || !is_value_part(first.kind) {
            return Err(self.expected(codes::BAD_IMMEDIATE, "a value"));
        }
        self.stream.next();
        while let Some(item) = self.stream.peek() {
            if item.gap != Gap::None || !is_value_part(item.kind) {
                break;
            }
            self.stream.next();
        }
        Ok(TextRange::new(first.start(), self.stream.last_end()))
    }

    /// The bits of one value, 64-bit types whole.
    fn value(&mut self, ty: ImmediateType, range: TextRange) -> Result<u64> {
        let text = &self.stream.text[range];
        let bits = match ty {
            ImmediateType::Float32 => self.float(text, range).map(u64::from),
            ImmediateType::Unsigned32 => self.unsigned(text, range),
            ImmediateType::Signed32 => self.signed(text, range),
            ImmediateType::Float64 => number::<f64>(text).map(f64::to_bits),
            ImmediateType::Unsigned64 | ImmediateType::Signed64 => long(text),
        };
        if let Some(bits) = bits {
            return Ok(bits);
        }
        let fix = self.plain_value(ty, range);
        let text = quote(text);
        let message = || {
            let what = match ty {
                ImmediateType::Float32 | ImmediateType::Float64 => {
                    "a number such as `-1.5` or `1e-3`, without a suffix"
                }
                ImmediateType::Unsigned32 => "decimal digits without a sign",
                ImmediateType::Signed32 => "decimal digits, perhaps with a sign",
                ImmediateType::Unsigned64 | ImmediateType::Signed64 => "an integer",
            };
            format!("{text} is not a {ty} value: expected {what}")
        };
        Err(self.report.error_with(codes::BAD_IMMEDIATE, range, message, fix))
    }

    fn float(&mut self, text: &str, range: TextRange) -> Option<u32> {
        if let Some(bits) = raw_bits(text) {
            return Some(bits);
        }
        if let Some(digits) = hex_digits(text) {
            let value = u64::from_str_radix(digits, 16).ok()?;
            self.note_portability(
                range,
                "short",
                "is read only by Mesa since 2023, as a whole number",
            );
            return Some((value as f32).to_bits());
        }
        let value = number::<f32>(text)?;
        let letters = text.trim_start_matches(['-', '+']);
        if letters.starts_with(|first: char| first.is_ascii_alphabetic()) {
            self.note_portability(range, "nan", "is read only by Mesa since 2023");
        }
        Some(value.to_bits())
    }

    fn note_portability(&mut self, range: TextRange, key: &'static str, why: &'static str) {
        let text = &self.stream.text[range];
        let kind = (codes::IMMEDIATE_PORTABILITY, Severity::Hint, key);
        self.report.note(kind, range, || format!("{} {why}", quote(text)));
    }

    fn unsigned(&mut self, text: &str, range: TextRange) -> Option<u64> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        (digits && !text.is_empty()).then(|| self.wrapped(text, range))
    }

    fn signed(&mut self, text: &str, range: TextRange) -> Option<u64> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let value = self.unsigned(digits, range)? as u32;
        let value = if text.starts_with('-') { value.wrapping_neg() } else { value };
        Some(u64::from(value))
    }

    /// The value of digits modulo 2³², as the reference computes it.
    fn wrapped(&mut self, digits: &str, range: TextRange) -> u64 {
        let mut value = 0u32;
        let mut large = false;
        for digit in digits.bytes() {
            let digit = u32::from(digit - b'0');
            large |= value.checked_mul(10).and_then(|value| value.checked_add(digit)).is_none();
            value = value.wrapping_mul(10).wrapping_add(digit);
        }
        if large {
            self.note_large_value(range, 32);
        }
        u64::from(value)
    }
}

fn is_value_part(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Word
            | TokenKind::Number
            | TokenKind::Dot
            | TokenKind::Minus
            | TokenKind::Plus
            | TokenKind::Unknown
    )
}

/// A Rust float of a text in C's notation, which Rust's is a superset of
/// except for hexadecimal.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn hex_digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(digits)
}

/// `0x` and exactly eight digits: the bits themselves.
fn raw_bits(text: &str) -> Option<u32> {
    let digits = hex_digits(text).filter(|digits| digits.len() == 8)?;
    u32::from_str_radix(digits, 16).ok()
}

/// A 64-bit integer in C's notation, clamped like C's `strtoll`.
fn long(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let value = match hex_digits(digits) {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap_or(u64::MAX),
        None if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            return None;
        }
        None => digits.parse().unwrap_or(u64::MAX),
    };
    Some(if text.starts_with('-') { value.wrapping_neg() } else { value })
}
