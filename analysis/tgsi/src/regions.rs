//! Finds the shaders in a text: a file may hold several, with driver logs around them.
//!
//! A shader begins at a line whose first word is a stage header. It ends
//! before the next header, or, once its `END` was seen, at the first line that
//! is not a statement. All other text is log text and ignored, unless it looks
//! like a shader whose header is missing or misspelt.
//!
//! In log text shaders are also found behind the prefixes of lines
//! ([`prefixed`]), in string literals ([`literals`]), in markup ([`markup`])
//! and in what a terminal showed in colours ([`captures`]). There, and behind
//! any log text, a header counts only if a statement follows: what is not a shader
//! must not get an error. Everything is one pass over the text, and a text that
//! is nothing but shaders pays for none of the layouts.

mod captures;
mod conditions;
mod format_marks;
mod headless;
mod joints;
mod likeness;
mod literals;
mod markup;
mod prefixed;
mod scan;
#[cfg(test)]
mod tests;
mod unwrapped;

use std::sync::Arc;

use source::{Diagnostic, SegmentMap, SegmentedText, TextRange, TextSize};

use crate::codes;
use crate::lexer::odd_space;
use likeness::HeaderRule;
use scan::{Context, Scan};

/// The shaders of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Regions {
    /// Each shader, in order.
    pub shaders: Vec<Region>,
    /// Diagnostics outside of them: a text without any header.
    pub diagnostics: Vec<Diagnostic>,
}

/// One shader in a file: its text as TGSI, and where that stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The text, where it is not a slice of the file.
    text: Option<Arc<str>>,
    map: SegmentMap,
}

impl Region {
    /// A shader that stands in its file as it is.
    fn plain(range: TextRange) -> Region {
        Region { text: None, map: SegmentMap::contiguous(range) }
    }

    /// The shader's text, from its header to its last statement. `file_text`
    /// is the text that was split.
    pub fn text<'a>(&'a self, file_text: &'a str) -> &'a str {
        match &self.text {
            Some(text) => text,
            None => &file_text[self.map.range()],
        }
    }

    /// From the header to the last statement in the file, with what stands
    /// between the lines.
    pub fn range(&self) -> TextRange {
        self.map.range()
    }

    /// Positions in the shader's text to positions in the file, and back.
    pub fn map(&self) -> &SegmentMap {
        &self.map
    }
}

/// Finds the shaders of a text.
pub fn split(text: &str) -> Regions {
    if let Some(plain) = captures::plain(text) {
        return in_capture(&plain);
    }
    let mut regions = find(text);
    if text.starts_with(BYTE_ORDER_MARK) && regions.shaders.iter().all(|it| it.map.is_contiguous())
    {
        let mark = TextRange::up_to(TextSize::of(BYTE_ORDER_MARK));
        let message = "the text begins with a byte order mark, which the reference parser refuses";
        let diagnostic = Diagnostic::hint(codes::WHITE_SPACE, mark, message);
        regions.diagnostics.insert(0, diagnostic.with_fix("Remove the byte order mark", mark, ""));
    }
    regions
}

/// Finds the shaders of what a terminal showed, which is a log beyond doubt.
fn in_capture(plain: &SegmentedText) -> Regions {
    let found = Scan::new(plain.text(), Context::File, HeaderRule::Certain).in_log().run();
    let diagnostics = Vec::new();
    let shaders = found.shaders.into_iter().map(|region| {
        let text: Arc<str> = Arc::from(region.text(plain.text()));
        let map = region.map.within(plain);
        Region { text: (!map.is_contiguous()).then_some(text), map }
    });
    Regions { shaders: shaders.collect(), diagnostics }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

fn find(text: &str) -> Regions {
    let mut scan = Scan::new(text, Context::File, HeaderRule::Certain).run();
    if scan.shaders.is_empty() && !scan.in_log {
        // A single doubtful header is better than none.
        let doubtful = Scan::new(text, Context::File, HeaderRule::Any).run();
        if !doubtful.shaders.is_empty() {
            scan = doubtful;
        } else if scan.diagnostics.is_empty() {
            scan.diagnostics.push(headless::missing_header(text));
        }
    }
    Regions { shaders: scan.shaders, diagnostics: scan.diagnostics }
}

pub(crate) fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

/// The offset of the first byte from `start` on that is not a blank.
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

/// The end of the line that holds an offset, before its line end.
fn line_end(text: &str, from: usize) -> usize {
    let length = text.as_bytes()[from..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    length.map_or(text.len(), |length| from + length)
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
