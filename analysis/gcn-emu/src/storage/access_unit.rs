//! The unit of a lane's access: whole words, or a byte or a half of one.

use isa::gcn::operation::{AccessWidth, Half};

use crate::memory::{Memory, Unmapped};

/// The width of a lane's access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessUnit {
    /// Whole words, by their number.
    Words(usize),
    /// One or two bytes of one word.
    Part {
        bytes: usize,
        /// True if a loaded value is a number with sign.
        signed: bool,
        half: Half,
    },
}

impl AccessUnit {
    pub(super) fn of(width: AccessWidth) -> AccessUnit {
        match usize::from(width.bytes) {
            bytes if bytes >= 4 => AccessUnit::Words(bytes / 4),
            bytes => AccessUnit::Part { bytes, signed: width.signed, half: width.half },
        }
    }

    /// Returns the number of registers.
    pub(super) fn words(self) -> usize {
        match self {
            AccessUnit::Words(words) => words,
            AccessUnit::Part { .. } => 1,
        }
    }

    /// Returns the bytes that each of the registers moves.
    pub(super) fn bytes(self) -> usize {
        match self {
            AccessUnit::Words(_) => 4,
            AccessUnit::Part { bytes, .. } => bytes,
        }
    }

    /// Returns the value of a register after a load, from the loaded value and the
    /// register's old one.
    pub(super) fn loaded(self, value: u32, old: u32) -> u32 {
        let AccessUnit::Part { bytes, signed, half } = self else { return value };
        let value = match (bytes, signed) {
            (1, true) => value as i8 as u32,
            (2, true) => value as i16 as u32,
            _ => value,
        };
        match half {
            Half::Whole => value,
            Half::Low => old & 0xffff_0000 | value & 0xffff,
            Half::High => old & 0xffff | value << 16,
        }
    }

    /// Returns the value that is stored of a register.
    pub(super) fn stored(self, register: u32) -> u32 {
        match self {
            AccessUnit::Part { half: Half::High, .. } => register >> 16,
            _ => register,
        }
    }

    /// Loads one register's part.
    pub(super) fn load(self, memory: &Memory, address: u64, old: u32) -> Result<u32, Unmapped> {
        let value = memory.read(address, self.bytes())? as u32;
        Ok(self.loaded(value, old))
    }

    /// Stores one register's part.
    pub(super) fn store(
        self,
        memory: &mut Memory,
        address: u64,
        register: u32,
    ) -> Result<(), Unmapped> {
        memory.write(address, self.bytes(), self.stored(register).into())
    }
}
