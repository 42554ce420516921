//! The marks of format strings: `%d` of C and Go, `{}` of Rust and Python, `${x}` of JavaScript.

use source::{Escapes, LineBreaks, SegmentedText, TextRange};

use super::range;
use super::unwrapped::{MAX_PIECES, Unwrapped};
use crate::holes::HOLE_TEXT;

/// A mark: what the text has in its place, and how long it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) text: &'static str,
    pub(super) length: usize,
}

/// The most bytes of a mark.
const LONGEST: usize = 64;

/// The mark at an offset, where one of `%`, `{`, `}` and `$` is.
pub(super) fn at(text: &str, at: usize) -> Option<Mark> {
    let bytes = text.as_bytes();
    let rest = &bytes[at..bytes.len().min(at + LONGEST)];
    let sign = |text| Some(Mark { text, length: 2 });
    let length = match rest {
        [b'%', b'%', ..] => return sign("%"),
        [b'{', b'{', ..] => return sign("{"),
        [b'}', b'}', ..] => return sign("}"),
        [b'%', ..] => conversion(rest)?,
        [b'$', b'{', ..] => 1 + braces(&rest[1..])?,
        [b'{', ..] if !is_value(&bytes[..at], rest) => braces(rest).filter(|_| is_field(rest))?,
        _ => return None,
    };
    Some(Mark { text: HOLE_TEXT, length })
}

/// Returns the length of a conversion of `printf`: `%d`, `%-4.2f`, `%zu`, `%[1]d`, `%(name)s`.
fn conversion(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    if rest.get(at) == Some(&b'(') {
        at += rest[at..].iter().position(|byte| *byte == b')')? + 1;
    }
    let is_modifier = |byte: &&u8| b"0123456789-+#.*[]hlLzjtq".contains(byte);
    at += rest[at..].iter().take_while(is_modifier).count();
    rest.get(at)?.is_ascii_alphabetic().then_some(at + 1)
}

/// Returns the length of what is in braces, with those in it.
fn braces(rest: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (place, byte) in rest.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(place + 1),
            b'}' => depth -= 1,
            b'\n' | b'\r' | b'"' => return None,
            _ => {}
        }
    }
    None
}

/// Tells whether braces hold one expression, and are not list of values.
fn is_field(rest: &[u8]) -> bool {
    let inside = rest[1..].iter().take_while(|byte| **byte != b'}');
    let mut depth = 0;
    for byte in inside {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => return false,
            b'%' | b'$' | b'{' | b'\\' => return false,
            _ => {}
        }
    }
    true
}

/// Tells whether braces hold the one value of an immediate: `FLT32 {1.0}`.
fn is_value(before: &[u8], rest: &[u8]) -> bool {
    let ty = before.trim_ascii_end();
    let typed = ty.len() < before.len() && (ty.ends_with(b"32") || ty.ends_with(b"64"));
    let inside = rest[1..].trim_ascii_start();
    typed && inside.first().is_some_and(|byte| byte.is_ascii_digit() || b"-+.".contains(byte))
}

/// Tells whether a text ends with what opens a literal: a quotation mark, the bracket of a raw
/// literal of C++, the splice behind a mark. A fence of Markdown is none.
fn opens_literal(before: &str) -> bool {
    let before = before.trim_end();
    before.ends_with(['"', '\'', '`', '(', '\\']) && !before.ends_with("```")
}

/// A part of a file with its marks taken out; `None` where it has none, or is not a literal.
pub(super) fn unwrap(text: &str, part: TextRange) -> Option<Unwrapped> {
    let (start, end): (usize, usize) = (part.start().into(), part.end().into());
    if !opens_literal(&text[..start]) {
        return None;
    }
    let bytes = &text.as_bytes()[..end];
    let mut out = SegmentedText::new();
    let (mut copied, mut place) = (start, start);
    while let Some(found) = memchr::memchr3(b'%', b'{', b'}', &bytes[place..]) {
        place += found;
        // The sign before the braces of JavaScript is part of the mark.
        if place > copied && bytes[place] == b'{' && bytes[place - 1] == b'$' {
            place -= 1;
        }
        match at(&text[..end], place) {
            Some(mark) if out.len() < MAX_PIECES => {
                out.copy(text, range(copied, place));
                out.replace(mark.text, range(place, place + mark.length));
                place += mark.length;
                copied = place;
            }
            _ => place += if bytes[place] == b'$' { 2 } else { 1 },
        }
    }
    if out.is_empty() {
        return None;
    }
    out.copy(text, range(copied, end));
    let (escapes, breaks) = (Escapes::Template, LineBreaks::AsTheFirst);
    Some(Unwrapped { text: out, escapes, breaks, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_literal_holds_has_marks() {
        let marked = |before: &str| {
            let text = format!("{before}FRAG\nIMM[0] FOO {{0}}");
            unwrap(&text, range(before.len(), text.len())).is_some()
        };
        for before in ["s = f\"\"\"\n  ", "s = `", "R\"(\n", "f(\"\\\n", "'"] {
            assert!(marked(before), "{before}");
        }
        for before in ["", "a log:\n", "```\n", "/* Example:\n"] {
            assert!(!marked(before), "{before}");
        }
    }

    #[test]
    fn marks_are_told_from_the_braces_of_values() {
        let length = |text: &str| {
            let start = text.find(['%', '{', '}', '$']).expect("a sign");
            at(text, start).map(|mark| mark.length)
        };
        for mark in [
            "%d",
            "%-4.2lf",
            "%(name)s",
            "%[1]v",
            "{}",
            "{0}",
            "{i + 1}",
            "{0:04}",
            "{x!r:>8}",
            "{f(a, b)}",
            "${a[1]}",
            "${`${x}`}",
        ] {
            assert_eq!(length(&format!("GENERIC[{mark}]")), Some(mark.len()), "{mark}");
        }
        for sign in ["{{", "}}", "%%"] {
            assert_eq!(length(&format!("FLT32 {sign}")), Some(2), "{sign}");
        }
        for text in [
            "FLT32 {0}",
            "INT32 { -1 }",
            "FLT32 {1, 2}",
            "FLT32 {%d, 0}",
            "100%",
            "{",
            "${",
            "$x",
            "}",
        ] {
            assert_eq!(length(text), None, "{text}");
        }
    }
}
