//! Images of LLVM's offload binaries, which objects and programs of hosts hold in a section.
//!
//! Behind the signature stand the version, the size of the whole, and offset and size of its one
//! entry; that has the kind of the image, of 16 bits like the kind of offloading, flags, offset
//! and number of its strings, and offset and size of the image. A string is a key and a value,
//! both by their offsets. All offsets are from the signature.

use std::ops::Range;

use super::Fault;
use super::bundle::range;
use super::fields::Fields;

/// The signature at the begin of an offload binary.
pub(super) const SIGNATURE: &[u8; 4] = b"\x10\xff\x10\xad";

/// The one version that is read.
const VERSION: u64 = 1;

/// Strings and bytes of one that are read at most.
const STRINGS: u64 = 64;
const LONGEST_STRING: usize = 256;

/// An offload binary at the begin of some bytes.
#[derive(Debug)]
pub(super) struct OffloadBinary {
    /// A name as entries of bundles have it.
    pub(super) name: String,
    pub(super) image: Range<usize>,
    /// The end of the whole.
    pub(super) end: usize,
}

impl OffloadBinary {
    /// Reads the one that begins with the bytes, which are more than its own as a rule.
    pub(super) fn read(bytes: &[u8]) -> Result<OffloadBinary, Fault> {
        let mut fields = Fields::new(bytes.get(SIGNATURE.len()..).ok_or(Fault::Header)?);
        let version = fields.word().ok_or(Fault::Header)?;
        if version != VERSION {
            return Err(Fault::Version(version));
        }
        let (size, entry) = fields.long().zip(fields.long()).ok_or(Fault::Header)?;
        let own = usize::try_from(size).ok().and_then(|size| bytes.get(..size));
        let own = own.ok_or(Fault::Size)?;
        let entry = range(entry, 0).and_then(|it| own.get(it.start..)).ok_or(Fault::Table)?;
        let (name, image) = read_entry(own, entry).ok_or(Fault::Table)?;
        let image = image.filter(|it| it.end <= own.len()).ok_or(Fault::Outside(1))?;
        // The next begins behind it.
        Ok(OffloadBinary { name, image, end: own.len().max(SIGNATURE.len()) })
    }
}

/// The name of an entry, and its image as far as its offsets are numbers of bytes.
fn read_entry(own: &[u8], entry: &[u8]) -> Option<(String, Option<Range<usize>>)> {
    let mut fields = Fields::new(entry);
    let (_, kind, _) = (fields.short()?, fields.short()?, fields.word()?);
    let (strings, count) = (fields.long()?, fields.long()?);
    let (offset, size) = (fields.long()?, fields.long()?);
    let (mut triple, mut chip) = (String::new(), String::new());
    let mut rows = Fields::new(own.get(usize::try_from(strings).ok()?..)?);
    for _ in 0..count.min(STRINGS) {
        let (key, value) = (rows.long()?, rows.long()?);
        match string(own, key)?.as_str() {
            "triple" => triple = string(own, value)?,
            "arch" => chip = string(own, value)?,
            _ => {}
        }
    }
    let kind = match kind {
        1 => "openmp",
        2 => "cuda",
        4 => "hip",
        8 => "sycl",
        _ => "unknown",
    };
    Some((format!("{kind}-{triple}--{chip}"), range(offset, size)))
}

/// The text at an offset, up to its zero.
fn string(own: &[u8], offset: u64) -> Option<String> {
    let bytes = own.get(usize::try_from(offset).ok()?..)?;
    let bytes = &bytes[..bytes.len().min(LONGEST_STRING)];
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some(String::from_utf8_lossy(&bytes[..end]).replace(char::is_control, "\u{fffd}"))
}

/// Tells whether bytes begin as an offload binary of a version that is read.
pub(super) fn is_header(bytes: &[u8]) -> bool {
    let rest = bytes.strip_prefix(SIGNATURE);
    rest.is_some_and(|rest| Fields::new(rest).word() == Some(VERSION))
}
