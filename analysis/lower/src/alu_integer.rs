//! 32-bit integer arithmetic.
//!
//! Shift counts are taken modulo 32 and division by zero has a value, so that
//! nothing that a shader can compute is undefined for LLVM.

use crate::builder::Builder;
use crate::values::{Type, Value};

pub(crate) fn multiply_add(builder: &mut Builder, v: &[Value]) -> Value {
    let product = builder.binary("mul", v[0], v[1]);
    builder.binary("add", product, v[2])
}

pub(crate) fn absolute(builder: &mut Builder, v: &[Value]) -> Value {
    let negative = builder.negate(v[0]);
    builder.overloaded("llvm.smax", &[v[0], negative])
}

pub(crate) fn sign(builder: &mut Builder, v: &[Value]) -> Value {
    let capped = builder.overloaded("llvm.smin", &[v[0], Value::int(1)]);
    builder.overloaded("llvm.smax", &[capped, Value::int(-1)])
}

pub(crate) fn complement(builder: &mut Builder, v: &[Value]) -> Value {
    builder.binary("xor", v[0], Value::int(-1))
}

pub(crate) fn shift(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    let count = builder.binary("and", v[1], Value::int(31));
    builder.binary(operation, v[0], count)
}

/// Division and remainder. By zero the result is all ones, as in Direct3D 10,
/// and LLVM never sees the undefined cases: zero divisors become 1, and so
/// does -1 under the least integer, whose quotient does not fit.
pub(crate) fn divide(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    let [value, divisor] = [v[0], v[1]];
    let [none, one, all] = [0, 1, -1].map(|number| Value::whole(value.ty, number));
    let zero = builder.compare("icmp eq", divisor, none);
    let mut safe = builder.select(zero, one, divisor);
    let signed = operation.starts_with('s');
    if signed {
        let least = match value.ty {
            Type::I64 => Value::long(i64::MIN),
            _ => Value::int(i32::MIN),
        };
        let least = builder.compare("icmp eq", value, least);
        let minus_one = builder.compare("icmp eq", divisor, all);
        let overflows = builder.binary("and", least, minus_one);
        safe = builder.select(overflows, one, safe);
    }
    let result = builder.binary(operation, value, safe);
    builder.select(zero, all, result)
}

pub(crate) fn high_product(builder: &mut Builder, widen: &str, v: &[Value]) -> Value {
    let a = builder.convert(widen, v[0], Type::I64);
    let b = builder.convert(widen, v[1], Type::I64);
    let product = builder.binary("mul", a, b);
    let high = builder.binary("lshr", product, Value::long(32));
    builder.convert("trunc", high, Type::I32)
}

/// Takes a bit field out. The instruction looks at five bits of offset and
/// width only; a width of 32 and more means the value as it is.
pub(crate) fn extract(builder: &mut Builder, name: &str, v: &[Value]) -> Value {
    let field = builder.call(Type::I32, name, v);
    let whole = builder.compare("icmp uge", v[2], Value::int(32));
    builder.select(whole, v[0], field)
}

/// Puts `v[1]` into `v[0]` at bit `v[2]`, `v[3]` bits wide.
pub(crate) fn insert(builder: &mut Builder, v: &[Value]) -> Value {
    let offset = builder.binary("and", v[2], Value::int(31));
    // A field of ones: shorter than what LLVM makes of a shift and a difference.
    let arguments = [Value::int(-1), Value::int(0), v[3]];
    let ones = builder.call(Type::I32, "llvm.amdgcn.ubfe.i32", &arguments);
    let mask = builder.binary("shl", ones, offset);
    let moved = builder.binary("shl", v[1], offset);
    // In this form LLVM takes the mask for nothing but that of v_bfi.
    let differing = builder.binary("xor", v[0], moved);
    let changed = builder.binary("and", differing, mask);
    let merged = builder.binary("xor", changed, v[0]);
    let whole = builder.compare("icmp uge", v[3], Value::int(32));
    builder.select(whole, v[1], merged)
}

fn minus_one_if(builder: &mut Builder, condition: Value, otherwise: Value) -> Value {
    builder.select(condition, Value::int(-1), otherwise)
}

pub(crate) fn lowest_bit(builder: &mut Builder, v: &[Value]) -> Value {
    let arguments = [v[0], Value::condition(true)];
    let place = builder.overloaded("llvm.cttz", &arguments);
    let none = builder.compare("icmp eq", v[0], Value::int(0));
    minus_one_if(builder, none, place)
}

pub(crate) fn highest_bit(builder: &mut Builder, v: &[Value]) -> Value {
    let arguments = [v[0], Value::condition(true)];
    let zeros = builder.overloaded("llvm.ctlz", &arguments);
    let place = builder.binary("sub", Value::int(31), zeros);
    let none = builder.compare("icmp eq", v[0], Value::int(0));
    minus_one_if(builder, none, place)
}

/// The highest bit that differs from the sign.
pub(crate) fn highest_significant_bit(builder: &mut Builder, v: &[Value]) -> Value {
    let same = builder.call(Type::I32, "llvm.amdgcn.sffbh.i32", v);
    let place = builder.binary("sub", Value::int(31), same);
    let zero = builder.compare("icmp eq", v[0], Value::int(0));
    let ones = builder.compare("icmp eq", v[0], Value::int(-1));
    let none = builder.binary("or", zero, ones);
    minus_one_if(builder, none, place)
}
