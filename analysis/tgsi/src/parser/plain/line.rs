//! A place in a line, and what is read there.

use source::{TextRange, TextSize};

use crate::ast::Spanned;
use crate::lexer::is_word;

/// A place in a text, which stays on its line until [`next_line`](Line::next_line).
pub(super) struct Line<'a> {
    text: &'a str,
    at: usize,
    /// The place behind the last sign or word.
    end: usize,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str, at: TextSize) -> Line<'a> {
        Line { text, at: at.into(), end: at.into() }
    }

    /// The bytes from here on, those of other lines too.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// Takes so many bytes.
    #[inline]
    pub(super) fn skip(&mut self, length: usize) {
        self.at += length;
        self.end = self.at;
    }

    /// The byte that is next; a line end where there is none.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(b'\n')
    }

    pub(super) fn at_digit(&self) -> bool {
        self.peek().is_ascii_digit()
    }

    /// The place that comes next.
    #[inline]
    pub(super) fn here(&self) -> TextSize {
        TextSize::new(self.at as u32)
    }

    /// The place behind the last sign or word.
    pub(super) fn end(&self) -> TextSize {
        TextSize::new(self.end as u32)
    }

    /// The range from a place to the last sign or word.
    #[inline]
    pub(super) fn since(&self, start: TextSize) -> TextRange {
        TextRange::new(start, self.end())
    }

    /// The text before the place that comes next.
    pub(super) fn before(&self) -> &'a str {
        &self.text[..self.at]
    }

    /// Takes a sign, if it is next.
    #[inline]
    pub(super) fn eat(&mut self, sign: u8) -> bool {
        // A line end is none.
        let is_next = self.rest().first() == Some(&sign);
        if is_next {
            self.skip(1);
        }
        is_next
    }

    /// Takes a comma and the blanks behind it.
    #[inline]
    pub(super) fn comma(&mut self) -> bool {
        let is_next = self.eat(b',');
        if is_next {
            self.blanks();
        }
        is_next
    }

    /// Takes blanks. Returns whether there are any.
    #[inline]
    pub(super) fn blanks(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), b' ' | b'\t') {
            self.at += 1;
        }
        self.at > start
    }

    /// Takes letters, digits and underscores, as many as there are.
    #[inline]
    pub(super) fn word(&mut self) -> &'a str {
        let start = self.at;
        self.skip(self.rest().iter().take_while(|byte| is_word(**byte)).count());
        &self.text[start..self.at]
    }

    /// Takes what a number with sign, point and exponent is made of.
    pub(super) fn value(&mut self) -> &'a str {
        let start = self.at;
        let is_part = |byte: u8| is_word(byte) || matches!(byte, b'.' | b'-' | b'+');
        self.skip(self.rest().iter().take_while(|byte| is_part(**byte)).count());
        &self.text[start..self.at]
    }

    /// Takes a keyword, if it is the next word.
    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let behind = self.rest().strip_prefix(keyword.as_bytes());
        let is_next = behind.is_some_and(|rest| !rest.first().is_some_and(|byte| is_word(*byte)));
        if is_next {
            self.skip(keyword.len());
        }
        is_next
    }

    /// Takes a number of digits that is none of a longer word.
    #[inline]
    pub(super) fn number(&mut self) -> Option<u32> {
        /// So many digits always fit.
        const SHORT: usize = 9;
        let (mut value, mut length) = (0, 0);
        for byte in self.rest().iter().take(SHORT) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value * 10 + u32::from(digit);
            length += 1;
        }
        self.skip(length);
        (length > 0 && !is_word(self.peek())).then_some(value)
    }

    /// The same with its place.
    #[inline]
    pub(super) fn spanned_number(&mut self) -> Option<Spanned<u32>> {
        let start = self.here();
        let value = self.number()?;
        Some(Spanned { value, range: self.since(start) })
    }

    /// The number of a register: the token format holds 16 bits.
    #[inline]
    pub(super) fn register_number(&mut self) -> Option<u32> {
        self.number().filter(|number| *number <= u32::from(u16::MAX))
    }

    /// Finds the next statement behind the line end, if nothing but white space stands between.
    pub(super) fn next_line(&mut self) -> Option<TextSize> {
        self.blanks();
        if self.peek() != b'\n' {
            return None;
        }
        let rest = self.rest();
        let space = rest.iter().take_while(|byte| matches!(**byte, b' ' | b'\t' | b'\n')).count();
        let begins = rest.get(space).is_none_or(|byte| is_word(*byte));
        begins.then(|| TextSize::new((self.at + space) as u32))
    }
}
