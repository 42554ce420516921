//! Filtering: the choice of texels around a place, and their blending.

use crate::cube;
use crate::detail::{Detail, between, nearest_level};
use crate::sampler::{Filter, MipFilter, Sampler};
use crate::shape::{Dimension, Space};
use crate::wrap::{Taps, Wrap, taps};
use crate::{Numbers, Texture};

/// The coordinates of a texture look-up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// The axes, then the layer, which is rounded (to even if it lies halfway)
    /// and kept within the texture. Of cubes: the place on the face from 1 to
    /// 2, then eight times the layer plus the face
    /// ([`cube_place`](crate::cube_place)).
    pub coordinates: [f32; 3],
    /// The unit of the axes.
    pub space: Space,
    /// Texels that the place is moved by, of the level looked at. Cubes have none.
    pub offset: [i32; 3],
    /// The value to compare texels with, if that is asked for.
    pub reference: Option<f32>,
}

/// 1.0, which a comparison leaves in w.
const ONE: u32 = 0x3f80_0000;

/// Returns a filtered texel. With a reference to compare with, the share of texels
/// that pass is in x, y and z, and 1 in w. Textures that are only fetched give 0.
///
/// A level of detail up to 0 magnifies.
pub fn sample(texture: &Texture, sampler: &Sampler, point: &Point, detail: Detail) -> [u32; 4] {
    if matches!(
        texture.shape().dimension,
        Dimension::Buffer | Dimension::Multisample | Dimension::MultisampleArray
    ) {
        return [0; 4];
    }
    let detail = match point.space {
        Space::Normalized => detail.limited(sampler),
        Space::Texels => 0.0,
    };
    // The level of detail at which minification begins is 0 for every pair of filters, one
    // of the two rules that OpenGL 4.6, section 8.15 lets implementations choose from.
    let mut filter = if detail > 0.0 { sampler.minify } else { sampler.magnify };
    let mut mip = sampler.mip;
    // Integers cannot be blended; results of comparisons can, whatever was compared.
    if !texture.numbers().are_filtered() && point.reference.is_none() {
        filter = Filter::Nearest;
        if mip == MipFilter::Linear {
            mip = MipFilter::Nearest;
        }
    }
    let last = (texture.shape().levels - 1) as f32;
    let (level, weight) = match mip {
        MipFilter::None => (0.0, 0.0),
        MipFilter::Nearest => (nearest_level(detail, last), 0.0),
        MipFilter::Linear => {
            let detail = between(detail, 0.0, last);
            (detail.floor(), f64::from(detail - detail.floor()))
        }
    };
    let view = View { texture, sampler, point, level: level as u32, filter };
    if filter == Filter::Nearest && weight == 0.0 && point.reference.is_none() {
        // Not through doubles: integers and NaNs keep their bits.
        return view.texel([0; 3], &view.all_taps());
    }
    // Blending of two levels is one sum over up to 16 texels, rounded once at the end. Behind
    // the last level the weight is 0, so the level that does not exist is never read.
    let mut sum = [0.0; 4];
    view.blend(1.0 - weight, &mut sum);
    View { level: view.level + 1, ..view }.blend(weight, &mut sum);
    let mut result = sum.map(|value| (value as f32).to_bits());
    if point.reference.is_some() {
        result[3] = ONE;
    }
    result
}

/// Returns one component of the four texels of the largest level that a linear
/// filter blends: those at (-, +), (+, +), (+, -) and (-, -) from the place. With a
/// reference to compare with, 1.0 for each that passes and 0.0 for others. 0 for
/// textures that have not two axes.
pub fn gather(texture: &Texture, sampler: &Sampler, point: &Point, component: usize) -> [u32; 4] {
    use Dimension as D;
    if !matches!(texture.shape().dimension, D::Two | D::TwoArray | D::Cube | D::CubeArray) {
        return [0; 4];
    }
    let view = View { texture, sampler, point, level: 0, filter: Filter::Linear };
    let taps = view.all_taps();
    [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[x, y]| {
        let texel = view.texel([x, y, 0], &taps);
        match point.reference {
            Some(_) => (view.passes(texel) as f32).to_bits(),
            None => texel[component & 3],
        }
    })
}

/// One level of a texture, looked at in one place.
struct View<'a> {
    texture: &'a Texture,
    sampler: &'a Sampler,
    point: &'a Point,
    level: u32,
    filter: Filter,
}

