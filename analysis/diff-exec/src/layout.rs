//! Memory as the lowering's lists of descriptors want it.
//!
//! All of it lies in the 32-bit address space whose upper half the lowering gives. The
//! slots of the lists are those of radeonsi, which the lowering follows: shader buffer i
//! at 15 - i and constant buffer i at 16 + i of the list of buffers; image i at 15 - i in
//! entries of eight words, and unit i at 8 + i in entries of sixteen, of the other.

use gcn::Generation;
use gcn_emu::Memory;
use lower::internal_buffers;
use tgsi_interp::open::Space;
use tgsi_interp::{Absent, Image, Resources, Textures};

use crate::descriptors::{elements, image_elements, raw};
use crate::error::Error;
use crate::inputs::{Demand, absent_of};
use crate::textures::{image_descriptor, sampler_descriptor, texture_descriptor};

/// The upper half of all addresses.
pub(crate) const HIGH: u64 = 0x8000 << 32;
/// The first address that is mapped: zero stays unmapped.
const FIRST: u32 = 0x1_0000;
/// Samples whose positions in pixels are known.
const SAMPLES: usize = 16;
/// Entries of the list of buffers.
const BUFFERS: usize = 32;
/// Images, and texture units, of their list.
const IMAGES: usize = 16;
const UNITS: usize = 32;
const FIRST_UNIT: usize = 8;
/// More words at once than any real shader asks for: a text may ask for terabytes.
const MOST_ZEROS: usize = 16 << 20;
/// Words behind everything that is mapped: wide loads may reach over an end.
const PADDING: usize = 16;

/// Memory that grows.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) memory: Memory,
    next: u32,
}

/// The addresses of the lists of descriptors and of the resources.
#[derive(Debug, Clone)]
pub(crate) struct DescriptorLists {
    pub(crate) internal: u32,
    /// The list of buffers, or constant buffer 0 itself.
    pub(crate) buffers: u32,
    pub(crate) images: u32,
    shader_buffers: Vec<u32>,
    counters: Vec<u32>,
    /// The addresses of buffer images, with their numbers of texels.
    buffer_images: Vec<Option<u32>>,
    /// The components that the formats of the images do not store.
    absent: Vec<Absent>,
}

impl Layout {
    pub(crate) fn new() -> Layout {
        Layout { memory: Memory::default(), next: FIRST }
    }

    /// Maps words, with some room behind them; gives the lower half of their address.
    ///
    /// # Errors
    /// Where there are too many.
    pub(crate) fn place(&mut self, words: &[u32]) -> Result<u32, Error> {
        let mut all = words.to_vec();
        all.resize(words.len() + PADDING, 0);
        let start = self.next;
        self.memory.map_words(HIGH | u64::from(start), &all).map_err(|_| Error::TooMuchMemory)?;
        let bytes = (all.len() as u32 * 4).next_multiple_of(256);
        self.next = start.checked_add(bytes).ok_or(Error::TooMuchMemory)?;
        Ok(start)
    }

    /// Maps words of zeros, as many as the text of a shader asks for.
    ///
    /// # Errors
    /// As [`Layout::place`].
    pub(crate) fn place_zeros(&mut self, words: usize) -> Result<u32, Error> {
        if words > MOST_ZEROS {
            return Err(Error::TooMuchMemory);
        }
        self.place(&vec![0; words])
    }

    /// Maps bytes of zeros at a fixed address.
    ///
    /// # Errors
    /// As [`Layout::place`].
    pub(crate) fn map(&mut self, start: u32, bytes: usize) -> Result<(), Error> {
        let mapped = self.memory.map(HIGH | u64::from(start), vec![0; bytes]);
        mapped.map_err(|_| Error::TooMuchMemory)
    }

    /// Puts other words where some are.
    ///
    /// # Errors
    /// There are none.
    pub(crate) fn change(&mut self, start: u32, words: &[u32]) -> Result<(), Error> {
        for (place, word) in (u64::from(start)..).step_by(4).zip(words) {
            let written = self.memory.write(HIGH | place, 4, u64::from(*word));
            written.map_err(|_| Error::NoMemory)?;
        }
        Ok(())
    }

    fn words(&self, start: u32) -> Vec<u32> {
        self.memory.words(HIGH | u64::from(start))
    }

    /// Lays out resources. `demand` is what the shader declares of them, and `single_constants`
    /// says whether constant buffer 0 comes in place of its list.
    ///
    /// # Errors
    /// A sentence, where they do not fit.
    pub(crate) fn resources(
        &mut self,
        resources: &Resources,
        demand: &Demand,
        single_constants: bool,
        generation: Generation,
    ) -> Result<DescriptorLists, Error> {
        let mut buffers = vec![[0; 4]; BUFFERS];
        let mut put = |words: &[u32], slot: Option<usize>, what| {
            let start = self.place(words)?;
            let slot = slot.and_then(|slot| buffers.get_mut(slot)).ok_or(Error::TooMany(what))?;
            *slot = raw(start, words.len());
            Ok(start)
        };
        let constants = (16..).zip(&resources.constants);
        let constants = constants
            .map(|(slot, vectors)| put(&vectors.concat(), Some(slot), "constant buffers"))
            .collect::<Result<Vec<u32>, Error>>()?;
        let mut put_all = |all: &[Vec<u32>], first: usize, what| {
            let all = (first..).zip(all);
            all.map(|(number, words)| put(words, 15_usize.checked_sub(number), what))
                .collect::<Result<Vec<u32>, Error>>()
        };
        let shader_buffers = put_all(&resources.buffers, 0, "shader buffers")?;
        let counters = put_all(&resources.counters, demand.buffers, "buffers of counters")?;
        let (images, placed) = self.images(resources, demand, generation)?;
        let list = match (single_constants, constants.first()) {
            (true, Some(start)) => *start,
            _ => self.place(buffers.as_flattened())?,
        };
        let positions = self.place(&[0.5_f32.to_bits(); 2 * SAMPLES])?;
        let mut internal = [[0; 4]; internal_buffers::COUNT as usize];
        internal[internal_buffers::SAMPLE_POSITIONS as usize] = raw(positions, 2 * SAMPLES);
        Ok(DescriptorLists {
            internal: self.place(internal.as_flattened())?,
            buffers: list,
            images,
            shader_buffers,
            counters,
            buffer_images: placed,
            absent: demand.absent.clone(),
        })
    }

