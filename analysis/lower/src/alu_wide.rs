//! Double precision and 64-bit integer arithmetic.

use isa::gcn::Generation;
use tgsi::Opcode;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::alu_float::mask_if;
use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::emitter::{Emitter, Table};
use crate::registers::Clamp;
use crate::values::{Type, Value};

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    (Opcode::DABS, Emitter::Values(|b, v| b.overloaded("llvm.fabs", v))),
    (Opcode::DNEG, Emitter::Values(|b, v| b.negate(v[0]))),
    (Opcode::DADD, Emitter::Values(|b, v| b.binary("fadd", v[0], v[1]))),
    (Opcode::DMUL, Emitter::Values(|b, v| b.binary("fmul", v[0], v[1]))),
    (Opcode::DDIV, Emitter::Values(|b, v| b.binary("fdiv", v[0], v[1]))),
    (Opcode::DMAD, Emitter::Values(|b, v| crate::alu_float::multiply_add(b, v[0], v[1], v[2]))),
    (Opcode::DFMA, Emitter::Values(|b, v| b.overloaded("llvm.fma", v))),
    (Opcode::DMIN, Emitter::Values(|b, v| choose(b, "fcmp olt", v))),
    (Opcode::DMAX, Emitter::Values(|b, v| choose(b, "fcmp ogt", v))),
    (Opcode::DSLT, Emitter::Values(|b, v| mask_if(b, "fcmp olt", v))),
    (Opcode::DSGE, Emitter::Values(|b, v| mask_if(b, "fcmp oge", v))),
    (Opcode::DSEQ, Emitter::Values(|b, v| mask_if(b, "fcmp oeq", v))),
    (Opcode::DSNE, Emitter::Values(|b, v| mask_if(b, "fcmp une", v))),
    (Opcode::DRCP, Emitter::Values(|b, v| b.binary("fdiv", Value::double(1.0), v[0]))),
    (Opcode::DSQRT, Emitter::Values(|b, v| b.overloaded("llvm.sqrt", v))),
    (Opcode::DRSQ, Emitter::Values(reciprocal_square_root)),
    (Opcode::DFRAC, Emitter::Instruction(fraction)),
    (Opcode::DTRUNC, Emitter::Values(|b, v| b.overloaded("llvm.trunc", v))),
    (Opcode::DCEIL, Emitter::Values(|b, v| b.overloaded("llvm.ceil", v))),
    (Opcode::DFLR, Emitter::Instruction(floor)),
    (Opcode::DROUND, Emitter::Values(|b, v| b.overloaded("llvm.rint", v))),
    (Opcode::DSSG, Emitter::Values(double_sign)),
    (Opcode::DLDEXP, Emitter::Values(|b, v| b.call(Type::F64, "llvm.amdgcn.ldexp.f64", v))),
    (Opcode::DFRACEXP, Emitter::Instruction(fraction_exponent)),
    (Opcode::U64ADD, Emitter::Values(|b, v| b.binary("add", v[0], v[1]))),
    (Opcode::U64MUL, Emitter::Values(|b, v| b.binary("mul", v[0], v[1]))),
    (Opcode::I64NEG, Emitter::Values(|b, v| b.binary("sub", Value::long(0), v[0]))),
    (Opcode::I64ABS, Emitter::Values(absolute)),
    (Opcode::I64SSG, Emitter::Values(sign)),
    (Opcode::I64MIN, Emitter::Values(|b, v| choose(b, "icmp slt", v))),
    (Opcode::I64MAX, Emitter::Values(|b, v| choose(b, "icmp sgt", v))),
    (Opcode::U64MIN, Emitter::Values(|b, v| choose(b, "icmp ult", v))),
    (Opcode::U64MAX, Emitter::Values(|b, v| choose(b, "icmp ugt", v))),
    (Opcode::U64SEQ, Emitter::Values(|b, v| mask_if(b, "icmp eq", v))),
    (Opcode::U64SNE, Emitter::Values(|b, v| mask_if(b, "icmp ne", v))),
    (Opcode::I64SLT, Emitter::Values(|b, v| mask_if(b, "icmp slt", v))),
    (Opcode::I64SGE, Emitter::Values(|b, v| mask_if(b, "icmp sge", v))),
    (Opcode::U64SLT, Emitter::Values(|b, v| mask_if(b, "icmp ult", v))),
    (Opcode::U64SGE, Emitter::Values(|b, v| mask_if(b, "icmp uge", v))),
    (Opcode::U64SHL, Emitter::Values(|b, v| shift(b, "shl", v))),
    (Opcode::U64SHR, Emitter::Values(|b, v| shift(b, "lshr", v))),
    (Opcode::I64SHR, Emitter::Values(|b, v| shift(b, "ashr", v))),
    (Opcode::I64DIV, Emitter::Values(|b, v| divide(b, "sdiv", v))),
    (Opcode::U64DIV, Emitter::Values(|b, v| divide(b, "udiv", v))),
    (Opcode::I64MOD, Emitter::Values(|b, v| divide(b, "srem", v))),
    (Opcode::U64MOD, Emitter::Values(|b, v| divide(b, "urem", v))),
];

