//! Reciprocals, roots, exponentials, logarithms and the functions of angles.
//!
//! The hardware may miss the exact result by one unit in the last place (ISA manuals:
//! "1 ULP accuracy"; sine and cosine have an absolute error instead). Here they are
//! computed in 64 bits and rounded once. Angles are turns; beyond 256 of them sine is 0
//! and cosine 1. Of 32 bits all but sine and cosine take denormals for zero and give none,
//! whatever MODE says, and what has no result is one NaN (MI100 ISA 12.8).

use isa::gcn::operation::VectorTranscendental as Op;

use super::{Inputs, angles};
use crate::float::{flushed, number, rounded};
use softfloat::settled;

/// The NaN of what has no result.
const DEFAULT_NAN: u64 = 0xffc0_0000;

/// A function of a number, which gives a NaN back as a quiet one.
fn of<const BITS: u8>(i: &Inputs, function: fn(f64) -> f64) -> u64 {
    approximated::<BITS>(i, |source| settled(function(source), [source]))
}

fn approximated<const BITS: u8>(i: &Inputs, function: impl Fn(f64) -> f64) -> u64 {
    let without_denormals = |bits: u64| if BITS == 32 { flushed(bits, 32) } else { bits };
    let source = number::<BITS>(without_denormals(i.s[0]));
    let value = function(source);
    match value.is_nan() && !source.is_nan() {
        true if BITS == 32 => DEFAULT_NAN,
        _ => without_denormals(rounded::<BITS>(value)),
    }
}

/// Sine and cosine of 32 bits.
fn angle(i: &Inputs, function: fn(f64) -> f64) -> u64 {
    let source = number::<32>(i.s[0]);
    if source.is_infinite() { DEFAULT_NAN } else { rounded::<32>(function(source)) }
}

/// An infinite result becomes the largest number.
fn clamp_infinite<const BITS: u8>(value: u64) -> u64 {
    let number = number::<BITS>(value);
    let largest = if BITS == 32 { f64::from(f32::MAX) } else { f64::MAX };
    if number.is_infinite() { rounded::<BITS>(largest.copysign(number)) } else { value }
}

/// An infinite result becomes zero.
fn drop_infinite(value: u64) -> u64 {
    if number::<32>(value).is_infinite() { value & 0x8000_0000 } else { value }
}

fn reciprocal<const BITS: u8>(i: &Inputs) -> u64 {
    of::<BITS>(i, |x| 1.0 / x)
}

fn reciprocal_root<const BITS: u8>(i: &Inputs) -> u64 {
    // The root of -0 is -0.
    of::<BITS>(i, |x| 1.0 / x.sqrt())
}

/// Reduces an angle, in turns, to half a turn each way; `None` beyond the hardware's range.
fn reduced(turns: f64) -> Option<f64> {
    (turns.abs() <= 256.0).then(|| turns - turns.round_ties_even())
}

fn sine(turns: f64) -> f64 {
    match reduced(turns) {
        _ if !turns.is_finite() => f64::NAN,
        None => 0.0,
        Some(rest) => {
            // Halves and quarters of a turn are exact.
            let quarters = rest * 4.0;
            match quarters as i32 {
                whole if f64::from(whole) != quarters => (rest * std::f64::consts::TAU).sin(),
                1 => 1.0,
                -1 => -1.0,
                _ => 0.0_f64.copysign(turns),
            }
        }
    }
}

fn cosine(turns: f64) -> f64 {
    match reduced(turns) {
        _ if !turns.is_finite() => f64::NAN,
        None => 1.0,
        Some(rest) => {
            let quarters = rest * 4.0;
            match quarters as i32 {
                whole if f64::from(whole) != quarters => (rest * std::f64::consts::TAU).cos(),
                0 => 1.0,
                1 | -1 => 0.0,
                _ => -1.0,
            }
        }
    }
}

/// Returns the function of an opcode.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn function<const BITS: u8>(opcode: Op) -> fn(&Inputs) -> u64 {
    match opcode {
        Op::v_rcp_f16 | Op::v_rcp_f32 | Op::v_rcp_iflag_f32 | Op::v_rcp_f64 => reciprocal::<BITS>,
        Op::v_rcp_clamp_f32 | Op::v_rcp_clamp_f64 => {
            |i| clamp_infinite::<BITS>(reciprocal::<BITS>(i))
        }
        Op::v_rcp_legacy_f32 => |i| drop_infinite(reciprocal::<32>(i)),
        Op::v_rsq_f16 | Op::v_rsq_f32 | Op::v_rsq_f64 => reciprocal_root::<BITS>,
        Op::v_rsq_clamp_f32 | Op::v_rsq_clamp_f64 => {
            |i| clamp_infinite::<BITS>(reciprocal_root::<BITS>(i))
        }
        Op::v_rsq_legacy_f32 => |i| drop_infinite(reciprocal_root::<32>(i)),
        Op::v_sqrt_f16 | Op::v_sqrt_f32 | Op::v_sqrt_f64 => |i| of::<BITS>(i, f64::sqrt),
        Op::v_exp_f16 | Op::v_exp_f32 | Op::v_exp_legacy_f32 => |i| of::<BITS>(i, f64::exp2),
        Op::v_log_f16 | Op::v_log_f32 | Op::v_log_legacy_f32 => |i| of::<BITS>(i, f64::log2),
        Op::v_log_clamp_f32 => |i| clamp_infinite::<32>(of::<32>(i, f64::log2)),
        Op::v_sin_f16 => |i| approximated::<16>(i, sine),
        Op::v_sin_f32 => |i| angle(i, sine),
        Op::v_cos_f16 => |i| approximated::<16>(i, cosine),
        Op::v_cos_f32 => |i| angle(i, cosine),
        Op::v_trig_preop_f64 => angles::preparation,
    }
}
