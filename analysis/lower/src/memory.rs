//! Loads and stores, questions about resources, and waits for memory.

use isa::gcn::Generation;
use tgsi::ast::{Component, Destination, Instruction, Swizzle, WriteMask};
use tgsi::opcodes::ValueType;
use tgsi::words::{File, MemoryQualifier};

use crate::context::{Emitted, Lowering};
use crate::failure::unsupported;
use crate::image_call::ImageCall;
use crate::resources::{Access, Resource};
use crate::texture::is_handle;
use crate::values::{Element, Type, VECTOR4, Value};

/// Cache policy bits: past the first level cache; not to be kept.
const GLOBALLY_COHERENT: i32 = 1;
const STREAMING: i32 = 2;

/// The cache policy that an instruction's qualifiers ask for.
fn cache_policy(instruction: &Instruction) -> Value {
    let policy = instruction.qualifiers.iter().fold(0, |policy, qualifier| {
        policy
            | match qualifier.value {
                MemoryQualifier::Coherent | MemoryQualifier::Volatile => GLOBALLY_COHERENT,
                MemoryQualifier::StreamCachePolicy => STREAMING,
                MemoryQualifier::Restrict => 0,
            }
    });
    Value::int(policy)
}

pub(crate) fn load(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [source, address] = [&instruction.sources[0], &instruction.sources[1]];
    let swizzle = match is_handle(source.register.file) {
        true => Swizzle::IDENTITY,
        false => source.swizzle,
    };
    let zero = Value::int(0);
    let policy = cache_policy(instruction);
    let texel = match lowering.resource(instruction, &source.register, address, Access::Read)? {
        Resource::Raw { descriptor, offset } if source.register.file == File::ConstantBuffer => {
            // What does not change while the shader runs can be read as
            // constants are.
            lowering.builder.constant_words(descriptor, offset)
        }
        Resource::Raw { descriptor, offset } => {
            let arguments = [descriptor, offset, zero, policy];
            lowering.builder.call(VECTOR4, "llvm.amdgcn.raw.buffer.load.v4f32", &arguments)
        }
        Resource::Elements { descriptor, index } => {
            let arguments = [descriptor, index, zero, zero, policy];
            let name = "llvm.amdgcn.struct.buffer.load.format.v4f32";
            lowering.builder.call(VECTOR4, name, &arguments)
        }
        Resource::Image { descriptor, place, dimension } => {
            let mut call = ImageCall::new("load", 0xf);
            call.with_typed(&place);
            call.with(&[descriptor, zero, policy]);
            call.finish(lowering, dimension, VECTOR4)
        }
        Resource::Shared { pointer } => lowering.builder.shared_words(pointer),
    };
    lowering.store_swizzled_texel(instruction, texel, swizzle)
}

/// The runs of neighbouring components in a mask: first and length.
fn runs(mask: WriteMask) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for component in mask.components() {
        let place = component as u32;
        match runs.last_mut() {
            Some((first, length)) if *first + *length == place => *length += 1,
            _ => runs.push((place, 1)),
        }
    }
    runs
}

/// A place in a buffer to store to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BufferPlace {
    pub(crate) descriptor: Value,
    /// In bytes, of each lane.
    pub(crate) offset: Value,
    /// So many bytes further on.
    pub(crate) behind: u32,
    /// In bytes, of all lanes.
    pub(crate) from: Value,
}

impl Lowering<'_> {
    /// Stores up to four words side by side. Three at once gfx6 cannot store,
    /// though LLVM would let it.
    pub(crate) fn store_words(&mut self, place: BufferPlace, words: &[Value], policy: Value) {
        let BufferPlace { descriptor, offset, behind, from } = place;
        if words.len() == 3 && self.generation == Generation::Gfx6 {
            self.store_words(place, &words[..2], policy);
            let last = BufferPlace { behind: behind + 8, ..place };
            return self.store_words(last, &words[2..], policy);
        }
        let value = match words {
            [word] => *word,
            _ => self.builder.vector(Element::F32, words),
        };
        let offset = match behind {
            0 => offset,
            behind => self.builder.binary("add", offset, Value::uint(behind)),
        };
        let name = format!("llvm.amdgcn.raw.buffer.store.{}", value.ty.suffix());
        self.builder.call(Type::Void, &name, &[value, descriptor, offset, from, policy]);
    }
}

