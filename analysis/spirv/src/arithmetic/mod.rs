//! Arithmetic.
//!
//! Nothing is reassociated, and `FMA` alone is fused: any other multiply-add is a product that is
//! rounded and then a sum. What a driver makes of them is said by [`crate::Contraction`].

pub(crate) mod conversions;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod vectors;
pub(crate) mod wide;

use crate::builder::Builder;
use crate::values::{Type, Value};
use crate::words::{Extended, Op};

pub(crate) fn copy(_: &mut Builder, v: &[Value]) -> Value {
    v[0]
}

pub(crate) fn binary(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    builder.binary(op, v[0], v[1])
}

pub(crate) fn unary(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    builder.op(op, v[0].ty, &v[..1])
}

pub(crate) fn multiply(builder: &mut Builder, v: &[Value]) -> Value {
    builder.multiply(v[0], v[1])
}

pub(crate) fn negate(builder: &mut Builder, v: &[Value]) -> Value {
    builder.negate(v[0])
}

/// An instruction of GLSL.std.450 whose result has the type of its operands.
pub(crate) fn extended(builder: &mut Builder, op: Extended, v: &[Value]) -> Value {
    builder.extended(op, v[0].ty, v)
}

pub(crate) fn convert(builder: &mut Builder, op: Op, ty: Type, v: &[Value]) -> Value {
    builder.op(op, ty, &v[..1])
}

/// All bits set or none.
pub(crate) fn mask_if(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    let holds = builder.compare(op, v[0], v[1]);
    builder.mask(holds)
}

/// The first value if the comparison holds, else the second.
pub(crate) fn choose(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    let first = builder.compare(op, v[0], v[1]);
    builder.select(first, v[0], v[1])
}

/// 1, 0 or -1; 0 for NaN.
pub(crate) fn sign(builder: &mut Builder, v: &[Value]) -> Value {
    let scalar = v[0].ty.scalar();
    let [zero, one, minus_one] = [0, 1, -1].map(|number| builder.whole(scalar, number));
    let [above, below] = match scalar.is_float() {
        true => [Op::FOrdGreaterThan, Op::FOrdLessThan],
        false => [Op::SGreaterThan, Op::SLessThan],
    };
    let positive = builder.compare(above, v[0], zero);
    let negative = builder.compare(below, v[0], zero);
    let rest = builder.select(negative, minus_one, zero);
    builder.select(positive, one, rest)
}

/// `v[0] * v[1] + v[2]`, rounded twice where it is of floats.
pub(crate) fn multiply_add(builder: &mut Builder, v: &[Value]) -> Value {
    if !v[0].ty.is_float() {
        let product = builder.binary(Op::IMul, v[0], v[1]);
        return builder.binary(Op::IAdd, product, v[2]);
    }
    let product = builder.multiply(v[0], v[1]);
    builder.binary(Op::FAdd, product, v[2])
}
