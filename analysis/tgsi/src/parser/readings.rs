//! The statements that a broken line may have been meant as: those that one typing mistake makes
//! this line of.

use source::misread::{ForeignKind, foreign, with_bracket};
use source::{TextRange, join_edits, nearest_matches, no_checkpoint};

use super::Parser;
use super::unread::DECLARING;
use crate::Opcode;
use crate::ast::StatementKind;
use crate::codes;
use crate::vocabulary;
use crate::words::{File, ImmediateType, PropertyName};

/// Lines that are tried for one broken line, at most.
const MOST_TRIED: usize = 256;

/// Lines that are longer are not looked at: no statement is.
pub(super) const LONGEST: usize = 400;

/// ASCII signs that no statement has.
const SIGNS: &str = "@%$?~^`'\"\\&=<>;";

/// Letters of statements: one of them may have stood where a foreign sign stands now.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ,[]:-|.xyzw";

impl Parser<'_> {
    /// Returns the statements that the one read last may have been meant as, in the place of its
    /// text: with its first word as it is, or else with the nearest ones.
    pub(super) fn readings(&self, range: TextRange) -> Vec<StatementKind> {
        let text = &self.stream.text[range];
        // A number without its bracket may lack digits.
        let is_cut = text.ends_with(|it: char| it.is_ascii_digit());
        if text.len() > LONGEST || is_cut && text.matches('[').count() > text.matches(']').count() {
            return Vec::new();
        }
        let lines = self.repaired(range);
        let replaced = foreign(text, SIGNS).map(|it| it.replaced(text, LETTERS));
        // A foreign sign and a misspelt word are two mistakes, and each would make lines for the
        // other.
        let declared = self.with_declaring(text).into_iter().collect();
        let attempts = [
            lines.iter().filter(|line| begins_statement(line)).cloned().collect(),
            with_nearest_words(&lines),
            replaced
                .unwrap_or_default()
                .into_iter()
                .filter(|line| begins_statement(line))
                .collect(),
            declared,
        ];
        let mut tried = 0;
        for lines in attempts {
            let mut found: Vec<(String, StatementKind)> = Vec::new();
            for line in lines {
                if found.iter().any(|(known, _)| *known == line) {
                    continue;
                }
                tried += 1;
                if tried > MOST_TRIED {
                    return Vec::new();
                }
                if let Some(kind) = self.alone(&line) {
                    found.push((line, kind));
                }
            }
            if !found.is_empty() {
                return found.into_iter().map(|(_, kind)| kind).collect();
            }
        }
        Vec::new()
    }

    /// Reads a line as one whole statement in the place of the last one.
    pub(super) fn alone(&self, line: &str) -> Option<StatementKind> {
        let mut parser = Parser::new(line, &no_checkpoint);
        parser.stage = self.stage;
        // The broken one may have been counted.
        parser.missed = true;
        parser.input_size_known = true;
        let item = parser.stream.peek()?;
        let kind = parser.statement_kind(item);
        if !parser.report.broken {
            parser.finish_statement(&kind);
        }
        (!parser.report.broken && parser.stream.peek().is_none()).then_some(kind)
    }

    /// A line with the word that declares in the place of a first one that begins no statement, or
    /// before it; `None` where the line may be an instruction.
    fn with_declaring(&self, line: &str) -> Option<String> {
        let (number, words) = number_and_words(line);
        if !number.is_empty() || begins_statement(line) {
            return None;
        }
        let (first, rest) = words.split_at(word_end(words));
        let declared = if may_be_declared(first, rest) { words } else { rest.trim_start() };
        let first = &declared[..word_end(declared)];
        // No instruction has the name of a resource alone.
        let is_name = vocabulary::file(first).is_some_and(File::is_name);
        let is_one =
            |opcode: Opcode| self.alone(&format!("{} {declared}", opcode.mnemonic())).is_some();
        if (!is_name || declared.contains(',')) && SHAPES.into_iter().any(is_one) {
            return None;
        }
        Some(match () {
            () if PropertyName::from_word(first).is_some() => format!("PROPERTY {declared}"),
            () if ImmediateType::from_word(first).is_some() => format!("IMM {declared}"),
            () if first.is_empty() => format!("IMM{declared}"),
            () => format!("DCL {declared}"),
        })
    }

    /// A line as the fix of its error leaves it, without what is too much in it, and with the
    /// bracket or the register file that was meant.
    fn repaired(&self, range: TextRange) -> Vec<String> {
        let text = &self.stream.text[range];
        let mut lines = vec![text.to_owned()];
        let mut add = |line: Option<String>| lines.extend(line.filter(|it| it != text));
        // Other opcodes may be as near as the one that is offered, and each bound of a range may
        // be wrong alone.
        let is_sure = |code| ![codes::UNKNOWN_OPCODE, codes::REVERSED_RANGE].contains(&code);
        let fix = self.report.last_fix().filter(|(code, _)| is_sure(*code));
        add(fix.and_then(|(_, fix)| {
            let edit = join_edits(self.stream.text, &fix.edits)?;
            let is_here = range.contains_range(edit.range);
            let before = TextRange::new(range.start(), edit.range.start().max(range.start()));
            let behind = TextRange::new(edit.range.end().min(range.end()), range.end());
            let [before, behind] = [before, behind].map(|it| &self.stream.text[it]);
            is_here.then(|| [before, &edit.insert, behind].concat())
        }));
        let sign = foreign(text, SIGNS).filter(|it| it.kind == ForeignKind::Sign);
        add(sign.map(|it| it.removed(text)));
        add(Some(text.replacen(",,", ",", 1)));
        add(without_register(text));
        // One that does not close is its own error, whose fix was added above.
        let closes_more = text.matches(']').count() > text.matches('[').count();
        add(with_bracket(text).filter(|_| closes_more));
        lines.extend(with_files(text));
        lines.extend(with_components(text));
        lines.extend(with_digits(text));
        lines.extend(without_opcode(text));
        lines
    }
}

