//! Code objects: the repository's own, and made ones whose tables say what they like, with
//! damage to their offsets, sizes and counts.

use std::path::Path;

use super::fields::Field;
use crate::random_shaders::Numbers;

/// Bytes of an ELF header, of a section's and a segment's row, and of a symbol.
const HEADER: usize = 64;
const SECTION: usize = 64;
const SEGMENT: usize = 56;
const SYMBOL: usize = 24;

/// Bytes that a file has at most.
const LONGEST: usize = 40_000;

/// The fields of an ELF header, of a section, a segment and a symbol: offset and width.
const OF_HEADER: [(usize, usize); 14] = [
    (4, 1),
    (5, 1),
    (7, 1),
    (8, 1),
    (16, 2),
    (18, 2),
    (32, 8),
    (40, 8),
    (48, 4),
    (54, 2),
    (56, 2),
    (58, 2),
    (60, 2),
    (62, 2),
];
const OF_SECTION: [(usize, usize); 10] =
    [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8)];
const OF_SEGMENT: [(usize, usize); 8] =
    [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8), (48, 8)];
const OF_SYMBOL: [(usize, usize); 6] = [(0, 4), (4, 1), (5, 1), (6, 2), (8, 8), (16, 8)];
/// Lengths and the type of a note.
const OF_NOTE: [(usize, usize); 3] = [(0, 4), (4, 4), (8, 4)];
/// Of a descriptor, and of the header before a kernel of older objects.
const OF_DESCRIPTOR: [(usize, usize); 9] =
    [(0, 4), (4, 4), (8, 4), (16, 8), (44, 4), (48, 4), (52, 4), (56, 2), (58, 2)];

/// Files of code, sound ones to begin with.
pub struct Objects(Vec<Vec<u8>>);

impl Objects {
    /// The code objects in a folder.
    ///
    /// # Panics
    /// Where there is none.
    pub fn of(folder: &Path) -> Objects {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let files: Vec<_> = paths.iter().filter_map(|path| std::fs::read(path).ok()).collect();
        assert!(!files.is_empty(), "no object in {}", folder.display());
        Objects(files)
    }

    /// A file with some damage.
    pub fn file(&self, random: &mut Numbers) -> Vec<u8> {
        let mut bytes = match random.once_in(3) {
            true => made(random),
            false => self.0[random.below(self.0.len())].clone(),
        };
        for _ in 0..random.below(7) {
            self.damage(&mut bytes, random);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn damage(&self, bytes: &mut Vec<u8>, random: &mut Numbers) {
        let at = random.below(bytes.len());
        match random.below(12) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.below(256) as u8),
            2 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            3 => {
                let other = &self.0[random.below(self.0.len())];
                let from = random.below(other.len());
                let until = (from + random.below(300)).min(other.len());
                bytes.splice(at..at, other[from..until].iter().copied());
            }
            _ => {
                let fields = fields(bytes);
                if let Some(field) = fields.get(random.below(fields.len())) {
                    field.damage(bytes, random);
                }
            }
        }
    }
}

/// The fields of a file, as far as its headers lead to them.
fn fields(bytes: &[u8]) -> Vec<Field> {
    let mut all = Vec::new();
    let mut row =
        |start: usize, fields: &[(usize, usize)]| {
            all.extend(fields.iter().map(|(offset, width)| Field {
                offset: start.saturating_add(*offset),
                width: *width,
            }));
        };
    // What a field says that may be beyond the end.
    let said = |start: usize, (offset, width): (usize, usize)| {
        Field { offset: start.saturating_add(offset), width }.get(bytes) as usize
    };
    row(0, &OF_HEADER);
    let (segments, sections) = (said(0, (32, 8)), said(0, (40, 8)));
    for number in 0..said(0, (56, 2)).min(16) {
        row(segments.saturating_add(number * SEGMENT), &OF_SEGMENT);
    }
    for number in 0..said(0, (60, 2)).min(40) {
        let start = sections.saturating_add(number * SECTION);
        row(start, &OF_SECTION);
        let (kind, contents) = (said(start, (4, 4)), said(start, (24, 8)));
        let size = said(start, (32, 8));
        match kind {
            2 | 11 => (0..size / SYMBOL).take(40).for_each(|number| {
                row(contents.saturating_add(number * SYMBOL), &OF_SYMBOL);
            }),
            7 => row(contents, &OF_NOTE),
            // A section of data as long as descriptors are, or one of code with a header.
            1 if size % 64 == 0 => row(contents, &OF_DESCRIPTOR),
            _ => {}
        }
    }
    all.retain(|field| field.offset.saturating_add(field.width) <= bytes.len());
    all
}

