//! Text as logical lines: comments blanked, lines joined, separators obeyed.
//!
//! Comments become blanks of the same length, so an offset in a logical line is
//! an offset in the text it was read from. Most lines need no change and are
//! borrowed; only a line with a comment or a join inside it is copied.

use std::borrow::Cow;

use crate::dialect::Dialect;
pub(crate) use crate::dialect::words::{
    end_of_name, end_of_string, end_of_word, is_word, skip_blanks,
};

/// A logical line: at most one statement with the labels before it.
#[derive(Debug)]
pub(crate) struct LogicalLine<'a> {
    /// Its text, comments blanked.
    pub(crate) text: Cow<'a, str>,
    /// Its start in the text it was read from.
    pub(crate) start: usize,
    /// The start of the next one.
    pub(crate) next: usize,
    /// Tells whether a comment that began in it never ends.
    pub(crate) unterminated: bool,
}

/// Reads the logical line that begins at `start`, from `text[..end]`.
///
/// Takes time linear in the length of the line.
pub(crate) fn read_line(text: &str, start: usize, end: usize, dialect: Dialect) -> LogicalLine<'_> {
    let bytes = &text.as_bytes()[..end];
    let mut blanks = Blanks { text: &text[..end], start, copy: None };
    let clrx = dialect == Dialect::Clrx;
    let mut at = start;
    let mut unterminated = false;
    let (stop, next) = loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(plain) = rest.iter().position(|byte| is_remarkable(*byte)) else {
            break (end, end);
        };
        at += plain;
        let byte = bytes[at];
        match byte {
            b'\n' => break (at, at + 1),
            b'\r' => break (at, at + if bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 }),
            b';' if clrx => break (at, at + 1),
            b';' => break (at, end_of_line(bytes, at)),
            b'#' if clrx || begins_statement(&text[start..at]) => {
                break (at, end_of_line(bytes, at));
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') && !clrx => {
                break (at, end_of_line(bytes, at));
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let close = text[at + 2..end].find("*/").map(|length| at + 2 + length + 2);
                unterminated = close.is_none();
                let close = close.unwrap_or(end);
                blanks.fill(at, close);
                at = close;
            }
            b'\\' if clrx => match bytes.get(at + 1) {
                Some(b'\n') => {
                    blanks.fill(at, at + 2);
                    at += 2;
                }
                Some(b'\r') => {
                    let width = if bytes.get(at + 2) == Some(&b'\n') { 3 } else { 2 };
                    blanks.fill(at, at + width);
                    at += width;
                }
                _ => at += 1,
            },
            b'"' => at = end_of_string(bytes, at),
            b'\'' => at = end_of_character(bytes, at),
            _ => at += 1,
        }
    };
    let line = blanks.finish(stop);
    LogicalLine { text: line, start, next, unterminated }
}

/// Tells whether a byte may end a line or begin a comment, a string or a join.
#[inline]
fn is_remarkable(byte: u8) -> bool {
    const REMARKABLE: [bool; 256] = {
        let mut table = [false; 256];
        let bytes = b"\n\r;#/\\\"'";
        let mut index = 0;
        while index < bytes.len() {
            table[bytes[index] as usize] = true;
            index += 1;
        }
        table
    };
    REMARKABLE[byte as usize]
}

/// Tells whether what precedes on the line leaves the next character at the start of a statement.
fn begins_statement(before: &str) -> bool {
    let before = before.trim_ascii_end();
    before.is_empty() || before.ends_with(':')
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    match length {
        None => bytes.len(),
        Some(length) => {
            let stop = at + length;
            let pair = bytes[stop] == b'\r' && bytes.get(stop + 1) == Some(&b'\n');
            stop + if pair { 2 } else { 1 }
        }
    }
}

/// Finds the end of a character such as `';'`; a lone quote is one byte.
fn end_of_character(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at + 1) {
        Some(b'\n' | b'\r') | None => at + 1,
        Some(b'\\') if bytes.get(at + 3) == Some(&b'\'') => at + 4,
        Some(byte) if *byte != b'\\' && bytes.get(at + 2) == Some(&b'\'') => at + 3,
        _ => at + 1,
    }
}

/// A line that is copied when its first part is blanked.
struct Blanks<'a> {
    text: &'a str,
    start: usize,
    copy: Option<String>,
}

impl<'a> Blanks<'a> {
    /// Makes `from..to` blank.
    fn fill(&mut self, from: usize, to: usize) {
        let start = self.start;
        let copy = self.copy.get_or_insert_default();
        let done = start + copy.len();
        copy.push_str(&self.text[done..from]);
        copy.extend(std::iter::repeat_n(' ', to - from));
    }

    fn finish(self, stop: usize) -> Cow<'a, str> {
        match self.copy {
            None => Cow::Borrowed(&self.text[self.start..stop]),
            Some(mut copy) => {
                let done = self.start + copy.len();
                copy.push_str(&self.text[done.min(stop)..stop]);
                Cow::Owned(copy)
            }
        }
    }
}

/// The start of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// Nothing but blanks.
    Empty,
    /// `name:`; the statement continues at `rest`.
    Label {
        /// Bounds of the name.
        name: (usize, usize),
        /// The start of what follows.
        rest: usize,
    },
    /// `name = value`.
    Assignment {
        /// Bounds of the name.
        name: (usize, usize),
        /// The start of the value.
        rest: usize,
    },
    /// A directive, a macro's name or a mnemonic.
    Word {
        /// Bounds of the word.
        name: (usize, usize),
        /// The start of the operands.
        rest: usize,
    },
}

/// Splits off what stands at `from` in a line.
pub(crate) fn head(line: &str, from: usize, dialect: Dialect) -> Head {
    let bytes = line.as_bytes();
    let start = skip_blanks(bytes, from);
    if start >= bytes.len() {
        return Head::Empty;
    }
    let mut end = end_of_name(line, start, dialect);
    if end == start {
        // No name begins so; the statement must go somewhere. Cut at a blank,
        // which never divides a character.
        let length = bytes[start..].iter().position(u8::is_ascii_whitespace);
        end = length.map_or(bytes.len(), |length| start + length);
        return Head::Word { name: (start, end), rest: skip_blanks(bytes, end) };
    }
    let next = skip_blanks(bytes, end);
    match bytes.get(next) {
        Some(b':') if bytes.get(next + 1) != Some(&b':') => {
            Head::Label { name: (start, end), rest: next + 1 }
        }
        Some(b'=') if bytes.get(next + 1) != Some(&b'=') => {
            Head::Assignment { name: (start, end), rest: skip_blanks(bytes, next + 1) }
        }
        _ => Head::Word { name: (start, end), rest: next },
    }
}
