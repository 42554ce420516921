//! Registers, indices, masks and swizzles.

use source::{TextEdit, TextRange};

use super::repairs::{repair, usual_components};
use super::stream::{Gap, TokenSpan};
use super::{Failed, Parser, Result, quote};
use crate::ast::{
    Component, Destination, Index, Indirect, Register, Source, Swizzle, TextureOffset, WriteMask,
};
use crate::codes;
use crate::lexer::TokenKind;
use crate::opcodes::ValueType;
use crate::vocabulary;
use crate::words::{File, ImmediateType};

impl<'a> Parser<'a> {
    /// `FILE[index](n)[index](n).mask`
    pub(super) fn destination(&mut self) -> Result<Destination> {
        let register = self.register("a destination register")?;
        if self.stream.at(TokenKind::Word) {
            self.factor()?;
        }
        let mask = match self.mask()? {
            Some((mask, _)) => mask,
            None => WriteMask::ALL,
        };
        if self.stream.at(TokenKind::LeftParenthesis) {
            self.condition_code()?;
        }
        let range = TextRange::new(register.range.start(), self.stream.last_end());
        Ok(Destination { range, register, mask })
    }

    /// `-|FILE[index](n)[index](n).swizzle|`
    pub(super) fn source(&mut self) -> Result<Source> {
        let start = self.stream.peek();
        if start.is_some_and(|item| item.kind != TokenKind::Word) && self.begins_historic_source() {
            return self.historic_source();
        }
        let negate = self.stream.eat(TokenKind::Minus).is_some();
        let bar = self.stream.eat(TokenKind::Bar);
        if bar.is_some()
            && let Some(minus) = self.stream.eat(TokenKind::Minus)
        {
            let message = || "the sign stands outside of the bars: write `-|…|`".to_owned();
            // Within the bars it changes nothing.
            let fix = repair("Remove the `-`", minus.range(), "");
            self.report.error_with(codes::BAD_OPERAND, minus.range(), message, fix);
        }
        let register = self.register("a source register")?;
        let swizzle = self.swizzle()?;
        if bar.is_some() {
            self.sign(TokenKind::Bar, "`|`, which closes the absolute value")?;
        }
        let start = start.map_or(register.range.start(), TokenSpan::start);
        let range = TextRange::new(start, self.stream.last_end());
        Ok(Source { range, register, swizzle, absolute: bar.is_some(), negate })
    }

    /// `FILE[index].ccc`
    pub(super) fn texture_offset(&mut self) -> Result<TextureOffset> {
        let register = self.register("a register with the texel offset")?;
        let mut swizzle = [Component::X, Component::Y, Component::Z];
        if self.stream.eat(TokenKind::Dot).is_some() {
            let (word, range) = self.component_word("three of `x`, `y`, `z`, `w`")?;
            let letters = components(word).filter(|letters| letters.len() == 3);
            let Some(letters) = letters else {
                let shorter = components(word).and_then(|_| word.get(..3));
                let fix = shorter.and_then(|it| repair(format!("Write `.{it}`"), range, it));
                let message = || {
                    let found = quote(word);
                    format!(
                        "a texel offset reads exactly three components, such as `.xyz`; found {found}"
                    )
                };
                return Err(self.report.error_with(codes::BAD_SWIZZLE, range, message, fix));
            };
            swizzle.copy_from_slice(&letters);
        }
        let range = TextRange::new(register.range.start(), self.stream.last_end());
        Ok(TextureOffset { range, register, swizzle })
    }

    /// A register: file, one or two brackets, array numbers.
    pub(super) fn register(&mut self, what: &str) -> Result<Register> {
        let Some(item) = self.stream.peek().filter(|item| item.kind == TokenKind::Word) else {
            return Err(self.not_a_register(what));
        };
        let Some(file) = vocabulary::file(self.stream.word(item)) else {
            return Err(self.not_a_register(what));
        };
        self.stream.next();
        self.note_historic_file(file, item.range());
        let first = self.index(file)?;
        let mut register = Register { range: item.range(), file, dimension: None, index: first };
        if self.stream.at(TokenKind::LeftBracket) {
            register.dimension = Some(first);
            register.index = self.index(file)?;
        }
        register.range = TextRange::new(item.start(), self.stream.last_end());
        Ok(register)
    }

