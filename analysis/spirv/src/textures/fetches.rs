//! Single texels.

use lower::{Shape, ShapeKind};
use tgsi::ast::{Component, Instruction, Swizzle};
use tgsi::opcodes::{Lookup, ValueType};

use crate::context::{Emitted, Translation};
use crate::textures::{Sampled, Texture, first, require};
use crate::values::{Type, U32, Value};
use crate::words::{ImageOperands, Op};

impl Translation<'_> {
    /// The coordinates of a texel, offsets added.
    fn texel_coordinates(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
    ) -> Emitted<[Value; 4]> {
        let mut values = self.components(&instruction.sources[0], ValueType::Signed)?;
        if let Some(offset) = instruction.offsets.first() {
            for (axis, amount) in self.offset_axes(offset, shape)?.into_iter().enumerate() {
                let amount = self.builder.bitcast(amount, U32);
                values[axis] = self.builder.binary(Op::IAdd, values[axis], amount);
            }
        }
        Ok(values)
    }

    fn texel(
        &mut self,
        texture: Texture,
        coordinates: [Value; 4],
        level: Value,
        sample: Value,
    ) -> Emitted<Value> {
        let shape = texture.shape;
        let ty = Type::Vector(texture.texels, 4);
        let zero = self.builder.uint(0);
        self.with_texture(texture, ty, Sampled::Image, |this, loaded| {
            let place = first(coordinates, shape.axes + usize::from(shape.layered));
            let place = this.builder.vector(&place);
            let mut words = vec![loaded.image.0, place.id.0];
            match shape.kind {
                ShapeKind::Buffer => {}
                ShapeKind::Multisample => {
                    words.extend([ImageOperands::Sample as u32, sample.id.0]);
                }
                ShapeKind::Rectangle => words.extend([ImageOperands::Lod as u32, zero.id.0]),
                ShapeKind::Plain | ShapeKind::Cube => {
                    words.extend([ImageOperands::Lod as u32, level.id.0]);
                }
            }
            Ok(this.builder.raw(Op::ImageFetch, ty, &words))
        })
    }
}

pub(crate) fn fetch(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let mut texture = this.texture(instruction, &instruction.sources[1])?;
    // SPIR-V reads no texels of cubes.
    require(instruction, texture.shape.kind != ShapeKind::Cube)?;
    // Texels are not compared here.
    texture.shape.reference = None;
    let coordinates = this.texel_coordinates(instruction, texture.shape)?;
    let level = match instruction.info().lookup {
        Lookup::FetchZero => this.builder.uint(0),
        _ => coordinates[3],
    };
    let texel = this.texel(texture, coordinates, level, coordinates[3])?;
    this.store_texel(instruction, texel, Swizzle::IDENTITY)
}

/// The form with a view: the level in w, samples in a source of their own, which older texts do not
/// have.
pub(crate) fn fetch_view(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let view = &instruction.sources[1];
    let mut texture = this.view(view, None)?;
    require(instruction, texture.shape.kind != ShapeKind::Cube)?;
    texture.shape.reference = None;
    let coordinates = this.texel_coordinates(instruction, texture.shape)?;
    let sample = match instruction.sources.get(2) {
        Some(source) => this.fetch(source, Component::X, ValueType::Unsigned)?,
        None => this.builder.uint(0),
    };
    let texel = this.texel(texture, coordinates, coordinates[3], sample)?;
    this.store_texel(instruction, texel, view.swizzle)
}
