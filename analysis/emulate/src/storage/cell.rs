//! What one access of a lane moves: whole words, or a byte or a half of one.

use crate::memory::{Memory, Unmapped};

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// So many words.
    Words(usize),
    /// So many bytes of one word.
    Part {
        bytes: usize,
        /// Whether what is loaded is a number with sign.
        signed: bool,
        half: Half,
    },
}

/// Which part of the register it comes to or from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// All of it: loads extend what they read.
    Whole,
    /// The lower sixteen bits; the others stay.
    Low,
    /// The upper sixteen bits; the others stay.
    High,
}

impl Cell {
    /// The cell of the end of a mnemonic: `dwordx2`, `sbyte_d16_hi`.
    pub(super) fn find(word: &str) -> Option<Cell> {
        let words = match word {
            "dword" => 1,
            "dwordx2" => 2,
            "dwordx3" => 3,
            "dwordx4" => 4,
            _ => 0,
        };
        if words > 0 {
            return Some(Cell::Words(words));
        }
        let (word, half) = match (word.strip_suffix("_d16_hi"), word.strip_suffix("_d16")) {
            (Some(word), _) => (word, Half::High),
            (_, Some(word)) => (word, Half::Low),
            _ => (word, Half::Whole),
        };
        let (bytes, signed) = match word {
            "ubyte" | "byte" => (1, false),
            "sbyte" => (1, true),
            "ushort" | "short" => (2, false),
            "sshort" => (2, true),
            _ => return None,
        };
        Some(Cell::Part { bytes, signed, half })
    }

    /// How many registers it takes.
    pub(super) fn words(self) -> usize {
        match self {
            Cell::Words(words) => words,
            Cell::Part { .. } => 1,
        }
    }

    /// How many bytes each of its registers moves.
    pub(super) fn bytes(self) -> usize {
        match self {
            Cell::Words(_) => 4,
            Cell::Part { bytes, .. } => bytes,
        }
    }

    /// What a register holds once this was loaded.
    pub(super) fn loaded(self, value: u32, old: u32) -> u32 {
        let Cell::Part { bytes, signed, half } = self else { return value };
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

    /// What is stored of a register.
    pub(super) fn stored(self, register: u32) -> u32 {
        match self {
            Cell::Part { half: Half::High, .. } => register >> 16,
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
