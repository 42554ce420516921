//! Double precision and 64-bit integers.
//!
//! The rules for special values are those of the 32-bit opcodes: `DMIN` and
//! `DMAX` are comparisons, division by zero gives all bits set, shift counts
//! are taken modulo 64. `DROUND` rounds ties to even.

use tgsi::Opcode;

use crate::float::Computed;
use crate::operation::Operation::{Compare, Wide, WideSparse};
use crate::operation::Table;

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn s(bits: u64) -> i64 {
    bits as i64
}

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    (Opcode::DABS, Wide(|v| d(v[0]).abs().to_bits())),
    (Opcode::DNEG, Wide(|v| v[0] ^ 1 << 63)),
    (Opcode::DADD, Wide(|v| (d(v[0]) + d(v[1])).bits())),
    (Opcode::DMUL, Wide(|v| (d(v[0]) * d(v[1])).bits())),
    (Opcode::DDIV, Wide(|v| (d(v[0]) / d(v[1])).bits())),
    (Opcode::DMAD, Wide(|v| (d(v[0]) * d(v[1]) + d(v[2])).bits())),
    (Opcode::DFMA, Wide(|v| softfloat::fused(d(v[0]), d(v[1]), d(v[2])).bits())),
    (Opcode::DMIN, Wide(|v| if d(v[0]) < d(v[1]) { v[0] } else { v[1] })),
    (Opcode::DMAX, Wide(|v| if d(v[0]) > d(v[1]) { v[0] } else { v[1] })),
    (Opcode::DSLT, Compare(|v| d(v[0]) < d(v[1]))),
    (Opcode::DSGE, Compare(|v| d(v[0]) >= d(v[1]))),
    (Opcode::DSEQ, Compare(|v| d(v[0]) == d(v[1]))),
    (Opcode::DSNE, Compare(|v| d(v[0]) != d(v[1]))),
    (Opcode::DRCP, Wide(|v| (1.0 / d(v[0])).bits())),
    (Opcode::DSQRT, Wide(|v| d(v[0]).sqrt().bits())),
    (Opcode::DRSQ, Wide(|v| (1.0 / d(v[0]).sqrt()).bits())),
    (Opcode::DFRAC, Wide(|v| (d(v[0]) - d(v[0]).floor()).bits())),
    (Opcode::DTRUNC, Wide(|v| d(v[0]).trunc().bits())),
    (Opcode::DCEIL, Wide(|v| d(v[0]).ceil().bits())),
    (Opcode::DFLR, Wide(|v| d(v[0]).floor().bits())),
    (Opcode::DROUND, Wide(|v| d(v[0]).round_ties_even().bits())),
    (Opcode::DSSG, Wide(|v| sign(d(v[0])).bits())),
    (Opcode::DLDEXP, WideSparse(|v| scale(d(v[0]), v[1] as i32).bits())),
    (Opcode::U64ADD, Wide(|v| v[0].wrapping_add(v[1]))),
    (Opcode::U64MUL, Wide(|v| v[0].wrapping_mul(v[1]))),
    (Opcode::I64NEG, Wide(|v| v[0].wrapping_neg())),
    (Opcode::I64ABS, Wide(|v| s(v[0]).unsigned_abs())),
    (Opcode::I64SSG, Wide(|v| s(v[0]).signum() as u64)),
    (Opcode::I64MIN, Wide(|v| s(v[0]).min(s(v[1])) as u64)),
    (Opcode::I64MAX, Wide(|v| s(v[0]).max(s(v[1])) as u64)),
    (Opcode::U64MIN, Wide(|v| v[0].min(v[1]))),
    (Opcode::U64MAX, Wide(|v| v[0].max(v[1]))),
    (Opcode::U64SEQ, Compare(|v| v[0] == v[1])),
    (Opcode::U64SNE, Compare(|v| v[0] != v[1])),
    (Opcode::I64SLT, Compare(|v| s(v[0]) < s(v[1]))),
    (Opcode::I64SGE, Compare(|v| s(v[0]) >= s(v[1]))),
    (Opcode::U64SLT, Compare(|v| v[0] < v[1])),
    (Opcode::U64SGE, Compare(|v| v[0] >= v[1])),
    // The wrapping shifts take the count modulo 64, as the documents do.
    (Opcode::U64SHL, Wide(|v| v[0].wrapping_shl(v[1] as u32))),
    (Opcode::U64SHR, Wide(|v| v[0].wrapping_shr(v[1] as u32))),
    (Opcode::I64SHR, Wide(|v| s(v[0]).wrapping_shr(v[1] as u32) as u64)),
    (Opcode::U64DIV, Wide(|v| v[0].checked_div(v[1]).unwrap_or(u64::MAX))),
    (Opcode::U64MOD, Wide(|v| v[0].checked_rem(v[1]).unwrap_or(u64::MAX))),
    (
        Opcode::I64DIV,
        Wide(|v| if v[1] == 0 { u64::MAX } else { s(v[0]).wrapping_div(s(v[1])) as u64 }),
    ),
    (
        Opcode::I64MOD,
        Wide(|v| if v[1] == 0 { u64::MAX } else { s(v[0]).wrapping_rem(s(v[1])) as u64 }),
    ),
];

/// 0 for NaN, too.
fn sign(value: f64) -> f64 {
    match value {
        x if x > 0.0 => 1.0,
        x if x < 0.0 => -1.0,
        _ => 0.0,
    }
}

/// Scales by a power of two in steps that stay within the exponent's reach.
/// Only the last step can round, as long as it alone leaves the normal range.
fn scale(value: f64, exponent: i32) -> f64 {
    let mut rest = exponent.clamp(-2200, 2200);
    let mut result = value;
    while rest > 1000 {
        result *= 2.0f64.powi(1000);
        rest -= 1000;
    }
    while rest < -900 && result.abs() >= 2.0f64.powi(-100) {
        result *= 2.0f64.powi(-900);
        rest += 900;
    }
    if rest < -1000 {
        return result * 0.0;
    }
    result * 2.0f64.powi(rest)
}

/// `_SAT` on a double.
pub(crate) fn saturate(bits: u64) -> u64 {
    match d(bits) {
        x if x < 0.0 => 0,
        x if x > 1.0 => 1.0f64.bits(),
        _ => bits,
    }
}

/// A number as a fraction from 0.5 to 1 (with its sign) and a power of two.
/// Zero, infinity and NaN stay, with the exponent 0.
pub(crate) fn fraction_exponent(bits: u64) -> (u64, i32) {
    const EXPONENT: u64 = 0x7ff << 52;
    let value = d(bits);
    if value == 0.0 || !value.is_finite() {
        return (bits, 0);
    }
    // A denormal is made normal first, which is exact.
    let (bits, moved) = match bits & EXPONENT {
        0 => ((value * 2.0f64.powi(64)).bits(), -64),
        _ => (bits, 0),
    };
    let exponent = ((bits & EXPONENT) >> 52) as i32 - 1022 + moved;
    (bits & !EXPONENT | 1022 << 52, exponent)
}
