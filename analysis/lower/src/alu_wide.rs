//! Double precision and 64-bit integer arithmetic.

use isa::gcn::Generation;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::registers::Clamp;
use crate::values::{Type, Value};

/// The first value if the comparison holds, else the second.
pub(crate) fn choose(builder: &mut Builder, comparison: &str, v: &[Value]) -> Value {
    let first = builder.compare(comparison, v[0], v[1]);
    builder.select(first, v[0], v[1])
}

pub(crate) fn reciprocal(builder: &mut Builder, v: &[Value]) -> Value {
    builder.binary("fdiv", Value::double(1.0), v[0])
}

/// The hardware's approximation falls short of double precision, so this is
/// the true square root and a division.
pub(crate) fn reciprocal_square_root(builder: &mut Builder, v: &[Value]) -> Value {
    let root = builder.overloaded("llvm.sqrt", v);
    reciprocal(builder, &[root])
}

pub(crate) fn floor(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    lowering.values(instruction, &floor_on(lowering.generation))
}

/// Not the hardware's instruction, which gfx6 gets wrong.
pub(crate) fn fraction(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let floor = floor_on(lowering.generation);
    lowering.values(instruction, &|builder, v| {
        let whole = floor(builder, v);
        builder.binary("fsub", v[0], whole)
    })
}

fn floor_on(generation: Generation) -> fn(&mut Builder, &[Value]) -> Value {
    match generation >= Generation::Gfx7 {
        true => |builder, v| builder.overloaded("llvm.floor", v),
        false => floor_by_truncation,
    }
}

/// gfx6 has no instruction for it, and LLVM subtracts a fraction that stays below one:
/// where the number is negative and nearly zero, that gives a bit more than -1.
fn floor_by_truncation(builder: &mut Builder, v: &[Value]) -> Value {
    let whole = builder.overloaded("llvm.trunc", v);
    let above = builder.compare("fcmp olt", v[0], whole);
    let below = builder.binary("fsub", whole, Value::double(1.0));
    builder.select(above, below, whole)
}

pub(crate) fn fraction_exponent(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let source = &instruction.sources[0];
    let value = lowering.fetch_wide(source, 0, ValueType::Double)?;
    let builder = &mut lowering.builder;
    let fraction = builder.overloaded("llvm.amdgcn.frexp.mant", &[value]);
    let exponent = builder.call(Type::I32, "llvm.amdgcn.frexp.exp.i32.f64", &[value]);
    let [fractions, exponents] = [&instruction.destinations[0], &instruction.destinations[1]];
    for pair in [0, 1] {
        if fractions.mask.0 & (3 << (pair * 2)) != 0 {
            lowering.store_wide(fractions, Clamp::of(instruction), pair, fraction)?;
        }
    }
    for component in Component::ALL {
        if exponents.mask.contains(component) {
            lowering.store(exponents, Clamp::No, component, exponent)?;
        }
    }
    Ok(())
}

pub(crate) fn absolute(builder: &mut Builder, v: &[Value]) -> Value {
    let negative = builder.negate(v[0]);
    choose(builder, "icmp sgt", &[v[0], negative])
}

/// The count has 32 bits and is taken modulo 64.
pub(crate) fn shift(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    let count = builder.binary("and", v[1], Value::int(63));
    let count = builder.convert("zext", count, Type::I64);
    builder.binary(operation, v[0], count)
}
