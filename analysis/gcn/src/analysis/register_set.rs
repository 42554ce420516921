//! Sets of registers: a bit for every register of a lane and every scalar one.

use crate::instruction::code::{SCC, VCC};
use crate::instruction::{Bank, Register};

/// Scalar codes from here on are constants, but for SCC.
const SCALAR_CODES: u16 = 128;
/// SCC's bit: no chip of these generations has a register of that code.
const SCC_BIT: u32 = 125;
/// The scalar registers that share a file.
const OF_THE_FILE: u128 = (1 << (VCC + 2)) - 1;
/// The place of the first accumulation register behind the vector ones.
const ACCUMULATORS: u16 = 256;

/// The registers of a lane: a bit for every vector register by number, then one for every
/// accumulation register.
pub(super) type LaneSet = [u64; 8];

/// A set of registers. Scalar ones go by operand code, so that VCC, M0 and EXEC
/// are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegisterSet {
    /// Scalar registers by operand code.
    pub scalar: u128,
    /// Vector and accumulation registers.
    pub vector: LaneSet,
}

impl RegisterSet {
    /// No register.
    pub const EMPTY: RegisterSet = RegisterSet { scalar: 0, vector: [0; 8] };
    /// Every register.
    pub const ALL: RegisterSet = RegisterSet { scalar: u128::MAX, vector: [u64::MAX; 8] };

    /// The registers of an operand.
    pub fn of(register: Register) -> RegisterSet {
        let mut set = RegisterSet::EMPTY;
        set.insert(register);
        set
    }

    /// Adds the registers of an operand.
    pub fn insert(&mut self, register: Register) {
        match register.bank {
            Bank::Scalar => self.scalar |= scalar_bits(register),
            Bank::Vector | Bank::Accumulator => {
                lane_bits(register).for_each(|(word, bits)| self.vector[word] |= bits);
            }
        }
    }

    /// Takes the registers of an operand out.
    pub fn remove(&mut self, register: Register) {
        match register.bank {
            Bank::Scalar => self.scalar &= !scalar_bits(register),
            Bank::Vector | Bank::Accumulator => {
                lane_bits(register).for_each(|(word, bits)| self.vector[word] &= !bits);
            }
        }
    }

    /// Tells whether a register of an operand is in it.
    pub fn touches(&self, register: Register) -> bool {
        match register.bank {
            Bank::Scalar => self.scalar & scalar_bits(register) != 0,
            Bank::Vector | Bank::Accumulator => {
                lane_bits(register).any(|(word, bits)| self.vector[word] & bits != 0)
            }
        }
    }

    /// Tells whether a register of another is in it.
    pub fn meets(&self, other: &RegisterSet) -> bool {
        !self.intersection(other).is_empty()
    }

