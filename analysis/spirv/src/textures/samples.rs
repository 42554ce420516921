//! Filtered texels.

use lower::Shape;
use lower::ShapeKind;
use lower::failure::unsupported;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Swizzle};
use tgsi::coordinates::crowded_out;
use tgsi::opcodes::{Lookup, ValueType};

use crate::context::{Emitted, Translation};
use crate::textures::{Loaded, Sampled, Texture, is_filtered, require};
use crate::values::{F32, Scalar, Type, Value};
use crate::words::{ImageOperands, Op};

/// The ways in which the level of detail is chosen.
#[derive(Debug, Clone)]
enum Detail {
    /// By neighbouring coordinates.
    Implicit,
    /// So much more than by neighbouring coordinates.
    Bias(Value),
    Level(Value),
    /// By derivatives along x and y.
    Derivatives([Vec<Value>; 2]),
}

/// A lookup with its operands read.
#[derive(Debug, Clone)]
struct TextureLookup {
    texture: Texture,
    coordinates: [Value; 4],
    detail: Detail,
    /// The value that texels are compared with.
    reference: Option<Value>,
    /// A constant offset.
    offset: Option<Value>,
}

pub(crate) fn sample(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let Some(unit) = instruction.sources.last() else { return Ok(()) };
    let texture = this.texture(instruction, unit)?;
    let shape = texture.shape;
    require(instruction, is_filtered(shape))?;
    let form = instruction.info().lookup;
    // No component is both.
    let crowded = instruction.target.and_then(|it| crowded_out(form, it.value));
    require(instruction, crowded.is_none())?;
    let mut coordinates = this.components(&instruction.sources[0], ValueType::Float)?;
    // The forms with two sources have it in a source of its own.
    let level = match instruction.sources.len() > 2 && form != Lookup::Derivatives {
        true => this.float(instruction, 1, Component::X)?,
        false => coordinates[3],
    };
    if form == Lookup::Projected {
        for axis in 0..3 {
            coordinates[axis] = this.builder.binary(Op::FDiv, coordinates[axis], coordinates[3]);
        }
    }
    let reference = match shape.reference {
        None => None,
        Some(place) if place < 4 => Some(coordinates[place]),
        Some(_) => {
            // The forms with a bias or level have that in x.
            let both = matches!(form, Lookup::Bias2 | Lookup::Level2);
            let component = if both { Component::Y } else { Component::X };
            Some(this.float(instruction, 1, component)?)
        }
    };
    let detail = this.detail(instruction, shape, level, 1)?;
    let offset = this.sample_offset(instruction, shape)?;
    let lookup = TextureLookup { texture, coordinates, detail, reference, offset };
    this.look_up(instruction, &lookup, Swizzle::IDENTITY)
}

/// The form with a view and a sampler.
pub(crate) fn sample_view(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let [view, unit] = [&instruction.sources[1], &instruction.sources[2]];
    let mut texture = this.view(view, Some(unit))?;
    if !is_filtered(texture.shape) {
        let construct = "filtering of a sampler view of target BUFFER or 2D_MSAA".to_owned();
        return Err(unsupported(view.range, construct));
    }
    let form = instruction.info().lookup;
    let compares = matches!(form, Lookup::Compared | Lookup::ComparedZero);
    if compares && texture.shape.axes == 3 && texture.shape.kind != ShapeKind::Cube {
        let construct = "comparison in a sampler view of target 3D".to_owned();
        return Err(unsupported(view.range, construct));
    }
    // The opcode says whether texels are compared, whatever the view's target.
    texture.shape.reference = compares.then_some(0);
    if compares {
        texture.texels = Scalar::F32;
    }
    let coordinates = this.components(&instruction.sources[0], ValueType::Float)?;
    // The value to compare with, the bias or the level.
    let last = match form {
        Lookup::Implicit | Lookup::Derivatives => this.builder.float(0.0),
        _ => this.float(instruction, 3, Component::X)?,
    };
    let reference = compares.then_some(last);
    let detail = this.detail(instruction, texture.shape, last, 3)?;
    let offset = this.sample_offset(instruction, texture.shape)?;
    let lookup = TextureLookup { texture, coordinates, detail, reference, offset };
    this.look_up(instruction, &lookup, view.swizzle)
}

