//! Comparisons: a bit of a mask for every lane.
//!
//! Source: ISA manuals, VOPC. With NaN only the negated comparisons hold, and U. The
//! signalling forms (V_CMPS) differ in exceptions, which do not exist here.

use isa::gcn::operation::VectorClass as Op;

use super::Inputs;
use crate::float::{is_denormal, number, quiet_bit, sign_bit};

/// Tells whether a number is of one of the classes that the bits of the second source name:
/// signalling and quiet NaN, -inf, negative, -denormal, -0, and back up.
fn is_of_class<const BITS: u8>(i: &Inputs) -> bool {
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

/// Returns the function of a test of a class.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn class(opcode: Op) -> fn(&Inputs) -> bool {
    match opcode {
        Op::v_cmp_class_f16 | Op::v_cmpx_class_f16 => is_of_class::<16>,
        Op::v_cmp_class_f32 | Op::v_cmpx_class_f32 => is_of_class::<32>,
        Op::v_cmp_class_f64 | Op::v_cmpx_class_f64 => is_of_class::<64>,
    }
}
