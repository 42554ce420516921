//! The code of a file before its instructions are read: as a listing, or line by line.

use super::elf::{self, Elf};
use super::listing::{Descriptor, Listing};
use super::reader::{CodeItem, Data, ItemKind, Reader};
use super::{Error, is_elf, orbis, sections};
use crate::Target;
use crate::assembler::descriptor;
use crate::instruction::InstructionSet;
use crate::target_id::Settings;

/// The code of a file, of which no instruction was read yet.
pub struct Code<'a> {
    sections: Vec<elf::Code<'a>>,
    /// The listing without its sections.
    frame: Listing,
}

/// Finds the code of a file: of an ELF file its executable sections, of any other file all its
/// bytes.
///
/// `target` wins over what an ELF file or a shader of the PlayStation 4 says of itself; other
/// bytes say nothing.
///
/// # Errors
/// There is no code, or no chip to read it for. Never panics.
pub fn code(bytes: &[u8], target: Option<Target>) -> Result<Code<'_>, Error> {
    if !is_elf(bytes) {
        let shader = orbis::Shader::find(bytes);
        let own = shader.as_ref().and_then(|_| Target::find(orbis::CHIP));
        let target = target.or(own).ok_or(Error::NoTarget)?;
        let marks = shader.map(|it| it.marks(bytes.len())).unwrap_or_default();
        let sections = vec![elf::Code { name: String::new(), bytes, marks }];
        return Ok(Code { sections, frame: Listing::bare(target) });
    }
    let elf = Elf::read(bytes)?;
    let own = elf.target();
    let target = target.map_or(own, Ok)?;
    // What the file says of itself is not of a chip that the user put in its place.
    let is_own = own.is_ok_and(|own| own.processor() == target.processor());
    let settings = if is_own { elf.settings() } else { Settings::default() };
    let sections = elf.codes()?;
    if sections.is_empty() {
        return Err(Error::NoCode);
    }
    let descriptors = elf.descriptors().into_iter().map(|(name, bytes)| Descriptor {
        name,
        directives: descriptor::directives(bytes, target, settings),
    });
    let frame = Listing {
        settings,
        system: Some(elf.system()),
        version: elf.code_object_version(),
        descriptors: descriptors.collect(),
        metadata: elf.metadata(),
        ..Listing::bare(target)
    };
    Ok(Code { sections, frame })
}

impl<'a> Code<'a> {
    /// Adds lines about the file that it is of, which a listing begins with.
    pub fn with_notes(mut self, notes: Vec<String>) -> Code<'a> {
        self.frame.notes.extend(notes);
        self
    }

    /// Returns the chip that it is read for.
    pub fn target(&self) -> Target {
        self.frame.target
    }

    /// Tells whether it is bare code, which no system loads.
    pub fn is_bare(&self) -> bool {
        self.frame.system.is_none()
    }

    /// Reads all of it as a text that assembles again.
    pub fn listing(self) -> Listing {
        let set = InstructionSet::of(self.frame.target);
        let section =
            |code: &elf::Code<'_>| sections::section(&code.name, code.bytes, &code.marks, set);
        Listing { sections: self.sections.iter().map(section).collect(), ..self.frame }
    }

    /// Reads it line by line. Needs no more memory for longer code.
    pub fn lines(&self) -> CodeLines<'_> {
        let set = InstructionSet::of(self.frame.target);
        let (sections, reader) = (self.sections.iter(), Reader::new(&[], Vec::new(), set));
        CodeLines { set, sections, reader }
    }
}

/// A line of code that labels and names are not known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeLine<'a> {
    /// An instruction, whose text may assemble to other words.
    Instruction {
        /// Bytes from the start of the section.
        offset: usize,
        /// Its words.
        words: &'a [u32],
        /// Its text in LLVM's dialect.
        text: &'a str,
    },
    /// A word that is not an instruction of the chip.
    Word {
        /// Bytes from the start of the section.
        offset: usize,
        /// The word.
        word: u32,
    },
    /// Bytes that are not code, such as the header of a kernel.
    Data {
        /// Bytes from the start of the section.
        offset: usize,
        /// The bytes.
        bytes: &'a [u8],
        /// A phrase that says what they are.
        what: &'a str,
    },
    /// Up to three bytes behind the last whole word.
    Rest(&'a [u8]),
}

/// The lines of all sections of a file, read as they are asked for.
pub struct CodeLines<'a> {
    set: InstructionSet,
    sections: std::slice::Iter<'a, elf::Code<'a>>,
    reader: Reader<'a>,
}

