//! NaN: its bits do not depend on how the program was compiled.

use proptest::prelude::*;
use softfloat::{from_single, fused_f32, settled, to_single};

/// A signalling NaN of 32 bits, and the quiet one that it becomes.
const SIGNALLING: u32 = 0xff80_1234;
const QUIET: u32 = 0xffc0_1234;

#[test]
fn a_signalling_nan_becomes_the_quiet_one_with_its_fraction() {
    assert_eq!(from_single(SIGNALLING).to_bits(), 0xfff8_0246_8000_0000);
    assert_eq!(to_single(from_single(SIGNALLING)), QUIET);
    assert_eq!(to_single(f64::from_bits(0x7ff0_0000_2000_0000)), 0x7fc0_0001);
}

#[test]
fn the_first_operand_that_is_nan_is_the_result() {
    let [first, second] = [0x7fc0_0001, SIGNALLING].map(from_single);
    for (a, b, result) in [(first, second, first), (second, first, second), (1.0, second, second)] {
        assert_eq!(settled(a + b, [a, b]).to_bits(), result.to_bits());
    }
    let (up, down) = (f64::INFINITY, f64::NEG_INFINITY);
    assert_eq!(to_single(settled(up + down, [up, down])), 0xffc0_0000);
    assert_eq!(settled(up + 1.0, [up, 1.0]), up);
    assert_eq!(fused_f32(1.0, 2.0, f32::from_bits(SIGNALLING)).to_bits(), QUIET);
}

proptest! {
    #[test]
    fn every_other_number_comes_back(bits in any::<u32>()) {
        let there = from_single(bits);
        match there.is_nan() {
            true => prop_assert_eq!(to_single(there), bits | 1 << 22),
            false => prop_assert_eq!(to_single(there), bits),
        }
    }
}
