//! The code objects of a file: the file itself, or entries of the bundles that are in it.
//!
//! A file of a host holds bundles in a section of its own, one behind the other; each may be
//! compressed, and what is in a bundle may be a bundle again.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use isa::gcn::UnsupportedChip;
use memchr::memmem;

use super::bundle::{self, Bundle};
use super::compressed::{self, Compressed};
use super::elf::{self, Elf};
use super::offload_binary::{self, OffloadBinary};
use super::{Code, Error, Fault, code, is_elf};
use crate::Target;

/// The largest file whose code objects are looked for, in bytes.
pub const MAX_FILE: usize = 64 << 20;

/// Bytes that are unpacked of one file at most.
pub const MAX_UNPACKED: usize = 64 << 20;

/// Entries of one file at most.
pub const MAX_ENTRIES: usize = 4096;

/// Bundles and compressed bundles within each other at most: a section of a host, compressed,
/// a bundle, and once more.
const DEEPEST: usize = 5;

/// The code objects of a file, and what else is beside them.
#[derive(Debug)]
pub struct Contents<'a> {
    /// The file and what was unpacked of it.
    buffers: Vec<Cow<'a, [u8]>>,
    entries: Vec<Entry>,
    /// Bytes that may still be unpacked.
    left: usize,
    /// Bundles that could not be read, and why.
    pub faults: Vec<Error>,
}

/// A part of a file that may be code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name in a bundle; empty for a file that is none.
    pub name: String,
    /// The part of the file, or of what was unpacked.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: EntryKind,
    buffer: usize,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// Code for a chip.
    Code(Target),
    /// Code for a chip that is known by its name alone.
    Unsupported(&'static UnsupportedChip),
    /// Without bytes, as the host's entry is.
    Empty,
    /// LLVM's bitcode, which is no machine code yet.
    Bitcode,
    /// An ELF file that has no listing.
    Unread(Error),
    /// Anything else.
    Other,
}

impl fmt::Display for EntryKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryKind::Code(target) => write!(formatter, "code for {target}"),
            EntryKind::Unsupported(chip) => {
                write!(formatter, "code for {chip}, which is not supported yet")
            }
            EntryKind::Empty => formatter.write_str("empty"),
            EntryKind::Bitcode => formatter.write_str("LLVM bitcode"),
            EntryKind::Unread(error) => write!(formatter, "{error}"),
            EntryKind::Other => formatter.write_str("no code object"),
        }
    }
}

/// The wish which entry is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The first with code.
    First,
    /// The first for one of these chips.
    Chip(Target),
    /// The entry of a number, counted from 1.
    Number(usize),
}

/// Tells whether bytes begin as a file does that may hold several code objects.
pub fn is_bundle(bytes: &[u8]) -> bool {
    FORMATS.iter().any(|(signature, is_header)| bytes.starts_with(signature) && is_header(bytes))
}

/// Tells whether a file may hold code objects: by its first bytes.
pub fn may_hold_code(bytes: &[u8]) -> bool {
    is_elf(bytes) || is_bundle(bytes) || is_searched(bytes)
}

/// Tells whether bytes are of a format whose sections are not read: programs of Windows, and
/// archives. Bundles are searched for in them.
fn is_searched(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MZ") || bytes.starts_with(b"!<arch>\n")
}

/// Finds the code objects of a file. A file of any other format is one entry, which is said to
/// be no code object.
///
/// # Errors
/// Where bundles are damaged and nothing else was found, or a file of a host has none.
pub fn contents(bytes: &[u8]) -> Result<Contents<'_>, Error> {
    let buffers = vec![Cow::Borrowed(bytes)];
    let mut found =
        Contents { buffers, entries: Vec::new(), left: MAX_UNPACKED, faults: Vec::new() };
    let whole = 0..bytes.len();
    if is_searched(bytes) {
        found.bundles(0, whole, 0);
        if found.entries.is_empty() && found.faults.is_empty() {
            return Err(Error::NoBundle);
        }
    } else if let Some(sections) = elf::bundle_sections(bytes)? {
        for (name, range) in sections {
            match name {
                Some(name) => found.add(0, name, range, 1),
                None => found.bundles(0, range, 1),
            }
        }
    } else if is_bundle(bytes) {
        found.bundles(0, whole, 0);
    } else {
        let kind = kind(bytes);
        found.entries.push(Entry { name: String::new(), range: whole, kind, buffer: 0 });
    }
    match found.faults.first() {
        Some(fault) if found.entries.is_empty() => Err(*fault),
        _ => Ok(found),
    }
}

