//! The code of an emitted object, and what a shared library says of itself without being
//! loaded.
//!
//! A libLLVM candidate may be any file: what is asked of it is read, and no more.

use object::LittleEndian as Le;
use object::elf::{self, FileHeader64};
use object::read::ReadRef;
use object::read::elf::{Dyn as _, FileHeader as _, SectionHeader as _, SectionTable};

type Header = FileHeader64<Le>;

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
    /// to ask.
    pub(crate) fn defines(&self, symbol: &str) -> Option<bool> {
        let header = self.sections.gnu_hash_header(Le, self.source).ok()??;
        // A look-up shifts a hash of 32 bits by what a damaged table says.
        if header.bloom_shift.get(Le) >= u32::BITS {
            return None;
        }
        let (table, symbols) = self.sections.gnu_hash(Le, self.source).ok()??;
        let symbols = self.sections.symbol_table_by_index(Le, self.source, symbols).ok()?;
        let (name, versions) = (symbol.as_bytes(), Default::default());
        let found = table.find(Le, name, elf::gnu_hash(name), None, &symbols, &versions);
        Some(found.is_some())
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
