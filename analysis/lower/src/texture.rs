//! Filtered texture access.

use isa::gcn::Generation;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Source, Swizzle};
use tgsi::coordinates::crowded_out;
use tgsi::opcodes::{Lookup, ValueType};
use tgsi::words::File;

use crate::context::{Emitted, Lowering};
use crate::coordinates::{Shape, ShapeKind};
use crate::failure::{invalid, unsupported};
use crate::image_call::ImageCall;
use crate::registers::direct_index;
use crate::values::{DESCRIPTOR4, DESCRIPTOR8, Type, VECTOR4, Value};

/// The ways in which the level of detail is chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detail {
    /// By neighbouring coordinates.
    Implicit,
    Zero,
    /// So much more than by neighbouring coordinates.
    Bias(Value),
    Level(Value),
    /// By derivatives along x and y.
    Derivatives([[Value; 3]; 2]),
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
        if !matches!(register.file, File::Sampler | File::SamplerView | File::Resource) {
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
        let per_unit: u32 = if ty == DESCRIPTOR8 { 2 } else { 4 };
        if is_handle(source.register.file) {
            let handle = self.fetch(source, Component::X, ValueType::Unsigned)?;
            return Ok(self.handle_descriptor(handle, ty, per_unit, part));
        }
        let unit = self.sampler_unit(source)?;
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

    /// A part of what a bindless handle names: its low word is the number of
    /// an entry in a list like that of the sampler units.
    pub(crate) fn handle_descriptor(
        &mut self,
        handle: Value,
        ty: Type,
        per_unit: u32,
        part: u32,
    ) -> Value {
        let builder = &mut self.builder;
        let first = builder.binary("mul", handle, Value::uint(per_unit));
        let index = builder.binary("add", first, Value::uint(part));
        let list = self.list("bindless");
        self.builder.descriptor(list, ty, index)
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
        self.components(&instruction.sources[source], ValueType::Float)
    }

    /// All four components of a source.
    pub(crate) fn components(&mut self, source: &Source, ty: ValueType) -> Emitted<[Value; 4]> {
        let mut values = [Value::int(0); 4];
        for component in Component::ALL {
            values[component as usize] = self.fetch(source, component, ty)?;
        }
        Ok(values)
    }

    /// A texel offset, 6 bits to the axis, if there is one of this number. Only
    /// gathers read more than the first; drivers read no others elsewhere.
    pub(crate) fn packed_offset(
        &mut self,
        instruction: &Instruction,
        number: usize,
    ) -> Emitted<Option<Value>> {
        let Some(offset) = instruction.offsets.get(number) else { return Ok(None) };
        let mut packed = None;
        for (axis, component) in offset.swizzle.into_iter().enumerate() {
            let value = self.read(&offset.register, component)?;
            let value = self.builder.bitcast(value, Type::I32);
            let value = self.builder.binary("and", value, Value::int(0x3f));
            let value = self.builder.binary("shl", value, Value::int(axis as i32 * 8));
            packed = Some(self.builder.joined("or", packed, value));
        }
        Ok(packed)
    }

    /// The value that a shadow target compares with.
    pub(crate) fn reference(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
        coordinates: &[Value; 4],
        sampler: Value,
    ) -> Emitted<Option<Value>> {
        let Some(place) = shape.reference else { return Ok(None) };
        let value = match coordinates.get(place) {
            Some(value) => *value,
            None => {
                // The forms with a bias or level have that in x.
                let form = instruction.info().lookup;
                let component = match matches!(form, Lookup::Bias2 | Lookup::Level2) {
                    true => Component::Y,
                    false => Component::X,
                };
                self.float(instruction, 1, component)?
            }
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

    /// Writes the components of a texel in the order of a resource's swizzle.
    pub(crate) fn store_swizzled_texel(
        &mut self,
        instruction: &Instruction,
        texel: Value,
        swizzle: Swizzle,
    ) -> Emitted {
        let mut values = [Value::float(0.0); 4];
        for component in instruction.destinations[0].mask.components() {
            let read = swizzle.0[component as usize];
            values[component as usize] = self.builder.extract(texel, read as u32);
        }
        self.store_each(instruction, values)
    }
}

/// Tells whether a resource operand of a file is a register with a bindless handle, rather than
/// the resource itself.
pub(crate) fn is_handle(file: File) -> bool {
    matches!(
        file,
        File::Temporary
            | File::Constant
            | File::Input
            | File::Output
            | File::Immediate
            | File::SystemValue
    )
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

/// Tells whether textures of a shape can be filtered.
pub(crate) fn is_filtered(shape: Shape) -> bool {
    !matches!(shape.kind, ShapeKind::Buffer | ShapeKind::Multisample)
}

/// Flags after the descriptors: unnormalised coordinates, nothing partly
/// resident, default caching.
pub(crate) fn trailing_flags(shape: Shape) -> [Value; 3] {
    [Value::condition(shape.kind == ShapeKind::Rectangle), Value::int(0), Value::int(0)]
}

/// A texture lookup, with its operands read.
pub(crate) struct TextureLookup {
    pub(crate) shape: Shape,
    pub(crate) detail: Detail,
    pub(crate) image: Value,
    pub(crate) sampler: Value,
    pub(crate) coordinates: [Value; 4],
    /// The value that texels are compared with.
    pub(crate) reference: Option<Value>,
    /// The component of the texel that each of the results is.
    pub(crate) swizzle: Swizzle,
}

impl Lowering<'_> {
    /// Returns how an instruction chooses the level of detail. `level` is its bias or level;
    /// derivatives begin with the source `first`.
    pub(crate) fn detail(
        &mut self,
        instruction: &Instruction,
        level: Value,
        first: usize,
    ) -> Emitted<Detail> {
        Ok(match instruction.info().lookup {
            Lookup::Zero | Lookup::ComparedZero => Detail::Zero,
            Lookup::Bias | Lookup::Bias2 => Detail::Bias(level),
            Lookup::Level | Lookup::Level2 => Detail::Level(level),
            Lookup::Derivatives => {
                let [x0, y0, z0, _] = self.floats(instruction, first)?;
                let [x1, y1, z1, _] = self.floats(instruction, first + 1)?;
                Detail::Derivatives([[x0, y0, z0], [x1, y1, z1]])
            }
            _ => Detail::Implicit,
        })
    }

    /// Looks up a texel and writes it.
    pub(crate) fn look_up(&mut self, instruction: &Instruction, lookup: TextureLookup) -> Emitted {
        let TextureLookup { shape, image, sampler, .. } = lookup;
        // Outside of fragments there are no neighbours to take derivatives
        // from: the level is 0, to which the bias is added.
        let detail = match lookup.detail {
            Detail::Bias(bias) if self.stage() != Stage::Fragment => Detail::Level(bias),
            Detail::Implicit if self.stage() != Stage::Fragment => Detail::Zero,
            detail => detail,
        };
        let derivatives = match detail {
            Detail::Derivatives(derivatives) => Some(derivatives),
            _ => None,
        };
        let offset = self.packed_offset(instruction, 0)?;
        let place = self.sample_coordinates(shape, lookup.coordinates, derivatives);
        let mut call = ImageCall::new("sample", 0xf);
        if lookup.reference.is_some() {
            call.modifier("c");
        }
        match detail {
            Detail::Implicit => {}
            Detail::Zero => call.modifier("lz"),
            Detail::Bias(_) => call.modifier("b"),
            Detail::Level(_) => call.modifier("l"),
            Detail::Derivatives(_) => call.modifier("d"),
        }
        if let Some(offset) = offset {
            call.modifier("o");
            call.with(&[offset]);
        }
        if let Detail::Bias(bias) = detail {
            call.with_typed(&[bias]);
        }
        if let Some(reference) = lookup.reference {
            call.with(&[reference]);
        }
        call.with_typed(&place.derivatives);
        call.with_typed(&place.coordinates);
        if let Detail::Level(level) = detail {
            call.with(&[level]);
        }
        call.with(&[image, sampler]);
        call.with(&trailing_flags(shape));
        let texel = call.finish(self, shape.dimension(self.generation), VECTOR4);
        self.store_swizzled_texel(instruction, texel, lookup.swizzle)
    }
}

pub(crate) fn sample(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let shape = lowering.shape(instruction)?;
    require(instruction, is_filtered(shape))?;
    let form = instruction.info().lookup;
    // No component is both.
    let crowded = instruction.target.and_then(|it| crowded_out(form, it.value));
    require(instruction, crowded.is_none())?;
    let Some(unit) = instruction.sources.last() else { return Ok(()) };
    let [image, sampler] = lowering.image_with_sampler(unit, unit)?;
    let mut coordinates = lowering.floats(instruction, 0)?;
    // What the two-source forms have in a source of its own.
    let level = match instruction.sources.len() > 2 && form != Lookup::Derivatives {
        true => lowering.float(instruction, 1, Component::X)?,
        false => coordinates[3],
    };
    if form == Lookup::Projected {
        for axis in 0..3 {
            let builder = &mut lowering.builder;
            coordinates[axis] =
                crate::alu_float::divide(builder, &[coordinates[axis], coordinates[3]]);
        }
    }
    let reference = lowering.reference(instruction, shape, &coordinates, sampler)?;
    let detail = lowering.detail(instruction, level, 1)?;
    let swizzle = Swizzle::IDENTITY;
    let lookup = TextureLookup { shape, detail, image, sampler, coordinates, reference, swizzle };
    lowering.look_up(instruction, lookup)
}
