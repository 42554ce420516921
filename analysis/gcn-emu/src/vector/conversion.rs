//! Conversions between kinds of numbers.
//!
//! Source: ISA manuals, VOP1 and VOP2, V_CVT_*. What does not fit becomes the nearest
//! number that does, and NaN becomes 0.

use isa::gcn::operation::{VectorConversion, VectorSaturation};

use super::integers::word;
use super::{Function, Inputs};
use crate::arithmetic::{converted, converted_as};
use crate::float::{number, rounded};
use softfloat::{Rounding, to_half};

impl Inputs {
    fn single(&self, place: usize) -> f64 {
        number::<32>(self.s[place])
    }
}

fn signed(value: f64) -> u64 {
    // Conversions of this language saturate, and make NaN zero.
    word(value as i32 as u32)
}

fn unsigned(value: f64) -> u64 {
    word(value as u32)
}

fn byte(i: &Inputs, place: u32) -> u64 {
    rounded::<32>(f64::from((i.s[0] >> (8 * place)) as u8))
}

fn pair(low: u16, high: u16) -> u64 {
    word(u32::from(low) | u32::from(high) << 16)
}

/// A number from -1 to 1 in sixteen bits.
pub(crate) fn snorm16(value: f64) -> u16 {
    (value.clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i16 as u16
}

/// A number from 0 to 1 in sixteen bits.
pub(crate) fn unorm16(value: f64) -> u16 {
    (value.clamp(0.0, 1.0) * 65535.0).round_ties_even() as u16
}

fn halves(i: &Inputs, of: fn(f64) -> u16) -> u64 {
    pair(of(i.single(0)), of(i.single(1)))
}

fn half_pair(i: &Inputs, of: fn(f64) -> u16) -> u64 {
    pair(of(number::<16>(i.s[0])), of(number::<16>(i.s[1])))
}

/// A byte of a word becomes a float cut to a whole number.
fn with_byte(i: &Inputs, word: u64) -> u64 {
    let shift = 8 * (i.s[1] & 3);
    word & !(0xff << shift) & 0xffff_ffff | u64::from(i.single(0) as u8) << shift
}

/// The conversion to halves of gfx6, which is rounded as results of 32 bits are (CLRX,
/// V_CVT_F16_F32).
pub(super) const GFX6_TO_HALF: Function =
    Function::Float(|i| converted_as::<16>(i.single(0), i.mode.rounding(32)));

/// Returns the function of a conversion from or to floats.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn function(opcode: VectorConversion) -> fn(&Inputs) -> u64 {
    use VectorConversion as Op;
    match opcode {
        Op::v_cvt_f32_i32 => |i| converted::<32>((i.s[0] as i32).into(), i.mode),
        Op::v_cvt_f32_u32 => |i| converted::<32>((i.s[0] as u32).into(), i.mode),
        Op::v_cvt_f64_i32 => |i| rounded::<64>((i.s[0] as i32).into()),
        Op::v_cvt_f64_u32 => |i| rounded::<64>((i.s[0] as u32).into()),
        Op::v_cvt_f16_i16 => |i| converted::<16>((i.s[0] as i16).into(), i.mode),
        Op::v_cvt_f16_u16 => |i| converted::<16>((i.s[0] as u16).into(), i.mode),
        Op::v_cvt_f32_ubyte0 => |i| byte(i, 0),
        Op::v_cvt_f32_ubyte1 => |i| byte(i, 1),
        Op::v_cvt_f32_ubyte2 => |i| byte(i, 2),
        Op::v_cvt_f32_ubyte3 => |i| byte(i, 3),
        Op::v_cvt_off_f32_i4 => |i| {
            let value = ((i.s[0] as u8) << 4) as i8 >> 4;
            rounded::<32>(f64::from(value) / 16.0)
        },
        Op::v_cvt_i32_f32 => |i| signed(i.single(0)),
        Op::v_cvt_u32_f32 => |i| unsigned(i.single(0)),
        Op::v_cvt_i32_f64 => |i| signed(number::<64>(i.s[0])),
        Op::v_cvt_u32_f64 => |i| unsigned(number::<64>(i.s[0])),
        Op::v_cvt_i16_f16 => |i| word((number::<16>(i.s[0]) as i16 as u16).into()),
        Op::v_cvt_u16_f16 => |i| word((number::<16>(i.s[0]) as u16).into()),
        Op::v_cvt_flr_i32_f32 => |i| signed(i.single(0).floor()),
        Op::v_cvt_rpi_i32_f32 => |i| signed((i.single(0) + 0.5).floor()),
        Op::v_cvt_f16_f32 => |i| converted::<16>(i.single(0), i.mode),
        Op::v_cvt_f32_f16 => |i| rounded::<32>(number::<16>(i.s[0])),
        Op::v_cvt_f64_f32 => |i| rounded::<64>(i.single(0)),
        Op::v_cvt_f32_f64 => |i| converted::<32>(number::<64>(i.s[0]), i.mode),
        Op::v_cvt_pkrtz_f16_f32 => |i| halves(i, |value| to_half(value, Rounding::TowardsZero)),
        Op::v_cvt_pknorm_i16_f32 => |i| halves(i, snorm16),
        Op::v_cvt_pknorm_u16_f32 => |i| halves(i, unorm16),
        Op::v_cvt_pknorm_i16_f16 => |i| half_pair(i, snorm16),
        Op::v_cvt_pknorm_u16_f16 => |i| half_pair(i, unorm16),
        Op::v_cvt_norm_i16_f16 => |i| word(snorm16(number::<16>(i.s[0])).into()),
        Op::v_cvt_norm_u16_f16 => |i| word(unorm16(number::<16>(i.s[0])).into()),
        Op::v_cvt_pk_u8_f32 => |i| with_byte(i, i.s[2]),
        Op::v_cvt_pkaccum_u8_f32 => |i| with_byte(i, i.d),
    }
}

/// Tells whether a result is two numbers, of which the word that they make is none.
pub(super) fn is_packed(opcode: VectorConversion) -> bool {
    use VectorConversion as Op;
    matches!(
        opcode,
        Op::v_cvt_pkrtz_f16_f32
            | Op::v_cvt_pknorm_i16_f32
            | Op::v_cvt_pknorm_u16_f32
            | Op::v_cvt_pknorm_i16_f16
            | Op::v_cvt_pknorm_u16_f16
    )
}

/// Returns the function of a conversion to narrower integers.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn saturation(opcode: VectorSaturation) -> fn(&Inputs) -> u64 {
    use VectorSaturation as Op;
    match opcode {
        Op::v_cvt_pk_u16_u32 => |i| {
            let of = |value: u64| (value as u32).min(0xffff) as u16;
            pair(of(i.s[0]), of(i.s[1]))
        },
        Op::v_cvt_pk_i16_i32 => |i| {
            let of = |value: u64| (value as i32).clamp(-0x8000, 0x7fff) as i16 as u16;
            pair(of(i.s[0]), of(i.s[1]))
        },
        Op::v_sat_pk_u8_i16 => |i| {
            let of = |value: u64| (value as i16).clamp(0, 255) as u16;
            word((of(i.s[0]) | of(i.s[0] >> 16) << 8).into())
        },
    }
}
