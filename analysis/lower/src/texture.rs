//! Filtered texture access.

use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::context::{Emitted, Lowering};
use crate::coordinates::{Kind, Shape};
use crate::dispatch::{Emitter, Table};
use crate::image_call::ImageCall;
use crate::registers::direct_index;
use crate::values::{DESCRIPTOR4, DESCRIPTOR8, Type, VECTOR4, Value};
use crate::{Generation, invalid, unsupported};

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    ("TEX", Emitter::Instruction(|l, i| sample(l, i, Detail::Implicit))),
    ("TEX2", Emitter::Instruction(|l, i| sample(l, i, Detail::Implicit))),
    ("TXP", Emitter::Instruction(|l, i| sample(l, i, Detail::Projected))),
    ("TXB", Emitter::Instruction(|l, i| sample(l, i, Detail::Bias))),
    ("TXB2", Emitter::Instruction(|l, i| sample(l, i, Detail::Bias))),
    ("TXL", Emitter::Instruction(|l, i| sample(l, i, Detail::Level))),
    ("TXL2", Emitter::Instruction(|l, i| sample(l, i, Detail::Level))),
    ("TEX_LZ", Emitter::Instruction(|l, i| sample(l, i, Detail::LevelZero))),
    ("TXD", Emitter::Instruction(|l, i| sample(l, i, Detail::Derivatives))),
    ("TG4", Emitter::Instruction(gather)),
];

/// How an opcode chooses the level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Implicit,
    /// As implicit, after dividing the coordinates by the fourth.
    Projected,
    Bias,
    Level,
    LevelZero,
    Derivatives,
}

/// Number of the first sampler's entry in its list, in entries of 64 bytes.
const FIRST_SAMPLER: u32 = 8;
/// Bit 29 of the fourth sampler word: the texture's depth is a float in place
/// of the fixed point format that the application asked for.
const UPGRADED_DEPTH: i32 = 29;

impl Lowering<'_> {
    /// The shape of an instruction's texture.
    pub(crate) fn shape(&self, instruction: &Instruction) -> Emitted<Shape> {
        let opcode = instruction.opcode.value;
        let Some(target) = instruction.target else {
            let message = format!("{opcode:?} needs a texture target");
            return Err(invalid(instruction.opcode.range, "texture target", message));
        };
        Shape::of(target.value).ok_or_else(|| {
            unsupported(target.range, format!("{opcode:?} of target {}", target.value))
        })
    }

    /// The number of a sampler unit.
    fn sampler_unit(&mut self, source: &Source) -> Emitted<Value> {
        let register = &source.register;
        if !matches!(register.file, File::Sampler | File::SamplerView) {
            let construct = format!("{} as sampler", register.file);
            return Err(unsupported(register.range, construct));
        }
        if register.index.indirect.is_none() {
            return Ok(Value::uint(direct_index(register)?));
        }
        let index = self.index_value(register, &register.index)?;
        let last = self.declared.last(register.file);
        Ok(self.bounded(index, last.saturating_add(1)))
    }

    /// An entry of a sampler unit: `width` words wide, the `part`-th of them.
    pub(crate) fn unit_descriptor(
        &mut self,
        source: &Source,
        ty: Type,
        part: u32,
    ) -> Emitted<Value> {
        let unit = self.sampler_unit(source)?;
        let per_unit: u32 = if ty == DESCRIPTOR8 { 2 } else { 4 };
        let offset = FIRST_SAMPLER * per_unit + part;
        let index = match unit.constant_bits() {
            Some(unit) => {
                let index = unit.checked_mul(per_unit).and_then(|unit| unit.checked_add(offset));
                index.map(Value::uint).ok_or_else(|| {
                    let message = format!("there is no sampler {unit}");
                    invalid(source.range, "register SAMP", message)
                })?
            }
            None => {
                let first = self.builder.binary("mul", unit, Value::uint(per_unit));
                self.builder.binary("add", first, Value::uint(offset))
            }
        };
        let list = self.list("samplers_and_images");
        Ok(self.builder.descriptor(list, ty, index))
    }

    /// The image and the sampler of a unit.
    pub(crate) fn image_and_sampler(&mut self, unit: &Source) -> Emitted<[Value; 2]> {
        self.image_with_sampler(unit, unit)
    }

    /// The image of a view's unit and the sampler of another.
    pub(crate) fn image_with_sampler(
        &mut self,
        view: &Source,
        sampler: &Source,
    ) -> Emitted<[Value; 2]> {
        let image = self.unit_descriptor(view, DESCRIPTOR8, 0)?;
        let mut sampler = self.unit_descriptor(sampler, DESCRIPTOR4, 3)?;
        if self.generation <= Generation::Gfx7 {
            // Anisotropic filtering of a single level goes wrong there; the
            // driver keeps a mask for it in the image's last word.
            let builder = &mut self.builder;
            let mask = builder.extract(image, 7);
            let word = builder.extract(sampler, 0);
            let word = builder.binary("and", word, mask);
            sampler = builder.insert(sampler, word, 0);
        }
        Ok([image, sampler])
    }

    /// All four components of a source as floats.
    pub(crate) fn floats(
        &mut self,
        instruction: &Instruction,
        source: usize,
    ) -> Emitted<[Value; 4]> {
        let mut values = [Value::float(0.0); 4];
        for component in Component::ALL {
            values[component as usize] = self.float(instruction, source, component)?;
        }
        Ok(values)
    }

    /// The texel offset, 6 bits to the axis, if there is one.
    pub(crate) fn packed_offset(&mut self, instruction: &Instruction) -> Emitted<Option<Value>> {
        let Some(offset) = instruction.offsets.first() else { return Ok(None) };
        if let Some(second) = instruction.offsets.get(1) {
            return Err(unsupported(second.range, "several texel offsets".to_owned()));
        }
        let mut packed = None;
        for (axis, component) in offset.swizzle.into_iter().enumerate() {
            let value = self.read(&offset.register, component)?;
            let value = self.builder.bitcast(value, Type::I32);
            let value = self.builder.binary("and", value, Value::int(0x3f));
            let value = self.builder.binary("shl", value, Value::int(axis as i32 * 8));
            packed = Some(match packed {
                Some(others) => self.builder.binary("or", others, value),
                None => value,
            });
        }
        Ok(packed)
    }

    /// The value that a shadow target compares with.
    fn reference(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
        coordinates: &[Value; 4],
        sampler: Value,
    ) -> Emitted<Option<Value>> {
        let Some(place) = shape.reference else { return Ok(None) };
        let value = match coordinates.get(place) {
            Some(value) => *value,
            None => self.float(instruction, 1, Component::X)?,
        };
        Ok(Some(self.compared(value, sampler)))
    }

    /// A value to compare with, clamped where fixed point depth is stored as
    /// floats: it would have been clamped by the format.
    pub(crate) fn compared(&mut self, value: Value, sampler: Value) -> Value {
        if self.generation <= Generation::Gfx7 {
            return value;
        }
        let clamped = self.saturated(value);
        let builder = &mut self.builder;
        let word = builder.extract(sampler, 3);
        let bit = builder.binary("and", word, Value::int(1 << UPGRADED_DEPTH));
        let upgraded = builder.compare("icmp ne", bit, Value::int(0));
        builder.select(upgraded, clamped, value)
    }

    /// Writes the components of a texel.
    pub(crate) fn store_texel(&mut self, instruction: &Instruction, texel: Value) -> Emitted {
        let mut values = [Value::float(0.0); 4];
        for component in instruction.destinations[0].mask.components() {
            values[component as usize] = self.builder.extract(texel, component as u32);
        }
        self.store_each(instruction, values)
    }
}

