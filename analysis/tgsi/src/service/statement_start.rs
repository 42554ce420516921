//! The unfinished statement before a cursor, as tokens.
//!
//! Works on a few lines before the cursor only and needs no parse: the
//! statement under the cursor is the one text that is surely not finished.

use source::{TextRange, TextSize};

use crate::lexer::{Lexer, TokenKind};
use crate::vocabulary;
use crate::words::Keyword;

/// The number of lines in which a statement is looked for backwards.
const MOST_LINES: usize = 8;
/// The number of bytes that are looked at; a line may be a whole log.
const MOST_BYTES: usize = 8 << 10;

/// A token that is not white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lexeme<'a> {
    pub(super) kind: TokenKind,
    pub(super) range: TextRange,
    pub(super) text: &'a str,
    /// Set where it is the first of its line.
    first_of_line: bool,
}

/// The statement before a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Beginning<'a> {
    /// Its tokens before the word under the cursor, without an instruction
    /// number before it.
    pub(super) pieces: Vec<Lexeme<'a>>,
    /// Set where an instruction number stands before it.
    pub(super) numbered: bool,
    /// The word that the cursor touches; empty at the cursor without one.
    pub(super) word: TextRange,
    /// The part of that word before the cursor.
    pub(super) typed: &'a str,
}

/// Reads the statement before a cursor; `None` within a comment or outside of the text.
pub(super) fn beginning(text: &str, offset: TextSize) -> Option<Beginning<'_>> {
    let cursor = usize::from(offset);
    let before = text.get(..cursor)?;
    let start = window(before);
    let base = TextSize::new(start as u32);
    let mut pieces: Vec<Lexeme<'_>> = Vec::new();
    let mut first_of_line = true;
    for (kind, range) in Lexer::new(&before[start..]) {
        let range = range + base;
        match kind {
            TokenKind::Newline | TokenKind::OddNewline => first_of_line = true,
            TokenKind::LineComment | TokenKind::UnclosedComment if range.end() == offset => {
                return None;
            }
            kind if kind.is_trivia() => {}
            kind => {
                pieces.push(Lexeme { kind, range, text: &text[range], first_of_line });
                first_of_line = false;
            }
        }
    }
    let is_word = |piece: &Lexeme<'_>| matches!(piece.kind, TokenKind::Word | TokenKind::Number);
    let touched = pieces.pop_if(|piece| is_word(piece) && piece.range.end() == offset);
    let on_new_line = touched.map_or(first_of_line, |piece| piece.first_of_line);
    let tail = text[cursor..].bytes().take_while(|byte| is_word_byte(*byte)).count() as u32;
    let word_start = touched.map_or(offset, |piece| piece.range.start());
    let word = TextRange::new(word_start, offset + TextSize::new(tail));
    let typed = touched.map_or("", |piece| piece.text);

    let start = last_start(&pieces);
    let mut pieces = pieces.split_off(start);
    if on_new_line && pieces.last().is_none_or(|last| !expects_more(last.kind)) {
        pieces.clear();
    }
    let mut numbered = false;
    if let [number, colon, ..] = pieces.as_slice()
        && number.kind == TokenKind::Number
        && colon.kind == TokenKind::Colon
    {
        numbered = true;
        pieces.drain(..2);
    }
    if pieces.first().is_some_and(|first| vocabulary::header(first.text).is_some()) {
        // `FRAG`, or the historic `FRAG1.1`.
        let version = pieces.iter().skip(1).take_while(|piece| piece.kind != TokenKind::Word);
        let count = 1 + version.count();
        pieces.drain(..count);
    }
    Some(Beginning { pieces, numbered, word, typed })
}

pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns where the lines begin that are looked at.
fn window(before: &str) -> usize {
    let bytes = before.as_bytes();
    let least = bytes.len().saturating_sub(MOST_BYTES);
    let ends = (least..bytes.len()).rev().filter(|at| matches!(bytes[*at], b'\n' | b'\r'));
    let start = ends.take(MOST_LINES).last().map(|at| at + 1);
    let mut start = match start {
        // Fewer lines than that: all of the text, or as much as is allowed.
        Some(start) if least > 0 || lines_of(&bytes[least..start]) >= MOST_LINES => start,
        _ => least,
    };
    while !before.is_char_boundary(start) {
        start += 1;
    }
    start
}

fn lines_of(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count()
}

