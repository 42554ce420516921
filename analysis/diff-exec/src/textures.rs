//! The texture unit of the emulator: descriptors that name textures, and look-ups by the
//! arithmetic that the interpreter uses too.
//!
//! No texture lies in memory: the first word of its descriptor says which it is. The
//! words that the compiled code itself reads are as drivers write them: the type, the
//! samples, the last level, the first layer.

use std::slice;

use crate::error::Error;
use crate::inputs::{Demand, absent_of};
use crate::layout::keep_stored;
use gcn::Generation;
use gcn_emu::texture::Lookup;
use gcn_emu::{Conversion, ImageError, ImageOperation, ImageRequest, Images, LANES, Memory};
use sampler::{Dimension, Numbers, Space, Texture};
use tgsi::words::TextureTarget;
use tgsi_interp::{Absent, Image, Resources, Sampled, Textures};

/// The marks of texture and image descriptors in their first words, beside a number.
const TEXTURE: u32 = 0x7e00_0000;
const IMAGE: u32 = 0x1300_0000;
const NUMBER: u32 = 0xffff;
/// The first word of samplers, and the last of textures. On gfx6 and gfx7 the driver keeps a
/// mask for the former in the latter.
const SAMPLER: u32 = 0xa5a5_5a5a;
pub(crate) const LAST: u32 = 0xff0f_f0ff;
/// The data format of texels of four words.
const FOUR_WORDS: u32 = 14 << 20;
/// The coordinates of an image of which no other are known.
const BOX: &[usize] = &[0, 1, 2];

/// The type field of an image descriptor.
fn kind(dimension: Dimension, generation: Generation) -> u32 {
    // From gfx9 on what has one axis has two.
    let single = generation >= Generation::Gfx9;
    match dimension {
        Dimension::One if single => 9,
        Dimension::OneArray if single => 13,
        Dimension::One | Dimension::Buffer => 8,
        Dimension::Two => 9,
        Dimension::Three => 10,
        Dimension::Cube | Dimension::CubeArray => 11,
        Dimension::OneArray => 12,
        Dimension::TwoArray => 13,
        Dimension::Multisample => 14,
        Dimension::MultisampleArray => 15,
    }
}

/// The descriptor of the texture of a unit.
pub(crate) fn texture_descriptor(
    unit: usize,
    texture: &Texture,
    generation: Generation,
) -> [u32; 8] {
    let shape = texture.shape();
    let last = match shape.dimension.has_samples() {
        true => shape.samples.max(1).ilog2(),
        false => shape.levels.saturating_sub(1),
    };
    let numbers = match texture.numbers() {
        Numbers::Float => 7,
        Numbers::Normalized => 0,
        Numbers::Signed => 5,
        Numbers::Unsigned => 4,
    };
    let fourth = kind(shape.dimension, generation) << 28 | last << 16;
    let [second, fifth, sixth] = sizes(shape.size, generation);
    let format = FOUR_WORDS | numbers << 26;
    [TEXTURE | unit as u32, format, second, fourth, fifth, sixth, 0, LAST]
}

/// The fields of width, height and depth or layers: those of the third, fifth and sixth word, which
/// code may read.
fn sizes([width, height, depth]: [u32; 3], generation: Generation) -> [u32; 3] {
    let less = |size: u32| size.saturating_sub(1);
    let layers = if generation >= Generation::Gfx9 { 0 } else { less(depth) << 13 };
    [less(width) | less(height) << 14, less(depth), layers]
}

/// The sampler of a unit.
pub(crate) fn sampler_descriptor(unit: usize) -> [u32; 4] {
    [SAMPLER, unit as u32, 0, 0]
}

/// The descriptor of an image: a box, whatever its kind, whose last coordinate may be 0. `target` is
/// that of its declaration, where there is one.
pub(crate) fn image_descriptor(
    number: usize,
    image: &Image,
    target: Option<TextureTarget>,
    generation: Generation,
) -> [u32; 8] {
    let size = match (target, image.size) {
        (Some(TextureTarget::Array1D), [width, layers, _]) => [width, 1, layers],
        (_, size) => size,
    };
    let [second, fifth, sixth] = sizes(size, generation);
    [IMAGE | number as u32, FOUR_WORDS, second, 10 << 28, fifth, sixth, 0, u32::MAX]
}

/// The textures and images of a run.
#[derive(Debug)]
pub(crate) struct TextureUnit<'a> {
    pub(crate) sampled: &'a Sampled,
    pub(crate) images: Vec<Option<Image>>,
    /// The coordinates of each image that count.
    pub(crate) axes: Vec<&'static [usize]>,
    /// The components that the format of each image does not store.
    pub(crate) absent: Vec<Absent>,
    /// The generation: gfx9 gives images with one axis a second one.
    pub(crate) generation: Generation,
}

