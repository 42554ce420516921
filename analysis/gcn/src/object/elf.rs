//! The part of ELF that code objects need: machine, executable sections, symbols.
//!
//! Meanings of the numbers for AMD's chips: LLVM's AMDGPUUsage (code objects).

mod relocations;

use isa::gcn::UnsupportedChip;
use object::LittleEndian as Le;
use object::elf::{self, FileHeader64, SectionHeader64, Sym64};
use object::read::elf::{
    FileHeader as _, ProgramHeader as _, SectionHeader as _, SectionTable, Sym as _,
};
use object::read::{SectionIndex, StringTable};

use super::metadata::Metadata;
use super::{Error, bundle};
use crate::Target;
use crate::assembler::descriptor;
use crate::target_id::Settings;

type Header = FileHeader64<Le>;

/// The bits of the flags that name the chip.
const CHIP: u32 = 0xff;
/// Symbols of kernels with a header in the code, up to code object version 2.
const KERNEL_WITH_HEADER: u8 = 10;
/// A note's type that holds the chip's numbers, in code objects of version 2.
const NOTE_ISA: u32 = 3;
/// The header before a kernel's code, up to code object version 2.
const KERNEL_HEADER: usize = 256;
/// More than any assembler's names.
const LONGEST_NAME: usize = 1024;

/// A file.
pub(super) struct Elf<'a> {
    bytes: &'a [u8],
    header: &'a Header,
    sections: SectionTable<'a, Header>,
}

/// A place in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// Bytes from the start of the code.
    pub(super) offset: usize,
    pub(super) kind: MarkKind,
}

/// The thing at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A symbol, and the directives that say what else its table says of it.
    Name(String, Vec<String>),
    /// So many bytes that are not code, and a phrase that says what they are.
    Data(usize, String),
    /// The value that a linker puts there: a kind of relocation and a symbol.
    Relocation(String),
}

/// Code of a file.
pub(super) struct Code<'a> {
    pub(super) name: String,
    pub(super) bytes: &'a [u8],
    /// In the order of their places.
    pub(super) marks: Vec<Mark>,
}

/// Returns the sections of a host's file that hold code for GPUs: bundles one behind the other,
/// or, with a name, an entry of a bundle of its own. `None` where the file is for an AMD GPU, or
/// not of a format that is read.
pub(super) fn bundle_sections(bytes: &[u8]) -> Result<Option<Vec<BundleSection>>, Error> {
    if !super::is_elf(bytes) || bytes.get(4..6) != Some(&[2, 1]) {
        return Ok(None);
    }
    let header = Header::parse(bytes).map_err(|_| Error::Truncated)?;
    let machine = header.e_machine(Le);
    if machine == elf::EM_AMDGPU {
        return Ok(None);
    }
    let sections = header.sections(Le, bytes).map_err(|_| Error::Machine(machine.0))?;
    let mut found = Vec::new();
    let mut budget = bytes.len();
    for section in sections.iter() {
        let name = sections.section_name(Le, section).unwrap_or_default();
        let name = match name.strip_prefix(bundle::SIGNATURE) {
            Some(name) => {
                Some(String::from_utf8_lossy(name.get(..LONGEST_NAME).unwrap_or(name)).into_owned())
            }
            None if name.starts_with(b".hip_fat") || name == b".llvm.offloading" => None,
            None => continue,
        };
        let Some((offset, size)) = section.file_range(Le) else { continue };
        let range = usize::try_from(offset).ok().zip(usize::try_from(size).ok());
        let range = range.and_then(|(start, size)| Some(start..start.checked_add(size)?));
        let range = range.filter(|it| it.end <= bytes.len()).ok_or(Error::Truncated)?;
        budget = budget.checked_sub(range.len()).ok_or(Error::Overlap)?;
        found.push((name.map(|it| it.replace(char::is_control, "\u{fffd}")), range));
    }
    if found.is_empty() { Err(Error::Machine(machine.0)) } else { Ok(Some(found)) }
}

