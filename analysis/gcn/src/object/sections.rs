//! The lines of a section: instructions and data in order, labels where something jumps to.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use source::{TextRange, text_range};

use super::elf::{Mark, MarkKind};
use super::listing::{ListingLine, Section};
use crate::instruction::form::SlotKind;
use crate::instruction::set::InstructionSet;
use crate::instruction::{
    Found, NoSymbols, Pieces, assemble_line, assembles_to, find_form, write_line,
};

/// A thing at an offset, before labels are known.
#[derive(Clone, Copy)]
enum CodeItem<'a> {
    Instruction { words: usize, text: TextRange, jump: Option<Jump> },
    Inexact { words: usize, text: TextRange },
    Word,
    Data { bytes: usize, what: &'a str },
}

/// A jump within a section.
#[derive(Debug, Clone, Copy)]
struct Jump {
    /// The offset of the place.
    to: usize,
    /// The distance, in the instruction's text.
    distance: TextRange,
}

impl CodeItem<'_> {
    /// The bytes that it takes.
    fn size(&self) -> usize {
        match self {
            CodeItem::Instruction { words, .. } | CodeItem::Inexact { words, .. } => words * 4,
            CodeItem::Word => 4,
            CodeItem::Data { bytes, .. } => *bytes,
        }
    }
}

/// Splits bytes into whole words and what is behind them.
pub(super) fn words_and_rest(bytes: &[u8]) -> (Vec<u32>, &[u8]) {
    let (words, rest) = bytes.as_chunks::<4>();
    (words.iter().map(|word| u32::from_le_bytes(*word)).collect(), rest)
}

/// The lines of code whose marks are in order.
pub(super) fn section(name: &str, bytes: &[u8], marks: &[Mark], set: InstructionSet) -> Section {
    let (words, rest) = words_and_rest(bytes);
    let data: Vec<(usize, usize, &str)> = marks
        .iter()
        .filter_map(|mark| match &mark.kind {
            MarkKind::Data(size, what) if mark.offset % 4 == 0 => {
                Some((mark.offset, *size, &**what))
            }
            _ => None,
        })
        .collect();
    let mut reader = Reader { words: &words, set, pieces: Pieces::default(), text: String::new() };
    let items = reader.items(&data, bytes.len());
    let mut text = reader.text;
    let jumps = items.iter().filter_map(|(_, item)| match item {
        CodeItem::Instruction { jump, .. } => jump.map(|jump| jump.to),
        CodeItem::Inexact { .. } | CodeItem::Word | CodeItem::Data { .. } => None,
    });
    let is_place = |it: &usize| {
        items.binary_search_by_key(it, |(offset, _)| *offset).is_ok() || *it == words.len() * 4
    };
    let labels: BTreeSet<usize> = jumps.filter(is_place).collect();
    let mut names = marks.iter().filter_map(|mark| match &mark.kind {
        MarkKind::Name(name, about) => Some((mark.offset, name, about)),
        MarkKind::Data(..) | MarkKind::Relocation(_) => None,
    });
    let mut relocations = marks
        .iter()
        .filter_map(|mark| match &mark.kind {
            MarkKind::Relocation(what) => Some((mark.offset, what)),
            MarkKind::Name(..) | MarkKind::Data(..) => None,
        })
        .peekable();
    let mut next = names.next();
    let mut known = FxHashSet::default();
    let mut lines = Vec::with_capacity(items.len() + labels.len());
    let mut place = |offset: usize, lines: &mut Vec<ListingLine>| {
        while let Some((at, name, about)) = next.filter(|(at, ..)| *at <= offset) {
            // A name inside an instruction cannot be written, nor one of two places.
            if at == offset && !is_label(name, &labels) && known.insert(name.as_str()) {
                lines.extend(about.iter().cloned().map(ListingLine::Directive));
                lines.push(ListingLine::Label(name.clone()));
            }
            next = names.next();
        }
        if labels.contains(&offset) {
            lines.push(ListingLine::Label(label(offset)));
        }
    };
    // The rest behind the last whole word may be data that is named.
    let mut is_read = rest.is_empty();
    for (offset, item) in items {
        place(offset, &mut lines);
        let end = offset + item.size();
        lines.push(match item {
            CodeItem::Instruction { words, text: plain, jump } => {
                let jump = jump.filter(|jump| labels.contains(&jump.to));
                let jump = jump.map(|jump| named_jump(&mut text, plain, jump));
                ListingLine::Instruction { offset, words, text: plain, jump }
            }
            CodeItem::Inexact { words, text } => ListingLine::Inexact { offset, words, text },
            CodeItem::Word => ListingLine::Word { offset, word: words[offset / 4] },
            CodeItem::Data { bytes: size, what } => {
                is_read |= offset + size == bytes.len();
                let bytes = bytes[offset..offset + size].to_vec();
                ListingLine::Data { offset, bytes, what: what.to_owned() }
            }
        });
        while let Some((offset, what)) = relocations.next_if(|(at, _)| *at < end) {
            lines.push(ListingLine::Relocation { offset, what: what.clone() });
        }
    }
    place(words.len() * 4, &mut lines);
    if !is_read {
        lines.push(ListingLine::Rest { offset: words.len() * 4, bytes: rest.to_vec() });
    }
    Section { name: name.to_owned(), lines, words, text }
}

