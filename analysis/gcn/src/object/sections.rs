//! The lines of a section: instructions told from data, and labels where something jumps to.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::elf::{Mark, MarkKind};
use super::listing::{ListingLine, Section, words_and_rest};
use crate::instruction::form::SlotKind;
use crate::instruction::set::InstructionSet;
use crate::instruction::{Assembled, LineError, NoSymbols, Recognised, assemble_line, recognise};

/// A thing at an offset, before labels are known.
enum CodeItem {
    Instruction { found: Recognised, text: String, jump: Option<usize> },
    Inexact { words: usize, text: String },
    Word,
    Data { bytes: usize, what: String },
}

impl CodeItem {
    /// The bytes that it takes.
    fn size(&self) -> usize {
        match self {
            CodeItem::Instruction { found, .. } => found.words * 4,
            CodeItem::Inexact { words, .. } => words * 4,
            CodeItem::Word => 4,
            CodeItem::Data { bytes, .. } => *bytes,
        }
    }
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
    let items = items(&words, &data, bytes.len(), set);
    let starts: BTreeSet<usize> = items.iter().map(|(offset, _)| *offset).collect();
    let jumps = items.iter().filter_map(|(_, item)| match item {
        CodeItem::Instruction { jump, .. } => *jump,
        CodeItem::Inexact { .. } | CodeItem::Word | CodeItem::Data { .. } => None,
    });
    let is_place = |it: &usize| starts.contains(it) || *it == words.len() * 4;
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
        let own = |count: usize| words[offset / 4..offset / 4 + count].to_vec();
        let end = offset + item.size();
        lines.push(match item {
            CodeItem::Instruction { mut found, text, jump } => ListingLine::Instruction {
                offset,
                words: own(found.words),
                text,
                jump: jump.filter(|target| labels.contains(target)).map(|target| {
                    name_jump(&mut found, label(target));
                    found.text(set)
                }),
            },
            CodeItem::Inexact { words, text } => {
                ListingLine::Inexact { offset, words: own(words), text }
            }
            CodeItem::Word => ListingLine::Word { offset, word: words[offset / 4] },
            CodeItem::Data { bytes: size, what } => {
                is_read |= offset + size == bytes.len();
                ListingLine::Data { offset, bytes: bytes[offset..offset + size].to_vec(), what }
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
    Section { name: name.to_owned(), lines }
}

fn items(
    words: &[u32],
    data: &[(usize, usize, &str)],
    length: usize,
    set: InstructionSet,
) -> Vec<(usize, CodeItem)> {
    let mut items = Vec::with_capacity(words.len());
    let mut data = data.iter().peekable();
    let mut at = 0;
    while at * 4 < length {
        let offset = at * 4;
        while data.next_if(|(start, ..)| *start < offset).is_some() {}
        if let Some((_, size, what)) = data.next_if(|(start, ..)| *start == offset) {
            let bytes = (*size).max(4).min(length - offset);
            items.push((offset, CodeItem::Data { bytes, what: (*what).to_owned() }));
            at += bytes.div_ceil(4);
            continue;
        }
        if at >= words.len() {
            break;
        }
        // An instruction does not reach into data.
        let end = data.peek().map_or(words.len(), |(start, ..)| (start / 4).min(words.len()));
        let rest = &words[at..end.max(at)];
        let (count, item) = match recognise(rest, set) {
            Ok(found) => (found.words, instruction(found, rest, offset, set)),
            Err(_) => (1, CodeItem::Word),
        };
        items.push((offset, item));
        at += count;
    }
    items
}

/// An instruction, and whether its text gives back the words that it was found in.
fn instruction(
    mut found: Recognised,
    words: &[u32],
    offset: usize,
    set: InstructionSet,
) -> CodeItem {
    let words = &words[..found.words];
    let is_exact = |again: &Result<Assembled, LineError>| {
        again.as_ref().is_ok_and(|again| again.words() == words)
    };
    let text = found.text(set);
    let again = assemble_line(&text, set, &NoSymbols);
    if is_exact(&again) {
        let jump = jump(&found, offset);
        return CodeItem::Instruction { found, text, jump };
    }
    // A literal that has an inline code is lost in the text unless it is marked.
    let is_short = again.is_ok_and(|again| again.words().len() < found.words);
    if is_short && found.mark_literal() {
        let text = found.text(set);
        return match is_exact(&assemble_line(&text, set, &NoSymbols)) {
            true => CodeItem::Instruction { found, text, jump: None },
            false => CodeItem::Inexact { words: found.words, text },
        };
    }
    // Bits that mean nothing are in no text.
    CodeItem::Inexact { words: found.words, text }
}

/// The place that an instruction jumps to, within the section.
fn jump(found: &Recognised, offset: usize) -> Option<usize> {
    let slot = found.form.slots().iter().find(|slot| slot.kind == SlotKind::Branch)?;
    let distance = (found.bits >> slot.low) as u16 as i16;
    let target = offset as i64 + found.words as i64 * 4 + i64::from(distance) * 4;
    usize::try_from(target).ok()
}

fn label(offset: usize) -> String {
    format!("L_{offset:04x}")
}

/// Tells whether a name is that of one of the labels.
fn is_label(name: &str, labels: &BTreeSet<usize>) -> bool {
    let digits = name.strip_prefix("L_").and_then(|digits| usize::from_str_radix(digits, 16).ok());
    digits.is_some_and(|offset| labels.contains(&offset) && label(offset) == name)
}

fn name_jump(found: &mut Recognised, label: String) {
    let slots = found.form.slots();
    let branch = found.pieces.iter_mut().find(|(index, _)| slots[*index].kind == SlotKind::Branch);
    if let Some((_, text)) = branch {
        *text = label;
    }
}