/// One opcode for each number of destinations, sources and targets that instructions have.
const SHAPES: [Opcode; 12] = [
    Opcode::CAL,
    Opcode::UIF,
    Opcode::CLOCK,
    Opcode::MOV,
    Opcode::ADD,
    Opcode::MAD,
    Opcode::DFRACEXP,
    Opcode::TEX,
    Opcode::TXD,
    Opcode::TEX2,
    Opcode::STORE,
    Opcode::ATOMCAS,
];

/// Tells whether a first word is what follows one that declares: a register, the name of a
/// property, the type of an immediate, or its number, which is no word.
fn may_be_declared(word: &str, rest: &str) -> bool {
    let is_register = || rest.starts_with('[') && vocabulary::file(word).is_some();
    word.is_empty()
        || is_register()
        || PropertyName::from_word(word).is_some()
        || ImmediateType::from_word(word).is_some()
}

/// Lines with the files that are nearest to a word before a bracket which is none.
pub(super) fn with_files(text: &str) -> Vec<String> {
    for (open, _) in text.match_indices('[') {
        let word = text[..open].trim_end_matches(|it: char| it.is_ascii_alphanumeric()).len();
        let name = &text[word..open];
        if name.is_empty() || vocabulary::file(name).is_some() {
            continue;
        }
        let files = nearest_matches(name, File::ALL.iter().map(|file| file.word()));
        let line = |file: &str| [&text[..word], file, &text[open..]].concat();
        return files.into_iter().map(line).collect();
    }
    Vec::new()
}

/// Lines with each component, and with none, for a letter behind a bracket that is none.
fn with_components(text: &str) -> Vec<String> {
    for (at, _) in text.match_indices("].") {
        let word = &text[at + 2..];
        let word = &word[..word.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(word.len())];
        let Some(wrong) = word.find(|it: char| !"xyzwXYZW".contains(it)) else { continue };
        let (before, behind) = (&text[..at + 2 + wrong], &text[at + 2 + wrong + 1..]);
        let line = |letter: &str| [before, letter, behind].concat();
        return ["", "x", "y", "z", "w"].into_iter().map(line).collect();
    }
    Vec::new()
}

