//! The level of detail: how large a pixel is, in texels, as a logarithm.
//!
//! With derivatives `d/dx` and `d/dy` of the coordinates along the axes, in
//! texels of the largest level, the level of detail is the logarithm to base 2
//! of the longer of the two vectors (OpenGL 4.6 core specification, equations
//! 8.7 and 8.8 without an approximation), computed in double precision and
//! rounded once.

use crate::LANES;
use crate::Texture;
use crate::sampler::{MipFilter, Sampler};
use crate::shape::Space;

/// The source of the level of detail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Detail {
    /// Computed, with a bias of the shader's added; the sampler's is added too.
    Computed(f32),
    /// Given by the shader. The sampler's bias does not count.
    Explicit(f32),
}

impl Detail {
    /// Returns the level of detail within the sampler's limits. NaN counts as the least.
    pub(crate) fn limited(self, sampler: &Sampler) -> f32 {
        between(self.unlimited(sampler), sampler.least_detail, sampler.greatest_detail)
    }

    fn unlimited(self, sampler: &Sampler) -> f32 {
        match self {
            Detail::Computed(detail) => detail + sampler.bias,
            Detail::Explicit(detail) => detail,
        }
    }
}

/// The level of detail of a quad: its derivatives are the differences of lane 1
/// and of lane 2 from lane 0, one for all four lanes. Coordinates are by lane,
/// then axis.
pub fn implicit_detail(texture: &Texture, space: Space, quad: &[[f32; 3]; LANES]) -> f32 {
    let from_first = |lane: usize| std::array::from_fn(|axis| quad[lane][axis] - quad[0][axis]);
    derivative_detail(texture, space, [from_first(1), from_first(2)])
}

/// The level of detail from derivatives along x and along y. A cube's are those
/// of the place on the face ([`cube_derivatives`](crate::cube_derivatives)).
pub fn derivative_detail(texture: &Texture, space: Space, along: [[f32; 3]; 2]) -> f32 {
    let shape = texture.shape();
    let axes = shape.dimension.axes();
    let squares = along.map(|vector| {
        let mut sum = 0.0f64;
        for (axis, change) in vector.into_iter().enumerate().take(axes) {
            let scale = match space {
                Space::Normalized => f64::from(shape.size[axis]),
                Space::Texels => 1.0,
            };
            let change = f64::from(change) * scale;
            sum += change * change;
        }
        sum
    });
    // Half the logarithm of the square is that of the length.
    (0.5 * squares[0].max(squares[1]).log2()) as f32
}

/// Returns the answer to a query of the level of detail (LODQ): the level that is sampled,
/// within the sampler's and the texture's limits and rounded if only one is, and the level
/// of detail as computed.
pub fn query_detail(texture: &Texture, sampler: &Sampler, detail: Detail) -> [f32; 2] {
    let limited = detail.limited(sampler);
    let last = (texture.shape().levels - 1) as f32;
    let level = match sampler.mip {
        MipFilter::None => 0.0,
        MipFilter::Nearest => nearest_level(limited, last),
        MipFilter::Linear => between(limited, 0.0, last),
    };
    [level, detail.unlimited(sampler)]
}

/// The level nearest to a level of detail; of two the larger image.
pub(crate) fn nearest_level(detail: f32, last: f32) -> f32 {
    between((detail + 0.5).ceil() - 1.0, 0.0, last)
}

/// Returns a number within limits, of which the upper one counts more; NaN is the lower one. The
/// library's own limits leave open which sign a zero has that equals one of them.
pub(crate) fn between(number: f32, least: f32, most: f32) -> f32 {
    let raised = if number > least { number } else { least };
    if raised < most { raised } else { most }
}
