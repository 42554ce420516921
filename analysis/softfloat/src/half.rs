//! Floats of 16 bits.

use crate::Rounding;

/// The number that sixteen bits are.
pub fn from_half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 31, u32::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction as f32 * 2.0_f32.powi(-24),
        31 => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((u32::from(exponent) + 112) << 23 | fraction << 13),
    };
    f32::from_bits(magnitude.to_bits() | u32::from(sign) << 31)
}

/// The half float of a number: of one of 32 bits, or of a result that was computed
/// exactly in 64.
pub fn to_half(value: f64, rounding: Rounding) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48 & 0x8000) as u16;
    if value.is_nan() {
        return sign | 0x7e00 | (bits >> 42 & 0x1ff) as u16;
    }
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return sign | 0x7c00;
    }
    // Counted in units of the last place, which of denormals is 2^-24, the number is rounded
    // to a whole one. Scaling by a power of two loses no bit of 64.
    let exponent = ((bits >> 52 & 0x7ff) as i32 - 1023).max(-14);
    let units = magnitude * 2.0_f64.powi(10 - exponent);
    let whole = match rounding {
        Rounding::Nearest => units.round_ties_even(),
        Rounding::TowardsZero => units.trunc(),
        Rounding::Up if sign == 0 => units.ceil(),
        Rounding::Down if sign != 0 => units.ceil(),
        Rounding::Up | Rounding::Down => units.trunc(),
    };
    // A carry out of the fraction counts the exponent up, which is what it should.
    let whole = whole as u32;
    let found = if exponent == -14 { whole } else { ((exponent + 14) as u32 * 1024) + whole };
    let away = match rounding {
        Rounding::Nearest => true,
        Rounding::Up => sign == 0,
        Rounding::Down => sign != 0,
        Rounding::TowardsZero => false,
    };
    match found {
        0x7c00.. if away => sign | 0x7c00,
        0x7c00.. => sign | 0x7bff,
        _ => sign | found as u16,
    }
}
