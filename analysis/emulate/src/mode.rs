//! The MODE register: how floats are rounded, what becomes of denormals and of NaN.
//!
//! Layout: GCN3 ISA, table of the hardware registers; the same on gfx6 to gfx9.

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
    /// The number of MODE among the hardware registers.
    pub(crate) const NUMBER: u32 = 1;

    /// Whether every rounding is to the nearest, ties to even: all that is emulated.
    pub(crate) fn rounds_to_nearest(self) -> bool {
        self.bits & 0xf == 0
    }

    /// Whether denormals of sources count: of 32 bits, or of 16 and 64.
    pub(crate) fn keeps_sources(self, bits: u8) -> bool {
        self.bits >> (if bits == 32 { 4 } else { 6 }) & 1 == 1
    }

    /// Whether denormal results are kept: of 32 bits, or of 16 and 64.
    pub(crate) fn keeps_results(self, bits: u8) -> bool {
        self.bits >> (if bits == 32 { 5 } else { 7 }) & 1 == 1
    }

    /// Whether clamping makes NaN zero.
    pub(crate) fn clamps_nan(self) -> bool {
        self.bits >> 8 & 1 == 1
    }
}
