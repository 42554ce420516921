//! Images of a file of inputs: their kind, sizes, format and texels.

use gcn::instruction::{DATA_FORMATS, NUMBER_FORMATS};
use run_inputs::{Mistake, Reader};
use sampler::{Dimension, Shape, Texture};

use crate::memory::{Memory, Unmapped};
use crate::texture::{ImageDescriptor, TexelFormat};

/// The kinds of images that lie in rows.
const KINDS: [(&str, Dimension); 6] = [
    ("1d", Dimension::One),
    ("2d", Dimension::Two),
    ("3d", Dimension::Three),
    ("cube", Dimension::Cube),
    ("1d_array", Dimension::OneArray),
    ("2d_array", Dimension::TwoArray),
];

/// An image that a kernel is given.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageInput {
    /// Its kind and sizes.
    pub shape: Shape,
    /// The format of its texels.
    pub format: TexelFormat,
    contents: Contents,
}

/// The texels of an image.
#[derive(Debug, Clone, PartialEq)]
enum Contents {
    /// As they are said; those that are not are 0.
    Texels(Vec<[u32; 4]>),
    /// Made up from a seed.
    Seed(u32),
}

/// The number of a format's name, as assemblers write it or in small letters.
fn named(value: &Reader<'_>, names: &[&str]) -> Result<u8, Mistake> {
    let word = value.string().unwrap_or_default();
    let number = names.iter().position(|name| name.eq_ignore_ascii_case(word));
    number.map(|number| number as u8).ok_or_else(|| {
        let known = names.join(", ").to_lowercase();
        value.mistake(format!("one of {known} is expected"))
    })
}

impl ImageInput {
    pub(super) fn read(value: &Reader<'_>) -> Result<ImageInput, Mistake> {
        let mut kind = Dimension::Two;
        let mut size = [1; 3];
        let (mut data, mut number) = (None, None);
        let mut contents = Contents::Texels(Vec::new());
        let mut levels = 1;
        for (name, value) in value.fields()? {
            match name.as_str() {
                "kind" => kind = value.choice(&KINDS)?,
                "size" => size = value.size()?,
                "levels" => levels = value.number()?,
                "data" => data = Some(named(&value, &DATA_FORMATS[..15])?),
                "numbers" => number = Some(named(&value, &NUMBER_FORMATS)?),
                "texels" => contents = Contents::Texels(value.vectors()?),
                "seed" => contents = Contents::Seed(value.number()?),
                other => {
                    let known = "kind, size, levels, data, numbers, texels and seed";
                    return Err(value.mistake(format!("`{other}`: an image has {known}")));
                }
            }
        }
        match kind {
            // The second size is that of the layers.
            Dimension::OneArray => size = [size[0], 1, size[1].max(size[2])],
            Dimension::Cube => size[2] = size[2].max(6),
            _ => {}
        }
        if size.iter().any(|side| *side > 1 << 13) {
            return Err(value.mistake("a side has at most 8192 texels".to_owned()));
        }
        if kind == Dimension::Three && levels > 1 {
            let message = "how levels of three axes lie in memory is not known";
            return Err(value.mistake(message.to_owned()));
        }
        let shape = Shape { levels, ..Shape::single(kind, size) }.checked();
        let shape = shape.map_err(|error| value.mistake(format!("the image: {error}")))?;
        // Four bytes a texel, or four floats.
        let format = match (data, number) {
            (None, None) => TexelFormat { data: 14, number: 7 },
            (data, number) => TexelFormat { data: data.unwrap_or(10), number: number.unwrap_or(0) },
        };
        if format.components().is_none() {
            return Err(value.mistake("texels of this format are not decoded".to_owned()));
        }
        Ok(ImageInput { shape, format, contents })
    }

    /// Puts the image where it is to lie.
    ///
    /// # Errors
    /// There is no room.
    pub(super) fn map(
        &self,
        memory: &mut Memory,
        address: u64,
    ) -> Result<ImageDescriptor, Unmapped> {
        let descriptor = ImageDescriptor::of(address, self.shape, self.format);
        let length = usize::try_from(descriptor.length()).map_err(|_| Unmapped { address })?;
        memory.map(address, vec![0; length])?;
        let made;
        let texels = match &self.contents {
            Contents::Texels(texels) => texels,
            Contents::Seed(seed) => {
                made = self.generated(*seed, &descriptor);
                &made
            }
        };
        for (number, texel) in texels.iter().enumerate() {
            let Some(place) = descriptor.texel_place(number) else { break };
            // The format has been looked at, and the memory is there.
            let _ = descriptor.write(memory, place, *texel);
        }
        Ok(descriptor)
    }

    fn generated(&self, seed: u32, descriptor: &ImageDescriptor) -> Vec<[u32; 4]> {
        let texture = Texture::generated(self.shape, self.format.numbers(), seed);
        let places = (0..self.shape.texels() as usize).map_while(|it| descriptor.coordinates(it));
        texture.map_or_else(
            |_| Vec::new(),
            |texture| {
                places.map(|([x, y, z, _], level)| texture.fetch([x, y, z], level, 0)).collect()
            },
        )
    }
}
