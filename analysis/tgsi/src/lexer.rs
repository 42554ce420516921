//! Characters to tokens.
//!
//! A hand-written scanner over bytes. Its tokens have no text of their own,
//! only a kind and a length; put one after the other they are the input, byte
//! for byte, whatever the input is. White space and comments are tokens too:
//! the formatter keeps them, and the parser wants to know of line ends.

use text::{TextRange, TextSize};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Spaces and tabs.
    Blank,
    /// White space with at least one line feed, and nothing but spaces and tabs beside.
    Newline,
    /// White space that the reference parser refuses, without a line end: form
    /// feed, vertical tab, byte order mark, no-break space.
    OddBlank,
    /// White space with a line end, and something in it that the reference
    /// parser refuses: mostly a carriage return.
    OddNewline,
    /// `// …` or `# …`, without the line end.
    LineComment,
    /// `/* … */`
    BlockComment,
    /// `/*` without its end: the rest of the line.
    UnclosedComment,
    /// Letters, digits and underscores, at least one of them no digit.
    Word,
    /// Digits only.
    Number,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `|`
    Bar,
    /// A run of characters that the language does not know.
    Unknown,
}

impl TokenKind {
    /// Whether the grammar never sees it: white space and comments.
    pub fn is_trivia(self) -> bool {
        matches!(
            self,
            TokenKind::Blank
                | TokenKind::Newline
                | TokenKind::OddBlank
                | TokenKind::OddNewline
                | TokenKind::LineComment
                | TokenKind::BlockComment
                | TokenKind::UnclosedComment
        )
    }
}

/// A kind and how many bytes it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// How many bytes it covers; never 0.
    pub length: u32,
}

/// All tokens of a text; their lengths add up to the text's.
pub fn tokenize(text: &str) -> Vec<Token> {
    Lexer::new(text).map(|(kind, range)| Token { kind, length: range.len().into() }).collect()
}

/// Scans a text token by token, without storing any.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    text: &'a str,
    offset: usize,
    /// Set once a search for `*/` failed, so that no later `/*` searches again.
    no_comment_end: bool,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Lexer { text, offset: 0, no_comment_end: false }
    }

    /// The kind of the token at the offset, and where it ends.
    fn scan(&mut self, first: u8) -> (TokenKind, usize) {
        use TokenKind as Kind;
        let bytes = self.text.as_bytes();
        let next = self.offset + 1;
        let kind = match CLASSES[first as usize] {
            Class::Word => return self.word(),
            Class::Space => return self.white_space(),
            Class::Other => match first {
                b'/' if bytes.get(next) == Some(&b'/') => {
                    return (Kind::LineComment, self.line_end());
                }
                b'/' if bytes.get(next) == Some(&b'*') => return self.block_comment(),
                b'#' => return (Kind::LineComment, self.line_end()),
                _ if odd_space(&bytes[self.offset..]) > 0 => return self.white_space(),
                _ => return self.unknown(),
            },
            Class::Sign => match first {
                b'.' if bytes.get(next) == Some(&b'.') => return (Kind::DotDot, next + 1),
                b'.' => Kind::Dot,
                b',' => Kind::Comma,
                b':' => Kind::Colon,
                b'[' => Kind::LeftBracket,
                b']' => Kind::RightBracket,
                b'(' => Kind::LeftParenthesis,
                b')' => Kind::RightParenthesis,
                b'{' => Kind::LeftBrace,
                b'}' => Kind::RightBrace,
                b'-' => Kind::Minus,
                b'+' => Kind::Plus,
                _ => Kind::Bar,
            },
        };
        (kind, next)
    }

    fn word(&self) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        let mut end = self.offset;
        let mut digits = true;
        while end < bytes.len() && CLASSES[bytes[end] as usize] == Class::Word {
            digits &= bytes[end].is_ascii_digit();
            end += 1;
        }
        (if digits { TokenKind::Number } else { TokenKind::Word }, end)
    }

    fn white_space(&self) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        let mut end = self.offset;
        let (mut line_end, mut odd) = (false, false);
        while end < bytes.len() {
            match bytes[end] {
                b' ' | b'\t' => end += 1,
                b'\n' => {
                    line_end = true;
                    end += 1;
                }
                b'\r' => {
                    line_end = true;
                    odd = true;
                    end += 1;
                }
                _ => match odd_space(&bytes[end..]) {
                    0 => break,
                    length => {
                        odd = true;
                        end += length;
                    }
                },
            }
        }
        let kind = match (line_end, odd) {
            (false, false) => TokenKind::Blank,
            (true, false) => TokenKind::Newline,
            (false, true) => TokenKind::OddBlank,
            (true, true) => TokenKind::OddNewline,
        };
        (kind, end)
    }

    fn line_end(&self) -> usize {
        let rest = &self.text.as_bytes()[self.offset..];
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        length.map_or(self.text.len(), |length| self.offset + length)
    }

    fn block_comment(&mut self) -> (TokenKind, usize) {
        if !self.no_comment_end {
            if let Some(length) = self.text[self.offset + 2..].find("*/") {
                return (TokenKind::BlockComment, self.offset + 2 + length + 2);
            }
            self.no_comment_end = true;
        }
        (TokenKind::UnclosedComment, self.line_end())
    }

    fn unknown(&self) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        let mut end = self.offset + 1;
        while end < bytes.len()
            && CLASSES[bytes[end] as usize] == Class::Other
            && !matches!(bytes[end], b'/' | b'#')
            && odd_space(&bytes[end..]) == 0
        {
            end += 1;
        }
        (TokenKind::Unknown, end)
    }
}

