//! Resources: the buffers, images and other memory that instructions access.

use isa::gcn::Generation;
use tgsi::ast::{Component, Index, Instruction, Register, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::constants::FIRST_CONSTANT_BUFFER;
use crate::context::{Emitted, Lowering};
use crate::coordinates::{Shape, ShapeKind};
use crate::failure::{invalid, unsupported};
use crate::registers::direct_index;
use crate::texture::is_handle;
use crate::values::{DESCRIPTOR4, DESCRIPTOR8, Type, Value};

/// Shader buffers and images stand in their lists from this entry down.
const LAST_ENTRY: u32 = 15;
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

    /// The entry of a buffer or image in its list: `LAST_ENTRY` minus its number, or that of the
    /// first constant buffer plus it.
    pub(crate) fn entry(&mut self, register: &Register) -> Emitted<Value> {
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
    pub(crate) fn image_shape(
        &self,
        instruction: &Instruction,
        register: &Register,
    ) -> Emitted<Shape> {
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

    /// The descriptor of an image, of a bindless one as well.
    pub(crate) fn image_descriptor(&mut self, register: &Register, shape: Shape) -> Emitted<Value> {
        if is_handle(register.file) {
            let handle = self.read(register, Component::X)?;
            let handle = self.builder.bitcast(handle, Type::I32);
            return Ok(match shape.kind {
                ShapeKind::Buffer => self.handle_descriptor(handle, DESCRIPTOR4, 4, 1),
                _ => self.handle_descriptor(handle, DESCRIPTOR8, 2, 0),
            });
        }
        let entry = self.entry(register)?;
        let list = self.list("samplers_and_images");
        if shape.kind != ShapeKind::Buffer {
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
                Ok(Resource::Raw { descriptor: self.buffer(entry), offset })
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
                if shape.kind == ShapeKind::Buffer {
                    return Ok(Resource::Elements { descriptor, index: coordinates[0] });
                }
                let mut resource = self.image_place(shape, coordinates, descriptor, access);
                if let (ShapeKind::Multisample, Resource::Image { place, .. }) =
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
        let descriptor = self.buffer(Value::uint(LAST_ENTRY - number));
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
        let mut place = self.fetch_address(shape, coordinates);
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
