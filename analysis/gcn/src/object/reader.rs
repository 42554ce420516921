//! The instructions of a section, one behind the other, with their texts.
//!
//! Kernels repeat themselves: of 89,000 instructions of real ones 37 of 100 have words that are
//! not in the same file before. So what was read last is kept, and the same words are not read,
//! written and proven again.

use source::{TextRange, text_range};

use super::elf::{Mark, MarkKind};
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
    /// Up to three bytes behind the last whole word.
    Rest,
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

impl<'a> Data<'a> {
    /// Lists the data among the marks of a section.
    pub(super) fn among(marks: &'a [Mark]) -> Vec<Data<'a>> {
        let data = marks.iter().filter_map(|mark| match &mark.kind {
            MarkKind::Data(size, what) if mark.offset % 4 == 0 => {
                Some(Data { offset: mark.offset, size: *size, what })
            }
            _ => None,
        });
        data.collect()
    }

    /// Returns its bytes within a section, whole words but at the end.
    pub(super) fn within<'b>(&self, section: &'b [u8]) -> &'b [u8] {
        &section[self.offset..][..self.size.max(4).min(section.len() - self.offset)]
    }
}

/// Reads the things of a section in order, and writes the texts of its instructions one behind
/// the other.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    words: &'a [[u8; 4]],
    data: Vec<Data<'a>>,
    /// The number of data that were read.
    data_read: usize,
    /// The place in words of what comes next.
    at: usize,
    /// The place in words up to which there is code.
    code_end: usize,
    /// The words from the last instruction or word on.
    last: [u32; MAX_WORDS],
    /// Tells whether the bytes behind the last whole word were read.
    is_rest_read: bool,
    set: InstructionSet,
    pieces: Pieces,
    read: Read,
    text: String,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], data: Vec<Data<'a>>, set: InstructionSet) -> Reader<'a> {
        let (words, rest) = bytes.as_chunks();
        Reader {
            bytes,
            words,
            data,
            data_read: 0,
            at: 0,
            code_end: 0,
            last: [0; MAX_WORDS],
            is_rest_read: rest.is_empty(),
            set,
            pieces: Pieces::default(),
            read: Read::for_words(words.len()),
            text: String::new(),
        }
    }

    /// Reads what comes next.
    pub(super) fn next_item(&mut self) -> Option<CodeItem> {
        if self.at >= self.code_end {
            return self.beside_code();
        }
        let offset = self.at as u32 * 4;
        // An instruction does not reach into data.
        let (words, count) = first_words(&self.words[self.at..self.code_end]);
        self.last = words;
        let kind = self.item(&words[..count]);
        self.at += match kind {
            ItemKind::Instruction(line) | ItemKind::Inexact(line) => usize::from(line.words),
            ItemKind::Word | ItemKind::Data(_) | ItemKind::Rest => 1,
        };
        Some(CodeItem { offset, kind })
    }

    /// Reads what comes next where code that is known of has ended.
    #[cold]
    fn beside_code(&mut self) -> Option<CodeItem> {
        let offset = self.at * 4;
        while self.next_data().is_some_and(|data| data.offset < offset) {
            self.data_read += 1;
        }
        let data = self.next_data();
        if offset < self.bytes.len()
            && let Some(data) = data.filter(|data| data.offset == offset)
        {
            let own = data.within(self.bytes).len();
            let number = self.data_read as u32;
            self.data_read += 1;
            self.at += own.div_ceil(4);
            // The rest behind the last whole word may be data that is named.
            self.is_rest_read |= offset + own == self.bytes.len();
            return Some(CodeItem { offset: offset as u32, kind: ItemKind::Data(number) });
        }
        let whole = self.words.len();
        if self.at < whole {
            self.code_end = data.map_or(whole, |data| (data.offset / 4).min(whole));
            return self.next_item();
        }
        let is_read = std::mem::replace(&mut self.is_rest_read, true);
        (!is_read).then_some(CodeItem { offset: whole as u32 * 4, kind: ItemKind::Rest })
    }

    fn next_data(&self) -> Option<Data<'a>> {
        self.data.get(self.data_read).copied()
    }

    /// Returns data by its number, and its bytes.
    pub(super) fn data(&self, number: u32) -> (Data<'a>, &'a [u8]) {
        let data = self.data[number as usize];
        (data, data.within(self.bytes))
    }

    /// Returns so many words of the last instruction, or the last word.
    pub(super) fn last_words(&self, count: u8) -> &[u32] {
        &self.last[..count.into()]
    }

    /// Returns the bytes behind the last whole word.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.as_chunks::<4>().1
    }

    /// Returns the texts of all instructions that were read.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the same when all were read.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Writes the text of a jump again with a label as its target.
    pub(super) fn named_jump(&mut self, line: Line, label: &str) -> TextRange {
        let start = self.text.len();
        let distance = usize::from(line.text.end()) - usize::from(line.distance);
        self.text.extend_from_within(usize::from(line.text.start())..distance);
        self.text.push_str(label);
        text_range(start, self.text.len())
    }

    /// Gives back the memory of texts, where they are many; those that were read are no more.
    #[inline]
    pub(super) fn forget(&mut self) {
        if self.text.len() > MAX_TEXT {
            self.text.clear();
            self.read = Read::for_words(self.words.len());
        }
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

/// The most text that is kept where nobody needs it any more.
pub(super) const MAX_TEXT: usize = 4 << 20;

/// Returns the first of some words, those that are not there as 0, and how many there are.
fn first_words(words: &[[u8; 4]]) -> ([u32; MAX_WORDS], usize) {
    if let Some(first) = words.first_chunk() {
        return (first.map(u32::from_le_bytes), MAX_WORDS);
    }
    let mut first = [0; MAX_WORDS];
    for (first, word) in first.iter_mut().zip(words) {
        *first = u32::from_le_bytes(*word);
    }
    (first, words.len())
}

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
            ItemKind::Word | ItemKind::Data(_) | ItemKind::Rest => false,
        };
        (is_it && *kept == key).then_some(*kind)
    }

    fn keep(&mut self, words: &[u32], kind: ItemKind) {
        let (place, key) = self.place(words);
        self.kept[place] = (key, kind);
    }
}
