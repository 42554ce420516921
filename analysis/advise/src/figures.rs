//! The figures by which variants are compared.

use std::cmp::Ordering;

/// The costs of a program on a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Figures {
    /// Waves that fit on a SIMD.
    pub waves: u32,
    /// Clocks of a wave that is alone, by the model of the bench.
    pub clocks: u64,
    /// Vector registers.
    pub vgprs: u32,
    /// Scalar registers.
    pub sgprs: u32,
    /// Machine instructions.
    pub instructions: u32,
}

impl Figures {
    /// Tells whether it is better than others in waves or clocks, and worse in neither.
    pub fn gains_on(&self, other: &Figures) -> bool {
        self.is_no_worse_than(other) && (self.waves, self.clocks) != (other.waves, other.clocks)
    }

    /// Tells whether it has as many waves as others, and takes no more clocks.
    pub fn is_no_worse_than(&self, other: &Figures) -> bool {
        self.waves >= other.waves && self.clocks <= other.clocks
    }

    /// Orders figures, the better first: by waves, then clocks, then registers.
    pub fn order(&self, other: &Figures) -> Ordering {
        let key = |it: &Figures| {
            (std::cmp::Reverse(it.waves), it.clocks, it.vgprs, it.sgprs, it.instructions)
        };
        key(self).cmp(&key(other))
    }
}
