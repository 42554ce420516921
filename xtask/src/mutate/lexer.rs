//! Rust source as tokens, as far as mutations need it: comments and white space are
//! left out, strings and lifetimes are told apart from operators.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    Lifetime,
    Integer,
    Float,
    /// A string in plain quotes.
    Text,
    /// A string of any other form.
    OtherText,
    /// A character or a byte.
    Character,
    /// An operator or a delimiter.
    Sign,
}

/// A token with its bytes in the source.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    /// Returns the text of the token.
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }
}

/// Signs of more than one character, longer ones first.
const SIGNS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// Splits a source into its tokens.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        if let Some(length) = blank(rest) {
            at += length;
            continue;
        }
        let after_dot = found.last().is_some_and(|last| last.text(source) == "." && last.end == at);
        let (kind, length) = token(rest, after_dot);
        found.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    found
}

/// Returns the length of the white space or comment that a text begins with.
fn blank(text: &str) -> Option<usize> {
    let white = text.len() - text.trim_start().len();
    if white > 0 {
        return Some(white);
    }
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    Some(at)
}

/// Returns kind and length of the token that a text begins with.
fn token(text: &str, after_dot: bool) -> (Kind, usize) {
    let bytes = text.as_bytes();
    match bytes {
        [b'"', ..] => (Kind::Text, quoted(bytes, 0, b'"')),
        [b'b' | b'c', b'"', ..] => (Kind::OtherText, quoted(bytes, 1, b'"')),
        [b'b', b'\'', ..] => (Kind::Character, quoted(bytes, 1, b'\'')),
        [b'r', b'"' | b'#', ..] if raw(text, 1).is_some() => {
            (Kind::OtherText, raw(text, 1).unwrap_or(1))
        }
        [b'b', b'r', b'"' | b'#', ..] if raw(text, 2).is_some() => {
            (Kind::OtherText, raw(text, 2).unwrap_or(2))
        }
        [b'\'', b'\\', ..] => (Kind::Character, quoted(bytes, 0, b'\'')),
        [b'\'', ..] => {
            let character = text[1..].chars().next().map_or(1, char::len_utf8);
            if bytes.get(1 + character) == Some(&b'\'') {
                (Kind::Character, character + 2)
            } else {
                (Kind::Lifetime, 1 + word(&text[1..]))
            }
        }
        [b'0'..=b'9', ..] => number(text, after_dot),
        _ if word(text) > 0 => (Kind::Word, word(text)),
        _ => {
            let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
            let single = text.chars().next().map_or(1, char::len_utf8);
            (Kind::Sign, sign.map_or(single, |sign| sign.len()))
        }
    }
}

/// Returns the length of the word that a text begins with.
fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// Returns the length of a quoted text whose opening quote stands at `open`.
fn quoted(bytes: &[u8], open: usize, quote: u8) -> usize {
    let mut at = open + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Returns the length of a raw string whose marks begin at `at`.
fn raw(text: &str, at: usize) -> Option<usize> {
    let marks = text[at..].len() - text[at..].trim_start_matches('#').len();
    let body = at + marks + 1;
    text[at + marks..].starts_with('"').then_some(())?;
    let close = format!("\"{}", "#".repeat(marks));
    Some(body + text[body..].find(&close)? + close.len())
}

/// Returns kind and length of a number; behind a dot it is the index of a tuple's part.
fn number(text: &str, after_dot: bool) -> (Kind, usize) {
    let digits = word(text);
    let radix = text.starts_with("0x") || text.starts_with("0b") || text.starts_with("0o");
    let behind = &text[digits..];
    let fraction = behind.starts_with('.')
        && !behind.starts_with("..")
        && !behind[1..].starts_with(|c: char| c.is_alphabetic() || c == '_');
    if after_dot || radix {
        return (Kind::Integer, digits);
    }
    let mut length = digits;
    if fraction {
        length += 1 + word(&behind[1..]);
    }
    let has_exponent = text[..length].ends_with(['e', 'E']) && !text[..digits].contains("u");
    if has_exponent && text[length..].starts_with(['-', '+']) {
        length += 1 + word(&text[length + 1..]);
        return (Kind::Float, length);
    }
    let float = fraction || text[..length].contains(['e', 'f']) && !text[..length].contains("size");
    (if float { Kind::Float } else { Kind::Integer }, length)
}