    /// Reports what stands in a register's place.
    #[cold]
    fn not_a_register(&mut self, what: &str) -> Failed {
        if self.at_end() {
            return self.expected(codes::MISSING_OPERAND, what);
        }
        let range = self.place();
        let Some(item) = self.stream.peek() else { return Failed };
        let word = self.stream.word(item);
        let found = quote(word);
        match item.kind {
            TokenKind::Word => {
                let files = File::ALL.iter().map(|file| file.word());
                let bracket = self.stream.peek_at(1).is_some_and(|next| {
                    next.kind == TokenKind::LeftBracket && next.gap == Gap::None
                });
                let number = word.as_bytes()[0].is_ascii_digit();
                if number && !bracket {
                    return self.no_inline_value(range);
                }
                if let Some(fix) = self.glued_number(item) {
                    let message = || format!("expected {what}, but {found} is not a register file");
                    return self.report.error_with(codes::UNKNOWN_FILE, range, message, Some(fix));
                }
                self.report.unknown_word(
                    codes::UNKNOWN_FILE,
                    range,
                    || format!("expected {what}, but {found} is not a register file"),
                    || vocabulary::meant("file", word, files),
                )
            }
            TokenKind::Number | TokenKind::LeftBrace | TokenKind::Dot => {
                self.no_inline_value(range)
            }
            TokenKind::Plus => self.report.error_with_fix(
                codes::BAD_OPERAND,
                range,
                || "an operand cannot have a `+`; only `-` is allowed before it".to_owned(),
                || ("Remove the `+`".to_owned(), TextEdit::replace(range, "")),
            ),
            _ => self.expected(codes::BAD_OPERAND, what),
        }
    }

    fn no_inline_value(&mut self, range: TextRange) -> Failed {
        let message = "operands are registers: declare the value with `IMM[n] FLT32 { … }` and name it `IMM[n]`";
        let integer = matches!(self.source_type(), Some(ValueType::Signed | ValueType::Unsigned));
        let ty = if integer { ImmediateType::Signed32 } else { ImmediateType::Float32 };
        let fix = self.immediate_for(ty);
        self.report.error_with(codes::BAD_OPERAND, range, || message.to_owned(), fix)
    }

    /// `[n]`, `[FILE[n].c+n]`, each perhaps with `(n)` behind.
    fn index(&mut self, file: File) -> Result<Index> {
        if self.stream.eat(TokenKind::LeftBracket).is_none() {
            let what = format!("`[` and a register number after `{file}`");
            let fix = self.other_brackets();
            return Err(self.expected_with(codes::BAD_INDEX, &what, fix));
        }
        let index = match self.stream.peek() {
            Some(item) if item.kind == TokenKind::Number && !self.at_end() => {
                self.stream.next();
                let value = self.register_number(item);
                Index { offset: i32::try_from(value).unwrap_or(i32::MAX), indirect: None }
            }
            Some(item) if item.kind == TokenKind::Minus => self.negative_index(item)?,
            Some(item)
                if item.kind == TokenKind::Word
                    && vocabulary::file(self.stream.word(item)).is_some() =>
            {
                self.indirect_index(item)?
            }
            _ => return Err(self.expected(codes::BAD_INDEX, "a register number")),
        };
        self.sign(TokenKind::RightBracket, "`]`")?;
        let Some(mut indirect) = index.indirect else { return Ok(index) };
        // On a later line it begins the predicate of the next instruction.
        let array =
            |item: TokenSpan| item.kind == TokenKind::LeftParenthesis && item.gap != Gap::Line;
        if self.stream.peek().is_some_and(array) {
            self.stream.next();
            let item = self.numeral(codes::BAD_INDEX, "the number of an array")?;
            indirect.array = Some(self.number(item));
            self.sign(TokenKind::RightParenthesis, "`)`")?;
        }
        Ok(Index { indirect: Some(indirect), ..index })
    }

