//! Look-ups of the texture unit: what an instruction asks, as the texture library takes it.

use gcn::Generation;
use sampler::{Detail, Dimension, Point, Sampler, Space, Texture};

use crate::image::{ImageAddress, ImageError, ImageOperation, ImageRequest};

/// A number of the texture unit, where denormals are zero.
pub fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}

fn number(bits: u32) -> f32 {
    flushed(f32::from_bits(bits))
}

/// A look-up of all lanes in a texture.
pub struct Lookup<'a> {
    /// The request.
    pub request: &'a ImageRequest<'a>,
    /// The texture.
    pub texture: &'a Texture,
    /// The sampler.
    pub sampler: Sampler,
    /// The unit of coordinates.
    pub space: Space,
    /// The generation: gfx9 gives what has one axis a second one, and older ones move gathers of
    /// integers.
    pub generation: Generation,
}

impl Lookup<'_> {
    fn dimension(&self) -> Dimension {
        self.texture.shape().dimension
    }

    /// The coordinates in the order of the texture library: of what has one axis, the
    /// second that gfx9 wants is left out.
    fn coordinates(&self, address: &ImageAddress) -> [u32; 4] {
        let [x, y, z, w] = address.coordinates;
        let single = matches!(self.dimension(), Dimension::One | Dimension::OneArray);
        if single && self.generation >= Generation::Gfx9 { [x, z, 0, w] } else { [x, y, z, w] }
    }

    fn place(&self, lane: usize) -> [f32; 3] {
        let [x, y, z, _] = self.coordinates(&self.request.addresses[lane]).map(number);
        // Older chips bound layer and face as the one number that they are, which loses the
        // face below 0; gfx9 bounds the layer alone (radeonsi of Mesa 19.2, which bounds the
        // layer itself up to gfx8).
        let bounds_layer = self.generation >= Generation::Gfx9;
        match self.dimension() {
            Dimension::CubeArray if bounds_layer && z < 0.0 => [x, y, z.rem_euclid(8.0)],
            _ => [x, y, z],
        }
    }

    fn point(&self, lane: usize) -> Point {
        let address = &self.request.addresses[lane];
        // Six bits with sign each.
        let offset = [0, 8, 16].map(|shift| ((address.offset >> shift) << 26) as i32 >> 26);
        let reference = self.request.access.reference.then(|| number(address.reference));
        Point { coordinates: self.place(lane), space: self.space, offset, reference }
    }

    fn detail(&self, lane: usize) -> Detail {
        let (request, address) = (self.request, &self.request.addresses[lane]);
        if request.access.level_zero {
            return Detail::Explicit(0.0);
        }
        if request.access.level {
            return Detail::Explicit(number(address.level));
        }
        if request.access.derivatives {
            let single = matches!(self.dimension(), Dimension::One | Dimension::OneArray);
            let along = address.derivatives.map(|direction| {
                let [x, y, z] = direction.map(number);
                if single { [x, 0.0, 0.0] } else { [x, y, z] }
            });
            return Detail::Computed(sampler::derivative_detail(self.texture, self.space, along));
        }
        let first = lane / 4 * 4;
        let quad = [0, 1, 2, 3].map(|inside| self.place(first + inside));
        let detail = sampler::implicit_detail(self.texture, self.space, &quad);
        let bias = if request.access.bias { number(address.bias) } else { 0.0 };
        Detail::Computed(if request.access.bias { detail + bias } else { detail })
    }

    /// The answer to a lane.
    ///
    /// # Errors
    /// The texture would be written.
    pub fn texel(&self, lane: usize) -> Result<[u32; 4], ImageError> {
        let (request, address) = (self.request, &self.request.addresses[lane]);
        Ok(match request.operation {
            ImageOperation::Sample => {
                sampler::sample(self.texture, &self.sampler, &self.point(lane), self.detail(lane))
            }
            ImageOperation::Gather => {
                let component = request.components.trailing_zeros() as usize;
                let mut point = self.point(lane);
                self.move_integers(&mut point);
                sampler::gather(self.texture, &self.sampler, &point, component)
            }
            ImageOperation::Load => {
                let at = self.coordinates(address);
                let axes = self.dimension().axes() + usize::from(self.dimension().is_layered());
                let sample = at[axes.min(3)];
                let [x, y, z, _] = at.map(|word| word as i32);
                if self.dimension().has_samples() {
                    self.texture.fetch([x, y, if axes > 2 { z } else { 0 }], 0, sample)
                } else {
                    self.texture.fetch([x, y, z], address.level, 0)
                }
            }
            ImageOperation::SizeQuery => self.size(address.level),
            ImageOperation::LevelQuery => {
                let [looked_at, computed] =
                    sampler::query_detail(self.texture, &self.sampler, self.detail(lane));
                [looked_at.to_bits(), computed.to_bits(), 0, 0]
            }
            ImageOperation::Store | ImageOperation::Atomic => {
                return Err(ImageError::Written);
            }
        })
    }

    /// Moves the place of a gather of integers as the hardware up to gfx8 does: it rounds to the
    /// nearest texel where it should take the one before, half a texel further (radeonsi of
    /// Mesa 19.2, which moves it back).
    fn move_integers(&self, point: &mut Point) {
        let integers = !self.texture.numbers().are_filtered();
        if self.generation > Generation::Gfx8 || !integers || point.reference.is_some() {
            return;
        }
        let size = self.texture.shape().level_size(0);
        for (place, texels) in point.coordinates.iter_mut().zip(size).take(2) {
            *place += match point.space {
                Space::Texels => 0.5,
                Space::Normalized => 0.5 / texels as f32,
            };
        }
    }

    /// The sizes of a level as the hardware answers: of cubes the faces of all layers, and
    /// layers of what has one axis behind a second one from gfx9 on.
    fn size(&self, level: u32) -> [u32; 4] {
        let [x, y, z, levels] = self.texture.query(level);
        match self.dimension() {
            Dimension::CubeArray => [x, y, z * 6, levels],
            Dimension::OneArray if self.generation >= Generation::Gfx9 => [x, 1, y, levels],
            _ => [x, y, z, levels],
        }
    }
}