pub(crate) fn store(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let Destination { register, mask, .. } = &instruction.destinations[0];
    let address = &instruction.sources[0];
    if register.file == File::ConstantBuffer {
        return Err(unsupported(register.range, "file CONSTBUF as destination".to_owned()));
    }
    let resource = lowering.resource(instruction, register, address, Access::Write)?;
    let data = lowering.floats(instruction, 1)?;
    let zero = Value::int(0);
    let mut policy = cache_policy(instruction);
    // As radeonsi of Mesa 19.2 stored to images on gfx6.
    if lowering.generation == Generation::Gfx6 && register.file == File::Image {
        policy = Value::int(GLOBALLY_COHERENT);
    }
    let builder = &mut lowering.builder;
    match resource {
        Resource::Raw { descriptor, offset } => {
            for (first, length) in runs(*mask) {
                let run = &data[first as usize..(first + length) as usize];
                let place = BufferPlace { descriptor, offset, behind: first * 4, from: zero };
                lowering.store_words(place, run, policy);
            }
        }
        Resource::Elements { descriptor, index } => {
            let value = builder.vector(Element::F32, &data);
            let arguments = [value, descriptor, index, zero, zero, policy];
            let name = "llvm.amdgcn.struct.buffer.store.format.v4f32";
            builder.call(Type::Void, name, &arguments);
        }
        Resource::Image { descriptor, place, dimension } => {
            let value = builder.vector(Element::F32, &data);
            let name = format!("llvm.amdgcn.image.store.{dimension}.v4f32.i32");
            let arguments =
                [&[value, Value::int(0xf)], &place[..], &[descriptor, zero, policy]].concat();
            builder.call(Type::Void, &name, &arguments);
        }
        Resource::Shared { pointer } => {
            for component in mask.components() {
                let place = builder.shared_word(pointer, component);
                builder.store(data[component as usize], place);
            }
        }
    }
    Ok(())
}

/// The size of a buffer in bytes, or of an image in texels.
pub(crate) fn query(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let register = instruction.sources[0].register;
    let zero = Value::int(0);
    match register.file {
        File::Buffer => {
            let entry = lowering.entry(&register)?;
            let descriptor = lowering.buffer(entry);
            let size = lowering.builder.extract(descriptor, 2);
            lowering.store_each(instruction, [size, zero, zero, zero])
        }
        file if file == File::Image || is_handle(file) => {
            let shape = lowering.image_shape(instruction, &register)?;
            let descriptor = lowering.image_descriptor(&register, shape)?;
            lowering.query_image(instruction, shape, descriptor, zero)
        }
        file => Err(unsupported(register.range, format!("file {file}"))),
    }
}

/// Waits until memory accesses have been done: those of buffers and images by
/// one counter, those of memory shared in a group by another.
pub(crate) fn barrier(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    const SHARED: u32 = 8;
    const IMAGES_AND_BUFFERS: u32 = 1 | 2 | 4;
    let flags = lowering.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned)?;
    let flags = flags.constant_bits().unwrap_or(SHARED | IMAGES_AND_BUFFERS);
    lowering.wait_for_memory(flags & IMAGES_AND_BUFFERS != 0, flags & SHARED != 0);
    Ok(())
}

impl Lowering<'_> {
    /// Waits for images and buffers, for shared memory, or for both.
    pub(crate) fn wait_for_memory(&mut self, images_and_buffers: bool, shared: bool) {
        // The most that each counter can be waited for: no wait.
        const VECTOR_MEMORY: i32 = 0xf;
        const VECTOR_MEMORY_HIGH: i32 = 0xc000;
        const EXPORTS: i32 = 0x70;
        const LOCAL_AND_SCALAR: i32 = 0xf00;
        let mut counters = EXPORTS;
        if !images_and_buffers {
            counters |= VECTOR_MEMORY;
            if self.generation >= Generation::Gfx9 {
                counters |= VECTOR_MEMORY_HIGH;
            }
        }
        if !shared {
            counters |= LOCAL_AND_SCALAR;
        }
        self.builder.call(Type::Void, "llvm.amdgcn.s.waitcnt", &[Value::int(counters)]);
    }
}
