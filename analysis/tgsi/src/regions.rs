//! Finds the shaders in a text: a file may hold several, with driver logs around them.
//!
//! A shader begins at a line whose first word is a stage header. It ends
//! before the next header, or, once its `END` was seen, at the first line that
//! is no statement. All other text is log text and ignored, unless it looks
//! like a shader whose header is missing or misspelt. One pass over the lines,
//! each looked at once.

use text::{Diagnostic, TextRange, TextSize};

use crate::codes;
use crate::lexer::{Lexer, TokenKind, odd_space};
use crate::vocabulary;
use crate::words::{File, ImmediateType, PropertyName, Stage};

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

/// Which lines are headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeaderRule {
    /// Nothing but a stage's name, or a statement behind it.
    Certain,
    /// Any line whose first word is a stage's name.
    Any,
}

/// How much a line looks like a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    None,
    /// It is one, but logs have such lines too.
    Weak,
    /// An instruction with an operand.
    Instruction,
    /// A declaration, immediate or property.
    Declaration,
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

fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with('#') || line.starts_with("/*")
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

/// Whether a line, without leading blanks, is a header.
fn is_header(line: &str, rule: HeaderRule) -> bool {
    // Most lines are told apart by their first letter.
    if !line.starts_with(['F', 'V', 'G', 'T', 'C', 'f', 'v', 'g', 't', 'c']) {
        return false;
    }
    let word = &line[first_word(line, 0)];
    let Some((_, version)) = vocabulary::header(word) else { return false };
    let mut rest = &line[word.len()..];
    if !version.is_empty() {
        let Some(minor) = rest.strip_prefix('.') else { return false };
        rest = minor.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    let trimmed = rest.trim_matches(|letter: char| !letter.is_alphanumeric());
    if trimmed.is_empty() || rule == HeaderRule::Any {
        return true;
    }
    let blank = rest.trim_start();
    blank.len() < rest.len() && (is_comment(blank) || likeness(blank) > Likeness::None)
}

/// How much a line, without leading blanks, looks like a statement.
fn likeness(line: &str) -> Likeness {
    // Intermediate languages of drivers look alike, but end lines so.
    if line.ends_with(';') {
        return Likeness::None;
    }
    let mut tokens = Lexer::new(line).filter(|(kind, _)| !kind.is_trivia());
    let mut next = || tokens.next().map(|(kind, range)| (kind, &line[range]));
    let Some(mut first) = next() else { return Likeness::None };
    if first.0 == TokenKind::Number {
        if next().is_none_or(|(kind, _)| kind != TokenKind::Colon) {
            return Likeness::None;
        }
        match next() {
            Some(token) => first = token,
            None => return Likeness::Weak,
        }
    }
    let (kind, word) = first;
    if kind != TokenKind::Word {
        return Likeness::None;
    }
    let second = next();
    let second_word = second.map_or("", |(_, word)| word);
    let declared = |yes: bool| if yes { Likeness::Declaration } else { Likeness::None };
    if word.eq_ignore_ascii_case("DCL") {
        let bracket = next().is_some_and(|(kind, _)| kind == TokenKind::LeftBracket);
        return declared(bracket && File::from_word(second_word).is_some());
    }
    if word.eq_ignore_ascii_case("PROPERTY") {
        return declared(PropertyName::from_word(second_word).is_some());
    }
    if word.eq_ignore_ascii_case("IMM") {
        let ty = match second_word {
            "[" => {
                next();
                next();
                next().map_or("", |(_, word)| word)
            }
            word => word,
        };
        return declared(ImmediateType::from_word(ty).is_some());
    }
    let Some(spelled) = vocabulary::opcode(word) else { return Likeness::None };
    let row = spelled.opcode.row();
    let operands = row.destinations + row.sources;
    let Some((kind, _)) = second else {
        // `EMIT` and `ENDPRIM` of old texts stand alone too.
        let alone = operands == 0 || row.destinations == 0 && row.stages == "GEOM";
        return if alone { Likeness::Weak } else { Likeness::None };
    };
    if operands == 0 {
        // Another statement may share the line, `ENDIF END`.
        let goes_on = kind == TokenKind::Colon || vocabulary::opcode(second_word).is_some();
        return if goes_on { Likeness::Weak } else { Likeness::None };
    }
    let mut file = second_word;
    while matches!(file, "-" | "|") {
        file = next().map_or("", |(_, word)| word);
    }
    let bracket = next().is_some_and(|(kind, _)| kind == TokenKind::LeftBracket);
    match bracket && File::from_word(file).is_some() {
        true => Likeness::Instruction,
        false => Likeness::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let regions = split(text);
        let mut out = String::new();
        for range in regions.shaders {
            out += &format!("{:?}\n", &text[range]);
        }
        for found in regions.diagnostics {
            out += &format!("{:?} {:?}: {}\n", found.severity, &text[found.range], found.message);
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn shaders_are_told_from_logs() {
        check(
            "log: FRAG x\n\n FRAG\nDCL IN[0]\n  1: END\n\nmore log; 12\nVERT END\nGEOM\nEND\nNOP\n5:\nlog\n",
            expect![[r#"
                "FRAG\nDCL IN[0]\n  1: END"
                "VERT END"
                "GEOM\nEND\nNOP\n5:"
            "#]],
        );
        check(
            "// TGSI\nvert1.1\r\nEND\r\n0: MOV temp[0], const[0];\nvert of 3\n",
            expect![[r#"
            "vert1.1\r\nEND"
        "#]],
        );
        check(
            "FRAG\nNOP # END\n/* END\nVERT */\nFOO bar\nEND // x\n\n# y\nlog",
            expect![[r#"
                "FRAG\nNOP # END\n/* END\nVERT */\nFOO bar\nEND"
            "#]],
        );
    }

    #[test]
    fn a_header_alone_swallows_a_second_one() {
        check(
            "VERT\nVERT\nEND\n",
            expect![[r#"
            "VERT\nVERT\nEND"
        "#]],
        );
        check(
            "VERT:\nEND",
            expect![[r#"
            "VERT:\nEND"
        "#]],
        );
        check(
            "VERT\n/* never closed\nFRAG\nEND",
            expect![[r#"
            "VERT\n/* never closed\nFRAG\nEND"
        "#]],
        );
    }

    #[test]
    fn missing_headers_are_named() {
        check(
            "",
            expect![[r#"
            Error "": no shader here: a shader begins with one of `FRAG`, `VERT`, `GEOM`, `TESS_CTRL`, `TESS_EVAL`, `COMP` on a line of its own
        "#]],
        );
        check(
            "\n  hello\n",
            expect![[r#"
            Error "hello": no shader here: a shader begins with one of `FRAG`, `VERT`, `GEOM`, `TESS_CTRL`, `TESS_EVAL`, `COMP` on a line of its own
        "#]],
        );
        check(
            "FRAGMENT\nDCL OUT[0], COLOR\nEND",
            expect![[r#"
            Error "FRAGMENT": no header: did you mean `FRAG` instead of `FRAGMENT`?
        "#]],
        );
        check(
            "log\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nVERT\nEND\nFRGA\nDCL IN[0]\n",
            expect![[r#"
                "VERT\nEND"
                Error "DCL OUT[0], COLOR": this statement belongs to no shader: a header such as `FRAG` must come first
                Error "FRGA": no header: did you mean `FRAG` instead of `FRGA`?
            "#]],
        );
        check(
            "\u{feff}FRAG\nEND",
            expect![[r#"
            "FRAG\nEND"
            Hint "\u{feff}": the text begins with a byte order mark, which the reference parser refuses
        "#]],
        );
        check(
            "Vert is the only header here\nEND",
            expect![[r#"
            "Vert is the only header here\nEND"
        "#]],
        );
    }
}
