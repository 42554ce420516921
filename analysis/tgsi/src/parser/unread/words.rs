//! The words of a broken statement, and the registers that they may name.

use source::close_matches;

use super::DECLARING;
use crate::Opcode;
use crate::ast::{Component, Declares, IndexRange, Named, Numbers, WriteMask};
use crate::lexer::{Lexer, TokenKind};
use crate::opcodes::{Control, Family, OpInfo};
use crate::register_set::LAST_REGISTER;
use crate::vocabulary;
use crate::words::{File, MemoryQualifier, SemanticName, TextureTarget};

/// The words and numbers of a statement.
pub(super) struct Words<'a> {
    /// All words but those in brackets and behind dots, in order.
    pub(super) words: Vec<&'a str>,
    /// Set where the number of an instruction stands before it.
    pub(super) is_numbered: bool,
    /// Set where the first word is the hole of a format string.
    pub(super) is_hole: bool,
    pub(super) brackets: bool,
    /// Set where it has the brace of an immediate.
    pub(super) has_values: bool,
    pub(super) operands: Vec<Operand>,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Words<'a> {
        let tokens: Vec<(TokenKind, &str)> = Lexer::new(text)
            .filter(|(kind, _)| !kind.is_trivia())
            .map(|(kind, range)| (kind, &text[range]))
            .collect();
        // The number of the instruction names no register.
        let is_numbered = matches!(tokens[..], [(TokenKind::Number, _), (TokenKind::Colon, _), ..]);
        let tokens = if is_numbered { &tokens[2..] } else { &tokens[..] };
        let mut words = Words {
            words: Vec::new(),
            is_numbered,
            is_hole: matches!(tokens, [(TokenKind::Unknown, "%"), ..]),
            brackets: false,
            has_values: text.contains('{'),
            operands: Vec::new(),
        };
        let mut behind_dot = false;
        for (kind, word) in tokens {
            if *kind == TokenKind::Word && !behind_dot {
                words.words.push(*word);
            }
            behind_dot = *kind == TokenKind::Dot;
            words.brackets |= *kind == TokenKind::LeftBracket;
        }
        // A label names no register either.
        let label = tokens.iter().position(|(kind, _)| *kind == TokenKind::Colon);
        let tokens = &tokens[..label.unwrap_or(tokens.len())];
        // The first operand may stand in the opcode's place.
        let has_opcode = match tokens {
            [(TokenKind::Word, word), (TokenKind::LeftBracket, _), ..] => {
                vocabulary::file(word).is_none()
            }
            [(TokenKind::Word, _), ..] => true,
            _ => false,
        };
        let operands = &tokens[usize::from(has_opcode)..];
        if !operands.is_empty() {
            let operands = operands.split(|(kind, _)| *kind == TokenKind::Comma);
            words.operands = operands.map(|tokens| Operand::of(tokens, Is::Whole)).collect();
        }
        if let Some(last) = words.operands.last_mut() {
            let start = tokens.iter().rposition(|(kind, _)| *kind == TokenKind::Comma);
            let start = start.map_or(usize::from(has_opcode), |comma| comma + 1);
            *last = Operand::of(&tokens[start..], Is::Cut);
        }
        words
    }

    /// Tells whether a word beside the first one is an opcode that opens, closes or leaves a
    /// block.
    pub(super) fn steer(&self) -> bool {
        let mut opcodes = self.words.iter().skip(1).filter_map(|word| Opcode::find(word));
        opcodes.any(|opcode| opcode.row().control != Control::Next)
    }

    /// Tells whether a word beside the first ones is the name of a semantic.
    pub(super) fn has_semantic(&self) -> bool {
        self.words.iter().skip(2).any(|word| SemanticName::from_word(word).is_some())
    }

    /// The declaration that a statement with this first word may be.
    pub(super) fn declares(&self, first: &str) -> Declares {
        if let Some(file) = vocabulary::file(first) {
            return Declares::File(file);
        }
        let file = self.words.iter().skip(1).find_map(|word| vocabulary::file(word));
        match (close_matches(first, DECLARING).first(), file) {
            (Some(&"PROPERTY"), _) => Declares::Property,
            (Some(&"IMM"), _) => Declares::File(File::Immediate),
            (Some(_), Some(file)) => Declares::File(file),
            _ => Declares::Anything,
        }
    }

    /// The registers that a statement names, if it was written from the left; where it is not
    /// clear which an operand names, any of its files, and where an operand lacks, any at
    /// all: what stood there may have been wrong.
    pub(super) fn numbers(&self, op: Option<&OpInfo>) -> Numbers {
        let wanted = op.map_or(1, |op| op.destinations + op.sources);
        let mut seen = 0;
        let mut numbers = Numbers::default();
        // A comma too much, where no operand lacks.
        let registers = |it: &&Operand| if it.is_empty { 0 } else { it.registers };
        let is_enough = self.operands.iter().map(|it| registers(&it)).sum::<usize>() >= wanted;
        let is_too_much = |it: &&Operand| op.is_some() && is_enough && it.is_empty;
        for operand in self.operands.iter().filter(|it| !is_too_much(it)) {
            numbers.known.extend(&operand.numbers.known);
            // What follows the operands is not a register.
            if op.is_none() || seen < wanted {
                let is_written = op.filter(|op| seen < op.destinations && operand.is_empty);
                numbers.files |= is_written.map_or(operand.numbers.files, written_files);
            }
            seen += operand.registers;
        }
        if seen < wanted {
            numbers.files = u32::MAX;
        }
        numbers
    }

    /// The registers of the operands that an opcode writes.
    pub(super) fn destinations(&self, op: &OpInfo) -> Numbers {
        let mut numbers = self.first_numbers(op.destinations);
        if numbers.files == u32::MAX {
            numbers.files = written_files(op);
        }
        numbers
    }

    /// The registers of so many operands, or any where they are not there.
    fn first_numbers(&self, count: usize) -> Numbers {
        let mut numbers = Numbers::default();
        for place in 0..count {
            match self.operands.get(place).filter(|operand| !operand.is_empty) {
                Some(operand) => {
                    numbers.known.extend(&operand.numbers.known);
                    numbers.files |= operand.numbers.files;
                }
                None => numbers.files = u32::MAX,
            }
        }
        numbers
    }

    /// The registers that a statement without a known opcode may write: its first operand, which
    /// every opcode of two or more writes.
    pub(super) fn written(&self) -> Numbers {
        let mut numbers = self.first_numbers(1);
        if let ([first, _, ..], [named]) = (&self.operands[..], &mut numbers.known[..])
            && numbers.files == 0
        {
            named.written = first.components;
        }
        numbers
    }
}

