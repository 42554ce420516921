//! Questions about textures.

use lower::ShapeKind;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Source};
use tgsi::opcodes::ValueType;

use crate::context::{Emitted, Translation};
use crate::stages::only_in;
use crate::textures::{Sampled, Texture, first, is_filtered, require};
use crate::values::{Scalar, Type, U32, Value};
use crate::words::{Capability, Op};

impl Translation<'_> {
    /// Writes the size of a level and the number of levels.
    fn query_size(
        &mut self,
        instruction: &Instruction,
        texture: Texture,
        level: Option<&Source>,
    ) -> Emitted {
        let shape = texture.shape;
        let zero = self.builder.uint(0);
        let has_levels = matches!(shape.kind, ShapeKind::Plain | ShapeKind::Cube);
        let level = match level.filter(|_| has_levels) {
            Some(level) => self.fetch(level, Component::X, ValueType::Unsigned)?,
            None => zero,
        };
        let vector = Type::Vector(Scalar::U32, 4);
        let values = self.with_texture(texture, vector, Sampled::Image, |this, loaded| {
            let mut values = this.level_size(loaded, shape, level);
            values.resize(3, zero);
            values.push(match shape.kind {
                ShapeKind::Buffer => zero,
                ShapeKind::Multisample | ShapeKind::Rectangle => this.builder.uint(1),
                _ => this.builder.raw(Op::ImageQueryLevels, U32, &[loaded.image.0]),
            });
            Ok(this.builder.vector(&values))
        })?;
        self.store_texel(instruction, values, tgsi::ast::Swizzle::IDENTITY)
    }

    /// The number of samples of a texel; one where there are no several.
    fn query_samples(&mut self, texture: Texture) -> Emitted<Value> {
        if texture.shape.kind != ShapeKind::Multisample {
            return Ok(self.builder.uint(1));
        }
        self.builder.require(Capability::ImageQuery);
        self.with_texture(texture, U32, Sampled::Image, |this, loaded| {
            Ok(this.builder.raw(Op::ImageQuerySamples, U32, &[loaded.image.0]))
        })
    }

    /// Writes the level that would be looked at: x as clamped, y as computed.
    fn query_level(&mut self, instruction: &Instruction, texture: Texture) -> Emitted {
        only_in(Stage::Fragment, self.stage(), instruction)?;
        let shape = texture.shape;
        self.builder.require(Capability::ImageQuery);
        let coordinates = self.components(&instruction.sources[0], ValueType::Float)?;
        let ty = Type::Vector(Scalar::F32, 2);
        let sampled = Sampled::of(shape);
        let levels = self.with_texture(texture, ty, sampled, |this, loaded| {
            let mut place = first(coordinates, shape.axes);
            this.normalized(loaded, shape, &mut place);
            let place = this.builder.vector(&place);
            let sampled = loaded.sampled.unwrap_or(loaded.image);
            Ok(this.builder.raw(Op::ImageQueryLod, ty, &[sampled.0, place.id.0]))
        })?;
        let [clamped, computed] = [0, 1].map(|place| self.builder.extract(levels, place));
        let zero = self.builder.float(0.0);
        self.store_each(instruction, [clamped, computed, zero, zero])
    }
}

pub(crate) fn size(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let texture = this.texture(instruction, &instruction.sources[1])?;
    this.query_size(instruction, texture, Some(&instruction.sources[0]))
}

/// The historic form without a level.
pub(crate) fn size_of_first(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let texture = this.texture(instruction, &instruction.sources[0])?;
    this.query_size(instruction, texture, None)
}

pub(crate) fn view_size(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let texture = this.view(&instruction.sources[1], None)?;
    this.query_size(instruction, texture, Some(&instruction.sources[0]))
}

pub(crate) fn samples(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let texture = this.texture(instruction, &instruction.sources[0])?;
    let samples = this.query_samples(texture)?;
    this.store_all(instruction, samples)
}

/// The form with a view: the number is in x alone.
pub(crate) fn view_samples(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let texture = this.view(&instruction.sources[0], None)?;
    let samples = this.query_samples(texture)?;
    let zero = this.builder.uint(0);
    this.store_each(instruction, [samples, zero, zero, zero])
}

pub(crate) fn level(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let texture = this.texture(instruction, &instruction.sources[1])?;
    require(instruction, is_filtered(texture.shape))?;
    this.query_level(instruction, texture)
}

pub(crate) fn view_level(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let [view, unit] = [&instruction.sources[1], &instruction.sources[2]];
    let texture = this.view(view, Some(unit))?;
    require(instruction, is_filtered(texture.shape))?;
    this.query_level(instruction, texture)
}
