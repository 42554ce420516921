//! The instructions of a section, one behind the other, with their texts.
//!
//! Kernels repeat themselves: of 89,000 instructions of real ones 37 of 100 have words that are
//! not in the same file before. So what was read last is kept, and the same words are not read,
//! written and proven again.

use source::{TextRange, text_range};

use crate::encoding::shape;
use crate::instruction::form::SlotKind;
use crate::instruction::set::InstructionSet;
use crate::instruction::{
    Found, NoSymbols, Pieces, assemble_line, assembles_to, find_form, write_line,
};

/// A thing at an offset, before labels are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeItem {
    /// Bytes from the start of the section.
    pub(super) offset: u32,
    pub(super) kind: ItemKind,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ItemKind {
    Instruction(Line),
    /// An instruction whose text would assemble to other words.
    Inexact(Line),
    /// A word that is no instruction.
    Word,
    /// Bytes that are not code, by their number among the data of the section.
    Data(u32),
}

/// The text of an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) text: TextRange,
    /// The number of its words.
    pub(super) words: u8,
    /// The length of the distance at the end of its text; 0 where it does not jump.
    pub(super) distance: u8,
}

/// Bytes of a section that are not code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Data<'a> {
    /// Bytes from the start of the section, whole words.
    pub(super) offset: usize,
    pub(super) size: usize,
    /// A phrase that says what they are.
    pub(super) what: &'a str,
}

impl Data<'_> {
    /// Returns its bytes within a section, whole words but at the end.
    pub(super) fn within<'b>(&self, section: &'b [u8]) -> &'b [u8] {
        &section[self.offset..][..self.size.max(4).min(section.len() - self.offset)]
    }
}

/// Reads the instructions of a section, whose texts it writes one behind the other.
pub(super) struct Reader<'a> {
    words: &'a [u32],
    set: InstructionSet,
    pieces: Pieces,
    read: Read,
    text: String,
}

