//! A texture's texels, given or made up.

use crate::shape::{Dimension, InvalidShape, Shape};

/// The type of a texel's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Numbers {
    /// Floats.
    #[default]
    Float,
    /// Floats from 0 to 1, to which values to compare with are clamped.
    Normalized,
    /// Signed integers, which are not filtered.
    Signed,
    /// Unsigned integers, which are not filtered.
    Unsigned,
}

impl Numbers {
    /// Tells whether texels may be blended.
    pub fn are_filtered(self) -> bool {
        matches!(self, Numbers::Float | Numbers::Normalized)
    }
}

/// A texture: texels of four words, decoded from whatever format they had.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    shape: Shape,
    numbers: Numbers,
    /// By level: samples fastest, then x, y, and z or layer.
    levels: Vec<Vec<[u32; 4]>>,
}

impl Texture {
    /// A texture whose texels are listed level by level: samples fastest, then
    /// x, then y, then z or layer. Those that the list lacks are 0.
    ///
    /// # Errors
    /// The shape has no texels, or too many.
    pub fn new(
        shape: Shape,
        numbers: Numbers,
        texels: &[[u32; 4]],
    ) -> Result<Texture, InvalidShape> {
        let shape = shape.checked()?;
        let mut rest = texels;
        let levels = (0..shape.levels)
            .map(|level| {
                let count = shape.level_texels(level) as usize;
                let (mine, others) = rest.split_at(count.min(rest.len()));
                rest = others;
                let mut texels = mine.to_vec();
                texels.resize(count, [0; 4]);
                texels
            })
            .collect();
        Ok(Texture { shape, numbers, levels })
    }

    /// A texture of made-up texels that look random and depend on the seed
    /// alone: multiples of 1/256 from 0 up to 1, or bytes as integers (signed
    /// ones from -128 to 127).
    ///
    /// # Errors
    /// The shape has no texels, or too many.
    pub fn generated(shape: Shape, numbers: Numbers, seed: u32) -> Result<Texture, InvalidShape> {
        let mut texture = Texture::new(shape, numbers, &[])?;
        let mut state = u64::from(seed);
        for texel in texture.levels.iter_mut().flatten() {
            let bits = scramble(&mut state);
            *texel = std::array::from_fn(|component| {
                let byte = (bits >> (component * 16)) as u8;
                match numbers {
                    Numbers::Float | Numbers::Normalized => (f32::from(byte) / 256.0).to_bits(),
                    Numbers::Signed => i32::from(byte as i8) as u32,
                    Numbers::Unsigned => byte.into(),
                }
            });
        }
        Ok(texture)
    }

    /// The sizes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the type of the words.
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// Returns the answer to a size query (TXQ): the sizes of a level's axes, then the
    /// number of layers (of cubes, not of faces), 0 for axes that there are not; the last
    /// is the number of levels. The sizes of a level that there is not are 0.
    pub fn query(&self, level: u32) -> [u32; 4] {
        let shape = &self.shape;
        // A buffer has no levels that could be counted.
        let levels = if shape.dimension == Dimension::Buffer { 0 } else { shape.levels };
        let mut answer = [0, 0, 0, levels];
        if level < shape.levels {
            let size = shape.level_size(level);
            let axes = shape.dimension.axes();
            answer[..axes].copy_from_slice(&size[..axes]);
            match shape.dimension {
                Dimension::Cube => {}
                Dimension::CubeArray => answer[2] = size[2] / 6,
                dimension if dimension.is_layered() => answer[axes] = size[2],
                _ => {}
            }
        }
        answer
    }

    /// One texel, chosen by the shader's integers: the axes, then the layer
    /// (of a cube the face, counted through all layers). 0 outside.
    pub fn fetch(&self, at: [i32; 3], level: u32, sample: u32) -> [u32; 4] {
        self.place(at, level, sample).map_or([0; 4], |place| self.levels[level as usize][place])
    }

    /// A texel to be changed; coordinates as in [`Texture::fetch`].
    pub fn texel_mut(&mut self, at: [i32; 3], level: u32, sample: u32) -> Option<&mut [u32; 4]> {
        let place = self.place(at, level, sample)?;
        self.levels.get_mut(level as usize)?.get_mut(place)
    }

    /// Returns the index of a texel in its level's list.
    fn place(&self, at: [i32; 3], level: u32, sample: u32) -> Option<usize> {
        let full = self.shape.dimension.place(&at);
        if level >= self.shape.levels || sample >= self.shape.samples {
            return None;
        }
        let size = self.shape.level_size(level);
        let mut place = 0usize;
        for axis in [2, 1, 0] {
            let number = u32::try_from(full[axis]).ok().filter(|it| *it < size[axis])?;
            place = place * size[axis] as usize + number as usize;
        }
        Some(place * self.shape.samples as usize + sample as usize)
    }
}

/// Steele, Lea and Flood's SplitMix64: the next of a sequence without pattern.
fn scramble(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
