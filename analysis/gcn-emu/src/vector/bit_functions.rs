//! Moves and sums of 64 bits, and functions of bits that came with MI300 and MI350.
//!
//! Source: CDNA4 ISA, VOP1 and VOP3, whose code is followed.

use isa::gcn::operation::{VectorBitFunction, VectorWordPair};

use super::{Function, Inputs};
use crate::operand::Fields;

/// One step of the generator of random bits.
pub(super) fn next_random(bits: u32) -> u32 {
    bits << 1 ^ if bits >> 31 == 1 { 197 } else { 0 }
}

/// Two numbers shifted down and put into a byte each.
fn bytes(i: &Inputs, least: i32, most: i32) -> u64 {
    let byte = |place: usize| {
        let shifted = i.s[place] as i32 >> (i.s[2] & 31);
        u64::from(shifted.clamp(least, most) as u8)
    };
    byte(0) | byte(1) << 8
}

/// Each bit by the table: the bits of the three sources are the number of an entry.
pub(super) fn by_table(table: u8, s: [u64; 3]) -> u64 {
    (0..8).filter(|entry| table >> entry & 1 == 1).fold(0, |all, entry| {
        let agrees = |place: usize| {
            if entry >> (2 - place) & 1 == 1 { s[place] } else { !s[place] }
        };
        all | agrees(0) & agrees(1) & agrees(2)
    })
}

/// Returns the function of an operation on 64 bits.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn of_pair(opcode: VectorWordPair) -> fn(&Inputs) -> u64 {
    match opcode {
        VectorWordPair::v_mov_b64 => |i| i.s[0],
        VectorWordPair::v_lshl_add_u64 => |i| (i.s[0] << (i.s[1] & 7)).wrapping_add(i.s[2]),
    }
}

/// Returns the function of an operation on bits.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn function(opcode: VectorBitFunction, fields: &Fields) -> Function {
    match opcode {
        VectorBitFunction::v_bitop3_b32 | VectorBitFunction::v_bitop3_b16 => {
            let [low, middle, high] = ["neg", "abs", "omod"].map(|name| fields.get(name));
            Function::Table((low | middle << 3 | high << 6) as u8)
        }
        VectorBitFunction::v_prng_b32 => Function::Bits(|i| u64::from(next_random(i.s[0] as u32))),
        VectorBitFunction::v_ashr_pk_i8_i32 => Function::Bits(|i| bytes(i, -128, 127)),
        VectorBitFunction::v_ashr_pk_u8_i32 => Function::Bits(|i| bytes(i, 0, 255)),
    }
}
