//! The effect that a broken statement may have, told from its words.
//!
//! A word near one of the language is taken for it, and the numbers in a statement for those of
//! its registers. Whatever this leaves open counts as possible.

use source::{TextRange, close_matches};

use super::Parser;
use super::stream::Gap;
use crate::Opcode;
use crate::ast::{Counts, Declares, Instruction, Numbers, StatementKind, Unread};
use crate::lexer::{Lexer, TokenKind};
use crate::opcodes::{Control, OpInfo};
use crate::vocabulary;
use crate::words::{File, MemoryQualifier, TextureTarget};

/// The words that begin what stands before the instructions.
const DECLARING: [&str; 3] = ["DCL", "IMM", "PROPERTY"];

/// The most broken statements whose effect is told; behind them is anything.
const MOST: usize = 256;

impl Parser<'_> {
    /// Notes the effect of the broken statement that was read last.
    pub(super) fn note_unread(&mut self, range: TextRange, kind: &StatementKind) {
        match self.unread.len() {
            ..MOST => self.unread.push(self.effect(range, kind)),
            MOST => self.unread.push(Unread::anything(range)),
            _ => {}
        }
    }

    fn effect(&self, range: TextRange, kind: &StatementKind) -> Unread {
        let text = &self.stream.text[range];
        // Others have begun on the next lines.
        if text.contains('\n') {
            return Unread::anything(range);
        }
        let words = Words::of(text);
        match kind {
            StatementKind::Declaration(declaration) => {
                let declares = Some(Declares::File(declaration.file.value));
                Unread { range, declares, steers: words.steer(), ..Unread::default() }
            }
            StatementKind::Immediate(_) => {
                let declares = Some(Declares::File(File::Immediate));
                Unread { range, declares, steers: words.steer(), ..Unread::default() }
            }
            StatementKind::Property(_) => {
                let declares = Some(Declares::Property);
                Unread { range, declares, steers: words.steer(), ..Unread::default() }
            }
            StatementKind::Instruction(instruction) => {
                // Beside another statement the opcode may be too much, or before an immediate.
                let immediate = text.contains('{');
                let counts = match immediate || !self.is_last_of_line() {
                    true => Counts::Perhaps,
                    false => Counts::None,
                };
                let declares = immediate.then_some(Declares::File(File::Immediate));
                Unread { declares, counts, ..of_instruction(range, &words, instruction) }
            }
            StatementKind::Unknown => self.of_unknown(range, &words),
        }
    }

    fn is_last_of_line(&self) -> bool {
        self.stream.peek().is_none_or(|next| next.gap == Gap::Line)
    }

    fn of_unknown(&self, range: TextRange, words: &Words<'_>) -> Unread {
        // The rest of the line was read for itself, so nothing is lost but signs and numbers.
        if words.words.is_empty() && !words.brackets && !self.is_last_of_line() {
            return Unread { range, ..Unread::default() };
        }
        let first = words.words.first().copied().unwrap_or_default();
        // Before a register the word is missing.
        let file = vocabulary::file(first);
        let meant = Meant::by(if file.is_some() { "" } else { first });
        let may_begin = self.ordinal == 0 || file.is_some();
        let may_declare = meant.declaration || meant.nothing() && may_begin;
        if meant.declaration && !meant.instruction() {
            return Unread {
                range,
                declares: Some(words.declares(first)),
                steers: words.steer(),
                ..Unread::default()
            };
        }
        // A misspelt opcode with operands is one instruction, where its line has nothing else.
        let operands = words.operands.len() > 1 && words.brackets && !words.steer();
        let is_one = operands && !may_declare && file.is_none() && self.is_last_of_line();
        // No opcode that opens, closes or leaves a block has two operands.
        let steers = words.operands.len() < 2 && (meant.steering || meant.nothing());
        Unread {
            range,
            declares: may_declare.then(|| words.declares(first)),
            counts: if is_one { Counts::One } else { Counts::Perhaps },
            steers: steers || words.steer(),
            reads: words.numbers(None),
            writes: words.numbers(None),
        }
    }
}

/// An instruction whose opcode is known, and perhaps some of its operands.
fn of_instruction(range: TextRange, words: &Words<'_>, instruction: &Instruction) -> Unread {
    let row = instruction.info();
    let written = instruction.destinations.len() == row.destinations;
    let named = words.numbers(Some(row));
    let writes = match written {
        true if words.operands.len() > row.destinations => Numbers::default(),
        // The last thing in it may lack components.
        true if words.operands.iter().all(|it| it.numbers.is_some()) => {
            // A temporary that it reads too early may be told in the place of later reads.
            let files = named.files & 1 << File::Temporary as u32;
            Numbers { known: named.known.clone(), files }
        }
        _ => named.clone(),
    };
    Unread {
        range,
        // Behind `END` the rest of a longer word may follow.
        steers: words.steer() || row.opcode == Opcode::END,
        reads: named,
        writes,
        ..Unread::default()
    }
}

/// The words that a misspelt one is near to, or the beginning of.
struct Meant {
    declaration: bool,
    steering: bool,
    other: bool,
}

impl Meant {
    fn by(word: &str) -> Meant {
        let upper = word.to_ascii_uppercase();
        let base = upper.find("_SAT").or_else(|| upper.find("_PRECISE"));
        let base = base.map_or(upper.as_str(), |end| &upper[..end]);
        let near = |candidate: &str| {
            candidate.starts_with(base) || !close_matches(base, [candidate]).is_empty()
        };
        let mut meant = Meant { declaration: false, steering: false, other: false };
        if base.is_empty() {
            return meant;
        }
        meant.declaration = DECLARING.into_iter().any(near);
        if DECLARING.contains(&base) {
            return meant;
        }
        for opcode in Opcode::all().filter(|opcode| near(opcode.mnemonic())) {
            match opcode.row().control {
                Control::Next => meant.other = true,
                _ => meant.steering = true,
            }
        }
        meant
    }

