//! Buffers and images: loads, stores, atomics.

use tgsi::ast::{Component, Destination, Instruction, Register, Source, Swizzle, WriteMask};
use tgsi::opcodes::ValueType;
use tgsi::words::{File, MemoryQualifier};

use crate::context::{Emitted, Lowering};
use crate::coordinates::{Kind, Shape};
use crate::dispatch::{Emitter, Table};
use crate::image_call::ImageCall;
use crate::registers::direct_index;
use crate::values::{DESCRIPTOR4, DESCRIPTOR8, Element, Type, VECTOR4, Value};
use crate::{Generation, invalid, unsupported};

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    ("LOAD", Emitter::Instruction(load)),
    ("STORE", Emitter::Instruction(store)),
    ("RESQ", Emitter::Instruction(query)),
    ("MEMBAR", Emitter::Instruction(barrier)),
    ("ATOMUADD", Emitter::Instruction(|l, i| atomic(l, i, "add"))),
    ("ATOMXCHG", Emitter::Instruction(|l, i| atomic(l, i, "swap"))),
    ("ATOMCAS", Emitter::Instruction(|l, i| atomic(l, i, "cmpswap"))),
    ("ATOMAND", Emitter::Instruction(|l, i| atomic(l, i, "and"))),
    ("ATOMOR", Emitter::Instruction(|l, i| atomic(l, i, "or"))),
    ("ATOMXOR", Emitter::Instruction(|l, i| atomic(l, i, "xor"))),
    ("ATOMUMIN", Emitter::Instruction(|l, i| atomic(l, i, "umin"))),
    ("ATOMUMAX", Emitter::Instruction(|l, i| atomic(l, i, "umax"))),
    ("ATOMIMIN", Emitter::Instruction(|l, i| atomic(l, i, "smin"))),
    ("ATOMIMAX", Emitter::Instruction(|l, i| atomic(l, i, "smax"))),
    ("ATOMINC_WRAP", Emitter::Instruction(|l, i| atomic(l, i, "inc"))),
    ("ATOMDEC_WRAP", Emitter::Instruction(|l, i| atomic(l, i, "dec"))),
];

/// Shader buffers and images stand in their lists from this entry down.
const LAST_ENTRY: u32 = 15;
/// Constant buffers stand from this entry up.
const FIRST_CONSTANT_BUFFER: u32 = 16;
/// Cache policy bits: past the first level cache; not to be kept.
const GLOBALLY_COHERENT: i32 = 1;
const STREAMING: i32 = 2;
/// In the seventh image word from gfx8 on: the image is compressed, which
/// shader stores would not keep.
const COMPRESSION: i32 = 1 << 21;
/// In the sixth image word: the first layer.
const BASE_LAYER: i32 = 0x1fff;

/// What a memory instruction works on.
enum Resource {
    /// A buffer and an offset in bytes.
    Raw { descriptor: Value, offset: Value },
    /// A buffer image and the number of an element.
    Elements { descriptor: Value, index: Value },
    /// An image and the hardware's coordinates.
    Image { descriptor: Value, place: Vec<Value>, dimension: &'static str },
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
            let index = u32::try_from(register.index.offset).ok()?;
            Some(self.declared.images.get(&index)?.target.value)
        };
        let target = instruction.target.map(|target| target.value).or_else(declared);
        target.and_then(Shape::of).filter(|shape| shape.kind != Kind::Multisample).ok_or_else(
            || {
                let word = target.map_or("no".to_owned(), |target| target.to_string());
                unsupported(register.range, format!("image of target {word}"))
            },
        )
    }

    fn image_descriptor(&mut self, register: &Register, shape: Shape) -> Emitted<Value> {
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
    fn resource(
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
            File::Image => {
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
                Ok(self.image_place(shape, coordinates, descriptor, access))
            }
            file => Err(unsupported(register.range, format!("file {file}"))),
        }
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

/// Whether a resource is read only or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
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
    if source.swizzle != Swizzle::IDENTITY {
        return Err(unsupported(source.range, "swizzle on a resource".to_owned()));
    }
    let zero = Value::int(0);
    let policy = cache_policy(instruction);
    let texel = match lowering.resource(instruction, &source.register, address, Access::Read)? {
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
    };
    lowering.store_texel(instruction, texel)
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
                let value = match length {
                    1 => data[first as usize],
                    _ => {
                        let run = &data[first as usize..(first + length) as usize];
                        builder.vector(Element::F32, run)
                    }
                };
                let offset = match first {
                    0 => offset,
                    _ => builder.binary("add", offset, Value::uint(first * 4)),
                };
                let name = format!("llvm.amdgcn.raw.buffer.store.{}", value.ty.suffix());
                builder.call(Type::Void, &name, &[value, descriptor, offset, zero, policy]);
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
    }
    Ok(())
}

/// Combines memory with a value; the result is what was there before.
fn atomic(lowering: &mut Lowering<'_>, instruction: &Instruction, operation: &str) -> Emitted {
    let register = instruction.sources[0].register;
    let address = &instruction.sources[1];
    if register.file == File::ConstantBuffer {
        return Err(unsupported(register.range, "atomics on CONSTBUF".to_owned()));
    }
    let resource = lowering.resource(instruction, &register, address, Access::Write)?;
    let mut data = Vec::new();
    // The new value comes before the one compared with.
    for source in instruction.sources[2..].iter().rev() {
        data.push(lowering.fetch(source, Component::X, ValueType::Unsigned)?);
    }
    let zero = Value::int(0);
    let builder = &mut lowering.builder;
    let before = match resource {
        Resource::Raw { descriptor, offset } => {
            let arguments = [&data[..], &[descriptor, offset, zero, zero]].concat();
            let name = format!("llvm.amdgcn.raw.buffer.atomic.{operation}.i32");
            builder.call(Type::I32, &name, &arguments)
        }
        Resource::Elements { descriptor, index } => {
            let arguments = [&data[..], &[descriptor, index, zero, zero, zero]].concat();
            let name = format!("llvm.amdgcn.struct.buffer.atomic.{operation}.i32");
            builder.call(Type::I32, &name, &arguments)
        }
        Resource::Image { descriptor, place, dimension } => {
            let arguments = [&data[..], &place[..], &[descriptor, zero, zero]].concat();
            let name = format!("llvm.amdgcn.image.atomic.{operation}.{dimension}.i32.i32");
            builder.call(Type::I32, &name, &arguments)
        }
    };
    lowering.store_all(instruction, before)
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
        File::Image => {
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
    // The most that each counter can be waited for: no wait.
    const VECTOR_MEMORY: i32 = 0xf;
    const VECTOR_MEMORY_HIGH: i32 = 0xc000;
    const EXPORTS: i32 = 0x70;
    const LOCAL_AND_SCALAR: i32 = 0xf00;
    let flags = lowering.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned)?;
    let flags = flags.constant_bits().unwrap_or(SHARED | IMAGES_AND_BUFFERS);
    let mut counters = EXPORTS;
    if flags & IMAGES_AND_BUFFERS == 0 {
        counters |= VECTOR_MEMORY;
        if lowering.generation >= Generation::Gfx9 {
            counters |= VECTOR_MEMORY_HIGH;
        }
    }
    if flags & SHARED == 0 {
        counters |= LOCAL_AND_SCALAR;
    }
    lowering.builder.call(Type::Void, "llvm.amdgcn.s.waitcnt", &[Value::int(counters)]);
    Ok(())
}
