//! State that the lanes of a run share: constants, buffers, images, textures, shared
//! memory.

use sampler::{Sampler, Shape, Texture};
use tgsi::words::TextureTarget;

use crate::open::OpenMemory;
use crate::program::Program;

/// The resources of one run. Units that are absent read as zero and swallow
/// what is written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resources {
    /// Constant buffers: vectors of raw bits.
    pub constants: Vec<Vec<[u32; 4]>>,
    /// `BUFFER`s as words.
    pub buffers: Vec<Vec<u32>>,
    /// `HWATOMIC` counters by buffer.
    pub counters: Vec<Vec<u32>>,
    /// `IMAGE`s.
    pub images: Vec<Option<Image>>,
    /// The textures that `SAMP` and `SVIEW` numbers look up.
    pub textures: Textures,
    /// Shared `MEMORY` as words.
    pub shared: Vec<u32>,
    /// The shadow of all this; empty but in runs that are compared.
    pub open: OpenMemory,
}

/// Sides of a made-up texture, and its layers.
const MADE_UP_SIDE: u32 = 16;
const MADE_UP_HEIGHT: u32 = 8;
const MADE_UP_LAYERS: u32 = 4;

impl Sampled {
    /// Gives every unit that a program looks up and that has no texture a
    /// made-up one with all its levels, which depends on the unit alone.
    pub fn make_up(&mut self, program: &Program) {
        for (unit, dimension, numbers) in program.textures() {
            let place = unit as usize;
            if place >= MOST_UNITS || self.textures.get(place).is_some_and(Option::is_some) {
                continue;
            }
            let size = match dimension.is_cube() {
                true => [MADE_UP_SIDE, MADE_UP_SIDE, 6 * MADE_UP_LAYERS],
                false => [MADE_UP_SIDE, MADE_UP_HEIGHT, MADE_UP_LAYERS],
            };
            let shape = Shape { dimension, size, levels: u32::MAX, samples: 4 };
            if self.textures.len() <= place {
                self.textures.resize(place + 1, None);
            }
            self.textures[place] = Texture::generated(shape, numbers, unit).ok();
        }
    }
}

/// Units that may be numbered.
const MOST_UNITS: usize = 128;

/// A box of texels of four raw words each: x fastest, then y, then z.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Width, height and depth in texels.
    pub size: [u32; 3],
    /// The texels; those beyond the list's end count as zero and are not written.
    pub texels: Vec<[u32; 4]>,
}

/// Textures, and the model under which they are looked up.
#[derive(Debug, Clone, PartialEq)]
pub enum Textures {
    /// Filtered and addressed as their samplers say.
    Sampled(Sampled),
    /// Boxes of texels, by unit, under the model of recorded runs: one texel
    /// for every look-up.
    Recorded(Vec<Option<Image>>),
}

impl Default for Textures {
    fn default() -> Textures {
        Textures::Sampled(Sampled::default())
    }
}

/// Textures and samplers, each by number: `SAMP[n]` is texture and sampler n.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sampled {
    /// The textures.
    pub textures: Vec<Option<Texture>>,
    /// The samplers. Where there is none, the default one samples.
    pub samplers: Vec<Sampler>,
    /// The positions of the samples of multisample textures in their texels, from 0
    /// to 1. Where nothing is said, in the centre.
    pub sample_positions: Vec<[f32; 2]>,
}

impl Image {
    /// The number of a texel, if it lies inside.
    pub(crate) fn place(&self, at: [i64; 3]) -> Option<usize> {
        let mut place = 0usize;
        for axis in [2, 1, 0] {
            let size = i64::from(self.size[axis]);
            if !(0..size).contains(&at[axis]) {
                return None;
            }
            place = place.checked_mul(size as usize)?.checked_add(at[axis] as usize)?;
        }
        (place < self.texels.len()).then_some(place)
    }

    /// The texel at a place, zero outside.
    pub(crate) fn texel(&self, at: [i64; 3]) -> [u32; 4] {
        self.place(at).map_or([0; 4], |place| self.texels[place])
    }
}

/// Returns the number of coordinates that choose a texel of an image; the others are not read.
pub(crate) fn image_coordinates(target: Option<TextureTarget>) -> usize {
    match target {
        Some(TextureTarget::Buffer | TextureTarget::Texture1D) => 1,
        Some(
            TextureTarget::Array1D
            | TextureTarget::Texture2D
            | TextureTarget::Rectangle
            | TextureTarget::Multisample2D,
        ) => 2,
        _ => 3,
    }
}
