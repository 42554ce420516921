//! Single precision arithmetic of one component.

use crate::arithmetic::multiply_add;
use crate::builder::Builder;
use crate::values::{F32, Value};
use crate::words::{Extended, Op};

/// `v[0] * v[1] + v[2]`, rounded once, zero winning where it does.
pub(crate) fn fused(builder: &mut Builder, v: &[Value]) -> Value {
    let [left, right] = match builder.zero_wins && v[0].ty == F32 {
        true => builder.zeroed_factors(v[0], v[1]),
        false => [v[0], v[1]],
    };
    builder.extended(Extended::Fma, v[0].ty, &[left, right, v[2]])
}

pub(crate) fn reciprocal(builder: &mut Builder, v: &[Value]) -> Value {
    let one = builder.whole(v[0].ty.scalar(), 1);
    builder.binary(Op::FDiv, one, v[0])
}

/// A product with the reciprocal, as hardware divides.
pub(crate) fn divide(builder: &mut Builder, v: &[Value]) -> Value {
    let reciprocal = reciprocal(builder, &v[1..]);
    builder.multiply(v[0], reciprocal)
}

pub(crate) fn blend(builder: &mut Builder, v: &[Value]) -> Value {
    let one = builder.float(1.0);
    let rest = builder.binary(Op::FSub, one, v[0]);
    let other = builder.multiply(rest, v[2]);
    multiply_add(builder, &[v[0], v[1], other])
}

/// `x` to the `y`, where anything to the 0 is 1: the product of logarithm and exponent is 0 as
/// soon as one factor is.
pub(crate) fn power(builder: &mut Builder, v: &[Value]) -> Value {
    let logarithm = builder.extended(Extended::Log2, F32, &v[..1]);
    let product = builder.legacy_multiply(logarithm, v[1]);
    builder.extended(Extended::Exp2, F32, &[product])
}

/// `v[0]` times 2 to the `v[1]`.
pub(crate) fn scale(builder: &mut Builder, v: &[Value]) -> Value {
    builder.extended(Extended::Ldexp, v[0].ty, v)
}

/// 1.0 or 0.0.
pub(crate) fn one_if(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    let holds = builder.compare(op, v[0], v[1]);
    let [one, zero] = [1.0, 0.0].map(|number| builder.float(number));
    builder.select(holds, one, zero)
}

pub(crate) fn select_negative(builder: &mut Builder, v: &[Value]) -> Value {
    let zero = builder.float(0.0);
    let negative = builder.compare(Op::FOrdLessThan, v[0], zero);
    select(builder, negative, v)
}

pub(crate) fn select_nonzero(builder: &mut Builder, v: &[Value]) -> Value {
    let set = builder.is_set(v[0]);
    select(builder, set, v)
}

/// The two values may be bits in one and a float in the other.
fn select(builder: &mut Builder, condition: Value, v: &[Value]) -> Value {
    let other = builder.bitcast(v[2], v[1].ty);
    builder.select(condition, v[1], other)
}

/// The historic `CND`.
pub(crate) fn select_above_half(builder: &mut Builder, v: &[Value]) -> Value {
    let half = builder.float(0.5);
    let above = builder.compare(Op::FOrdGreaterThan, v[2], half);
    builder.select(above, v[0], v[1])
}

/// The historic `CLAMP`.
pub(crate) fn clamp(builder: &mut Builder, v: &[Value]) -> Value {
    let least = builder.extended(Extended::NMax, F32, &v[..2]);
    builder.extended(Extended::NMin, F32, &[least, v[2]])
}

/// A constant, whatever the operands: what drivers made of `NOISE`, and of `SFL` and `STR`.
pub(crate) fn constant(builder: &mut Builder, number: f32, _: &[Value]) -> Value {
    builder.float(number)
}