/// Lines with each digit, and with none, for the only letter in a number between brackets. A
/// letter alone may be the name of any number.
fn with_digits(text: &str) -> Vec<String> {
    let is_letter = |it: char| it.is_ascii_alphabetic();
    for (open, _) in text.match_indices('[') {
        let number = &text[open + 1..];
        let number = &number[..number.find(']').unwrap_or_default()];
        let Some(letter) = number.find(is_letter).filter(|_| number.len() > 1) else { continue };
        let (before, behind) = (&text[..=open + letter], &text[open + letter + 2..]);
        if number.chars().filter(|it| !it.is_ascii_digit()).count() > 1 {
            continue;
        }
        let line = |digit: &str| [before, digit, behind].concat();
        return ["", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map(line).to_vec();
    }
    Vec::new()
}

/// A declaration without the register at its end, which none has there.
fn without_register(text: &str) -> Option<String> {
    let (before, last) = text.rsplit_once(',')?;
    let (word, rest) = last.trim_start().split_at(word_end(last.trim_start()));
    let declares = DECLARING.iter().any(|it| it.eq_ignore_ascii_case(&text[..word_end(text)]));
    let is_register = rest.starts_with('[') && vocabulary::file(word).is_some();
    (declares && is_register).then(|| before.to_owned())
}

/// Lines without the first or the second of two words that begin statements.
fn without_opcode(text: &str) -> Vec<String> {
    let (number, words) = number_and_words(text);
    let mut both = words.splitn(3, [' ', '\t']);
    let (Some(first), Some(second)) = (both.next(), both.next()) else { return Vec::new() };
    let rest = both.next().unwrap_or_default();
    let begins = |word: &str| {
        let word = &word[..word_end(word)];
        vocabulary::opcode(word).is_some() || DECLARING.contains(&word)
    };
    if !begins(first) || !begins(second) {
        return Vec::new();
    }
    vec![format!("{number}{second} {rest}"), format!("{number}{first} {rest}")]
}

/// A line in two: the number of the instruction with its colon and blanks, and the rest.
pub(super) fn number_and_words(line: &str) -> (&str, &str) {
    let digits = line.find(|it: char| !it.is_ascii_digit()).unwrap_or(line.len());
    let colon = line[digits..].trim_start();
    let Some(words) = colon.strip_prefix(':').filter(|_| digits > 0) else { return ("", line) };
    line.split_at(line.len() - words.trim_start().len())
}

/// Tells whether a line begins as a statement does: what else is first in it is an error.
fn begins_statement(line: &str) -> bool {
    let (_, words) = number_and_words(line);
    let word = &words[..word_end(words)];
    words.starts_with('(')
        || vocabulary::opcode(word).is_some()
        || DECLARING.iter().any(|it| it.eq_ignore_ascii_case(word))
}

pub(super) fn word_end(words: &str) -> usize {
    words.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(words.len())
}

/// The lines with the nearest words for their first one, which begins no statement; modifiers
/// stay. Most lines have the same one, for which they are looked up once.
fn with_nearest_words(lines: &[String]) -> Vec<String> {
    let mut known: ((&str, bool), Vec<String>) = (("", false), Vec::new());
    let mut all = Vec::new();
    for line in lines {
        let (number, words) = number_and_words(line);
        let (word, rest) = words.split_at(word_end(words));
        let asked = (word, rest.trim().is_empty());
        if known.0 != asked {
            // A declaration has no number.
            let declaring = if number.is_empty() { &DECLARING[..] } else { &[] };
            known = (asked, nearest_words(word, rest, declaring));
        }
        all.extend(known.1.iter().map(|word| [number, word, rest].concat()));
    }
    all
}

/// The nearest words for one that begins no statement.
fn nearest_words(word: &str, rest: &str, declaring: &[&'static str]) -> Vec<String> {
    if word.len() < 2 || vocabulary::opcode(word).is_some() || vocabulary::file(word).is_some() {
        return Vec::new();
    }
    let upper = word.to_ascii_uppercase();
    let base = upper.find("_SAT").or_else(|| upper.find("_PRECISE")).unwrap_or(upper.len());
    let (base, modifiers) = upper.split_at(base);
    if let Some(meant) = vocabulary::misnomer("opcode", base) {
        return vec![format!("{meant}{modifiers}")];
    }
    let words = Opcode::all().map(Opcode::mnemonic).chain(declaring.iter().copied());
    let mut near = nearest_matches(base, words);
    if rest.trim().is_empty() {
        // The rest of a longer word may lack, and that one's operands.
        let longer: Vec<Opcode> =
            Opcode::all().filter(|it| it.mnemonic().starts_with(base)).collect();
        if longer.iter().any(|it| needs_operands(*it)) {
            return Vec::new();
        }
        near.extend(longer.into_iter().map(Opcode::mnemonic));
    }
    near.into_iter().map(|near| format!("{near}{modifiers}")).collect()
}

/// Tells whether an opcode never stands alone.
fn needs_operands(opcode: Opcode) -> bool {
    let row = opcode.row();
    let missing = usize::from(!row.last_source_since.is_empty());
    row.destinations + row.sources > missing
}
