//! Exchange between the lanes of a wave: votes, ballots, reads of another lane.

use isa::gcn::Generation;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;
use tgsi::words::SemanticName;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::values::{Element, Type, Value};

/// Lanes in a wave.
pub(crate) const WAVE_SIZE: i32 = 64;

/// The active lanes for which a condition holds.
fn ballot(builder: &mut Builder, condition: Value) -> Value {
    builder.call(Type::I64, "llvm.amdgcn.ballot.i64", &[condition])
}

fn is_set(builder: &mut Builder, value: Value) -> Value {
    let bits = builder.bitcast(value, Type::I32);
    builder.compare("icmp ne", bits, Value::int(0))
}

pub(crate) fn any(builder: &mut Builder, v: &[Value]) -> Value {
    let condition = is_set(builder, v[0]);
    let lanes = ballot(builder, condition);
    let some = builder.compare("icmp ne", lanes, Value::long(0));
    builder.convert("sext", some, Type::I32)
}

pub(crate) fn all(builder: &mut Builder, v: &[Value]) -> Value {
    let condition = is_set(builder, v[0]);
    let lanes = ballot(builder, condition);
    let active = ballot(builder, Value::condition(true));
    let every = builder.compare("icmp eq", lanes, active);
    builder.convert("sext", every, Type::I32)
}

/// Compares the values of all lanes, as the documents have it; drivers of booleans compared
/// whether they are zero.
pub(crate) fn equal(builder: &mut Builder, v: &[Value]) -> Value {
    let bits = builder.bitcast(v[0], Type::I32);
    let first = first(builder, v);
    let differs = builder.compare("icmp ne", bits, first);
    let lanes = ballot(builder, differs);
    let same = builder.compare("icmp eq", lanes, Value::long(0));
    builder.convert("sext", same, Type::I32)
}

pub(crate) fn first(builder: &mut Builder, v: &[Value]) -> Value {
    let bits = builder.bitcast(v[0], Type::I32);
    // The name with a type behind it came with LLVM 19, which still reads this one.
    builder.call(Type::I32, "llvm.amdgcn.readfirstlane", &[bits])
}

pub(crate) fn read_lane(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let lane = lowering.fetch(&instruction.sources[1], Component::X, ValueType::Unsigned)?;
    let mut values = [Value::int(0); 4];
    for component in instruction.destinations[0].mask.components() {
        let bits = lowering.source_bits(instruction, component)?;
        values[component as usize] =
            lowering.builder.call(Type::I32, "llvm.amdgcn.readlane", &[bits, lane]);
    }
    lowering.store_each(instruction, values)
}

pub(crate) fn ballot_mask(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let value = lowering.source_bits(instruction, Component::X)?;
    let condition = is_set(&mut lowering.builder, value);
    let lanes = ballot(&mut lowering.builder, condition);
    let [low, high] = lowering.halves(lanes);
    lowering.store_each(instruction, [low, high, Value::int(0), Value::int(0)])
}

/// A running count, low word in x.
pub(crate) fn clock(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    // The counter that runs at a constant rate came with gfx8.
    let name = match lowering.generation {
        Generation::Gfx6 | Generation::Gfx7 => "llvm.amdgcn.s.memtime",
        Generation::Gfx8 | Generation::Gfx9 => "llvm.amdgcn.s.memrealtime",
    };
    let count = lowering.builder.call(Type::I64, name, &[]);
    let [low, high] = lowering.halves(count);
    lowering.store_each(instruction, [low, high, Value::int(0), Value::int(0)])
}

impl Lowering<'_> {
    /// All bits set where a condition does not hold.
    pub(crate) fn not_as_mask(&mut self, condition: Value) -> Value {
        let inverse = self.builder.binary("xor", condition, Value::condition(true));
        self.builder.convert("sext", inverse, Type::I32)
    }

    /// The number of the lane in its wave.
    pub(crate) fn lane(&mut self) -> Value {
        let all = Value::int(-1);
        let low = self.builder.call(Type::I32, "llvm.amdgcn.mbcnt.lo", &[all, Value::int(0)]);
        self.builder.call(Type::I32, "llvm.amdgcn.mbcnt.hi", &[all, low])
    }

    /// One component of a system value that tells of the wave; `None` for all others.
    pub(crate) fn subgroup_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Option<Value> {
        // The mask of the lane itself, shifted or complemented.
        let (base, inverted) = match name {
            SemanticName::SubgroupSize => return Some(Value::int(WAVE_SIZE)),
            SemanticName::SubgroupInvocation => return Some(self.lane()),
            SemanticName::SubgroupEqualMask => (Value::long(1), false),
            SemanticName::SubgroupGreaterEqualMask => (Value::long(-1), false),
            SemanticName::SubgroupGreaterMask => (Value::long(-2), false),
            SemanticName::SubgroupLessEqualMask => (Value::long(-2), true),
            SemanticName::SubgroupLessMask => (Value::long(-1), true),
            _ => return None,
        };
        let lane = self.lane();
        let lane = self.builder.convert("zext", lane, Type::I64);
        let mut mask = self.builder.binary("shl", base, lane);
        if inverted {
            mask = self.builder.binary("xor", mask, Value::long(-1));
        }
        let halves = self.builder.bitcast(mask, Type::Vector(2, Element::I32));
        Some(match component {
            Component::X => self.builder.extract(halves, 0),
            Component::Y => self.builder.extract(halves, 1),
            _ => Value::int(0),
        })
    }
}