impl Contents<'_> {
    /// Returns all entries, in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the bytes of an entry.
    pub fn bytes(&self, entry: &Entry) -> &[u8] {
        self.buffers.get(entry.buffer).and_then(|it| it.get(entry.range.clone())).unwrap_or(&[])
    }

    /// Tells whether an entry was compressed.
    pub fn is_unpacked(&self, entry: &Entry) -> bool {
        entry.buffer != 0
    }

    /// Tells whether the file is one code object, or bare code, and no bundle.
    pub fn is_single(&self) -> bool {
        matches!(&*self.entries, [Entry { name, .. }] if name.is_empty())
    }

    /// Chooses an entry; `None` where none is as it was wished.
    pub fn choose(&self, choice: Choice) -> Option<usize> {
        match choice {
            _ if self.is_single() => Some(0),
            Choice::Number(number) => number.checked_sub(1).filter(|it| *it < self.entries.len()),
            Choice::First => {
                self.entries.iter().position(|it| matches!(it.kind, EntryKind::Code(_)))
            }
            Choice::Chip(chip) => self.entries.iter().position(|it| match it.kind {
                EntryKind::Code(target) => target.row().processor == chip.row().processor,
                _ => false,
            }),
        }
    }

    /// Returns the code of an entry by its place in [`Contents::entries`], for the chip that it
    /// names unless another is given. The first lines of its listing name the entries beside it.
    ///
    /// # Errors
    /// As [`code`] has.
    pub fn code(&self, entry: usize, target: Option<Target>) -> Result<Code<'_>, Error> {
        let own = self.entries.get(entry).ok_or(Error::NoCode)?;
        let bytes = self.bytes(own);
        let is_code = self.is_single() || is_elf(bytes);
        let code = if is_code { code(bytes, target) } else { Err(Error::NoCode) };
        Ok(code?.with_notes(self.notes(entry)))
    }

    /// Lines about an entry of a bundle, and about those beside it.
    fn notes(&self, shown: usize) -> Vec<String> {
        let count = self.entries.len();
        if self.is_single() {
            return Vec::new();
        }
        let name = self.entries.get(shown).map_or("", |it| &it.name);
        let mut notes = vec![format!("entry {} of {count}: {name}", shown + 1)];
        if count > 1 {
            notes.push("beside it:".to_owned());
        }
        let others = self.entries.iter().enumerate().filter(|(number, _)| *number != shown);
        let line = |(number, entry): (usize, &Entry)| {
            format!("  {} {}: {}", number + 1, entry.name, entry.kind)
        };
        notes.extend(others.take(NOTES).map(line));
        let more = count.saturating_sub(NOTES + 1);
        if more > 0 {
            notes.push(format!("  and {more} more"));
        }
        notes
    }

    /// Adds the bundles of a part, one behind the other.
    fn bundles(&mut self, buffer: usize, part: Range<usize>, depth: usize) {
        let mut begins = Begins::default();
        let mut at = part.start;
        while let Some(start) = begins.next(&self.buffers[buffer], at..part.end) {
            at = match self.bundle(buffer, start..part.end, depth) {
                Ok(end) => start + end.max(1),
                Err(fault) => {
                    self.faults.push(Error::Bundle(start, fault));
                    // Another may be behind it.
                    start + compressed::SIGNATURE.len()
                }
            };
            if self.entries.len() >= MAX_ENTRIES || self.faults.len() >= MAX_FAULTS {
                break;
            }
        }
    }

    /// Adds the entries of the bundle that a part begins with, and returns where it ends.
    fn bundle(&mut self, buffer: usize, part: Range<usize>, depth: usize) -> Result<usize, Fault> {
        if depth >= DEEPEST {
            return Err(Fault::Deep);
        }
        let bytes = &self.buffers[buffer][part.clone()];
        if bytes.starts_with(offload_binary::SIGNATURE) {
            let OffloadBinary { name, image, end } = OffloadBinary::read(bytes)?;
            self.add(buffer, name, part.start + image.start..part.start + image.end, depth + 1);
            return Ok(end);
        }
        if !bytes.starts_with(bundle::SIGNATURE) {
            let compressed = Compressed::read(bytes)?;
            let left = self.left;
            // What turns out to be damaged was work all the same.
            let claimed = usize::try_from(compressed.unpacked).unwrap_or(usize::MAX);
            self.left = left.checked_sub(claimed).unwrap_or(left);
            let (end, unpacked) = (compressed.end, compressed.unpack(left)?);
            let (new, length) = (self.buffers.len(), unpacked.len());
            self.buffers.push(Cow::Owned(unpacked));
            self.add(new, String::new(), 0..length, depth + 1);
            return Ok(end);
        }
        let Bundle { entries, end } = Bundle::read(bytes)?;
        for (name, range) in entries {
            if self.entries.len() >= MAX_ENTRIES {
                return Err(Fault::Many);
            }
            self.add(buffer, name, part.start + range.start..part.start + range.end, depth + 1);
        }
        Ok(end)
    }

    /// Adds a part, or what is in it.
    fn add(&mut self, buffer: usize, name: String, range: Range<usize>, depth: usize) {
        let bytes = &self.buffers[buffer][range.clone()];
        if is_bundle(bytes) {
            return self.bundles(buffer, range, depth);
        }
        let kind = kind(bytes);
        self.entries.push(Entry { name, range, kind, buffer });
    }
}

