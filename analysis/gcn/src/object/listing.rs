//! Code as text: labels where something jumps to, addresses and words behind.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use super::elf::{Mark, MarkKind};
use super::metadata::Metadata;
use crate::Target;
use crate::instruction::form::SlotKind;
use crate::instruction::set::InstructionSet;
use crate::instruction::{Recognised, recognise};

/// The code of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The chip that it was read for.
    pub target: Target,
    /// The system that loads it; `None` for bare bytes.
    pub system: Option<&'static str>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// The descriptors of its kernels, from code object version 3 on.
    pub descriptors: Vec<Descriptor>,
    /// The metadata of its kernels.
    pub metadata: Option<Metadata>,
}

/// The descriptor of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// The kernel's name.
    pub name: String,
    /// The directives that make it, and their values.
    pub directives: Vec<(&'static str, u64)>,
}

/// A section of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its lines, in order.
    pub lines: Vec<ListingLine>,
}

/// A line of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingLine {
    /// A name of the place that follows.
    Label(String),
    /// Bytes that are not code: the header of a kernel.
    Header {
        /// Bytes from the start of the section.
        offset: usize,
        /// The number of them.
        bytes: usize,
    },
    /// An instruction.
    Instruction {
        /// Bytes from the start of the section.
        offset: usize,
        /// Its words, one or two.
        words: Vec<u32>,
        /// Its text in LLVM's dialect.
        text: String,
        /// The same with a label as target, where it jumps to a place of the listing.
        jump: Option<String>,
    },
    /// A word that is not an instruction of the chip.
    Word {
        /// Bytes from the start of the section.
        offset: usize,
        /// The word.
        word: u32,
    },
    /// Up to three bytes behind the last whole word.
    Rest {
        /// Bytes from the start of the section.
        offset: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

impl Listing {
    /// Tells whether every byte is an instruction or a kernel's header.
    pub fn is_all_code(&self) -> bool {
        let lines = self.sections.iter().flat_map(|section| &section.lines);
        lines
            .into_iter()
            .all(|line| !matches!(line, ListingLine::Word { .. } | ListingLine::Rest { .. }))
    }

    /// The whole as a text that assembles to the same bytes.
    pub fn text(&self) -> String {
        let processor = self.target.row().processor;
        let system = self.system.unwrap_or("amdhsa");
        let mut text = format!("\t.amdgcn_target \"amdgcn-amd-{system}--{processor}\"\n");
        for section in &self.sections {
            match section.name.as_str() {
                "" => {}
                ".text" => text.push_str("\t.text\n"),
                name => {
                    let _ = writeln!(text, "\t.section {name},\"ax\",@progbits");
                }
            }
            for line in &section.lines {
                line.write(&mut text);
            }
        }
        if !self.descriptors.is_empty() {
            text.push_str("\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n");
        }
        for descriptor in &self.descriptors {
            let _ = writeln!(text, "\t.amdhsa_kernel {}", descriptor.name);
            for (directive, value) in &descriptor.directives {
                let _ = writeln!(text, "\t\t{directive} {value}");
            }
            text.push_str("\t.end_amdhsa_kernel\n");
        }
        if let Some(Metadata { directive, text: yaml }) = &self.metadata {
            let _ = write!(text, "\t{directive}\n{yaml}\t.end_{}\n", &directive[1..]);
        }
        text
    }
}

/// The column at which addresses and words begin.
const COMMENT_COLUMN: usize = 60;

impl ListingLine {
    fn write(&self, text: &mut String) {
        match self {
            ListingLine::Label(name) => {
                let _ = writeln!(text, "{name}:");
            }
            ListingLine::Header { offset, bytes } => {
                let what = "the header of the kernel, amd_kernel_code_t";
                let _ = writeln!(text, "\t.skip {bytes} // {offset:012X}: {what}");
            }
            ListingLine::Instruction { offset, words, text: plain, jump } => {
                let own = jump.as_ref().unwrap_or(plain);
                let words: Vec<String> = words.iter().map(|word| format!("{word:08X}")).collect();
                let words = words.join(" ");
                let _ = writeln!(text, "\t{own:COMMENT_COLUMN$} // {offset:012X}: {words}");
            }
            ListingLine::Word { offset, word } => {
                let own = format!(".long {word:#010x}");
                let _ = writeln!(text, "\t{own:COMMENT_COLUMN$} // {offset:012X}: {word:08X}");
            }
            ListingLine::Rest { offset, bytes } => {
                let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
                let own = format!(".byte {}", bytes.join(", "));
                let _ = writeln!(text, "\t{own:COMMENT_COLUMN$} // {offset:012X}");
            }
        }
    }
}

/// A thing at an offset, before labels are known.
enum CodeItem {
    Instruction { words: usize, found: Recognised, jump: Option<usize> },
    Word,
    Header(usize),
}

/// The lines of code whose marks are in order.
pub(super) fn section(name: &str, bytes: &[u8], marks: &[Mark], set: InstructionSet) -> Section {
    let (whole, rest) = bytes.as_chunks::<4>();
    let words: Vec<u32> = whole.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let headers: Vec<(usize, usize)> = marks
        .iter()
        .filter_map(|mark| match mark.kind {
            MarkKind::Header(size) if mark.offset % 4 == 0 => Some((mark.offset, size)),
            _ => None,
        })
        .collect();
    let items = items(&words, &headers, set);
    let starts: BTreeSet<usize> = items.iter().map(|(offset, _)| *offset).collect();
    let jumps = items.iter().filter_map(|(_, item)| match item {
        CodeItem::Instruction { jump, .. } => *jump,
        CodeItem::Word | CodeItem::Header(_) => None,
    });
    let is_place = |it: &usize| starts.contains(it) || *it == words.len() * 4;
    let labels: BTreeSet<usize> = jumps.filter(is_place).collect();
    let mut names = marks.iter().filter_map(|mark| match &mark.kind {
        MarkKind::Name(name) => Some((mark.offset, name)),
        MarkKind::Header(_) => None,
    });
    let mut next = names.next();
    let mut known = FxHashSet::default();
    let mut lines = Vec::with_capacity(items.len() + labels.len());
    let mut place = |offset: usize, lines: &mut Vec<ListingLine>| {
        while let Some((at, name)) = next.filter(|(at, _)| *at <= offset) {
            // A name inside an instruction cannot be written, nor one of two places.
            if at == offset && known.insert(name.as_str()) {
                lines.push(ListingLine::Label(name.clone()));
            }
            next = names.next();
        }
        if labels.contains(&offset) {
            lines.push(ListingLine::Label(label(offset)));
        }
    };
    for (offset, item) in items {
        place(offset, &mut lines);
        lines.push(match item {
            CodeItem::Instruction { words: count, mut found, jump } => ListingLine::Instruction {
                offset,
                words: words[offset / 4..offset / 4 + count].to_vec(),
                text: found.text(set),
                jump: jump.filter(|target| labels.contains(target)).map(|target| {
                    name_jump(&mut found, label(target));
                    found.text(set)
                }),
            },
            CodeItem::Word => ListingLine::Word { offset, word: words[offset / 4] },
            CodeItem::Header(bytes) => ListingLine::Header { offset, bytes },
        });
    }
    place(words.len() * 4, &mut lines);
    if !rest.is_empty() {
        lines.push(ListingLine::Rest { offset: words.len() * 4, bytes: rest.to_vec() });
    }
    Section { name: name.to_owned(), lines }
}

fn items(words: &[u32], headers: &[(usize, usize)], set: InstructionSet) -> Vec<(usize, CodeItem)> {
    let mut items = Vec::with_capacity(words.len());
    let mut headers = headers.iter().peekable();
    let mut at = 0;
    while at < words.len() {
        let offset = at * 4;
        while headers.next_if(|(start, _)| *start < offset).is_some() {}
        if let Some((_, size)) = headers.next_if(|(start, _)| *start == offset) {
            let count = (size / 4).max(1).min(words.len() - at);
            items.push((offset, CodeItem::Header(count * 4)));
            at += count;
            continue;
        }
        // An instruction does not reach into a header.
        let end = headers.peek().map_or(words.len(), |(start, _)| (start / 4).min(words.len()));
        match recognise(&words[at..end.max(at)], set) {
            // Bits that mean nothing would be lost in the text.
            Ok(found) if found.ignored == 0 => {
                let count = found.words.max(1);
                let jump = jump(&found, offset);
                items.push((offset, CodeItem::Instruction { words: count, found, jump }));
                at += count;
            }
            _ => {
                items.push((offset, CodeItem::Word));
                at += 1;
            }
        }
    }
    items
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

fn name_jump(found: &mut Recognised, label: String) {
    let slots = found.form.slots();
    let branch = found.pieces.iter_mut().find(|(index, _)| slots[*index].kind == SlotKind::Branch);
    if let Some((_, text)) = branch {
        *text = label;
    }
}
