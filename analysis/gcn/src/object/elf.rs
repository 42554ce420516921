//! The part of ELF that code objects need: machine, executable sections, symbols.
//!
//! Numbers and layouts are those of the System V ABI (generic, ELF64) and of
//! LLVM's AMDGPUUsage (code objects).

use super::Error;
use crate::Target;
use crate::assembler::descriptor;

/// AMD GPUs.
const MACHINE: u16 = 224;
/// The bits of the flags that name the chip.
const CHIP: u32 = 0xff;
const SECTION_SYMBOLS: u32 = 2;
const SECTION_NOTE: u32 = 7;
const SECTION_NOBITS: u32 = 8;
const SECTION_DYNAMIC_SYMBOLS: u32 = 11;
const EXECUTABLE: u64 = 4;
const SEGMENT_LOAD: u32 = 1;
const SEGMENT_EXECUTABLE: u32 = 1;
const RELOCATABLE: u16 = 1;
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
    kind: u16,
    flags: u32,
    system: u8,
    sections: Vec<SectionHeader>,
    names: usize,
}

struct SectionHeader {
    name: usize,
    kind: u32,
    flags: u64,
    address: u64,
    offset: u64,
    size: u64,
    link: usize,
}

/// A place in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// Bytes from the start of the code.
    pub(super) offset: usize,
    pub(super) kind: MarkKind,
}

/// What is at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A symbol.
    Name(String),
    /// So many bytes that are no code: the header of a kernel.
    Header(usize),
}

/// Code of a file.
pub(super) struct Code<'a> {
    pub(super) name: String,
    pub(super) bytes: &'a [u8],
    /// In the order of their places.
    pub(super) marks: Vec<Mark>,
}