impl<'a> TextureUnit<'a> {
    /// The textures and images of resources.
    pub(crate) fn new(
        resources: &'a Resources,
        demand: &Demand,
        generation: Generation,
    ) -> Result<TextureUnit<'a>, Error> {
        let Textures::Sampled(sampled) = &resources.textures else {
            return Err(Error::RecordedTextures);
        };
        let images = resources.images.clone();
        let (axes, absent) = (demand.image_axes(generation), demand.absent.clone());
        Ok(TextureUnit { sampled, images, axes, absent, generation })
    }

    /// Takes in images of two axes, behind the others.
    pub(crate) fn add(&mut self, images: Vec<Image>) {
        self.axes.resize(self.images.len(), BOX);
        self.axes.resize(self.images.len() + images.len(), &BOX[..2]);
        self.images.extend(images.into_iter().map(Some));
    }
}

impl Images for TextureUnit<'_> {
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        _: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        if request.access.conversion != Conversion::Format {
            return Err(ImageError::NoFormat);
        }
        let [first, ..] = request.resource;
        let number = (first & NUMBER) as usize;
        match first & !NUMBER {
            IMAGE => self.image(request, number),
            TEXTURE => self.texture(request, number),
            // What is not there reads as 0.
            _ if first == 0 => Ok(Box::new([[0; 4]; LANES])),
            _ => Err(ImageError::Descriptor(first)),
        }
    }
}

impl TextureUnit<'_> {
    fn image(
        &mut self,
        request: &ImageRequest<'_>,
        number: usize,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let mut texels = Box::new([[0; 4]; LANES]);
        let Some(image) = self.images.get_mut(number).and_then(Option::as_mut) else {
            return Ok(texels);
        };
        let axes = self.axes.get(number).copied().unwrap_or(BOX);
        let absent = absent_of(&self.absent, number);
        for lane in (0..LANES).filter(|lane| request.lanes >> lane & 1 == 1) {
            let at = &request.addresses[lane].coordinates;
            let at: [i32; 3] =
                std::array::from_fn(|axis| axes.get(axis).map_or(0, |from| at[*from & 3] as i32));
            let inside = place(image, at).and_then(|place| image.texels.get_mut(place));
            match (request.operation, inside) {
                (ImageOperation::SizeQuery, _) => {
                    // Layers stand where their coordinate does.
                    let [x, y, z] = image.size;
                    texels[lane] = if axes == [0, 2] { [x, 1, y, 1] } else { [x, y, z, 1] };
                }
                (ImageOperation::Load, Some(texel)) => {
                    texels[lane] = std::array::from_fn(|it| absent[it].unwrap_or(texel[it]));
                }
                (ImageOperation::Store, Some(texel)) => {
                    keep_stored(slice::from_mut(texel), &[request.data[lane]], absent);
                }
                (ImageOperation::Atomic, Some(texel)) => {
                    texels[lane] = *texel;
                    let [first, second] = request.changed([texel[0], texel[1]], lane);
                    (texel[0], texel[1]) = (first, second);
                }
                (ImageOperation::Load | ImageOperation::Store | ImageOperation::Atomic, None) => {}
                _ => return Err(ImageError::Filtered),
            }
        }
        Ok(texels)
    }

    fn texture(
        &self,
        request: &ImageRequest<'_>,
        unit: usize,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let mut texels = Box::new([[0; 4]; LANES]);
        let texture = self.sampled.textures.get(unit).and_then(Option::as_ref);
        let texture = texture.ok_or(ImageError::NoTexture)?;
        let filtered = [ImageOperation::Sample, ImageOperation::Gather, ImageOperation::LevelQuery];
        let masked = self.generation <= Generation::Gfx7;
        let first = if masked { SAMPLER & LAST } else { SAMPLER };
        if filtered.contains(&request.operation) && request.sampler[0] != first {
            return Err(ImageError::Sampler(request.sampler[0]));
        }
        let sampler = self.sampled.samplers.get(request.sampler[1] as usize).copied();
        let look = Lookup {
            request,
            texture,
            sampler: sampler.unwrap_or_default(),
            space: if request.unnormalized { Space::Texels } else { Space::Normalized },
            generation: self.generation,
        };
        for lane in (0..LANES).filter(|lane| request.lanes >> lane & 1 == 1) {
            texels[lane] = look.texel(lane)?;
        }
        Ok(texels)
    }
}

/// The number of a texel of a box, if it lies inside.
fn place(image: &Image, at: [i32; 3]) -> Option<usize> {
    let mut place = 0_usize;
    for axis in [2, 1, 0] {
        let at = u32::try_from(at[axis]).ok().filter(|at| *at < image.size[axis])?;
        place = place * image.size[axis] as usize + at as usize;
    }
    Some(place)
}
