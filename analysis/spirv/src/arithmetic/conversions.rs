//! Conversions between types, and packing.
//!
//! A float that does not fit an integer type has no value in SPIR-V, and hardware clamps it.
//! Constants are converted here, so that nobody folds them to anything else.

use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::builder::Builder;
use crate::context::{Emitted, Translation};
use crate::values::{F32, Scalar, Type, U32, Value};
use crate::words::{Extended, Op};

/// Normalised numbers, several to a register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed {
    bits: u32,
    /// The operation that takes one out, and the one that makes a float of it.
    unpack: [Op; 2],
    /// The integer that stands for 1.0.
    one: f32,
}

pub(crate) const UNSIGNED_16: Packed =
    Packed { bits: 16, unpack: [Op::BitFieldUExtract, Op::ConvertUToF], one: 65535.0 };
pub(crate) const UNSIGNED_8: Packed =
    Packed { bits: 8, unpack: [Op::BitFieldUExtract, Op::ConvertUToF], one: 255.0 };
pub(crate) const SIGNED_8: Packed =
    Packed { bits: 8, unpack: [Op::BitFieldSExtract, Op::ConvertSToF], one: 127.0 };

impl Packed {
    fn is_signed(self) -> bool {
        self.unpack[1] == Op::ConvertSToF
    }
}

/// Truncates; constants out of range to the nearest, NaN to 0.
pub(crate) fn float_to_signed(builder: &mut Builder, v: &[Value]) -> Value {
    match v[0].bits {
        Some(bits) => builder.uint(f32::from_bits(bits as u32) as i32 as u32),
        None => builder.op(Op::ConvertFToS, U32, &v[..1]),
    }
}

pub(crate) fn float_to_unsigned(builder: &mut Builder, v: &[Value]) -> Value {
    match v[0].bits {
        Some(bits) => builder.uint(f32::from_bits(bits as u32) as u32),
        None => builder.op(Op::ConvertFToU, U32, &v[..1]),
    }
}

pub(crate) fn rounded_to_signed(builder: &mut Builder, rounding: Extended, v: &[Value]) -> Value {
    let rounded = builder.extended(rounding, F32, &v[..1]);
    float_to_signed(builder, &[rounded])
}

/// x and y as half floats in one register; the driver chooses the rounding.
pub(crate) fn pack_halves(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let x = this.float(instruction, 0, Component::X)?;
    let y = this.float(instruction, 0, Component::Y)?;
    let both = this.builder.vector(&[x, y]);
    let packed = this.builder.extended(Extended::PackHalf2x16, U32, &[both]);
    this.store_all(instruction, packed)
}

/// The two half floats of one register in turn.
pub(crate) fn unpack_halves(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let packed = this.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned)?;
    let builder = &mut this.builder;
    let both = builder.extended(Extended::UnpackHalf2x16, Type::Vector(Scalar::F32, 2), &[packed]);
    let [low, high] = [0, 1].map(|place| builder.extract(both, place));
    this.store_each(instruction, [low, high, low, high])
}

/// The first components as normalised numbers in one register, x lowest.
pub(crate) fn pack(
    this: &mut Translation<'_>,
    instruction: &Instruction,
    packed: Packed,
) -> Emitted {
    let mut word = this.builder.uint(0);
    for place in 0..32 / packed.bits {
        let value = this.float(instruction, 0, Component::ALL[place as usize])?;
        let builder = &mut this.builder;
        let value = builder.clamped(value, if packed.is_signed() { -1 } else { 0 }, 1);
        let one = builder.float(packed.one);
        let scaled = builder.binary(Op::FMul, value, one);
        let rounded = builder.extended(Extended::RoundEven, F32, &[scaled]);
        let number = builder.op(Op::ConvertFToS, U32, &[rounded]);
        let [first, bits] = [place * packed.bits, packed.bits].map(|number| builder.uint(number));
        word = builder.op(Op::BitFieldInsert, U32, &[word, number, first, bits]);
    }
    this.store_all(instruction, word)
}

/// The normalised numbers of one register, two of them twice.
pub(crate) fn unpack(
    this: &mut Translation<'_>,
    instruction: &Instruction,
    packed: Packed,
) -> Emitted {
    let word = this.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned)?;
    let builder = &mut this.builder;
    let [take, convert] = packed.unpack;
    let values = [0, 1, 2, 3].map(|place: u32| {
        let [first, bits] = [place * packed.bits % 32, packed.bits].map(|it| builder.uint(it));
        let field = builder.op(take, U32, &[word, first, bits]);
        let number = builder.op(convert, F32, &[field]);
        let unit = builder.float(1.0 / packed.one);
        let value = builder.binary(Op::FMul, number, unit);
        match packed.is_signed() {
            // The least number lies a little below -1.
            true => {
                let least = builder.float(-1.0);
                builder.extended(Extended::NMax, F32, &[value, least])
            }
            false => value,
        }
    });
    this.store_each(instruction, values)
}
