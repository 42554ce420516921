//! Images as the hardware sees them: a descriptor says where their texels lie in memory, in which
//! form and of which format; a sampler's words say how they are filtered.
//!
//! Only what the manuals alone settle is done. Texels lie in rows ([`ImageDescriptor::place`]):
//! how tiles lie follows from tables that a driver gives the chip, and before gfx9 where levels
//! begin from the driver too, so that both are refused with a reason.

mod image_descriptor;
mod lookup;
mod sampler_descriptor;

use std::sync::Arc;

use gcn::Target;
use sampler::{Sampler, Shape, Texture};

use crate::image::{ImageError, ImageOperation, ImageRequest, Images};
use crate::memory::Memory;
use crate::wave::LANES;
pub use image_descriptor::{ImageDescriptor, TexelFormat};
pub use lookup::{Lookup, flushed};
pub use sampler_descriptor::SamplerDescriptor;

/// Textures that are kept decoded.
const MOST_KEPT: usize = 8;

/// A texture that was filtered, with the bytes that it was decoded from.
#[derive(Debug)]
struct Decoded {
    resource: [u32; 8],
    bytes: Vec<u8>,
    texture: Texture,
}

/// The texture unit of a chip over memory. Copies share what was decoded.
#[derive(Debug, Clone)]
pub struct MemoryImages {
    target: Target,
    /// The last textures, the newest last.
    decoded: Vec<Arc<Decoded>>,
}

impl MemoryImages {
    /// The texture unit of a chip.
    pub fn new(target: Target) -> MemoryImages {
        MemoryImages { target, decoded: Vec::new() }
    }

    /// The texture of a descriptor, decoded anew where its bytes are others.
    fn texture(
        &mut self,
        request: &ImageRequest<'_>,
        descriptor: &ImageDescriptor,
        memory: &Memory,
    ) -> Result<Arc<Decoded>, ImageError> {
        let (start, length) = descriptor.bytes()?;
        let bytes = memory.bytes_at(start, length).map_err(ImageError::Unmapped)?;
        let known = self
            .decoded
            .iter()
            .position(|own| own.resource == request.resource && own.bytes == bytes);
        let own = match known {
            Some(place) => self.decoded.remove(place),
            None => {
                let shape = descriptor.shape;
                let texels = descriptor.texels(memory)?;
                let texture = Texture::new(shape, descriptor.numbers(), &texels);
                let texture = texture.map_err(|_| ImageError::Shape)?;
                let bytes = bytes.to_vec();
                Arc::new(Decoded { resource: request.resource, bytes, texture })
            }
        };
        self.decoded.push(own.clone());
        if self.decoded.len() > MOST_KEPT {
            self.decoded.remove(0);
        }
        Ok(own)
    }

    fn filter(
        &mut self,
        request: &ImageRequest<'_>,
        descriptor: &ImageDescriptor,
        memory: &Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let SamplerDescriptor { sampler, space } = SamplerDescriptor::read(&request.sampler)?;
        let decoded = self.texture(request, descriptor, memory)?;
        let lookup = Lookup {
            request,
            texture: &decoded.texture,
            sampler,
            space: if request.unnormalized { sampler::Space::Texels } else { space },
            generation: self.target.generation(),
        };
        let mut texels = Box::new([[0; 4]; LANES]);
        for lane in lanes(request) {
            texels[lane] = lookup.texel(lane)?;
        }
        Ok(texels)
    }

    /// Loads, stores and atomics: single texels. Those outside read as 0 and are not written.
    fn texels(
        &self,
        request: &ImageRequest<'_>,
        descriptor: &ImageDescriptor,
        memory: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let mut texels = Box::new([[0; 4]; LANES]);
        let is_load = request.operation == ImageOperation::Load;
        if !is_load && !descriptor.keeps_order() {
            return Err(ImageError::Selected);
        }
        for lane in lanes(request) {
            let at = request.addresses[lane].coordinates;
            let level = if request.access.level { request.addresses[lane].level } else { 0 };
            let Some(place) = descriptor.place(at.map(|word| word as i32), level) else {
                continue;
            };
            match request.operation {
                ImageOperation::Store => descriptor.write(memory, place, request.data[lane])?,
                ImageOperation::Atomic => {
                    let old = descriptor.read_bits(memory, place)?;
                    let new = request.changed([old[0], old[1]], lane);
                    descriptor.write_bits(memory, place, new)?;
                    texels[lane] = old;
                }
                _ => texels[lane] = descriptor.read_texel(memory, place)?,
            }
        }
        Ok(texels)
    }
}

/// The lanes that ask.
fn lanes(request: &ImageRequest<'_>) -> impl Iterator<Item = usize> + use<> {
    let asking = request.lanes;
    (0..LANES).filter(move |lane| asking >> lane & 1 == 1)
}

impl Images for MemoryImages {
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        memory: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        if request.access.conversion != crate::Conversion::Format {
            return Err(ImageError::NoFormat);
        }
        // A descriptor of zeros is what the hardware takes for no image.
        if request.resource == [0; 8] {
            return Ok(Box::new([[0; 4]; LANES]));
        }
        let descriptor = ImageDescriptor::read(&request.resource, self.target.generation())?;
        match request.operation {
            ImageOperation::Sample | ImageOperation::Gather | ImageOperation::LevelQuery => {
                self.filter(request, &descriptor, memory)
            }
            ImageOperation::Load | ImageOperation::Store | ImageOperation::Atomic => {
                self.texels(request, &descriptor, memory)
            }
            ImageOperation::SizeQuery => {
                let empty = Texture::new(descriptor.shape, descriptor.numbers(), &[]);
                let texture = empty.map_err(|_| ImageError::Shape)?;
                let lookup = Lookup {
                    request,
                    texture: &texture,
                    sampler: Sampler::default(),
                    space: sampler::Space::Normalized,
                    generation: self.target.generation(),
                };
                let mut sizes = Box::new([[0; 4]; LANES]);
                for lane in lanes(request) {
                    sizes[lane] = lookup.texel(lane)?;
                }
                Ok(sizes)
            }
        }
    }
}

/// Tells whether a shape has texels, and not more than are decoded.
pub(crate) fn checked(shape: Shape) -> Result<Shape, ImageError> {
    shape.checked().map_err(|_| ImageError::Shape)
}