/// Tells whether a statement goes on after a token of this kind, even on a new line.
fn expects_more(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Comma
            | TokenKind::Dot
            | TokenKind::DotDot
            | TokenKind::LeftBracket
            | TokenKind::LeftParenthesis
            | TokenKind::LeftBrace
            | TokenKind::Minus
            | TokenKind::Plus
            | TokenKind::Colon
    )
}

/// The index of the token that begins the last statement.
fn last_start(pieces: &[Lexeme<'_>]) -> usize {
    let mut start = 0;
    let mut declares = false;
    for (index, piece) in pieces.iter().enumerate() {
        let previous = index.checked_sub(1).and_then(|index| pieces.get(index));
        let goes_on = previous.is_some_and(|previous| expects_more(previous.kind));
        let begins = match piece.kind {
            TokenKind::Word => {
                let keyword = Keyword::from_word(piece.text);
                let is_keyword = matches!(
                    keyword,
                    Some(Keyword::Declaration | Keyword::Property | Keyword::Immediate)
                );
                let is_opcode = vocabulary::opcode(piece.text).is_some();
                let after_keyword =
                    previous.is_some_and(|it| Keyword::from_word(it.text).is_some());
                // `SAMPLE` and `TEXCOORD` are attributes too, `LOOP` is a file,
                // and `IMM` an operand.
                if piece.first_of_line {
                    (is_keyword || is_opcode) && !(goes_on && declares)
                } else {
                    let operand = keyword == Some(Keyword::Immediate);
                    let numbered = previous.is_some_and(|it| it.kind == TokenKind::Colon)
                        && index.checked_sub(2) == Some(start);
                    (is_keyword || is_opcode) && !goes_on && !after_keyword && !operand && !numbered
                }
            }
            TokenKind::Number => {
                let colon = pieces.get(index + 1).is_some_and(|it| it.kind == TokenKind::Colon);
                colon && !goes_on
            }
            _ => false,
        };
        if begins {
            start = index;
            declares = Keyword::from_word(piece.text) == Some(Keyword::Declaration);
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens before the cursor `$0`, and the word at it.
    #[track_caller]
    fn check(marked: &str, expected: &str) {
        let at = marked.find("$0").expect("a cursor");
        let text = marked.replacen("$0", "", 1);
        let found = beginning(&text, TextSize::new(at as u32));
        let shown = found.map_or("comment".to_owned(), |found| {
            let pieces: Vec<&str> = found.pieces.iter().map(|piece| piece.text).collect();
            format!("{} <{}>", pieces.join(" "), &text[found.word])
        });
        assert_eq!(shown, expected, "{marked}");
    }

    #[test]
    fn the_statement_under_the_cursor_is_found() {
        check("FRAG\nMOV TEMP[0], IN$0", "MOV TEMP [ 0 ] , <IN>");
        check("FRAG\nMOV TEMP[0], IN[0]\nAD$0", " <AD>");
        check("FRAG\nMOV TEMP[0], IN[0]\n$0", " <>");
        check("FRAG\nMOV TEMP[0],\n$0", "MOV TEMP [ 0 ] , <>");
        check("FRAG\n  3: $0", " <>");
        check("FRAG\n  3: MOV $0\n", "MOV <>");
        check("FRAG\nIF TEMP[0].xxxx :3\n  4: MO$0V", " <MOV>");
        check("FRAG\nIF TEMP[0].xxxx :$0", "IF TEMP [ 0 ] . xxxx : <>");
        check("FRAG\nMOV TEMP[0], IN[0] ADD TEMP[1], $0", "ADD TEMP [ 1 ] , <>");
        check(
            "FRAG\nDCL IN[0], GENERIC[0], SAMPLE, $0",
            "DCL IN [ 0 ] , GENERIC [ 0 ] , SAMPLE , <>",
        );
        check("FRAG\nMOV TEMP[\nADD TEMP[0], $0", "ADD TEMP [ 0 ] , <>");
        check("FRAG $0", " <>");
        check("FRAG1.1\n$0", " <>");
        check("FRAG\n# a com$0ment", "comment");
        check("$0", " <>");
        check("IMM[0] FLT32 { 1.0, $0", "IMM [ 0 ] FLT32 { 1 . 0 , <>");
        check("PROPERTY NEXT_SHADER FR$0", "PROPERTY NEXT_SHADER <FR>");
    }
}