/// Reads the instructions of a section, whose texts it writes one behind the other.
struct Reader<'a> {
    words: &'a [u32],
    set: InstructionSet,
    pieces: Pieces,
    text: String,
}

impl Reader<'_> {
    fn items<'d>(
        &mut self,
        data: &[(usize, usize, &'d str)],
        length: usize,
    ) -> Vec<(usize, CodeItem<'d>)> {
        let words = self.words;
        let mut items = Vec::with_capacity(words.len());
        let mut data = data.iter().peekable();
        let mut at = 0;
        while at * 4 < length {
            let offset = at * 4;
            while data.next_if(|(start, ..)| *start < offset).is_some() {}
            if let Some((_, size, what)) = data.next_if(|(start, ..)| *start == offset) {
                let bytes = (*size).max(4).min(length - offset);
                items.push((offset, CodeItem::Data { bytes, what }));
                at += bytes.div_ceil(4);
                continue;
            }
            if at >= words.len() {
                break;
            }
            // An instruction does not reach into data.
            let end = data.peek().map_or(words.len(), |(start, ..)| (start / 4).min(words.len()));
            let rest = &words[at..end.max(at)];
            let item = match find_form(rest, self.set, &mut self.pieces) {
                Ok(found) => self.instruction(found, rest, offset),
                Err(_) => CodeItem::Word,
            };
            items.push((offset, item));
            at += item.size() / 4;
        }
        items
    }

    /// An instruction, and whether its text gives back the words that it was found in.
    fn instruction<'d>(&mut self, found: Found, words: &[u32], offset: usize) -> CodeItem<'d> {
        let count = found.words;
        let is_exact = |again: &[u32]| again == &words[..count];
        let start = self.text.len();
        write_line(&mut self.text, found.form, self.pieces.iter(), self.set);
        let text = text_range(start, self.text.len());
        if assembles_to(&words[..count], &found, self.set) {
            return CodeItem::Instruction { words: count, text, jump: self.jump(found, offset) };
        }
        let again = assemble_line(&self.text[start..], self.set, &NoSymbols);
        if again.as_ref().is_ok_and(|again| is_exact(again.words())) {
            return CodeItem::Instruction { words: count, text, jump: self.jump(found, offset) };
        }
        // A literal that has an inline code is lost in the text unless it is marked.
        let is_short = again.is_ok_and(|again| again.words().len() < count);
        let Some(literal) = found.literal.filter(|_| is_short) else {
            // Bits that mean nothing are in no text.
            return CodeItem::Inexact { words: count, text };
        };
        let text = self.mark_literal(found, literal, start);
        match assemble_line(&self.text[start..], self.set, &NoSymbols) {
            Ok(again) if is_exact(again.words()) => {
                CodeItem::Instruction { words: count, text, jump: None }
            }
            _ => CodeItem::Inexact { words: count, text },
        }
    }

    /// Writes the line that begins at `start` again with the literal as one, `lit(0x1)`, as LLVM
    /// 22 does where an inline constant would have its value.
    #[cold]
    fn mark_literal(&mut self, found: Found, literal: u32, start: usize) -> TextRange {
        let (plain, marked) = (format!("{literal:#x}"), format!("lit({literal:#x})"));
        let first = self.pieces.iter().find(|(_, piece)| *piece == plain).map(|(slot, _)| slot);
        let pieces = self.pieces.iter();
        let pieces =
            pieces.map(|(slot, piece)| (slot, if Some(slot) == first { &*marked } else { piece }));
        self.text.truncate(start);
        write_line(&mut self.text, found.form, pieces, self.set);
        text_range(start, self.text.len())
    }

    /// The place that an instruction jumps to, within the section. Its distance is the end of
    /// its text.
    fn jump(&self, found: Found, offset: usize) -> Option<Jump> {
        let slot = found.form.slots().last().filter(|slot| slot.kind == SlotKind::Branch)?;
        let (_, distance) = self.pieces.iter().last()?;
        let words = (found.bits >> slot.low) as u16 as i16;
        let to = offset as i64 + found.words as i64 * 4 + i64::from(words) * 4;
        let end = self.text.len();
        let distance = text_range(end - distance.len(), end);
        Some(Jump { to: usize::try_from(to).ok()?, distance })
    }
}

/// Writes the text of a jump again with a label as its target.
fn named_jump(text: &mut String, plain: TextRange, jump: Jump) -> TextRange {
    let start = text.len();
    text.extend_from_within(usize::from(plain.start())..usize::from(jump.distance.start()));
    text.push_str(&label(jump.to));
    text_range(start, text.len())
}

fn label(offset: usize) -> String {
    format!("L_{offset:04x}")
}

/// Tells whether a name is that of one of the labels.
fn is_label(name: &str, labels: &BTreeSet<usize>) -> bool {
    let digits = name.strip_prefix("L_").and_then(|digits| usize::from_str_radix(digits, 16).ok());
    digits.is_some_and(|offset| labels.contains(&offset) && label(offset) == name)
}
