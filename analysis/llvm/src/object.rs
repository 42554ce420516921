//! A small ELF reader: the code of an emitted object, and what a shared
//! library says of itself without being loaded.
//!
//! Every offset is checked and every read is bounded, since a libLLVM
//! candidate may be any file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// More sections than any object or library of ours has.
const MAXIMAL_SECTIONS: u64 = 0x1_0000;
/// A bound for one read of a table.
const MAXIMAL_READ: u64 = 1 << 28;
/// Symbols tried in one bucket of a hash table before giving up.
const MAXIMAL_CHAIN: u64 = 4096;

const SECTION_DYNAMIC: u32 = 6;
const SECTION_SYMBOLS: u32 = 11;
const SECTION_HASH: u32 = 0x6fff_fff6;
const DYNAMIC_SONAME: u64 = 14;

/// Something that can be read at an offset.
pub(crate) trait Source {
    /// Exactly `length` bytes at `offset`, or nothing.
    fn read(&mut self, offset: u64, length: u64) -> Option<Vec<u8>>;
}

impl Source for &[u8] {
    fn read(&mut self, offset: u64, length: u64) -> Option<Vec<u8>> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        Some(self.get(start..end)?.to_vec())
    }
}

impl Source for File {
    fn read(&mut self, offset: u64, length: u64) -> Option<Vec<u8>> {
        if length > MAXIMAL_READ {
            return None;
        }
        self.seek(SeekFrom::Start(offset)).ok()?;
        let mut bytes = Vec::new();
        self.by_ref().take(length).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 == length).then_some(bytes)
    }
}

struct Section {
    name: u32,
    kind: u32,
    offset: u64,
    size: u64,
    link: u32,
}

/// An ELF file of 64 bits, little endian.
pub(crate) struct Object<S> {
    source: S,
    machine: u16,
    sections: Vec<Section>,
    names: u16,
}

impl<S: Source> Object<S> {
    /// Reads the headers; `None` if this is no such file.
    pub(crate) fn open(mut source: S) -> Option<Object<S>> {
        let header = source.read(0, 64)?;
        // Magic, 64 bits, little endian.
        if header.get(..6)? != b"\x7fELF\x02\x01" {
            return None;
        }
        let machine = u16_at(&header, 18)?;
        let table = u64_at(&header, 40)?;
        let entry = u64::from(u16_at(&header, 58)?);
        let count = u64::from(u16_at(&header, 60)?);
        let names = u16_at(&header, 62)?;
        if entry < 64 || count > MAXIMAL_SECTIONS {
            return None;
        }
        let bytes = source.read(table, entry * count)?;
        let sections = bytes
            .chunks_exact(usize::try_from(entry).ok()?)
            .map(|row| {
                Some(Section {
                    name: u32_at(row, 0)?,
                    kind: u32_at(row, 4)?,
                    offset: u64_at(row, 24)?,
                    size: u64_at(row, 32)?,
                    link: u32_at(row, 40)?,
                })
            })
            .collect::<Option<Vec<_>>>()?;
        Some(Object { source, machine, sections, names })
    }

    /// The machine number of the header, 62 for x86-64.
    pub(crate) fn machine(&self) -> u16 {
        self.machine
    }

    /// The bytes of the named section.
    pub(crate) fn section(&mut self, name: &str) -> Option<Vec<u8>> {
        let names = self.contents(usize::from(self.names))?;
        let index = self
            .sections
            .iter()
            .position(|section| string_at(&names, section.name.into()) == Some(name.as_bytes()))?;
        self.contents(index)
    }

    /// The name a shared library gives itself.
    pub(crate) fn shared_name(&mut self) -> Option<String> {
        let dynamic = self.of_kind(SECTION_DYNAMIC)?;
        let strings = self.sections.get(dynamic)?.link as usize;
        let entries = self.contents(dynamic)?;
        let entry =
            entries.chunks_exact(16).find(|entry| u64_at(entry, 0) == Some(DYNAMIC_SONAME))?;
        let name = self.string(strings, u64_at(entry, 8)?, 256)?;
        String::from_utf8(name).ok()
    }

