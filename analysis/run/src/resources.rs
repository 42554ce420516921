//! What the lanes of a run share: constants, buffers, images, textures, shared
//! memory.

use tgsi::words::TextureTarget;

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
    /// The textures of `SAMP` and `SVIEW` numbers.
    pub textures: Vec<Option<Texture>>,
    /// Shared `MEMORY` as words.
    pub shared: Vec<u32>,
}

/// A box of texels of four raw words each: x fastest, then y, then z.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Width, height and depth in texels.
    pub size: [u32; 3],
    /// The texels; those beyond the list's end count as zero and are not written.
    pub texels: Vec<[u32; 4]>,
}

/// A texture that is looked up.
pub type Texture = Image;

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

/// How many coordinates choose a texel of an image; the others are not read.
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
