//! Sums, products and conversions of floats, rounded as MODE says.
//!
//! Source: ISA manuals, MODE, FP_ROUND. Rounding to the nearest, in which nearly all code
//! runs, is what the processor does; the other modes go through [`Exact`]. Functions that
//! the hardware only approximates are rounded to the nearest in every mode.

use std::cmp::Ordering;

use isa::gcn::operation::NumberType;

use crate::float::{number, rounded};
use crate::mode::Mode;
use softfloat::{Exact, Rounding, fused_f32, settled};

/// Converts a number that is known exactly to a format, as MODE rounds.
pub(crate) fn converted<const BITS: u8>(value: f64, mode: Mode) -> u64 {
    converted_as::<BITS>(value, mode.rounding(BITS))
}

/// Converts a number that is known exactly to a format, in one rounding mode.
pub(crate) fn converted_as<const BITS: u8>(value: f64, rounding: Rounding) -> u64 {
    match (rounding, Exact::of(value)) {
        (Rounding::Nearest, _) | (_, None) => rounded::<BITS>(value),
        (rounding, Some(exact)) => exact.rounded(BITS, rounding),
    }
}

/// The sum of two numbers of a format, rounded to the nearest.
pub(crate) fn nearest_sum<const BITS: u8>(a: f64, b: f64) -> u64 {
    rounded::<BITS>(settled(a + b, [a, b]))
}

/// The sum of two numbers of a format.
pub(crate) fn sum<const BITS: u8>(a: f64, b: f64, mode: Mode) -> u64 {
    let rounding = mode.rounding(BITS);
    match (rounding, Exact::of(a), Exact::of(b)) {
        (Rounding::Nearest, ..) | (_, None, _) | (_, _, None) => nearest_sum::<BITS>(a, b),
        (rounding, Some(a), Some(b)) => a.plus(b, rounding).rounded(BITS, rounding),
    }
}

/// The product of two numbers of a format.
pub(crate) fn product<const BITS: u8>(a: f64, b: f64, mode: Mode) -> u64 {
    let rounding = mode.rounding(BITS);
    match (rounding, Exact::of(a), Exact::of(b)) {
        (Rounding::Nearest, ..) | (_, None, _) | (_, _, None) => {
            rounded::<BITS>(settled(a * b, [a, b]))
        }
        (rounding, Some(a), Some(b)) => a.times(b).rounded(BITS, rounding),
    }
}

/// A product and a sum, rounded once.
pub(crate) fn fused<const BITS: u8>(bits: [u64; 3], mode: Mode) -> u64 {
    let rounding = mode.rounding(BITS);
    let [a, b, c] = bits.map(number::<BITS>);
    match (rounding, [a, b, c].map(Exact::of)) {
        // A sum of 64 bits that lies near the middle between two numbers of 32 would be
        // rounded twice; the processor's fused operation on 32 bits rounds once.
        (Rounding::Nearest, _) if BITS == 32 => {
            let [a, b, c] = bits.map(|bits| f32::from_bits(bits as u32));
            fused_f32(a, b, c).to_bits().into()
        }
        (rounding, [Some(a), Some(b), Some(c)]) => {
            a.times(b).plus(c, rounding).rounded(BITS, rounding)
        }
        _ => rounded::<BITS>(softfloat::fused(a, b, c)),
    }
}

/// A product and a sum times a power of two, rounded once.
pub(crate) fn fused_times_power<const BITS: u8>(bits: [u64; 3], power: i32, mode: Mode) -> u64 {
    match bits.map(|bits| Exact::of(number::<BITS>(bits))) {
        [Some(a), Some(b), Some(c)] => {
            let rounding = mode.rounding(BITS);
            a.times(b).plus(c, rounding).times_power(power).rounded(BITS, rounding)
        }
        _ => fused::<BITS>(bits, mode),
    }
}

/// A number times a power of two, rounded once.
pub(crate) fn times_power<const BITS: u8>(value: f64, power: i32, rounding: Rounding) -> u64 {
    match Exact::of(value) {
        Some(exact) => exact.times_power(power).rounded(BITS, rounding),
        None => rounded::<BITS>(value),
    }
}

/// The sum of two products of halves and of a number of 32 bits, rounded once.
pub(crate) fn dot(pairs: [[f64; 2]; 2], addend: f64, mode: Mode) -> u64 {
    let rounding = mode.rounding(32);
    let [[a, b], [c, d]] = pairs;
    match [a, b, c, d, addend].map(Exact::of) {
        [Some(a), Some(b), Some(c), Some(d), Some(addend)] => {
            a.times(b).plus(c.times(d), rounding).plus(addend, rounding).rounded(32, rounding)
        }
        _ => rounded::<32>(settled(a * b + c * d + addend, [a, b, c, d, addend])),
    }
}

/// The order of two numbers; `None` where one is NaN.
pub(crate) fn order(ty: NumberType, a: u64, b: u64) -> Option<Ordering> {
    fn floats<const BITS: u8>(a: u64, b: u64) -> Option<Ordering> {
        number::<BITS>(a).partial_cmp(&number::<BITS>(b))
    }
    Some(match ty {
        NumberType::F16 => return floats::<16>(a, b),
        NumberType::F32 => return floats::<32>(a, b),
        NumberType::F64 => return floats::<64>(a, b),
        NumberType::I16 => (a as i16).cmp(&(b as i16)),
        NumberType::I32 => (a as i32).cmp(&(b as i32)),
        NumberType::I64 => (a as i64).cmp(&(b as i64)),
        NumberType::U16 => (a as u16).cmp(&(b as u16)),
        NumberType::U32 => (a as u32).cmp(&(b as u32)),
        NumberType::U64 => a.cmp(&b),
    })
}