    /// Tells whether no register is in it.
    pub fn is_empty(&self) -> bool {
        // A comparison of arrays calls a function.
        self.scalar == 0 && self.vector.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns the registers that are in either.
    #[must_use]
    pub fn union(mut self, other: &RegisterSet) -> RegisterSet {
        self.add_all(other);
        self
    }

    /// Adds what is in another.
    pub fn add_all(&mut self, other: &RegisterSet) {
        self.scalar |= other.scalar;
        for (own, more) in self.vector.iter_mut().zip(other.vector) {
            *own |= more;
        }
    }

    /// Returns the registers that are in both.
    #[must_use]
    pub fn intersection(mut self, other: &RegisterSet) -> RegisterSet {
        self.scalar &= other.scalar;
        for (own, more) in self.vector.iter_mut().zip(other.vector) {
            *own &= more;
        }
        self
    }

    /// Returns the registers that are in it and not in another.
    #[must_use]
    pub fn without(mut self, other: &RegisterSet) -> RegisterSet {
        self.scalar &= !other.scalar;
        for (own, less) in self.vector.iter_mut().zip(other.vector) {
            *own &= !less;
        }
        self
    }

    /// Returns its registers of a bank.
    #[must_use]
    pub fn of_bank(&self, bank: Bank) -> RegisterSet {
        let mut own = RegisterSet::EMPTY;
        match bank {
            Bank::Scalar => own.scalar = self.scalar,
            Bank::Vector => own.vector[..4].copy_from_slice(&self.vector[..4]),
            Bank::Accumulator => own.vector[4..].copy_from_slice(&self.vector[4..]),
        }
        own
    }

    /// Returns its registers of a bank that count for pressure: of the scalar ones those of the
    /// file.
    #[must_use]
    pub fn counted(&self, bank: Bank) -> RegisterSet {
        let mut own = self.of_bank(bank);
        own.scalar &= OF_THE_FILE;
        own
    }

    /// Counts its registers of a bank, as pressure does.
    pub fn count(&self, bank: Bank) -> u32 {
        match bank {
            Bank::Scalar => self.scalar_count(),
            Bank::Vector => self.vector_count(),
            Bank::Accumulator => self.accumulator_count(),
        }
    }

    /// Counts the vector registers.
    pub fn vector_count(&self) -> u32 {
        self.vector[..4].iter().map(|word| word.count_ones()).sum()
    }

    /// Counts the accumulation registers.
    pub fn accumulator_count(&self) -> u32 {
        self.vector[4..].iter().map(|word| word.count_ones()).sum()
    }

    /// Counts the numbered scalar registers and VCC halves, which share the scalar file.
    /// EXEC, M0 and SCC are kept elsewhere.
    pub fn scalar_count(&self) -> u32 {
        (self.scalar & OF_THE_FILE).count_ones()
    }

    /// The end of its vector registers: one more than the highest, 0 where there is none.
    pub fn vector_end(&self) -> u16 {
        end(&self.vector[..4])
    }

    /// The end of its accumulation registers.
    pub fn accumulator_end(&self) -> u16 {
        end(&self.vector[4..])
    }

    /// Its registers one by one: scalar ones, vector ones, accumulation registers.
    pub fn registers(&self) -> impl Iterator<Item = Register> + use<> {
        let set = *self;
        let one = |bank, first| Register { bank, first, dwords: 1 };
        let scalar = (0..SCALAR_CODES).filter(move |code| set.scalar >> code & 1 == 1);
        let lanes = (0..file(Bank::Accumulator).end)
            .filter(move |at| set.vector[usize::from(*at / 64)] >> (at % 64) & 1 == 1);
        scalar
            .map(move |code| one(Bank::Scalar, if u32::from(code) == SCC_BIT { SCC } else { code }))
            .chain(lanes.map(move |at| match at.checked_sub(ACCUMULATORS) {
                None => one(Bank::Vector, at),
                Some(number) => one(Bank::Accumulator, number),
            }))
    }
}

impl FromIterator<Register> for RegisterSet {
    fn from_iter<I: IntoIterator<Item = Register>>(registers: I) -> RegisterSet {
        let mut set = RegisterSet::EMPTY;
        registers.into_iter().for_each(|register| set.insert(register));
        set
    }
}

fn scalar_bits(register: Register) -> u128 {
    if register.first == SCC {
        return 1 << SCC_BIT;
    }
    if register.first >= SCALAR_CODES {
        return 0;
    }
    let count = u32::from(register.dwords).min(64);
    ((1_u128 << count) - 1) << register.first
}

/// The words of a [`LaneSet`] that an operand has registers in, each with their bits: mostly one.
fn lane_bits(register: Register) -> impl Iterator<Item = (usize, u64)> {
    let file = file(register.bank);
    let first = u32::from(file.start + register.first);
    let end = (first + u32::from(register.dwords)).min(file.end.into());
    (first / 64..end.div_ceil(64)).map(move |word| {
        let start = 64 * word;
        (word as usize, ones(end - start) & !ones(first.saturating_sub(start)))
    })
}

/// The places of a lane's registers of a bank.
fn file(bank: Bank) -> std::ops::Range<u16> {
    match bank {
        Bank::Accumulator => ACCUMULATORS..2 * ACCUMULATORS,
        _ => 0..ACCUMULATORS,
    }
}

fn end(words: &[u64]) -> u16 {
    let highest = words.iter().enumerate().rev().find(|(_, bits)| **bits != 0);
    highest.map_or(0, |(word, bits)| (word as u32 * 64 + 64 - bits.leading_zeros()) as u16)
}

/// The lowest bits of a word, or all.
fn ones(count: u32) -> u64 {
    1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::code::EXEC;

    fn vector(first: u16, dwords: u8) -> Register {
        Register { bank: Bank::Vector, first, dwords }
    }

    #[test]
    fn ranges_cross_words_and_end_with_the_file() {
        let mut set = RegisterSet::of(vector(62, 4));
        assert_eq!(set.vector, [3 << 62, 3, 0, 0, 0, 0, 0, 0]);
        set.insert(vector(250, 255));
        assert_eq!(set.vector_count(), 10);
        assert_eq!((set.vector_end(), set.accumulator_end()), (256, 0));
        set.remove(vector(63, 255));
        assert_eq!(set.registers().collect::<Vec<_>>(), [vector(62, 1)]);
        assert!(set.touches(vector(0, 63)) && !set.touches(vector(63, 100)));
    }

    #[test]
    fn accumulation_registers_are_a_file_of_their_own() {
        let accumulator = |first, dwords| Register { bank: Bank::Accumulator, first, dwords };
        let mut set = RegisterSet::of(accumulator(62, 4));
        set.insert(vector(255, 1));
        assert_eq!((set.vector_count(), set.accumulator_count()), (1, 4));
        assert_eq!((set.vector_end(), set.accumulator_end()), (256, 66));
        assert!(!set.touches(vector(62, 4)) && !set.touches(accumulator(255, 1)));
        assert_eq!(set.of_bank(Bank::Accumulator), RegisterSet::of(accumulator(62, 4)));
        assert_eq!(set.registers().last(), Some(accumulator(65, 1)));
        set.insert(accumulator(254, 255));
        assert_eq!(set.accumulator_end(), 256);
    }

    #[test]
    fn special_registers_have_their_codes() {
        let scalar = |first, dwords| Register { bank: Bank::Scalar, first, dwords };
        let mut set = RegisterSet::of(scalar(VCC, 2));
        set.insert(scalar(SCC, 1));
        set.insert(scalar(EXEC, 2));
        // A constant is not a register.
        set.insert(scalar(129, 1));
        assert_eq!(set.scalar_count(), 2);
        let codes: Vec<u16> = set.registers().map(|register| register.first).collect();
        assert_eq!(codes, [VCC, VCC + 1, SCC, EXEC, EXEC + 1]);
    }
}
