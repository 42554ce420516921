//! A place in a line that moves over its bytes.

use std::ops::Range;

use super::error::LineError;
use super::parse::Context;
use crate::codes;
use crate::dialect::Dialect;

/// The line and the next byte.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    /// The dialect whose rules for comments and operators hold.
    pub(crate) dialect: Dialect,
    /// The chip, the symbols and the instruction whose operands are read.
    pub(crate) context: &'a Context<'a>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect, context: &'a Context<'a>) -> Cursor<'a> {
        Cursor { text, at: 0, dialect, context }
    }

    /// The next byte; 0 at the end.
    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// The byte after the next one.
    pub(crate) fn second(&self) -> u8 {
        self.text.as_bytes().get(self.at + 1).copied().unwrap_or(0)
    }

    /// Skips blanks and block comments.
    #[inline]
    pub(crate) fn skip_blanks(&mut self) {
        // Mostly there is one blank or none.
        if self.peek() == b' ' {
            self.at += 1;
        }
        if matches!(self.peek(), 1..=b' ' | b'/') {
            self.skip_all_blanks();
        }
    }

    #[cold]
    fn skip_all_blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.second() == b'*' => {
                    let rest = self.text.get(self.at + 2..).unwrap_or("");
                    self.at = match rest.find("*/") {
                        Some(length) => self.at + 2 + length + 2,
                        None => self.text.len(),
                    };
                }
                _ => return,
            }
        }
    }

    /// Tells whether nothing but a comment, or in CLRX another statement, is left.
    #[inline]
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        match (self.peek(), self.dialect) {
            (0, _) => self.at >= self.text.len(),
            (b';', _) | (b'#', Dialect::Clrx) => true,
            (b'/', Dialect::Llvm) => self.second() == b'/',
            _ => false,
        }
    }

    /// Takes a byte, after blanks.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    /// Takes a byte, or says what was expected.
    pub(crate) fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), LineError> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    /// Takes a word and an opening parenthesis where both follow.
    pub(crate) fn takes_call(&mut self, name: &str) -> bool {
        let mut ahead = *self;
        let word = ahead.word();
        let is_it =
            word == name || (self.dialect == Dialect::Clrx && word.eq_ignore_ascii_case(name));
        let found = is_it && ahead.take(b'(');
        if found {
            *self = ahead;
        }
        found
    }

    /// A word of letters, digits, `_`, `$`, `.` and `@`; empty where none begins.
    pub(crate) fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        if let [first, rest @ ..] = rest
            && begins_word(*first)
        {
            let length = rest.iter().position(|byte| !continues_word(*byte));
            self.at = start + 1 + length.unwrap_or(rest.len());
        }
        self.text.get(start..self.at).unwrap_or("")
    }

    /// A word and its place.
    pub(crate) fn placed_word(&mut self) -> (&'a str, Range<usize>) {
        let word = self.word();
        (word, self.at - word.len()..self.at)
    }

    /// A word, in CLRX with the scopes before it: `outer::inner::name`.
    pub(crate) fn path(&mut self) -> &'a str {
        if self.dialect == Dialect::Llvm {
            return self.word();
        }
        self.skip_blanks();
        let start = self.at;
        let separated = |at: usize| self.text.as_bytes().get(at..at + 2) == Some(b"::");
        let mut end = start;
        let mut ahead = *self;
        loop {
            if separated(ahead.at) {
                ahead.at += 2;
            }
            let bytes = self.text.as_bytes();
            if !bytes.get(ahead.at).is_some_and(|byte| begins_word(*byte)) {
                break;
            }
            ahead.word();
            end = ahead.at;
            if !separated(end) {
                break;
            }
        }
        self.at = end;
        self.text.get(start..end).unwrap_or("")
    }

    /// An error at the next byte.
    pub(crate) fn unexpected(&mut self, what: &'static str) -> LineError {
        self.skip_blanks();
        self.error_here(what)
    }

    pub(crate) fn error_here(&self, what: impl Into<std::borrow::Cow<'static, str>>) -> LineError {
        let end = self.behind_character(self.at);
        LineError::new(codes::SYNTAX, self.at.min(end)..end, what)
    }

    /// The place behind the character at a place; that of the text's end there.
    pub(crate) fn behind_character(&self, at: usize) -> usize {
        let ends = at + 1..=self.text.len();
        ends.into_iter().find(|end| self.text.is_char_boundary(*end)).unwrap_or(self.text.len())
    }
}

const fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'.') || !byte.is_ascii()
}

#[inline]
fn continues_word(byte: u8) -> bool {
    // Most of a line's time would go into asking each byte four questions.
    const CONTINUES: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let it = byte as u8;
            table[byte] = begins_word(it) || it.is_ascii_digit() || it == b'@';
            byte += 1;
        }
        table
    };
    CONTINUES[byte as usize]
}
