//! The state of a sampler.

use crate::compare::Compare;
use crate::wrap::Wrap;

/// The filter within a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// The one that the place lies in.
    #[default]
    Nearest,
    /// The two nearest along each axis, weighted by distance.
    Linear,
}

/// The filter between levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MipFilter {
    /// Always the largest.
    #[default]
    None,
    /// The nearest to the level of detail.
    Nearest,
    /// The two around the level of detail, weighted.
    Linear,
}

/// The state of a sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// The wrap mode beyond the edges, by axis.
    pub wrap: [Wrap; 3],
    /// The filter where a pixel covers more than a texel.
    pub minify: Filter,
    /// The filter where it covers no more than one.
    pub magnify: Filter,
    /// The filter between levels.
    pub mip: MipFilter,
    /// The least level of detail.
    pub least_detail: f32,
    /// The greatest level of detail.
    pub greatest_detail: f32,
    /// Added to computed levels of detail.
    pub bias: f32,
    /// The comparison of a look-up with a reference value.
    pub compare: Compare,
    /// The texel that lies beyond the edges, where [`Wrap`] says so.
    pub border: [u32; 4],
}

impl Default for Sampler {
    /// Repeats, takes the nearest texel of the largest level; all levels of
    /// detail are allowed that hardware can say (0 to 15).
    fn default() -> Sampler {
        Sampler {
            wrap: [Wrap::default(); 3],
            minify: Filter::default(),
            magnify: Filter::default(),
            mip: MipFilter::default(),
            least_detail: 0.0,
            greatest_detail: 15.0,
            bias: 0.0,
            compare: Compare::default(),
            border: [0; 4],
        }
    }
}
