//! The shape of a texture: its axes, layers, levels and samples.

use thiserror::Error;

/// The kinds of textures that shaders tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// A list of texels, only fetched.
    Buffer,
    /// One axis.
    One,
    /// One axis and layers.
    OneArray,
    /// Two axes. Rectangles are such, addressed in [`Space::Texels`].
    Two,
    /// Two axes and layers.
    TwoArray,
    /// Three axes.
    Three,
    /// Six faces.
    Cube,
    /// Layers of six faces each.
    CubeArray,
    /// Two axes and samples, only fetched.
    Multisample,
    /// Two axes, layers and samples, only fetched.
    MultisampleArray,
}

impl Dimension {
    /// Returns the number of coordinates that are filtered along. Cubes have two, on a
    /// face.
    pub fn axes(self) -> usize {
        match self {
            Dimension::Buffer | Dimension::One | Dimension::OneArray => 1,
            Dimension::Three => 3,
            _ => 2,
        }
    }

    /// Tells whether there are layers, named by the coordinate behind the axes. A cube's
    /// faces are layers.
    pub fn is_layered(self) -> bool {
        !matches!(
            self,
            Dimension::Buffer
                | Dimension::One
                | Dimension::Two
                | Dimension::Three
                | Dimension::Multisample
        )
    }

    /// Returns the place of a texel of the coordinates of an instruction: the axes, then the
    /// layer.
    pub fn place(self, coordinates: &[i32]) -> [i32; 3] {
        let axes = self.axes();
        let mut place = [0; 3];
        place[..axes].copy_from_slice(&coordinates[..axes]);
        if self.is_layered() {
            place[2] = coordinates[axes];
        }
        place
    }

    /// Tells whether it is a cube or layers of cubes.
    pub fn is_cube(self) -> bool {
        matches!(self, Dimension::Cube | Dimension::CubeArray)
    }

    /// Tells whether it may have more than one level.
    pub fn has_levels(self) -> bool {
        !matches!(self, Dimension::Buffer | Dimension::Multisample | Dimension::MultisampleArray)
    }

    /// Tells whether texels have samples.
    pub fn has_samples(self) -> bool {
        matches!(self, Dimension::Multisample | Dimension::MultisampleArray)
    }
}

/// The unit of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Space {
    /// 0 to 1 over the whole texture.
    #[default]
    Normalized,
    /// Texels of the largest level, which is the only one looked at.
    Texels,
}

/// Sizes of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The kind.
    pub dimension: Dimension,
    /// Width, height, and depth or number of layers, in texels of the largest
    /// level. Axes that there are not count 1. A cube's layers are its faces:
    /// six, or a multiple of it.
    pub size: [u32; 3],
    /// Levels, the largest included.
    pub levels: u32,
    /// Samples of a texel.
    pub samples: u32,
}

/// The error of a shape that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidShape {
    /// An axis, the levels or the samples count 0, or a cube has too few faces.
    #[error("a size is 0, or a cube has not six faces")]
    Empty,
    /// There are more than [`Shape::MOST_TEXELS`] texels.
    #[error("it has more than {} texels", Shape::MOST_TEXELS)]
    TooLarge,
}

impl Shape {
    /// Texels of all levels, layers and samples together, at most: 16 MiB.
    pub const MOST_TEXELS: u64 = 1 << 20;

    /// A shape of one level and one sample.
    pub fn single(dimension: Dimension, size: [u32; 3]) -> Shape {
        Shape { dimension, size, levels: 1, samples: 1 }
    }

    /// Width, height and depth or layers of a level. Layers do not shrink.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        let shrunk = |size: u32| size.checked_shr(level).unwrap_or(0).max(1);
        let [width, height, depth] = self.size;
        let depth = if self.dimension == Dimension::Three { shrunk(depth) } else { depth };
        [shrunk(width), shrunk(height), depth]
    }

    /// Texels of a level, samples counted.
    pub(crate) fn level_texels(&self, level: u32) -> u64 {
        let [width, height, depth] = self.level_size(level).map(u64::from);
        let area = width.saturating_mul(height);
        area.saturating_mul(depth).saturating_mul(self.samples.into())
    }

    /// Returns the number of texels of all levels.
    pub fn texels(&self) -> u64 {
        (0..self.levels).fold(0, |sum, level| sum.saturating_add(self.level_texels(level)))
    }

    /// The shape with axes that the kind does not have set to 1 and levels
    /// beyond the smallest left out.
    ///
    /// # Errors
    /// There are no texels, or too many.
    pub fn checked(mut self) -> Result<Shape, InvalidShape> {
        if self.dimension.axes() == 1 {
            self.size[1] = 1;
        }
        if self.dimension.axes() < 3 && !self.dimension.is_layered() {
            self.size[2] = 1;
        }
        if self.dimension == Dimension::Cube {
            self.size[2] = self.size[2].min(6);
        }
        if !self.dimension.has_samples() {
            self.samples = self.samples.min(1);
        }
        let faces = if self.dimension.is_cube() { 6 } else { 1 };
        let empty = self.size.contains(&0) || self.levels == 0 || self.samples == 0;
        if empty || self.size[2] < faces {
            return Err(InvalidShape::Empty);
        }
        let [width, height, depth] = self.size;
        let depth = if self.dimension == Dimension::Three { depth } else { 1 };
        let most = width.max(height).max(depth).ilog2() + 1;
        let most = if self.dimension.has_levels() { most } else { 1 };
        self.levels = self.levels.min(most);
        if self.texels() > Self::MOST_TEXELS {
            return Err(InvalidShape::TooLarge);
        }
        Ok(self)
    }
}
