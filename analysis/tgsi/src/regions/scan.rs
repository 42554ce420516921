//! One pass over the lines of a text, each looked at once.

use source::{Diagnostic, TextRange};

use super::headless::headless;
use super::likeness::{
    HeaderRule, Likeness, confirms, is_comment, is_frame, is_header, is_log, is_plausible,
    likeness, trailing_header,
};
use super::literals::{self, Search};
use super::unwrapped::{Unwrapped, Wanted};
use super::{Region, first_word, format_marks, line_end, markup, prefixed, range, skip_blanks};
use crate::codes;
use crate::holes::HOLE;
use crate::lexer::is_word;

/// The kind of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// A file: plain as long as nothing but shaders was seen in it.
    File,
    /// A piece of log text, without layouts of its own.
    Log,
}

/// Lines that are not statements, one after the other, after which a shader
/// without an `END` in log text is over.
const MAX_STRANGE_LINES: usize = 8;

/// The word that ends a shader.
const END: &[u8] = crate::Opcode::END.mnemonic().as_bytes();

/// The shader that the scan is in.
struct Open {
    start: usize,
    end: usize,
    /// Set where anything follows the header.
    body: bool,
    /// Set where `END` was seen.
    ended: bool,
    /// Set where log text stands before it, and so perhaps in it.
    in_log: bool,
    /// The end of the last line that may be a statement.
    plausible_end: usize,
    /// The number of lines since then.
    strange_lines: usize,
}

pub(super) struct Scan<'a> {
    text: &'a str,
    context: Context,
    rule: HeaderRule,
    open: Option<Open>,
    in_comment: bool,
    no_comment_end: bool,
    /// Set where any text outside of shaders was seen.
    outside_seen: bool,
    /// Set where the current stretch of log text has its error.
    gap_reported: bool,
    /// The first word of the last line of log text.
    last_word: Option<TextRange>,
    found: Found,
}

