//! Shaders behind the prefixes of a log's lines: times, names of drivers and
//! programs, quotation marks of mail.
//!
//! Found by a header at the end of a line. What stands before it is the
//! prefix, and the lines that follow must begin alike: the same signs and
//! words in the same order, where words with digits in them may differ.

use source::{Escapes, LineBreaks, SegmentedText};

use super::format_marks::{self, Marks};
use super::likeness::{confirms, is_comment, trailing_header};
use super::unwrapped::{MAX_PIECES, Unwrapped};
use super::{line_end, range};

/// Lines of other programs that may stand between two lines of a shader.
const MAX_FOREIGN_LINES: usize = 8;

/// Lines without any text that may stand between a header and a statement.
const MAX_BLANK_LINES: usize = 4;

/// Tells whether what stands before a header may be a prefix at all: comments of TGSI files are
/// comments, whatever is in them.
pub(super) fn may_be_prefix(prefix: &str) -> bool {
    let prefix = prefix.trim_start();
    !is_comment(prefix) && !prefix.starts_with('*')
}

/// Takes the lines with one prefix together, from the line with a header on.
/// `None` where no statement with that prefix follows.
pub(super) fn unwrap(text: &str, line_start: usize, header: usize) -> Option<Unwrapped> {
    let prefix = &text[line_start..header];
    let mut at = next_line(text, header);
    if !is_confirmed(text, prefix, &text[header..line_end(text, header)], at) {
        return None;
    }
    // What quotes without numbering or dating can be written again.
    let quotes = prefix.bytes().all(|byte| matches!(byte, b'>' | b'|' | b' ' | b'\t'));
    let mut out = SegmentedText::new();
    // With a margin before its lines a literal of Kotlin or Scala is written.
    let is_literal = text[..line_start].trim_end().ends_with("\"\"\"");
    let mut escapes = Escapes::None;
    let mut copy = |start: usize, end: usize, out: &mut SegmentedText| match is_literal {
        true => {
            if format_marks::copy(text, range(start, end), out) == Marks::Some {
                escapes = Escapes::Template;
            }
        }
        false => out.copy(text, range(start, end)),
    };
    copy(header, at, &mut out);
    let mut end = at;
    let mut foreign = 0;
    while at < text.len() && out.len() < MAX_PIECES {
        let next = next_line(text, at);
        let line = &text[at..next];
        match strip(prefix, line.trim_end_matches(['\n', '\r'])) {
            Some(length) => {
                copy(at + length, next, &mut out);
                foreign = 0;
                end = next;
            }
            None => {
                foreign += 1;
                let other = trailing_header(line).is_some();
                if quotes || other || foreign > MAX_FOREIGN_LINES {
                    break;
                }
            }
        }
        at = next;
    }
    let breaks = if quotes { LineBreaks::AsTheFirst } else { LineBreaks::Unsure };
    Some(Unwrapped { text: out, escapes, breaks, condition: None, end })
}

/// Tells whether a statement with the prefix stands at `at`, but for empty lines.
fn is_confirmed(text: &str, prefix: &str, header: &str, mut at: usize) -> bool {
    for _ in 0..=MAX_BLANK_LINES {
        let end = line_end(text, at);
        let line = &text[at..end];
        let Some(length) = strip(prefix, line) else { return false };
        let statement = line[length..].trim();
        if !statement.is_empty() {
            return confirms(header, statement);
        }
        at = next_line(text, end);
    }
    false
}

/// The start of the line behind the one that holds an offset.
fn next_line(text: &str, from: usize) -> usize {
    let length = text.as_bytes()[from..].iter().position(|byte| *byte == b'\n');
    length.map_or(text.len(), |length| from + length + 1)
}

/// Returns how many bytes of a line are like a prefix; `None` where it has another. A line that
/// ends where only blanks of the prefix are left has it too.
fn strip(prefix: &str, line: &str) -> Option<usize> {
    let (prefix, line) = (prefix.as_bytes(), line.as_bytes());
    let (mut a, mut b) = (0, 0);
    while a < prefix.len() {
        if b >= line.len() {
            let blank = prefix[a..].iter().all(|byte| is_blank(*byte));
            return (blank && a > 0).then_some(b);
        }
        let (sign, other) = (prefix[a], line[b]);
        if is_blank(sign) || is_blank(other) {
            let (in_prefix, in_line) = (count(&prefix[a..], is_blank), count(&line[b..], is_blank));
            if a + in_prefix == prefix.len() {
                // The blanks behind the prefix may be the statement's own.
                let bare = in_line == 0 && a > 0 && is_word(prefix[a - 1]);
                return (!bare && in_prefix > 0).then(|| b + in_prefix.min(in_line));
            }
            // Numbers are padded to one width.
            let before_number = prefix[a + in_prefix].is_ascii_digit()
                && line.get(b + in_line).is_some_and(u8::is_ascii_digit);
            if (in_prefix == 0 || in_line == 0) && !before_number {
                return None;
            }
            a += in_prefix;
            b += in_line;
        } else if is_word(sign) {
            let (in_prefix, in_line) = (count(&prefix[a..], is_word), count(&line[b..], is_word));
            let (word, found) = (&prefix[a..a + in_prefix], &line[b..b + in_line]);
            let numbered = |word: &[u8]| word.iter().any(u8::is_ascii_digit);
            if word != found && !(numbered(word) && numbered(found)) {
                return None;
            }
            a += in_prefix;
            b += in_line;
        } else if sign == other {
            a += 1;
            b += 1;
        } else {
            return None;
        }
    }
    Some(b)
}

fn count(bytes: &[u8], is: fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is(**byte)).count()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn prefixes_are_alike_but_for_their_numbers() {
        let rest = |prefix, line: &'static str| strip(prefix, line).map(|length| &line[length..]);
        assert_eq!(rest("> ", "> DCL"), Some("DCL"));
        assert_eq!(rest("> ", ">   0: MOV"), Some("  0: MOV"));
        assert_eq!(rest("> ", ">DCL"), Some("DCL"));
        assert_eq!(rest("> ", ">"), Some(""));
        assert_eq!(rest("> ", "DCL"), None);
        assert_eq!(rest("[   12.25] si: ", "[12345.678901] si:   1: END"), Some("  1: END"));
        assert_eq!(rest("[   12.25] si: ", "[12345.678901] nv: 1: END"), None);
        assert_eq!(rest("si 0x7f00: ", "si 0xbeef: END"), Some("END"));
        assert_eq!(rest("the ", "theory"), None);
        assert_eq!(rest("a: ", ""), None);
    }
}