/// An object with some sections, symbols and notes.
fn made(random: &mut Numbers) -> Vec<u8> {
    const NAMES: &[u8] = b"\0.text\0.rodata\0.note\0.strtab\0.symtab\0main\0main.kd\0a b\0_x\0";
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    bytes.resize(HEADER, 0);
    let mut rows: Vec<[u64; 6]> = vec![[0; 6]];
    let mut add = |bytes: &mut Vec<u8>, kind: u64, flags: u64, contents: Vec<u8>| {
        let place = (bytes.len() as u64, contents.len() as u64);
        bytes.extend(contents);
        rows.push([name_of(kind), kind, flags, place.0, place.1, 1]);
    };
    add(&mut bytes, 3, 0, NAMES.to_vec());
    for _ in 0..1 + random.below(3) {
        let words = (0..random.below(80)).map(|_| random.below(1 << 32) as u32);
        let code = words.map(|word| if word % 3 == 0 { 0xbf81_0000 } else { word });
        let mut contents: Vec<u8> = code.flat_map(u32::to_le_bytes).collect();
        if random.once_in(3) {
            // The header of a kernel is in front of its code.
            contents.splice(0..0, (0..256).map(|at| u8::from(at == 17)));
        }
        add(&mut bytes, 1, if random.once_in(4) { 2 } else { 6 }, contents);
    }
    add(
        &mut bytes,
        1,
        2,
        (0..64 * (1 + random.below(3))).map(|_| random.below(256) as u8).collect(),
    );
    let note = [4_u32, 20, 3, u32::from_le_bytes(*b"AMD\0"), 0, 8, 0, 3, 0].map(u32::to_le_bytes);
    add(&mut bytes, 7, 0, note.concat());
    let symbols = (0..1 + random.below(12)).flat_map(|_| {
        let name = random.below(NAMES.len() + 4) as u32;
        let kind = [0, 1, 2, 2, 3, 10][random.below(6)];
        let head = [name.to_le_bytes(), [kind, 0, random.below(7) as u8, 0]].concat();
        let value = 4 * random.below(100) as u64;
        [head, value.to_le_bytes().to_vec(), 64_u64.to_le_bytes().to_vec()].concat()
    });
    let symbols: Vec<u8> = symbols.collect();
    add(&mut bytes, 2, 0, symbols);
    let chips = [0, 0x20, 0x22, 0x2a, 0x2c, 0x2f, 0x30];
    let chip = chips[random.below(chips.len())];
    with_tables(bytes, &rows, random.below(4) as u64, chip)
}

/// A file with the rows of its sections behind it: name, type, flags, offset, size, link.
fn with_tables(mut bytes: Vec<u8>, rows: &[[u64; 6]], kind: u64, chip: u64) -> Vec<u8> {
    let (table, count) = (bytes.len() as u64, rows.len() as u64);
    for [name, kind, flags, offset, size, link] in rows {
        let start = bytes.len();
        bytes.resize(start + SECTION, 0);
        let values = [*name, *kind, *flags, 0, *offset, *size, *link];
        for ((offset, width), value) in OF_SECTION.into_iter().zip(values) {
            Field { offset: start + offset, width }.set(&mut bytes, value);
        }
    }
    for (offset, width, value) in [
        (16, 2, kind),
        (18, 2, 224),
        (40, 8, table),
        (48, 4, chip),
        (58, 2, 64),
        (60, 2, count),
        (62, 2, 1),
    ] {
        Field { offset, width }.set(&mut bytes, value);
    }
    bytes
}

