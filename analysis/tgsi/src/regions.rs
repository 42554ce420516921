//! Finds the shaders in a text: a file may hold several, with driver logs around them.
//!
//! A shader begins at a line whose first word is a stage header. It ends
//! before the next header, or, once its `END` was seen, at the first line that
//! is no statement. All other text is log text and ignored, unless it looks
//! like a shader whose header is missing or misspelt. One pass over the lines,
//! each looked at once.

mod likeness;
#[cfg(test)]
mod tests;

use text::{Diagnostic, TextRange, TextSize};

use crate::codes;
use crate::lexer::odd_space;
use crate::words::Stage;
use likeness::{HeaderRule, Likeness, is_comment, is_header, likeness};

/// The shaders of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Regions {
    /// Where each shader stands, from its header to its last statement, in order.
    pub shaders: Vec<TextRange>,
    /// What is wrong outside of them: a text without any header.
    pub diagnostics: Vec<Diagnostic>,
}

/// Finds the shaders of a text.
pub fn split(text: &str) -> Regions {
    let mut regions = find(text);
    if text.starts_with(BYTE_ORDER_MARK) {
        let mark = TextRange::up_to(TextSize::of(BYTE_ORDER_MARK));
        let message = "the text begins with a byte order mark, which the reference parser refuses";
        let finding = Diagnostic::hint(codes::WHITE_SPACE, mark, message);
        regions.diagnostics.insert(0, finding.with_fix("Remove the byte order mark", mark, ""));
    }
    regions
}

const BYTE_ORDER_MARK: char = '\u{feff}';

fn find(text: &str) -> Regions {
    let mut regions = Scan::new(text, HeaderRule::Certain).run();
    if regions.shaders.is_empty() {
        // A single doubtful header is better than none.
        let doubtful = Scan::new(text, HeaderRule::Any).run();
        if !doubtful.shaders.is_empty() {
            return doubtful;
        }
        if regions.diagnostics.is_empty() {
            regions.diagnostics.push(missing_header(text));
        }
    }
    regions
}

/// The shader that the scan is in.
struct Open {
    start: usize,
    end: usize,
    /// Whether anything follows the header.
    body: bool,
    /// Whether `END` was seen.
    ended: bool,
}

struct Scan<'a> {
    text: &'a str,
    rule: HeaderRule,
    open: Option<Open>,
    in_comment: bool,
    no_comment_end: bool,
    /// Whether the current stretch of log text has its error.
    gap_reported: bool,
    /// The first word of the last line of log text.
    last_word: Option<TextRange>,
    regions: Regions,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, rule: HeaderRule) -> Self {
        let regions = Regions { shaders: Vec::new(), diagnostics: Vec::new() };
        Scan {
            text,
            rule,
            open: None,
            in_comment: false,
            no_comment_end: false,
            gap_reported: false,
            last_word: None,
            regions,
        }
    }

    fn run(mut self) -> Regions {
        let bytes = self.text.as_bytes();
        let mut start = 0;
        while start < bytes.len() {
            let length = bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let end = length.map_or(bytes.len(), |length| start + length);
            self.line(start, end);
            start = end + 1;
        }
        self.close();
        self.regions
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.regions.shaders.push(range(open.start, open.end));
        }
        self.in_comment = false;
        self.gap_reported = false;
        self.last_word = None;
    }

    /// Looks at the line between two offsets, without its line end.
    fn line(&mut self, start: usize, end: usize) {
        let bytes = &self.text.as_bytes()[..end];
        let first = skip_blanks(bytes, start);
        if first == end {
            return;
        }
        if self.in_comment {
            self.extend(start, end);
            return;
        }
        let line = &self.text[first..end];
        if is_header(line, self.rule) {
            match &mut self.open {
                Some(open) if !open.body => {}
                _ => {
                    self.close();
                    self.open = Some(Open { start: first, end: first, body: false, ended: false });
                }
            }
            let body = self.extend(first, end) > 1;
            if let Some(open) = &mut self.open {
                // A second header right behind the first is an error in one shader.
                open.body |= body || open.start != first;
            }
            return;
        }
        match &self.open {
            Some(open) if open.ended => {
                if is_comment(line) {
                    return;
                }
                if likeness(line) == Likeness::None {
                    self.close();
                    self.log_line(first, end);
                } else {
                    self.extend(first, end);
                }
            }
            Some(_) => {
                let words = self.extend(first, end);
                if let Some(open) = &mut self.open {
                    open.body |= words > 0;
                }
            }
            None => self.log_line(first, end),
        }
    }

    /// Adds a line to the open shader, and looks for `END` and comments in it.
    /// Returns how many words it has, at most 2.
    fn extend(&mut self, start: usize, end: usize) -> usize {
        let bytes = &self.text.as_bytes()[..end];
        let mut at = start;
        let mut words = 0;
        let mut last = None;
        while at < end {
            if self.in_comment {
                match self.text[at..end].find("*/") {
                    Some(length) => {
                        at += length + 2;
                        self.in_comment = false;
                        last = Some(at);
                    }
                    None => {
                        at = end;
                        last = Some(end);
                    }
                }
                continue;
            }
            let byte = bytes[at];
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                let word_start = at;
                while at < end && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                words = (words + 1).min(2);
                last = Some(at);
                if at - word_start == 3
                    && bytes[word_start..at].eq_ignore_ascii_case(b"END")
                    && let Some(open) = &mut self.open
                {
                    open.ended = true;
                }
                continue;
            }
            match byte {
                b'#' => at = end,
                b'/' if bytes.get(at + 1) == Some(&b'/') => at = end,
                b'/' if bytes.get(at + 1) == Some(&b'*') => {
                    if self.comment_ends(at + 2) {
                        self.in_comment = true;
                        at += 2;
                    } else {
                        at = end;
                    }
                    last = Some(at);
                }
                b' ' | b'\t' => at += 1,
                _ => {
                    at += 1;
                    while !self.text.is_char_boundary(at) {
                        at += 1;
                    }
                    words = words.max(1);
                    last = Some(at);
                }
            }
        }
        if let (Some(open), Some(last)) = (&mut self.open, last) {
            open.end = open.end.max(last);
        }
        words
    }

    fn comment_ends(&mut self, from: usize) -> bool {
        if self.no_comment_end {
            return false;
        }
        let ends = self.text[from..].contains("*/");
        self.no_comment_end = !ends;
        ends
    }

    /// Looks at a line outside of any shader.
    fn log_line(&mut self, start: usize, end: usize) {
        let line = &self.text[start..end];
        let wanted = match self.regions.shaders.is_empty() {
            true => Likeness::Instruction,
            false => Likeness::Declaration,
        };
        if !self.gap_reported && likeness(line) >= wanted {
            self.gap_reported = true;
            self.regions.diagnostics.push(self.headless(start, end));
        }
        self.last_word = Some(first_word(line, start));
    }

    /// The error for statements without a header.
    fn headless(&self, start: usize, end: usize) -> Diagnostic {
        if let Some(word) = self.last_word
            && let Some(diagnostic) = near_header(self.text, word)
        {
            return diagnostic;
        }
        let line = range(start, start + self.text[start..end].trim_end().len());
        let message =
            "this statement belongs to no shader: a header such as `FRAG` must come first";
        Diagnostic::error(codes::MISSING_HEADER, line, message)
    }
}

