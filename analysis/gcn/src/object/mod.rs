//! Machine code in files: ELF objects and code objects, bundles of them and what holds
//! bundles, and bare bytes, as a listing that assembles again.
//!
//! The files may come from anywhere: every offset is checked, and what is read
//! and written is bounded by the length of the file.

mod bundle;
mod code;
mod compressed;
mod contents;
#[cfg(test)]
mod contents_tests;
mod elf;
mod fields;
mod listing;
mod metadata;
mod offload_binary;
mod orbis;
mod reader;
mod sections;
#[cfg(test)]
mod tests;

use isa::gcn::UnsupportedChip;
use thiserror::Error as ThisError;

use crate::Target;
pub use code::{Code, CodeLine, CodeLines, code};
pub use contents::{
    Choice, Contents, Entry, EntryKind, MAX_ENTRIES, MAX_FILE, MAX_UNPACKED, contents, is_bundle,
    may_hold_code,
};
pub use listing::{Descriptor, Listing, ListingLine, Section};
pub use metadata::Metadata;

/// A reason why a file has no listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum Error {
    /// The file ends before something its headers speak of.
    #[error("the file ends before the contents that its headers describe")]
    Truncated,
    /// An ELF file, but of 32 bits or big endian.
    #[error("an ELF file, but not one of 64 bits, little endian")]
    Format,
    /// An ELF file of another machine.
    #[error(
        "an ELF file for the machine {0}, not for AMD GPUs (224), and without a section `.hip_fatbin`"
    )]
    Machine(u16),
    /// An AMD chip that is not known; the number is that of the flags.
    #[error("made for an unknown AMD chip (number {0:#x})")]
    Chip(u32),
    /// An AMD chip that is known by name alone.
    #[error("made for {0}, which is not supported yet")]
    Unsupported(&'static UnsupportedChip),
    /// The file does not say which chip it is for, and nobody else did.
    #[error("the file does not name its chip")]
    NoTarget,
    /// No executable section.
    #[error("no section of the file has code")]
    NoCode,
    /// Its sections are larger than the file together.
    #[error("the sections are larger than the file together")]
    Overlap,
    /// A file without sections that are read, and no bundle in it.
    #[error("no bundle of code objects is in the file")]
    NoBundle,
    /// A bundle at an offset that cannot be read.
    #[error("the bundle at {0:#x} cannot be read: {1}")]
    Bundle(usize, Fault),
}

/// A reason why a bundle cannot be read. Entries are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum Fault {
    /// Ends before its table of entries does.
    #[error("its table of entries does not end within the file")]
    Table,
    /// An entry that is not in the file.
    #[error("its entry {0} lies outside of the file")]
    Outside(usize),
    /// An entry that begins before the table's end.
    #[error("its entry {0} overlaps the table of entries")]
    InTable(usize),
    /// Two entries that share bytes.
    #[error("its entries {0} and {1} overlap")]
    Overlap(usize, usize),
    /// Has more entries than are read.
    #[error("the file has more than {MAX_ENTRIES} entries")]
    Many,
    /// Ends before its header does.
    #[error("its header does not end within the file")]
    Header,
    /// A version of the header that is not known.
    #[error("its version {0} is not known")]
    Version(u64),
    /// A way of compression that is not known.
    #[error("its way of compression {0} is not known")]
    Method(u64),
    /// A size that is not that of the file.
    #[error("the file ends before it does, by the size in its header")]
    Size,
    /// More than is unpacked.
    #[error("it would be {0} bytes, and no more than {MAX_UNPACKED} of a file are unpacked")]
    Large(u64),
    /// Compressed bytes that are damaged, or of another size than the header says.
    #[error("its compressed bytes are damaged")]
    Damaged,
    /// Lies in too many others.
    #[error("too many bundles are within each other")]
    Deep,
}

/// The ends of the names of files that hold code: code objects and what they are linked from,
/// bundles, and shaders of the PlayStation 4.
pub const FILE_EXTENSIONS: [&str; 6] = ["co", "hsaco", "o", "hipfb", "fatbin", "sb"];

/// The largest file that has a listing in editors, in bytes: the text is some
/// twenty times as large.
pub const MAX_BYTES: usize = 16 << 20;

/// Tells whether bytes begin as an ELF file does.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// Tells whether bare bytes have the footer of a shader of the PlayStation 4.
pub fn is_console_shader(bytes: &[u8]) -> bool {
    orbis::Shader::find(bytes).is_some()
}

/// The code of a file as text, as [`code`] finds it.
///
/// # Errors
/// As [`code`] has.
pub fn listing(bytes: &[u8], target: Option<Target>) -> Result<Listing, Error> {
    code(bytes, target).map(Code::listing)
}
