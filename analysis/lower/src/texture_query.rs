//! Access to single texels, and questions about textures.

use isa::gcn::Generation;
use tgsi::ast::{Component, Instruction, Source, Swizzle};
use tgsi::opcodes::{Lookup, ValueType};
use tgsi::words::ReturnType;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::coordinates::{Shape, ShapeKind};
use crate::image_call::ImageCall;
use crate::texture::{is_filtered, is_handle, require, trailing_flags};
use crate::values::{DESCRIPTOR4, DESCRIPTOR8, Element, Type, VECTOR4, Value};

/// Faces of a cube.
const FACES: i32 = 6;

impl Lowering<'_> {
    /// Returns the type of a unit's sampler view if it is declared with integers.
    pub(crate) fn integers_returned(&self, source: &Source) -> Option<ReturnType> {
        if is_handle(source.register.file) {
            return None;
        }
        let unit = u32::try_from(source.register.index.offset).unwrap_or(0);
        let returned = self.declared.sampler_views.get(&unit)?.returns[0];
        matches!(returned, ReturnType::Sint | ReturnType::Uint).then_some(returned)
    }

    /// The coordinates of a texel, offsets added.
    fn texel_coordinates(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
    ) -> Emitted<[Value; 4]> {
        let mut values = self.components(&instruction.sources[0], ValueType::Signed)?;
        if let Some(offset) = instruction.offsets.first() {
            for (axis, component) in offset.swizzle.into_iter().enumerate().take(shape.axes) {
                let amount = self.read(&offset.register, component)?;
                let amount = self.builder.bitcast(amount, Type::I32);
                values[axis] = self.builder.binary("add", values[axis], amount);
            }
        }
        Ok(values)
    }

    /// Writes the size of an image's level, or of a buffer image, and the
    /// number of levels.
    pub(crate) fn query_image(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
        image: Value,
        level: Value,
    ) -> Emitted {
        let zero = Value::int(0);
        let generation = self.generation;
        if shape.kind == ShapeKind::Buffer {
            let size = buffer_elements(&mut self.builder, image, generation);
            return self.store_each(instruction, [size, zero, zero, zero]);
        }
        let mut call = ImageCall::new("getresinfo", 0xf);
        call.with_typed(&[level]);
        call.with(&[image, zero, zero]);
        let sizes = call.finish(self, shape.dimension(generation), VECTOR4);
        let builder = &mut self.builder;
        let mut values = [0, 1, 2, 3].map(|index| {
            let size = builder.extract(sizes, index);
            builder.bitcast(size, Type::I32)
        });
        if shape.layered && shape.axes == 1 && generation >= Generation::Gfx9 {
            values = [values[0], values[2], zero, values[3]];
        }
        if shape.layered && shape.kind == ShapeKind::Cube {
            values[2] = builder.binary("sdiv", values[2], Value::int(FACES));
        }
        self.store_each(instruction, values)
    }

    /// The number under which a sample is really stored: compressed
    /// multisample textures have a table of them, four bits to the sample.
    fn stored_sample(
        &mut self,
        unit: &Source,
        shape: Shape,
        place: &[Value],
        sample: Value,
    ) -> Emitted<Value> {
        let table = self.unit_descriptor(unit, DESCRIPTOR8, 1)?;
        let mut call = ImageCall::new("load", 0xf);
        call.with_typed(place);
        call.with(&[table, Value::int(0), Value::int(0)]);
        let dimension = if shape.layered { "2darray" } else { "2d" };
        let entry = call.finish(self, dimension, VECTOR4);
        let builder = &mut self.builder;
        let entry = builder.extract(entry, 0);
        let entry = builder.bitcast(entry, Type::I32);
        let shift = builder.binary("shl", sample, Value::int(2));
        let shift = builder.binary("and", shift, Value::int(31));
        let stored = builder.binary("lshr", entry, shift);
        let stored = builder.binary("and", stored, Value::int(7));
        let word = builder.extract(table, 1);
        let compressed = builder.compare("icmp ne", word, Value::int(0));
        Ok(builder.select(compressed, stored, sample))
    }
}

