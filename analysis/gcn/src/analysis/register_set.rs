//! Sets of registers: a bit for every vector register and every scalar one.

use crate::instruction::code::{SCC, VCC};
use crate::instruction::{Bank, Register};

/// Scalar codes from here on are constants, but for SCC.
const SCALAR_CODES: u16 = 128;
/// SCC's bit: no chip of these generations has a register of that code.
const SCC_BIT: u32 = 125;

/// A set of registers. Scalar ones go by operand code, so that VCC, M0 and EXEC
/// are in it; accumulation registers are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegisterSet {
    /// Scalar registers by operand code.
    pub scalar: u128,
    /// Vector registers by number.
    pub vector: [u64; 4],
}

impl RegisterSet {
    /// No register.
    pub const EMPTY: RegisterSet = RegisterSet { scalar: 0, vector: [0; 4] };
    /// Every register.
    pub const ALL: RegisterSet = RegisterSet { scalar: u128::MAX, vector: [u64::MAX; 4] };

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
            Bank::Vector => {
                let first = u32::from(register.first);
                let end = first + u32::from(register.dwords);
                // Mostly they are within one word.
                for word in first / 64..end.div_ceil(64).min(4) {
                    let start = 64 * word;
                    self.vector[word as usize] |=
                        ones(end - start) & !ones(first.saturating_sub(start));
                }
            }
            Bank::Accumulator => {}
        }
    }

    /// Takes the registers of an operand out.
    pub fn remove(&mut self, register: Register) {
        *self = self.without(&RegisterSet::of(register));
    }

    /// Tells whether a register of an operand is in it.
    pub fn touches(&self, register: Register) -> bool {
        self.meets(&RegisterSet::of(register))
    }

    /// Tells whether a register of another is in it.
    pub fn meets(&self, other: &RegisterSet) -> bool {
        !self.intersection(other).is_empty()
    }

    /// Tells whether no register is in it.
    pub fn is_empty(&self) -> bool {
        *self == RegisterSet::EMPTY
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

    /// Counts the vector registers.
    pub fn vector_count(&self) -> u32 {
        self.vector.iter().map(|word| word.count_ones()).sum()
    }

    /// Counts the numbered scalar registers and VCC halves, which share the scalar file.
    /// EXEC, M0 and SCC are kept elsewhere.
    pub fn scalar_count(&self) -> u32 {
        (self.scalar & ((1 << u32::from(VCC + 2)) - 1)).count_ones()
    }

    /// The highest vector register, `None` where there is none.
    pub fn highest_vector(&self) -> Option<u16> {
        let (word, bits) = self.vector.iter().enumerate().rev().find(|(_, bits)| **bits != 0)?;
        Some((word as u32 * 64 + 63 - bits.leading_zeros()) as u16)
    }

    /// Its registers one by one: scalar ones, then vector ones.
    pub fn registers(&self) -> impl Iterator<Item = Register> + use<> {
        let set = *self;
        let one = |bank, first| Register { bank, first, dwords: 1 };
        let scalar = (0..SCALAR_CODES).filter(move |code| set.scalar >> code & 1 == 1);
        let vector =
            (0..256_u16).filter(move |n| set.vector[usize::from(*n / 64)] >> (n % 64) & 1 == 1);
        scalar
            .map(move |code| one(Bank::Scalar, if u32::from(code) == SCC_BIT { SCC } else { code }))
            .chain(vector.map(move |number| one(Bank::Vector, number)))
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
        assert_eq!(set.vector, [3 << 62, 3, 0, 0]);
        set.insert(vector(250, 255));
        assert_eq!(set.vector_count(), 10);
        assert_eq!(set.highest_vector(), Some(255));
        set.remove(vector(63, 255));
        assert_eq!(set.registers().collect::<Vec<_>>(), [vector(62, 1)]);
        assert!(set.touches(vector(0, 63)) && !set.touches(vector(63, 100)));
    }

    #[test]
    fn special_registers_have_their_codes() {
        let scalar = |first, dwords| Register { bank: Bank::Scalar, first, dwords };
        let mut set = RegisterSet::of(scalar(VCC, 2));
        set.insert(scalar(SCC, 1));
        set.insert(scalar(EXEC, 2));
        // A constant is no register.
        set.insert(scalar(129, 1));
        assert_eq!(set.scalar_count(), 2);
        let codes: Vec<u16> = set.registers().map(|register| register.first).collect();
        assert_eq!(codes, [VCC, VCC + 1, SCC, EXEC, EXEC + 1]);
    }
}