impl Iterator for Lexer<'_> {
    type Item = (TokenKind, TextRange);

    fn next(&mut self) -> Option<Self::Item> {
        let first = *self.text.as_bytes().get(self.offset)?;
        let start = self.offset;
        let (kind, end) = self.scan(first);
        self.offset = end;
        Some((kind, TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))))
    }
}

/// The length of the odd blank that the bytes begin with, 0 where they do not.
pub(crate) fn odd_space(bytes: &[u8]) -> usize {
    match bytes {
        [0x0b | 0x0c, ..] => 1,
        [0xc2, 0xa0, ..] => 2,
        [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Sign,
    Other,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => Class::Word,
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            b'.' | b',' | b':' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'-' | b'+' | b'|' => {
                Class::Sign
            }
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let tokens = tokenize(text);
        assert_eq!(tokens.iter().map(|token| token.length as usize).sum::<usize>(), text.len());
        tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn every_kind_is_told_apart() {
        use TokenKind::*;
        assert_eq!(kinds("A1_ 12 2D"), [Word, Blank, Number, Blank, Word]);
        assert_eq!(
            kinds(".,:[](){}-+|.. ;"),
            [
                Dot,
                Comma,
                Colon,
                LeftBracket,
                RightBracket,
                LeftParenthesis,
                RightParenthesis,
                LeftBrace,
                RightBrace,
                Minus,
                Plus,
                Bar,
                DotDot,
                Blank,
                Unknown
            ]
        );
        assert_eq!(
            kinds("A\r\nB \n C\u{c}D"),
            [Word, OddNewline, Word, Newline, Word, OddBlank, Word]
        );
        assert_eq!(
            kinds("\u{feff}é\0;//c\r#d"),
            [OddBlank, Unknown, LineComment, OddNewline, LineComment]
        );
    }

    #[test]
    fn block_comments_end_or_take_the_line() {
        use TokenKind::*;
        assert_eq!(kinds("/*a\n*/B/**/"), [BlockComment, Word, BlockComment]);
        assert_eq!(kinds("/*/ A\nB/*"), [UnclosedComment, Newline, Word, UnclosedComment]);
        assert_eq!(kinds("/"), [Unknown]);
    }
}
