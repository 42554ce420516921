//! The effect that a broken statement may have, told from its words.
//!
//! A word near one of the language is taken for it, and the numbers in a statement for those of
//! its registers. Whatever this leaves open counts as possible.

mod words;

use source::{TextRange, close_matches};

use super::Parser;
use super::stream::Gap;
use crate::Opcode;
use crate::ast::{
    Counts, Declares, IndexRange, Instruction, Named, Numbers, Register, Statement, StatementKind,
    Unread, WriteMask,
};
use crate::meant::placed;
use crate::opcodes::{Control, Family};
use crate::register_set::RegisterSet;
use crate::vocabulary;
use crate::words::File;
use words::Words;

/// The words that begin what stands before the instructions.
pub(super) const DECLARING: [&str; 3] = ["DCL", "IMM", "PROPERTY"];

/// The most broken statements whose effect is told; behind them is anything.
const MOST: usize = 256;

impl Parser<'_> {
    /// Notes the effect of the broken statement that was read last.
    pub(super) fn note_unread(&mut self, range: TextRange, kind: &StatementKind) {
        match self.unread.len() {
            ..MOST => {
                let effect = self.effect(range, kind);
                self.unread.push(effect);
            }
            MOST => self.unread.push(Unread::anything(range)),
            _ => {}
        }
    }

    fn effect(&mut self, range: TextRange, kind: &StatementKind) -> Unread {
        let text = &self.stream.text[range];
        // Others have begun on the next lines.
        if text.contains('\n') {
            return Unread::anything(range);
        }
        if self.is_last_of_line() {
            self.rewrite(range);
        }
        // What follows on the line may belong to it.
        let mut readings = match self.is_last_of_line() {
            true => self.readings(range),
            false => Vec::new(),
        };
        self.keep_declared(&mut readings);
        if readings.len() > 1 {
            return of_readings(range, kind, &readings);
        }
        let meant = readings.pop().map(|kind| Box::new(placed(kind, range)));
        Unread { meant, ..self.effect_of_words(range, kind, text) }
    }

    /// The effect of a statement that is like no other.
    fn effect_of_words(&self, range: TextRange, kind: &StatementKind, text: &str) -> Unread {
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
        let first = words.words.first().copied().unwrap_or_default();
        // The rest of the line was read for itself, so nothing is lost but signs and numbers. The
        // number before an unknown word is that of the instruction behind it.
        let is_nothing = words.is_hole || Meant::by(first).nothing();
        let is_foreign = words.is_numbered && words.words.len() == 1 && is_nothing;
        let is_too_much = words.words.is_empty() || is_foreign;
        if is_too_much && !words.brackets && !self.is_last_of_line() {
            return Unread { range, ..Unread::default() };
        }
        // Before a register the word is missing.
        let file = vocabulary::file(first);
        let meant = Meant::by(if file.is_some() { "" } else { first });
        // No declaration has a number, or two registers.
        let is_long = words.is_numbered || words.operands.iter().skip(1).any(|it| it.is_register);
        let is_like_one = words.operands.len() == 1 || words.has_semantic() || words.has_values;
        let is_swizzled = words.operands.iter().any(|it| it.is_swizzled);
        let is_like_one = (self.ordinal == 0 || file.is_some() || is_like_one) && !is_swizzled;
        let may_begin = is_like_one && !is_long;
        let may_declare = meant.declaration || meant.nothing() && may_begin;
        if meant.declaration && !meant.instruction() {
            return Unread {
                range,
                declares: Some(words.declares(first)),
                steers: words.steer(),
                ..Unread::default()
            };
        }
        // A misspelt opcode with operands or a number is one instruction, where its line has
        // nothing else.
        let operands = words.operands.len() > 1 && words.brackets && !words.steer();
        let is_one = (operands && !may_declare || words.is_numbered) && self.is_last_of_line();
        // No opcode that opens, closes or leaves a block has two operands.
        let steers = words.operands.len() < 2 && (meant.steering || meant.nothing());
        // Of two operands the first one is written, whatever the word is.
        let writes = meant.writing || meant.nothing() || words.operands.len() > 1;
        Unread {
            range,
            declares: may_declare.then(|| words.declares(first)),
            counts: if is_one { Counts::One } else { Counts::Perhaps },
            steers: steers || words.steer(),
            reads: words.numbers(None),
            writes: match writes {
                true => words.written(),
                false => Numbers::default(),
            },
            fetches: meant.fetching || meant.nothing(),
            meant: None,
        }
    }

    /// Keeps those of several readings that name declared registers alone, if there are such: of
    /// two mistakes one would be enough for the text.
    fn keep_declared(&mut self, readings: &mut Vec<StatementKind>) {
        // A broken declaration may be that of any.
        let is_known = |unread: &Unread| unread.declares.is_none() || unread.meant.is_some();
        if readings.len() < 2 || !self.unread.iter().all(is_known) {
            return;
        }
        self.declared.add_those_of(&self.statements);
        let declared = &self.declared;
        let has_all = |reading: &StatementKind| match reading {
            StatementKind::Instruction(instruction) => {
                instruction.registers().all(|register| declared.has(register))
            }
            _ => true,
        };
        if readings.iter().any(has_all) {
            readings.retain(has_all);
        }
    }
}

/// The registers that the statements read so far declare.
#[derive(Default)]
pub(super) struct Declared {
    numbers: [RegisterSet; File::ALL.len()],
    /// The statements that are looked through.
    statements: usize,
}

