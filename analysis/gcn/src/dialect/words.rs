//! Names, blanks and strings, as both dialects write them, and their places.

use source::{TextRange, text_range};

use super::Dialect;

/// Tells whether a byte can stand in a name. Bytes of other alphabets can, so that no
/// name is cut within a character.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'_' | b'.' | b'$' | b'@')
}

/// Returns the end of the name at `start`: words, in CLRX with `::` between.
pub(crate) fn end_of_name(text: &str, start: usize, dialect: Dialect) -> usize {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(|byte| is_word(*byte));
    let is_path = |at: usize| dialect == Dialect::Clrx && text[at..].starts_with("::");
    let mut at = start;
    loop {
        if is_letter(at) {
            at += 1;
        } else if is_path(at) && is_letter(at + 2) {
            at += 2;
        } else {
            return at;
        }
    }
}

/// Returns the end of the word at `at`.
pub(crate) fn end_of_word(bytes: &[u8], at: usize) -> usize {
    at + bytes[at.min(bytes.len())..].iter().take_while(|byte| is_word(**byte)).count()
}

/// Finds the first byte from `at` on that is no blank.
pub(crate) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Returns the end of the string that begins at `at`; a line's end ends it too.
pub(crate) fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' | b'\r' => return at,
            b'\\' if !matches!(bytes.get(at + 1), None | Some(b'\n' | b'\r')) => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A range, from offsets in a text and where that text begins.
pub(crate) fn shifted(base: usize, from: usize, to: usize) -> TextRange {
    text_range(base + from, base + to.max(from))
}