/// The first value if the comparison holds, else the second.
fn choose(builder: &mut Builder, comparison: &str, v: &[Value]) -> Value {
    let first = builder.compare(comparison, v[0], v[1]);
    builder.select(first, v[0], v[1])
}

/// The hardware's approximation falls short of double precision, so this is
/// the true square root and a division.
fn reciprocal_square_root(builder: &mut Builder, v: &[Value]) -> Value {
    let root = builder.overloaded("llvm.sqrt", v);
    builder.binary("fdiv", Value::double(1.0), root)
}

fn floor(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let is_exact = lowering.generation >= Generation::Gfx7;
    lowering.values(instruction, if is_exact { own_floor } else { floor_by_truncation })
}

/// Not the hardware's instruction, which gfx6 gets wrong.
fn fraction(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let is_exact = lowering.generation >= Generation::Gfx7;
    lowering.values(instruction, if is_exact { own_fraction } else { fraction_by_truncation })
}

fn own_fraction(builder: &mut Builder, v: &[Value]) -> Value {
    let whole = own_floor(builder, v);
    builder.binary("fsub", v[0], whole)
}

fn fraction_by_truncation(builder: &mut Builder, v: &[Value]) -> Value {
    let whole = floor_by_truncation(builder, v);
    builder.binary("fsub", v[0], whole)
}

fn own_floor(builder: &mut Builder, v: &[Value]) -> Value {
    builder.overloaded("llvm.floor", v)
}

/// gfx6 has no instruction for it, and LLVM subtracts a fraction that stays below one:
/// where the number is negative and nearly zero, that gives a bit more than -1.
fn floor_by_truncation(builder: &mut Builder, v: &[Value]) -> Value {
    let whole = builder.overloaded("llvm.trunc", v);
    let above = builder.compare("fcmp olt", v[0], whole);
    let below = builder.binary("fsub", whole, Value::double(1.0));
    builder.select(above, below, whole)
}

fn double_sign(builder: &mut Builder, v: &[Value]) -> Value {
    let positive = builder.compare("fcmp ogt", v[0], Value::double(0.0));
    let negative = builder.compare("fcmp olt", v[0], Value::double(0.0));
    let rest = builder.select(negative, Value::double(-1.0), Value::double(0.0));
    builder.select(positive, Value::double(1.0), rest)
}

fn fraction_exponent(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
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

fn absolute(builder: &mut Builder, v: &[Value]) -> Value {
    let negative = builder.binary("sub", Value::long(0), v[0]);
    choose(builder, "icmp sgt", &[v[0], negative])
}

fn sign(builder: &mut Builder, v: &[Value]) -> Value {
    let positive = builder.compare("icmp sgt", v[0], Value::long(0));
    let negative = builder.compare("icmp slt", v[0], Value::long(0));
    let rest = builder.select(negative, Value::long(-1), Value::long(0));
    builder.select(positive, Value::long(1), rest)
}

/// The count has 32 bits and is taken modulo 64.
fn shift(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    let count = builder.binary("and", v[1], Value::int(63));
    let count = builder.convert("zext", count, Type::I64);
    builder.binary(operation, v[0], count)
}

/// As for 32 bits: all ones by zero, and nothing undefined.
fn divide(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    let zero = builder.compare("icmp eq", v[1], Value::long(0));
    let mut safe = builder.select(zero, Value::long(1), v[1]);
    if operation.starts_with('s') {
        let least = builder.compare("icmp eq", v[0], Value::long(i64::MIN));
        let minus_one = builder.compare("icmp eq", v[1], Value::long(-1));
        let overflows = builder.binary("and", least, minus_one);
        safe = builder.select(overflows, Value::long(1), safe);
    }
    let result = builder.binary(operation, v[0], safe);
    builder.select(zero, Value::long(-1), result)
}
