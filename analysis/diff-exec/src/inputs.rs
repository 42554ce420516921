//! The resources that a shader declares, filled with random contents.

use gcn::Generation;
use tgsi::ast::Shader;
use tgsi::words::{File, TextureTarget};
use tgsi_interp::{Absent, DeclaredImages, Image, Program, Resources, Sampled, Textures};

use crate::indices::IndexInputs;
use crate::random::{Distribution, Random};

/// Sides of random images: none is like another, but of cubes. Texels of those that are
/// buffers.
const IMAGE_SIDE: u32 = 8;
const IMAGE_HEIGHT: u32 = 7;
const IMAGE_DEPTH: u32 = 6;
const BUFFER_TEXELS: u32 = 64;
/// Words of a random shader buffer.
const BUFFER_WORDS: usize = 1024;
/// The most vectors of a constant buffer.
const MOST_CONSTANTS: usize = 4096;
/// Words of shared memory.
const SHARED_WORDS: usize = 8192;

/// The declared resources of a shader that lie in memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Demand {
    /// Vectors of each constant buffer.
    constants: Vec<usize>,
    pub(crate) buffers: usize,
    counters: Vec<usize>,
    /// The targets of the images by number.
    pub(crate) images: Vec<Option<TextureTarget>>,
    /// The components that the formats of the images do not store.
    pub(crate) absent: Vec<Absent>,
}

/// Returns the components that the format of an image does not store, of those of all images.
pub(crate) fn absent_of(absent: &[Absent], number: usize) -> Absent {
    absent.get(number).copied().unwrap_or_default()
}

fn grow<T: Clone + Default>(list: &mut Vec<T>, number: usize) -> Option<&mut T> {
    // Declared numbers are not bounded by the language.
    if number >= 64 {
        return None;
    }
    if list.len() <= number {
        list.resize(number + 1, T::default());
    }
    list.get_mut(number)
}

impl Demand {
    pub(crate) fn of(shader: &Shader) -> Demand {
        let mut demand = Demand::default();
        for own in DeclaredImages::all(shader) {
            for number in own.numbers.first..=own.numbers.last.min(15) {
                if let Some(absent) = grow(&mut demand.absent, number as usize) {
                    *absent = own.absent;
                }
            }
        }
        for declaration in shader.declarations() {
            let range = declaration.range.value;
            let dimension = declaration.dimension.flatten().map_or(0, |it| it.value.first);
            let count = range.last as usize + 1;
            match declaration.file.value {
                File::Constant => {
                    if let Some(own) = grow(&mut demand.constants, dimension as usize) {
                        *own = (*own).max(count.min(MOST_CONSTANTS));
                    }
                }
                File::Buffer => demand.buffers = demand.buffers.max(count.min(16)),
                File::HardwareAtomic => {
                    if let Some(own) = grow(&mut demand.counters, dimension as usize) {
                        *own = (*own).max(count.min(256));
                    }
                }
                File::Image => {
                    let target = declaration.image.as_ref().map(|image| image.target.value);
                    for number in range.first..=range.last.min(15) {
                        if let Some(own) = grow(&mut demand.images, number as usize) {
                            *own = target;
                        }
                    }
                }
                _ => {}
            }
        }
        demand
    }

    /// Tells whether nothing is declared but constants, and textures perhaps.
    pub(crate) fn is_constants(&self) -> bool {
        self.buffers == 0 && self.counters.is_empty() && self.images.is_empty()
    }

    /// Returns the components that the format of an image does not store.
    pub(crate) fn absent(&self, number: usize) -> Absent {
        absent_of(&self.absent, number)
    }

    /// Returns for each image whether it is a buffer.
    pub(crate) fn buffer_images(&self) -> Vec<bool> {
        self.images.iter().map(|target| *target == Some(TextureTarget::Buffer)).collect()
    }

    /// Returns for each image the machine's coordinates that are those of its box, in
    /// order.
    pub(crate) fn image_axes(&self, generation: Generation) -> Vec<&'static [usize]> {
        use TextureTarget as T;
        let axes = |target: &Option<TextureTarget>| -> &'static [usize] {
            match target {
                Some(T::Buffer | T::Texture1D) => &[0],
                // From gfx9 on what has one axis is given a second one.
                Some(T::Array1D) if generation >= Generation::Gfx9 => &[0, 2],
                Some(T::Array1D | T::Texture2D | T::Rectangle | T::Multisample2D) => &[0, 1],
                _ => &[0, 1, 2],
            }
        };
        self.images.iter().map(axes).collect()
    }

    /// Said contents, with zeros up to the ends that the shader declares: it may read
    /// constants without asking how many there are.
    pub(crate) fn complete(&self, mut explicit: Resources) -> Resources {
        if explicit.constants.len() < self.constants.len() {
            explicit.constants.resize(self.constants.len(), Vec::new());
        }
        for (own, count) in explicit.constants.iter_mut().zip(&self.constants) {
            own.resize(own.len().max(*count), [0; 4]);
        }
        if explicit.buffers.len() < self.buffers {
            explicit.buffers.resize(self.buffers, Vec::new());
        }
        explicit.shared = vec![0; SHARED_WORDS];
        explicit
    }

    /// Contents for all of it; those of `indices` are such that these mean registers.
    pub(crate) fn fill(
        &self,
        random: &mut Random,
        distribution: Distribution,
        program: &Program,
        indices: Option<&IndexInputs>,
    ) -> Resources {
        let mut words =
            |count: usize| -> Vec<u32> { (0..count).map(|_| random.value(distribution)).collect() };
        let constants = self.constants.iter().map(|count| words(4 * count).as_chunks().0.to_vec());
        let mut constants: Vec<Vec<[u32; 4]>> = constants.collect();
        let buffers = (0..self.buffers).map(|_| words(BUFFER_WORDS)).collect();
        let counters = self.counters.iter().map(|count| words(*count)).collect();
        let images = self.images.iter().map(|target| {
            let size = match (*target)? {
                TextureTarget::Buffer => [BUFFER_TEXELS, 1, 1],
                TextureTarget::Texture1D => [IMAGE_SIDE, 1, 1],
                TextureTarget::Array1D | TextureTarget::Texture2D | TextureTarget::Rectangle => {
                    [IMAGE_SIDE, IMAGE_HEIGHT, 1]
                }
                TextureTarget::Cube | TextureTarget::CubeArray => {
                    [IMAGE_SIDE, IMAGE_SIDE, IMAGE_DEPTH]
                }
                _ => [IMAGE_SIDE, IMAGE_HEIGHT, IMAGE_DEPTH],
            };
            let texels = size.iter().product::<u32>() as usize;
            Some(Image { size, texels: words(4 * texels).as_chunks().0.to_vec() })
        });
        let images = images.collect();
        let mut sampled = Sampled::default();
        sampled.make_up(program);
        if let Some(indices) = indices {
            indices.fit_constants(&mut constants, random);
        }
        Resources {
            constants,
            buffers,
            counters,
            images,
            textures: Textures::Sampled(sampled),
            shared: vec![0; SHARED_WORDS],
            ..Resources::default()
        }
    }
}
