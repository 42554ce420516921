//! Code objects as text, with addresses and words behind the instructions.

use std::fmt::Write as _;

use super::metadata::Metadata;
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
    /// A directive about a name of the place that follows.
    Directive(String),
    /// A name of the place that follows.
    Label(String),
    /// Bytes that are not code, such as the header of a kernel.
    Data {
        /// Bytes from the start of the section.
        offset: usize,
        /// The bytes.
        bytes: Vec<u8>,
        /// A phrase that says what they are.
        what: String,
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
    /// An instruction whose text would assemble to other words.
    Inexact {
        /// Bytes from the start of the section.
        offset: usize,
        /// Its words, one or two.
        words: Vec<u32>,
        /// Its text in LLVM's dialect.
        text: String,
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
        what: String,
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
        let settings = self.settings;
        let mut text: String = self.notes.iter().map(|note| format!("// {note}\n")).collect();
        let _ = writeln!(text, "\t.amdgcn_target \"amdgcn-amd-{system}--{processor}{settings}\"");
        // Older assemblers know no such directive, and make no such files.
        if let Some(version) = self.version.filter(|it| *it >= 5) {
            let _ = writeln!(text, "\t.amdhsa_code_object_version {version}");
        }
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

/// The words of a line of data.
const WORDS_IN_ROW: usize = 4;

/// Words as a directive.
fn data(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:#010x}")).collect();
    format!(".long {}", words.join(", "))
}

/// Bytes as a directive.
fn byte_data(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
    format!(".byte {}", bytes.join(", "))
}

/// Returns the whole words of some bytes, and the bytes behind them.
pub(super) fn words_and_rest(bytes: &[u8]) -> (Vec<u32>, &[u8]) {
    let (words, rest) = bytes.as_chunks::<4>();
    (words.iter().map(|word| u32::from_le_bytes(*word)).collect(), rest)
}

/// Words as an assembler prints them behind an instruction.
fn digits(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:08X}")).collect();
    words.join(" ")
}

impl ListingLine {
    fn write(&self, text: &mut String) {
        match self {
            ListingLine::Directive(directive) => {
                let _ = writeln!(text, "\t{directive}");
            }
            ListingLine::Label(name) => {
                let _ = writeln!(text, "{name}:");
            }
            ListingLine::Data { offset, bytes, what } => {
                let _ = writeln!(text, "\t// {offset:012X}: {what}");
                let (words, rest) = words_and_rest(bytes);
                for words in words.chunks(WORDS_IN_ROW) {
                    let _ = writeln!(text, "\t{}", data(words));
                }
                if !rest.is_empty() {
                    let _ = writeln!(text, "\t{}", byte_data(rest));
                }
            }
            ListingLine::Instruction { offset, words, text: plain, jump } => {
                let own = jump.as_ref().unwrap_or(plain);
                let words = digits(words);
                let _ = writeln!(text, "\t{own:COMMENT_COLUMN$} // {offset:012X}: {words}");
            }
            ListingLine::Inexact { offset, words, text: plain } => {
                let (own, words) = (data(words), digits(words));
                let _ = writeln!(text, "\t{own:COMMENT_COLUMN$} // {offset:012X}: {words} {plain}");
            }
            ListingLine::Word { offset, word } => {
                let own = data(&[*word]);
                let _ = writeln!(text, "\t{own:COMMENT_COLUMN$} // {offset:012X}: {word:08X}");
            }
            ListingLine::Relocation { offset, what } => {
                let _ = writeln!(text, "\t// {offset:012X}: {what}");
            }
            ListingLine::Rest { offset, bytes } => {
                let own = byte_data(bytes);
                let _ = writeln!(text, "\t{own:COMMENT_COLUMN$} // {offset:012X}");
            }
        }
    }
}