impl<'a> Elf<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Elf<'a>, Error> {
        if bytes.get(4..6) != Some(&[2, 1]) {
            return Err(Error::Format);
        }
        let machine = u16_at(bytes, 18).ok_or(Error::Truncated)?;
        if machine != MACHINE {
            return Err(Error::Machine(machine));
        }
        let header = || {
            Some((
                u16_at(bytes, 16)?,
                u64_at(bytes, 40)?,
                u32_at(bytes, 48)?,
                usize::from(u16_at(bytes, 58)?),
                usize::from(u16_at(bytes, 60)?),
                usize::from(u16_at(bytes, 62)?),
            ))
        };
        let (kind, table, flags, size, count, names) = header().ok_or(Error::Truncated)?;
        let mut sections = Vec::new();
        if count > 0 {
            if size < 64 {
                return Err(Error::Format);
            }
            let table = part(bytes, table, (size * count) as u64).ok_or(Error::Truncated)?;
            let rows = table.chunks_exact(size).map(section_header);
            sections = rows.collect::<Option<_>>().ok_or(Error::Truncated)?;
        }
        Ok(Elf { bytes, kind, flags, system: bytes[7], sections, names })
    }

    /// The chip that the file is for.
    pub(super) fn target(&self) -> Result<Target, Error> {
        let number = self.flags & CHIP;
        match Target::of_machine(number) {
            Some(target) => Ok(target),
            None if number == 0 => self.noted_target().ok_or(Error::NoTarget),
            None => Err(Error::Chip(number)),
        }
    }

    /// The system that loads it, as target triples name it.
    pub(super) fn system(&self) -> &'static str {
        match self.system {
            65 => "amdpal",
            66 => "mesa3d",
            _ => "amdhsa",
        }
    }

    /// The chip of a note, which code objects of version 2 have.
    fn noted_target(&self) -> Option<Target> {
        // Sections may overlap: what is looked through is bounded by the file.
        let mut budget = self.bytes.len();
        for section in self.sections.iter().filter(|section| section.kind == SECTION_NOTE) {
            let mut rest = self.contents(section)?;
            budget = budget.checked_sub(rest.len())?;
            while let (Some(name), Some(size), Some(kind)) =
                (u32_at(rest, 0), u32_at(rest, 4), u32_at(rest, 8))
            {
                let padded = |size: u32| (size as usize).checked_next_multiple_of(4);
                let start = padded(name)?.checked_add(12)?;
                let end = start.checked_add(padded(size)?)?;
                let Some(text) = rest.get(start..end.min(rest.len())) else { break };
                if kind == NOTE_ISA && rest.get(12..15) == Some(b"AMD") {
                    let [major, minor, step] = [4, 8, 12].map(|at| u32_at(text, at));
                    return Target::find(&format!("gfx{}{}{:x}", major?, minor?, step?));
                }
                rest = rest.get(end..).unwrap_or_default();
            }
        }
        None
    }

    fn contents(&self, section: &SectionHeader) -> Option<&'a [u8]> {
        part(self.bytes, section.offset, section.size)
    }

    fn section_name(&self, section: &SectionHeader) -> String {
        let table = self.sections.get(self.names).and_then(|names| self.contents(names));
        table.and_then(|table| name_at(table, section.name)).unwrap_or_default()
    }

    /// The executable sections, or without sections the executable segments.
    pub(super) fn codes(&self) -> Result<Vec<Code<'a>>, Error> {
        let executable = |section: &&SectionHeader| {
            section.flags & EXECUTABLE != 0 && section.kind != SECTION_NOBITS && section.size > 0
        };
        let sections: Vec<usize> =
            (0..self.sections.len()).filter(|index| executable(&&self.sections[*index])).collect();
        let mut codes = Vec::new();
        let mut budget = self.bytes.len();
        for index in &sections {
            let section = &self.sections[*index];
            let bytes = self.contents(section).ok_or(Error::Truncated)?;
            budget = budget.checked_sub(bytes.len()).ok_or(Error::Overlap)?;
            codes.push(Code { name: self.section_name(section), bytes, marks: Vec::new() });
        }
        if sections.is_empty() {
            return self.segments();
        }
        self.add_symbols(&sections, &mut codes);
        Ok(codes)
    }

    /// The descriptors of kernels: 64 bytes of constants with a symbol that ends in `.kd`.
    pub(super) fn descriptors(&self) -> Vec<(String, &'a [u8])> {
        let Some(table) = self.sections.iter().find(|section| section.kind == SECTION_SYMBOLS)
        else {
            return Vec::new();
        };
        let names = self.sections.get(table.link).and_then(|names| self.contents(names));
        let (Some(rows), Some(names)) = (self.contents(table), names) else { return Vec::new() };
        let descriptor = |row: &[u8]| {
            let section = self.sections.get(usize::from(u16_at(row, 6)?))?;
            if section.flags & EXECUTABLE != 0 || section.kind == SECTION_NOBITS {
                return None;
            }
            let name = name_at(names, u32_at(row, 0)? as usize)?;
            let name = name.strip_suffix(".kd").filter(|name| is_name(name))?;
            let start = if self.kind == RELOCATABLE { 0 } else { section.address };
            let offset = u64_at(row, 8)?.checked_sub(start)?;
            let bytes = part(self.contents(section)?, offset, u64::from(descriptor::SIZE))?;
            Some((name.to_owned(), bytes))
        };
        // Names may overlap: what is copied is bounded by the file.
        let mut budget = self.bytes.len();
        let mut found: Vec<_> = rows
            .chunks_exact(24)
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
        let header = || {
            let (table, size) = (u64_at(self.bytes, 32)?, usize::from(u16_at(self.bytes, 54)?));
            let count = usize::from(u16_at(self.bytes, 56)?);
            let size = size.max(56);
            if count == 0 {
                return Some((&[][..], size));
            }
            Some((part(self.bytes, table, (size * count) as u64)?, size))
        };
        let (table, size) = header().ok_or(Error::Truncated)?;
        let mut codes = Vec::new();
        let mut budget = self.bytes.len();
        for row in table.chunks_exact(size) {
            let loads = u32_at(row, 0) == Some(SEGMENT_LOAD);
            let runs = u32_at(row, 4).is_some_and(|flags| flags & SEGMENT_EXECUTABLE != 0);
            if !(loads && runs) {
                continue;
            }
            let place = u64_at(row, 8).zip(u64_at(row, 32));
            let bytes = place.and_then(|(offset, size)| part(self.bytes, offset, size));
            let bytes = bytes.ok_or(Error::Truncated)?;
            budget = budget.checked_sub(bytes.len()).ok_or(Error::Overlap)?;
            codes.push(Code { name: String::new(), bytes, marks: Vec::new() });
        }
        Ok(codes)
    }

    /// Adds the symbols of the first table of symbols that has any in code.
    fn add_symbols(&self, sections: &[usize], codes: &mut [Code<'a>]) {
        for kind in [SECTION_SYMBOLS, SECTION_DYNAMIC_SYMBOLS] {
            let Some(table) = self.sections.iter().find(|section| section.kind == kind) else {
                continue;
            };
            let names = self.sections.get(table.link).and_then(|names| self.contents(names));
            let (Some(rows), Some(names)) = (self.contents(table), names) else { continue };
            // Names may overlap: a table of many symbols must not become many copies.
            let mut budget = self.bytes.len();
            for row in rows.chunks_exact(24) {
                let Some(()) = self.add_symbol(row, names, sections, codes, &mut budget) else {
                    continue;
                };
            }
            if codes.iter().any(|code| !code.marks.is_empty()) {
                break;
            }
        }
        for code in codes {
            code.marks.sort_by_key(|mark| mark.offset);
            code.marks.dedup();
        }
    }

    fn add_symbol(
        &self,
        row: &[u8],
        names: &[u8],
        sections: &[usize],
        codes: &mut [Code<'a>],
        budget: &mut usize,
    ) -> Option<()> {
        let kind = row.get(4)? & 15;
        let section = usize::from(u16_at(row, 6)?);
        let position = sections.binary_search(&section).ok()?;
        let address = u64_at(row, 8)?;
        let start = if self.kind == RELOCATABLE { 0 } else { self.sections[section].address };
        let offset = usize::try_from(address.checked_sub(start)?).ok()?;
        let code = codes.get_mut(position)?;
        // Sections and files have symbols too.
        if kind == 3 || kind == 4 || offset > code.bytes.len() {
            return None;
        }
        let name = name_at(names, u32_at(row, 0)? as usize).filter(|name| is_name(name))?;
        *budget = budget.checked_sub(name.len())?;
        code.marks.push(Mark { offset, kind: MarkKind::Name(name) });
        if kind == KERNEL_WITH_HEADER {
            let header = code.bytes.get(offset..offset.checked_add(KERNEL_HEADER)?)?;
            let entry = u64_at(header, 16).and_then(|entry| usize::try_from(entry).ok());
            // The code begins where the header says, right behind it as a rule.
            let size = entry
                .filter(|size| size % 4 == 0 && (4..=0x1_0000).contains(size))
                .unwrap_or(KERNEL_HEADER);
            let size = size.min(code.bytes.len() - offset);
            code.marks.push(Mark { offset, kind: MarkKind::Header(size) });
        }
        Some(())
    }
}

fn section_header(row: &[u8]) -> Option<SectionHeader> {
    Some(SectionHeader {
        name: u32_at(row, 0)? as usize,
        kind: u32_at(row, 4)?,
        flags: u64_at(row, 8)?,
        address: u64_at(row, 16)?,
        offset: u64_at(row, 24)?,
        size: u64_at(row, 32)?,
        link: u32_at(row, 40)? as usize,
    })
}

/// Whether an assembler takes the name as it stands.
fn is_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'$');
    name.bytes().next().is_some_and(letter)
        && name.bytes().all(|byte| letter(byte) || byte.is_ascii_digit())
}

fn name_at(table: &[u8], offset: usize) -> Option<String> {
    let rest = table.get(offset..)?;
    let rest = &rest[..rest.len().min(LONGEST_NAME)];
    let name = rest.split(|byte| *byte == 0).next()?;
    // Without its end it is cut, and no name.
    (name.len() < rest.len()).then(|| String::from_utf8_lossy(name).into_owned())
}

fn part(bytes: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    bytes.get(start..end)
}

fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}
