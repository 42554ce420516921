//! The MODE register: how floats are rounded, what becomes of denormals and of NaN,
//! whether vector instructions are skipped, how deep the stack of branches is.
//!
//! Layout: GCN3 ISA, table of the hardware registers; the same on gfx6 to gfx9.

use softfloat::Rounding;

/// MODE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// Its bits.
    pub bits: u32,
}

impl Default for Mode {
    /// As graphics shaders are launched: denormals of f32 flushed, those of f64 and f16
    /// kept, NaN clamped to 0, no IEEE rules for signalling NaN.
    fn default() -> Mode {
        Mode { bits: 0x1c0 }
    }
}

impl Mode {
    /// The mode of atomics on memory, whatever the wave's is: floats of 32 bits without
    /// denormals, halves with them, to the nearest (MI100 ISA 10.3.1).
    pub(crate) const OF_MEMORY: Mode = Mode { bits: 0xc0 };

    /// The number of MODE among the hardware registers.
    pub(crate) const NUMBER: u32 = 1;

    /// Returns the rounding mode of results: one of 32 bits, one of 16 and 64.
    pub(crate) fn rounding(self, bits: u8) -> Rounding {
        match self.bits >> (if bits == 32 { 0 } else { 2 }) & 3 {
            0 => Rounding::Nearest,
            1 => Rounding::Up,
            2 => Rounding::Down,
            _ => Rounding::TowardsZero,
        }
    }

    /// Tells whether denormals of sources are kept: of 32 bits, or of 16 and 64.
    pub(crate) fn keeps_sources(self, bits: u8) -> bool {
        self.bits >> (if bits == 32 { 4 } else { 6 }) & 1 == 1
    }

    /// Tells whether denormal results are kept: of 32 bits, or of 16 and 64.
    pub(crate) fn keeps_results(self, bits: u8) -> bool {
        self.bits >> (if bits == 32 { 5 } else { 7 }) & 1 == 1
    }

    /// Tells whether clamping makes NaN zero.
    pub(crate) fn clamps_nan(self) -> bool {
        self.bits >> 8 & 1 == 1
    }

    /// Tells whether the rules of IEEE 754 hold for NaN: a signalling one comes out of
    /// minimum and maximum as a quiet one, and results are not scaled.
    pub(crate) fn is_ieee(self) -> bool {
        self.bits >> 9 & 1 == 1
    }

    /// Tells whether vector instructions are skipped.
    pub(crate) fn skips_vectors(self) -> bool {
        self.bits >> 28 & 1 == 1
    }

    /// The same, with vector instructions skipped or not.
    pub(crate) fn with_skipping(self, skips: bool) -> Mode {
        Mode { bits: self.bits & !(1 << 28) | u32::from(skips) << 28 }
    }

    /// Returns the depth of the stack of branches.
    pub(crate) fn depth(self) -> u16 {
        (self.bits >> 29) as u16
    }

    /// The same with another depth, of which three bits count.
    pub(crate) fn with_depth(self, depth: u16) -> Mode {
        Mode { bits: self.bits & 0x1fff_ffff | u32::from(depth) << 29 }
    }
}
