//! Storage images.

use lower::failure::unsupported;
use lower::{Shape, ShapeKind};
use tgsi::ast::{Component, Instruction, Register, Source};
use tgsi::opcodes::ValueType;

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::layout::{BINDINGS, Binding, DescriptorType, FIRST_IMAGE};
use crate::resources::{refuse_handle, within};
use crate::values::{Scalar, Type, U32, Value};
use crate::words::{Capability, Dim, ImageFormat, ImageOperands, Op, StorageClass};

include!(concat!(env!("OUT_DIR"), "/image_formats.rs"));

/// The type of a storage image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImageKind {
    pub(crate) shape: Shape,
    pub(crate) format: ImageFormat,
    /// The numbers of its texels.
    pub(crate) texels: Scalar,
}

/// The use of an image that a capability may be needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageUse {
    Read,
    Write,
    Other,
}

impl Translation<'_> {
    /// The type of an image as an instruction uses it.
    pub(crate) fn image_kind(
        &self,
        instruction: &Instruction,
        register: &Register,
    ) -> Emitted<ImageKind> {
        refuse_handle(register)?;
        let number = u32::try_from(register.index.offset).unwrap_or(0);
        let declared = self.declared.images.get(&number);
        let target = instruction.target.map(|target| target.value);
        let target = target.or(declared.map(|image| image.target.value));
        let Some(shape) = target.and_then(Shape::of) else {
            return Err(unsupported(register.range, "image without a target".to_owned()));
        };
        let named = declared.and_then(|image| image.format.as_ref());
        let named = named.or(instruction.format.as_deref()).map(|format| format.value.as_str());
        let known = named.and_then(|name| IMAGE_FORMATS.iter().find(|row| row.0 == name));
        let (format, texels) =
            known.map_or((ImageFormat::Unknown, Scalar::F32), |row| (row.1, row.2));
        Ok(ImageKind { shape, format, texels })
    }

    /// The type of an image in words, with what it needs.
    fn image_type(&mut self, kind: ImageKind, usage: ImageUse) -> Id {
        let shape = kind.shape;
        let dim = match (shape.kind, shape.axes) {
            (ShapeKind::Cube, _) => Dim::Cube,
            (ShapeKind::Buffer, _) => Dim::Buffer,
            (_, 1) => Dim::Dim1D,
            (_, 2) => Dim::Dim2D,
            _ => Dim::Dim3D,
        };
        let sampled = shape.kind == ShapeKind::Multisample;
        let needs = [
            (Capability::Image1D, dim == Dim::Dim1D),
            (Capability::ImageBuffer, dim == Dim::Buffer),
            (Capability::ImageCubeArray, dim == Dim::Cube && shape.layered),
            (Capability::StorageImageMultisample, sampled),
            (Capability::ImageMSArray, sampled && shape.layered),
            (Capability::StorageImageExtendedFormats, is_extended(kind.format)),
            (
                Capability::StorageImageReadWithoutFormat,
                kind.format == ImageFormat::Unknown && usage == ImageUse::Read,
            ),
            (
                Capability::StorageImageWriteWithoutFormat,
                kind.format == ImageFormat::Unknown && usage == ImageUse::Write,
            ),
        ];
        for (capability, needed) in needs {
            if needed {
                self.builder.require(capability);
            }
        }
        let texels = self.builder.value_type(Type::One(kind.texels));
        let words = [
            texels.0,
            dim as u32,
            0,
            u32::from(shape.layered),
            u32::from(sampled),
            2,
            kind.format as u32,
        ];
        self.builder.special_type(Op::TypeImage, &words)
    }

    /// The variable of an image, and its type.
    pub(crate) fn image(
        &mut self,
        number: u32,
        kind: ImageKind,
        usage: ImageUse,
        register: &Register,
    ) -> Emitted<(Id, Id)> {
        within(number, BINDINGS - FIRST_IMAGE, "IMAGE", register.range)?;
        let ty = self.image_type(kind, usage);
        let descriptor = match kind.shape.kind {
            ShapeKind::Buffer => DescriptorType::StorageTexelBuffer,
            _ => DescriptorType::StorageImage,
        };
        let binding = Binding { number: FIRST_IMAGE + number, descriptor };
        Ok((self.opaque(binding, ty, format!("IMAGE{number}")), ty))
    }

    /// The coordinates of a texel, and its sample if it has several.
    pub(crate) fn image_place(
        &mut self,
        shape: Shape,
        address: &Source,
    ) -> Emitted<(Value, Option<Value>)> {
        let used = (shape.axes + usize::from(shape.layered)).min(3);
        let mut parts = Vec::new();
        for component in &Component::ALL[..used] {
            parts.push(self.fetch(address, *component, ValueType::Unsigned)?);
        }
        let sample = match shape.kind {
            ShapeKind::Multisample => {
                Some(self.fetch(address, Component::W, ValueType::Unsigned)?)
            }
            _ => None,
        };
        Ok((self.builder.vector(&parts), sample))
    }

    /// The pointer to a texel, for atomic operations; its type is that of the format.
    pub(crate) fn texel_pointer(
        &mut self,
        number: u32,
        kind: ImageKind,
        place: (Value, Option<Value>),
        register: &Register,
    ) -> Emitted<Id> {
        let (variable, _) = self.image(number, kind, ImageUse::Other, register)?;
        let texel = self.builder.value_type(Type::One(kind.texels));
        let ty = self.builder.pointer_type(StorageClass::Image, texel);
        let sample = match place.1 {
            Some(sample) => sample,
            None => self.builder.uint(0),
        };
        let words = [variable.0, place.0.id.0, sample.id.0];
        Ok(self.builder.result(Op::ImageTexelPointer, ty, &words))
    }

    /// Reads a texel.
    pub(crate) fn read_image(
        &mut self,
        number: u32,
        kind: ImageKind,
        place: (Value, Option<Value>),
        register: &Register,
    ) -> Emitted<Value> {
        let (variable, ty) = self.image(number, kind, ImageUse::Read, register)?;
        let image = self.builder.result(Op::Load, ty, &[variable.0]);
        let mut words = vec![image.0, place.0.id.0];
        if let Some(sample) = place.1 {
            words.extend([ImageOperands::Sample as u32, sample.id.0]);
        }
        Ok(self.builder.raw(Op::ImageRead, Type::Vector(kind.texels, 4), &words))
    }

    /// Writes a texel, whose components are bits.
    pub(crate) fn write_image(
        &mut self,
        number: u32,
        kind: ImageKind,
        place: (Value, Option<Value>),
        texel: [Value; 4],
        register: &Register,
    ) -> Emitted {
        let (variable, ty) = self.image(number, kind, ImageUse::Write, register)?;
        let image = self.builder.result(Op::Load, ty, &[variable.0]);
        let texel = texel.map(|part| self.builder.bitcast(part, Type::One(kind.texels)));
        let texel = self.builder.vector(&texel);
        let mut words = vec![image.0, place.0.id.0, texel.id.0];
        if let Some(sample) = place.1 {
            words.extend([ImageOperands::Sample as u32, sample.id.0]);
        }
        self.builder.effect(Op::ImageWrite, &words);
        Ok(())
    }

    /// The size of an image, and of a layered one the number of layers behind it.
    pub(crate) fn image_size(
        &mut self,
        number: u32,
        kind: ImageKind,
        register: &Register,
    ) -> Emitted<Vec<Value>> {
        let (variable, ty) = self.image(number, kind, ImageUse::Other, register)?;
        let image = self.builder.result(Op::Load, ty, &[variable.0]);
        self.builder.require(Capability::ImageQuery);
        let length = size_length(kind.shape);
        let ty = if length == 1 { U32 } else { Type::Vector(Scalar::U32, length) };
        let size = self.builder.raw(Op::ImageQuerySize, ty, &[image.0]);
        Ok((0..length).map(|place| self.builder.extract(size, place)).collect())
    }
}

/// The numbers that the size of a shape has: of a cube those of a face.
pub(crate) fn size_length(shape: Shape) -> u32 {
    let axes = if shape.kind == ShapeKind::Cube { 2 } else { shape.axes as u32 };
    axes + u32::from(shape.layered)
}

/// Tells whether a format is one of those that drivers may lack.
fn is_extended(format: ImageFormat) -> bool {
    use ImageFormat as Format;
    !matches!(
        format,
        Format::Unknown
            | Format::Rgba32f
            | Format::Rgba16f
            | Format::R32f
            | Format::Rgba8
            | Format::Rgba8Snorm
            | Format::Rgba32i
            | Format::Rgba16i
            | Format::Rgba8i
            | Format::R32i
            | Format::Rgba32ui
            | Format::Rgba16ui
            | Format::Rgba8ui
            | Format::R32ui
    )
}
