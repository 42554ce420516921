//! Chips of AMD that are known by name alone: nothing about their instruction sets is.

use std::fmt;

include!(concat!(env!("OUT_DIR"), "/gcn_unsupported.rs"));

/// A chip that is not supported, a row of `data/gcn/unsupported.tsv`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct UnsupportedChip {
    /// The name LLVM takes: `gfx1100`.
    pub name: &'static str,
    /// The name of its instruction set: `RDNA 3`.
    pub family: &'static str,
    /// The number in the flags of ELF files.
    machine: u32,
    /// Other names of the chip: `navi31`.
    aliases: &'static [&'static str],
}

impl UnsupportedChip {
    /// Returns the chip of a name or another name; letter case does not count.
    pub fn find(name: &str) -> Option<&'static UnsupportedChip> {
        UNSUPPORTED.iter().find(|chip| {
            std::iter::once(&chip.name).chain(chip.aliases).any(|it| it.eq_ignore_ascii_case(name))
        })
    }

    /// Returns the chip of a number in the flags of an ELF file.
    pub fn of_machine(machine: u32) -> Option<&'static UnsupportedChip> {
        UNSUPPORTED.iter().find(|chip| chip.machine == machine)
    }
}

/// The side that an instruction is on, of chips up to GFX9 and chips of GFX10 and later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Only chips of GFX10 or later have it: the first generation that does, such as `gfx11`.
    Newer(&'static str),
    /// Only chips up to GFX9 have it.
    Older,
}

/// Returns the side that a mnemonic is on, where it tells.
pub fn side_of(mnemonic: &str) -> Option<Side> {
    let place = NEWER_GENERATIONS.binary_search_by_key(&mnemonic, |(own, _)| own).ok()?;
    Some(NEWER_GENERATIONS[place].1.map_or(Side::Older, Side::Newer))
}

impl fmt::Display for UnsupportedChip {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.name, self.family)
    }
}
