//! Code as text: addresses and words behind each line.

use std::fmt;
use std::io::Write as _;

use source::{TextRange, digits};

use super::metadata::Metadata;
use super::sections::words_and_rest;
use crate::Target;
use crate::target_id::Settings;

/// The code of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The chip that it was read for.
    pub target: Target,
    /// The settings of its target id.
    pub settings: Settings,
    /// The system that loads it; `None` for bare bytes.
    pub system: Option<&'static str>,
    /// The version of the code object, for the system that has such.
    pub version: Option<u8>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// The descriptors of its kernels, from code object version 3 on.
    pub descriptors: Vec<Descriptor>,
    /// The metadata of its kernels.
    pub metadata: Option<Metadata>,
    /// Lines about the file that it is of, which stand in front as comments.
    pub notes: Vec<String>,
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
#[derive(Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its lines, in order.
    pub lines: Vec<ListingLine>,
    /// Its words, of which the lines are.
    pub(super) words: Vec<u32>,
    /// The texts of all its instructions.
    pub(super) text: String,
}

impl Section {
    /// Returns the text of an instruction.
    pub fn text(&self, text: TextRange) -> &str {
        &self.text[text]
    }

    /// Returns the words of an instruction at an offset.
    pub fn words(&self, offset: usize, count: u8) -> &[u32] {
        &self.words[offset / 4..][..usize::from(count)]
    }
}

/// Shows the lines with their words and texts.
impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.lines.iter().map(|line| LineOf(self, line)).collect();
        f.debug_struct("Section").field("name", &self.name).field("lines", &lines).finish()
    }
}

struct LineOf<'a>(&'a Section, &'a ListingLine);

impl fmt::Debug for LineOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineOf(section, line) = self;
        let (name, offset, words, text) = match line {
            ListingLine::Instruction { offset, words, text, .. } => {
                ("Instruction", offset, words, text)
            }
            ListingLine::Inexact { offset, words, text } => ("Inexact", offset, words, text),
            other => return other.fmt(f),
        };
        let mut shown = f.debug_struct(name);
        shown.field("offset", offset).field("words", &section.words(*offset, *words));
        shown.field("text", &section.text(*text));
        if let ListingLine::Instruction { jump, .. } = line {
            shown.field("jump", &jump.map(|text| section.text(text)));
        }
        shown.finish()
    }
}

/// A line of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingLine {
    /// A directive about a name of the place that follows.
    Directive(String),
    /// A name of the place that follows.
    Label(String),
    /// Bytes that are not code, such as the header of a kernel.
    Data {
        /// Bytes from the start of the section.
        offset: usize,
        /// The bytes.
        bytes: Box<[u8]>,
        /// A phrase that says what they are.
        what: Box<str>,
    },
    /// An instruction.
    Instruction {
        /// Bytes from the start of the section.
        offset: usize,
        /// The number of its words.
        words: u8,
        /// Its text in LLVM's dialect.
        text: TextRange,
        /// The same with a label as target, where it jumps to a place of the listing.
        jump: Option<TextRange>,
    },
    /// An instruction whose text would assemble to other words.
    Inexact {
        /// Bytes from the start of the section.
        offset: usize,
        /// The number of its words.
        words: u8,
        /// Its text in LLVM's dialect.
        text: TextRange,
    },
    /// A word that is not an instruction of the chip.
    Word {
        /// Bytes from the start of the section.
        offset: usize,
        /// The word.
        word: u32,
    },
    /// The value that a linker puts into the word before, in the instruction before.
    Relocation {
        /// Bytes from the start of the section.
        offset: usize,
        /// The kind of relocation and the symbol.
        what: Box<str>,
    },
    /// Up to three bytes behind the last whole word.
    Rest {
        /// Bytes from the start of the section.
        offset: usize,
        /// The bytes.
        bytes: Box<[u8]>,
    },
}

impl Listing {
    /// Returns an empty one of bare code.
    pub(super) fn bare(target: Target) -> Listing {
        Listing {
            target,
            settings: Settings::default(),
            system: None,
            version: None,
            sections: Vec::new(),
            descriptors: Vec::new(),
            metadata: None,
            notes: Vec::new(),
        }
    }

