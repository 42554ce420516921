//! Products and sums that are rounded once, to the nearest. The libraries of some systems
//! round twice where the processor is not asked for it.

use crate::{Exact, Rounding, from_single, settled, to_single};

/// `a * b + c` in 64 bits.
pub fn fused(a: f64, b: f64, c: f64) -> f64 {
    match [a, b, c].map(Exact::of) {
        [Some(x), Some(y), Some(z)] => {
            let sum = x.times(y).plus(z, Rounding::Nearest);
            f64::from_bits(sum.rounded(64, Rounding::Nearest))
        }
        // A product of finite numbers is smaller than infinity.
        [Some(_), Some(_), None] => settled(c, [c]),
        _ => settled(a * b + c, [a, b, c]),
    }
}

/// `a * b + c` in 32 bits.
pub fn fused_f32(a: f32, b: f32, c: f32) -> f32 {
    let [left, right] = [a, b].map(|it| from_single(it.to_bits()));
    // Exact: 24 bits and 24 bits, and the exponents are far inside the range.
    let sum = sum_f32(left * right, c);
    match sum.is_nan() {
        true => nan(sum.into(), [left, right, from_single(c.to_bits())]),
        false => sum,
    }
}

/// `product + addend` in 32 bits.
pub fn sum_f32(product: f64, addend: f32) -> f32 {
    let addend = from_single(addend.to_bits());
    let sum = product + addend;
    if sum.is_nan() {
        return nan(sum, [product, addend]);
    }
    // What the sum lost (Knuth's two-sum).
    let part = sum - product;
    let lost = (product - (sum - part)) + (addend - part);
    let bits = sum.to_bits();
    if lost == 0.0 || lost.is_nan() || bits & 1 == 1 {
        return sum as f32;
    }
    // To odd instead of to the nearest: then the second rounding cannot go wrong
    // (Boldo and Melquiond 2008).
    let odd = if (lost > 0.0) == (sum > 0.0) { bits | 1 } else { bits - 1 };
    f64::from_bits(odd) as f32
}

/// The NaN that an operation on numbers gives.
fn nan<const N: usize>(result: f64, operands: [f64; N]) -> f32 {
    f32::from_bits(to_single(settled(result, operands)))
}
