//! The numbers that bits of a matrix's types are, on a chip.

use isa::gcn::matrix::MatrixType;
use isa::gcn::{Feature, FeatureSet};

use softfloat::{SmallFormat, from_half, from_single};

/// The chip's ways with numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers {
    /// The floats of 8 bits have no negative zero: those of MI300.
    one_zero: bool,
}

impl Numbers {
    pub(crate) fn of(features: FeatureSet) -> Numbers {
        let has = |feature| features.has(feature);
        Numbers { one_zero: has(Feature::Gfx940Insts) && !has(Feature::Gfx950Insts) }
    }

    /// Returns the format of a type of at most 16 bits.
    pub(crate) fn format(self, ty: MatrixType) -> SmallFormat {
        match (ty, self.one_zero) {
            (MatrixType::F16, _) => SmallFormat::F16,
            (MatrixType::Fp8 | MatrixType::ByFormat, false) => SmallFormat::FP8,
            (MatrixType::Fp8 | MatrixType::ByFormat, true) => SmallFormat::FP8_FNUZ,
            (MatrixType::Bf8, false) => SmallFormat::BF8,
            (MatrixType::Bf8, true) => SmallFormat::BF8_FNUZ,
            (MatrixType::Fp6, _) => SmallFormat::FP6,
            (MatrixType::Bf6, _) => SmallFormat::BF6,
            (MatrixType::Fp4, _) => SmallFormat::FP4,
            _ => SmallFormat::BF16,
        }
    }

    /// The number that bits are, of a type that is no integer.
    pub(crate) fn number(self, ty: MatrixType, bits: u64) -> f64 {
        let word = bits as u32;
        match ty {
            MatrixType::F64 => f64::from_bits(bits),
            MatrixType::F32 => from_single(word),
            // The lower bits of the fraction do not count.
            MatrixType::Xf32 => from_single(word & !0x1fff),
            MatrixType::F16 => from_single(from_half(word as u16).to_bits()),
            MatrixType::Bf16 => from_single(word << 16),
            _ => self.format(ty).value(word),
        }
    }
}

/// Returns the scale that eight bits are, the exponent of a float: 2^(bits - 127), and NaN for 255
/// (OCP Microscaling Formats, E8M0).
pub(crate) fn scale_of(exponent: u64) -> f64 {
    match exponent {
        255 => f64::NAN,
        exponent => 2.0_f64.powi(exponent as i32 - 127),
    }
}
