//! Words of which some bits are known and the others may be either.

/// Known bits and open ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownBits {
    /// The known bits; 0 where a bit is open.
    pub value: u32,
    /// The open bits.
    pub open: u32,
}

/// The bits from the highest of a number down.
fn below(number: u32) -> u32 {
    u32::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
}

impl KnownBits {
    /// All bits open.
    pub const ANY: KnownBits = KnownBits { value: 0, open: u32::MAX };

    /// A word of which all is known.
    pub fn exactly(value: u32) -> KnownBits {
        KnownBits { value, open: 0 }
    }

    /// The bits in which all words from one to another agree.
    pub fn between(least: u32, greatest: u32) -> KnownBits {
        let open = below(least ^ greatest);
        KnownBits { value: least & !open, open }
    }

    /// Tells whether a word has the known bits.
    pub fn holds(self, word: u32) -> bool {
        (word ^ self.value) & !self.open == 0
    }

    /// The known bits of both.
    #[must_use]
    pub fn join(self, other: KnownBits) -> KnownBits {
        let open = self.open | other.open | (self.value ^ other.value);
        KnownBits { value: self.value & !open, open }
    }

    /// The least of the words, as numbers without sign.
    pub fn least(self) -> u32 {
        self.value
    }

    /// The greatest of the words, as numbers without sign.
    pub fn greatest(self) -> u32 {
        self.value | self.open
    }

    /// The least and the greatest, as numbers with sign.
    pub fn signed(self) -> [u32; 2] {
        let sign = 0x8000_0000 & self.open;
        [self.least() | sign, self.greatest() & !sign]
    }

    fn ones(self) -> u32 {
        self.value
    }

    fn zeros(self) -> u32 {
        !self.value & !self.open
    }

    fn of(ones: u32, zeros: u32) -> KnownBits {
        KnownBits { value: ones, open: !(ones | zeros) }
    }

    /// `a & b`.
    #[must_use]
    pub fn and(self, other: KnownBits) -> KnownBits {
        KnownBits::of(self.ones() & other.ones(), self.zeros() | other.zeros())
    }

    /// `a | b`.
    #[must_use]
    pub fn or(self, other: KnownBits) -> KnownBits {
        KnownBits::of(self.ones() | other.ones(), self.zeros() & other.zeros())
    }

    /// `a ^ b`.
    #[must_use]
    pub fn xor(self, other: KnownBits) -> KnownBits {
        let open = self.open | other.open;
        KnownBits { value: (self.value ^ other.value) & !open, open }
    }

    /// `!a`.
    #[must_use]
    pub fn complement(self) -> KnownBits {
        KnownBits::of(self.zeros(), self.ones())
    }

    /// `a + b`, with a carry into the lowest bit.
    fn sum(self, other: KnownBits, carry: u32) -> KnownBits {
        // A bit of the sum is known where both bits and the carry into it are.
        let least = self.least().wrapping_add(other.least()).wrapping_add(carry);
        let greatest = self.greatest().wrapping_add(other.greatest()).wrapping_add(carry);
        let known_zero = !(greatest ^ self.zeros() ^ other.zeros());
        let known_one = least ^ self.ones() ^ other.ones();
        let known = (self.ones() | self.zeros())
            & (other.ones() | other.zeros())
            & (known_zero | known_one);
        KnownBits { value: least & known, open: !known }
    }

    /// `a + b`.
    #[must_use]
    pub fn plus(self, other: KnownBits) -> KnownBits {
        self.sum(other, 0)
    }

    /// `-a`.
    #[must_use]
    pub fn negate(self) -> KnownBits {
        self.complement().sum(KnownBits::exactly(0), 1)
    }

    /// `a * b`: the low bits that are known in both, and the zeros that they end in.
    #[must_use]
    pub fn multiply(self, other: KnownBits) -> KnownBits {
        let low = self.open.trailing_zeros().min(other.open.trailing_zeros());
        let ends = |it: KnownBits| (!it.zeros()).trailing_zeros();
        let low = low.max((ends(self) + ends(other)).min(32));
        let open = u32::MAX.checked_shl(low).unwrap_or(0);
        KnownBits { value: self.value.wrapping_mul(other.value) & !open, open }
    }

    /// `a << count`, modulo 32.
    #[must_use]
    pub fn shift_left(self, count: u32) -> KnownBits {
        KnownBits { value: self.value.wrapping_shl(count), open: self.open.wrapping_shl(count) }
    }

    /// `a >> count` of a number without sign, modulo 32.
    #[must_use]
    pub fn shift_right(self, count: u32) -> KnownBits {
        KnownBits { value: self.value.wrapping_shr(count), open: self.open.wrapping_shr(count) }
    }

    /// `a >> count` of a number with sign, modulo 32.
    #[must_use]
    pub fn shift_right_signed(self, count: u32) -> KnownBits {
        let shift = |bits: u32| (bits as i32).wrapping_shr(count) as u32;
        let open = shift(self.open);
        KnownBits { value: shift(self.value) & !open, open }
    }

    /// The bits in the other order.
    #[must_use]
    pub fn reverse(self) -> KnownBits {
        KnownBits { value: self.value.reverse_bits(), open: self.open.reverse_bits() }
    }

    /// Tells whether no word is in both.
    pub fn is_apart(self, other: KnownBits) -> bool {
        (self.value ^ other.value) & !(self.open | other.open) != 0
    }
}
