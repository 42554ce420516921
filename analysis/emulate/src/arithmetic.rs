//! Sums, products and conversions of floats as MODE says that they are rounded.
//!
//! Source: ISA manuals, MODE, FP_ROUND. To the nearest, as nearly all code runs, is what
//! the processor does; the other ways go through [`Exact`]. Functions that the hardware
//! only approximates are rounded to the nearest in every mode.

use crate::exact::Exact;
use crate::float::{number, rounded};
use crate::half::Rounding;
use crate::mode::Mode;

/// A number that is known exactly, in a format.
pub(crate) fn converted<const BITS: u8>(value: f64, mode: Mode) -> u64 {
    in_way::<BITS>(value, mode.rounding(BITS))
}

/// A number that is known exactly, in a format, rounded in one way.
pub(crate) fn in_way<const BITS: u8>(value: f64, way: Rounding) -> u64 {
    match (way, Exact::of(value)) {
        (Rounding::Nearest, _) | (_, None) => rounded::<BITS>(value),
        (way, Some(exact)) => exact.rounded(BITS, way),
    }
}

/// The sum of two numbers of a format.
pub(crate) fn sum<const BITS: u8>(a: f64, b: f64, mode: Mode) -> u64 {
    let way = mode.rounding(BITS);
    match (way, Exact::of(a), Exact::of(b)) {
        (Rounding::Nearest, ..) | (_, None, _) | (_, _, None) => rounded::<BITS>(a + b),
        (way, Some(a), Some(b)) => a.plus(b, way).rounded(BITS, way),
    }
}

/// The product of two numbers of a format.
pub(crate) fn product<const BITS: u8>(a: f64, b: f64, mode: Mode) -> u64 {
    let way = mode.rounding(BITS);
    match (way, Exact::of(a), Exact::of(b)) {
        (Rounding::Nearest, ..) | (_, None, _) | (_, _, None) => rounded::<BITS>(a * b),
        (way, Some(a), Some(b)) => a.times(b).rounded(BITS, way),
    }
}

/// A product and a sum, rounded once.
pub(crate) fn fused<const BITS: u8>(bits: [u64; 3], mode: Mode) -> u64 {
    let way = mode.rounding(BITS);
    let [a, b, c] = bits.map(number::<BITS>);
    match (way, [a, b, c].map(Exact::of)) {
        (Rounding::Nearest, _) if BITS == 32 => {
            let [a, b, c] = bits.map(|bits| f32::from_bits(bits as u32));
            a.mul_add(b, c).to_bits().into()
        }
        (way, [Some(a), Some(b), Some(c)]) if way != Rounding::Nearest => {
            a.times(b).plus(c, way).rounded(BITS, way)
        }
        _ => rounded::<BITS>(a.mul_add(b, c)),
    }
}

/// A product and a sum times a power of two, rounded once.
pub(crate) fn fused_times_power<const BITS: u8>(bits: [u64; 3], power: i32, mode: Mode) -> u64 {
    match bits.map(|bits| Exact::of(number::<BITS>(bits))) {
        [Some(a), Some(b), Some(c)] => {
            let way = mode.rounding(BITS);
            a.times(b).plus(c, way).times_power(power).rounded(BITS, way)
        }
        _ => fused::<BITS>(bits, mode),
    }
}

/// A number times a power of two, rounded once.
pub(crate) fn times_power<const BITS: u8>(value: f64, power: i32, way: Rounding) -> u64 {
    match Exact::of(value) {
        Some(exact) => exact.times_power(power).rounded(BITS, way),
        None => rounded::<BITS>(value),
    }
}

/// The sum of two products of halves and of a number of 32 bits, rounded once.
pub(crate) fn dot(pairs: [[f64; 2]; 2], addend: f64, mode: Mode) -> u64 {
    let way = mode.rounding(32);
    let [[a, b], [c, d]] = pairs;
    match [a, b, c, d, addend].map(Exact::of) {
        [Some(a), Some(b), Some(c), Some(d), Some(addend)] => {
            a.times(b).plus(c.times(d), way).plus(addend, way).rounded(32, way)
        }
        _ => rounded::<32>(a * b + c * d + addend),
    }
}
