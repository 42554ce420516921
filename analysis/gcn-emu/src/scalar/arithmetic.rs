//! Scalar arithmetic: one arm for every opcode.
//!
//! Source: ISA manuals, SOP1, SOP2, SOPC, SOPK; the rows follow the formulas of the
//! instruction set's tables.

use isa::gcn::operation::{
    ScalarBits, ScalarInteger, ScalarLogic, ScalarMove, ScalarSaveExec, ScalarSignedBits,
};

use super::{Compute, Inputs, Outcome};

/// A result that SCC says nothing of.
fn keep(value: u64) -> Outcome {
    Outcome { value: Some(value), ..Outcome::default() }
}

fn keep32(value: u32) -> Outcome {
    keep(value.into())
}

/// A result, and whether it is not zero.
fn set(value: u64) -> Outcome {
    Outcome { value: Some(value), scc: Some(value != 0), exec: None }
}

fn set32(value: u32) -> Outcome {
    set(value.into())
}

fn both(value: u32, scc: bool) -> Outcome {
    Outcome { value: Some(value.into()), scc: Some(scc), exec: None }
}

/// The low bits of a value, others being zero.
fn low<const BITS: u32>(value: u64) -> u64 {
    value & (u64::MAX >> (64 - BITS))
}

/// Sets SCC alone.
pub(super) fn flag(scc: bool) -> Outcome {
    Outcome { scc: Some(scc), ..Outcome::default() }
}

/// The older EXEC goes to the destination.
fn save(i: &Inputs, exec: u64) -> Outcome {
    Outcome { value: Some(i.exec), scc: Some(exec != 0), exec: Some(exec) }
}

/// The new EXEC goes to the destination too.
fn replace(exec: u64) -> Outcome {
    Outcome { value: Some(exec), scc: Some(exec != 0), exec: Some(exec) }
}

impl Inputs {
    fn u(&self, place: usize) -> u32 {
        self.s[place] as u32
    }

    fn i(&self, place: usize) -> i32 {
        self.s[place] as u32 as i32
    }

    /// The count of a shift of 32 or 64 bits.
    fn shift(&self, bits: u32) -> u32 {
        self.s[1] as u32 & (bits - 1)
    }
}

fn subtract(a: u32, b: u32, borrow: bool) -> Outcome {
    let (first, one) = a.overflowing_sub(b);
    let (value, two) = first.overflowing_sub(borrow.into());
    both(value, one || two)
}

fn add(a: u32, b: u32, carry: bool) -> Outcome {
    let sum = u64::from(a) + u64::from(b) + u64::from(carry);
    both(sum as u32, sum >> 32 != 0)
}

fn shifted_sum(i: &Inputs, count: u32) -> Outcome {
    let sum = (u64::from(i.u(0)) << count) + u64::from(i.u(1));
    both(sum as u32, sum >> 32 != 0)
}

/// The field of a number: offset and width in the second source.
fn field(i: &Inputs, bits: u32) -> (u64, u32) {
    let (offset, width) = (i.shift(bits), (i.u(1) >> 16 & 127).min(bits));
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    ((i.s[0] >> offset) & mask, width)
}

/// The field of a number with sign, whose copies follow behind its end.
fn signed_field(i: &Inputs, bits: u32) -> u64 {
    let whole = if bits == 32 { i64::from(i.i(0)) } else { i.s[0] as i64 };
    let (_, width) = field(i, bits);
    extended((whole >> i.shift(bits)) as u64, width)
}

/// A field of bits as a number with sign, of as many bits as the whole has.
fn extended(value: u64, width: u32) -> u64 {
    if width == 0 || width >= 64 {
        return if width == 0 { 0 } else { value };
    }
    ((value << (64 - width)) as i64 >> (64 - width)) as u64
}

fn mask_of(bits: u32, i: &Inputs) -> u64 {
    let (count, offset) = (i.u(0) & (bits - 1), i.u(1) & (bits - 1));
    ((1_u64 << count) - 1) << offset
}

fn quads(value: u64, of: fn(u64) -> u64) -> u64 {
    let any = |place: u32| u64::from(value >> (4 * place) & 15 != 0);
    (0..16).fold(0, |sum, place| sum | of(any(place)) << (4 * place))
}

fn quad_mask(value: u64) -> u64 {
    (0..16).fold(0, |sum, place: u32| sum | u64::from(value >> (4 * place) & 15 != 0) << place)
}

/// The position of the lowest bit, or -1.
fn lowest(value: u64) -> Outcome {
    keep32(if value == 0 { u32::MAX } else { value.trailing_zeros() })
}

/// Counts the bits from the top that equal the sign; -1 where all do.
fn sign_bits(value: i64, bits: u32) -> Outcome {
    let same = if value < 0 { !value } else { value } as u64;
    keep32(if same == 0 { u32::MAX } else { same.leading_zeros() - (64 - bits) })
}

fn leading(value: u64, bits: u32) -> Outcome {
    keep32(if value == 0 { u32::MAX } else { value.leading_zeros() - (64 - bits) })
}