impl<'a> Reader<'a> {
    pub(super) fn new(words: &'a [u32], set: InstructionSet) -> Reader<'a> {
        let read = Read::for_words(words.len());
        Reader { words, set, pieces: Pieces::default(), read, text: String::new() }
    }

    /// Returns the things of a section in order, and the texts of its instructions.
    pub(super) fn items(mut self, bytes: &[u8], data: &[Data<'_>]) -> (Vec<CodeItem>, String) {
        let words = self.words;
        // Half of all instructions have two words.
        let mut items = Vec::with_capacity(words.len() * 2 / 3);
        let mut data = data.iter().zip(0..).peekable();
        let mut at = 0;
        while at * 4 < bytes.len() {
            let offset = at * 4;
            while data.next_if(|(data, _)| data.offset < offset).is_some() {}
            if let Some((data, number)) = data.next_if(|(data, _)| data.offset == offset) {
                items.push(CodeItem { offset: offset as u32, kind: ItemKind::Data(number) });
                at += data.within(bytes).len().div_ceil(4);
                continue;
            }
            if at >= words.len() {
                break;
            }
            // An instruction does not reach into data.
            let end =
                data.peek().map_or(words.len(), |(data, _)| (data.offset / 4).min(words.len()));
            let kind = self.item(&words[at..end.max(at)]);
            items.push(CodeItem { offset: offset as u32, kind });
            at += match kind {
                ItemKind::Instruction(line) | ItemKind::Inexact(line) => usize::from(line.words),
                ItemKind::Word | ItemKind::Data(_) => 1,
            };
        }
        (items, self.text)
    }

    /// Reads the instruction that words begin with.
    fn item(&mut self, words: &[u32]) -> ItemKind {
        let Ok(shape) = shape(words, self.set.target().generation()) else {
            return ItemKind::Word;
        };
        let own = &words[..shape.words.into()];
        if let Some(kind) = self.read.find(own) {
            return kind;
        }
        let Ok(found) = find_form(own, self.set, &mut self.pieces) else {
            return ItemKind::Word;
        };
        let kind = self.instruction(found, own);
        self.read.keep(own, kind);
        kind
    }

    /// An instruction, and whether its text gives back the words that it was found in.
    fn instruction(&mut self, found: Found, words: &[u32]) -> ItemKind {
        let start = self.text.len();
        write_line(&mut self.text, found.form, self.pieces.iter(), self.set);
        let line = |reader: &Self, distance| Line {
            text: text_range(start, reader.text.len()),
            words: words.len() as u8,
            distance,
        };
        if assembles_to(words, &found, self.set) {
            return ItemKind::Instruction(line(self, self.distance(found)));
        }
        let again = assemble_line(&self.text[start..], self.set, &NoSymbols);
        if again.as_ref().is_ok_and(|again| again.words() == words) {
            return ItemKind::Instruction(line(self, self.distance(found)));
        }
        // A literal that has an inline code is lost in the text unless it is marked.
        let is_short = again.is_ok_and(|again| again.words().len() < words.len());
        let Some(literal) = found.literal.filter(|_| is_short) else {
            // Bits that mean nothing are in no text.
            return ItemKind::Inexact(line(self, 0));
        };
        self.mark_literal(found, literal, start);
        match assemble_line(&self.text[start..], self.set, &NoSymbols) {
            Ok(again) if again.words() == words => ItemKind::Instruction(line(self, 0)),
            _ => ItemKind::Inexact(line(self, 0)),
        }
    }

    /// Writes the line that begins at `start` again with the literal as one, `lit(0x1)`, as LLVM
    /// 22 does where an inline constant would have its value.
    #[cold]
    fn mark_literal(&mut self, found: Found, literal: u32, start: usize) {
        let (plain, marked) = (format!("{literal:#x}"), format!("lit({literal:#x})"));
        let first = self.pieces.iter().find(|(_, piece)| *piece == plain).map(|(slot, _)| slot);
        let pieces = self.pieces.iter();
        let pieces =
            pieces.map(|(slot, piece)| (slot, if Some(slot) == first { &*marked } else { piece }));
        self.text.truncate(start);
        write_line(&mut self.text, found.form, pieces, self.set);
    }

    /// The length of the distance that a jump has at the end of its text.
    fn distance(&self, found: Found) -> u8 {
        let jumps = found.form.slots().last().is_some_and(|slot| slot.kind == SlotKind::Branch);
        let distance = self.pieces.iter().last().filter(|_| jumps);
        distance.map_or(0, |(_, distance)| distance.len() as u8)
    }
}

/// The most words of an instruction.
const MAX_WORDS: usize = 4;

/// Instructions that were read, the last one of each hash.
struct Read {
    kept: Vec<([u32; MAX_WORDS], ItemKind)>,
}

impl Read {
    /// The most that are kept: half a megabyte.
    const MOST: usize = 1 << 14;

    fn for_words(count: usize) -> Read {
        let size = count.clamp(1, Read::MOST).next_power_of_two();
        Read { kept: vec![([0; MAX_WORDS], ItemKind::Word); size] }
    }

    /// Returns the place of words in the table, and the words with those behind them as 0.
    fn place(&self, words: &[u32]) -> (usize, [u32; MAX_WORDS]) {
        let mut key = [0; MAX_WORDS];
        key[..words.len()].copy_from_slice(words);
        let [low, high, ..] = key.map(u64::from);
        let hash = (high << 32 | low).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The upper bits depend on all bits of both words.
        ((hash >> 40) as usize & (self.kept.len() - 1), key)
    }

    fn find(&self, words: &[u32]) -> Option<ItemKind> {
        let (place, key) = self.place(words);
        let (kept, kind) = &self.kept[place];
        let is_it = match kind {
            ItemKind::Instruction(line) | ItemKind::Inexact(line) => {
                usize::from(line.words) == words.len()
            }
            // Nothing was kept here yet.
            ItemKind::Word | ItemKind::Data(_) => false,
        };
        (is_it && *kept == key).then_some(*kind)
    }

    fn keep(&mut self, words: &[u32], kind: ItemKind) {
        let (place, key) = self.place(words);
        self.kept[place] = (key, kind);
    }
}
