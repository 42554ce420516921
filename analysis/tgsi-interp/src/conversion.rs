//! Conversions between types, and packing.
//!
//! A float that does not fit an integer type, which the documents leave
//! undefined, becomes the nearest that does, and NaN becomes 0, as on GCN.
//! Halves are rounded to nearest even, or toward zero where whoever runs the program says
//! so: "the rounding mode cannot be set and is undefined" (GLSL 4.60, section 4.7.1). Normalised numbers are clamped first;
//! NaN counts as the lower end.

use softfloat::{Rounding, from_half, to_half};
use tgsi::Opcode;

use crate::float::{Computed, f};
use crate::operation::Operation::{Each, Narrow, Whole, Wide};
use crate::operation::{Operation, Table, Vectors};

/// The opcodes of this file. In the wide ones a 32-bit source stands in the
/// low half of its value.
pub(crate) const TABLE: Table = &[
    (Opcode::ARL, Each(|v| f(v[0]).floor() as i32 as u32)),
    (Opcode::ARR, Each(|v| f(v[0]).round_ties_even() as i32 as u32)),
    (Opcode::F2I, Each(|v| f(v[0]) as i32 as u32)),
    (Opcode::F2U, Each(|v| f(v[0]) as u32)),
    (Opcode::I2F, Each(|v| (v[0] as i32 as f32).bits())),
    (Opcode::U2F, Each(|v| (v[0] as f32).bits())),
    (Opcode::F2D, Wide(|v| f64::from(f(v[0] as u32)).bits())),
    (Opcode::I2D, Wide(|v| f64::from(v[0] as i32).bits())),
    (Opcode::U2D, Wide(|v| f64::from(v[0] as u32).bits())),
    (Opcode::F2I64, Wide(|v| f(v[0] as u32) as i64 as u64)),
    (Opcode::F2U64, Wide(|v| f(v[0] as u32) as u64)),
    (Opcode::I2I64, Wide(|v| i64::from(v[0] as i32) as u64)),
    (Opcode::U2I64, Wide(|v| v[0])),
    (Opcode::D2I64, Wide(|v| f64::from_bits(v[0]) as i64 as u64)),
    (Opcode::D2U64, Wide(|v| f64::from_bits(v[0]) as u64)),
    (Opcode::I642D, Wide(|v| (v[0] as i64 as f64).bits())),
    (Opcode::U642D, Wide(|v| (v[0] as f64).bits())),
    (Opcode::D2F, Narrow(|v| (f64::from_bits(v[0]) as f32).bits())),
    (Opcode::D2I, Narrow(|v| f64::from_bits(v[0]) as i32 as u32)),
    (Opcode::D2U, Narrow(|v| f64::from_bits(v[0]) as u32)),
    (Opcode::I642F, Narrow(|v| (v[0] as i64 as f32).bits())),
    (Opcode::U642F, Narrow(|v| (v[0] as f32).bits())),
    (Opcode::PK2H, PACK_HALVES),
    (Opcode::PK2US, Whole(|v| pack(v, UNSIGNED_16))),
    (Opcode::PK4UB, Whole(|v| pack(v, UNSIGNED_8))),
    (Opcode::PK4B, Whole(|v| pack(v, SIGNED_8))),
    (Opcode::UP2H, Whole(unpack_halves)),
    (Opcode::UP2US, Whole(|v| unpack(v, UNSIGNED_16))),
    (Opcode::UP4UB, Whole(|v| unpack(v, UNSIGNED_8))),
    (Opcode::UP4B, Whole(|v| unpack(v, SIGNED_8))),
];

/// Of NaN only the sign is kept.
const PACK_HALVES: Operation = Whole(|v| {
    let halves = [v[0][0], v[0][1]].map(|bits| match f(bits).is_nan() {
        true => bits >> 16 & 0x8000 | 0x7e00,
        false => to_half(f(bits).into(), Rounding::Nearest).into(),
    });
    [halves[0] | halves[1] << 16; 4]
});

/// `PK2H` as the hardware's V_CVT_PKRTZ_F16_F32 does it.
pub(crate) const PACK_HALVES_TOWARD_ZERO: Operation = Whole(|v| {
    let halves = [0, 1].map(|it| u32::from(to_half(f(v[0][it]).into(), Rounding::TowardsZero)));
    [halves[0] | halves[1] << 16; 4]
});

/// Normalised numbers, several to a register.
#[derive(Clone, Copy)]
struct Packed {
    bits: u32,
    least: f32,
    /// The integer that stands for 1.0.
    one: f32,
}

const UNSIGNED_16: Packed = Packed { bits: 16, least: 0.0, one: 65535.0 };
const UNSIGNED_8: Packed = Packed { bits: 8, least: 0.0, one: 255.0 };
const SIGNED_8: Packed = Packed { bits: 8, least: -1.0, one: 127.0 };

fn pack(v: &Vectors, packed: Packed) -> [u32; 4] {
    let mut word = 0;
    for place in 0..32 / packed.bits {
        let value = f(v[0][place as usize]).max(packed.least).min(1.0);
        let number = (value * packed.one).round_ties_even() as i32 as u32;
        word |= (number & ((1 << packed.bits) - 1)) << (place * packed.bits);
    }
    [word; 4]
}

fn unpack(v: &Vectors, packed: Packed) -> [u32; 4] {
    [0, 1, 2, 3].map(|place| {
        let field = v[0][0] >> (place * packed.bits % 32) << (32 - packed.bits);
        let value = if packed.least < 0.0 {
            ((field as i32) >> (32 - packed.bits)) as f32
        } else {
            (field >> (32 - packed.bits)) as f32
        };
        // The least signed number lies a little below -1.
        (value / packed.one).max(packed.least).bits()
    })
}

fn unpack_halves(v: &Vectors) -> [u32; 4] {
    let [low, high] = [v[0][0], v[0][0] >> 16].map(|bits| from_half(bits as u16).bits());
    [low, high, low, high]
}
