//! One component of the four texels that a filter would blend.
//!
//! The component is part of the machine instruction, so one that is computed
//! is chosen from all four results; offsets are one for all texels, so with
//! four of them each texel has an instruction of its own. Up to gfx8 the
//! hardware rounds places for integer formats differently, which radeonsi put
//! right by moving them half a texel, or for cubes of 8-bit integers by
//! reading the texels as floats.

use isa::gcn::Generation;
use tgsi::ast::{Component, Instruction, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::ReturnType;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::coordinates::{Shape, ShapeKind};
use crate::failure::unsupported;
use crate::image_call::ImageCall;
use crate::texture::{is_filtered, require, trailing_flags};
use crate::values::{Element, Type, VECTOR4, Value};

/// In the second image word: the data format, and the one of four bytes.
const DATA_FORMAT: (i32, i32) = (20, 0x3f);
const FORMAT_8_8_8_8: i32 = 10;
/// In the second image word: how numbers are read, and two of the ways.
const NUMBER_FORMAT: (i32, i32) = (26, 0xf);
const UNSIGNED_SCALED: i32 = 2;
const SIGNED_SCALED: i32 = 3;

/// A gather, ready but for its offset and component.
struct Gather {
    shape: Shape,
    image: Value,
    sampler: Value,
    /// The hardware's coordinates.
    place: Vec<Value>,
    reference: Option<Value>,
    /// Cubes of bytes that are read as floats: where that is so, and whether
    /// the integers are signed.
    scaled: Option<(Value, bool)>,
}

/// The component of a texel that is wanted.
#[derive(Clone, Copy)]
enum Chosen {
    Fixed(u32),
    Computed(Value),
}

/// Tells whether the hardware can gather from a shape.
fn can_gather(shape: Shape) -> bool {
    is_filtered(shape) && (shape.axes == 2 || shape.kind == ShapeKind::Cube)
}

pub(crate) fn gather(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let shape = lowering.shape(instruction)?;
    require(instruction, can_gather(shape))?;
    let unit = &instruction.sources[2];
    let [image, sampler] = lowering.image_with_sampler(unit, unit)?;
    let coordinates = lowering.floats(instruction, 0)?;
    let reference = lowering.reference(instruction, shape, &coordinates, sampler)?;
    let chosen = match reference {
        Some(_) => Chosen::Fixed(0),
        None => {
            let chosen =
                lowering.fetch(&instruction.sources[1], Component::X, ValueType::Unsigned)?;
            chosen.constant_bits().map_or(Chosen::Computed(chosen), Chosen::Fixed)
        }
    };
    if let Chosen::Fixed(4..) = chosen {
        let message = "a texel has the components 0 to 3".to_owned();
        return Err(crate::failure::invalid(instruction.sources[1].range, "operand", message));
    }
    let place = lowering.sample_coordinates(shape, coordinates, None).coordinates;
    let gather = Gather { shape, image, sampler, place, reference, scaled: None };
    let texels = lowering.gathered(instruction, gather, unit, chosen)?;
    lowering.store_each(instruction, texels)
}

/// The form with a view, whose sampler's swizzle names the component.
pub(crate) fn gather_view(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [view, unit] = [&instruction.sources[1], &instruction.sources[2]];
    let shape = lowering.view_shape(view)?;
    if !can_gather(shape) {
        return Err(unsupported(view.range, "GATHER4 from a view of this target".to_owned()));
    }
    let [image, sampler] = lowering.image_with_sampler(view, unit)?;
    let coordinates = lowering.floats(instruction, 0)?;
    let place = lowering.sample_coordinates(shape, coordinates, None).coordinates;
    let gather = Gather { shape, image, sampler, place, reference: None, scaled: None };
    let chosen = Chosen::Fixed(unit.swizzle.0[0] as u32);
    let texels = lowering.gathered(instruction, gather, view, chosen)?;
    lowering.store_each(instruction, texels)
}

impl Lowering<'_> {
    /// The four texels' values, however many instructions that takes.
    fn gathered(
        &mut self,
        instruction: &Instruction,
        mut gather: Gather,
        unit: &Source,
        chosen: Chosen,
    ) -> Emitted<[Value; 4]> {
        if self.generation <= Generation::Gfx8
            && gather.reference.is_none()
            && let Some(returned) = self.integers_returned(unit)
        {
            self.correct_integers(&mut gather, returned == ReturnType::Sint);
        }
        let offsets = (0..instruction.offsets.len().max(1))
            .map(|number| self.packed_offset(instruction, number))
            .collect::<Emitted<Vec<_>>>()?;
        let texels = offsets
            .into_iter()
            .map(|offset| self.gather_chosen(&gather, offset, chosen))
            .collect::<Vec<_>>();
        Ok(match texels[..] {
            [one] => [0, 1, 2, 3].map(|index| self.builder.extract(one, index)),
            // Each offset's own texel is the one towards the origin.
            _ => [0, 1, 2, 3].map(|index| match texels.get(index) {
                Some(texel) => self.builder.extract(*texel, 3),
                None => Value::float(0.0),
            }),
        })
    }

    fn gather_chosen(&mut self, gather: &Gather, offset: Option<Value>, chosen: Chosen) -> Value {
        match chosen {
            Chosen::Fixed(component) => self.gather_component(gather, offset, component),
            Chosen::Computed(wanted) => {
                let first = self.gather_component(gather, offset, 0);
                (1..4).fold(first, |texels, component| {
                    let others = self.gather_component(gather, offset, component);
                    let is = self.builder.compare("icmp eq", wanted, Value::uint(component));
                    self.builder.select(is, others, texels)
                })
            }
        }
    }

    fn gather_component(
        &mut self,
        gather: &Gather,
        offset: Option<Value>,
        component: u32,
    ) -> Value {
        let mut call = ImageCall::new("gather4", 1 << component);
        if gather.reference.is_some() {
            call.modifier("c");
        }
        call.modifier("lz");
        if let Some(offset) = offset {
            call.modifier("o");
            call.with(&[offset]);
        }
        if let Some(reference) = gather.reference {
            call.with(&[reference]);
        }
        call.with_typed(&gather.place);
        call.with(&[gather.image, gather.sampler]);
        call.with(&trailing_flags(gather.shape));
        let texels = call.finish(self, gather.shape.dimension(self.generation), VECTOR4);
        match gather.scaled {
            Some((scaled, signed)) => back_to_integers(&mut self.builder, texels, scaled, signed),
            None => texels,
        }
    }

    /// Sees to it that the right integers are gathered up to gfx8.
    fn correct_integers(&mut self, gather: &mut Gather, signed: bool) {
        let moves = match gather.shape.kind {
            ShapeKind::Rectangle => [Value::float(-0.5); 2],
            _ => self.half_texels(gather.shape, gather.image),
        };
        let builder = &mut self.builder;
        let moved = [0, 1].map(|axis| builder.binary("fadd", gather.place[axis], moves[axis]));
        if gather.shape.kind != ShapeKind::Cube {
            gather.place[..2].copy_from_slice(&moved);
            return;
        }
        // A place that is moved could leave its face; bytes, of which the
        // faces of most cubes are made, are exact as floats.
        let word = builder.extract(gather.image, 1);
        let format = builder.binary("lshr", word, Value::int(DATA_FORMAT.0));
        let format = builder.binary("and", format, Value::int(DATA_FORMAT.1));
        let bytes = builder.compare("icmp eq", format, Value::int(FORMAT_8_8_8_8));
        let (first, mask) = NUMBER_FORMAT;
        let rest = builder.binary("and", word, Value::int(!(mask << first)));
        let number = if signed { SIGNED_SCALED } else { UNSIGNED_SCALED };
        let scaled = builder.binary("or", rest, Value::int(number << first));
        let word = builder.select(bytes, scaled, word);
        gather.image = builder.insert(gather.image, word, 1);
        for (axis, moved) in moved.into_iter().enumerate() {
            gather.place[axis] = builder.select(bytes, gather.place[axis], moved);
        }
        gather.scaled = Some((bytes, signed));
    }

    /// Minus half a texel of the largest level along x and y.
    fn half_texels(&mut self, shape: Shape, image: Value) -> [Value; 2] {
        let zero = Value::int(0);
        let mut call = ImageCall::new("getresinfo", 0xf);
        call.with_typed(&[zero]);
        call.with(&[image, zero, zero]);
        let sizes = call.finish(self, shape.dimension(self.generation), VECTOR4);
        let builder = &mut self.builder;
        [0, 1].map(|axis| {
            let size = builder.extract(sizes, axis);
            let size = builder.bitcast(size, Type::I32);
            let size = builder.convert("uitofp", size, Type::F32);
            let one = builder.overloaded("llvm.amdgcn.rcp", &[size]);
            builder.binary("fmul", one, Value::float(-0.5))
        })
    }
}

/// The integers that were read as floats.
fn back_to_integers(builder: &mut Builder, texels: Value, scaled: Value, signed: bool) -> Value {
    let integers = Type::Vector(4, Element::I32);
    let convert = if signed { "fptosi" } else { "fptoui" };
    let converted = builder.convert(convert, texels, integers);
    // Bits that were no such float convert to no particular value.
    let converted = builder.freeze(converted);
    let converted = builder.bitcast(converted, VECTOR4);
    builder.select(scaled, converted, texels)
}
