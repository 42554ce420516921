//! The kind of each word of a text, for colouring.
//!
//! Reads tokens, not statements, so that a line is coloured while it is
//! typed. The meaning of a word follows from the statement's first word and
//! from the sign before it: `SAMPLE` is an opcode, and a location after a comma.

use editor_model::{SemanticKind, SemanticToken};
use source::{TextRange, TextSize};

use crate::lexer::{Lexer, TokenKind};
use crate::vocabulary;
use crate::words::{
    CoordinateOrigin, ImmediateType, Interpolation, InterpolationLocation, Keyword, MemoryKind,
    MemoryQualifier, PixelCenter, Primitive, PropertyName, ReturnType, SemanticName, Stage,
    TextureTarget,
};

/// The kind of statement that a word is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatementContext {
    Start,
    Declaration,
    Immediate,
    Property,
    Instruction,
}

/// The coloured words of a text that touch a range, in order. `text` is that
/// of one shader, from its header on.
pub fn tokens(text: &str, within: TextRange) -> Vec<SemanticToken> {
    let mut tokens = Vec::new();
    let mut place = StatementContext::Start;
    let mut previous = TokenKind::Newline;
    let mut new_line = true;
    let mut lexer = Lexer::new(text);
    while let Some((kind, range)) = lexer.next() {
        if range.start() > within.end() {
            break;
        }
        let word = &text[range];
        match kind {
            TokenKind::Newline | TokenKind::OddNewline => {
                new_line = true;
                continue;
            }
            TokenKind::LineComment | TokenKind::BlockComment | TokenKind::UnclosedComment => {
                comment(text, range, &mut tokens);
                continue;
            }
            kind if kind.is_trivia() => continue,
            _ => {}
        }
        match kind {
            TokenKind::Number => {
                let next = next_kind(&lexer);
                let label = previous == TokenKind::Colon
                    || (next == Some(TokenKind::Colon) && previous != TokenKind::LeftBracket);
                let kind = if label { SemanticKind::Label } else { SemanticKind::Number };
                tokens.push(SemanticToken::new(range, kind));
                if label && next == Some(TokenKind::Colon) {
                    place = StatementContext::Start;
                }
            }
            TokenKind::Word => {
                let begins = begins(word, place, previous, new_line);
                let indexed = next_kind(&lexer) == Some(TokenKind::LeftBracket);
                let found = classify(word, &mut place, previous, begins, indexed);
                if let Some((kind, historic)) = found {
                    tokens.push(SemanticToken { range, kind, historic });
                }
            }
            _ => {}
        }
        previous = kind;
        new_line = false;
    }
    tokens.retain(|token| token.range.end() >= within.start());
    tokens
}

/// The kind of the next token that is not white space.
fn next_kind(lexer: &Lexer<'_>) -> Option<TokenKind> {
    lexer.clone().map(|(kind, _)| kind).find(|kind| !kind.is_trivia())
}

/// Tells whether a word begins a statement.
fn begins(word: &str, place: StatementContext, previous: TokenKind, new_line: bool) -> bool {
    if place == StatementContext::Start {
        return true;
    }
    let goes_on = matches!(
        previous,
        TokenKind::Comma
            | TokenKind::Dot
            | TokenKind::LeftBracket
            | TokenKind::Minus
            | TokenKind::Bar
    );
    let keyword = matches!(
        Keyword::from_word(word),
        Some(Keyword::Declaration | Keyword::Property | Keyword::Immediate)
    );
    let opcode = || vocabulary::opcode(word).is_some();
    if new_line {
        (keyword || opcode()) && !(goes_on && place == StatementContext::Declaration)
    } else {
        let ended = matches!(previous, TokenKind::RightBracket | TokenKind::RightBrace)
            || (previous == TokenKind::Word && place == StatementContext::Instruction);
        ended && (opcode() || word.eq_ignore_ascii_case("DCL"))
    }
}

