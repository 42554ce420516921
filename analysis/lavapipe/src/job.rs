//! The jobs of the executor and what becomes of them.

use serde::{Deserialize, Serialize};

/// One run. Modules are SPIR-V with the entry point `main`; resources are those of descriptor
/// set 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Job {
    /// The shaders, and how many of their invocations run.
    pub launch: Launch,
    /// The buffers: one for each binding of such that a module has.
    pub buffers: Vec<Buffer>,
    /// The textures: one for each binding of such that a module has.
    pub textures: Vec<Texture>,
    /// The storage images: one for each binding of such that a module has.
    pub images: Vec<Image>,
}

/// The shaders of a run, and how many of their invocations run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Launch {
    /// Vertices, of which nothing is drawn.
    Vertices {
        /// The module.
        module: Vec<u32>,
        /// The number of vertices.
        count: u32,
    },
    /// A quad of two by two pixels. The first three vertices of a shader cover them: their
    /// triangle has all corners within the view volume, and one at its upper left.
    Quad {
        /// The module of the vertices.
        vertex: Vec<u32>,
        /// The module of the pixels.
        fragment: Vec<u32>,
    },
    /// Groups of a compute shader.
    Grid {
        /// The module.
        module: Vec<u32>,
        /// The groups along each axis.
        groups: [u32; 3],
    },
}

/// The kind of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BufferKind {
    /// A uniform block.
    Uniform,
    /// A storage block.
    Storage,
    /// Texels, which are fetched.
    Texels(Texels),
    /// Texels, which are written to as an image.
    StorageTexels(Texels),
}

/// A buffer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Buffer {
    /// Its binding.
    pub binding: u32,
    /// Its kind.
    pub kind: BufferKind,
    /// Its contents.
    pub words: Vec<u32>,
}

/// The kind of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dimension {
    /// One axis.
    One,
    /// One axis and layers.
    OneArray,
    /// Two axes.
    Two,
    /// Two axes and layers.
    TwoArray,
    /// Three axes.
    Three,
    /// Six faces.
    Cube,
    /// Layers of six faces each.
    CubeArray,
}

/// The type of a texel's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Numbers {
    /// Floats.
    Float,
    /// Depths: the first word of each texel, a float.
    Depth,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
}

/// The type of a texel's words, and their number: 1, 2 or 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Texels {
    /// The type of the words.
    pub numbers: Numbers,
    /// The number of words.
    pub components: u32,
}

/// A filter within a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// The texels around, weighted.
    Linear,
}

/// A filter between levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MipFilter {
    /// The largest level alone.
    None,
    /// The nearest level.
    Nearest,
    /// The two around, weighted.
    Linear,
}

/// A wrap mode beyond the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wrap {
    /// The texture again.
    Repeat,
    /// The texture mirrored, again and again.
    Mirror,
    /// Its outermost texels.
    ClampToEdge,
    /// The texture mirrored once, then the outermost texels of that.
    MirrorClampToEdge,
    /// Zeros.
    ClampToZero,
}

/// The state of a sampler. Numbers are the bits of floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sampler {
    /// The wrap modes by axis.
    pub wrap: [Wrap; 3],
    /// The filter where a pixel covers more than a texel.
    pub minify: Filter,
    /// The filter where it covers no more than one.
    pub magnify: Filter,
    /// The filter between levels.
    pub mip: MipFilter,
    /// The least level of detail.
    pub least_detail: u32,
    /// The greatest level of detail.
    pub greatest_detail: u32,
    /// Added to levels of detail.
    pub bias: u32,
    /// The comparison with a reference, by its number in Vulkan (`VkCompareOp`); `None` where
    /// texels are looked up.
    pub compare: Option<u32>,
}

/// A texture and its sampler.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Texture {
    /// Its binding.
    pub binding: u32,
    /// Its kind.
    pub dimension: Dimension,
    /// The type of its texels.
    pub numbers: Numbers,
    /// Width, height, and depth or layers; axes that there are not count 1. The faces of cubes
    /// are layers.
    pub size: [u32; 3],
    /// The texels of each level: x fastest, then y, then z or layer.
    pub levels: Vec<Vec<[u32; 4]>>,
    /// The sampler.
    pub sampler: Sampler,
}

/// A storage image of one level.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Image {
    /// Its binding.
    pub binding: u32,
    /// Its kind.
    pub dimension: Dimension,
    /// The type of its texels.
    pub texels: Texels,
    /// As [`Texture::size`].
    pub size: [u32; 3],
    /// The words of its texels: x fastest, then y, then z or layer.
    pub words: Vec<u32>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The contents of the storage buffers afterwards, and behind them those of the storage images,
    /// each with its binding, in the order of the job.
    pub words: Vec<(u32, Vec<u32>)>,
}
