//! Conversions between types, and packing.
//!
//! A float that does not fit an integer type has no value in LLVM, and what
//! depends on it could vanish; the hardware clamps. So constants are converted
//! here, and everything else is frozen to whatever the hardware gives.

use isa::gcn::Generation;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::values::{Element, Type, Value};

/// Normalised numbers, several to a register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed {
    bits: i32,
    signed: bool,
    /// The integer that stands for 1.0.
    one: f32,
}

pub(crate) const UNSIGNED_16: Packed = Packed { bits: 16, signed: false, one: 65535.0 };
pub(crate) const UNSIGNED_8: Packed = Packed { bits: 8, signed: false, one: 255.0 };
pub(crate) const SIGNED_8: Packed = Packed { bits: 8, signed: true, one: 127.0 };

pub(crate) fn to_integer(builder: &mut Builder, operation: &str, ty: Type, v: &[Value]) -> Value {
    let converted = builder.convert(operation, v[0], ty);
    builder.freeze(converted)
}

/// Truncates; out of range to the nearest, NaN to 0.
pub(crate) fn float_to_signed(builder: &mut Builder, v: &[Value]) -> Value {
    match v[0].constant_bits() {
        Some(bits) => Value::int(f32::from_bits(bits) as i32),
        None => to_integer(builder, "fptosi", Type::I32, v),
    }
}

pub(crate) fn float_to_unsigned(builder: &mut Builder, v: &[Value]) -> Value {
    match v[0].constant_bits() {
        Some(bits) => Value::uint(f32::from_bits(bits) as u32),
        None => to_integer(builder, "fptoui", Type::I32, v),
    }
}

pub(crate) fn rounded_to_signed(builder: &mut Builder, rounding: &str, v: &[Value]) -> Value {
    let rounded = builder.overloaded(rounding, v);
    float_to_signed(builder, &[rounded])
}

/// x and y as half floats in one register, rounded towards zero.
pub(crate) fn pack_halves(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let x = lowering.float(instruction, 0, Component::X)?;
    let y = lowering.float(instruction, 0, Component::Y)?;
    let ty = Type::Vector(2, Element::F16);
    let packed = lowering.builder.call(ty, "llvm.amdgcn.cvt.pkrtz", &[x, y]);
    let mut packed = lowering.builder.bitcast(packed, Type::I32);
    if lowering.generation <= Generation::Gfx7 {
        // These have no registers of halves. LLVM moves the cast to where the bits are
        // used, and up to 19 dies of a vector of halves that reaches another block.
        packed = lowering.builder.opaque(packed);
    }
    lowering.store_all(instruction, packed)
}

/// The two half floats of one register in turn.
pub(crate) fn unpack_halves(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let source = &instruction.sources[0];
    let packed = lowering.fetch(source, Component::X, ValueType::Unsigned)?;
    let builder = &mut lowering.builder;
    let halves = builder.bitcast(packed, Type::Vector(2, Element::F16));
    let [low, high] = [0, 1].map(|index| {
        let half = builder.extract(halves, index);
        builder.convert("fpext", half, Type::F32)
    });
    lowering.store_each(instruction, [low, high, low, high])
}

/// The first components as normalised numbers in one register, x lowest.
pub(crate) fn pack(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    packed: Packed,
) -> Emitted {
    let least = Value::float(if packed.signed { -1.0 } else { 0.0 });
    let mut word = Value::int(0);
    for place in 0..32 / packed.bits {
        let value = lowering.float(instruction, 0, Component::ALL[place as usize])?;
        let builder = &mut lowering.builder;
        let value = builder.overloaded("llvm.maxnum", &[value, least]);
        let value = builder.overloaded("llvm.minnum", &[value, Value::float(1.0)]);
        let scaled = builder.binary("fmul", value, Value::float(packed.one));
        let rounded = builder.overloaded("llvm.rint", &[scaled]);
        let number = to_integer(builder, "fptosi", Type::I32, &[rounded]);
        let field = builder.binary("and", number, Value::int((1 << packed.bits) - 1));
        let field = builder.binary("shl", field, Value::int(place * packed.bits));
        word = builder.binary("or", word, field);
    }
    lowering.store_all(instruction, word)
}

/// The normalised numbers of one register, two of them twice.
pub(crate) fn unpack(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    packed: Packed,
) -> Emitted {
    let word = lowering.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned)?;
    let builder = &mut lowering.builder;
    let (extract, convert) = match packed.signed {
        true => ("llvm.amdgcn.sbfe.i32", "sitofp"),
        false => ("llvm.amdgcn.ubfe.i32", "uitofp"),
    };
    let values = [0, 1, 2, 3].map(|place| {
        let first = Value::int(place * packed.bits % 32);
        let field = builder.call(Type::I32, extract, &[word, first, Value::int(packed.bits)]);
        let number = builder.convert(convert, field, Type::F32);
        let value = builder.binary("fmul", number, Value::float(1.0 / packed.one));
        match packed.signed {
            // The least number lies a little below -1.
            true => builder.overloaded("llvm.maxnum", &[value, Value::float(-1.0)]),
            false => value,
        }
    });
    lowering.store_each(instruction, values)
}