/// Returns what a word is, and what its statement is if it begins one.
fn classify(
    word: &str,
    place: &mut StatementContext,
    previous: TokenKind,
    begins: bool,
    indexed: bool,
) -> Option<(SemanticKind, bool)> {
    if begins {
        let (next, kind, historic) = match Keyword::from_word(word) {
            Some(Keyword::Declaration) => {
                (StatementContext::Declaration, SemanticKind::Keyword, false)
            }
            Some(Keyword::Immediate) => (StatementContext::Immediate, SemanticKind::Keyword, false),
            Some(Keyword::Property) => (StatementContext::Property, SemanticKind::Keyword, false),
            _ => match vocabulary::opcode(word) {
                Some(found) => {
                    let historic = !found.opcode.row().until.is_empty();
                    (StatementContext::Instruction, SemanticKind::Opcode, historic)
                }
                None if vocabulary::header(word).is_some() => {
                    (StatementContext::Start, SemanticKind::Keyword, false)
                }
                None => return None,
            },
        };
        *place = next;
        return Some((kind, historic));
    }
    if previous == TokenKind::Dot && *place != StatementContext::Immediate {
        let letters = word.bytes().all(|byte| b"xyzwXYZWrgbaRGBA".contains(&byte));
        return letters.then_some((SemanticKind::Components, false));
    }
    let historic = |row: &crate::word_rows::WordRow| !row.until.is_empty();
    let file = vocabulary::file(word).map(|file| (SemanticKind::File, historic(file.row())));
    // `BUFFER` is a target too: a bracket makes it a file.
    if indexed && *place != StatementContext::Property && file.is_some() {
        return file;
    }
    match place {
        StatementContext::Start => None,
        StatementContext::Property => {
            if let Some(name) = PropertyName::from_word(word) {
                return Some((SemanticKind::Property, historic(name.row())));
            }
            let known = Primitive::from_word(word).is_some()
                || CoordinateOrigin::from_word(word).is_some()
                || PixelCenter::from_word(word).is_some()
                || Stage::from_word(word).is_some();
            known.then_some((SemanticKind::Word, false))
        }
        StatementContext::Immediate => {
            if ImmediateType::from_word(word).is_some() {
                return Some((SemanticKind::Keyword, false));
            }
            // `0x3f800000` and `1e5` are words to the lexer.
            word.starts_with(|first: char| first.is_ascii_digit())
                .then_some((SemanticKind::Number, false))
        }
        StatementContext::Declaration => {
            if let Some(name) = SemanticName::from_word(word) {
                return Some((SemanticKind::Word, historic(name.row())));
            }
            if Keyword::from_word(word).is_some() {
                return Some((SemanticKind::Keyword, false));
            }
            let known = TextureTarget::from_word(word).is_some()
                || Interpolation::from_word(word).is_some()
                || InterpolationLocation::from_word(word).is_some()
                || ReturnType::from_word(word).is_some()
                || MemoryKind::from_word(word).is_some()
                || crate::formats::is_known(word);
            known.then_some((SemanticKind::Word, false)).or(file)
        }
        StatementContext::Instruction => {
            let known = TextureTarget::from_word(word).is_some()
                || MemoryQualifier::from_word(word).is_some()
                || crate::formats::is_known(word);
            known.then_some((SemanticKind::Word, false)).or(file)
        }
    }
}

/// A comment, cut into its lines.
fn comment(text: &str, range: TextRange, tokens: &mut Vec<SemanticToken>) {
    let mut start = range.start();
    for line in text[range].split_inclusive(['\n', '\r']) {
        let length = line.trim_end_matches(['\n', '\r']).len() as u32;
        if length > 0 {
            let range = TextRange::at(start, TextSize::new(length));
            tokens.push(SemanticToken::new(range, SemanticKind::Comment));
        }
        start += TextSize::of(line);
    }
}