    /// Lists the lines of all sections, each with its section.
    pub fn lines(&self) -> impl Iterator<Item = (&Section, &ListingLine)> {
        let sections = self.sections.iter();
        sections.flat_map(|section| section.lines.iter().map(move |line| (section, line)))
    }

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
        let settings = self.settings;
        let notes: String = self.notes.iter().map(|note| format!("// {note}\n")).collect();
        let mut text = notes.into_bytes();
        let _ = writeln!(text, "\t.amdgcn_target \"amdgcn-amd-{system}--{processor}{settings}\"");
        // Older assemblers know no such directive, and make no such files.
        if let Some(version) = self.version.filter(|it| *it >= 5) {
            let _ = writeln!(text, "\t.amdhsa_code_object_version {version}");
        }
        for section in &self.sections {
            match section.name.as_str() {
                "" => {}
                ".text" => text.extend_from_slice(b"\t.text\n"),
                name => {
                    let _ = writeln!(text, "\t.section {name},\"ax\",@progbits");
                }
            }
            for line in &section.lines {
                section.write(line, &mut text);
            }
        }
        if !self.descriptors.is_empty() {
            text.extend_from_slice(b"\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n");
        }
        for descriptor in &self.descriptors {
            let _ = writeln!(text, "\t.amdhsa_kernel {}", descriptor.name);
            for (directive, value) in &descriptor.directives {
                let _ = writeln!(text, "\t\t{directive} {value}");
            }
            text.extend_from_slice(b"\t.end_amdhsa_kernel\n");
        }
        if let Some(Metadata { directive, text: yaml }) = &self.metadata {
            let _ = write!(text, "\t{directive}\n{yaml}\t.end_{}\n", &directive[1..]);
        }
        // All of it was text.
        String::from_utf8(text).unwrap_or_default()
    }
}

/// The column at which addresses and words begin.
const COMMENT_COLUMN: usize = 60;

/// The words of a line of data.
const WORDS_IN_ROW: usize = 4;

/// Writes words as a directive.
fn write_data(text: &mut Vec<u8>, words: &[u32]) {
    text.extend_from_slice(b".long ");
    for (place, word) in words.iter().enumerate() {
        text.extend_from_slice(if place > 0 { b", 0x" } else { b"0x" });
        text.extend_from_slice(digits::of_bytes(word.to_be_bytes()).as_flattened());
    }
}

/// Writes bytes as a directive.
fn write_byte_data(text: &mut Vec<u8>, bytes: &[u8]) {
    text.extend_from_slice(b".byte ");
    for (place, byte) in bytes.iter().enumerate() {
        text.extend_from_slice(if place > 0 { b", 0x" } else { b"0x" });
        text.extend_from_slice(digits::of_bytes([*byte]).as_flattened());
    }
}

/// Writes the address of a line as a comment.
fn write_address(text: &mut Vec<u8>, offset: usize) {
    text.extend_from_slice(b"// ");
    // Files are far shorter than what six bytes count.
    let [_, _, offset @ ..] = (offset as u64).to_be_bytes();
    text.extend_from_slice(digits::capitals_of_bytes(offset).as_flattened());
}

/// Writes the address and the words of a line behind what begins at `start`.
fn write_comment(text: &mut Vec<u8>, start: usize, offset: usize, words: &[u32]) {
    // Instructions and data have no other characters than those of a byte.
    let width = text.len() - start;
    text.extend_from_slice(&[b' '; COMMENT_COLUMN + 1][..COMMENT_COLUMN.saturating_sub(width) + 1]);
    write_address(text, offset);
    for (place, word) in words.iter().enumerate() {
        text.extend_from_slice(if place > 0 { b" " } else { b": " });
        text.extend_from_slice(digits::capitals_of_bytes(word.to_be_bytes()).as_flattened());
    }
}

impl Section {
    fn write(&self, line: &ListingLine, text: &mut Vec<u8>) {
        if !matches!(line, ListingLine::Label(_)) {
            text.push(b'\t');
        }
        let start = text.len();
        match line {
            ListingLine::Directive(directive) => text.extend_from_slice(directive.as_bytes()),
            ListingLine::Label(name) => {
                text.extend_from_slice(name.as_bytes());
                text.push(b':');
            }
            ListingLine::Data { offset, bytes, what } => {
                write_address(text, *offset);
                let _ = write!(text, ": {what}");
                let (words, rest) = words_and_rest(bytes);
                for words in words.chunks(WORDS_IN_ROW) {
                    text.extend_from_slice(b"\n\t");
                    write_data(text, words);
                }
                if !rest.is_empty() {
                    text.extend_from_slice(b"\n\t");
                    write_byte_data(text, rest);
                }
            }
            ListingLine::Instruction { offset, words, text: plain, jump } => {
                text.extend_from_slice(self.text(jump.unwrap_or(*plain)).as_bytes());
                write_comment(text, start, *offset, self.words(*offset, *words));
            }
            ListingLine::Inexact { offset, words, text: plain } => {
                let words = self.words(*offset, *words);
                write_data(text, words);
                write_comment(text, start, *offset, words);
                text.push(b' ');
                text.extend_from_slice(self.text(*plain).as_bytes());
            }
            ListingLine::Word { offset, word } => {
                write_data(text, &[*word]);
                write_comment(text, start, *offset, &[*word]);
            }
            ListingLine::Relocation { offset, what } => {
                write_address(text, *offset);
                let _ = write!(text, ": {what}");
            }
            ListingLine::Rest { offset, bytes } => {
                write_byte_data(text, bytes);
                write_comment(text, start, *offset, &[]);
            }
        }
        text.push(b'\n');
    }
}
