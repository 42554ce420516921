//! Rounding in each way, and once.

use proptest::prelude::*;
use softfloat::{Exact, Rounding, fused_f32};

const ROUNDINGS: [Rounding; 4] =
    [Rounding::Nearest, Rounding::Up, Rounding::Down, Rounding::TowardsZero];

fn exact(value: f64) -> Exact {
    Exact::of(value).expect("a finite number")
}

/// Numbers of all sizes, many near each other.
fn any_double() -> impl Strategy<Value = f64> {
    let near = (any::<u64>(), 1000_u64..1050)
        .prop_map(|(bits, exponent)| f64::from_bits(bits & !(0x7ff << 52) | exponent << 52));
    prop_oneof![any::<u64>().prop_map(f64::from_bits), near]
        .prop_filter("finite", |value| value.is_finite())
}

fn any_single() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |value| value.is_finite())
}

proptest! {
    #[test]
    fn to_the_nearest_is_what_the_processor_does(
        a in any_double(), b in any_double(), c in any_double()
    ) {
        let near = Rounding::Nearest;
        let [x, y, z] = [a, b, c].map(exact);
        prop_assert_eq!(x.plus(y, near).rounded(64, near), (a + b).to_bits());
        prop_assert_eq!(x.times(y).rounded(64, near), (a * b).to_bits());
        let fused = x.times(y).plus(z, near).rounded(64, near);
        prop_assert_eq!(fused, softfloat::fused(a, b, c).to_bits());
        #[cfg(not(windows))] // Its library rounds twice.
        prop_assert_eq!(fused, a.mul_add(b, c).to_bits());
        prop_assert_eq!(x.rounded(32, near), u64::from((a as f32).to_bits()));
    }

    #[test]
    fn singles_to_the_nearest_too(a in any_single(), b in any_single(), c in any_single()) {
        let near = Rounding::Nearest;
        let [x, y, z] = [a, b, c].map(|value| exact(value.into()));
        let fused = x.times(y).plus(z, near).rounded(32, near);
        prop_assert_eq!(fused, u64::from(fused_f32(a, b, c).to_bits()));
        #[cfg(not(windows))] // Its library rounds twice.
        prop_assert_eq!(fused, u64::from(a.mul_add(b, c).to_bits()));
        let product = x.times(y).rounded(32, near);
        prop_assert_eq!(product, u64::from((a * b).to_bits()));
    }

    #[test]
    fn the_other_ways_give_the_neighbours(a in any_double(), b in any_double()) {
        let sum = |rounding| exact(a).plus(exact(b), rounding).rounded(64, rounding);
        let [near, up, down, cut] = ROUNDINGS.map(|rounding| f64::from_bits(sum(rounding)));
        prop_assert!(down <= near && near <= up);
        prop_assert!(up == down || down.next_up() == up);
        let towards = if near < 0.0 { up } else { down };
        prop_assert!(cut == towards || near == 0.0 && cut == 0.0);
        // What is exact is the same in every rounding.
        let error = (a + b) - a == b && (a + b) - b == a && (a + b).is_finite();
        prop_assert!(!error || up == down || near.abs() == f64::MAX);
    }
}

#[test]
fn the_ends_of_the_formats() {
    let tiny = exact(f64::from_bits(1));
    let tiniest = tiny.times(exact(0.25));
    let huge = exact(f64::MAX).times(exact(4.0));
    for (rounding, small, large, negative) in [
        (Rounding::Nearest, 0, 0x7ff0_0000_0000_0000, 0xfff0_0000_0000_0000_u64),
        (Rounding::Up, 1, 0x7ff0_0000_0000_0000, 0xffef_ffff_ffff_ffff),
        (Rounding::Down, 0, 0x7fef_ffff_ffff_ffff, 0xfff0_0000_0000_0000),
        (Rounding::TowardsZero, 0, 0x7fef_ffff_ffff_ffff, 0xffef_ffff_ffff_ffff),
    ] {
        assert_eq!(tiniest.rounded(64, rounding), small, "{rounding:?}");
        assert_eq!(huge.rounded(64, rounding), large, "{rounding:?}");
        assert_eq!(huge.times(exact(-1.0)).rounded(64, rounding), negative, "{rounding:?}");
    }
    let cancelled = |rounding| exact(1.5).plus(exact(-1.5), rounding).rounded(32, rounding);
    assert_eq!(ROUNDINGS.map(cancelled), [0, 0, 0x8000_0000, 0]);
    assert_eq!(exact(65504.0 + 16.0).rounded(16, Rounding::Nearest), 0x7c00);
    assert_eq!(exact(65504.0 + 15.9).rounded(16, Rounding::Nearest), 0x7bff);
    assert_eq!(exact(2.0_f64.powi(-24) * 0.6).rounded(16, Rounding::Nearest), 1);
}

#[test]
fn what_is_fused_is_rounded_once() {
    let step = 2.0_f64.powi(-52);
    assert_eq!(softfloat::fused(1.0 + step, 1.0 + step, -1.0 - 2.0 * step), step * step);
    // Between two numbers, a little above the middle.
    let product = 1.0 + 2.0_f32.powi(-12);
    let above = fused_f32(product, product, 2.0_f32.powi(-60));
    assert_eq!(above, 1.0 + 2.0_f32.powi(-11) + 2.0_f32.powi(-23));
    assert_eq!(fused_f32(product, product, 0.0), 1.0 + 2.0_f32.powi(-11));
    for infinity in [f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(softfloat::fused(1e300, 1e300, infinity), infinity);
        assert_eq!(softfloat::fused(infinity, 1.0, 1.0), infinity);
        assert!(softfloat::fused(infinity, 1.0, -infinity).is_nan());
        assert_eq!(fused_f32(1e30, 1e30, infinity as f32), infinity as f32);
    }
    assert!(softfloat::fused(0.0, f64::NAN, 1.0).is_nan());
    assert!(fused_f32(1.0, 1.0, f32::NAN).is_nan());
}
