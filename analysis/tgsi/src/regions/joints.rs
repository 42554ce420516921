//! The joints between string literals: which literal goes on another, and what is between them.

use super::conditions::{Conditions, Step};

/// The way in which the parts of a list make a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// Each is a line, as what joins them says somewhere else.
    Lines,
    /// One behind the other, as `concat!` puts them.
    Text,
}

impl Listing {
    /// The list that a literal with its text at an offset is in.
    pub(super) fn around(text: &str, header: usize) -> Listing {
        let before = text[..header].trim_end_matches(['"', '#', 'r']).trim_end();
        match before.ends_with("concat!(") {
            true => Listing::Text,
            false => Listing::Lines,
        }
    }
}

/// A literal that goes on another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Joined {
    /// The offset of its text.
    pub(super) start: usize,
    /// The mark that ends it.
    pub(super) quote: u8,
    /// Set where a comma is between the two.
    pub(super) in_list: bool,
    /// Set where something between the two is known only when the program runs.
    pub(super) unknown: bool,
    /// Set where a comment is between the two, or a line of the preprocessor.
    pub(super) comments: bool,
}

/// The most bytes between two literals: a bound for those who would have the same text read many
/// times.
const LONGEST_JOINT: usize = 4096;

/// The most bytes of an expression between two literals.
const LONGEST_EXPRESSION: usize = 256;

/// Looks for the literal that goes on the one with its closing mark at an offset.
pub(super) fn after(
    bytes: &[u8],
    closing: usize,
    quote: u8,
    conditions: &mut Conditions,
) -> Option<Joined> {
    let bytes = &bytes[..bytes.len().min(closing.saturating_add(LONGEST_JOINT))];
    let mut at = closing + 1;
    let (mut in_list, mut unknown, mut comments, mut plus) = (false, false, false, false);
    loop {
        let next = skip_blank(bytes, at, conditions)?;
        comments |= next.comments;
        at = next.at;
        match *bytes.get(at)? {
            b'+' | b'~' => plus = true,
            b'<' if bytes.get(at + 1) == Some(&b'<') => {
                plus = true;
                at += 1;
            }
            // Of Lua and PHP; what is called on a literal has a name behind its dot.
            b'.' if bytes.get(at + 1).is_some_and(|it| matches!(it, b'.' | b' ' | b'\n')) => {
                plus = true;
                at += 1;
            }
            b',' if !in_list || unknown => in_list = true,
            // Quotation marks of mail.
            b'>' | b'|' => {}
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => {}
            b'#' => {}
            _ => {
                if let Some(start) = literal(bytes, at) {
                    let found = bytes[start - 1];
                    // Python has literals of both kinds side by side.
                    let is_joined = plus || found == quote || found != b'`';
                    let joined = Joined { start, quote: found, in_list, unknown, comments };
                    return is_joined.then_some(joined);
                }
                let is_operand = plus || in_list;
                at = match is_operand {
                    true => expression(bytes, at)?,
                    false => macro_name(bytes, at)?,
                };
                unknown = true;
                continue;
            }
        }
        at += 1;
    }
}

struct Blank {
    at: usize,
    comments: bool,
}

