//! NaN with its bits. What a processor or a compiler makes of a NaN's sign and fraction is
//! left open in Rust, and differs between optimised and plain builds; here it is decided.

/// The NaN of an operation on numbers that has no result, as x86 and GCN give it.
const INVALID: u64 = 0xfff8 << 48;

/// Returns the number that 32 bits are, exactly. A signalling NaN becomes the quiet one with the
/// same fraction.
pub fn from_single(bits: u32) -> f64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return value.into();
    }
    let (sign, fraction) = (u64::from(bits >> 31) << 63, u64::from(bits & 0x3f_ffff) << 29);
    f64::from_bits(sign | 0x7ff8 << 48 | fraction)
}

/// Returns the nearest number of 32 bits. A NaN keeps its sign and the upper bits of its fraction,
/// and is quiet.
pub fn to_single(value: f64) -> u32 {
    if !value.is_nan() {
        return (value as f32).to_bits();
    }
    let bits = value.to_bits();
    (bits >> 32) as u32 & 0x8000_0000 | 0x7fc0_0000 | (bits >> 29) as u32 & 0x3f_ffff
}

/// Returns the result of an operation on numbers; where it is NaN, that of the first operand which
/// is one, as a quiet one.
pub fn settled<const N: usize>(result: f64, operands: [f64; N]) -> f64 {
    if !result.is_nan() {
        return result;
    }
    let found = operands.into_iter().find(|operand| operand.is_nan());
    f64::from_bits(found.map_or(INVALID, |nan| nan.to_bits() | 1 << 51))
}
