//! Integer arithmetic of one component. Shift counts are taken modulo the width and division by
//! zero has a value, so that nothing that a shader can compute is undefined.

use crate::builder::Builder;
use crate::values::{Scalar, Type, U32, U64, Value};
use crate::words::{Extended, Op};

pub(crate) fn absolute(builder: &mut Builder, v: &[Value]) -> Value {
    let negative = builder.negate(v[0]);
    let zero = builder.whole(v[0].ty.scalar(), 0);
    let below = builder.compare(Op::SLessThan, v[0], zero);
    builder.select(below, negative, v[0])
}

/// The count has 32 bits.
pub(crate) fn shift(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    let most = builder.uint(if v[0].ty == U64 { 63 } else { 31 });
    let count = builder.bitcast(v[1], U32);
    let count = builder.binary(Op::BitwiseAnd, count, most);
    builder.op(op, v[0].ty, &[v[0], count])
}

/// Division and remainder. By zero the result is all ones, as in Direct3D 10: zero divisors
/// become 1, and so does -1 under the least integer, whose quotient does not fit.
pub(crate) fn divide(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    let [value, divisor] = [v[0], v[1]];
    let scalar = value.ty.scalar();
    let [none, one, all] = [0, 1, -1].map(|number| builder.whole(scalar, number));
    let zero = builder.compare(Op::IEqual, divisor, none);
    let mut safe = builder.select(zero, one, divisor);
    if matches!(op, Op::SDiv | Op::SRem) {
        let least = match scalar {
            Scalar::U64 => 1 << 63,
            _ => 1 << 31,
        };
        let least = builder.constant(scalar, least);
        let least = builder.compare(Op::IEqual, value, least);
        let minus_one = builder.compare(Op::IEqual, divisor, all);
        let overflows = builder.binary(Op::LogicalAnd, least, minus_one);
        safe = builder.select(overflows, one, safe);
    }
    let result = builder.binary(op, value, safe);
    builder.select(zero, all, result)
}

/// The upper half of a product of 64 bits.
pub(crate) fn high_product(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    let product = builder.op(op, Type::Pair(Scalar::U32, Scalar::U32), &v[..2]);
    builder.extract(product, 1)
}

/// Takes a bit field out: five bits of offset and width count, and a width of 32 and more means
/// the value as it is. What reaches beyond the last bit is read up to that bit.
pub(crate) fn extract(builder: &mut Builder, op: Op, v: &[Value]) -> Value {
    let [low, whole] = [31, 32].map(|number| builder.uint(number));
    let offset = builder.binary(Op::BitwiseAnd, v[1], low);
    let width = builder.binary(Op::BitwiseAnd, v[2], low);
    let room = builder.binary(Op::ISub, whole, offset);
    let width = builder.extended(Extended::UMin, U32, &[width, room]);
    let field = builder.op(op, U32, &[v[0], offset, width]);
    let all = builder.compare(Op::UGreaterThanEqual, v[2], whole);
    builder.select(all, v[0], field)
}

/// Puts `v[1]` into `v[0]` at bit `v[2]`, `v[3]` bits wide.
pub(crate) fn insert(builder: &mut Builder, v: &[Value]) -> Value {
    let [low, whole] = [31, 32].map(|number| builder.uint(number));
    let offset = builder.binary(Op::BitwiseAnd, v[2], low);
    let width = builder.binary(Op::BitwiseAnd, v[3], low);
    let room = builder.binary(Op::ISub, whole, offset);
    let width = builder.extended(Extended::UMin, U32, &[width, room]);
    let merged = builder.op(Op::BitFieldInsert, U32, &[v[0], v[1], offset, width]);
    let all = builder.compare(Op::UGreaterThanEqual, v[3], whole);
    builder.select(all, v[1], merged)
}