/// Skips white space, comments, and lines of the preprocessor with the branches that are not read.
fn skip_blank(bytes: &[u8], from: usize, conditions: &mut Conditions) -> Option<Blank> {
    let line_length =
        |at: usize| bytes[at..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
    let (mut at, mut comments) = (from, false);
    loop {
        let rest = bytes.get(at..)?;
        if rest.first() == Some(&b'#') {
            match conditions.step(bytes, at) {
                Step::Behind(next) => {
                    comments = true;
                    at = next;
                    continue;
                }
                Step::Unknown => return None,
                Step::None => {}
            }
        }
        match rest {
            [b' ' | b'\t' | b'\n' | b'\r', ..] => at += 1,
            // A macro's argument as a literal.
            [b'#', ..] if macro_name(bytes, at + 1).is_some() => {
                return Some(Blank { at, comments });
            }
            [b'#', ..] | [b'/', b'/', ..] => {
                comments = true;
                at += line_length(at);
            }
            [b'/', b'*', ..] => {
                comments = true;
                let length = rest[2..].windows(2).position(|pair| pair == b"*/");
                let length = length?;
                at += 2 + length + 2;
            }
            _ => return Some(Blank { at, comments }),
        }
    }
}

/// The offset of a literal's text, where one begins at an offset, perhaps with letters before.
fn literal(bytes: &[u8], at: usize) -> Option<usize> {
    let letters =
        bytes[at..].iter().take(2).take_while(|byte| b"fFrRbBuUL8c@$".contains(byte)).count();
    let hashes = bytes[at + letters..].iter().take_while(|byte| **byte == b'#').count();
    let mark = at + letters + hashes;
    let quote = *bytes.get(mark)?;
    let is_single = bytes.get(mark + 1) != Some(&quote) || bytes.get(mark + 2) != Some(&quote);
    (matches!(quote, b'"' | b'\'' | b'`') && is_single).then_some(mark + 1)
}

/// The end of a macro's name, behind which a literal stands.
fn macro_name(bytes: &[u8], at: usize) -> Option<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = bytes[at..].iter().take(LONGEST_EXPRESSION).take_while(is_part).count();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\\');
    let next = at + length + bytes[at + length..].iter().take_while(blank).count();
    (length > 0 && literal(bytes, next).is_some()).then_some(at + length)
}

/// The end of an operand between two literals: what is in brackets is part of it.
fn expression(bytes: &[u8], from: usize) -> Option<usize> {
    let bytes = &bytes[..bytes.len().min(from + LONGEST_EXPRESSION)];
    let (mut at, mut depth) = (from, 0_usize);
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b'"' | b'\'' | b'`' if depth > 0 => {
                let rest = &bytes[at + 1..];
                at += 1 + rest.iter().position(|other| *other == byte)?;
            }
            b')' | b']' | b'}' | b'"' | b'\'' | b'`' | b'+' | b',' | b';' | b'=' | b'\n'
                if depth == 0 =>
            {
                break;
            }
            _ => {}
        }
        at += 1;
    }
    (at > from && depth == 0).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(text: &str) -> Option<(&str, bool, bool)> {
        let closing = text.find('"').expect("a mark");
        let joined = after(text.as_bytes(), closing, b'"', &mut Conditions::default())?;
        Some((&text[joined.start..], joined.in_list, joined.unknown))
    }

    #[test]
    fn literals_are_joined_by_little() {
        assert_eq!(between("\" \"x"), Some(("x", false, false)));
        assert_eq!(between("\" +\n // note\n L\"x"), Some(("x", false, false)));
        assert_eq!(between("\" + 'x"), Some(("x", false, false)));
        assert_eq!(between("\" + f(1, \")\") + \"x"), Some(("x", false, true)));
        assert_eq!(between("\" COUNT \"x"), Some(("x", false, true)));
        for joint in ["..", ".", "~", "<<"] {
            assert_eq!(between(&format!("\" {joint} \"x")), Some(("x", false, false)), "{joint}");
            let text = format!("\" {joint} n {joint} \"x");
            assert_eq!(between(&text), Some(("x", false, true)), "{joint}");
        }
        assert_eq!(between("\".len() + \"x"), None);
        assert_eq!(between("\" #view \"x"), Some(("x", false, true)));
        assert_eq!(between("\", # note\n\"x"), Some(("x", true, false)));
        assert_eq!(between("\", f(\"y\"), \"x"), Some(("x", true, true)));
        assert_eq!(between("\" 'x'"), Some(("x'", false, false)));
        assert_eq!(between("\" `x`"), None);
        assert_eq!(between("\"\nfunc f() { g(\"x\")"), None);
        assert_eq!(between("\" + y; z = \"x"), None);
        assert_eq!(between("\"\n#if A\n\"x"), Some(("x", false, false)));
        assert_eq!(between("\"\n#else\n\"y\"\n#endif\n\"x"), Some(("x", false, false)));
        assert_eq!(between("\"\n#define A\n\"x"), None);
        assert_eq!(between("\")"), None);
        assert_eq!(between("\""), None);
    }
}