    fn images(
        &mut self,
        resources: &Resources,
        demand: &Demand,
        generation: Generation,
    ) -> Result<(u32, Vec<Option<u32>>), Error> {
        let mut list = vec![0; IMAGES * 8 + UNITS * 16];
        let mut placed = Vec::new();
        let buffer_images = demand.buffer_images();
        for (number, image) in resources.images.iter().enumerate() {
            placed.push(None);
            let Some(image) = image else { continue };
            let slot = 8 * 15_usize.checked_sub(number).ok_or(Error::TooMany("images"))?;
            if buffer_images.get(number) == Some(&true) {
                let start = self.place(image.texels.as_flattened())?;
                placed[number] = Some(start);
                // A buffer has one axis, whatever the others say.
                let absent = demand.absent(number);
                let words = image_elements(start, image.size[0], absent, generation);
                list[slot + 4..slot + 8].copy_from_slice(&words);
            } else {
                let target = demand.images.get(number).copied().flatten();
                let words = image_descriptor(number, image, target, generation);
                list[slot..slot + 8].copy_from_slice(&words);
            }
        }
        let Textures::Sampled(sampled) = &resources.textures else {
            return Err(Error::RecordedTextures);
        };
        // A view may be looked at with the sampler of a unit that has no texture.
        for (unit, own) in list[16 * FIRST_UNIT..].chunks_exact_mut(16).enumerate() {
            own[12..].copy_from_slice(&sampler_descriptor(unit));
        }
        for (unit, texture) in sampled.textures.iter().enumerate() {
            let Some(texture) = texture else { continue };
            let slot = 16 * (FIRST_UNIT + unit);
            let own = list.get_mut(slot..slot + 16).ok_or(Error::TooMany("texture units"))?;
            if texture.shape().dimension == sampler::Dimension::Buffer {
                let count = texture.shape().size[0];
                let texels: Vec<[u32; 4]> =
                    (0..count).map(|at| texture.fetch([at as i32, 0, 0], 0, 0)).collect();
                let start = self.place(texels.as_flattened())?;
                own[4..8].copy_from_slice(&elements(start, count, generation));
                continue;
            }
            own[..8].copy_from_slice(&texture_descriptor(unit, texture, generation));
        }
        Ok((self.place(&list)?, placed))
    }
}

impl DescriptorLists {
    /// The words of resources as the machine left them, in the order and with the names
    /// of [`memory_of`]; `images` are those that are not buffers.
    pub(crate) fn read_back(
        &self,
        memory: &Memory,
        resources: &Resources,
        images: &[Option<Image>],
    ) -> Vec<Contents> {
        let layout = Layout { memory: memory.clone(), next: 0 };
        let mut after = resources.clone();
        let read = |start: u32, length: usize| {
            let mut words = layout.words(start);
            words.truncate(length);
            words
        };
        let buffers = after.buffers.iter_mut().zip(&self.shader_buffers);
        for (buffer, start) in buffers.chain(after.counters.iter_mut().zip(&self.counters)) {
            *buffer = read(*start, buffer.len());
        }
        for (number, image) in after.images.iter_mut().enumerate() {
            match (image.as_mut(), self.buffer_images.get(number).copied().flatten()) {
                (Some(image), Some(start)) => {
                    let words = read(start, image.texels.len() * 4);
                    let absent = absent_of(&self.absent, number);
                    keep_stored(&mut image.texels, words.as_chunks().0, absent);
                }
                _ => *image = images.get(number).cloned().flatten(),
            }
        }
        memory_of(&after)
    }
}

/// Takes over texels, but for the components that a format does not store.
pub(crate) fn keep_stored(texels: &mut [[u32; 4]], after: &[[u32; 4]], absent: Absent) {
    for (texel, after) in texels.iter_mut().zip(after) {
        for component in (0..4).filter(|it| absent[*it].is_none()) {
            texel[component] = after[component];
        }
    }
}

/// The words of a resource that a shader can change.
pub(crate) struct Contents {
    pub(crate) name: String,
    /// Its place among what words of memory may be.
    pub(crate) key: (Space, usize),
    pub(crate) words: Vec<u32>,
}

/// All that a shader can change, by name.
pub(crate) fn memory_of(resources: &Resources) -> Vec<Contents> {
    let of = |name: &str, space, number: usize, words| Contents {
        name: format!("{name}[{number}]"),
        key: (space, number),
        words,
    };
    let mut all = Vec::new();
    for (number, words) in resources.buffers.iter().enumerate() {
        all.push(of("BUFFER", Space::Buffer, number, words.clone()));
    }
    for (number, words) in resources.counters.iter().enumerate() {
        all.push(of("HWATOMIC", Space::Counter, number, words.clone()));
    }
    for (number, image) in resources.images.iter().enumerate() {
        let texels = image.as_ref().map_or(&[][..], |image| &image.texels);
        all.push(of("IMAGE", Space::Image, number, texels.concat()));
    }
    all
}
