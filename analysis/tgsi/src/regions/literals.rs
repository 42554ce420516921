//! Shaders in string literals: sources of C and its like, JSON, and texts that
//! a log prints with `\n` for line ends.
//!
//! Found by a header before an escaped line end. Adjacent literals are one
//! text. A literal with `%` or with a macro between its parts is a template
//! that is completed when its program runs: it is left alone.

use source::{Escapes, LineBreaks, SegmentedText};

use super::likeness::{is_bare_header, last_name};
use super::range;
use super::unwrapped::{MAX_PIECES, Unwrapped};

/// The result of a search from an offset of a line on.
pub(super) enum Search {
    /// No more in this line.
    Nothing,
    /// A text that may hold shaders.
    Found(Unwrapped),
    /// A text that is left alone, and where to go on behind it.
    Skip(usize),
}

/// Looks for a header in a literal between two offsets, of one line.
pub(super) fn search(text: &str, start: usize, end: usize) -> Search {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(found) = text[at..end].find("\\n") {
        let escape = at + found;
        if let Some(header) = header_before(text, start, escape) {
            return decode(text, header, quote_before(&bytes[start..header]));
        }
        at = escape + 2;
    }
    Search::Nothing
}

/// The offset of a header that ends at an escape, after an optional `\r`.
fn header_before(text: &str, start: usize, escape: usize) -> Option<usize> {
    let line = text[start..escape].trim_end_matches([' ', '\t']);
    let line = line.strip_suffix("\\r").unwrap_or(line);
    let mut header = last_name(line);
    // The letter of an escape is no part of the word behind it.
    if line[..header].ends_with('\\') && line[header..].starts_with(['n', 't', 'r']) {
        header += 1;
    }
    is_bare_header(&line[header..]).then_some(start + header)
}

/// The quotation mark that opened the literal before a header; `None` for an
/// escaped text without any.
fn quote_before(before: &[u8]) -> Option<u8> {
    let place = before.iter().rposition(|byte| matches!(byte, b'"' | b'\''))?;
    Some(before[place])
}

/// Reads literals from the header on until they end.
fn decode(text: &str, header: usize, quote: Option<u8>) -> Search {
    let bytes = text.as_bytes();
    let mut out = SegmentedText::new();
    let mut template = false;
    let mut breaks = LineBreaks::AsTheFirst;
    let mut copied = header;
    let mut at = header;
    let end = loop {
        let copy_until = |out: &mut SegmentedText, at| out.copy(text, range(copied, at));
        let Some(byte) = bytes.get(at).copied() else {
            copy_until(&mut out, at);
            break at;
        };
        match byte {
            b'\n' | b'\r' => {
                copy_until(&mut out, at);
                break at;
            }
            b'%' => {
                template = true;
                at += 1;
            }
            _ if Some(byte) == quote => {
                copy_until(&mut out, at);
                let Adjacent { next, comments } = adjacent(bytes, at + 1);
                if comments {
                    breaks = LineBreaks::Unsure;
                }
                match bytes.get(next).copied() {
                    next_byte if next_byte == quote && out.len() < MAX_PIECES => {
                        at = next + 1;
                        copied = at;
                    }
                    Some(word) if word.is_ascii_alphabetic() || word == b'_' => {
                        template = true;
                        break next;
                    }
                    _ => break at + 1,
                }
            }
            b'\\' => {
                copy_until(&mut out, at);
                let character = match bytes.get(at + 1).copied() {
                    Some(b'n') => '\n',
                    Some(b't') => '\t',
                    Some(b'r') => '\r',
                    Some(sign @ (b'"' | b'\'' | b'\\' | b'/')) => char::from(sign),
                    Some(b'\n' | b'\r') => {
                        // The line goes on in the next.
                        at = skip_line_end(bytes, at + 1);
                        copied = at;
                        continue;
                    }
                    // No text of a shader: perhaps no literal at all.
                    _ => return Search::Skip(at + 1),
                };
                out.replace(character, range(at, at + 2));
                at += 2;
                copied = at;
            }
            _ => at += 1,
        }
    };
    match template {
        true => Search::Skip(end),
        false => Search::Found(Unwrapped { text: out, escapes: Escapes::Literal, breaks, end }),
    }
}

struct Adjacent {
    /// The next offset that means something.
    next: usize,
    /// Set where a comment was passed.
    comments: bool,
}

/// Skips what may stand between two literals that are one: white space, the
/// `+` of other languages, quotation marks of mail, comments.
fn adjacent(bytes: &[u8], from: usize) -> Adjacent {
    // A bound for those who would have the same text skipped many times.
    const LONGEST: usize = 4096;
    let bytes = &bytes[..bytes.len().min(from.saturating_add(LONGEST))];
    let mut at = from;
    let mut comments = false;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | b'+' | b'>' | b'|') => at += 1,
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            Some(b'/') if bytes.get(at + 1) == Some(&b'/') => {
                comments = true;
                at += bytes[at..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
            }
            Some(b'/') if bytes.get(at + 1) == Some(&b'*') => {
                comments = true;
                let length = bytes[at + 2..].windows(2).position(|pair| pair == b"*/");
                at = length.map_or(bytes.len(), |length| at + 2 + length + 2);
            }
            _ => return Adjacent { next: at, comments },
        }
    }
}

fn skip_line_end(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => at + 2,
        _ => at + 1,
    }
}