/// Entries that a listing names beside its own.
const NOTES: usize = 40;

/// Faults of one file that are told.
const MAX_FAULTS: usize = 16;

/// The begins of bundles in a part, the next of each format.
#[derive(Default)]
struct Begins([Option<usize>; 3]);

/// A signature, and what tells whether it begins a header: it may also stand in other bytes.
type Format = (&'static [u8], fn(&[u8]) -> bool);

const FORMATS: [Format; 3] = [
    (bundle::SIGNATURE, |_| true),
    (compressed::SIGNATURE, compressed::is_header),
    (offload_binary::SIGNATURE, offload_binary::is_header),
];

impl Begins {
    /// Finds the next. Calls go forward, so that every byte is looked at once for each format.
    fn next(&mut self, bytes: &[u8], part: Range<usize>) -> Option<usize> {
        let rest = bytes.get(part.clone())?;
        for (known, (signature, is_header)) in self.0.iter_mut().zip(FORMATS) {
            if known.is_none_or(|at| at < part.start) {
                let mut found = memmem::find_iter(rest, signature);
                let found = found.find(|at| is_header(&rest[*at..]));
                *known = Some(part.start + found.unwrap_or(rest.len()));
            }
        }
        self.0.into_iter().flatten().min().filter(|at| *at < part.end)
    }
}

fn kind(bytes: &[u8]) -> EntryKind {
    if bytes.is_empty() {
        return EntryKind::Empty;
    }
    if !is_elf(bytes) {
        let is_bitcode = bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(b"\xde\xc0\x17\x0b");
        return if is_bitcode { EntryKind::Bitcode } else { EntryKind::Other };
    }
    match Elf::read(bytes).and_then(|elf| elf.target()) {
        Ok(target) => EntryKind::Code(target),
        Err(Error::Unsupported(chip)) => EntryKind::Unsupported(chip),
        Err(error) => EntryKind::Unread(error),
    }
}