/// The files of what an opcode may write, one bit each: a resource only where it stores.
fn written_files(op: &OpInfo) -> u32 {
    let files = File::ALL.iter().filter(|file| op.family == Family::Store || !file.is_name());
    files.fold(0, |all, file| all | 1 << *file as u32)
}

/// Tells whether more of an operand may have stood behind its last token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Whole,
    Cut,
}

/// The text between two commas.
pub(super) struct Operand {
    /// True if there is none.
    is_empty: bool,
    /// Set where it is a register of a known file.
    pub(super) is_register: bool,
    /// Set where its components are no mask, which is all that a declaration has.
    pub(super) is_swizzled: bool,
    /// The number of registers in it, or 1 where it is something else.
    registers: usize,
    /// The registers that it may name.
    numbers: Numbers,
    /// The components behind its bracket, in their order; all where none are there. `None` where
    /// they cannot be told.
    components: Option<WriteMask>,
}

impl Operand {
    fn of(tokens: &[(TokenKind, &str)], is: Is) -> Operand {
        let mut operand = Operand {
            is_empty: tokens.is_empty(),
            is_register: false,
            is_swizzled: is_swizzled(tokens),
            registers: 1,
            numbers: Numbers::default(),
            components: components(tokens).filter(|_| is == Is::Whole),
        };
        match tokens {
            [] => {
                operand.registers = 0;
                operand.numbers.files = u32::MAX;
            }
            [(_, word)] if is_no_register(word) => {}
            _ => operand.read(tokens, is),
        }
        operand.registers = operand.registers.max(1);
        operand
    }

