//! Textures: their variables, and what all instructions of them share.

pub(crate) mod fetches;
pub(crate) mod gathers;
pub(crate) mod queries;
pub(crate) mod samples;

use lower::failure::{invalid, unsupported};
use lower::{Shape, ShapeKind};
use source::TextRange;
use tgsi::ast::{Component, Instruction, Source, TextureOffset};
use tgsi::words::{File, ReturnType};

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::layout::{Binding, DescriptorType, FIRST_BUFFER, FIRST_SAMPLER};
use crate::resources::{refuse_handle, within};
use crate::values::{F32, Scalar, Type, U32, Value};
use crate::words::{Capability, Dim, ImageFormat, Op};

/// A texture that an instruction looks at: its shape, the numbers of its texels, and where the
/// numbers of its view and of its sampler come from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texture {
    pub(crate) shape: Shape,
    pub(crate) texels: Scalar,
    pub(crate) range: TextRange,
    view: Unit,
    sampler: Unit,
}

/// The number of a view or sampler.
#[derive(Debug, Clone, Copy)]
struct Unit {
    number: Value,
    /// The numbers that a computed one may be.
    count: u32,
}

/// A texture as it is loaded for one instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loaded {
    /// The image and its sampler together.
    pub(crate) sampled: Option<Id>,
    pub(crate) image: Id,
}

