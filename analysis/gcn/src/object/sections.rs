//! The lines of a section: instructions and data in order, labels where something jumps to.

use rustc_hash::FxHashSet;

use super::elf::{Mark, MarkKind};
use super::listing::{ListingLine, Section};
use super::reader::{CodeItem, Data, ItemKind, Line, Reader};
use crate::instruction::set::InstructionSet;

/// Splits bytes into whole words and what is behind them.
pub(super) fn words_and_rest(bytes: &[u8]) -> (Vec<u32>, &[u8]) {
    let (words, rest) = bytes.as_chunks::<4>();
    (words.iter().map(|word| u32::from_le_bytes(*word)).collect(), rest)
}

/// The lines of code whose marks are in order.
pub(super) fn section(name: &str, bytes: &[u8], marks: &[Mark], set: InstructionSet) -> Section {
    let (words, _) = words_and_rest(bytes);
    let mut reader = Reader::new(bytes, Data::among(marks), set);
    // Half of all instructions have two words.
    let mut items = Vec::with_capacity(words.len() * 2 / 3);
    while let Some(item) = reader.next_item() {
        items.push(item);
    }
    let labels = labels(&items, &words);
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
    let mut next_labels = labels.iter().copied().peekable();
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
        if next_labels.next_if_eq(&offset).is_some() {
            lines.push(ListingLine::Label(label(offset)));
        }
    };
    for CodeItem { offset, kind } in items {
        let offset = offset as usize;
        place(offset, &mut lines);
        let (size, line) = match kind {
            ItemKind::Instruction(line) => {
                let jump = target(&words, offset, line).filter(|to| is_among(*to, &labels));
                let jump = jump.map(|to| reader.named_jump(line, &label(to)));
                let Line { words, text, .. } = line;
                let line = ListingLine::Instruction { offset, words, text, jump };
                (4 * usize::from(words), line)
            }
            ItemKind::Inexact(Line { words, text, .. }) => {
                (4 * usize::from(words), ListingLine::Inexact { offset, words, text })
            }
            ItemKind::Word => (4, ListingLine::Word { offset, word: words[offset / 4] }),
            ItemKind::Data(number) => {
                let (data, own) = reader.data(number);
                (own.len(), ListingLine::Data { offset, bytes: own.into(), what: data.what.into() })
            }
            ItemKind::Rest => (0, ListingLine::Rest { offset, bytes: reader.rest().into() }),
        };
        lines.push(line);
        while let Some((at, what)) = relocations.next_if(|(at, _)| *at < offset + size) {
            lines.push(ListingLine::Relocation { offset: at, what: what.as_str().into() });
        }
    }
    place(words.len() * 4, &mut lines);
    Section { name: name.to_owned(), lines, words, text: reader.into_text() }
}

/// The places that something jumps to, in order: those where a thing begins, and the end.
fn labels(items: &[CodeItem], words: &[u32]) -> Vec<usize> {
    let targets = items.iter().filter_map(|item| match item.kind {
        ItemKind::Instruction(line) => target(words, item.offset as usize, line),
        ItemKind::Inexact(_) | ItemKind::Word | ItemKind::Data(_) | ItemKind::Rest => None,
    });
    let mut labels: Vec<usize> = targets.collect();
    labels.sort_unstable();
    labels.dedup();
    let mut places = items.iter().map(|item| item.offset as usize).peekable();
    labels.retain(|it| {
        while places.next_if(|place| place < it).is_some() {}
        places.peek() == Some(it) || *it == words.len() * 4
    });
    labels
}

/// The place that an instruction at an offset jumps to, which may be none of the section.
fn target(words: &[u32], offset: usize, line: Line) -> Option<usize> {
    if line.distance == 0 {
        return None;
    }
    // The distance is the lower half of the only word, in words from its end.
    let distance = i64::from(words[offset / 4] as u16 as i16);
    usize::try_from(offset as i64 + 4 * i64::from(line.words) + 4 * distance).ok()
}

fn is_among(place: usize, labels: &[usize]) -> bool {
    labels.binary_search(&place).is_ok()
}

fn label(offset: usize) -> String {
    format!("L_{offset:04x}")
}

/// Tells whether a name is that of one of the labels.
fn is_label(name: &str, labels: &[usize]) -> bool {
    let digits = name.strip_prefix("L_").and_then(|digits| usize::from_str_radix(digits, 16).ok());
    digits.is_some_and(|offset| is_among(offset, labels) && label(offset) == name)
}