/// Returns the function of an opcode on integers.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn integer(opcode: ScalarInteger) -> Compute {
    use ScalarInteger as Op;
    match opcode {
        Op::s_add_u32 => |i| add(i.u(0), i.u(1), false),
        Op::s_addc_u32 => |i| add(i.u(0), i.u(1), i.scc),
        Op::s_sub_u32 => |i| subtract(i.u(0), i.u(1), false),
        Op::s_subb_u32 => |i| subtract(i.u(0), i.u(1), i.scc),
        Op::s_add_i32 => |i| {
            let (value, over) = i.i(0).overflowing_add(i.i(1));
            both(value as u32, over)
        },
        Op::s_sub_i32 => |i| {
            let (value, over) = i.i(0).overflowing_sub(i.i(1));
            both(value as u32, over)
        },
        Op::s_addk_i32 => |i| {
            let (value, over) = (i.d as u32 as i32).overflowing_add(i.k);
            both(value as u32, over)
        },
        Op::s_mulk_i32 => |i| keep32((i.d as u32 as i32).wrapping_mul(i.k) as u32),
        Op::s_mul_i32 => |i| keep32(i.u(0).wrapping_mul(i.u(1))),
        Op::s_mul_hi_u32 => |i| keep((u64::from(i.u(0)) * u64::from(i.u(1))) >> 32),
        Op::s_mul_hi_i32 => |i| keep32(((i64::from(i.i(0)) * i64::from(i.i(1))) >> 32) as u32),
        Op::s_lshl1_add_u32 => |i| shifted_sum(i, 1),
        Op::s_lshl2_add_u32 => |i| shifted_sum(i, 2),
        Op::s_lshl3_add_u32 => |i| shifted_sum(i, 3),
        Op::s_lshl4_add_u32 => |i| shifted_sum(i, 4),
        Op::s_min_i32 => |i| both(i.i(0).min(i.i(1)) as u32, i.i(0) < i.i(1)),
        Op::s_min_u32 => |i| both(i.u(0).min(i.u(1)), i.u(0) < i.u(1)),
        Op::s_max_i32 => |i| both(i.i(0).max(i.i(1)) as u32, i.i(0) > i.i(1)),
        Op::s_max_u32 => |i| both(i.u(0).max(i.u(1)), i.u(0) > i.u(1)),
        Op::s_abs_i32 => |i| set32(i.i(0).wrapping_abs() as u32),
        Op::s_absdiff_i32 => |i| set32(i.i(0).wrapping_sub(i.i(1)).wrapping_abs() as u32),
        Op::s_sext_i32_i8 => |i| keep32(i.u(0) as i8 as u32),
        Op::s_sext_i32_i16 => |i| keep32(i.u(0) as i16 as u32),
    }
}

/// Returns the function of a move.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn move_(opcode: ScalarMove) -> Compute {
    use ScalarMove as Op;
    match opcode {
        Op::s_mov_b32 | Op::s_mov_b64 | Op::s_mov_fed_b32 => |i| keep(i.s[0]),
        Op::s_cmov_b32 | Op::s_cmov_b64 => |i| keep(if i.scc { i.s[0] } else { i.d }),
        Op::s_cselect_b32 | Op::s_cselect_b64 => |i| keep(if i.scc { i.s[0] } else { i.s[1] }),
        Op::s_movk_i32 => |i| keep32(i.k as u32),
        Op::s_cmovk_i32 => |i| keep32(if i.scc { i.k as u32 } else { i.d as u32 }),
        Op::s_pack_ll_b32_b16 => |i| keep32(i.u(1) << 16 | i.u(0) & 0xffff),
        Op::s_pack_lh_b32_b16 => |i| keep32(i.u(1) & 0xffff_0000 | i.u(0) & 0xffff),
        Op::s_pack_hh_b32_b16 => |i| keep32(i.u(1) & 0xffff_0000 | i.u(0) >> 16),
    }
}

/// Returns the function of logic.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn logic<const BITS: u32>(opcode: ScalarLogic) -> Compute {
    use ScalarLogic as Op;
    match opcode {
        Op::s_and_b32 | Op::s_and_b64 => |i| set(i.s[0] & i.s[1]),
        Op::s_or_b32 | Op::s_or_b64 => |i| set(i.s[0] | i.s[1]),
        Op::s_xor_b32 | Op::s_xor_b64 => |i| set(i.s[0] ^ i.s[1]),
        Op::s_andn2_b32 | Op::s_andn2_b64 => |i| set(i.s[0] & !i.s[1]),
        Op::s_orn2_b32 | Op::s_orn2_b64 => |i| set(low::<BITS>(i.s[0] | !i.s[1])),
        Op::s_nand_b32 | Op::s_nand_b64 => |i| set(low::<BITS>(!(i.s[0] & i.s[1]))),
        Op::s_nor_b32 | Op::s_nor_b64 => |i| set(low::<BITS>(!(i.s[0] | i.s[1]))),
        Op::s_xnor_b32 | Op::s_xnor_b64 => |i| set(low::<BITS>(!(i.s[0] ^ i.s[1]))),
        Op::s_not_b32 | Op::s_not_b64 => |i| set(low::<BITS>(!i.s[0])),
        Op::s_wqm_b32 | Op::s_wqm_b64 => |i| set(quads(i.s[0], |any| any * 15)),
    }
}

