//! Numbers that look random and are the same in every run.

use crate::chance::Chance;

/// A generator of numbers.
pub(crate) struct Random(Chance);

impl Random {
    /// Starts from the letters of a name, so that what one name makes does not
    /// depend on what was made before it.
    pub(crate) fn named(name: &str) -> Random {
        let start = 0xcbf2_9ce4_8422_2325_u64;
        Random(Chance(name.bytes().fold(start, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })))
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below a bound; 0 where that is.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound.max(1))
    }

    /// One of some things.
    pub(crate) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}
