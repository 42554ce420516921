//! Archives in the format of zip: no dates, so the same files give the same bytes.

use std::io::Write as _;
use std::path::Path;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// A file of an archive.
pub(crate) struct Entry {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) mode: Mode,
}

/// The permissions of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Everybody may read it.
    Plain,
    /// Everybody may run it.
    Program,
}

impl Mode {
    /// The mode of a regular file, as Unix counts.
    fn bits(self) -> u32 {
        match self {
            Mode::Plain => 0o100_644,
            Mode::Program => 0o100_755,
        }
    }
}

impl Entry {
    /// Reads a file, which the archive has under `path`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn read(file: &Path, path: String, mode: Mode) -> Result<Entry, String> {
        let bytes = std::fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
        Ok(Entry { path, bytes, mode })
    }

    /// Reads all files below a folder, in the order of their names. Those in a folder `bin` are
    /// programs.
    ///
    /// # Errors
    /// A file or folder that cannot be read.
    pub(crate) fn read_all(folder: &Path) -> Result<Vec<Entry>, String> {
        let mut entries = Vec::new();
        let mut open = vec![(folder.to_owned(), String::new())];
        while let Some((folder, path)) = open.pop() {
            let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
            for file in std::fs::read_dir(&folder).map_err(failed)? {
                let file = file.map_err(failed)?.path();
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                if file.is_dir() {
                    open.push((file.clone(), format!("{path}{name}/")));
                } else {
                    let mode = if path.ends_with("bin/") { Mode::Program } else { Mode::Plain };
                    entries.push(Entry::read(&file, format!("{path}{name}"), mode)?);
                }
            }
        }
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(entries)
    }
}

/// The version that archives with folders and deflation need.
const VERSION: u16 = 20;
/// The same, made on Unix: then the mode counts.
const MADE_BY: u16 = 3 << 8 | VERSION;
const DEFLATED: u16 = 8;
/// The first of January 1980, the earliest date there is.
const DATE: u16 = 1 << 5 | 1;

/// Packs files.
///
/// # Errors
/// A file of 4 GiB or more, or too many of them.
pub(crate) fn archive(entries: &[Entry]) -> Result<Vec<u8>, String> {
    let mut all = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let size = |length: usize| {
            u32::try_from(length).map_err(|_| format!("{} is too large", entry.path))
        };
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&entry.bytes).and_then(|()| encoder.finish());
        let packed = packed.map_err(|why| why.to_string())?;
        let mut crc = Crc::new();
        crc.update(&entry.bytes);
        let at = size(all.len())?;
        let mut common = Vec::new();
        for half in [VERSION, 0, DEFLATED, 0, DATE] {
            common.extend(half.to_le_bytes());
        }
        for word in [crc.sum(), size(packed.len())?, size(entry.bytes.len())?] {
            common.extend(word.to_le_bytes());
        }
        common.extend((entry.path.len() as u16).to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        all.extend(b"PK\x03\x04");
        all.extend(&common);
        all.extend(entry.path.as_bytes());
        all.extend(&packed);
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&common);
        // No comment, on the first disk, no attributes of its own.
        directory.extend([0; 6]);
        directory.extend((entry.mode.bits() << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(entry.path.as_bytes());
    }
    let count = u16::try_from(entries.len()).map_err(|_| "too many files".to_owned())?;
    let (start, length) = (all.len() as u32, directory.len() as u32);
    all.extend(directory);
    all.extend(b"PK\x05\x06");
    all.extend([0; 4]);
    all.extend(count.to_le_bytes());
    all.extend(count.to_le_bytes());
    all.extend(length.to_le_bytes());
    all.extend(start.to_le_bytes());
    all.extend([0; 2]);
    Ok(all)
}
