//! Arithmetic on integers of 64 and 128 bits.
//!
//! Source: ISA manuals, VOP3.

use isa::gcn::operation::VectorWide as Op;

use super::integers::differences;
use super::{Function, Inputs};

/// Four sums of differences: of the second source's bytes with those of the first from
/// each of four places on.
fn four_differences(first: u64, second: u64, masked: bool) -> [u32; 4] {
    [0, 1, 2, 3].map(|place| differences(first >> (8 * place), second, masked))
}

fn packed_differences(i: &Inputs, masked: bool) -> u64 {
    let sums = four_differences(i.s[0], i.s[1], masked);
    sums.into_iter().enumerate().fold(0, |whole, (place, sum)| {
        let exact = u32::from((i.s[2] >> (16 * place)) as u16) + sum;
        let kept = if i.clamp { exact.min(0xffff) } else { exact & 0xffff };
        whole | u64::from(kept) << (16 * place)
    })
}

/// Returns the function of an opcode.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn function(opcode: Op) -> Function {
    match opcode {
        Op::v_lshl_b64 => Function::Bits(|i| i.s[0] << (i.s[1] & 63)),
        Op::v_lshr_b64 => Function::Bits(|i| i.s[0] >> (i.s[1] & 63)),
        Op::v_ashr_i64 => Function::Bits(|i| (i.s[0] as i64 >> (i.s[1] & 63)) as u64),
        Op::v_lshlrev_b64 => Function::Bits(|i| i.s[1] << (i.s[0] & 63)),
        Op::v_lshrrev_b64 => Function::Bits(|i| i.s[1] >> (i.s[0] & 63)),
        Op::v_ashrrev_i64 => Function::Bits(|i| (i.s[1] as i64 >> (i.s[0] & 63)) as u64),
        Op::v_qsad_pk_u16_u8 => Function::Bits(|i| packed_differences(i, false)),
        Op::v_mqsad_pk_u16_u8 => Function::Bits(|i| packed_differences(i, true)),
        Op::v_mad_u64_u32 => Function::Carry(|i| {
            let product = u64::from(i.s[0] as u32) * u64::from(i.s[1] as u32);
            let (sum, carry) = product.overflowing_add(i.s[2]);
            (if i.clamp && carry { u64::MAX } else { sum }, carry)
        }),
        Op::v_mad_i64_i32 => Function::Carry(|i| {
            let product = i64::from(i.s[0] as i32) * i64::from(i.s[1] as i32);
            let exact = i128::from(product) + i128::from(i.s[2] as i64);
            let sum = if i.clamp { exact.clamp(i64::MIN.into(), i64::MAX.into()) } else { exact };
            (sum as u64, exact != i128::from(exact as i64))
        }),
        Op::v_mqsad_u32_u8 => Function::Wide(|[first, second], old| {
            let sums = four_differences(first, second, true);
            [0, 1, 2, 3].map(|place| sums[place].wrapping_add(old[place]))
        }),
    }
}