pub(crate) fn fetch(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let shape = lowering.shape(instruction)?;
    let unit = &instruction.sources[1];
    let coordinates = lowering.texel_coordinates(instruction, shape)?;
    let sample = coordinates[3];
    let has_level = instruction.info().lookup != Lookup::FetchZero;
    let level = has_level.then_some(sample);
    let texel = lowering.texel(shape, unit, coordinates, level, sample)?;
    lowering.store_swizzled_texel(instruction, texel, Swizzle::IDENTITY)
}

/// The form with a view: the level in w, samples in a source of their own,
/// which older texts do not have.
pub(crate) fn fetch_view(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let view = &instruction.sources[1];
    let shape = lowering.view_shape(view)?;
    let coordinates = lowering.texel_coordinates(instruction, shape)?;
    let sample = match instruction.sources.get(2) {
        Some(source) => lowering.fetch(source, Component::X, ValueType::Unsigned)?,
        None => Value::int(0),
    };
    let texel = lowering.texel(shape, view, coordinates, Some(coordinates[3]), sample)?;
    lowering.store_swizzled_texel(instruction, texel, view.swizzle)
}

impl Lowering<'_> {
    /// One texel; without a level that of the largest.
    fn texel(
        &mut self,
        shape: Shape,
        unit: &Source,
        coordinates: [Value; 4],
        level: Option<Value>,
        sample: Value,
    ) -> Emitted<Value> {
        if shape.kind == ShapeKind::Buffer {
            let descriptor = self.unit_descriptor(unit, DESCRIPTOR4, 1)?;
            let zero = Value::int(0);
            let arguments = [descriptor, coordinates[0], zero, zero, zero];
            let name = "llvm.amdgcn.struct.buffer.load.format.v4f32";
            return Ok(self.builder.call(VECTOR4, name, &arguments));
        }
        let image = self.unit_descriptor(unit, DESCRIPTOR8, 0)?;
        let mut place = self.fetch_address(shape, coordinates);
        let level = level.filter(|_| matches!(shape.kind, ShapeKind::Plain | ShapeKind::Cube));
        if shape.kind == ShapeKind::Multisample {
            let sample = self.stored_sample(unit, shape, &place, sample)?;
            place.push(sample);
        }
        let mut call = ImageCall::new(if level.is_some() { "load.mip" } else { "load" }, 0xf);
        place.extend(level);
        call.with_typed(&place);
        call.with(&[image, Value::int(0), Value::int(0)]);
        Ok(call.finish(self, shape.dimension(self.generation), VECTOR4))
    }

    /// Writes the size of a unit's level.
    fn query_unit(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
        unit: &Source,
        level: Option<&Source>,
    ) -> Emitted {
        if shape.kind == ShapeKind::Buffer {
            let descriptor = self.unit_descriptor(unit, DESCRIPTOR4, 1)?;
            return self.query_image(instruction, shape, descriptor, Value::int(0));
        }
        let level = match (shape.kind, level) {
            (ShapeKind::Rectangle | ShapeKind::Multisample, _) | (_, None) => Value::int(0),
            (_, Some(level)) => self.fetch(level, Component::X, ValueType::Signed)?,
        };
        let image = self.unit_descriptor(unit, DESCRIPTOR8, 0)?;
        self.query_image(instruction, shape, image, level)
    }
}

/// Returns the number of elements of a buffer texture, from word 2 of its descriptor; gfx8
/// counts bytes there.
fn buffer_elements(builder: &mut Builder, descriptor: Value, generation: Generation) -> Value {
    let size = builder.extract(descriptor, 2);
    if generation != Generation::Gfx8 {
        return size;
    }
    let word = builder.extract(descriptor, 1);
    let stride = builder.binary("lshr", word, Value::int(16));
    let stride = builder.binary("and", stride, Value::int(0x3fff));
    let empty = builder.compare("icmp eq", stride, Value::int(0));
    let stride = builder.select(empty, Value::int(1), stride);
    builder.binary("udiv", size, stride)
}

