//! The kind of a single line by its looks: a header, a statement, a comment, a log.

use super::first_word;
use crate::lexer::{Lexer, TokenKind};
use crate::vocabulary;
use crate::words::{File, ImmediateType, PropertyName};

/// The rule by which lines are headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderRule {
    /// Nothing but a stage's name, or a statement behind it.
    Certain,
    /// Any line whose first word is a stage's name.
    Any,
}

/// The likeness of a line to a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    None,
    /// A statement by its looks, but logs have such lines too.
    Weak,
    /// An instruction with an operand.
    Instruction,
    /// A declaration, immediate or property.
    Declaration,
}

/// Tells whether a line, without leading blanks, is a header.
pub(super) fn is_header(line: &str, rule: HeaderRule) -> bool {
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

/// Returns how much a line, without leading blanks, looks like a statement.
pub(super) fn likeness(line: &str) -> Likeness {
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

/// Tells whether a line, without leading blanks, begins with a comment.
pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with('#') || line.starts_with("/*")
}

/// Tells whether a line, without leading blanks, is log text beyond doubt: people who forget a
/// header do not write such lines.
pub(super) fn is_log(line: &str) -> bool {
    is_frame(line)
        || line.starts_with(['<', '>', '|', '[', '=', '{', '"'])
        || has_label(line)
        || is_program(line)
}

/// Tells whether a line is one of a program's source, by its end.
fn is_program(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(['{', '(']) || line.ends_with("):") || line.ends_with(';') && !is_plausible(line)
}

/// Tells whether a line is drawn around other text: a fence of Markdown, a rule of dashes.
pub(super) fn is_frame(line: &str) -> bool {
    const LEAST_DASHES: usize = 8;
    line.starts_with("```")
        || line.starts_with("~~~")
        || line.bytes().take(LEAST_DASHES).filter(|byte| *byte == b'-').count() == LEAST_DASHES
}

/// `radeonsi: …`: a word, a colon and more, that is not a header.
fn has_label(line: &str) -> bool {
    let word = first_word(line, 0);
    let (name, rest) = line.split_at(word.len().into());
    let wordlike = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    wordlike && rest.starts_with(": ") && vocabulary::header(name).is_none()
}

/// Tells whether a line may be a statement with a mistake in it: a word and a register behind it,
/// perhaps with an instruction's number before.
pub(super) fn is_plausible(line: &str) -> bool {
    let mut tokens = Lexer::new(line).filter(|(kind, _)| !kind.is_trivia());
    let mut next =
        || tokens.next().map_or((TokenKind::Unknown, ""), |(kind, at)| (kind, &line[at]));
    let mut first = next().0;
    if first == TokenKind::Number && next().0 == TokenKind::Colon {
        first = next().0;
    }
    if first != TokenKind::Word {
        return false;
    }
    let has_register = File::from_word(next().1).is_some() && next().0 == TokenKind::LeftBracket;
    has_register || likeness(line) != Likeness::None
}

/// Tells whether a line behind a header in log text makes it the header of a shader. Words that
/// prose has too must be in capitals.
pub(super) fn confirms(header: &str, line: &str) -> bool {
    let loud = |text: &str| !text.bytes().any(|byte| byte.is_ascii_lowercase());
    match likeness(line) {
        Likeness::None => false,
        Likeness::Weak => loud(header) && loud(line),
        Likeness::Instruction | Likeness::Declaration => true,
    }
}

/// The header at the end of a line, alone behind something that is not part of
/// the word. Answers its offset in the line.
pub(super) fn trailing_header(line: &str) -> Option<usize> {
    let line = line.trim_end();
    // Most lines are told apart by their last letter.
    let last = line.bytes().last()?.to_ascii_uppercase();
    if !matches!(last, b'G' | b'T' | b'M' | b'L' | b'P' | b'0'..=b'9') {
        return None;
    }
    let start = last_name(line);
    is_bare_header(&line[start..]).then_some(start)
}

/// The offset of the name at the end of a text, as far as a header may be long.
pub(super) fn last_name(text: &str) -> usize {
    const LONGEST: usize = 24;
    let bytes = text.bytes().rev().take(LONGEST);
    text.len() - bytes.take_while(|byte| is_name_part(*byte)).count()
}

fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}

/// Tells whether a text is a header and nothing else.
pub(super) fn is_bare_header(word: &str) -> bool {
    is_header(word, HeaderRule::Certain) && word.bytes().all(is_name_part)
}
