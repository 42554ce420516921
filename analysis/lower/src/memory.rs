//! Buffers and images: where an access goes, loads and stores.

use tgsi::Opcode;
use tgsi::ast::{Component, Destination, Index, Instruction, Register, Source, Swizzle, WriteMask};
use tgsi::opcodes::ValueType;
use tgsi::words::{File, MemoryQualifier};

use crate::context::{Emitted, Lowering};
use crate::coordinates::{Kind, Shape};
use crate::dispatch::{Emitter, Table};
use crate::image_call::ImageCall;
use crate::registers::direct_index;
use crate::texture::is_handle;
use crate::values::{DESCRIPTOR4, DESCRIPTOR8, Element, Type, VECTOR4, Value};
use crate::{Generation, invalid, unsupported};

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    (Opcode::LOAD, Emitter::Instruction(load)),
    (Opcode::STORE, Emitter::Instruction(store)),
    (Opcode::RESQ, Emitter::Instruction(query)),
    (Opcode::MEMBAR, Emitter::Instruction(barrier)),
];

/// Shader buffers and images stand in their lists from this entry down.
const LAST_ENTRY: u32 = 15;
/// Constant buffers stand from this entry up.
pub(crate) const FIRST_CONSTANT_BUFFER: u32 = 16;
/// Cache policy bits: past the first level cache; not to be kept.
const GLOBALLY_COHERENT: i32 = 1;
const STREAMING: i32 = 2;
/// In the seventh image word from gfx8 on: the image is compressed, which
/// shader stores would not keep.
const COMPRESSION: i32 = 1 << 21;
/// In the sixth image word: the first layer.
const BASE_LAYER: i32 = 0x1fff;

/// The memory that an instruction accesses, and the place in it.
pub(crate) enum Resource {
    /// A buffer and an offset in bytes.
    Raw { descriptor: Value, offset: Value },
    /// A buffer image and the number of an element.
    Elements { descriptor: Value, index: Value },
    /// An image and the hardware's coordinates.
    Image { descriptor: Value, place: Vec<Value>, dimension: &'static str },
    /// Memory that the lanes of a group share, or of the lane's own, at an address.
    Shared { pointer: Value },
}

impl Lowering<'_> {
    /// The number of a buffer or image, bounded if it is computed.
    fn resource_index(&mut self, register: &Register) -> Emitted<Value> {
        if register.dimension.is_some() {
            let construct = format!("two-dimensional {}", register.file);
            return Err(unsupported(register.range, construct));
        }
        if register.index.indirect.is_some() {
            let index = self.index_value(register, &register.index)?;
            let last = self.declared.last(register.file).min(LAST_ENTRY);
            return Ok(self.bounded(index, last + 1));
        }
        let index = direct_index(register)?;
        if index > LAST_ENTRY {
            let message = format!("there is no {}[{index}]", register.file);
            return Err(invalid(register.range, &format!("register {}", register.file), message));
        }
        Ok(Value::uint(index))
    }

    /// `LAST_ENTRY` minus an index, or an index plus the first constant buffer.
    fn entry(&mut self, register: &Register) -> Emitted<Value> {
        let index = self.resource_index(register)?;
        let upwards = register.file == File::ConstantBuffer;
        Ok(match (index.constant_bits(), upwards) {
            (Some(index), true) => Value::uint(FIRST_CONSTANT_BUFFER + index),
            (Some(index), false) => Value::uint(LAST_ENTRY - index),
            (None, true) => self.builder.binary("add", index, Value::uint(FIRST_CONSTANT_BUFFER)),
            (None, false) => self.builder.binary("sub", Value::uint(LAST_ENTRY), index),
        })
    }

    /// The shape of the image that an instruction names or a register declares.
    fn image_shape(&self, instruction: &Instruction, register: &Register) -> Emitted<Shape> {
        let declared = || {
            if is_handle(register.file) {
                return None;
            }
            let index = u32::try_from(register.index.offset).ok()?;
            Some(self.declared.images.get(&index)?.target.value)
        };
        let target = instruction.target.map(|target| target.value).or_else(declared);
        target.and_then(Shape::of).ok_or_else(|| {
            let word = target.map_or("no".to_owned(), |target| target.to_string());
            unsupported(register.range, format!("image of target {word}"))
        })
    }

    fn image_descriptor(&mut self, register: &Register, shape: Shape) -> Emitted<Value> {
        if is_handle(register.file) {
            let handle = self.read(register, Component::X)?;
            let handle = self.builder.bitcast(handle, Type::I32);
            return Ok(match shape.kind {
                Kind::Buffer => self.handle_descriptor(handle, DESCRIPTOR4, 4, 1),
                _ => self.handle_descriptor(handle, DESCRIPTOR8, 2, 0),
            });
        }
        let entry = self.entry(register)?;
        let list = self.list("samplers_and_images");
        if shape.kind != Kind::Buffer {
            return Ok(self.builder.descriptor(list, DESCRIPTOR8, entry));
        }
        // Buffer images have the upper half of their entry.
        let half = self.builder.binary("shl", entry, Value::int(1));
        let half = self.builder.binary("or", half, Value::int(1));
        Ok(self.builder.descriptor(list, DESCRIPTOR4, half))
    }

