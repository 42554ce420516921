//! The code of an emitted object, and what a shared library says of itself without being
//! loaded.
//!
//! A libLLVM candidate may be any file: what is asked of it is read, and no more.

use object::elf::{self, FileHeader64, GnuHashHeader, Sym64};
use object::read::ReadRef;
use object::read::elf::{Dyn as _, FileHeader as _, SectionHeader as _, SectionTable, Sym as _};
use object::{LittleEndian as Le, U32};

type Header = FileHeader64<Le>;

/// Symbols tried in one bucket of a hash table before giving up.
const MAXIMAL_CHAIN: u64 = 4096;

/// An ELF file of 64 bits, little endian.
pub(crate) struct Object<'a, R: ReadRef<'a>> {
    source: R,
    header: &'a Header,
    sections: SectionTable<'a, Header, R>,
}

impl<'a, R: ReadRef<'a>> Object<'a, R> {
    /// Reads the headers; `None` if this is no such file.
    pub(crate) fn open(source: R) -> Option<Object<'a, R>> {
        let header = Header::parse(source).ok().filter(|it| it.is_little_endian())?;
        Some(Object { source, header, sections: header.sections(Le, source).ok()? })
    }

    /// Returns the machine number of the header, 62 for x86-64.
    pub(crate) fn machine(&self) -> u16 {
        self.header.e_machine(Le).0
    }

    /// Returns the bytes of the named section.
    pub(crate) fn section(&self, name: &str) -> Option<&'a [u8]> {
        let (_, section) = self.sections.section_by_name(Le, name.as_bytes())?;
        section.data(Le, self.source).ok()
    }

    /// Returns the name a shared library gives itself.
    pub(crate) fn shared_name(&self) -> Option<String> {
        let (entries, strings) = self.sections.dynamic(Le, self.source).ok()??;
        let strings = self.sections.strings(Le, self.source, strings).ok()?;
        let entry = entries.iter().find(|entry| entry.d_tag(Le) == elf::DT_SONAME)?;
        let name = strings.get(u32::try_from(entry.d_val(Le)).ok()?).ok()?;
        String::from_utf8(name.to_vec()).ok()
    }

    /// Tells whether a shared library defines this symbol; `None` if it has no hash table
    /// to ask. Reads a bucket, its chain and the names wanted: the tables of an LLVM have
    /// megabytes.
    pub(crate) fn defines(&self, symbol: &str) -> Option<bool> {
        let table = self.sections.iter().find(|it| it.sh_type(Le) == elf::SHT_GNU_HASH)?;
        let symbols = self.sections.section(table.link(Le)).ok()?;
        let names = self.sections.strings(Le, self.source, symbols.link(Le)).ok()?;
        let at = table.sh_offset(Le);
        let header: &GnuHashHeader<Le> = self.source.read_at(at).ok()?;
        let count = u64::from(header.bucket_count.get(Le));
        let hash = elf::gnu_hash(symbol.as_bytes());
        let Some(number) = u64::from(hash).checked_rem(count) else { return Some(false) };
        // No sum wraps: the header's place lies in the file.
        let buckets = at + 16 + 8 * u64::from(header.bloom_count.get(Le));
        let chains = buckets + 4 * count;
        let first = self.word(buckets + 4 * number)?;
        for index in first..first + MAXIMAL_CHAIN {
            let Some(position) = index.checked_sub(header.symbol_base.get(Le).into()) else {
                return Some(false);
            };
            let link = self.word(chains + 4 * position)?;
            // The lowest bit marks the end of the chain.
            if link | 1 == u64::from(hash) | 1 {
                let row = symbols.sh_offset(Le).checked_add(24 * index)?;
                let found: &Sym64<Le> = self.source.read_at(row).ok()?;
                if found.name(Le, names).ok()? == symbol.as_bytes() {
                    return Some(true);
                }
            }
            if link & 1 == 1 {
                return Some(false);
            }
        }
        None
    }

    /// Returns the word of 32 bits at an offset.
    fn word(&self, at: u64) -> Option<u64> {
        self.source.read_at::<U32<Le>>(at).ok().map(|word| word.get(Le).into())
    }
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
        let table: Vec<u8> = [1_u32, 1, 1, 0, u32::MAX, u32::MAX, 1, hash | 1]
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
            (0, elf::SHT_DYNSYM.0, 3, &symbols),
            (0, elf::SHT_GNU_HASH.0, 4, &table),
            (0, elf::SHT_DYNAMIC.0, 3, &dynamic),
        ];
        let mut bytes = vec![0; 64 + 64 * parts.len()];
        bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
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
        let object = Object::open(bytes.as_slice()).unwrap();
        assert_eq!(object.machine(), 62);
        assert_eq!(object.section(".text"), Some(&[1, 2, 3, 4][..]));
        assert_eq!(object.section(".data"), None);
        assert_eq!(object.shared_name().as_deref(), Some("libx.so.15"));
        assert_eq!(object.defines("found"), Some(true));
        assert_eq!(object.defines("missing"), Some(false));
    }

    #[test]
    fn every_damaged_file_gets_some_answer() {
        let bytes = file();
        let ask = |bytes: &[u8]| {
            if let Some(object) = Object::open(bytes) {
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
