//! Half floats.

use softfloat::{Rounding, from_half, to_half};

#[test]
fn every_half_float_comes_back() {
    for bits in 0..=u16::MAX {
        let value = from_half(bits);
        for rounding in [Rounding::Nearest, Rounding::TowardsZero] {
            let back = to_half(value.into(), rounding);
            assert!(back == bits || value.is_nan() && from_half(back).is_nan(), "{bits:#x}");
        }
    }
}

#[test]
fn what_lies_between_is_rounded() {
    let one_and_a_bit = 1.0 + 2.0_f64.powi(-11);
    for (value, nearest, cut) in [
        (one_and_a_bit, 0x3c00, 0x3c00),
        (one_and_a_bit + 2.0_f64.powi(-20), 0x3c01, 0x3c00),
        (1.0 + 3.0 * 2.0_f64.powi(-11), 0x3c02, 0x3c01),
        (-65519.0, 0xfbff, 0xfbff),
        (65520.0, 0x7c00, 0x7bff),
        (1e30, 0x7c00, 0x7bff),
        (2.0_f64.powi(-25), 0, 0),
        (3.0 * 2.0_f64.powi(-25), 2, 1),
        (-2.0_f64.powi(-30), 0x8000, 0x8000),
    ] {
        assert_eq!(to_half(value, Rounding::Nearest), nearest, "{value}");
        assert_eq!(to_half(value, Rounding::TowardsZero), cut, "{value}");
    }
}
