//! Shaders in string literals: sources of C, Rust, Go, Python, JavaScript and their like, JSON,
//! and texts that a log prints with `\n` for line ends.
//!
//! Found by a header before an escaped line end, or alone in its literal. Literals that are
//! joined ([`joints`]) are one text, and so are those of a list of lines. What is known only when
//! the program runs is a hole ([`crate::holes`]): a mark of a format string ([`format_marks`]), a
//! variable or a macro between two literals.

use source::{Escapes, LineBreaks, SegmentedText};

use super::conditions::Conditions;
use super::format_marks;
use super::joints::{self, Listing};
use super::likeness::{Likeness, is_bare_header, last_name, likeness};
use super::range;
use super::unwrapped::{MAX_PIECES, Unwrapped};
use crate::Opcode;
use crate::holes::HOLE_TEXT;

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
    while let Some(found) = memchr::memchr3(b'\\', b'"', b'\'', &bytes[at..end]) {
        let sign = at + found;
        let header = match bytes[sign] {
            b'\\' if bytes[..end].get(sign + 1) == Some(&b'n') => header_before(text, start, sign),
            b'\\' => None,
            quote => lone_header(text, start, sign, quote),
        };
        if let Some(header) = header {
            return Reader::new(text, start, header).read();
        }
        at = sign + 1;
    }
    Search::Nothing
}

/// The offset of a header that ends at an escape, after an optional `\r`.
fn header_before(text: &str, start: usize, escape: usize) -> Option<usize> {
    let line = text[start..escape].trim_end_matches([' ', '\t']);
    let line = line.strip_suffix("\\r").unwrap_or(line);
    let mut header = last_name(line);
    // The letter of an escape is not part of the word behind it.
    if line[..header].ends_with('\\') && line[header..].starts_with(['n', 't', 'r']) {
        header += 1;
    }
    is_bare_header(&line[header..]).then_some(start + header)
}

/// The offset of a header that is all of a literal with its end at `end`.
fn lone_header(text: &str, start: usize, end: usize, quote: u8) -> Option<usize> {
    // Early shaders have their version behind the stage.
    let line = text[start..end].trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
    // Most marks are told apart by the byte before them.
    if !matches!(line.bytes().last()?.to_ascii_uppercase(), b'G' | b'T' | b'M' | b'L' | b'P') {
        return None;
    }
    let header = last_name(line);
    let opened = line[..header].trim_end_matches([' ', '\t']).bytes().last() == Some(quote);
    (opened && is_bare_header(&line[header..])).then_some(start + header)
}

/// The quotation mark that opened the literal before a header; `None` for an
/// escaped text without any.
fn quote_before(before: &[u8]) -> Option<u8> {
    let place = before.iter().rposition(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    Some(before[place])
}

/// Reads literals from a header on until they end.
struct Reader<'a> {
    text: &'a str,
    quote: Option<u8>,
    listing: Listing,
    conditions: Conditions,
    /// The first of them between two literals that are joined.
    condition: Option<usize>,
    out: SegmentedText,
    escapes: Escapes,
    breaks: LineBreaks,
    /// The text between the first two literals.
    first_joint: Option<&'a str>,
    /// The length of `out` where the text of the literal that is read begins.
    literal_start: usize,
    /// The end of what is in `out`.
    copied: usize,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, line: usize, header: usize) -> Reader<'a> {
        Reader {
            text,
            quote: quote_before(&text.as_bytes()[line..header]),
            listing: Listing::around(text, header),
            conditions: Conditions::default(),
            condition: None,
            out: SegmentedText::new(),
            escapes: Escapes::Literal,
            breaks: LineBreaks::AsTheFirst,
            first_joint: None,
            literal_start: 0,
            copied: header,
            at: header,
        }
    }

    fn read(mut self) -> Search {
        let bytes = self.text.as_bytes();
        let end = loop {
            let Some(byte) = bytes.get(self.at).copied() else { break self.at };
            match byte {
                b'\n' | b'\r' => break self.at,
                _ if Some(byte) == self.quote => {
                    self.copy();
                    if !self.join(byte) {
                        break self.at + 1;
                    }
                }
                b'\\'
                    if bytes.get(self.at + 1).is_some_and(|next| matches!(next, b'\n' | b'\r')) =>
                {
                    // The line goes on in the next.
                    self.copy();
                    self.at = skip_line_end(bytes, self.at + 1);
                    self.at += gap(&bytes[self.at..]);
                    self.copied = self.at;
                }
                b'\\' if bytes.get(self.at + 1) == Some(&b'(') => self.mark(),
                b'\\' if is_end(&bytes[self.at + 1..]) => break self.at,
                b'\\' => match escaped(bytes.get(self.at + 1).copied()) {
                    Some(sign) => self.replace(sign, 2),
                    // No text of a shader: perhaps no literal at all.
                    None => return Search::Skip(self.at + 1),
                },
                _ if format_marks::may_begin(byte) => self.mark(),
                _ => self.at += 1,
            }
        };
        self.copy();
        let Reader { out: text, escapes, breaks, condition, .. } = self;
        Search::Found(Unwrapped { text, escapes, breaks, condition, end })
    }

    /// Takes what may be a mark of a format string.
    fn mark(&mut self) {
        match format_marks::at(self.text, self.at) {
            Some(mark) => {
                self.escapes = Escapes::Template;
                self.replace(mark.text, mark.length);
            }
            None => self.at += 1,
        }
    }

    fn copy(&mut self) {
        if self.copied < self.at {
            self.out.copy(self.text, range(self.copied, self.at));
            self.copied = self.at;
        }
    }

    /// Puts a text in the place of the next bytes.
    fn replace(&mut self, by: &str, length: usize) {
        self.copy();
        self.out.replace(by, range(self.at, self.at + length));
        self.at += length;
        self.copied = self.at;
    }

    /// Goes on in the literal that is joined to the one which ends here. Answers whether there is
    /// one.
    fn join(&mut self, quote: u8) -> bool {
        if self.out.len() >= MAX_PIECES {
            return false;
        }
        let bytes = self.text.as_bytes();
        let Some(joined) = joints::after(bytes, self.at, quote, &mut self.conditions) else {
            return false;
        };
        let is_unsure = std::mem::take(&mut self.conditions.unsure);
        let so_far = self.out.text();
        let is_part = joined.in_list || joined.unknown;
        let next = &self.text[joined.start..];
        // Behind `END` there may be subroutines, and nothing else.
        let is_over = has_ended(so_far) && (joined.unknown || !is_statement(next, joined.quote));
        if is_part && (is_over || begins_shader(next)) {
            return false;
        }
        let lines = joined.in_list && self.listing == Listing::Lines;
        let has_feed = so_far.ends_with('\n') && so_far.len() > self.literal_start;
        let by = match (lines, joined.unknown) {
            // The branch that was read may not go with those before.
            _ if is_unsure => LINE_HOLE,
            (true, true) => LINE_HOLE,
            (true, false) if !has_feed => "\n",
            (false, true) => HOLE_TEXT,
            _ => "",
        };
        let joint = &self.text[self.at..joined.start];
        let is_alike = joined.unknown || alike(joint, self.first_joint.get_or_insert(joint));
        if joined.comments || joined.unknown && joined.in_list || !is_alike {
            self.breaks = LineBreaks::Unsure;
        }
        match by {
            "" => self.at = joined.start,
            _ => self.replace(by, joined.start - self.at),
        }
        self.copied = self.at;
        self.condition = self.conditions.first;
        self.quote = Some(joined.quote);
        self.literal_start = self.out.text().len();
        true
    }
}

