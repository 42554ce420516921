//! The order of floats as their bits have it: -infinity first, -0 before +0, infinity last.

/// Returns the place of a float that is a number in the order of all of them.
pub fn float_key(bits: u32) -> u32 {
    if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 }
}

/// Returns the float of a place.
pub fn from_key(key: u32) -> u32 {
    if key >> 31 == 1 { key & 0x7fff_ffff } else { !key }
}

/// Tells whether bits are a NaN.
pub(crate) fn is_nan(bits: u32) -> bool {
    bits & 0x7fff_ffff > 0x7f80_0000
}

/// Tells whether bits are a zero of either sign.
pub(crate) fn is_zero(bits: u32) -> bool {
    bits & 0x7fff_ffff == 0
}

/// Tells whether bits are a denormal.
pub(crate) fn is_denormal(bits: u32) -> bool {
    bits & 0x7f80_0000 == 0 && !is_zero(bits)
}