    fn instruction(&self) -> bool {
        self.steering || self.other
    }

    fn nothing(&self) -> bool {
        !self.declaration && !self.instruction()
    }
}

/// The words and numbers of a statement.
struct Words<'a> {
    /// All words but those in brackets and behind dots, in order.
    words: Vec<&'a str>,
    brackets: bool,
    operands: Vec<Operand>,
}

/// The text between two commas.
struct Operand {
    /// True if there is none.
    is_empty: bool,
    /// The number of registers in it, or 1 where it is something else.
    registers: usize,
    /// The numbers in it; `None` where any may be meant.
    numbers: Option<Vec<u32>>,
    /// The files in it, one bit each; `None` where any may be meant.
    files: Option<u32>,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Words<'a> {
        let tokens: Vec<(TokenKind, &str)> = Lexer::new(text)
            .filter(|(kind, _)| !kind.is_trivia())
            .map(|(kind, range)| (kind, &text[range]))
            .collect();
        // The number of the instruction names no register.
        let numbered = matches!(tokens[..], [(TokenKind::Number, _), (TokenKind::Colon, _), ..]);
        let tokens = if numbered { &tokens[2..] } else { &tokens[..] };
        let mut words = Words { words: Vec::new(), brackets: false, operands: Vec::new() };
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
        let has_opcode = tokens.first().is_some_and(|(kind, _)| *kind == TokenKind::Word);
        let operands = &tokens[usize::from(has_opcode)..];
        if !operands.is_empty() {
            let operands = operands.split(|(kind, _)| *kind == TokenKind::Comma);
            words.operands = operands.map(Operand::of).collect();
        }
        // At its end a number may lack digits.
        if let ([.., (TokenKind::Number, _)], Some(last)) = (tokens, words.operands.last_mut()) {
            last.numbers = None;
        }
        words
    }

    /// Tells whether a word beside the first one is an opcode that opens, closes or leaves a
    /// block.
    fn steer(&self) -> bool {
        let mut opcodes = self.words.iter().skip(1).filter_map(|word| Opcode::find(word));
        opcodes.any(|opcode| opcode.row().control != Control::Next)
    }

    /// The declaration that a statement with this first word may be.
    fn declares(&self, first: &str) -> Declares {
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
    fn numbers(&self, op: Option<&OpInfo>) -> Numbers {
        let wanted = op.map_or(1, |op| op.destinations + op.sources);
        let mut seen = 0;
        let mut numbers = Numbers::default();
        // A comma too much, where no operand lacks.
        let registers = |it: &&Operand| if it.is_empty { 0 } else { it.registers };
        let is_enough = self.operands.iter().map(|it| registers(&it)).sum::<usize>() >= wanted;
        let is_too_much = |it: &&Operand| op.is_some() && is_enough && it.is_empty;
        for operand in self.operands.iter().filter(|it| !is_too_much(it)) {
            match &operand.numbers {
                Some(named) => numbers.known.extend(named),
                // What follows the operands is not a register.
                None if op.is_some() && seen >= wanted => {}
                None => numbers.files |= operand.files.unwrap_or(u32::MAX),
            }
            seen += operand.registers;
        }
        if seen < wanted {
            numbers.files = u32::MAX;
        }
        numbers
    }
}

impl Operand {
    fn of(tokens: &[(TokenKind, &str)]) -> Operand {
        if let [(_, word)] = tokens {
            let known = TextureTarget::from_word(word).is_some()
                || MemoryQualifier::from_word(word).is_some()
                || word.starts_with("PIPE_FORMAT_");
            let numbers = known.then(Vec::new);
            return Operand { is_empty: false, registers: 1, numbers, files: None };
        }
        let numbers = Some(Vec::new());
        let is_empty = tokens.is_empty();
        let mut operand = Operand { is_empty, registers: 0, numbers, files: Some(0) };
        let (mut depth, mut before) = (0, None);
        for (kind, word) in tokens {
            if *kind == TokenKind::Word && before != Some(TokenKind::Dot) {
                // The bracket behind a file may lack.
                let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
                let file = vocabulary::file(name).map(|file| 1 << file as u32);
                if let (Some(_), Ok(number)) = (file, word[name.len()..].parse()) {
                    operand.numbers.iter_mut().for_each(|it| it.push(number));
                }
                // A letter in the place of a number is not a file.
                let file = file.or((depth > 0 && word.len() == 1).then_some(0));
                operand.files = operand.files.zip(file).map(|(files, file)| files | file);
            }
            match kind {
                TokenKind::LeftBracket => {
                    operand.registers +=
                        usize::from(depth == 0 && before != Some(TokenKind::RightBracket));
                    depth += 1;
                }
                TokenKind::RightBracket => depth -= 1,
                TokenKind::Number => match word.parse() {
                    Ok(number) => operand.numbers.iter_mut().for_each(|it| it.push(number)),
                    // No register has such a number.
                    Err(_) => operand.numbers = None,
                },
                // Components behind a bracket that was left out.
                TokenKind::Dot => {}
                TokenKind::Word if before == Some(TokenKind::Dot) => {}
                // A register that is added to the number, or what is left of one.
                _ if depth > 0 => operand.numbers = None,
                _ => {}
            }
            before = Some(*kind);
        }
        operand.registers = operand.registers.max(1);
        operand.files = operand.files.filter(|files| *files != 0);
        operand.numbers = operand.numbers.filter(|numbers| !numbers.is_empty());
        operand
    }
}