/// The error for a text without a shader.
fn missing_header(text: &str) -> Diagnostic {
    const LINES_TO_TRY: usize = 100;
    let mut first = None;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']).take(LINES_TO_TRY) {
        let begin = skip_blanks(text.as_bytes(), start).min(start + line.len());
        let body = text[begin..start + line.len()].trim_end();
        if !body.is_empty() && !is_comment(body) {
            let word = first_word(body, begin);
            if let Some(diagnostic) = near_header(text, word) {
                return diagnostic;
            }
            first.get_or_insert(word);
        }
        start += line.len();
    }
    let place = first.unwrap_or(TextRange::empty(TextSize::new(0)));
    let message = "no shader here: a shader begins with one of `FRAG`, `VERT`, `GEOM`, \
                   `TESS_CTRL`, `TESS_EVAL`, `COMP` on a line of its own";
    Diagnostic::error(codes::MISSING_HEADER, place, message)
}

/// The error for a word that was probably meant as a header.
fn near_header(text: &str, word: TextRange) -> Option<Diagnostic> {
    const LONG_NAMES: [(&str, &str); 9] = [
        ("FRAGMENT", "FRAG"),
        ("PIXEL", "FRAG"),
        ("FS", "FRAG"),
        ("VERTEX", "VERT"),
        ("VS", "VERT"),
        ("GEOMETRY", "GEOM"),
        ("COMPUTE", "COMP"),
        ("TESS_CONTROL", "TESS_CTRL"),
        ("TESS_EVALUATION", "TESS_EVAL"),
    ];
    let found = &text[word];
    let long = LONG_NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(found));
    let near = match long {
        Some((_, stage)) => stage,
        None => text::nearest(found, Stage::ALL.iter().map(|stage| stage.word()))?,
    };
    let message = format!("no header: did you mean `{near}` instead of `{found}`?");
    let diagnostic = Diagnostic::error(codes::MISSING_HEADER, word, message);
    Some(diagnostic.with_fix(format!("Replace by `{near}`"), word, near))
}

fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

/// The offset of the first byte from `start` on that is no blank.
fn skip_blanks(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\t' => at += 1,
            0x80.. | 0x0b | 0x0c => match odd_space(&bytes[at..]) {
                0 => break,
                length => at += length,
            },
            _ => break,
        }
    }
    at
}

/// The first word of a line that begins at `offset`, or its first character.
fn first_word(line: &str, offset: usize) -> TextRange {
    let word =
        line.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let length = match word {
        0 => line.chars().next().map_or(0, char::len_utf8),
        _ => word,
    };
    range(offset, offset + length)
}
