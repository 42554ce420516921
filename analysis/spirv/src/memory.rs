//! Loads and stores, questions about resources, and the order of memory.

use lower::failure::unsupported;
use tgsi::ast::{Component, Destination, Instruction, Swizzle};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::context::{Emitted, Translation};
use crate::layout::{FIRST_BUFFER, FIRST_IMAGE};
use crate::resources::{Words, refuse_handle};
use crate::stages::scope;
use crate::values::{Scalar, Type, U32, Value};
use crate::words::{Op, StorageClass};

impl Translation<'_> {
    /// Notes the resources that some instruction accesses coherently, before any is declared.
    pub(crate) fn note_coherent(&mut self) {
        use tgsi::words::MemoryQualifier;
        for instruction in &self.instructions {
            let coherent = instruction.qualifiers.iter().any(|qualifier| {
                matches!(qualifier.value, MemoryQualifier::Coherent | MemoryQualifier::Volatile)
            });
            if !coherent {
                continue;
            }
            for register in instruction.registers() {
                let first = match register.file {
                    File::Buffer => FIRST_BUFFER,
                    File::Image => FIRST_IMAGE,
                    _ => continue,
                };
                match register.number() {
                    Some(number) => {
                        self.coherent.insert(first.saturating_add(number));
                    }
                    None => self.coherent.extend(first..first + 8),
                }
            }
        }
    }

    /// The words of a buffer from an address on.
    fn buffer_words(
        &mut self,
        number: u32,
        first: Value,
        range: source::TextRange,
    ) -> Emitted<Words> {
        let variable = self.storage_buffer(number, range)?;
        Ok(Words { class: StorageClass::StorageBuffer, variable, first })
    }

    /// Writes the components of a texel in the order of a resource's swizzle.
    pub(crate) fn store_texel(
        &mut self,
        instruction: &Instruction,
        texel: Value,
        swizzle: Swizzle,
    ) -> Emitted {
        let mut values = [self.builder.uint(0); 4];
        for component in instruction.destinations[0].mask.components() {
            let read = swizzle.0[component as usize];
            values[component as usize] = self.builder.extract(texel, read as u32);
        }
        self.store_each(instruction, values)
    }
}

pub(crate) fn load(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let [source, address] = [&instruction.sources[0], &instruction.sources[1]];
    let register = &source.register;
    refuse_handle(register)?;
    let vector = Type::Vector(Scalar::U32, 4);
    if register.file == File::Image {
        let kind = this.image_kind(instruction, register)?;
        let place = this.image_place(kind.shape, address)?;
        let (number, count) = this.resource_number(register)?;
        let ty = Type::Vector(kind.texels, 4);
        let texel = this.each_of(number, count, ty, |this, number| {
            this.read_image(number, kind, place, register)
        })?;
        return this.store_texel(instruction, texel, source.swizzle);
    }
    let mut wanted: Vec<u32> = Vec::new();
    for component in instruction.destinations[0].mask.components() {
        wanted.push(source.swizzle.0[component as usize] as u32);
    }
    let gathered = |this: &mut Translation<'_>,
                    word: &mut dyn FnMut(&mut Translation<'_>, u32) -> Emitted<Value>|
     -> Emitted<Value> {
        let mut parts = [this.builder.uint(0); 4];
        for place in 0..4 {
            if wanted.contains(&place) {
                parts[place as usize] = word(this, place)?;
            }
        }
        Ok(this.builder.vector(&parts))
    };
    let from = |this: &mut Translation<'_>, words: Words| {
        gathered(this, &mut |this, place| {
            let pointer = this.word(words, place);
            Ok(this.builder.load(U32, pointer))
        })
    };
    let words = match register.file {
        File::Buffer => {
            let first = this.word_number(address)?;
            let (number, count) = this.resource_number(register)?;
            this.each_of(number, count, vector, |this, number| {
                let words = this.buffer_words(number, first, register.range)?;
                from(this, words)
            })?
        }
        File::ConstantBuffer => {
            let first = this.word_number(address)?;
            let (number, count) = this.resource_number(register)?;
            this.each_of(number, count, vector, |this, number| {
                gathered(this, &mut |this, place| {
                    let behind = this.builder.uint(place);
                    let word = this.builder.binary(Op::IAdd, first, behind);
                    this.constant_word(number, word, register.range)
                })
            })?
        }
        File::Memory => {
            let words = this.memory_words(register, address)?;
            from(this, words)?
        }
        File::HardwareAtomic => {
            let words = this.counter(register)?;
            from(this, words)?
        }
        file => return Err(unsupported(register.range, format!("file {file}"))),
    };
    this.store_texel(instruction, words, source.swizzle)
}

