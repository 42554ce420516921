//! Opcodes that are one operation of LLVM on their sources' values, from
//! `data/simple_opcodes.tsv`.

use tgsi::Opcode;

use crate::builder::Builder;
use crate::emitter::{Emitter, Table};
use crate::values::{Type, Value};

include!(concat!(env!("OUT_DIR"), "/simple_opcodes.rs"));

fn binary(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    builder.binary(operation, v[0], v[1])
}

/// Calls an intrinsic for the type of the values.
fn call(builder: &mut Builder, name: &str, v: &[Value]) -> Value {
    builder.overloaded(name, v)
}

fn to_float(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    builder.convert(operation, v[0], Type::F32)
}

fn to_double(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    builder.convert(operation, v[0], Type::F64)
}

fn to_long(builder: &mut Builder, operation: &str, v: &[Value]) -> Value {
    builder.convert(operation, v[0], Type::I64)
}