impl Translation<'_> {
    /// Returns how an instruction chooses the level of detail. `level` is its bias or level;
    /// derivatives begin with the source `first`.
    fn detail(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
        level: Value,
        first: usize,
    ) -> Emitted<Detail> {
        let zero = self.builder.float(0.0);
        let detail = match instruction.info().lookup {
            Lookup::Zero | Lookup::ComparedZero => Detail::Level(zero),
            Lookup::Bias | Lookup::Bias2 => Detail::Bias(level),
            Lookup::Level | Lookup::Level2 => Detail::Level(level),
            Lookup::Derivatives => {
                let along = |this: &mut Self, source: usize| {
                    let values = this.components(&instruction.sources[source], ValueType::Float)?;
                    Ok(super::first(values, shape.axes))
                };
                Detail::Derivatives([along(self, first)?, along(self, first + 1)?])
            }
            _ => Detail::Implicit,
        };
        // Outside of fragments there are no neighbours to take derivatives from: the level is 0,
        // to which the bias is added.
        Ok(match detail {
            Detail::Bias(bias) if self.stage() != Stage::Fragment => Detail::Level(bias),
            Detail::Implicit if self.stage() != Stage::Fragment => Detail::Level(zero),
            detail => detail,
        })
    }

    fn sample_offset(&mut self, instruction: &Instruction, shape: Shape) -> Emitted<Option<Value>> {
        let Some(offset) = instruction.offsets.first() else { return Ok(None) };
        let constant = self.constant_offset(offset, shape)?;
        let refused = || unsupported(offset.range, "a computed texel offset".to_owned());
        constant.map(Some).ok_or_else(refused)
    }

    fn look_up(
        &mut self,
        instruction: &Instruction,
        lookup: &TextureLookup,
        swizzle: Swizzle,
    ) -> Emitted {
        let texture = lookup.texture;
        let ty = match lookup.reference {
            Some(_) => F32,
            None => Type::Vector(texture.texels, 4),
        };
        let sampled = Sampled::of(texture.shape);
        let texel = self.with_texture(texture, ty, sampled, |this, loaded| {
            Ok(this.sampled(lookup, loaded, ty))
        })?;
        let texel = match lookup.reference {
            Some(_) => {
                let opaque = self.builder.float(1.0);
                self.builder.vector(&[texel, texel, texel, opaque])
            }
            None => texel,
        };
        self.store_texel(instruction, texel, swizzle)
    }

    fn sampled(&mut self, lookup: &TextureLookup, loaded: Loaded, ty: Type) -> Value {
        let shape = lookup.texture.shape;
        let used = shape.axes + usize::from(shape.layered);
        let mut coordinates = super::first(lookup.coordinates, used);
        self.normalized(loaded, shape, &mut coordinates);
        let coordinates = self.builder.vector(&coordinates);
        let sampled = loaded.sampled.unwrap_or(loaded.image);
        let mut words = vec![sampled.0, coordinates.id.0];
        words.extend(lookup.reference.map(|reference| reference.id.0));
        let implicit = matches!(lookup.detail, Detail::Implicit | Detail::Bias(_));
        let op = match (implicit, lookup.reference.is_some()) {
            (true, false) => Op::ImageSampleImplicitLod,
            (true, true) => Op::ImageSampleDrefImplicitLod,
            (false, false) => Op::ImageSampleExplicitLod,
            (false, true) => Op::ImageSampleDrefExplicitLod,
        };
        let (mut mask, mut operands) = match &lookup.detail {
            Detail::Implicit => (0, Vec::new()),
            Detail::Bias(bias) => (ImageOperands::Bias as u32, vec![bias.id.0]),
            Detail::Level(level) => (ImageOperands::Lod as u32, vec![level.id.0]),
            Detail::Derivatives(derivatives) => {
                let along = derivatives.clone().map(|mut values| {
                    self.normalized(loaded, shape, &mut values);
                    self.builder.vector(&values).id.0
                });
                (ImageOperands::Grad as u32, along.to_vec())
            }
        };
        if let Some(offset) = lookup.offset {
            mask |= ImageOperands::ConstOffset as u32;
            operands.push(offset.id.0);
        }
        if mask != 0 {
            words.push(mask);
            words.extend(operands);
        }
        self.builder.raw(op, ty, &words)
    }
}
