//! Arithmetic on integers of 16 and 32 bits, and on bits.
//!
//! Source: ISA manuals, VOP1, VOP2, VOP3. Where a result is clamped it becomes the
//! nearest number that fits (GCN3 ISA, "integer clamp").

use isa::gcn::operation::{
    VectorBits, VectorCarry, VectorIntegerOrder, VectorProduct, VectorShort, VectorSum,
};

use super::{Inputs, partition};

impl Inputs {
    fn u(&self, place: usize) -> u32 {
        self.s[place] as u32
    }

    fn i(&self, place: usize) -> i32 {
        self.s[place] as u32 as i32
    }

    fn u16(&self, place: usize) -> u16 {
        self.s[place] as u16
    }

    fn i16(&self, place: usize) -> i16 {
        self.s[place] as u16 as i16
    }
}

pub(super) fn word(value: u32) -> u64 {
    value.into()
}

fn short(value: u16) -> u64 {
    value.into()
}

/// Cuts an exact result to 32 bits, or clamps it to them where the instruction says so.
fn unsigned(i: &Inputs, exact: i128) -> u64 {
    if i.clamp { exact.clamp(0, u32::MAX.into()) as u64 } else { word(exact as u32) }
}

fn signed(i: &Inputs, exact: i128) -> u64 {
    let clamped = exact.clamp(i32::MIN.into(), i32::MAX.into());
    word(if i.clamp { clamped } else { exact } as u32)
}

fn unsigned16(i: &Inputs, exact: i64) -> u64 {
    short(if i.clamp { exact.clamp(0, 0xffff) } else { exact } as u16)
}

fn signed16(i: &Inputs, exact: i64) -> u64 {
    short(if i.clamp { exact.clamp(-0x8000, 0x7fff) } else { exact } as u16)
}

fn sum(i: &Inputs, carry: bool) -> (u64, bool) {
    let exact = i128::from(i.u(0)) + i128::from(i.u(1)) + i128::from(carry);
    (unsigned(i, exact), exact > u32::MAX.into())
}

fn difference(i: &Inputs, [from, what]: [u32; 2], borrow: bool) -> (u64, bool) {
    let exact = i128::from(from) - i128::from(what) - i128::from(borrow);
    (unsigned(i, exact), exact < 0)
}

fn low24(value: u32) -> u64 {
    u64::from(value & 0xff_ffff)
}

fn signed24(value: u32) -> i64 {
    i64::from((value << 8) as i32 >> 8)
}

fn product24(i: &Inputs) -> i64 {
    signed24(i.u(0)) * signed24(i.u(1))
}

fn bytes(value: u64) -> [u8; 4] {
    (value as u32).to_le_bytes()
}

/// The sum of the differences of four bytes; of those alone whose second is not 0.
pub(super) fn differences(a: u64, b: u64, masked: bool) -> u32 {
    let pairs = bytes(a).into_iter().zip(bytes(b));
    let counted = pairs.filter(|(_, b)| !masked || *b != 0);
    counted.map(|(a, b)| u32::from(a.abs_diff(b))).sum()
}

fn field(value: u64, width: u32) -> u64 {
    value & ((1 << width) - 1)
}

/// A field with sign; no bits are 0.
fn signed_field(i: &Inputs) -> u32 {
    let (offset, width) = (i.u(1) & 31, i.u(2) & 31);
    if width == 0 {
        return 0;
    }
    let value = field((i64::from(i.i(0)) >> offset) as u64, width) as u32;
    ((value << (32 - width)) as i32 >> (32 - width)) as u32
}

/// One of eight bytes, or what its code stands for: copies of signs, 0, 255.
fn chosen_byte(i: &Inputs, code: u8) -> u8 {
    let whole = u64::from(i.u(0)) << 32 | u64::from(i.u(1));
    let sign = |place: u32| if whole >> place & 1 == 1 { 0xff } else { 0 };
    match code {
        0..=7 => (whole >> (8 * u32::from(code))) as u8,
        8 => sign(15),
        9 => sign(31),
        10 => sign(47),
        11 => sign(63),
        12 => 0,
        _ => 0xff,
    }
}

/// The lanes below a lane, in one half of the wave.
fn lanes_below(lane: u32, upper: bool) -> u32 {
    (((1_u64 << lane) - 1) >> if upper { 32 } else { 0 }) as u32
}

fn mask(count: u32) -> u32 {
    (1_u32 << (count & 31)) - 1
}

type WithCarry = fn(&Inputs) -> (u64, bool);

