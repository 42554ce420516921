//! A place in a line, and what is read there.

use source::{TextRange, TextSize};

use crate::ast::{Component, Spanned, Swizzle, WriteMask};
use crate::lexer::is_word;

/// The bit of the component that each byte names; 0 of all others.
const COMPONENTS: [u8; 256] = {
    let mut bits = [0; 256];
    let mut component = 0;
    while component < 4 {
        bits[b"xyzw"[component] as usize] = 1 << component;
        bits[b"XYZW"[component] as usize] = 1 << component;
        component += 1;
    }
    bits
};

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
        self.byte(self.at)
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b'\n')
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
        let is_next = self.peek() == sign;
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
        self.run(is_word)
    }

    #[inline]
    fn run(&mut self, is_part: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while is_part(self.peek()) {
            self.at += 1;
        }
        self.end = self.at;
        &self.text[start..self.at]
    }

    /// Takes a word of letters of components, each once and in their order.
    #[inline]
    pub(super) fn mask(&mut self) -> Option<WriteMask> {
        let mut mask = 0;
        loop {
            let bit = COMPONENTS[usize::from(self.peek())];
            if bit <= mask {
                break;
            }
            mask |= bit;
            self.skip(1);
        }
        (mask != 0 && !is_word(self.peek())).then_some(WriteMask(mask))
    }

    /// Takes a word of four letters of components.
    #[inline]
    pub(super) fn swizzle(&mut self) -> Option<Swizzle> {
        let letters = self.rest().first_chunk::<4>()?;
        let bits = letters.map(|letter| COMPONENTS[usize::from(letter)]);
        self.skip(4);
        let is_whole = bits.iter().all(|bit| *bit != 0) && !is_word(self.peek());
        is_whole.then(|| Swizzle(bits.map(|bit| Component::ALL[bit.ilog2() as usize])))
    }

    /// Takes what a number with sign, point and exponent is made of.
    pub(super) fn value(&mut self) -> &'a str {
        self.run(|byte| is_word(byte) || matches!(byte, b'.' | b'-' | b'+'))
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
        let mut byte = self.peek();
        while byte.is_ascii_digit() && length < SHORT {
            value = value * 10 + u32::from(byte - b'0');
            length += 1;
            byte = self.byte(self.at + length);
        }
        self.skip(length);
        (length > 0 && !is_word(byte)).then_some(value)
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
        let bytes = self.text.as_bytes();
        let mut next = self.at;
        while let Some(b' ' | b'\t' | b'\n') = bytes.get(next) {
            next += 1;
        }
        let begins = bytes.get(next).is_none_or(|byte| is_word(*byte));
        begins.then(|| TextSize::new(next as u32))
    }
}