/// The name of an entry, and the offsets of the section.
type BundleSection = (Option<String>, std::ops::Range<usize>);

impl<'a> Elf<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Elf<'a>, Error> {
        if bytes.get(4..6) != Some(&[2, 1]) {
            return Err(Error::Format);
        }
        let header = Header::parse(bytes).map_err(|_| Error::Truncated)?;
        if header.e_machine(Le) != elf::EM_AMDGPU {
            return Err(Error::Machine(header.e_machine(Le).0));
        }
        let sections = header.section_headers(Le, bytes).map_err(|_| Error::Truncated)?;
        // Code without names is code all the same.
        let names = header.section_strings(Le, bytes, sections).unwrap_or_default();
        Ok(Elf { bytes, header, sections: SectionTable::new(sections, names) })
    }

    /// Returns the chip that the file is for.
    pub(super) fn target(&self) -> Result<Target, Error> {
        let number = self.header.e_flags(Le).0 & CHIP;
        match Target::of_machine(number) {
            Some(target) => Ok(target),
            None if number == 0 => self.noted_target().ok_or(Error::NoTarget),
            None => Err(match UnsupportedChip::of_machine(number) {
                Some(chip) => Error::Unsupported(chip),
                None => Error::Chip(number),
            }),
        }
    }

    /// Returns the settings of its target id, which the flags have from code object version 4 on.
    pub(super) fn settings(&self) -> Settings {
        match self.header.e_ident().abi_version {
            0 | 1 => Settings::default(),
            _ => Settings::of_flags(self.header.e_flags(Le).0),
        }
    }

    /// Returns the version of the code object, by the version of its system's interface.
    pub(super) fn code_object_version(&self) -> Option<u8> {
        let ident = self.header.e_ident();
        (ident.os_abi.0 == 64).then(|| ident.abi_version.saturating_add(2))
    }

    /// Returns the system that loads it, as target triples name it.
    pub(super) fn system(&self) -> &'static str {
        match self.header.e_ident().os_abi.0 {
            65 => "amdpal",
            66 => "mesa3d",
            _ => "amdhsa",
        }
    }

    /// The first note that means something; `read` is given its owner, its type and its bytes.
    fn note<T>(&self, read: impl Fn(&[u8], u32, &[u8]) -> Option<T>) -> Option<T> {
        // Sections may overlap: what is looked through is bounded by the file.
        let mut budget = self.bytes.len();
        for section in self.sections.iter() {
            let Ok(Some(mut notes)) = section.notes(Le, self.bytes) else { continue };
            budget = budget.checked_sub(usize::try_from(section.sh_size(Le)).ok()?)?;
            while let Ok(Some(note)) = notes.next() {
                let found = read(note.name(), note.n_type(Le).0, note.desc());
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Returns the chip of a note, which code objects of version 2 have.
    fn noted_target(&self) -> Option<Target> {
        self.note(|owner, kind, bytes| {
            let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
            let is_chip = (owner, kind) == (b"AMD", NOTE_ISA);
            let (major, minor, step) =
                is_chip.then(|| Some((number(4)?, number(8)?, number(12)?)))??;
            Target::find(&format!("gfx{major}{minor}{step:x}"))
        })
    }

    /// Returns the metadata of its kernels.
    pub(super) fn metadata(&self) -> Option<Metadata> {
        self.note(Metadata::of_note)
    }

    fn contents(&self, section: &SectionHeader64<Le>) -> Option<&'a [u8]> {
        section.data(Le, self.bytes).ok()
    }

    /// Returns the executable sections, or without sections the executable segments.
    pub(super) fn codes(&self) -> Result<Vec<Code<'a>>, Error> {
        let (mut codes, mut sections) = (Vec::new(), Vec::new());
        let mut budget = self.bytes.len();
        for (index, section) in self.sections.enumerate() {
            let is_empty = section.sh_type(Le) == elf::SHT_NOBITS || section.sh_size(Le) == 0;
            if !is_executable(section) || is_empty {
                continue;
            }
            let bytes = self.contents(section).ok_or(Error::Truncated)?;
            budget = budget.checked_sub(bytes.len()).ok_or(Error::Overlap)?;
            let name = self.sections.section_name(Le, section).unwrap_or_default();
            let name = name.get(..LONGEST_NAME).unwrap_or(name);
            let name = String::from_utf8_lossy(name).into_owned();
            codes.push(Code { name, bytes, marks: Vec::new() });
            sections.push(index);
        }
        if codes.is_empty() {
            return self.segments();
        }
        self.add_symbols(&sections, &mut codes);
        self.add_relocations(&sections, &mut codes);
        for code in &mut codes {
            code.marks.sort_by_key(|mark| mark.offset);
            code.marks.dedup();
        }
        Ok(codes)
    }

    /// Returns the symbols of a kind of table, with the table of their names.
    fn symbols(&self, kind: elf::SectionType) -> Option<(&'a [Sym64<Le>], &'a [u8])> {
        let table = self.sections.symbols(Le, self.bytes, kind).ok()?;
        let names = self.sections.section(table.string_section()).ok()?;
        Some((table.symbols(), self.contents(names)?))
    }

    /// Returns the section of a symbol, and its place there.
    fn place(&self, symbol: &Sym64<Le>) -> Option<(SectionIndex, u64)> {
        let index = SectionIndex(usize::from(symbol.st_shndx(Le).0));
        let section = self.sections.section(index).ok()?;
        let is_relocatable = self.header.e_type(Le) == elf::ET_REL;
        let start = if is_relocatable { 0 } else { section.sh_addr(Le) };
        Some((index, symbol.st_value(Le).checked_sub(start)?))
    }

    /// Returns the descriptors of kernels: 64 bytes of constants with a symbol that ends in
    /// `.kd`.
    pub(super) fn descriptors(&self) -> Vec<(String, &'a [u8])> {
        let Some((symbols, names)) = self.symbols(elf::SHT_SYMTAB) else { return Vec::new() };
        let descriptor = |symbol: &Sym64<Le>| {
            let (index, offset) = self.place(symbol)?;
            let section = self.sections.section(index).ok()?;
            if is_executable(section) {
                return None;
            }
            let name = name_at(names, symbol.st_name(Le))?;
            let name = name.strip_suffix(".kd").filter(|name| is_name(name))?;
            let bytes = self.contents(section)?.get(usize::try_from(offset).ok()?..)?;
            Some((name.to_owned(), bytes.get(..descriptor::SIZE as usize)?))
        };
        // Names may overlap: what is copied is bounded by the file.
        let mut budget = self.bytes.len();
        let mut found: Vec<_> = symbols
            .iter()
            .filter_map(descriptor)
            .map_while(|(name, bytes)| {
                budget = budget.checked_sub(name.len() + bytes.len())?;
                Some((name, bytes))
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn segments(&self) -> Result<Vec<Code<'a>>, Error> {
        let rows = self.header.program_headers(Le, self.bytes).map_err(|_| Error::Truncated)?;
        let mut codes = Vec::new();
        let mut budget = self.bytes.len();
        for row in rows {
            let runs = row.p_flags(Le).0 & elf::PF_X.0 != 0;
            if row.p_type(Le) != elf::PT_LOAD || !runs {
                continue;
            }
            let bytes = row.data(Le, self.bytes).map_err(|()| Error::Truncated)?;
            budget = budget.checked_sub(bytes.len()).ok_or(Error::Overlap)?;
            codes.push(Code { name: String::new(), bytes, marks: Vec::new() });
        }
        Ok(codes)
    }

    /// Adds the symbols of the first table of symbols that has any in code.
    fn add_symbols(&self, sections: &[SectionIndex], codes: &mut [Code<'a>]) {
        for kind in [elf::SHT_SYMTAB, elf::SHT_DYNSYM] {
            let Some((symbols, names)) = self.symbols(kind) else { continue };
            // Names may overlap: a table of many symbols must not become many copies.
            let mut budget = self.bytes.len();
            for symbol in symbols {
                // One that is not a name in code is passed over.
                let _ = self.add_symbol(symbol, names, sections, codes, &mut budget);
            }
            if codes.iter().any(|code| !code.marks.is_empty()) {
                break;
            }
        }
    }

    fn add_symbol(
        &self,
        symbol: &Sym64<Le>,
        names: &[u8],
        sections: &[SectionIndex],
        codes: &mut [Code<'a>],
        budget: &mut usize,
    ) -> Option<()> {
        let (index, offset) = self.place(symbol)?;
        let code = codes.get_mut(sections.binary_search_by_key(&index.0, |it| it.0).ok()?)?;
        let offset = usize::try_from(offset).ok()?;
        let kind = symbol.st_type();
        if kind == elf::STT_SECTION || kind == elf::STT_FILE || offset > code.bytes.len() {
            return None;
        }
        let name = name_at(names, symbol.st_name(Le)).filter(|name| is_name(name))?;
        *budget = budget.checked_sub(name.len())?;
        let about = directives(symbol, &name);
        code.marks.push(Mark { offset, kind: MarkKind::Name(name, about) });
        if kind.0 == KERNEL_WITH_HEADER {
            let header = code.bytes.get(offset..offset.checked_add(KERNEL_HEADER)?)?;
            let entry = u64::from_le_bytes(*header.get(16..)?.first_chunk()?);
            // The code begins where the header says, right behind it as a rule.
            let size = usize::try_from(entry)
                .ok()
                .filter(|size| size % 4 == 0 && (4..=0x1_0000).contains(size))
                .unwrap_or(KERNEL_HEADER);
            let size = size.min(code.bytes.len() - offset);
            let what = "the header of the kernel, amd_kernel_code_t".to_owned();
            code.marks.push(Mark { offset, kind: MarkKind::Data(size, what) });
        }
        Some(())
    }
}

/// The directives of a symbol that other files see, or that has a type or a size.
fn directives(symbol: &Sym64<Le>, name: &str) -> Vec<String> {
    let binding = match symbol.st_bind() {
        elf::STB_GLOBAL => Some(".globl"),
        elf::STB_WEAK => Some(".weak"),
        _ => None,
    };
    let visibility = match symbol.st_other.0 & 3 {
        1 => Some(".internal"),
        2 => Some(".hidden"),
        3 => Some(".protected"),
        _ => None,
    };
    let kind = match symbol.st_type() {
        elf::STT_FUNC => Some("function"),
        elf::STT_OBJECT => Some("object"),
        _ => None,
    };
    let seen = [binding, visibility].into_iter().flatten().map(|it| format!("{it} {name}"));
    let kind = kind.map(|kind| format!(".type {name},@{kind}"));
    let size =
        Some(symbol.st_size(Le)).filter(|it| *it > 0).map(|it| format!(".size {name}, {it}"));
    seen.chain(kind).chain(size).collect()
}

fn is_executable(section: &SectionHeader64<Le>) -> bool {
    section.sh_flags(Le).0 & elf::SHF_EXECINSTR.0 != 0
}

/// Tells whether an assembler takes the name as it stands.
fn is_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'$');
    name.bytes().next().is_some_and(letter)
        && name.bytes().all(|byte| letter(byte) || byte.is_ascii_digit())
}

/// Returns the name at a place of a table of names. A table without ends would be read
/// anew for each of its names, so no name is longer than any assembler's.
fn name_at(table: &[u8], offset: u32) -> Option<String> {
    let start = u64::from(offset);
    let end = (table.len() as u64).min(start + LONGEST_NAME as u64);
    let name = StringTable::new(table, 0, end).get(offset).ok()?;
    Some(String::from_utf8_lossy(name).into_owned())
}