/// Tells whether two texts are the same but for their blanks.
fn alike(one: &str, other: &str) -> bool {
    fn signs(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|byte| !byte.is_ascii_whitespace())
    }
    signs(one).eq(signs(other))
}

/// A line in a list of lines that is known only when the program runs.
const LINE_HOLE: &str = "\n\u{1a}\n";

/// Tells whether `END` is the last word of a text, but for a few blanks.
fn has_ended(text: &str) -> bool {
    const MOST: usize = 8;
    let tail = &text.as_bytes()[text.len().saturating_sub(MOST)..];
    tail.trim_ascii_end().ends_with(Opcode::END.mnemonic().as_bytes())
}

/// Tells whether a literal begins with a statement.
fn is_statement(text: &str, quote: u8) -> bool {
    const LONGEST: usize = 256;
    let ends = |byte: u8| byte == quote || matches!(byte, b'\\' | b'\n');
    let length = text.bytes().take(LONGEST).position(ends).unwrap_or(0);
    likeness(text[..length].trim_start()) != Likeness::None
}

/// Tells whether a literal begins with a header.
fn begins_shader(text: &str) -> bool {
    const LONGEST: usize = 16;
    let word = text.bytes().take(LONGEST).take_while(|byte| is_word(*byte)).count();
    is_bare_header(text[..word].trim_end_matches(|it: char| it.is_ascii_digit()))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The sign that a backslash and this byte stand for.
fn escaped(byte: Option<u8>) -> Option<&'static str> {
    Some(match byte? {
        b'n' => "\n",
        b't' => "\t",
        b'r' => "\r",
        b'"' => "\"",
        b'\'' => "'",
        b'`' => "`",
        b'\\' => "\\",
        b'/' => "/",
        _ => return None,
    })
}

/// Tells whether what is behind a backslash makes it the sign that ends the text: `\0`, `\x00`.
fn is_end(behind: &[u8]) -> bool {
    let digits = match behind {
        [b'0', digits @ ..] | [b'x', b'0', b'0', digits @ ..] => digits,
        _ => return false,
    };
    !digits.first().is_some_and(u8::is_ascii_hexdigit)
}

/// The length of a gap of Haskell behind its line end: blanks and a backslash that begins no
/// escape.
fn gap(bytes: &[u8]) -> usize {
    let blanks = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match bytes.get(blanks..) {
        Some([b'\\', next, ..]) if escaped(Some(*next)).is_none() && *next != b'\n' => blanks + 1,
        _ => 0,
    }
}

fn skip_line_end(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => at + 2,
        _ => at + 1,
    }
}