    /// Does a shared library define this symbol? `None` if it has no hash
    /// table to ask; a look-up costs a handful of small reads where the name
    /// table of an LLVM has megabytes.
    pub(crate) fn defines(&mut self, symbol: &str) -> Option<bool> {
        let symbols = self.of_kind(SECTION_SYMBOLS)?;
        let (symbols_at, symbols_size) = self.place(symbols)?;
        let strings = self.sections.get(symbols)?.link as usize;
        let hash_section = self.of_kind(SECTION_HASH)?;
        let (table, _) = self.place(hash_section)?;
        let header = self.source.read(table, 16)?;
        let buckets = u64::from(u32_at(&header, 0)?);
        let first_hashed = u64::from(u32_at(&header, 4)?);
        let filter_words = u64::from(u32_at(&header, 8)?);
        if buckets == 0 {
            return Some(false);
        }
        let hash = symbol
            .bytes()
            .fold(5381_u32, |hash, byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte)));
        let buckets_at = table.checked_add(16 + filter_words * 8)?;
        let bucket = self.source.read(buckets_at + u64::from(hash) % buckets * 4, 4)?;
        let first = u64::from(u32_at(&bucket, 0)?);
        if first < first_hashed {
            return Some(false);
        }
        for index in first..first + MAXIMAL_CHAIN {
            let link =
                self.source.read(buckets_at + buckets * 4 + (index - first_hashed) * 4, 4)?;
            let link = u32_at(&link, 0)?;
            // The lowest bit marks the end of the chain.
            if link | 1 == hash | 1 {
                if (index + 1) * 24 > symbols_size {
                    return None;
                }
                let row = self.source.read(symbols_at + index * 24, 24)?;
                let length = symbol.len() as u64 + 1;
                let name = self.string(strings, u32_at(&row, 0)?.into(), length)?;
                if name == symbol.as_bytes() {
                    return Some(true);
                }
            }
            if link & 1 == 1 {
                return Some(false);
            }
        }
        None
    }

    fn of_kind(&self, kind: u32) -> Option<usize> {
        self.sections.iter().position(|section| section.kind == kind)
    }

    fn place(&self, index: usize) -> Option<(u64, u64)> {
        let section = self.sections.get(index)?;
        // Below half the range, sums with table offsets cannot wrap.
        (section.offset < 1 << 62 && section.size < 1 << 62)
            .then_some((section.offset, section.size))
    }

    fn contents(&mut self, index: usize) -> Option<Vec<u8>> {
        let (offset, size) = self.place(index)?;
        self.source.read(offset, size)
    }

    /// A string of at most `length` bytes in a string table.
    fn string(&mut self, table: usize, offset: u64, length: u64) -> Option<Vec<u8>> {
        let (start, size) = self.place(table)?;
        let length = length.min(size.checked_sub(offset)?);
        let bytes = self.source.read(start + offset, length)?;
        Some(bytes.into_iter().take_while(|byte| *byte != 0).collect())
    }
}

fn string_at(table: &[u8], offset: u64) -> Option<&[u8]> {
    table.get(usize::try_from(offset).ok()?..)?.split(|byte| *byte == 0).next()
}

fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(offset..offset + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(offset..offset + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(offset..offset + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a section of code, its names, and a table of symbols that
    /// defines `found` alone.
    fn file() -> Vec<u8> {
        let names = b"\0.text\0";
        let strings = b"\0found\0libx.so.15\0";
        let hash = b"found"
            .iter()
            .fold(5381_u32, |hash, byte| hash.wrapping_mul(33).wrapping_add(u32::from(*byte)));
        let mut symbols = vec![0; 48];
        symbols[24] = 1;
        // One bucket, first symbol 1, one filter word; filter, bucket, chain.
        let table: Vec<u8> = [1_u32, 1, 1, 0, 0, 0, 1, hash | 1]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let dynamic: Vec<u8> =
            [14_u64, 7, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        let parts: [(u32, u32, u32, &[u8]); 7] = [
            (0, 0, 0, b""),
            (1, 1, 0, &[1, 2, 3, 4]),
            (0, 3, 0, names),
            (0, 3, 0, strings),
            (0, SECTION_SYMBOLS, 3, &symbols),
            (0, SECTION_HASH, 4, &table),
            (0, SECTION_DYNAMIC, 3, &dynamic),
        ];
        let mut bytes = vec![0; 64 + 64 * parts.len()];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[18] = 62;
        bytes[40] = 64;
        bytes[58] = 64;
        bytes[60] = parts.len() as u8;
        bytes[62] = 2;
        for (index, (name, kind, link, contents)) in parts.into_iter().enumerate() {
            let row = 64 + 64 * index;
            let offset = bytes.len() as u64;
            bytes[row..row + 4].copy_from_slice(&name.to_le_bytes());
            bytes[row + 4..row + 8].copy_from_slice(&kind.to_le_bytes());
            bytes[row + 24..row + 32].copy_from_slice(&offset.to_le_bytes());
            bytes[row + 32..row + 40].copy_from_slice(&(contents.len() as u64).to_le_bytes());
            bytes[row + 40..row + 44].copy_from_slice(&link.to_le_bytes());
            bytes.extend_from_slice(contents);
        }
        bytes
    }

    #[test]
    fn sections_symbols_and_the_name_are_found() {
        let bytes = file();
        let mut object = Object::open(bytes.as_slice()).unwrap();
        assert_eq!(object.machine(), 62);
        assert_eq!(object.section(".text"), Some(vec![1, 2, 3, 4]));
        assert_eq!(object.section(".data"), None);
        assert_eq!(object.shared_name().as_deref(), Some("libx.so.15"));
        assert_eq!(object.defines("found"), Some(true));
        assert_eq!(object.defines("missing"), Some(false));
    }

    #[test]
    fn every_damaged_file_gets_some_answer() {
        let bytes = file();
        let ask = |bytes: &[u8]| {
            if let Some(mut object) = Object::open(bytes) {
                let _ = (object.section(".text"), object.shared_name(), object.defines("found"));
            }
        };
        for length in 0..bytes.len() {
            ask(&bytes[..length]);
        }
        for position in 0..bytes.len() {
            for value in [0, 1, 2, 0x10, 0x7f, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[position] = value;
                ask(&damaged);
            }
            let mut damaged = bytes.clone();
            let end = (position + 8).min(bytes.len());
            damaged[position..end].fill(0xff);
            ask(&damaged);
        }
    }
}
