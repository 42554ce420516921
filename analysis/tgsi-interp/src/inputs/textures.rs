//! Textures and samplers of a file of inputs.

use run_inputs::{Mistake, Reader};
use sampler::{Dimension, InvalidShape, Numbers, Shape, Texture};

/// A texture as a file of inputs describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureInput {
    size: [u32; 3],
    levels: u32,
    samples: u32,
    numbers: Option<Numbers>,
    texels: Option<Vec<[u32; 4]>>,
    seed: Option<u32>,
}

const NUMBERS: [(&str, Numbers); 4] = [
    ("float", Numbers::Float),
    ("unorm", Numbers::Normalized),
    ("sint", Numbers::Signed),
    ("uint", Numbers::Unsigned),
];

impl TextureInput {
    /// Texels of one level, x fastest, then y, then z.
    pub fn of_texels(size: [u32; 3], texels: Vec<[u32; 4]>) -> TextureInput {
        let texels = Some(texels);
        TextureInput { size, levels: 1, samples: 1, numbers: None, texels, seed: None }
    }

    pub(super) fn read(value: &Reader<'_>) -> Result<TextureInput, Mistake> {
        let mut input = TextureInput::of_texels([1; 3], Vec::new());
        input.texels = None;
        for (name, value) in value.fields()? {
            match name.as_str() {
                "size" => input.size = value.size()?,
                "levels" => input.levels = value.number()?,
                "samples" => input.samples = value.number()?,
                "numbers" => input.numbers = Some(value.choice(&NUMBERS)?),
                "texels" => input.texels = Some(value.vectors()?),
                "seed" => input.seed = Some(value.number()?),
                other => {
                    let known = "size, levels, samples, numbers, texels and seed";
                    return Err(value.mistake(format!("`{other}`: a texture has {known}")));
                }
            }
        }
        Ok(input)
    }

    /// The texture, of the kind that a shader looks up. A cube of which no
    /// faces are said has the six of one layer.
    ///
    /// # Errors
    /// It has no texels, or too many.
    pub fn texture(
        &self,
        dimension: Dimension,
        numbers: Numbers,
        unit: u32,
    ) -> Result<Texture, InvalidShape> {
        let mut size = self.size;
        if dimension == Dimension::OneArray && size[2] == 1 {
            // Width and layers are the two sizes of such a texture.
            size = [size[0], 1, size[1]];
        }
        if dimension.is_cube() {
            size[2] = size[2].max(6);
        }
        let shape = Shape { dimension, size, levels: self.levels, samples: self.samples };
        let numbers = self.numbers.unwrap_or(numbers);
        match &self.texels {
            Some(texels) => Texture::new(shape, numbers, texels),
            None => Texture::generated(shape, numbers, self.seed.unwrap_or(unit)),
        }
    }
}