/// Fails unless an opcode can be applied to the instruction's target.
pub(crate) fn require(instruction: &Instruction, possible: bool) -> Emitted {
    if possible {
        return Ok(());
    }
    let target = instruction.target.map_or(String::new(), |word| word.value.to_string());
    let construct = format!("{:?} of target {target}", instruction.opcode.value);
    Err(unsupported(instruction.opcode.range, construct))
}

/// Whether textures of a shape can be filtered.
pub(crate) fn is_filtered(shape: Shape) -> bool {
    !matches!(shape.kind, Kind::Buffer | Kind::Multisample)
}

/// Flags after the descriptors: unnormalised coordinates, nothing partly
/// resident, default caching.
pub(crate) fn trailing_flags(shape: Shape) -> [Value; 3] {
    [Value::condition(shape.kind == Kind::Rectangle), Value::int(0), Value::int(0)]
}

/// What a lookup needs to know.
pub(crate) struct Lookup {
    pub(crate) shape: Shape,
    pub(crate) detail: Detail,
    pub(crate) image: Value,
    pub(crate) sampler: Value,
    pub(crate) coordinates: [Value; 4],
    /// The bias or the level.
    pub(crate) level: Value,
    /// What texels are compared with.
    pub(crate) reference: Option<Value>,
    pub(crate) derivatives: Option<[[Value; 3]; 2]>,
}

