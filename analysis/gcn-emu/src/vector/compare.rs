//! Comparisons: a bit of a mask for every lane.
//!
//! Source: ISA manuals, VOPC. With NaN only the negated comparisons hold, and U. The
//! signalling forms (V_CMPS) differ in exceptions, which do not exist here.

use super::Inputs;
use crate::float::{is_denormal, number, quiet_bit, sign_bit};

/// Tells whether a number is of one of the classes that the bits of the second source name:
/// signalling and quiet NaN, -inf, negative, -denormal, -0, and back up.
pub(super) fn is_of_class<const BITS: u8>(i: &Inputs) -> bool {
    let value = number::<BITS>(i.s[0]);
    let negative = i.s[0] & sign_bit(BITS) != 0;
    let place = match () {
        () if value.is_nan() => u32::from(i.s[0] & quiet_bit(BITS) != 0),
        () => {
            let size = match () {
                () if value.is_infinite() => 0,
                () if value == 0.0 => 3,
                () if is_denormal(i.s[0], BITS) => 2,
                () => 1,
            };
            if negative { 2 + size } else { 9 - size }
        }
    };
    i.s[1] >> place & 1 == 1
}
