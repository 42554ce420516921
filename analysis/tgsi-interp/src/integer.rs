//! 32-bit integer arithmetic.
//!
//! Sums and products keep their low bits. Division and remainder by zero give
//! all bits set: the documents say so of the unsigned ones and nothing of the
//! signed ones. The one quotient that does not fit wraps. Bit fields beyond
//! the register, which the documents leave undefined, use the low five bits of
//! offset and width as GCN does.

use tgsi::Opcode;

use crate::float::all_if;
use crate::operation::Operation::Each;
use crate::operation::{Table, Words};

fn s(bits: u32) -> i32 {
    bits as i32
}

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    (Opcode::UADD, Each(|v| v[0].wrapping_add(v[1]))),
    (Opcode::UMUL, Each(|v| v[0].wrapping_mul(v[1]))),
    (Opcode::UMAD, Each(|v| v[0].wrapping_mul(v[1]).wrapping_add(v[2]))),
    (Opcode::INEG, Each(|v| v[0].wrapping_neg())),
    (Opcode::IABS, Each(|v| s(v[0]).unsigned_abs())),
    (Opcode::ISSG, Each(|v| s(v[0]).signum() as u32)),
    (Opcode::IMIN, Each(|v| s(v[0]).min(s(v[1])) as u32)),
    (Opcode::IMAX, Each(|v| s(v[0]).max(s(v[1])) as u32)),
    (Opcode::UMIN, Each(|v| v[0].min(v[1]))),
    (Opcode::UMAX, Each(|v| v[0].max(v[1]))),
    (Opcode::AND, Each(|v| v[0] & v[1])),
    (Opcode::OR, Each(|v| v[0] | v[1])),
    (Opcode::XOR, Each(|v| v[0] ^ v[1])),
    (Opcode::NOT, Each(|v| !v[0])),
    // The wrapping shifts take the count modulo 32, as the documents do.
    (Opcode::SHL, Each(|v| v[0].wrapping_shl(v[1]))),
    (Opcode::USHR, Each(|v| v[0].wrapping_shr(v[1]))),
    (Opcode::ISHR, Each(|v| s(v[0]).wrapping_shr(v[1]) as u32)),
    (Opcode::ISLT, Each(|v| all_if(s(v[0]) < s(v[1])))),
    (Opcode::ISGE, Each(|v| all_if(s(v[0]) >= s(v[1])))),
    (Opcode::USLT, Each(|v| all_if(v[0] < v[1]))),
    (Opcode::USGE, Each(|v| all_if(v[0] >= v[1]))),
    (Opcode::USEQ, Each(|v| all_if(v[0] == v[1]))),
    (Opcode::USNE, Each(|v| all_if(v[0] != v[1]))),
    (Opcode::UDIV, Each(|v| v[0].checked_div(v[1]).unwrap_or(u32::MAX))),
    (Opcode::UMOD, Each(|v| v[0].checked_rem(v[1]).unwrap_or(u32::MAX))),
    (
        Opcode::IDIV,
        Each(|v| if v[1] == 0 { u32::MAX } else { s(v[0]).wrapping_div(s(v[1])) as u32 }),
    ),
    (
        Opcode::MOD,
        Each(|v| if v[1] == 0 { u32::MAX } else { s(v[0]).wrapping_rem(s(v[1])) as u32 }),
    ),
    (Opcode::IMUL_HI, Each(|v| ((i64::from(s(v[0])) * i64::from(s(v[1]))) >> 32) as u32)),
    (Opcode::UMUL_HI, Each(|v| ((u64::from(v[0]) * u64::from(v[1])) >> 32) as u32)),
    (Opcode::UBFE, Each(extract)),
    (Opcode::IBFE, Each(|v| extend(extract(v), v[2]))),
    (Opcode::BFI, Each(insert)),
    (Opcode::BREV, Each(|v| v[0].reverse_bits())),
    (Opcode::POPC, Each(|v| v[0].count_ones())),
    (Opcode::LSB, Each(|v| if v[0] == 0 { u32::MAX } else { v[0].trailing_zeros() })),
    (Opcode::UMSB, Each(|v| highest(v[0]))),
    // With the sign bits inverted away, what is left begins at the first difference.
    (Opcode::IMSB, Each(|v| highest(if s(v[0]) < 0 { !v[0] } else { v[0] }))),
    (Opcode::UARL, Each(|v| v[0])),
];

/// A bit field; a width of 32 and more means the whole register.
fn extract(v: Words) -> u32 {
    match v[2] {
        32.. => v[0],
        width => v[0].wrapping_shr(v[1]) & ones(width),
    }
}

fn ones(width: u32) -> u32 {
    1u32.wrapping_shl(width).wrapping_sub(1)
}

/// Repeats the highest bit of a field to the left.
fn extend(field: u32, width: u32) -> u32 {
    match width {
        1..32 => (s(field << (32 - width)) >> (32 - width)) as u32,
        _ => field,
    }
}

/// Puts `v[1]` into `v[0]` at bit `v[2]`, `v[3]` bits wide.
fn insert(v: Words) -> u32 {
    if v[3] >= 32 {
        return v[1];
    }
    let mask = ones(v[3]).wrapping_shl(v[2]);
    (v[1].wrapping_shl(v[2]) & mask) | (v[0] & !mask)
}

fn highest(bits: u32) -> u32 {
    if bits == 0 { u32::MAX } else { 31 - bits.leading_zeros() }
}