impl Declared {
    /// Takes the declarations of the statements that are new.
    fn add_those_of(&mut self, statements: &[Statement]) {
        for statement in &statements[self.statements.min(statements.len())..] {
            if let StatementKind::Declaration(declaration) = &statement.kind {
                let file = declaration.file.value;
                self.numbers[file as usize].insert(declaration.range.value);
            }
        }
        self.statements = statements.len();
    }

    /// Tells whether a register of a plain file is declared; others have declarations of their
    /// own kind.
    fn has(&self, register: &Register) -> bool {
        let is_plain = matches!(register.file, File::Temporary | File::Address | File::Sampler)
            || matches!(register.file, File::Output | File::Input if register.dimension.is_none());
        let number = register.number().filter(|_| is_plain);
        number.is_none_or(|it| self.numbers[register.file as usize].contains(it))
    }
}

/// The effect of a statement that is one of some.
fn of_readings(range: TextRange, kind: &StatementKind, readings: &[StatementKind]) -> Unread {
    let mut unread = Unread { range, ..Unread::default() };
    let mut instructions = 0;
    let mut first: Option<Vec<Named>> = None;
    let mut are_alike = true;
    for reading in readings {
        let declares = match reading {
            StatementKind::Declaration(declaration) => Declares::File(declaration.file.value),
            StatementKind::Immediate(_) => Declares::File(File::Immediate),
            StatementKind::Property(_) => Declares::Property,
            StatementKind::Instruction(instruction) => {
                instructions += 1;
                unread.steers |= instruction.info().control != Control::Next;
                unread.fetches |= instruction.info().family == Family::Framebuffer;
                instruction.registers().for_each(|it| unread.reads.register(it, None));
                let mut writes = Numbers::default();
                for destination in &instruction.destinations {
                    writes.register(&destination.register, Some(destination.mask));
                }
                unread.writes.files |= writes.files;
                are_alike &= first.as_ref().is_none_or(|first| *first == writes.known);
                unread.writes.known.extend(&writes.known);
                first.get_or_insert(writes.known);
                continue;
            }
            StatementKind::Unknown => continue,
        };
        let is_same = unread.declares.is_none_or(|known| known == declares);
        unread.declares = Some(if is_same { declares } else { Declares::Anything });
    }
    if are_alike && instructions == readings.len() {
        unread.writes.known = first.unwrap_or_default();
    } else {
        unread.writes.known.iter_mut().for_each(|it| it.written = None);
    }
    unread.counts = match kind {
        StatementKind::Instruction(_) => Counts::None,
        _ if instructions == readings.len() => Counts::One,
        _ if instructions > 0 => Counts::Perhaps,
        _ => Counts::None,
    };
    // What it wrote is there already, whichever it was.
    if matches!(kind, StatementKind::Instruction(it) if !it.destinations.is_empty()) && are_alike {
        unread.writes = Numbers::default();
    }
    unread
}

impl Numbers {
    /// Takes a register, and those that compute its number.
    fn register(&mut self, register: &Register, written: Option<WriteMask>) {
        let file = 1 << register.file as u32;
        match register.number() {
            Some(number) => {
                let range = IndexRange { first: number, last: number };
                self.known.push(Named { files: file, range, written });
            }
            None => self.files |= file,
        }
        for indirect in register.indirects() {
            let range = IndexRange { first: indirect.index, last: indirect.index };
            let files = 1 << indirect.file as u32;
            // It is only read.
            if written.is_none() {
                self.known.push(Named { files, range, written: None });
            }
        }
    }
}

/// An instruction whose opcode is known, and perhaps some of its operands.
fn of_instruction(range: TextRange, words: &Words<'_>, instruction: &Instruction) -> Unread {
    let row = instruction.info();
    let written = instruction.destinations.len() == row.destinations;
    let writes = match written {
        // What follows it is only read; the last thing in a text may lack components.
        true if words.operands.len() > row.destinations => Numbers::default(),
        _ => words.destinations(row),
    };
    Unread {
        range,
        // Behind `END` the rest of a longer word may follow.
        steers: words.steer() || row.opcode == Opcode::END,
        fetches: row.family == Family::Framebuffer,
        reads: words.numbers(Some(row)),
        writes,
        ..Unread::default()
    }
}

/// The words that a misspelt one is near to, or the beginning of.
#[derive(Default)]
struct Meant {
    declaration: bool,
    steering: bool,
    other: bool,
    /// Set where one of them has a destination.
    writing: bool,
    /// Set where one of them reads the frame buffer.
    fetching: bool,
}

impl Meant {
    fn by(word: &str) -> Meant {
        let upper = word.to_ascii_uppercase();
        let base = upper.find("_SAT").or_else(|| upper.find("_PRECISE"));
        let base = base.map_or(upper.as_str(), |end| &upper[..end]);
        let near = |candidate: &str| {
            candidate.starts_with(base) || !close_matches(base, [candidate]).is_empty()
        };
        let mut meant = Meant::default();
        if base.is_empty() {
            return meant;
        }
        meant.declaration = DECLARING.into_iter().any(near);
        if DECLARING.contains(&base) {
            return meant;
        }
        for opcode in Opcode::all().filter(|opcode| near(opcode.mnemonic())) {
            let row = opcode.row();
            meant.writing |= row.destinations > 0;
            meant.fetching |= row.family == Family::Framebuffer;
            match row.control {
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
