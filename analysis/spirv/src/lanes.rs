//! Exchange between the invocations of a subgroup.

use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::context::{Emitted, Translation};
use crate::stages::scope;
use crate::values::{BOOL, Scalar, Type, U32, Value};
use crate::words::{Capability, Op};

impl Translation<'_> {
    fn of_subgroup(&mut self, op: Op, ty: Type, operands: &[Value]) -> Value {
        let reach = self.builder.uint(scope::SUBGROUP);
        let operands = [&[reach], operands].concat();
        self.builder.op(op, ty, &operands)
    }

    /// Emits an operation for each component that is written.
    fn each_component(
        &mut self,
        instruction: &Instruction,
        emit: impl Fn(&mut Self, Value) -> Value,
    ) -> Emitted {
        let mut values = [self.builder.uint(0); 4];
        for component in instruction.destinations[0].mask.components() {
            self.builder.set_channel(component as u32 + 1);
            let value = self.source_bits(instruction, component)?;
            values[component as usize] = emit(self, value);
        }
        self.store_each(instruction, values)
    }
}

pub(crate) fn vote(this: &mut Translation<'_>, instruction: &Instruction, op: Op) -> Emitted {
    this.builder.require(Capability::GroupNonUniformVote);
    this.each_component(instruction, |this, value| {
        let set = this.builder.is_set(value);
        let voted = this.of_subgroup(op, BOOL, &[set]);
        this.builder.mask(voted)
    })
}

/// Compares the values of all invocations, as the documents have it.
pub(crate) fn equal(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    this.builder.require(Capability::GroupNonUniformVote);
    this.each_component(instruction, |this, value| {
        let same = this.of_subgroup(Op::GroupNonUniformAllEqual, BOOL, &[value]);
        this.builder.mask(same)
    })
}

pub(crate) fn first(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    this.builder.require(Capability::GroupNonUniformBallot);
    this.each_component(instruction, |this, value| {
        this.of_subgroup(Op::GroupNonUniformBroadcastFirst, U32, &[value])
    })
}

pub(crate) fn read_invocation(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    this.builder.require(Capability::GroupNonUniformShuffle);
    let from = this.fetch(&instruction.sources[1], Component::X, ValueType::Unsigned)?;
    this.each_component(instruction, |this, value| {
        this.of_subgroup(Op::GroupNonUniformShuffle, U32, &[value, from])
    })
}

pub(crate) fn ballot(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    this.builder.require(Capability::GroupNonUniformBallot);
    let value = this.source_bits(instruction, Component::X)?;
    let set = this.builder.is_set(value);
    let vector = Type::Vector(Scalar::U32, 4);
    let votes = this.of_subgroup(Op::GroupNonUniformBallot, vector, &[set]);
    let [low, high] = [0, 1].map(|place| this.builder.extract(votes, place));
    let zero = this.builder.uint(0);
    this.store_each(instruction, [low, high, zero, zero])
}

pub(crate) fn clock(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    this.builder.require(Capability::ShaderClockKHR);
    let reach = this.builder.uint(scope::SUBGROUP);
    let ty = Type::Vector(Scalar::U32, 2);
    let count = this.builder.op(Op::ReadClockKHR, ty, &[reach]);
    let [low, high] = [0, 1].map(|place| this.builder.extract(count, place));
    let zero = this.builder.uint(0);
    this.store_each(instruction, [low, high, zero, zero])
}
