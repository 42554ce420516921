//! Atomic changes of buffers, images and memory of a group.
//!
//! What SPIR-V has no operation for is done by comparing and exchanging until no other invocation
//! came between.

use lower::failure::unsupported;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::builder::{Builder, Id};
use crate::context::{Emitted, Translation};
use crate::images::ImageKind;
use crate::resources::{Words, refuse_handle};
use crate::stages::scope;
use crate::values::{F32, Scalar, Type, U32, Value};
use crate::words::{ImageFormat, Op, StorageClass};

impl Translation<'_> {
    /// Does something with the pointer to the word that an instruction changes; the result has
    /// the bits of a word.
    fn changed(
        &mut self,
        instruction: &Instruction,
        mut change: impl FnMut(&mut Self, Id, Scalar) -> Value,
    ) -> Emitted {
        let [resource, address] = [&instruction.sources[0], &instruction.sources[1]];
        let register = &resource.register;
        refuse_handle(register)?;
        let before = match register.file {
            File::Image => {
                let kind = self.atomic_kind(instruction)?;
                let place = self.image_place(kind.shape, address)?;
                let (number, count) = self.resource_number(register)?;
                self.each_of(number, count, U32, |this, number| {
                    let pointer = this.texel_pointer(number, kind, place, register)?;
                    let before = change(this, pointer, kind.texels);
                    Ok(this.builder.bitcast(before, U32))
                })?
            }
            File::Buffer => {
                let first = self.word_number(address)?;
                let (number, count) = self.resource_number(register)?;
                self.each_of(number, count, U32, |this, number| {
                    let variable = this.storage_buffer(number, register.range)?;
                    let words = Words { class: StorageClass::StorageBuffer, variable, first };
                    let pointer = this.word(words, 0);
                    Ok(change(this, pointer, Scalar::U32))
                })?
            }
            File::HardwareAtomic => {
                let words = self.counter(register)?;
                let pointer = self.word(words, 0);
                change(self, pointer, Scalar::U32)
            }
            File::Memory => {
                let words = self.memory_words(register, address)?;
                if words.class == StorageClass::Private {
                    let construct = "atomics on private memory".to_owned();
                    return Err(unsupported(register.range, construct));
                }
                let pointer = self.word(words, 0);
                change(self, pointer, Scalar::U32)
            }
            file => return Err(unsupported(register.range, format!("atomics on {file}"))),
        };
        self.store_all(instruction, before)
    }

    /// The type of an image that is changed: texels of 32 bits, unsigned where nothing is said.
    fn atomic_kind(&mut self, instruction: &Instruction) -> Emitted<ImageKind> {
        let register = &instruction.sources[0].register;
        let kind = self.image_kind(instruction, register)?;
        match kind.format {
            ImageFormat::R32ui | ImageFormat::R32i => Ok(kind),
            ImageFormat::Unknown | ImageFormat::R32f => {
                Ok(ImageKind { format: ImageFormat::R32ui, texels: Scalar::U32, ..kind })
            }
            format => {
                Err(unsupported(register.range, format!("atomics on an image of {format:?}")))
            }
        }
    }

    /// The operands that say for whom an operation is atomic, and that it orders nothing else.
    fn atomic_scope(&mut self) -> [u32; 2] {
        [scope::DEVICE, 0].map(|word| self.builder.uint(word).id.0)
    }

    fn exchange_if_equal(
        &mut self,
        pointer: Id,
        texels: Scalar,
        value: Value,
        expected: Value,
    ) -> Value {
        let [reach, relaxed] = self.atomic_scope();
        let [value, expected] =
            [value, expected].map(|it| self.builder.bitcast(it, Type::One(texels)));
        let words = [pointer.0, reach, relaxed, relaxed, value.id.0, expected.id.0];
        self.builder.raw(Op::AtomicCompareExchange, Type::One(texels), &words)
    }
}

/// Combines memory with a value; the result is what was there before.
pub(crate) fn atomic(this: &mut Translation<'_>, instruction: &Instruction, op: Op) -> Emitted {
    let value = this.fetch(&instruction.sources[2], Component::X, ValueType::Unsigned)?;
    this.changed(instruction, |this, pointer, texels| {
        let [reach, relaxed] = this.atomic_scope();
        let value = this.builder.bitcast(value, Type::One(texels));
        this.builder.raw(op, Type::One(texels), &[pointer.0, reach, relaxed, value.id.0])
    })
}

/// Replaces a word if it is as expected.
pub(crate) fn compare_exchange(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let expected = this.fetch(&instruction.sources[2], Component::X, ValueType::Unsigned)?;
    let value = this.fetch(&instruction.sources[3], Component::X, ValueType::Unsigned)?;
    this.changed(instruction, |this, pointer, texels| {
        this.exchange_if_equal(pointer, texels, value, expected)
    })
}

/// Replaces a word by what is computed from it, as often as another invocation changes it in
/// between. The first guess of what it holds is zero, the second is what was found.
pub(crate) fn until_unchanged(
    this: &mut Translation<'_>,
    instruction: &Instruction,
    replacement: fn(&mut Builder, Value, Value) -> Value,
) -> Emitted {
    let operand = this.fetch(&instruction.sources[2], Component::X, ValueType::Unsigned)?;
    this.changed(instruction, |this, pointer, texels| {
        let reach = this.builder.reach();
        let [head, body, next, end, found] = [(); 5].map(|()| this.builder.new_id());
        let guess = this.builder.uint(0);
        let before = this.builder.current_block();
        this.builder.jump(head);
        this.builder.enter(head);
        let origin = before.map_or(0, |block| block.0);
        let expected = this.builder.raw(Op::Phi, U32, &[guess.id.0, origin, found.0, next.0]);
        this.builder.loop_merge(end, next);
        this.builder.jump(body);
        this.builder.enter(body);
        let value = replacement(&mut this.builder, expected, operand);
        let seen = this.exchange_if_equal(pointer, texels, value, expected);
        let seen = this.builder.renamed(seen, found);
        let unchanged = this.builder.compare(Op::IEqual, seen, expected);
        this.builder.branch(unchanged, end, next);
        this.builder.next_round(next, head, reach);
        this.builder.merge(end, reach);
        seen
    })
}

/// One more, or 0 from a limit on.
pub(crate) fn wrapping_increment(builder: &mut Builder, old: Value, limit: Value) -> Value {
    let [zero, one] = [0, 1].map(|number| builder.uint(number));
    let next = builder.binary(Op::IAdd, old, one);
    let over = builder.compare(Op::UGreaterThanEqual, old, limit);
    builder.select(over, zero, next)
}

/// One less, or the limit from 0 and above the limit.
pub(crate) fn wrapping_decrement(builder: &mut Builder, old: Value, limit: Value) -> Value {
    let [zero, one] = [0, 1].map(|number| builder.uint(number));
    let next = builder.binary(Op::ISub, old, one);
    let none = builder.compare(Op::IEqual, old, zero);
    let over = builder.compare(Op::UGreaterThan, old, limit);
    let outside = builder.binary(Op::LogicalOr, none, over);
    builder.select(outside, limit, next)
}

/// The sum of two floats in words.
pub(crate) fn float_sum(builder: &mut Builder, old: Value, amount: Value) -> Value {
    let [old, amount] = [old, amount].map(|word| builder.bitcast(word, F32));
    let sum = builder.binary(Op::FAdd, old, amount);
    builder.bitcast(sum, U32)
}
