//! Half-precision floats in the low 16 bits of a word.

/// To the nearest half, ties to even; too large ones become infinite.
pub(crate) fn from_float(bits: u32) -> u32 {
    let sign = bits >> 16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    let value = f32::from_bits(magnitude);
    if value.is_nan() {
        return sign | 0x7e00;
    }
    // 65520 is the middle between the largest half and the next power of two.
    if value >= 65520.0 {
        return sign | 0x7c00;
    }
    if value < f32::from_bits(0x3880_0000) {
        // A denormal half counts units of 2^-24; the product is exact.
        return sign | (value * 16_777_216.0).round_ties_even() as u32;
    }
    // The exponents differ by 112; the carry of rounding runs into the exponent.
    let rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    sign | ((rounded >> 13) - (112 << 10))
}

/// To the next half that is no larger in size; too large ones become the largest. NaN keeps
/// the upper bits of what it carries.
pub(crate) fn from_float_toward_zero(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() {
        return bits >> 16 & 0x8000 | 0x7e00 | bits >> 13 & 0x3ff;
    }
    let half = from_float(bits);
    let size = |bits: u32| f32::from_bits(bits & 0x7fff_ffff);
    match size(to_float(half)) > size(bits) {
        // The next smaller half: bits of one sign are in the order of their values.
        true => half - 1,
        false => half,
    }
}

/// The float with the value of a half, exactly.
pub(crate) fn to_float(half: u32) -> u32 {
    let sign = (half & 0x8000) << 16;
    let (exponent, fraction) = (half >> 10 & 0x1f, half & 0x3ff);
    sign | match exponent {
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_through_floats() {
        for half in 0..=0xffff {
            let float = to_float(half);
            if f32::from_bits(float).is_nan() {
                assert_eq!(from_float(float) & 0x7c00, 0x7c00);
            } else {
                assert_eq!(from_float(float), half);
            }
        }
    }

    #[test]
    fn rounding_toward_zero_never_grows() {
        for (float, half) in [
            (1.0f32 + 1.0 / 1024.0, 0x3c01),
            (1.0 + 3.0 / 2048.0, 0x3c01),
            (-1.999_999, 0xbfff),
            (65519.0, 0x7bff),
            (1e9, 0x7bff),
            (-1e9, 0xfbff),
            (f32::INFINITY, 0x7c00),
            (-3e-8, 0x8000),
            (6e-8, 0x0001),
        ] {
            assert_eq!(from_float_toward_zero(float.to_bits()), half, "{float}");
        }
        assert_eq!(from_float_toward_zero(f32::NAN.to_bits()) & 0x7e00, 0x7e00);
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        for (float, half) in [
            (1.0f32 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (-3e-8, 0x8001),
            (2e-8, 0),
        ] {
            assert_eq!(from_float(float.to_bits()), half, "{float}");
        }
    }
}
