//! Functions for opcodes that are one operation of LLVM on their sources' values, or none.

use crate::builder::Builder;
use crate::values::{Type, Value};

pub(crate) fn binary(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    builder.binary(operation, v[0], v[1])
}

/// Calls an intrinsic for the type of the values.
pub(crate) fn call(builder: &mut Builder, name: &str, v: &[Value]) -> Value {
    builder.overloaded(name, v)
}

/// Calls an intrinsic by its whole name.
pub(crate) fn call_as(builder: &mut Builder, ty: Type, name: &str, v: &[Value]) -> Value {
    builder.call(ty, name, v)
}

pub(crate) fn convert(builder: &mut Builder, operation: &str, ty: Type, v: &[Value]) -> Value {
    builder.convert(operation, v[0], ty)
}

pub(crate) fn multiply(builder: &mut Builder, v: &[Value]) -> Value {
    builder.multiply(v[0], v[1])
}

pub(crate) fn negate(builder: &mut Builder, v: &[Value]) -> Value {
    builder.negate(v[0])
}

pub(crate) fn copy(_: &mut Builder, v: &[Value]) -> Value {
    v[0]
}

pub(crate) fn constant(_: &mut Builder, number: f32, _: &[Value]) -> Value {
    Value::float(number)
}