impl View<'_> {
    fn is_cube(&self) -> bool {
        self.texture.shape().dimension.is_cube()
    }

    /// The neighbours along each axis. Axes that there are not have one texel.
    fn all_taps(&self) -> [Taps; 3] {
        let size = self.texture.shape().level_size(self.level);
        let axes = self.texture.shape().dimension.axes();
        std::array::from_fn(|axis| {
            if axis >= axes {
                return Taps { texels: [Some(0); 2], numbers: [0; 2], weight: 0.0 };
            }
            let coordinate = f64::from(self.point.coordinates[axis]);
            let texels = f64::from(size[axis]);
            if self.is_cube() {
                // A place on a face never lies outside of it, but for rounding. The taps of a
                // linear filter may: their numbers before wrapping tell by how much, and
                // `cube::neighbour` finds them on the face beyond the edge. No border is read.
                let inside = ((coordinate - 1.0) * texels).clamp(0.0, texels);
                let mut taps = taps(Wrap::ClampToBorder, inside, size[axis], self.filter);
                if self.filter == Filter::Nearest {
                    taps.numbers = taps.numbers.map(|it| it.min(i64::from(size[axis]) - 1));
                }
                return taps;
            }
            let scaled = match self.point.space {
                Space::Normalized => coordinate * texels,
                Space::Texels => coordinate,
            };
            let moved = scaled + f64::from(self.point.offset[axis]);
            taps(self.sampler.wrap[axis], moved, size[axis], self.filter)
        })
    }

    /// The layer that the coordinate behind the axes names.
    fn layer(&self) -> i64 {
        let shape = self.texture.shape();
        if !shape.dimension.is_layered() {
            return 0;
        }
        let number = self.point.coordinates[shape.dimension.axes()].round_ties_even();
        // The conversion saturates, and NaN becomes 0.
        let number = number as i64;
        let layers = i64::from(shape.size[2]);
        if !self.is_cube() {
            return number.clamp(0, layers - 1);
        }
        let number = number.max(0);
        let (layer, face) = ((number >> 3).min(layers / 6 - 1), (number & 7).min(5));
        layer * 6 + face
    }

    /// One of the texels around the place; `which` chooses along each axis.
    fn texel(&self, which: [usize; 3], taps: &[Taps; 3]) -> [u32; 4] {
        let layer = self.layer();
        if self.is_cube() {
            let numbers = [taps[0].numbers[which[0]], taps[1].numbers[which[1]]];
            let size = self.texture.shape().level_size(self.level);
            let (face, [x, y]) = cube::neighbour(layer % 6, numbers, size);
            return self.texture.fetch_face([x, y, layer - layer % 6 + face], self.level);
        }
        let at: [Option<i64>; 3] = std::array::from_fn(|axis| taps[axis].texels[which[axis]]);
        let [Some(x), Some(y), Some(z)] = at else { return self.sampler.border };
        let dimension = self.texture.shape().dimension;
        let at = match (dimension.axes(), dimension.is_layered()) {
            (1, true) => [x, layer, 0],
            (2, true) => [x, y, layer],
            _ => [x, y, z],
        };
        self.texture.fetch_face(at, self.level)
    }

    /// The outcome of the comparison with a texel: 0 or 1.
    fn passes(&self, texel: [u32; 4]) -> f64 {
        let value = self.point.reference.unwrap_or(0.0);
        let value = match self.texture.numbers() {
            Numbers::Normalized if value < 0.0 => 0.0,
            Numbers::Normalized if value > 1.0 => 1.0,
            _ => value,
        };
        f64::from(u8::from(self.sampler.compare.passes(value, f32::from_bits(texel[0]))))
    }

    /// Adds the blended texels of the level, times a factor.
    fn blend(&self, factor: f64, sum: &mut [f64; 4]) {
        if factor == 0.0 {
            return;
        }
        let taps = self.all_taps();
        for corner in 0..8usize {
            let which = [corner & 1, corner >> 1 & 1, corner >> 2];
            let weight = (0..3).fold(factor, |weight, axis| match which[axis] {
                0 => weight * (1.0 - taps[axis].weight),
                _ => weight * taps[axis].weight,
            });
            // A texel that is infinite or NaN would make NaN of its weight 0.
            if weight == 0.0 {
                continue;
            }
            let texel = self.texel(which, &taps);
            let values = match self.point.reference {
                Some(_) => [self.passes(texel); 4],
                None => texel.map(|bits| f64::from(f32::from_bits(bits))),
            };
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum += weight * value;
            }
        }
    }
}

impl Texture {
    /// A texel by numbers that lie inside.
    fn fetch_face(&self, at: [i64; 3], level: u32) -> [u32; 4] {
        self.fetch(at.map(|number| number as i32), level, 0)
    }
}