impl Translation<'_> {
    /// The texture of a `TEX` instruction, whose last source names view and sampler alike.
    pub(crate) fn texture(&mut self, instruction: &Instruction, unit: &Source) -> Emitted<Texture> {
        let opcode = instruction.opcode.value;
        let Some(target) = instruction.target else {
            let message = format!("{opcode:?} needs a texture target");
            return Err(invalid(instruction.opcode.range, "texture target", message));
        };
        let shape = Shape::of(target.value).ok_or_else(|| {
            unsupported(target.range, format!("{opcode:?} of target {}", target.value))
        })?;
        let unit_read = self.unit(unit)?;
        let number = u32::try_from(unit.register.index.offset).unwrap_or(0);
        Ok(Texture {
            shape,
            texels: self.texels(number, shape),
            range: unit.range,
            view: unit_read,
            sampler: unit_read,
        })
    }

    /// The texture of a `SAMPLE` instruction: a view, and a sampler if it filters.
    pub(crate) fn view(&mut self, view: &Source, sampler: Option<&Source>) -> Emitted<Texture> {
        let register = &view.register;
        if !matches!(register.file, File::SamplerView | File::Resource) {
            let construct = format!("{} as sampler view", register.file);
            return Err(unsupported(register.range, construct));
        }
        let number = u32::try_from(register.index.offset).unwrap_or(0);
        let Some(declared) = self.declared.sampler_views.get(&number) else {
            let message = format!("SVIEW[{number}] is not declared with a target");
            return Err(invalid(register.range, "register SVIEW", message));
        };
        let target = declared.target.value;
        let shape = Shape::of(target).ok_or_else(|| {
            unsupported(register.range, format!("sampler view of target {target}"))
        })?;
        let texels = self.texels(number, shape);
        let unit = self.unit(view)?;
        let sampler = match sampler {
            Some(sampler) => self.unit(sampler)?,
            None => unit,
        };
        Ok(Texture { shape, texels, range: view.range, view: unit, sampler })
    }

    /// The numbers that a view is declared to return.
    fn texels(&self, number: u32, shape: Shape) -> Scalar {
        let returned = self.declared.sampler_views.get(&number).map(|view| view.returns[0]);
        match returned {
            _ if shape.reference.is_some() => Scalar::F32,
            Some(ReturnType::Uint) => Scalar::U32,
            Some(ReturnType::Sint) => Scalar::I32,
            _ => Scalar::F32,
        }
    }

    fn unit(&mut self, source: &Source) -> Emitted<Unit> {
        let register = &source.register;
        refuse_handle(register)?;
        if !matches!(register.file, File::Sampler | File::SamplerView | File::Resource) {
            let construct = format!("{} as sampler", register.file);
            return Err(unsupported(register.range, construct));
        }
        let (number, count) = self.resource_number(register)?;
        Ok(Unit { number, count })
    }

    /// Does something with a texture that may be one of several. A computed number of the view is
    /// that of the sampler, too.
    pub(crate) fn with_texture(
        &mut self,
        texture: Texture,
        ty: Type,
        sampled: Sampled,
        mut emit: impl FnMut(&mut Self, Loaded) -> Emitted<Value>,
    ) -> Emitted<Value> {
        let Texture { view, sampler, .. } = texture;
        self.each_of(view.number, view.count, ty, |this, view| {
            let sampler = sampler.number.bits.map_or(view, |bits| bits as u32);
            let loaded = this.load_texture(texture, view, sampler, sampled)?;
            emit(this, loaded)
        })
    }

    fn load_texture(
        &mut self,
        texture: Texture,
        view: u32,
        sampler: u32,
        sampled: Sampled,
    ) -> Emitted<Loaded> {
        let units = FIRST_BUFFER - FIRST_SAMPLER;
        within(view, units, "SVIEW", texture.range)?;
        within(sampler, units, "SAMP", texture.range)?;
        let image_type = self.texture_type(texture);
        if texture.shape.kind == ShapeKind::Buffer {
            let descriptor = DescriptorType::UniformTexelBuffer;
            let binding = Binding { number: FIRST_SAMPLER + view, descriptor };
            let variable = self.opaque(binding, image_type, format!("SAMP{view}"));
            let image = self.builder.result(Op::Load, image_type, &[variable.0]);
            return Ok(Loaded { sampled: None, image });
        }
        let both = self.builder.special_type(Op::TypeSampledImage, &[image_type.0]);
        let descriptor = DescriptorType::CombinedImageSampler;
        let binding = Binding { number: FIRST_SAMPLER + view, descriptor };
        if view == sampler {
            let variable = self.opaque(binding, both, format!("SAMP{view}"));
            let sampled_image = self.builder.result(Op::Load, both, &[variable.0]);
            let image = match sampled {
                Sampled::Only => sampled_image,
                Sampled::Image => self.builder.result(Op::Image, image_type, &[sampled_image.0]),
            };
            return Ok(Loaded { sampled: Some(sampled_image), image });
        }
        // The image of one descriptor and the sampler of another.
        let variable = self.opaque(binding, image_type, format!("SVIEW{view}"));
        let image = self.builder.result(Op::Load, image_type, &[variable.0]);
        let sampler_type = self.builder.special_type(Op::TypeSampler, &[]);
        let binding = Binding { number: FIRST_SAMPLER + sampler, descriptor };
        let variable = self.opaque(binding, sampler_type, format!("SAMP{sampler}"));
        let sampler = self.builder.result(Op::Load, sampler_type, &[variable.0]);
        let sampled = self.builder.result(Op::SampledImage, both, &[image.0, sampler.0]);
        Ok(Loaded { sampled: Some(sampled), image })
    }

    /// The type of a texture's image. Vulkan has no rectangles: theirs are two-dimensional.
    fn texture_type(&mut self, texture: Texture) -> Id {
        let shape = texture.shape;
        let dim = match (shape.kind, shape.axes) {
            (ShapeKind::Cube, _) => Dim::Cube,
            (ShapeKind::Buffer, _) => Dim::Buffer,
            (_, 1) => Dim::Dim1D,
            (_, 2) => Dim::Dim2D,
            _ => Dim::Dim3D,
        };
        for (capability, needed) in [
            (Capability::Sampled1D, dim == Dim::Dim1D),
            (Capability::SampledBuffer, dim == Dim::Buffer),
            (Capability::SampledCubeArray, dim == Dim::Cube && shape.layered),
        ] {
            if needed {
                self.builder.require(capability);
            }
        }
        let texels = self.builder.value_type(Type::One(texture.texels));
        let words = [
            texels.0,
            dim as u32,
            u32::from(shape.reference.is_some()),
            u32::from(shape.layered),
            u32::from(shape.kind == ShapeKind::Multisample),
            1,
            ImageFormat::Unknown as u32,
        ];
        self.builder.special_type(Op::TypeImage, &words)
    }

    /// The texel offset of a number, as constants of one axis each; SPIR-V has no others.
    fn constant_offset(&mut self, offset: &TextureOffset, shape: Shape) -> Emitted<Option<Value>> {
        let axes = self.offset_axes(offset, shape)?;
        if axes.iter().any(|axis| axis.bits.is_none()) {
            return Ok(None);
        }
        let ty = Type::One(Scalar::I32);
        let axes: Vec<Value> = axes.iter().map(|axis| self.builder.bitcast(*axis, ty)).collect();
        Ok(Some(self.builder.vector(&axes)))
    }

    /// The texel offset along each axis.
    fn offset_axes(&mut self, offset: &TextureOffset, shape: Shape) -> Emitted<Vec<Value>> {
        if shape.kind == ShapeKind::Cube {
            return Err(unsupported(offset.range, "texel offset in a cube".to_owned()));
        }
        let axes = &offset.swizzle[..shape.axes.min(3)];
        axes.iter().map(|component| self.read(&offset.register, *component)).collect()
    }

    /// The size of a level, with the number of layers behind it.
    fn level_size(&mut self, loaded: Loaded, shape: Shape, level: Value) -> Vec<Value> {
        self.builder.require(Capability::ImageQuery);
        let length = crate::images::size_length(shape);
        let ty = if length == 1 { U32 } else { Type::Vector(Scalar::U32, length) };
        let size = match shape.kind {
            ShapeKind::Buffer | ShapeKind::Multisample => {
                self.builder.raw(Op::ImageQuerySize, ty, &[loaded.image.0])
            }
            _ => self.builder.raw(Op::ImageQuerySizeLod, ty, &[loaded.image.0, level.id.0]),
        };
        (0..length).map(|place| self.builder.extract(size, place)).collect()
    }

    /// Coordinates in texels of a rectangle as those from 0 to 1.
    fn normalized(&mut self, loaded: Loaded, shape: Shape, values: &mut [Value]) {
        if shape.kind != ShapeKind::Rectangle {
            return;
        }
        let zero = self.builder.uint(0);
        let size = self.level_size(loaded, shape, zero);
        for (value, side) in values.iter_mut().zip(size) {
            let side = self.builder.op(Op::ConvertUToF, F32, &[side]);
            *value = self.builder.binary(Op::FDiv, *value, side);
        }
    }
}

/// The parts of a texture that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sampled {
    /// Image and sampler together.
    Only,
    /// The image alone as well.
    Image,
}

impl Sampled {
    /// The parts that filtering of a shape wants: the size of a rectangle is asked for.
    fn of(shape: Shape) -> Sampled {
        match shape.kind {
            ShapeKind::Rectangle => Sampled::Image,
            _ => Sampled::Only,
        }
    }
}

/// Tells whether textures of a shape can be filtered.
fn is_filtered(shape: Shape) -> bool {
    !matches!(shape.kind, ShapeKind::Buffer | ShapeKind::Multisample)
}

/// Fails unless an opcode can be applied to the instruction's texture.
fn require(instruction: &Instruction, possible: bool) -> Emitted {
    if possible {
        return Ok(());
    }
    let target = instruction.target.map_or(String::new(), |word| format!(" {}", word.value));
    let construct = format!("{:?} of target{target}", instruction.opcode.value);
    Err(unsupported(instruction.opcode.range, construct))
}

/// The first components, in order.
fn first(values: [Value; 4], count: usize) -> Vec<Value> {
    values[..count.min(4)].to_vec()
}

/// The component that a resource's swizzle begins with.
fn first_component(source: &Source) -> Component {
    source.swizzle.0[0]
}