pub(crate) fn store(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let Destination { register, mask, .. } = &instruction.destinations[0];
    let address = &instruction.sources[0];
    refuse_handle(register)?;
    let data = this.components(&instruction.sources[1], ValueType::Untyped)?;
    let data = data.map(|value| this.builder.bitcast(value, U32));
    let zero = this.builder.uint(0);
    if register.file == File::Image {
        let kind = this.image_kind(instruction, register)?;
        let place = this.image_place(kind.shape, address)?;
        let (number, count) = this.resource_number(register)?;
        this.each_of(number, count, U32, |this, number| {
            this.write_image(number, kind, place, data, register)?;
            Ok(zero)
        })?;
        return Ok(());
    }
    let to = |this: &mut Translation<'_>, words: Words| {
        for component in mask.components() {
            this.builder.set_channel(component as u32 + 1);
            let pointer = this.word(words, component as u32);
            this.builder.store(pointer, data[component as usize]);
        }
    };
    match register.file {
        File::Buffer => {
            let first = this.word_number(address)?;
            let (number, count) = this.resource_number(register)?;
            this.each_of(number, count, U32, |this, number| {
                let words = this.buffer_words(number, first, register.range)?;
                to(this, words);
                Ok(zero)
            })?;
        }
        File::Memory => {
            let words = this.memory_words(register, address)?;
            to(this, words);
        }
        file => return Err(unsupported(register.range, format!("file {file} as destination"))),
    }
    Ok(())
}

/// The size of a buffer in bytes, or of an image in texels.
pub(crate) fn query(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let register = &instruction.sources[0].register;
    refuse_handle(register)?;
    let zero = this.builder.uint(0);
    match register.file {
        File::Buffer => {
            let (number, count) = this.resource_number(register)?;
            let size = this.each_of(number, count, U32, |this, number| {
                let variable = this.storage_buffer(number, register.range)?;
                let words = this.builder.raw(Op::ArrayLength, U32, &[variable.0, 0]);
                let four = this.builder.uint(4);
                Ok(this.builder.binary(Op::IMul, words, four))
            })?;
            this.store_each(instruction, [size, zero, zero, zero])
        }
        File::Image => {
            let kind = this.image_kind(instruction, register)?;
            let (number, count) = this.resource_number(register)?;
            let vector = Type::Vector(Scalar::U32, 4);
            let sizes = this.each_of(number, count, vector, |this, number| {
                let mut sizes = this.image_size(number, kind, register)?;
                sizes.resize(4, zero);
                Ok(this.builder.vector(&sizes))
            })?;
            this.store_texel(instruction, sizes, Swizzle::IDENTITY)
        }
        file => Err(unsupported(register.range, format!("file {file}"))),
    }
}

/// Orders memory: all kinds, or those that the operand names; fences of the first years name none.
pub(crate) fn barrier(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    const BUFFERS: u64 = 1 | 2;
    const IMAGES: u64 = 4;
    const SHARED: u64 = 8;
    const GROUP: u64 = 16;
    let flags = match instruction.sources.first() {
        Some(source) => this.fetch(source, Component::X, ValueType::Unsigned)?.bits,
        None => None,
    };
    let flags = flags.unwrap_or(BUFFERS | IMAGES | SHARED);
    let mut semantics = scope::ACQUIRE_RELEASE;
    for (flag, memory) in [
        (BUFFERS, scope::UNIFORM_MEMORY),
        (IMAGES, scope::IMAGE_MEMORY),
        (SHARED, scope::WORKGROUP_MEMORY),
    ] {
        if flags & flag != 0 {
            semantics |= memory;
        }
    }
    if semantics == scope::ACQUIRE_RELEASE {
        return Ok(());
    }
    // Vulkan has the memory of a group, and its scope, in compute shaders alone.
    let has_groups = this.stage() == tgsi::Stage::Compute;
    let of_group = flags & GROUP != 0 && has_groups;
    let reach = if of_group { scope::WORKGROUP } else { scope::DEVICE };
    if !has_groups {
        semantics &= !scope::WORKGROUP_MEMORY;
    }
    if semantics == scope::ACQUIRE_RELEASE {
        return Ok(());
    }
    let words = [reach, semantics].map(|word| this.builder.uint(word).id.0);
    this.builder.effect(Op::MemoryBarrier, &words);
    Ok(())
}