pub(crate) fn query_size(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let shape = lowering.shape(instruction)?;
    let [level, unit] = [&instruction.sources[0], &instruction.sources[1]];
    lowering.query_unit(instruction, shape, unit, Some(level))
}

/// The historic form without a level.
pub(crate) fn query_size_of_first(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Emitted {
    let shape = lowering.shape(instruction)?;
    lowering.query_unit(instruction, shape, &instruction.sources[0], None)
}

pub(crate) fn query_view(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [level, view] = [&instruction.sources[0], &instruction.sources[1]];
    let shape = lowering.view_shape(view)?;
    lowering.query_unit(instruction, shape, view, Some(level))
}

pub(crate) fn query_samples(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let samples = samples(lowering, instruction)?;
    lowering.store_all(instruction, samples)
}

/// The form with a view: the number is in x alone.
pub(crate) fn query_view_samples(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Emitted {
    let samples = samples(lowering, instruction)?;
    let zero = Value::int(0);
    lowering.store_each(instruction, [samples, zero, zero, zero])
}

/// Writes the place of a sample in its pixel. The driver keeps a list for the render target,
/// which is looked at for textures, too.
pub(crate) fn query_sample_position(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Emitted {
    let sample = lowering.fetch(&instruction.sources[1], Component::X, ValueType::Signed)?;
    let [x, y] = lowering.sample_position(sample);
    let zero = Value::float(0.0);
    lowering.store_each(instruction, [x, y, zero, zero])
}

/// Returns the number of samples that the texels of the first source have.
fn samples(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted<Value> {
    let image = lowering.unit_descriptor(&instruction.sources[0], DESCRIPTOR8, 0)?;
    let builder = &mut lowering.builder;
    let word = builder.extract(image, 3);
    let exponent = builder.binary("lshr", word, Value::int(16));
    let exponent = builder.binary("and", exponent, Value::int(15));
    Ok(builder.binary("shl", Value::int(1), exponent))
}

pub(crate) fn query_level(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let shape = lowering.shape(instruction)?;
    require(instruction, is_filtered(shape))?;
    let unit = &instruction.sources[1];
    let descriptors = lowering.image_with_sampler(unit, unit)?;
    lowering.query_level(instruction, shape, descriptors)
}

pub(crate) fn query_view_level(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [view, unit] = [&instruction.sources[1], &instruction.sources[2]];
    let shape = lowering.filtered_view_shape(view)?;
    let descriptors = lowering.image_with_sampler(view, unit)?;
    lowering.query_level(instruction, shape, descriptors)
}

impl Lowering<'_> {
    /// Writes the level that would be looked at: x as clamped, y as computed.
    fn query_level(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
        descriptors: [Value; 2],
    ) -> Emitted {
        let coordinates = self.floats(instruction, 0)?;
        // Which layer or face it is makes no difference.
        let single = Shape { layered: false, ..shape };
        let mut place = self.sample_coordinates(single, coordinates, None).coordinates;
        let flat = match shape.kind {
            ShapeKind::Cube => Shape { kind: ShapeKind::Plain, axes: 2, ..single },
            _ => single,
        };
        if shape.kind == ShapeKind::Cube {
            place.truncate(2);
        }
        let mut call = ImageCall::new("getlod", 3);
        call.with_typed(&place);
        call.with(&descriptors);
        call.with(&trailing_flags(shape));
        let dimension = flat.dimension(self.generation);
        let levels = call.finish(self, dimension, Type::Vector(2, Element::F32));
        let [clamped, computed] = [0, 1].map(|index| self.builder.extract(levels, index));
        let zero = Value::float(0.0);
        self.store_each(instruction, [clamped, computed, zero, zero])
    }
}