impl CodeLines<'_> {
    /// Reads the next line.
    pub fn next_line(&mut self) -> Option<CodeLine<'_>> {
        self.reader.forget();
        let CodeItem { offset, kind } = loop {
            match self.reader.next_item() {
                Some(item) => break item,
                None => {
                    let code = self.sections.next()?;
                    self.reader = Reader::new(code.bytes, Data::among(&code.marks), self.set);
                }
            }
        };
        let offset = offset as usize;
        Some(match kind {
            ItemKind::Instruction(line) | ItemKind::Inexact(line) => {
                let (words, text) = (self.reader.last_words(line.words), self.reader.text());
                CodeLine::Instruction { offset, words, text: &text[line.text] }
            }
            ItemKind::Word => CodeLine::Word { offset, word: self.reader.last_words(1)[0] },
            ItemKind::Data(number) => {
                let (data, bytes) = self.reader.data(number);
                CodeLine::Data { offset, bytes, what: data.what }
            }
            ItemKind::Rest => CodeLine::Rest(self.reader.rest()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ListingLine, listing, tests as files};
    use super::*;

    /// Formats what a line has beside its place.
    fn shown(line: CodeLine<'_>) -> String {
        match line {
            CodeLine::Instruction { offset, words, text } => format!("{offset} {words:x?} {text}"),
            CodeLine::Word { offset, word } => format!("{offset} {word:#x}"),
            CodeLine::Data { offset, bytes, what } => format!("{offset} {bytes:?} {what}"),
            CodeLine::Rest(bytes) => format!("rest {bytes:?}"),
        }
    }

    fn lines(bytes: &[u8], target: Option<Target>) -> Vec<String> {
        let code = code(bytes, target).expect("code");
        let (mut lines, mut found) = (code.lines(), Vec::new());
        while let Some(line) = lines.next_line() {
            found.push(shown(line));
        }
        found
    }

    /// The lines of a listing without labels, directives and relocations.
    fn listed(bytes: &[u8], target: Option<Target>) -> Vec<String> {
        let listing = listing(bytes, target).expect("a listing");
        let lines = listing.lines().filter_map(|(section, line)| {
            Some(shown(match line {
                ListingLine::Instruction { offset, words, text, .. }
                | ListingLine::Inexact { offset, words, text } => {
                    let words = section.words(*offset, *words);
                    CodeLine::Instruction { offset: *offset, words, text: section.text(*text) }
                }
                ListingLine::Word { offset, word } => {
                    CodeLine::Word { offset: *offset, word: *word }
                }
                ListingLine::Data { offset, bytes, what } => {
                    CodeLine::Data { offset: *offset, bytes, what }
                }
                ListingLine::Rest { bytes, .. } => CodeLine::Rest(bytes),
                ListingLine::Label(_)
                | ListingLine::Directive(_)
                | ListingLine::Relocation { .. } => return None,
            }))
        });
        lines.collect()
    }

    #[test]
    fn lines_are_those_of_the_listing() {
        let mut text = vec![0_u8; 256];
        text[17] = 1;
        text.extend(files::code("gfx700", &["s_branch 0xffff", "s_nop 0", "s_endpgm"]));
        text.extend([0xff, 0xff, 0xff, 0xff, 1, 2]);
        let object = files::file(0x22, &text, &[("kernel", 10, 0), ("end", 0, 268)]);
        let found = lines(&object, None);
        assert_eq!(
            found[1..],
            [
                "256 [bf82ffff] s_branch 65535",
                "260 [bf800000] s_nop 0",
                "264 [bf810000] s_endpgm",
                "268 0xffffffff",
                "rest [1, 2]",
            ]
        );
        assert!(found[0].ends_with("the header of the kernel, amd_kernel_code_t"), "{}", found[0]);
        assert_eq!(found, listed(&object, None));
        let tahiti = Target::find("tahiti");
        for end in 0..text.len() {
            assert_eq!(lines(&text[..end], tahiti), listed(&text[..end], tahiti), "{end} bytes");
        }
    }

    #[test]
    fn texts_that_were_given_back_are_read_again() {
        let target = Target::find("gfx900");
        // Long lines that differ, twice; their texts are more than is kept.
        let word = |number: u32| [0x7e00_02ff_u32, 0x1000_0000 + number % 150_000];
        let words = (0..300_000).flat_map(word);
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let code = code(&bytes, target).expect("code");
        let (mut lines, mut number) = (code.lines(), 0);
        while let Some(line) = lines.next_line() {
            let CodeLine::Instruction { words, text, .. } = line else { panic!("{line:?}") };
            assert_eq!(words, word(number));
            assert_eq!(text, format!("v_mov_b32_e32 v0, {:#x}", words[1]));
            number += 1;
        }
        assert_eq!(number, 300_000);
        assert!(lines.reader.text().len() < 2 * super::super::reader::MAX_TEXT);
    }
}
