//! Floats as bits: what the units have in common.

use softfloat::{Rounding, from_half, from_single, to_half, to_single};

/// ±0.5, ±1, ±2 and ±4, by operand code 240 to 247.
pub(crate) fn quarter_of(code: u32) -> f64 {
    let magnitude = [0.5, 1.0, 2.0, 4.0][(code.wrapping_sub(240) / 2) as usize & 3];
    if code & 1 == 1 { -magnitude } else { magnitude }
}

/// The bit of the sign.
pub(crate) fn sign_bit(bits: u8) -> u64 {
    1 << (bits - 1)
}

/// Tells whether bits are a denormal number of a format.
pub(crate) fn is_denormal(value: u64, bits: u8) -> bool {
    let magnitude = value & (sign_bit(bits) - 1);
    // The quiet bit is the highest of the fraction.
    magnitude != 0 && magnitude < 2 * quiet_bit(bits)
}

/// The bit that tells a quiet NaN.
pub(crate) fn quiet_bit(bits: u8) -> u64 {
    match bits {
        16 => 1 << 9,
        32 => 1 << 22,
        _ => 1 << 51,
    }
}

/// Tells whether bits are a signalling NaN of a format.
pub(crate) fn is_signalling(value: u64, bits: u8) -> bool {
    let magnitude = value & (sign_bit(bits) - 1);
    // Infinity is all ones of the exponent: twice the quiet bit less than the next sign.
    let infinity = sign_bit(bits) - 2 * quiet_bit(bits);
    magnitude > infinity && value & quiet_bit(bits) == 0
}

/// A NaN as a quiet one.
pub(crate) fn quieted(value: u64, bits: u8) -> u64 {
    value | quiet_bit(bits)
}

/// A denormal becomes zero and keeps its sign.
pub(crate) fn flushed(value: u64, bits: u8) -> u64 {
    if is_denormal(value, bits) { value & sign_bit(bits) } else { value }
}

/// The number that bits of a format are, exactly; of a signalling NaN the quiet one.
pub(crate) fn number<const BITS: u8>(bits: u64) -> f64 {
    match BITS {
        16 => from_single(from_half(bits as u16).to_bits()),
        32 => from_single(bits as u32),
        _ if is_signalling(bits, 64) => f64::from_bits(quieted(bits, 64)),
        _ => f64::from_bits(bits),
    }
}

/// The nearest number of a format. Sums, products, quotients and roots that were
/// rounded to 64 bits before are still right: these are more than twice as many as the
/// format has, and two (Figueroa 1995).
pub(crate) fn rounded<const BITS: u8>(value: f64) -> u64 {
    match BITS {
        16 => to_half(value, Rounding::Nearest).into(),
        32 => to_single(value).into(),
        _ => value.to_bits(),
    }
}
