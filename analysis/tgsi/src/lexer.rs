//! Characters to tokens.
//!
//! A hand-written scanner over bytes. Its tokens have no text of their own,
//! only a kind and a length; put one after the other they are the input, byte
//! for byte, whatever the input is. White space and comments are tokens too:
//! the formatter keeps them, and the parser wants to know of line ends.

use source::{TextRange, TextSize};

/// The kind of a token.
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
    /// Tells whether the grammar never sees it: white space and comments.
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

/// Scans a text token by token, without storing any.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    text: &'a str,
    offset: usize,
    /// The place behind which there is no `*/`, so that no later `/*` searches again.
    no_comment_end: usize,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Lexer { text, offset: 0, no_comment_end: usize::MAX }
    }

    /// Goes on at another place, which begins a token.
    pub(crate) fn restart(&mut self, offset: TextSize) {
        self.offset = offset.into();
    }

    /// The kind of the token at the offset, and where it ends.
    #[inline]
    fn scan(&mut self, first: u8) -> (TokenKind, usize) {
        let class = CLASSES[first as usize];
        let next = self.offset + 1;
        if class & WORD != 0 {
            return self.word();
        }
        if class & SPACE != 0 {
            // One blank before a word is the most common white space.
            let after = self.text.as_bytes().get(next).map_or(0, |byte| CLASSES[*byte as usize]);
            if first == b' ' && after & (WORD | SIGN) != 0 {
                return (TokenKind::Blank, next);
            }
            return self.white_space();
        }
        if class & SIGN != 0 {
            return self.sign(first);
        }
        self.other(first)
    }

    #[inline]
    fn sign(&self, first: u8) -> (TokenKind, usize) {
        let next = self.offset + 1;
        let kind = match first {
            b'.' if self.text.as_bytes().get(next) == Some(&b'.') => {
                return (TokenKind::DotDot, next + 1);
            }
            b'.' => TokenKind::Dot,
            b',' => TokenKind::Comma,
            b':' => TokenKind::Colon,
            b'[' => TokenKind::LeftBracket,
            b']' => TokenKind::RightBracket,
            b'(' => TokenKind::LeftParenthesis,
            b')' => TokenKind::RightParenthesis,
            b'{' => TokenKind::LeftBrace,
            b'}' => TokenKind::RightBrace,
            b'-' => TokenKind::Minus,
            b'+' => TokenKind::Plus,
            _ => TokenKind::Bar,
        };
        (kind, next)
    }

    /// Comments, odd blanks and what the language does not know.
    #[cold]
    fn other(&mut self, first: u8) -> (TokenKind, usize) {
        let bytes = &self.text.as_bytes()[self.offset..];
        match (first, bytes.get(1)) {
            (b'/', Some(b'/')) | (b'#', _) => (TokenKind::LineComment, self.line_end()),
            (b'/', Some(b'*')) => self.block_comment(),
            _ if odd_space(bytes) > 0 => self.white_space(),
            _ => self.unknown(),
        }
    }

    #[inline]
    fn word(&self) -> (TokenKind, usize) {
        let rest = &self.text.as_bytes()[self.offset..];
        let mut letters = 0;
        let mut length = 0;
        for byte in rest {
            let class = CLASSES[*byte as usize];
            if class & WORD == 0 {
                break;
            }
            letters |= class;
            length += 1;
        }
        let kind = if letters & LETTER == 0 { TokenKind::Number } else { TokenKind::Word };
        (kind, self.offset + length)
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
        if self.offset < self.no_comment_end {
            if let Some(length) = self.text[self.offset + 2..].find("*/") {
                return (TokenKind::BlockComment, self.offset + 2 + length + 2);
            }
            self.no_comment_end = self.offset;
        }
        (TokenKind::UnclosedComment, self.line_end())
    }

    fn unknown(&self) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        let mut end = self.offset + 1;
        while end < bytes.len()
            && CLASSES[bytes[end] as usize] == 0
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

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let first = *self.text.as_bytes().get(self.offset)?;
        let start = self.offset;
        let (kind, end) = self.scan(first);
        self.offset = end;
        Some((kind, TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))))
    }
}

/// Tells whether a byte is one of words and numbers.
#[inline]
pub(crate) fn is_word(byte: u8) -> bool {
    CLASSES[byte as usize] & WORD != 0
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

/// Letters, digits and the underscore.
const WORD: u8 = 1;
/// Name characters that are not digits.
const LETTER: u8 = 2;
/// White space of the language, and the carriage return.
const SPACE: u8 = 4;
/// Signs of one byte.
const SIGN: u8 = 8;

/// The classes of each byte; 0 for those that need a closer look.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => WORD,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => WORD | LETTER,
            b' ' | b'\t' | b'\n' | b'\r' => SPACE,
            b'.' | b',' | b':' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'-' | b'+' | b'|' => {
                SIGN
            }
            _ => 0,
        };
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let tokens: Vec<_> = Lexer::new(text).collect();
        let lengths = tokens.iter().map(|(_, range)| usize::from(range.len()));
        assert_eq!(lengths.sum::<usize>(), text.len());
        tokens.into_iter().map(|(kind, _)| kind).collect()
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
