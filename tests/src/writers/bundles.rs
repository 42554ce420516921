//! Bundles of code objects: sound ones, compressed and not, and such with damage to their
//! offsets, sizes and counts.

use std::io::Write as _;
use std::path::Path;

use super::fields::Field;
use super::objects::Objects;
use crate::random_shaders::Numbers;

/// Bytes that a file has at most.
const LONGEST: usize = 60_000;

/// Writes a bundle of entries by their names.
pub fn bundle(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    const ALIGNED: usize = 64;
    let mut bytes = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    bytes.extend((entries.len() as u64).to_le_bytes());
    let table: usize = entries.iter().map(|(name, _)| 24 + name.len()).sum();
    let mut contents = Vec::new();
    let start = bytes.len() + table;
    for (name, own) in entries {
        let place = (start + contents.len()).next_multiple_of(ALIGNED);
        contents.resize(place - start, 0);
        contents.extend(own);
        let row = [place, own.len(), name.len()];
        bytes.extend(row.map(|it| (it as u64).to_le_bytes()).concat());
        bytes.extend(name.as_bytes());
    }
    bytes.extend(contents);
    bytes
}

/// Compresses a bundle with zlib behind a header of a version: 1, 2 or 3.
///
/// # Panics
/// Where there is no such version.
pub fn compressed(version: u16, bundle: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bundle).expect("bytes");
    let packed = encoder.finish().expect("bytes");
    let (all, own) = (packed.len(), bundle.len());
    let short = |size: usize| (size as u32).to_le_bytes().to_vec();
    let long = |size: usize| (size as u64).to_le_bytes().to_vec();
    let sizes = match version {
        1 => short(own),
        2 => [short(24 + all), short(own)].concat(),
        3 => [long(32 + all), long(own)].concat(),
        other => panic!("no version {other}"),
    };
    [b"CCOB", version.to_le_bytes().as_slice(), &[0, 0], &sizes, &[0; 8], &packed].concat()
}

/// Files with several code objects.
pub struct Bundles {
    objects: Objects,
    stored: Vec<Vec<u8>>,
}

impl Bundles {
    /// Made of the code objects in a folder, beside the bundles in another.
    ///
    /// # Panics
    /// Where one of them has none.
    pub fn of(objects: &Path, bundles: &Path) -> Bundles {
        let entries = std::fs::read_dir(bundles).unwrap_or_else(|error| panic!("{error}"));
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let stored: Vec<_> = paths.iter().filter_map(|path| std::fs::read(path).ok()).collect();
        assert!(!stored.is_empty(), "no bundle in {}", bundles.display());
        Bundles { objects: Objects::of(objects), stored }
    }

    /// A file with some damage.
    pub fn file(&self, random: &mut Numbers) -> Vec<u8> {
        let mut bytes = match random.once_in(4) {
            true => self.stored[random.below(self.stored.len())].clone(),
            false => self.made(random),
        };
        // Before it is compressed, and after.
        for _ in 0..=random.below(2) {
            for _ in 0..random.below(4) {
                damage(&mut bytes, random);
            }
            if random.once_in(2) {
                bytes = compressed(1 + random.below(3) as u16, &bytes);
            }
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn made(&self, random: &mut Numbers) -> Vec<u8> {
        const NAMES: [&str; 5] = [
            "host-x86_64-unknown-linux-gnu-",
            "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-",
            "hip-amdgcn-amd-amdhsa--gfx803",
            "a\nb",
            "",
        ];
        let mut bytes = Vec::new();
        for _ in 0..1 + random.below(3) {
            let entries = (0..random.below(5)).map(|_| {
                let contents = match random.below(4) {
                    0 => Vec::new(),
                    1 => compressed(2, &bundle(&[("inner", self.objects.file(random))])),
                    _ => self.objects.file(random),
                };
                (NAMES[random.below(NAMES.len())], contents)
            });
            let next = bundle(&entries.collect::<Vec<_>>());
            bytes.extend(if random.once_in(3) { compressed(3, &next) } else { next });
            bytes.resize(bytes.len() + random.below(64), 0);
        }
        bytes
    }
}

/// Damages a byte, or a number of a header or of a row of the table.
fn damage(bytes: &mut Vec<u8>, random: &mut Numbers) {
    let at = random.below(bytes.len());
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, random.below(256) as u8),
        2 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        3 => {
            let (offset, width) =
                [(4, 2), (6, 2), (8, 4), (8, 8), (12, 4), (16, 8)][random.below(6)];
            Field { offset, width }.damage(bytes, random);
        }
        _ => {
            let mut offset = 24;
            for _ in 0..random.below(4) {
                let length = Field { offset: offset + 24, width: 8 }.get(bytes);
                offset = offset.saturating_add(24).saturating_add(length.min(100) as usize);
            }
            let offset = offset + 8 * random.below(4);
            Field { offset, width: 8 }.damage(bytes, random);
        }
    }
}
