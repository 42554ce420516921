//! Names, blanks and strings, as both dialects write them, and their places.

use source::{TextRange, text_range};

use super::Dialect;

/// Tells whether a byte can stand in a name. Bytes of other alphabets can, so that no
/// name is cut within a character.
#[inline]
pub(crate) fn is_word(byte: u8) -> bool {
    // Most bytes of a text are asked, which takes longer with comparisons.
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let it = byte as u8;
            table[byte] =
                it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'$' | b'@' | 0x80..);
            byte += 1;
        }
        table
    };
    WORD[usize::from(byte)]
}

/// Returns the end of the name at `start`: words, in CLRX with `::` between.
pub(crate) fn end_of_name(text: &str, start: usize, dialect: Dialect) -> usize {
    let bytes = text.as_bytes();
    let mut at = end_of_word(bytes, start);
    while dialect == Dialect::Clrx && text[at..].starts_with("::") {
        match end_of_word(bytes, at + 2) {
            end if end > at + 2 => at = end,
            _ => break,
        }
    }
    at
}

/// Returns the end of the word at `at`.
pub(crate) fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
}

/// Finds the first byte from `at` on that is not a blank.
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