/// Returns the function of an opcode on bits.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn bits<const BITS: u32>(opcode: ScalarBits) -> Compute {
    use ScalarBits as Op;
    match opcode {
        Op::s_lshl_b32 | Op::s_lshl_b64 => |i| set(low::<BITS>(i.s[0] << i.shift(BITS))),
        Op::s_lshr_b32 | Op::s_lshr_b64 => |i| set(i.s[0] >> i.shift(BITS)),
        Op::s_ashr_i32 => |i| set32((i.i(0) >> i.shift(32)) as u32),
        Op::s_bfm_b32 | Op::s_bfm_b64 => |i| keep(low::<BITS>(mask_of(BITS, i))),
        Op::s_bfe_u32 | Op::s_bfe_u64 => |i| set(field(i, BITS).0),
        Op::s_bfe_i32 => |i| set32(signed_field(i, 32) as u32),
        Op::s_quadmask_b32 | Op::s_quadmask_b64 => |i| set(quad_mask(i.s[0])),
        Op::s_brev_b32 | Op::s_brev_b64 => |i| keep(i.s[0].reverse_bits() >> (64 - BITS)),
        Op::s_bcnt0_i32_b32 | Op::s_bcnt0_i32_b64 => |i| set32(low::<BITS>(!i.s[0]).count_ones()),
        Op::s_bcnt1_i32_b32 | Op::s_bcnt1_i32_b64 => |i| set32(i.s[0].count_ones()),
        Op::s_ff0_i32_b32 | Op::s_ff0_i32_b64 => |i| lowest(low::<BITS>(!i.s[0])),
        Op::s_ff1_i32_b32 | Op::s_ff1_i32_b64 => |i| lowest(i.s[0]),
        Op::s_flbit_i32_b32 | Op::s_flbit_i32_b64 => |i| leading(i.s[0], BITS),
        Op::s_flbit_i32 => |i| sign_bits(i.i(0).into(), 32),
        Op::s_bitset0_b32 | Op::s_bitset0_b64 => |i| keep(i.d & !(1 << (i.u(0) & (BITS - 1)))),
        Op::s_bitset1_b32 | Op::s_bitset1_b64 => |i| keep(i.d | 1 << (i.u(0) & (BITS - 1))),
        Op::s_bitreplicate_b64_b32 => |i| {
            let bit = |place: u32| (u64::from(i.u(0) >> place & 1) * 3) << (2 * place);
            keep((0..32).fold(0, |sum, place| sum | bit(place)))
        },
        Op::s_bitcmp0_b32 | Op::s_bitcmp0_b64 => |i| flag(i.s[0] >> i.shift(BITS) & 1 == 0),
        Op::s_bitcmp1_b32 | Op::s_bitcmp1_b64 => |i| flag(i.s[0] >> i.shift(BITS) & 1 == 1),
    }
}

/// Returns the function of an opcode that writes EXEC.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn save_exec(opcode: ScalarSaveExec) -> Compute {
    use ScalarSaveExec as Op;
    match opcode {
        Op::s_and_saveexec_b64 => |i| save(i, i.s[0] & i.exec),
        Op::s_or_saveexec_b64 => |i| save(i, i.s[0] | i.exec),
        Op::s_xor_saveexec_b64 => |i| save(i, i.s[0] ^ i.exec),
        Op::s_andn2_saveexec_b64 => |i| save(i, i.s[0] & !i.exec),
        Op::s_orn2_saveexec_b64 => |i| save(i, i.s[0] | !i.exec),
        Op::s_nand_saveexec_b64 => |i| save(i, !(i.s[0] & i.exec)),
        Op::s_nor_saveexec_b64 => |i| save(i, !(i.s[0] | i.exec)),
        Op::s_xnor_saveexec_b64 => |i| save(i, !(i.s[0] ^ i.exec)),
        Op::s_andn1_saveexec_b64 => |i| save(i, !i.s[0] & i.exec),
        Op::s_orn1_saveexec_b64 => |i| save(i, !i.s[0] | i.exec),
        Op::s_andn1_wrexec_b64 => |i| replace(!i.s[0] & i.exec),
        Op::s_andn2_wrexec_b64 => |i| replace(i.s[0] & !i.exec),
    }
}

/// Returns the function of an opcode on bits of wide numbers with sign.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn signed_bits(opcode: ScalarSignedBits) -> Compute {
    use ScalarSignedBits as Op;
    match opcode {
        Op::s_ashr_i64 => |i| set((i.s[0] as i64 >> i.shift(64)) as u64),
        Op::s_bfe_i64 => |i| set(signed_field(i, 64)),
        Op::s_flbit_i32_i64 => |i| sign_bits(i.s[0] as i64, 64),
    }
}