/// Sums and differences; where the form has no mask, the carry goes nowhere.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn carry(opcode: VectorCarry) -> WithCarry {
    use VectorCarry as Op;
    match opcode {
        Op::v_add_u32 | Op::v_add_co_u32 => |i| sum(i, false),
        Op::v_sub_u32 | Op::v_sub_co_u32 => |i| difference(i, [i.u(0), i.u(1)], false),
        Op::v_subrev_u32 | Op::v_subrev_co_u32 => |i| difference(i, [i.u(1), i.u(0)], false),
        Op::v_addc_u32 | Op::v_addc_co_u32 => |i| sum(i, i.carry),
        Op::v_subb_u32 | Op::v_subb_co_u32 => |i| difference(i, [i.u(0), i.u(1)], i.carry),
        Op::v_subbrev_u32 | Op::v_subbrev_co_u32 => |i| difference(i, [i.u(1), i.u(0)], i.carry),
        // On gfx6 and gfx7 these are the sums with a carry; on gfx9 they have none, and the
        // numbers have signs.
        Op::v_add_i32 => |i| {
            let exact = i128::from(i.i(0)) + i128::from(i.i(1));
            if i.clamp { (signed(i, exact), false) } else { sum(i, false) }
        },
        Op::v_sub_i32 => |i| {
            let exact = i128::from(i.i(0)) - i128::from(i.i(1));
            if i.clamp { (signed(i, exact), false) } else { difference(i, [i.u(0), i.u(1)], false) }
        },
        Op::v_subrev_i32 => |i| difference(i, [i.u(1), i.u(0)], false),
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn bits(opcode: VectorBits) -> fn(&Inputs) -> u64 {
    use VectorBits as Op;
    match opcode {
        Op::v_mov_b32 | Op::v_mov_fed_b32 => |i| i.s[0],
        Op::v_cndmask_b32 => |i| if i.carry { i.s[1] } else { i.s[0] },
        Op::v_not_b32 => |i| word(!i.u(0)),
        Op::v_bfrev_b32 => |i| word(i.u(0).reverse_bits()),
        Op::v_ffbh_u32 => |i| word(if i.u(0) == 0 { u32::MAX } else { i.u(0).leading_zeros() }),
        Op::v_ffbl_b32 => |i| word(if i.u(0) == 0 { u32::MAX } else { i.u(0).trailing_zeros() }),
        Op::v_ffbh_i32 => |i| {
            let same = if i.i(0) < 0 { !i.u(0) } else { i.u(0) };
            word(if same == 0 { u32::MAX } else { same.leading_zeros() })
        },
        Op::v_and_b32 => |i| i.s[0] & i.s[1],
        Op::v_or_b32 => |i| i.s[0] | i.s[1],
        Op::v_xor_b32 => |i| i.s[0] ^ i.s[1],
        Op::v_xnor_b32 => |i| word(!(i.u(0) ^ i.u(1))),
        Op::v_lshl_b32 => |i| word(i.u(0) << (i.u(1) & 31)),
        Op::v_lshr_b32 => |i| word(i.u(0) >> (i.u(1) & 31)),
        Op::v_ashr_i32 => |i| word((i.i(0) >> (i.u(1) & 31)) as u32),
        Op::v_lshlrev_b32 => |i| word(i.u(1) << (i.u(0) & 31)),
        Op::v_lshrrev_b32 => |i| word(i.u(1) >> (i.u(0) & 31)),
        Op::v_ashrrev_i32 => |i| word((i.i(1) >> (i.u(0) & 31)) as u32),
        Op::v_bfm_b32 => |i| word(mask(i.u(0)) << (i.u(1) & 31)),
        Op::v_bfe_u32 => |i| field(i.s[0] >> (i.u(1) & 31), i.u(2) & 31),
        Op::v_bfe_i32 => |i| word(signed_field(i)),
        Op::v_bfi_b32 => |i| word(i.u(0) & i.u(1) | !i.u(0) & i.u(2)),
        Op::v_bcnt_u32_b32 => |i| word(i.u(0).count_ones().wrapping_add(i.u(1))),
        Op::v_mbcnt_lo_u32_b32 => |i| {
            let below = i.u(0) & lanes_below(i.lane, false);
            word(below.count_ones().wrapping_add(i.u(1)))
        },
        Op::v_mbcnt_hi_u32_b32 => |i| {
            let below = i.u(0) & lanes_below(i.lane, true);
            word(below.count_ones().wrapping_add(i.u(1)))
        },
        Op::v_alignbit_b32 => {
            |i| word(((u64::from(i.u(0)) << 32 | u64::from(i.u(1))) >> (i.u(2) & 31)) as u32)
        }
        Op::v_alignbyte_b32 => {
            |i| word(((u64::from(i.u(0)) << 32 | u64::from(i.u(1))) >> (8 * (i.u(2) & 3))) as u32)
        }
        Op::v_perm_b32 => |i| {
            let chosen = bytes(i.s[2]).map(|code| chosen_byte(i, code));
            word(u32::from_le_bytes(chosen))
        },
        Op::v_lshl_or_b32 => |i| word(i.u(0) << (i.u(1) & 31) | i.u(2)),
        Op::v_and_or_b32 => |i| word(i.u(0) & i.u(1) | i.u(2)),
        Op::v_or3_b32 => |i| word(i.u(0) | i.u(1) | i.u(2)),
        Op::v_pack_b32_f16 => |i| word(u32::from(i.u16(0)) | u32::from(i.u16(1)) << 16),
        Op::v_screen_partition_4se_b32 => partition::engines,
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn product_of(opcode: VectorProduct) -> fn(&Inputs) -> u64 {
    use VectorProduct as Op;
    match opcode {
        Op::v_mul_lo_u32 | Op::v_mul_lo_i32 => |i| word(i.u(0).wrapping_mul(i.u(1))),
        Op::v_mul_hi_u32 => |i| (u64::from(i.u(0)) * u64::from(i.u(1))) >> 32,
        Op::v_mul_hi_i32 => |i| word(((i64::from(i.i(0)) * i64::from(i.i(1))) >> 32) as u32),
        Op::v_mul_i32_i24 => |i| signed(i, product24(i).into()),
        Op::v_mul_u32_u24 => |i| unsigned(i, (low24(i.u(0)) * low24(i.u(1))).into()),
        Op::v_mul_hi_i32_i24 => |i| word((product24(i) >> 32) as u32),
        Op::v_mul_hi_u32_u24 => |i| (low24(i.u(0)) * low24(i.u(1))) >> 32,
        Op::v_mad_i32_i24 => |i| signed(i, i128::from(product24(i)) + i128::from(i.i(2))),
        Op::v_mad_u32_u24 => |i| {
            let product = low24(i.u(0)) * low24(i.u(1));
            unsigned(i, i128::from(product) + i128::from(i.u(2)))
        },
        Op::v_mad_i32_i16 => |i| {
            let product = i128::from(i.i16(0)) * i128::from(i.i16(1));
            signed(i, product + i128::from(i.i(2)))
        },
        Op::v_mad_u32_u16 => |i| {
            let product = i128::from(i.u16(0)) * i128::from(i.u16(1));
            unsigned(i, product + i128::from(i.u(2)))
        },
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn order(opcode: VectorIntegerOrder) -> fn(&Inputs) -> u64 {
    use VectorIntegerOrder as Op;
    fn median<T: Ord>(a: T, b: T, c: T) -> T {
        let mut all = [a, b, c];
        all.sort();
        let [_, middle, _] = all;
        middle
    }
    match opcode {
        Op::v_min_u32 => |i| word(i.u(0).min(i.u(1))),
        Op::v_max_u32 => |i| word(i.u(0).max(i.u(1))),
        Op::v_min_i32 => |i| word(i.i(0).min(i.i(1)) as u32),
        Op::v_max_i32 => |i| word(i.i(0).max(i.i(1)) as u32),
        Op::v_min3_u32 => |i| word(i.u(0).min(i.u(1)).min(i.u(2))),
        Op::v_max3_u32 => |i| word(i.u(0).max(i.u(1)).max(i.u(2))),
        Op::v_med3_u32 => |i| word(median(i.u(0), i.u(1), i.u(2))),
        Op::v_min3_i32 => |i| word(i.i(0).min(i.i(1)).min(i.i(2)) as u32),
        Op::v_max3_i32 => |i| word(i.i(0).max(i.i(1)).max(i.i(2)) as u32),
        Op::v_med3_i32 => |i| word(median(i.i(0), i.i(1), i.i(2)) as u32),
        Op::v_min_u16 => |i| short(i.u16(0).min(i.u16(1))),
        Op::v_max_u16 => |i| short(i.u16(0).max(i.u16(1))),
        Op::v_min_i16 => |i| short(i.i16(0).min(i.i16(1)) as u16),
        Op::v_max_i16 => |i| short(i.i16(0).max(i.i16(1)) as u16),
        Op::v_min3_u16 => |i| short(i.u16(0).min(i.u16(1)).min(i.u16(2))),
        Op::v_max3_u16 => |i| short(i.u16(0).max(i.u16(1)).max(i.u16(2))),
        Op::v_med3_u16 => |i| short(median(i.u16(0), i.u16(1), i.u16(2))),
        Op::v_min3_i16 => |i| short(i.i16(0).min(i.i16(1)).min(i.i16(2)) as u16),
        Op::v_max3_i16 => |i| short(i.i16(0).max(i.i16(1)).max(i.i16(2)) as u16),
        Op::v_med3_i16 => |i| short(median(i.i16(0), i.i16(1), i.i16(2)) as u16),
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn sum_of(opcode: VectorSum) -> fn(&Inputs) -> u64 {
    use VectorSum as Op;
    match opcode {
        Op::v_add3_u32 => |i| word(i.u(0).wrapping_add(i.u(1)).wrapping_add(i.u(2))),
        Op::v_lshl_add_u32 => |i| word((i.u(0) << (i.u(1) & 31)).wrapping_add(i.u(2))),
        Op::v_add_lshl_u32 => |i| word(i.u(0).wrapping_add(i.u(1)) << (i.u(2) & 31)),
        Op::v_xad_u32 => |i| word((i.u(0) ^ i.u(1)).wrapping_add(i.u(2))),
        Op::v_lerp_u8 => |i| {
            let of = |place: u32| {
                let byte = |source: usize| i.u(source) >> (8 * place) & 0xff;
                (byte(0) + byte(1) + (byte(2) & 1)) >> 1 << (8 * place)
            };
            word((0..4).map(of).sum())
        },
        Op::v_sad_u8 => {
            |i| unsigned(i, i128::from(differences(i.s[0], i.s[1], false)) + i128::from(i.u(2)))
        }
        Op::v_msad_u8 => {
            |i| unsigned(i, i128::from(differences(i.s[0], i.s[1], true)) + i128::from(i.u(2)))
        }
        Op::v_sad_hi_u8 => |i| {
            let sum = u64::from(differences(i.s[0], i.s[1], false)) << 16;
            unsigned(i, i128::from(sum) + i128::from(i.u(2)))
        },
        Op::v_sad_u16 => |i| {
            let of = |shift: u32| {
                let half = |source: usize| (i.u(source) >> shift) as u16;
                u32::from(half(0).abs_diff(half(1)))
            };
            unsigned(i, i128::from(of(0) + of(16)) + i128::from(i.u(2)))
        },
        Op::v_sad_u32 => |i| unsigned(i, i128::from(i.u(0).abs_diff(i.u(1))) + i128::from(i.u(2))),
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn short_of(opcode: VectorShort) -> fn(&Inputs) -> u64 {
    use VectorShort as Op;
    fn product(i: &Inputs) -> i64 {
        i64::from(i.u16(0)) * i64::from(i.u16(1))
    }
    match opcode {
        Op::v_add_u16 => |i| unsigned16(i, i64::from(i.u16(0)) + i64::from(i.u16(1))),
        Op::v_sub_u16 => |i| unsigned16(i, i64::from(i.u16(0)) - i64::from(i.u16(1))),
        Op::v_subrev_u16 => |i| unsigned16(i, i64::from(i.u16(1)) - i64::from(i.u16(0))),
        Op::v_add_i16 => |i| signed16(i, i64::from(i.i16(0)) + i64::from(i.i16(1))),
        Op::v_sub_i16 => |i| signed16(i, i64::from(i.i16(0)) - i64::from(i.i16(1))),
        Op::v_mul_lo_u16 => |i| short(product(i) as u16),
        Op::v_lshlrev_b16 => |i| short(i.u16(1) << (i.u16(0) & 15)),
        Op::v_lshrrev_b16 => |i| short(i.u16(1) >> (i.u16(0) & 15)),
        Op::v_ashrrev_i16 => |i| short((i.i16(1) >> (i.u16(0) & 15)) as u16),
        Op::v_mad_u16 | Op::v_mad_legacy_u16 => |i| unsigned16(i, product(i) + i64::from(i.u16(2))),
        Op::v_mad_i16 | Op::v_mad_legacy_i16 => {
            |i| signed16(i, i64::from(i.i16(0)) * i64::from(i.i16(1)) + i64::from(i.i16(2)))
        }
    }
}