/// A sound object with so many words of code and as many symbols, each at its place.
pub fn with_symbols(count: usize, place: fn(usize) -> usize) -> Vec<u8> {
    let names = b"\0.text\0main\0\0";
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    bytes.resize(HEADER, 0);
    bytes.extend(names);
    let code = bytes.len();
    bytes.extend(0xbf80_0000_u32.to_le_bytes().repeat(count));
    let symbols = bytes.len();
    for number in 0..count {
        bytes.extend([7, 0, 0, 0, 2, 0, 2, 0]);
        bytes.extend((place(number) as u64).to_le_bytes());
        bytes.extend([0; 8]);
    }
    let rows = [
        [0; 6],
        [0, 3, 0, HEADER as u64, names.len() as u64, 0],
        [1, 1, 6, code as u64, (symbols - code) as u64, 0],
        [0, 2, 0, symbols as u64, (SYMBOL * count) as u64, 1],
    ];
    with_tables(bytes, &rows, 1, 0x2a)
}

/// A sound object of gfx803 with a kernel of some code.
pub fn with_code(code: &[u8]) -> Vec<u8> {
    let names = b"\0.text\0main\0\0";
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    bytes.resize(HEADER, 0);
    bytes.extend(names);
    let start = bytes.len();
    bytes.extend(code);
    let symbols = bytes.len();
    bytes.extend([7, 0, 0, 0, 2, 0, 2, 0]);
    bytes.extend([0; SYMBOL - 8]);
    let rows = [
        [0; 6],
        [0, 3, 0, HEADER as u64, names.len() as u64, 0],
        [1, 1, 6, start as u64, code.len() as u64, 0],
        [0, 2, 0, symbols as u64, SYMBOL as u64, 1],
    ];
    with_tables(bytes, &rows, 1, 0x2a)
}

/// A sound object with so many sections of code, each with a symbol of its own.
pub fn with_sections(count: usize) -> Vec<u8> {
    let names = b"\0.text\0main\0\0";
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    bytes.resize(HEADER, 0);
    bytes.extend(names);
    let mut rows = vec![[0; 6], [0, 3, 0, HEADER as u64, names.len() as u64, 0]];
    for _ in 0..count {
        rows.push([1, 1, 6, bytes.len() as u64, 4, 0]);
        bytes.extend(0xbf80_0000_u32.to_le_bytes());
    }
    let symbols = bytes.len();
    for number in 0..count {
        bytes.extend([7, 0, 0, 0, 2, 0]);
        bytes.extend((number as u16 + 2).to_le_bytes());
        bytes.extend([0; 16]);
    }
    rows.push([0, 2, 0, symbols as u64, (SYMBOL * count) as u64, 1]);
    with_tables(bytes, &rows, 1, 0x2a)
}

/// An object that only notes name the chip of, with so many sections of notes that are all the
/// same one, and as many notes in it.
pub fn with_notes(count: usize) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    bytes.resize(HEADER, 0);
    let note = [4_u32, 0, 1].map(u32::to_le_bytes).concat();
    bytes.extend([note, b"NON\0".to_vec()].concat().repeat(count));
    let length = (bytes.len() - HEADER) as u64;
    let rows: Vec<[u64; 6]> = (0..count).map(|_| [0, 7, 0, HEADER as u64, length, 0]).collect();
    with_tables(bytes, &rows, 1, 0)
}

/// Returns the place of the name of a kind of section among the names.
fn name_of(kind: u64) -> u64 {
    match kind {
        1 => 1,
        2 => 29,
        7 => 15,
        _ => 21,
    }
}