    /// The resource and the place in it.
    pub(crate) fn resource(
        &mut self,
        instruction: &Instruction,
        register: &Register,
        address: &Source,
        access: Access,
    ) -> Emitted<Resource> {
        match register.file {
            File::Buffer | File::ConstantBuffer => {
                let offset = self.fetch(address, Component::X, ValueType::Unsigned)?;
                let entry = self.entry(register)?;
                let list = self.list("const_and_shader_buffers");
                let descriptor = self.builder.descriptor(list, DESCRIPTOR4, entry);
                Ok(Resource::Raw { descriptor, offset })
            }
            file if file == File::Image || is_handle(file) => {
                let shape = self.image_shape(instruction, register)?;
                let mut coordinates = [Value::int(0); 4];
                let used = (shape.axes + usize::from(shape.layered)).min(3);
                for component in &Component::ALL[..used] {
                    coordinates[*component as usize] =
                        self.fetch(address, *component, ValueType::Signed)?;
                }
                let descriptor = self.image_descriptor(register, shape)?;
                if shape.kind == Kind::Buffer {
                    return Ok(Resource::Elements { descriptor, index: coordinates[0] });
                }
                let mut resource = self.image_place(shape, coordinates, descriptor, access);
                if let (Kind::Multisample, Resource::Image { place, .. }) =
                    (shape.kind, &mut resource)
                {
                    place.push(self.fetch(address, Component::W, ValueType::Signed)?);
                }
                Ok(resource)
            }
            File::HardwareAtomic => self.counter(register),
            File::Memory => self.memory_place(register, address, access),
            file => Err(unsupported(register.range, format!("file {file}"))),
        }
    }

    /// A hardware counter. GCN keeps none for shaders, so they are words of
    /// shader buffers behind those that the shader declares, one for each
    /// buffer of counters; the register names the word, and the address that
    /// the instruction repeats is not looked at.
    fn counter(&mut self, register: &Register) -> Emitted<Resource> {
        let buffer = register.dimension.unwrap_or(Index { offset: 0, indirect: None });
        if buffer.indirect.is_some() {
            let construct = "computed number of a buffer of counters".to_owned();
            return Err(unsupported(register.range, construct));
        }
        let number = u32::try_from(buffer.offset).ok();
        let number = number.and_then(|number| number.checked_add(self.declared.buffers));
        let Some(number) = number.filter(|number| *number <= LAST_ENTRY) else {
            let message = format!("there is no buffer {} of counters", buffer.offset);
            return Err(invalid(register.range, "register HWATOMIC", message));
        };
        let index = self.index_value(register, &register.index)?;
        let offset = match index.constant_bits() {
            Some(index) => Value::uint(index.wrapping_mul(4)),
            None => {
                let last = self.declared.counters.get(&(buffer.offset as u32)).copied();
                let index = self.bounded(index, last.unwrap_or(0).saturating_add(1));
                self.builder.binary("mul", index, Value::int(4))
            }
        };
        let list = self.list("const_and_shader_buffers");
        let entry = Value::uint(LAST_ENTRY - number);
        let descriptor = self.builder.descriptor(list, DESCRIPTOR4, entry);
        Ok(Resource::Raw { descriptor, offset })
    }

    /// The hardware's coordinates in an image. Cubes are arrays of faces, and
    /// what is bound as one may be part of another: gfx9 wants the layer of a
    /// slice of a volume, older ones address volumes as arrays.
    fn image_place(
        &mut self,
        shape: Shape,
        coordinates: [Value; 4],
        descriptor: Value,
        access: Access,
    ) -> Resource {
        let generation = self.generation;
        let mut place = self.texel_place(shape, coordinates);
        let mut dimension = shape.dimension(generation);
        let builder = &mut self.builder;
        match (dimension, shape.axes) {
            ("cube", _) => dimension = "2darray",
            ("3d", _) if generation <= Generation::Gfx8 => dimension = "2darray",
            ("2d", 2) if generation >= Generation::Gfx9 => {
                let word = builder.extract(descriptor, 5);
                place.push(builder.binary("and", word, Value::int(BASE_LAYER)));
                dimension = "3d";
            }
            _ => {}
        }
        let mut descriptor = descriptor;
        if access == Access::Write && generation >= Generation::Gfx8 {
            let word = builder.extract(descriptor, 6);
            let word = builder.binary("and", word, Value::int(!COMPRESSION));
            descriptor = builder.insert(descriptor, word, 6);
        }
        Resource::Image { descriptor, place, dimension }
    }
}

/// The kinds of access: reads, and all that changes memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

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

fn load(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
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

fn store(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let Destination { register, mask, .. } = &instruction.destinations[0];
    let address = &instruction.sources[0];
    if register.file == File::ConstantBuffer {
        return Err(unsupported(register.range, "file CONSTBUF as destination".to_owned()));
    }
    let resource = lowering.resource(instruction, register, address, Access::Write)?;
    let data = lowering.floats(instruction, 1)?;
    let zero = Value::int(0);
    let mut policy = cache_policy(instruction);
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
fn query(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let register = instruction.sources[0].register;
    let zero = Value::int(0);
    match register.file {
        File::Buffer => {
            let entry = lowering.entry(&register)?;
            let list = lowering.list("const_and_shader_buffers");
            let descriptor = lowering.builder.descriptor(list, DESCRIPTOR4, entry);
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
fn barrier(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    const SHARED: u32 = 8;
    const IMAGES_AND_BUFFERS: u32 = 1 | 2 | 4;
    let flags = lowering.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned)?;
    let flags = flags.constant_bits().unwrap_or(SHARED | IMAGES_AND_BUFFERS);
    lowering.wait_for_memory(flags & IMAGES_AND_BUFFERS != 0, flags & SHARED != 0)
}

impl Lowering<'_> {
    /// Waits for images and buffers, for shared memory, or for both.
    pub(crate) fn wait_for_memory(&mut self, images_and_buffers: bool, shared: bool) -> Emitted {
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
        Ok(())
    }
}
