//! Conversions between types, and packing.
//!
//! A float that does not fit an integer type has no value in LLVM, and what
//! depends on it could vanish; the hardware clamps. So constants are converted
//! here, and everything else is frozen to whatever the hardware gives.

use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::dispatch::{Emitter, Table};
use crate::values::{Element, Type, Value};

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    ("F2I", Emitter::Values(|b, v| float_to_signed(b, v[0]))),
    ("F2U", Emitter::Values(float_to_unsigned)),
    ("I2F", Emitter::Values(|b, v| b.convert("sitofp", v[0], Type::F32))),
    ("U2F", Emitter::Values(|b, v| b.convert("uitofp", v[0], Type::F32))),
    ("ARL", Emitter::Values(floor_to_signed)),
    ("ARR", Emitter::Values(round_to_signed)),
    ("F2D", Emitter::Values(|b, v| b.convert("fpext", v[0], Type::F64))),
    ("D2F", Emitter::Values(|b, v| b.convert("fptrunc", v[0], Type::F32))),
    ("D2I", Emitter::Values(|b, v| to_integer(b, "fptosi", v[0], Type::I32))),
    ("D2U", Emitter::Values(|b, v| to_integer(b, "fptoui", v[0], Type::I32))),
    ("I2D", Emitter::Values(|b, v| b.convert("sitofp", v[0], Type::F64))),
    ("U2D", Emitter::Values(|b, v| b.convert("uitofp", v[0], Type::F64))),
    ("F2I64", Emitter::Values(|b, v| to_integer(b, "fptosi", v[0], Type::I64))),
    ("F2U64", Emitter::Values(|b, v| to_integer(b, "fptoui", v[0], Type::I64))),
    ("D2I64", Emitter::Values(|b, v| to_integer(b, "fptosi", v[0], Type::I64))),
    ("D2U64", Emitter::Values(|b, v| to_integer(b, "fptoui", v[0], Type::I64))),
    ("I2I64", Emitter::Values(|b, v| b.convert("sext", v[0], Type::I64))),
    ("U2I64", Emitter::Values(|b, v| b.convert("zext", v[0], Type::I64))),
    ("I642F", Emitter::Values(|b, v| b.convert("sitofp", v[0], Type::F32))),
    ("U642F", Emitter::Values(|b, v| b.convert("uitofp", v[0], Type::F32))),
    ("I642D", Emitter::Values(|b, v| b.convert("sitofp", v[0], Type::F64))),
    ("U642D", Emitter::Values(|b, v| b.convert("uitofp", v[0], Type::F64))),
    ("PK2H", Emitter::Instruction(pack_halves)),
    ("UP2H", Emitter::Instruction(unpack_halves)),
];

fn to_integer(builder: &mut Builder, operation: &str, value: Value, ty: Type) -> Value {
    let converted = builder.convert(operation, value, ty);
    builder.freeze(converted)
}

/// Truncates; out of range to the nearest, NaN to 0.
pub(crate) fn float_to_signed(builder: &mut Builder, value: Value) -> Value {
    match value.constant_bits() {
        Some(bits) => Value::int(f32::from_bits(bits) as i32),
        None => to_integer(builder, "fptosi", value, Type::I32),
    }
}

fn float_to_unsigned(builder: &mut Builder, v: &[Value]) -> Value {
    match v[0].constant_bits() {
        Some(bits) => Value::uint(f32::from_bits(bits) as u32),
        None => to_integer(builder, "fptoui", v[0], Type::I32),
    }
}

fn floor_to_signed(builder: &mut Builder, v: &[Value]) -> Value {
    let floor = builder.overloaded("llvm.floor", v);
    float_to_signed(builder, floor)
}

fn round_to_signed(builder: &mut Builder, v: &[Value]) -> Value {
    let rounded = builder.overloaded("llvm.rint", v);
    float_to_signed(builder, rounded)
}

/// x and y as half floats in one register, rounded towards zero.
fn pack_halves(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let x = lowering.float(instruction, 0, Component::X)?;
    let y = lowering.float(instruction, 0, Component::Y)?;
    let ty = Type::Vector(2, Element::F16);
    let packed = lowering.builder.call(ty, "llvm.amdgcn.cvt.pkrtz", &[x, y]);
    let packed = lowering.builder.bitcast(packed, Type::I32);
    lowering.store_all(instruction, packed)
}

/// The two half floats of one register in turn.
fn unpack_halves(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
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