/// The results of a scan.
#[derive(Default)]
pub(super) struct Found {
    pub(super) shaders: Vec<Region>,
    /// For each shader whether it has an `END`.
    pub(super) ended: Vec<bool>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Set where there is text that is a log beyond doubt.
    pub(super) in_log: bool,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, context: Context, rule: HeaderRule) -> Self {
        Scan {
            text,
            context,
            rule,
            open: None,
            in_comment: false,
            no_comment_end: false,
            outside_seen: false,
            gap_reported: false,
            last_word: None,
            found: Found::default(),
        }
    }

    /// The same scan of a text that is a log beyond doubt.
    pub(super) fn in_log(mut self) -> Self {
        self.outside_seen = true;
        self
    }

    pub(super) fn run(mut self) -> Found {
        let mut start = 0;
        while start < self.text.len() {
            let end = line_end(self.text, start);
            start = self.line(start, end);
        }
        self.close();
        self.found
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            // Without `END` nobody knows where log text begins again.
            let end = if open.in_log && !open.ended { open.plausible_end } else { open.end };
            let place = range(open.start, end);
            // In a source the lines may be those of a format string.
            let marked = match open.in_log && self.context == Context::File {
                true => format_marks::unwrap(self.text, place),
                false => None,
            };
            let region = marked.map_or_else(|| Region::plain(place), |it| it.whole(self.text));
            self.found.shaders.push(region);
            self.found.ended.push(open.ended);
        }
        self.in_comment = false;
        self.gap_reported = false;
        self.last_word = None;
    }

    /// Looks at the line between two offsets, without its line end. Answers
    /// where to go on.
    fn line(&mut self, start: usize, end: usize) -> usize {
        let next = end + 1;
        let bytes = &self.text.as_bytes()[..end];
        let first = skip_blanks(bytes, start);
        if first == end {
            return next;
        }
        if self.in_comment {
            self.extend(start, end);
            return next;
        }
        let line = &self.text[first..end];
        if self.is_header_here(line, next) {
            self.header(first, end);
            return next;
        }
        match &self.open {
            Some(open) if open.ended => {
                if is_comment(line) {
                    return next;
                }
                if likeness(line) == Likeness::None {
                    self.close();
                    return self.log_line(start, first, end);
                }
                self.extend(first, end);
            }
            Some(open) if open.in_log => return self.line_in_log(start, first, end),
            Some(_) => {
                let words = self.extend(first, end);
                if let Some(open) = &mut self.open {
                    open.body |= words > 0;
                }
            }
            None => return self.log_line(start, first, end),
        }
        next
    }

    /// Tells whether a line is a header, given where the next one begins.
    fn is_header_here(&self, line: &str, next: usize) -> bool {
        match (&self.open, self.context) {
            // In a shader of a plain text a header is one, whatever follows.
            (Some(open), _) if !open.in_log => is_header(line, HeaderRule::Certain),
            (None, Context::File) if !self.outside_seen => is_header(line, self.rule),
            _ => is_header(line, HeaderRule::Certain) && self.is_confirmed(line, next),
        }
    }

    /// Tells whether a statement follows a header, in its line or a later one.
    fn is_confirmed(&self, header: &str, next: usize) -> bool {
        let word = first_word(header, 0);
        let rest = header[word.end().into()..].trim_start();
        if rest.starts_with(|letter: char| letter.is_alphabetic()) {
            return confirms(&header[word], rest);
        }
        let mut at = next;
        while at < self.text.len() {
            let end = line_end(self.text, at);
            let first = skip_blanks(&self.text.as_bytes()[..end], at);
            let line = &self.text[first..end];
            if !line.is_empty() && !is_comment(line) && !line.starts_with(HOLE) {
                return confirms(header, line);
            }
            at = end + 1;
        }
        false
    }

    fn header(&mut self, first: usize, end: usize) {
        match &mut self.open {
            Some(open) if !open.body => {}
            _ => {
                self.close();
                self.open = Some(Open {
                    start: first,
                    end: first,
                    body: false,
                    ended: false,
                    in_log: self.outside_seen || self.context == Context::Log,
                    plausible_end: first,
                    strange_lines: 0,
                });
            }
        }
        let body = self.extend(first, end) > 1;
        if let Some(open) = &mut self.open {
            // A second header right behind the first is an error in one shader.
            open.body |= body || open.start != first;
            open.plausible_end = open.end;
        }
    }

    /// A line behind a header in log text, before any `END`: the shader may
    /// have been cut off.
    fn line_in_log(&mut self, start: usize, first: usize, end: usize) -> usize {
        let line = &self.text[first..end];
        if is_frame(line) {
            self.close();
            return self.log_line(start, first, end);
        }
        let plausible = is_plausible(line);
        let words = self.extend(first, end);
        if let Some(open) = &mut self.open {
            open.body |= words > 0;
            if plausible || open.ended {
                open.plausible_end = open.end;
                open.strange_lines = 0;
            } else {
                open.strange_lines += 1;
                if open.strange_lines > MAX_STRANGE_LINES {
                    self.close();
                }
            }
        }
        end + 1
    }

    /// Adds a line to the open shader, and looks for `END` and comments in it.
    /// Returns how many words it has, at most 2.
    fn extend(&mut self, start: usize, end: usize) -> usize {
        let bytes = &self.text.as_bytes()[..end];
        let mut at = start;
        let mut words = 0;
        let mut last = None;
        let mut literal_ends = false;
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
            if is_word(byte) {
                let word_start = at;
                at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                words = (words + 1).min(2);
                last = Some(at);
                if at - word_start == 3
                    && bytes[word_start..at].eq_ignore_ascii_case(END)
                    && let Some(open) = &mut self.open
                {
                    open.ended = true;
                }
                continue;
            }
            match byte {
                b'"' | b'\'' | b'`' | b')' if self.ends_literal(start, at) => {
                    literal_ends = true;
                    at = end;
                }
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
                    while !byte.is_ascii() && !self.text.is_char_boundary(at) {
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
        if literal_ends {
            self.close();
        }
        words
    }

    /// Tells whether a quotation mark, or the bracket before that of a raw literal of C++, ends a
    /// literal of several lines that a shader among other text stands in: nothing is between it
    /// and `END`.
    fn ends_literal(&self, line: usize, mark: usize) -> bool {
        let in_log = self.open.as_ref().is_some_and(|open| open.in_log);
        let before = &self.text.as_bytes()[line..mark];
        let word = before.len().saturating_sub(3);
        in_log
            && before[word..].eq_ignore_ascii_case(END)
            && before[..word].last().is_none_or(u8::is_ascii_whitespace)
    }

    fn comment_ends(&mut self, from: usize) -> bool {
        if self.no_comment_end {
            return false;
        }
        let ends = self.text[from..].contains("*/");
        self.no_comment_end = !ends;
        ends
    }

    /// Looks at a line outside of any shader, whose text begins at `first`.
    /// Answers where to go on.
    fn log_line(&mut self, start: usize, first: usize, end: usize) -> usize {
        let line = &self.text[first..end];
        if self.context == Context::File
            && let Some(next) = self.wrapped(start, end)
        {
            return next;
        }
        self.outside_seen |= !is_comment(line);
        self.found.in_log = self.found.in_log || is_log(line);
        let wanted = match self.found.shaders.is_empty() {
            true => Likeness::Instruction,
            false => Likeness::Declaration,
        };
        let quiet = self.gap_reported || self.found.in_log || self.context == Context::Log;
        if !quiet && likeness(line) >= wanted {
            self.gap_reported = true;
            self.found.diagnostics.push(headless(self.text, first, end, self.last_word));
        }
        self.last_word = Some(first_word(line, first));
        end + 1
    }

    /// Looks for a shader in a layout that begins in a line. Answers where to
    /// go on if there is any, or something that is left alone.
    fn wrapped(&mut self, start: usize, end: usize) -> Option<usize> {
        if let Some(next) = self.escaped(start, end) {
            return Some(next);
        }
        let header = start + trailing_header(&self.text[start..end])?;
        let before = &self.text[start..header];
        if before.trim().is_empty() {
            return None;
        }
        if markup::follows_tag(before)
            && let Search::Found(unwrapped) = markup::element(self.text, header)
            && self.take(&unwrapped, Wanted::All)
        {
            return Some(line_end(self.text, unwrapped.end) + 1);
        }
        if !prefixed::may_be_prefix(before) || likeness(before.trim_start()) != Likeness::None {
            return None;
        }
        if let Some(unwrapped) = prefixed::unwrap(self.text, start, header)
            && self.take(&unwrapped, Wanted::All)
        {
            return Some(unwrapped.end);
        }
        // A prefix of the first line alone.
        let line = &self.text[header..end];
        if self.is_confirmed(line, end + 1) {
            self.outside_seen = true;
            self.found.in_log |= is_log(before.trim_start());
            self.header(header, end);
            return Some(end + 1);
        }
        None
    }

    /// Looks for shaders in literals and entities from a line on, which may end
    /// in a later line. Answers where to go on if there is anything like that.
    fn escaped(&mut self, start: usize, line: usize) -> Option<usize> {
        type Searching = fn(&str, usize, usize) -> Search;
        const SEARCHES: [(Searching, Wanted); 2] =
            [(literals::search, Wanted::Ended), (markup::search, Wanted::All)];
        let mut any = false;
        let (mut at, mut end) = (start, line);
        for (search, wanted) in SEARCHES {
            while at < end {
                match search(self.text, at, end) {
                    Search::Nothing => break,
                    Search::Skip(next) => at = next,
                    Search::Found(unwrapped) => {
                        at = unwrapped.end;
                        self.take(&unwrapped, wanted);
                    }
                }
                any = true;
                // What is left of a line behind a literal is not a line of its own.
                if at > end {
                    end = line_end(self.text, at);
                }
            }
        }
        self.outside_seen |= any;
        self.found.in_log |= any;
        any.then_some(end + 1)
    }

    /// Takes over the shaders of a text in a layout. Answers whether there are any.
    fn take(&mut self, unwrapped: &Unwrapped, wanted: Wanted) -> bool {
        let shaders = unwrapped.shaders(self.text, wanted);
        if shaders.is_empty() {
            return false;
        }
        self.outside_seen = true;
        self.found.in_log = true;
        self.gap_reported = false;
        self.last_word = None;
        self.found.ended.extend(shaders.iter().map(|_| true));
        self.found.shaders.extend(shaders);
        if let Some(start) = unwrapped.condition {
            let place = range(start, line_end(self.text, start));
            let message = "only the first branch of this condition is read, as part of a shader";
            let hint = Diagnostic::hint(codes::CONDITIONAL_TEXT, place, message);
            self.found.diagnostics.push(hint);
        }
        true
    }
}
