//! Images: what an instruction asks of the texture unit, and what it does with the
//! answer. The unit itself is an implementation of [`Images`].
//!
//! Source: ISA manuals, MIMG: "address VGPRs" for their order, "data" for what returns.

mod instruction;

use isa::gcn::operation::{Atomic, ImageAccess};
use sampler::Shape;
use thiserror::Error;

use crate::memory::{Memory, Unmapped};
use crate::mode::Mode;
use crate::storage::{AtomicInputs, apply};
use crate::wave::LANES;
pub(crate) use instruction::Image;

/// An operation of the texture unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageOperation {
    /// Filter texels.
    Sample,
    /// Give one component of the four texels that filtering would use.
    Gather,
    /// Give a texel.
    Load,
    /// Write a texel.
    Store,
    /// Change a texel of one component of 32 or 64 bits and give what it was.
    Atomic,
    /// Give the level of detail.
    LevelQuery,
    /// Give the size.
    SizeQuery,
}

/// One lane's address: what the registers held, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImageAddress {
    /// The coordinates, with the array's layer and the sample behind them.
    pub coordinates: [u32; 4],
    /// Texels to move by: six bits with sign each, at bits 0, 8 and 16.
    pub offset: u32,
    /// The bias, which is added to the level of detail.
    pub bias: u32,
    /// The reference of a comparison.
    pub reference: u32,
    /// The derivatives: along x, then along y.
    pub derivatives: [[u32; 3]; 2],
    /// The level, or the lowest that may be used.
    pub level: u32,
}

/// A request of all active lanes to the texture unit.
#[derive(Debug, Clone)]
pub struct ImageRequest<'a> {
    /// The operation.
    pub operation: ImageOperation,
    /// The parts of the addresses, and what becomes of texels.
    pub access: ImageAccess,
    /// True if coordinates count texels.
    pub unnormalized: bool,
    /// True if the instruction says that the image is an array.
    pub array: bool,
    /// The components that are asked for, a bit each.
    pub components: u8,
    /// The image's descriptor.
    pub resource: [u32; 8],
    /// The sampler's.
    pub sampler: [u32; 4],
    /// The lanes that ask.
    pub lanes: u64,
    /// Their addresses.
    pub addresses: &'a [ImageAddress; LANES],
    /// The data that are stored, by lane and component; of atomics the value in the first two
    /// places, and the comparand in the others.
    pub data: &'a [[u32; 4]; LANES],
    atomic: Option<Atomic>,
    /// Tells whether an atomic is of 64 bits.
    wide: bool,
}

impl ImageRequest<'_> {
    /// Returns the first two components of a texel after an atomic: both change where it is
    /// one of 64 bits.
    pub fn changed(&self, old: [u32; 2], lane: usize) -> [u32; 2] {
        let data = self.data.get(lane).copied().unwrap_or_default();
        let Some(atomic) = self.atomic else { return old };
        let whole = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
        let apply = |old, data, other, bits| {
            apply(atomic, AtomicInputs { old, data, other }, bits, Mode::OF_MEMORY)
        };
        let [data, other] = [[data[0], data[1]], [data[2], data[3]]];
        if self.wide {
            let new = apply(whole(old), whole(data), whole(other), 64);
            return [new as u32, (new >> 32) as u32];
        }
        let new = apply(old[0].into(), data[0].into(), other[0].into(), 32);
        [new as u32, old[1]]
    }
}

/// The reason for which a texture unit does not do what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ImageError {
    /// There is no texture unit.
    #[error("there are no images")]
    NoImages,
    /// Texels are asked for as bits.
    #[error("texels without a format")]
    NoFormat,
    /// The descriptor is none that the launch wrote; its first word.
    #[error("an image descriptor that nobody wrote: {0:#x}")]
    Descriptor(u32),
    /// The sampler is none that the launch wrote; its first word.
    #[error("a sampler that begins with {0:#x}")]
    Sampler(u32),
    /// The texture is not there.
    #[error("a texture that is not there")]
    NoTexture,
    /// An image is filtered.
    #[error("an image is filtered")]
    Filtered,
    /// A texture is written.
    #[error("a texture is written")]
    Written,
    /// Texels have samples.
    #[error("an image with samples, whose place in memory is not known")]
    Samples,
    /// Texels do not lie in rows; the tile or swizzle mode.
    #[error("an image in tiles (mode {0}), whose place in memory is not known: only rows are")]
    Tiled(u32),
    /// There are smaller levels.
    #[error(
        "an image with several levels, whose place in memory is known on GFX9 alone, of one \
             or two axes"
    )]
    Levels,
    /// Texels are not decoded: data and number format.
    #[error("texels of data format {0} and number format {1} are not decoded")]
    Format(u8, u8),
    /// The sizes are none, or too large.
    #[error("an image without texels, or with more than {} of them", Shape::MOST_TEXELS)]
    Shape,
    /// A store to an image whose components are in another order.
    #[error("a store to an image whose descriptor selects components in another order")]
    Selected,
    /// The sampler takes the least or greatest texel.
    #[error("a sampler that takes the least or the greatest texel")]
    Reduction,
    /// The sampler filters along a direction.
    #[error("an anisotropic filter")]
    Anisotropic,
    /// The colour of a border is in a table.
    #[error("a border whose colour is in a table")]
    Border,
    /// Texels are not in memory.
    #[error(transparent)]
    Unmapped(Unmapped),
}

/// A texture unit.
pub trait Images {
    /// Does what is asked; the answer has all four components of every lane. Texels may lie in
    /// memory.
    ///
    /// # Errors
    /// Says what it cannot do.
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        memory: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError>;
}

/// No texture unit: every access is an error.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoImages;

impl Images for NoImages {
    fn access(
        &mut self,
        _request: &ImageRequest<'_>,
        _memory: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        Err(ImageError::NoImages)
    }
}
