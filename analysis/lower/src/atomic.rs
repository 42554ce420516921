//! Atomic changes of buffers, images and shared memory.
//!
//! What the hardware cannot do at once is done by comparing and exchanging
//! until no other lane came between: float addition in buffers and images,
//! which none of these chips has, and in shared memory the counting with
//! wrap-around, which no IR says alike in all versions of LLVM.

use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::failure::unsupported;
use crate::resources::{Access, Resource};
use crate::values::{Type, Value};

/// Combines memory with a value; the result is what was there before.
pub(crate) fn atomic(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    operation: &str,
) -> Emitted {
    let resource = changed_resource(lowering, instruction)?;
    let mut data = Vec::new();
    // The new value comes before the one compared with.
    for source in instruction.sources[2..].iter().rev() {
        data.push(lowering.fetch(source, Component::X, ValueType::Unsigned)?);
    }
    let before = match (&resource, operation) {
        (Resource::Shared { .. }, "inc") => {
            let limit = data[0];
            until_unchanged(lowering, &resource, |builder, old| {
                let next = builder.binary("add", old, Value::int(1));
                let over = builder.compare("icmp uge", old, limit);
                builder.select(over, Value::int(0), next)
            })
        }
        (Resource::Shared { .. }, "dec") => {
            let limit = data[0];
            until_unchanged(lowering, &resource, |builder, old| {
                let next = builder.binary("sub", old, Value::int(1));
                let zero = builder.compare("icmp eq", old, Value::int(0));
                let over = builder.compare("icmp ugt", old, limit);
                let outside = builder.binary("or", zero, over);
                builder.select(outside, limit, next)
            })
        }
        _ => change(&mut lowering.builder, &resource, operation, &data),
    };
    lowering.store_all(instruction, before)
}

/// Adds a float to memory.
pub(crate) fn add_float(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let resource = changed_resource(lowering, instruction)?;
    let amount = lowering.float(instruction, 2, Component::X)?;
    let before = match resource {
        Resource::Shared { pointer } => lowering.builder.atomic("fadd", pointer, amount),
        _ => until_unchanged(lowering, &resource, |builder, old| {
            let old = builder.bitcast(old, Type::F32);
            let sum = builder.binary("fadd", old, amount);
            builder.bitcast(sum, Type::I32)
        }),
    };
    lowering.store_all(instruction, before)
}

fn changed_resource(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted<Resource> {
    let register = instruction.sources[0].register;
    if register.file == File::ConstantBuffer {
        return Err(unsupported(register.range, "atomics on CONSTBUF".to_owned()));
    }
    lowering.resource(instruction, &register, &instruction.sources[1], Access::Write)
}

/// One atomic operation of the hardware. `data` is the new value, then the one
/// to compare with if there is one.
fn change(builder: &mut Builder, resource: &Resource, operation: &str, data: &[Value]) -> Value {
    let zero = Value::int(0);
    match resource {
        Resource::Raw { descriptor, offset } => {
            let arguments = [data, &[*descriptor, *offset, zero, zero]].concat();
            let name = format!("llvm.amdgcn.raw.buffer.atomic.{operation}.i32");
            builder.call(Type::I32, &name, &arguments)
        }
        Resource::Elements { descriptor, index } => {
            let arguments = [data, &[*descriptor, *index, zero, zero, zero]].concat();
            let name = format!("llvm.amdgcn.struct.buffer.atomic.{operation}.i32");
            builder.call(Type::I32, &name, &arguments)
        }
        Resource::Image { descriptor, place, dimension } => {
            let arguments = [data, &place[..], &[*descriptor, zero, zero]].concat();
            let name = format!("llvm.amdgcn.image.atomic.{operation}.{dimension}.i32.i32");
            builder.call(Type::I32, &name, &arguments)
        }
        Resource::Shared { pointer } => match (operation, data) {
            ("cmpswap", [replacement, expected]) => {
                builder.compare_exchange(*pointer, *expected, *replacement)
            }
            _ => builder.atomic(shared_word_of(operation), *pointer, data[0]),
        },
    }
}

/// Returns the name of an operation in LLVM's `atomicrmw`, which changes shared memory.
fn shared_word_of(operation: &str) -> &str {
    match operation {
        "swap" => "xchg",
        "smin" => "min",
        "smax" => "max",
        same => same,
    }
}

/// Replaces a word in memory by what is computed from it, as often as another
/// lane changes it in between. The first guess of what it holds is zero, the
/// second is what was found: a wrong guess costs as much as looking.
fn until_unchanged(
    lowering: &mut Lowering<'_>,
    resource: &Resource,
    replacement: impl Fn(&mut Builder, Value) -> Value,
) -> Value {
    let builder = &mut lowering.builder;
    let guess = builder.allocate(Type::I32, None);
    builder.store(Value::int(0), guess);
    let [again, done] = [(); 2].map(|()| builder.new_block());
    builder.jump(again);
    builder.begin(again);
    let expected = builder.load(Type::I32, guess);
    let new = replacement(builder, expected);
    let found = change(builder, resource, "cmpswap", &[new, expected]);
    builder.store(found, guess);
    let unchanged = builder.compare("icmp eq", found, expected);
    builder.branch(unchanged, done, again);
    builder.begin(done);
    found
}
