//! Numbers by chance, the same in every run.
//!
//! Unit tests and `xtask` include this file by its path, for they cannot use the crate `tests`.

/// A sequence without pattern that follows from a seed (Steele, Lea and Flood's SplitMix64).
pub(crate) struct Chance(pub(crate) u64);

#[allow(dead_code, reason = "who includes this file uses a part of it")]
impl Chance {
    /// Returns the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a limit, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Returns one of some things.
    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