impl Lowering<'_> {
    /// Fails where the level of detail needs neighbours and there are none.
    pub(crate) fn require_neighbours(&self, instruction: &Instruction, detail: Detail) -> Emitted {
        if detail != Detail::Bias || self.stage == Stage::Fragment {
            return Ok(());
        }
        let construct = format!("{:?} in {}", instruction.opcode.value, self.stage);
        Err(unsupported(instruction.opcode.range, construct))
    }

    /// Two sources as derivatives along x and y.
    pub(crate) fn derivatives(
        &mut self,
        instruction: &Instruction,
        first: usize,
    ) -> Emitted<[[Value; 3]; 2]> {
        let mut vectors = [[Value::float(0.0); 3]; 2];
        for (axis, vector) in vectors.iter_mut().enumerate() {
            let values = self.floats(instruction, first + axis)?;
            vector.copy_from_slice(&values[..3]);
        }
        Ok(vectors)
    }

    /// Looks up a texel and writes it.
    pub(crate) fn look_up(&mut self, instruction: &Instruction, lookup: Lookup) -> Emitted {
        let Lookup { shape, detail, image, sampler, .. } = lookup;
        let offset = self.packed_offset(instruction)?;
        let place = self.sample_place(shape, lookup.coordinates, lookup.derivatives);
        let mut call = ImageCall::new("sample", 0xf);
        if lookup.reference.is_some() {
            call.modifier("c");
        }
        match detail {
            Detail::Bias => call.modifier("b"),
            Detail::Level => call.modifier("l"),
            Detail::Derivatives => call.modifier("d"),
            Detail::LevelZero => call.modifier("lz"),
            // There is no neighbour to take derivatives from.
            Detail::Implicit | Detail::Projected if self.stage != Stage::Fragment => {
                call.modifier("lz");
            }
            Detail::Implicit | Detail::Projected => {}
        }
        if let Some(offset) = offset {
            call.modifier("o");
            call.with(&[offset]);
        }
        if detail == Detail::Bias {
            call.with_typed(&[lookup.level]);
        }
        if let Some(reference) = lookup.reference {
            call.with(&[reference]);
        }
        if detail == Detail::Derivatives {
            call.with_typed(&place.derivatives);
        }
        call.with_typed(&place.coordinates);
        if detail == Detail::Level {
            call.with(&[lookup.level]);
        }
        call.with(&[image, sampler]);
        call.with(&trailing_flags(shape));
        let texel = call.finish(self, shape.dimension(self.generation), VECTOR4);
        self.store_texel(instruction, texel)
    }
}

fn sample(lowering: &mut Lowering<'_>, instruction: &Instruction, detail: Detail) -> Emitted {
    let shape = lowering.shape(instruction)?;
    require(instruction, is_filtered(shape))?;
    // The value to compare with has a source of its own in this form only.
    let has_reference = shape.reference != Some(4) || instruction.opcode.value.mnemonic() == "TEX2";
    require(instruction, has_reference)?;
    lowering.require_neighbours(instruction, detail)?;
    let Some(unit) = instruction.sources.last() else { return Ok(()) };
    let [image, sampler] = lowering.image_and_sampler(unit)?;
    let mut coordinates = lowering.floats(instruction, 0)?;
    // What the two-source forms have in a source of its own.
    let level = match instruction.sources.len() > 2 && detail != Detail::Derivatives {
        true => lowering.float(instruction, 1, Component::X)?,
        false => coordinates[3],
    };
    if detail == Detail::Projected {
        for axis in 0..3 {
            let builder = &mut lowering.builder;
            coordinates[axis] =
                crate::alu_float::divide(builder, coordinates[axis], coordinates[3]);
        }
    }
    let reference = lowering.reference(instruction, shape, &coordinates, sampler)?;
    let derivatives = match detail {
        Detail::Derivatives => Some(lowering.derivatives(instruction, 1)?),
        _ => None,
    };
    let lookup =
        Lookup { shape, detail, image, sampler, coordinates, level, reference, derivatives };
    lowering.look_up(instruction, lookup)
}

/// One component of the four texels around a place.
fn gather(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let shape = lowering.shape(instruction)?;
    require(instruction, is_filtered(shape) && (shape.axes == 2 || shape.kind == Kind::Cube))?;
    let unit = &instruction.sources[2];
    if lowering.generation <= Generation::Gfx8
        && shape.reference.is_none()
        && lowering.returns_integers(unit)
    {
        let construct = "TG4 of an integer texture".to_owned();
        return Err(unsupported(instruction.opcode.range, construct));
    }
    let [image, sampler] = lowering.image_and_sampler(unit)?;
    let coordinates = lowering.floats(instruction, 0)?;
    let mask = match shape.reference {
        Some(_) => 1,
        None => {
            let chosen =
                lowering.fetch(&instruction.sources[1], Component::X, ValueType::Unsigned)?;
            let Some(chosen) = chosen.constant_bits().filter(|chosen| *chosen < 4) else {
                let construct = "TG4 of a computed component".to_owned();
                return Err(unsupported(instruction.sources[1].range, construct));
            };
            1 << chosen
        }
    };
    let offset = lowering.packed_offset(instruction)?;
    let reference = lowering.reference(instruction, shape, &coordinates, sampler)?;
    let place = lowering.sample_place(shape, coordinates, None);
    let mut call = ImageCall::new("gather4", mask);
    if reference.is_some() {
        call.modifier("c");
    }
    call.modifier("lz");
    if let Some(offset) = offset {
        call.modifier("o");
        call.with(&[offset]);
    }
    if let Some(reference) = reference {
        call.with(&[reference]);
    }
    call.with_typed(&place.coordinates);
    call.with(&[image, sampler]);
    call.with(&trailing_flags(shape));
    let dimension = shape.dimension(lowering.generation);
    let texels = call.finish(lowering, dimension, VECTOR4);
    lowering.store_texel(instruction, texels)
}