    /// `-n`, which only virglrenderer reads.
    fn negative_index(&mut self, minus: TokenSpan) -> Result<Index> {
        self.stream.next();
        let item = self.numeral(codes::BAD_INDEX, "a register number")?;
        let value = i32::try_from(self.register_number(item)).unwrap_or(i32::MAX);
        let range = TextRange::new(minus.start(), item.range().end());
        self.report.note(codes::NEGATIVE_INDEX, range, || {
            "only virglrenderer reads a negative register number, and no \
             register has it"
        });
        Ok(Index { offset: -value, indirect: None })
    }

    /// `FILE[n].c+n`
    fn indirect_index(&mut self, base: TokenSpan) -> Result<Index> {
        self.stream.next();
        let Some(file) = vocabulary::file(self.stream.word(base)) else { return Err(Failed) };
        self.note_historic_file(file, base.range());
        self.sign(TokenKind::LeftBracket, "`[`")?;
        let item = self
            .numeral(codes::BAD_INDEX, "a plain register number, since indices nest only once")?;
        let index = self.register_number(item);
        self.sign(TokenKind::RightBracket, "`]`")?;
        let mut component = Component::X;
        if self.stream.eat(TokenKind::Dot).is_some() {
            let (word, range) = self.component_word("one of `x`, `y`, `z`, `w`")?;
            match components(word).as_deref() {
                Some(&[letter]) => component = letter,
                _ => {
                    let first = components(word).and_then(|all| {
                        let first = *all.first()?;
                        all.iter().all(|it| *it == first).then(|| first.letter().to_string())
                    });
                    let fix = first.and_then(|it| repair(format!("Write `.{it}`"), range, it));
                    let message = || {
                        let found = quote(word);
                        format!("an index reads exactly one component, such as `.x`; found {found}")
                    };
                    return Err(self.report.error_with(codes::BAD_SWIZZLE, range, message, fix));
                }
            }
        }
        let offset = self.index_offset()?;
        let indirect = Some(Indirect { file, index, component, array: None });
        Ok(Index { offset, indirect })
    }

    /// `+n` or `-n` behind the indirect register; 0 where there is none.
    fn index_offset(&mut self) -> Result<i32> {
        let before = self.stream.last_end();
        let Some(sign) = self.stream.peek() else { return Ok(0) };
        let negative = match sign.kind {
            TokenKind::Minus => true,
            TokenKind::Plus => false,
            _ => return Ok(0),
        };
        self.stream.next();
        let item = self.numeral(codes::BAD_INDEX, "a number")?;
        let value = i32::try_from(self.register_number(item)).unwrap_or(i32::MAX);
        if item.gap != Gap::None {
            let blanks = TextRange::new(before, item.start());
            let plain = if negative { "-" } else { "+" };
            self.report.lenient(
                codes::BLANK_IN_INDEX,
                TextRange::new(sign.start(), item.range().end()),
                || {
                    let message =
                        "readers since 2012 refuse a blank between the sign and the number";
                    (message, "Remove the blank")
                },
                Some(TextEdit::replace(blanks, plain)),
            );
        }
        Ok(if negative { -value } else { value })
    }

    /// The word after a dot.
    fn component_word(&mut self, what: &str) -> Result<(&'a str, TextRange)> {
        let item = self.peek_word_on_line();
        match item {
            Some(item) => {
                self.stream.next();
                Ok((self.stream.word(item), item.range()))
            }
            None => Err(self.expected(codes::BAD_SWIZZLE, what)),
        }
    }

