//! Numbers that look random and are the same in every run.

/// A generator of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// Starts from the letters of a name, so that what one name makes does not
    /// depend on what was made before it.
    pub(crate) fn named(name: &str) -> Random {
        let start = 0xcbf2_9ce4_8422_2325_u64;
        Random(name.bytes().fold(start, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }

    /// The next number (SplitMix64).
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// One of some things.
    pub(crate) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}
