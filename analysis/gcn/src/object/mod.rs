//! Machine code in files: ELF objects and code objects, and bare bytes, as a
//! listing that assembles again.
//!
//! The files may come from anywhere: every offset is checked, and what is read
//! and written is bounded by the length of the file.

mod elf;
mod listing;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::Target;
use crate::assembler::descriptor;
use crate::instruction::InstructionSet;
use elf::Elf;
pub use listing::{Descriptor, Line, Listing, Section};

/// Why a file has no listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// The file ends before something its headers speak of.
    Truncated,
    /// An ELF file, but of 32 bits or big endian.
    Format,
    /// An ELF file of another machine.
    Machine(u16),
    /// An AMD chip that is none of GCN's; the number is that of the flags.
    Chip(u32),
    /// The file does not say which chip it is for, and nobody else did.
    NoTarget,
    /// It has no executable section.
    NoCode,
    /// Its sections are larger than the file together.
    Overlap,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Truncated => {
                formatter.write_str("the file ends before what its headers speak of")
            }
            Error::Format => {
                formatter.write_str("an ELF file, but not one of 64 bits, little endian")
            }
            Error::Machine(machine) => {
                write!(formatter, "an ELF file for the machine {machine}, not for AMD GPUs (224)")
            }
            Error::Chip(number) => {
                write!(formatter, "made for an AMD chip that is none of GCN's (number {number:#x})")
            }
            Error::NoTarget => formatter.write_str("the file does not say which chip it is for"),
            Error::NoCode => formatter.write_str("no section of the file has code"),
            Error::Overlap => formatter.write_str("the sections are larger than the file together"),
        }
    }
}

impl std::error::Error for Error {}

/// What the names of files end in that hold code: code objects and what they are
/// linked from.
pub const FILE_EXTENSIONS: [&str; 3] = ["co", "hsaco", "o"];

/// The largest file that has a listing in editors, in bytes: the text is some
/// twenty times as large.
pub const MAX_BYTES: usize = 16 << 20;

/// Whether bytes begin as an ELF file does.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// The code of a file as text: of an ELF file its executable sections, of any
/// other file all its bytes.
///
/// `target` wins over what an ELF file says of itself; bare bytes say nothing.
///
/// # Errors
/// Where there is no code, or no chip to read it for. Never panics.
pub fn listing(bytes: &[u8], target: Option<Target>) -> Result<Listing, Error> {
    if !is_elf(bytes) {
        let target = target.ok_or(Error::NoTarget)?;
        let set = InstructionSet::of(target);
        let section = listing::section("", bytes, &[], set);
        return Ok(Listing::new(target, None, vec![section], Vec::new()));
    }
    let elf = Elf::read(bytes)?;
    let target = match target {
        Some(target) => target,
        None => elf.target()?,
    };
    let set = InstructionSet::of(target);
    let codes = elf.codes()?;
    if codes.is_empty() {
        return Err(Error::NoCode);
    }
    let sections = codes
        .iter()
        .map(|code| listing::section(&code.name, code.bytes, &code.marks, set))
        .collect();
    let descriptors = elf.descriptors().into_iter().map(|(name, bytes)| Descriptor {
        name,
        directives: descriptor::directives(bytes, target),
    });
    Ok(Listing::new(target, Some(elf.system()), sections, descriptors.collect()))
}