    /// `.xyzw` with letters left out; `None` where there is no dot.
    pub(super) fn mask(&mut self) -> Result<Option<(WriteMask, TextRange)>> {
        let Some(dot) = self.stream.eat(TokenKind::Dot) else { return Ok(None) };
        let item = self.peek_word_on_line();
        let Some(item) = item else {
            let what = "a write mask such as `.xyz` after the dot";
            return Err(self.expected(codes::BAD_MASK, what));
        };
        self.stream.next();
        let word = self.stream.word(item);
        let mut mask = 0u8;
        let mut ordered = true;
        for letter in word.chars() {
            let Some(component) = Component::from_letter(letter) else {
                let range = item.range();
                let usual = usual_components(word);
                let fix = usual.and_then(|it| repair(format!("Write `.{it}`"), range, it));
                let message = || {
                    let found = quote(word);
                    format!("a write mask has the letters `x`, `y`, `z`, `w` only; found {found}")
                };
                return Err(self.report.error_with(codes::BAD_MASK, range, message, fix));
            };
            let bit = 1 << component as u8;
            ordered &= mask < bit;
            mask |= bit;
        }
        let mask = WriteMask(mask);
        if !ordered {
            let sorted: String = mask.components().map(Component::letter).collect();
            let edit = TextEdit::replace(item.range(), sorted.clone());
            self.report.error_with_fix(
                codes::BAD_MASK,
                item.range(),
                || {
                    let found = quote(word);
                    format!("a write mask names each component once and in order: `{sorted}`, not {found}")
                },
                || (format!("Write `.{sorted}`"), edit),
            );
        }
        Ok(Some((mask, TextRange::new(dot.start(), item.range().end()))))
    }

    /// `.xyzw`; identity where there is no dot.
    pub(super) fn swizzle(&mut self) -> Result<Swizzle> {
        let Some(dot) = self.stream.eat(TokenKind::Dot) else { return Ok(Swizzle::IDENTITY) };
        let item = self.peek_word_on_line();
        let Some(item) = item else {
            if let Some(swizzle) = self.extended_swizzle(dot) {
                return Ok(swizzle);
            }
            return Err(
                self.expected(codes::BAD_SWIZZLE, "a swizzle such as `.xyzw` after the dot")
            );
        };
        let word = self.stream.word(item);
        let mut swizzle = [Component::X; 4];
        let mut length = 0;
        let mut valid = word.len() <= 4;
        for letter in word.bytes().take(4) {
            match Component::from_letter(char::from(letter)) {
                Some(component) => swizzle[length] = component,
                None => valid = false,
            }
            length += 1;
        }
        if (!valid || length < 4)
            && let Some(swizzle) = self.extended_swizzle(dot)
        {
            return Ok(swizzle);
        }
        self.stream.next();
        if !valid {
            let range = item.range();
            let usual = usual_components(word).map(|it| filled(&it));
            let fix = usual.and_then(|it| repair(format!("Write `.{it}`"), range, it));
            let message =
                || format!("expected a swizzle of four letters `xyzw`, found {}", quote(word));
            return Err(self.report.error_with(codes::BAD_SWIZZLE, range, message, fix));
        }
        if length < 4 {
            let last = swizzle[length - 1];
            swizzle[length..].fill(last);
            self.short_swizzle(TextRange::new(dot.start(), item.range().end()), swizzle);
        }
        Ok(Swizzle(swizzle))
    }

    fn short_swizzle(&mut self, range: TextRange, swizzle: [Component; 4]) {
        let full: String = swizzle.into_iter().map(Component::letter).collect();
        let insert = format!(".{full}");
        self.report.lenient(
            codes::SHORT_SWIZZLE,
            range,
            || {
                let message = format!(
                    "the reference parser requires four letters in a swizzle; this is read as `.{full}`"
                );
                (message, "Write all four letters")
            },
            Some(TextEdit::replace(range, insert)),
        );
    }
}

/// A swizzle with its last letter repeated up to four.
fn filled(letters: &str) -> String {
    let last = letters.chars().last().unwrap_or('x');
    letters.chars().chain(std::iter::repeat(last)).take(4).collect()
}

/// The components that a word's letters name; `None` if one names none.
pub(super) fn components(word: &str) -> Option<Vec<Component>> {
    if word.len() > 4 {
        return None;
    }
    word.chars().map(Component::from_letter).collect()
}
