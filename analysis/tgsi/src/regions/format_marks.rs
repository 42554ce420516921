//! The marks of format strings: `%d` of C and Go, `{}` of Rust and Python, `${x}` of JavaScript,
//! `$x` of shells, PHP and Kotlin, `#{x}` of Ruby, `\(x)` of Swift, `{{ x }}` of templates.

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

/// Tells whether a mark may begin with a byte.
pub(super) fn may_begin(byte: u8) -> bool {
    matches!(byte, b'%' | b'{' | b'}' | b'$' | b'#' | b'\\')
}

/// The mark at an offset.
pub(super) fn at(text: &str, at: usize) -> Option<Mark> {
    let bytes = text.as_bytes();
    let rest = &bytes[at..bytes.len().min(at + LONGEST)];
    let sign = |text| Some(Mark { text, length: 2 });
    let length = match rest {
        [b'%', b'%', ..] => return sign("%"),
        [b'{', b'{', ..] => match template(rest) {
            Some(length) => length,
            None => return sign("{"),
        },
        [b'}', b'}', ..] => return sign("}"),
        [b'%', ..] => match split_conversion(rest) {
            // The macro behind it is the hole.
            Some(length) => return Some(Mark { text: "", length }),
            None => conversion(rest)?,
        },
        [b'$' | b'#', b'{', ..] => 1 + braces(&rest[1..])?,
        [b'$', b'(', ..] | [b'\\', b'(', ..] => 1 + parentheses(&rest[1..])?,
        [b'$', ..] => variable(rest)?,
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

/// Returns the length of the part of a conversion that a macro goes on with: `%" PRIu32 "`.
fn split_conversion(rest: &[u8]) -> Option<usize> {
    let length = 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = rest[length..].strip_prefix(b"\"")?;
    behind.trim_ascii_start().starts_with(b"PRI").then_some(length)
}

/// Returns the length of an expression of a template: `{{ name }}`. Values in two braces are an
/// immediate that a format string holds.
fn template(rest: &[u8]) -> Option<usize> {
    let end = rest.windows(2).position(|pair| pair == b"}}")?;
    let inside = rest.get(2..end)?;
    let is_name = inside.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic);
    let is_value = inside.iter().any(|byte| matches!(byte, b',' | b'{' | b'\n' | b'"'));
    (is_name && !is_value).then_some(end + 2)
}

/// Returns the length of a variable: `$x`, `$x->y`.
fn variable(rest: &[u8]) -> Option<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let word = |from: usize| rest[from..].iter().take_while(is_part).count();
    let mut length = 1 + word(1);
    while rest[length..].starts_with(b"->") && word(length + 2) > 0 {
        length += 2 + word(length + 2);
    }
    (length > 1).then_some(length)
}

/// Returns the length of what is in parentheses, with those in it.
fn parentheses(rest: &[u8]) -> Option<usize> {
    enclosed(rest, b'(', b')')
}

/// Returns the length of what is in braces, with those in it.
fn braces(rest: &[u8]) -> Option<usize> {
    enclosed(rest, b'{', b'}')
}

fn enclosed(rest: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0;
    for (place, byte) in rest.iter().enumerate() {
        match byte {
            b'\n' | b'\r' | b'"' => return None,
            _ if *byte == open => depth += 1,
            _ if *byte == close && depth == 1 => return Some(place + 1),
            _ if *byte == close => depth -= 1,
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
/// literal of C++, the splice behind a mark, the word that ends a text of a shell. A fence of
/// Markdown is none.
fn opens_literal(before: &str) -> bool {
    let before = before.trim_end();
    let sign = before.ends_with(['"', '\'', '`', '(', '\\']) && !before.ends_with("```");
    sign || opens_here_document(before)
}

/// `cat <<EOF`, `<<~EOS`, `<<-'EOF' >file`, `<<<EOT`
fn opens_here_document(before: &str) -> bool {
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let Some((_, word)) = line.rsplit_once("<<") else { return false };
    let word = word.trim_start_matches(['<', '~', '-', ' ']).trim_start_matches(['"', '\'']);
    word.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// A part of a file with its marks taken out; `None` where it has none, or is not a literal.
pub(super) fn unwrap(text: &str, part: TextRange) -> Option<Unwrapped> {
    let (start, end): (usize, usize) = (part.start().into(), part.end().into());
    if !opens_literal(&text[..start]) {
        return None;
    }
    let mut out = SegmentedText::new();
    if copy(text, part, &mut out) == Marks::None {
        return None;
    }
    let (escapes, breaks) = (Escapes::Template, LineBreaks::AsTheFirst);
    Some(Unwrapped { text: out, escapes, breaks, condition: None, end })
}

/// Tells whether a part had marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    None,
    Some,
}

/// Copies a part of a literal, with holes in the places of its marks.
pub(super) fn copy(text: &str, part: TextRange, out: &mut SegmentedText) -> Marks {
    let (mut place, end): (usize, usize) = (part.start().into(), part.end().into());
    let bytes = &text.as_bytes()[..end];
    let (mut copied, mut marks) = (place, Marks::None);
    while let Some(found) = bytes[place..].iter().position(|byte| may_begin(*byte)) {
        place += found;
        match at(&text[..end], place) {
            Some(mark) if out.len() < MAX_PIECES => {
                out.copy(text, range(copied, place));
                out.replace(mark.text, range(place, place + mark.length));
                place += mark.length;
                copied = place;
                marks = Marks::Some;
            }
            _ => place += 1,
        }
    }
    out.copy(text, range(copied, end));
    marks
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
        for before in [
            "s = f\"\"\"\n  ",
            "s = `",
            "R\"(\n",
            "f(\"\\\n",
            "'",
            "cat <<EOF\n",
            "s = <<~'EOS'.strip\n",
            "$s = <<<EOT\n",
        ] {
            assert!(marked(before), "{before}");
        }
        for before in ["", "a log:\n", "```\n", "/* Example:\n", "a << b;\n"] {
            assert!(!marked(before), "{before}");
        }
    }

    #[test]
    fn marks_are_told_from_the_braces_of_values() {
        let length = |text: &str| {
            let start = text.find(|it| may_begin(it as u8)).expect("a sign");
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
            "$x",
            "$x->y",
            "$(f a)",
            "#{x + 1}",
            "\\(x.y(1))",
            "{{ x }}",
            "{{x|f}}",
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
            "$",
            "# x",
            "\\n",
            "}",
        ] {
            assert_eq!(length(text), None, "{text}");
        }
    }
}