    /// Reads the files and numbers of what may be one or more registers.
    fn read(&mut self, tokens: &[(TokenKind, &str)], is: Is) {
        let mut files = 0;
        let mut numbers: Vec<IndexRange> = Vec::new();
        // Set where a number cannot be told.
        let mut is_any = false;
        let (mut depth, mut before) = (0, None);
        self.registers = 0;
        for (place, (kind, word)) in tokens.iter().enumerate() {
            let is_last = place + 1 == tokens.len();
            match kind {
                TokenKind::LeftBracket => {
                    let file = place.checked_sub(1).and_then(|it| vocabulary::file(tokens[it].1));
                    self.is_register |= file.is_some();
                    let is_first = depth == 0 && before != Some(TokenKind::RightBracket);
                    self.registers += usize::from(is_first);
                    depth += 1;
                }
                TokenKind::RightBracket => {
                    is_any |= before == Some(TokenKind::LeftBracket);
                    depth -= 1;
                }
                TokenKind::Number => match word.parse() {
                    Ok(number) if is_last && is == Is::Cut => numbers.extend(begun(number)),
                    Ok(number) => numbers.push(IndexRange { first: number, last: number }),
                    // No register has such a number.
                    Err(_) => is_any = true,
                },
                // Components behind a bracket that was left out.
                TokenKind::Dot => {}
                TokenKind::Word if before == Some(TokenKind::Dot) => {}
                TokenKind::Word if depth > 0 && vocabulary::file(word).is_none() => {
                    match slipped(word) {
                        Some(meant) => numbers.extend(meant),
                        None => is_any = true,
                    }
                }
                TokenKind::Word => {
                    // The bracket behind a file may lack.
                    let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
                    files |= files_of(name, if is_last { is } else { Is::Whole });
                    // A number is added to that of the register.
                    is_any |= depth > 0;
                    if let Ok(number) = word[name.len()..].parse() {
                        numbers.push(IndexRange { first: number, last: number });
                    }
                }
                // What adds to a number, or is left of one.
                _ if depth > 0 => is_any = true,
                _ => {}
            }
            before = Some(*kind);
        }
        let files = if files == 0 { u32::MAX } else { files };
        if is_any || numbers.is_empty() {
            self.numbers.files = files;
        }
        self.numbers.known =
            numbers.into_iter().map(|range| Named { files, range, written: None }).collect();
    }
}

/// Tells whether a word that stands alone is something else than a register.
fn is_no_register(word: &str) -> bool {
    TextureTarget::from_word(word).is_some()
        || MemoryQualifier::from_word(word).is_some()
        || word.starts_with("PIPE_FORMAT_")
}

/// The components behind the last bracket of an operand.
fn components(tokens: &[(TokenKind, &str)]) -> Option<WriteMask> {
    match tokens {
        [.., (TokenKind::RightBracket, _)] => Some(WriteMask::ALL),
        [.., (TokenKind::RightBracket, _), (TokenKind::Dot, _), (TokenKind::Word, letters)] => {
            let all: Option<Vec<_>> = letters.chars().map(Component::from_letter).collect();
            let all = all.filter(|it| it.is_sorted_by(|a, b| a < b))?;
            Some(all.into_iter().collect())
        }
        _ => None,
    }
}

/// Tells whether the components behind the last bracket of an operand are in no order, or one is
/// there twice.
fn is_swizzled(tokens: &[(TokenKind, &str)]) -> bool {
    let [.., (TokenKind::RightBracket, _), (TokenKind::Dot, _), (TokenKind::Word, letters)] =
        tokens
    else {
        return false;
    };
    let all: Option<Vec<_>> = letters.chars().map(Component::from_letter).collect();
    all.is_some_and(|it| !it.is_sorted_by(|a, b| a < b))
}

/// The files that a word may stand for, one bit each; 0 for none that is known.
fn files_of(word: &str, is: Is) -> u32 {
    let bits = |files: Vec<File>| files.into_iter().fold(0, |all, file| all | 1 << file as u32);
    if let Some(file) = vocabulary::file(word).filter(|_| is == Is::Whole) {
        return 1 << file as u32;
    }
    let upper = word.to_ascii_uppercase();
    let all = File::ALL.iter().copied();
    if is == Is::Cut {
        return bits(all.filter(|file| file.word().starts_with(&upper)).collect());
    }
    let near = close_matches(&upper, File::ALL.iter().map(|file| file.word()));
    // A bracket between two of them may lack.
    let is_part = |word: &str| upper.starts_with(word) || upper.ends_with(word);
    bits(all.filter(|file| near.contains(&file.word()) || is_part(file.word())).collect())
}

/// The numbers that begin with the digits of one.
fn begun(number: u32) -> Vec<IndexRange> {
    let mut ranges = vec![IndexRange { first: number, last: number }];
    let mut width = 10;
    while number > 0 && number.saturating_mul(width) <= LAST_REGISTER {
        let first = number * width;
        ranges.push(IndexRange { first, last: first + width - 1 });
        width *= 10;
    }
    ranges
}

/// The numbers that a word of digits and one letter was meant as. A letter alone may be the name of
/// any number.
fn slipped(word: &str) -> Option<Vec<IndexRange>> {
    let letter = word.find(|it: char| !it.is_ascii_digit())?;
    let (before, behind) = (&word[..letter], word.get(letter + 1..)?);
    let others = || before.chars().chain(behind.chars());
    if others().next().is_none() || !others().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let numbers = ["", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let numbers = numbers.iter().filter_map(|digit| [before, digit, behind].concat().parse().ok());
    Some(numbers.map(|number| IndexRange { first: number, last: number }).collect())
}
