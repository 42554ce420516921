//! One component of the four texels that a filter would blend.

use lower::failure::{invalid, unsupported};
use lower::{Shape, ShapeKind};
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::context::{Emitted, Translation};
use crate::textures::{Loaded, Sampled, Texture, first, first_component, is_filtered, require};
use crate::values::{F32, Scalar, Type, Value};
use crate::words::{Capability, ImageOperands, Op};

/// A gather with its operands read.
struct Gather {
    texture: Texture,
    coordinates: [Value; 4],
    reference: Option<Value>,
    /// The component that is wanted.
    component: Value,
}

/// Tells whether SPIR-V can gather from a shape.
fn can_gather(shape: Shape) -> bool {
    is_filtered(shape) && (shape.axes == 2 || shape.kind == ShapeKind::Cube)
}

pub(crate) fn gather(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let texture = this.texture(instruction, &instruction.sources[2])?;
    require(instruction, can_gather(texture.shape))?;
    let coordinates = this.components(&instruction.sources[0], ValueType::Float)?;
    let reference = match texture.shape.reference {
        None => None,
        Some(place) if place < 4 => Some(coordinates[place]),
        Some(_) => Some(this.float(instruction, 1, Component::X)?),
    };
    let component = match reference {
        Some(_) => this.builder.uint(0),
        None => this.fetch(&instruction.sources[1], Component::X, ValueType::Unsigned)?,
    };
    if component.bits.is_some_and(|bits| bits > 3) {
        let message = "a texel has the components 0 to 3".to_owned();
        return Err(invalid(instruction.sources[1].range, "operand", message));
    }
    this.gathered(instruction, &Gather { texture, coordinates, reference, component })
}

/// The form with a view, whose sampler's swizzle names the component.
pub(crate) fn gather_view(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let [view, unit] = [&instruction.sources[1], &instruction.sources[2]];
    let mut texture = this.view(view, Some(unit))?;
    if !can_gather(texture.shape) {
        let construct = "GATHER4 from a view of this target".to_owned();
        return Err(unsupported(view.range, construct));
    }
    texture.shape.reference = None;
    let coordinates = this.components(&instruction.sources[0], ValueType::Float)?;
    let component = this.builder.uint(first_component(unit) as u32);
    this.gathered(instruction, &Gather { texture, coordinates, reference: None, component })
}

impl Translation<'_> {
    /// Writes the four texels' values. With four offsets each texel is a gather of its own, of
    /// which the one towards the origin counts.
    fn gathered(&mut self, instruction: &Instruction, gather: &Gather) -> Emitted {
        let mut texels = Vec::new();
        if instruction.offsets.is_empty() {
            texels.push(self.gather_at(gather, None)?);
        }
        for offset in &instruction.offsets {
            let shape = gather.texture.shape;
            let operand = match self.constant_offset(offset, shape)? {
                Some(constant) => (ImageOperands::ConstOffset, constant),
                None => {
                    self.builder.require(Capability::ImageGatherExtended);
                    let axes = self.offset_axes(offset, shape)?;
                    let ty = Type::One(Scalar::I32);
                    let axes: Vec<Value> =
                        axes.into_iter().map(|axis| self.builder.bitcast(axis, ty)).collect();
                    (ImageOperands::Offset, self.builder.vector(&axes))
                }
            };
            texels.push(self.gather_at(gather, Some(operand))?);
        }
        let zero = self.builder.whole(gather.texture.texels, 0);
        let values = match texels[..] {
            [one] => [0, 1, 2, 3].map(|place| self.builder.extract(one, place)),
            _ => [0, 1, 2, 3].map(|place: usize| match texels.get(place) {
                Some(texel) => self.builder.extract(*texel, 3),
                None => zero,
            }),
        };
        self.store_each(instruction, values)
    }

    fn gather_at(
        &mut self,
        gather: &Gather,
        offset: Option<(ImageOperands, Value)>,
    ) -> Emitted<Value> {
        let texture = gather.texture;
        let ty = match gather.reference {
            Some(_) => Type::Vector(F32.scalar(), 4),
            None => Type::Vector(texture.texels, 4),
        };
        self.with_texture(texture, ty, Sampled::of(texture.shape), |this, loaded| {
            Ok(match gather.component.bits {
                Some(_) => this.gather_component(gather, loaded, gather.component, offset, ty),
                None => {
                    let zero = this.builder.uint(0);
                    let mut chosen = this.gather_component(gather, loaded, zero, offset, ty);
                    for number in 1..4 {
                        let number = this.builder.uint(number);
                        let other = this.gather_component(gather, loaded, number, offset, ty);
                        let is = this.builder.compare(Op::IEqual, gather.component, number);
                        let is = this.builder.vector(&[is; 4]);
                        chosen = this.builder.select(is, other, chosen);
                    }
                    chosen
                }
            })
        })
    }

    fn gather_component(
        &mut self,
        gather: &Gather,
        loaded: Loaded,
        component: Value,
        offset: Option<(ImageOperands, Value)>,
        ty: Type,
    ) -> Value {
        let shape = gather.texture.shape;
        let mut coordinates = first(gather.coordinates, shape.axes + usize::from(shape.layered));
        self.normalized(loaded, shape, &mut coordinates);
        let coordinates = self.builder.vector(&coordinates);
        let sampled = loaded.sampled.unwrap_or(loaded.image);
        let last = gather.reference.unwrap_or(component);
        let mut words = vec![sampled.0, coordinates.id.0, last.id.0];
        if let Some((kind, offset)) = offset {
            words.extend([kind as u32, offset.id.0]);
        }
        let op = match gather.reference {
            Some(_) => Op::ImageDrefGather,
            None => Op::ImageGather,
        };
        self.builder.raw(op, ty, &words)
    }
}
