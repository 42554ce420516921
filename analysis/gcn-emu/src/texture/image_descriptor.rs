//! Descriptors of images: eight words, or the first four of them.
//!
//! Source: ISA manuals of GCN3 and Vega, "image resource descriptor"; for the index of rows among
//! the tile modes of gfx6 to gfx8, which a driver sets, Linux (amdgpu, `gfx_v*_0.c`) and Mesa
//! (`si_pipe.h`), which agree on 8.

use gcn::Generation;
use sampler::{Dimension, Numbers, Shape};

use super::checked;
use crate::image::ImageError;
use crate::memory::Memory;
use crate::storage::format::{components, is_integer, packed, unpacked};

/// The tile mode of rows on gfx6 to gfx8, and the swizzle mode on gfx9.
const ROWS: u32 = 8;
const ROWS_GFX9: u32 = 0;
/// Bytes at whose multiples rows begin, where a descriptor says no other distance.
const ROW_BYTES: u64 = 256;

/// The format of texels: the numbers of data and number format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TexelFormat {
    /// The number of the data format: the bits of each component.
    pub data: u8,
    /// The number of the number format: the meaning of the bits.
    pub number: u8,
}

impl TexelFormat {
    /// The bits of each component, the lowest first; `None` for a format that is not decoded.
    pub fn components(self) -> Option<[u32; 4]> {
        components(self.data).filter(|_| matches!(self.number, 0..=5 | 7))
    }

    /// Bytes of a texel.
    fn bytes(self) -> u64 {
        u64::from(self.components().map_or(0, |bits| bits.iter().sum::<u32>())) / 8
    }

    /// The kind of numbers that texels hold.
    pub fn numbers(self) -> Numbers {
        match self.number {
            0 | 1 => Numbers::Normalized,
            4 => Numbers::Unsigned,
            5 => Numbers::Signed,
            _ => Numbers::Float,
        }
    }
}

/// A descriptor, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageDescriptor {
    /// The address of the first texel.
    pub address: u64,
    /// Its sizes.
    pub shape: Shape,
    /// Its format.
    pub format: TexelFormat,
    /// The source of each component: 0, 1, or 4 to 7 for those of memory.
    pub select: [u8; 4],
    /// Texels from a row to the next.
    pitch: u64,
    /// The layer of memory that is layer 0.
    first_layer: u64,
    /// The levels of memory, from which `shape` takes some.
    stored: StoredLevels,
}

/// The levels of an image in memory: of each layer all of them, one below the other, with the
/// distance of rows of the largest.
///
/// Source: AMD's address library in Mesa (`addrlib2.cpp`, `ComputeSurfaceAddrFromCoordLinear`): a
/// level begins at the row that is the sum of the heights before it, each of which is half the
/// one before, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StoredLevels {
    /// The level of memory that is the largest of the image.
    first: u32,
    /// All levels of memory.
    count: u32,
    /// Rows of the largest.
    height: u32,
}

impl StoredLevels {
    /// The rows of a number of levels.
    fn rows_of(self, levels: u32) -> u64 {
        let heights = std::iter::successors(Some(self.height), |rows| Some(rows.div_ceil(2)));
        heights.take(levels as usize).map(u64::from).sum()
    }

    /// The rows of a layer.
    fn rows(self) -> u64 {
        self.rows_of(self.count)
    }

    /// The row in its layer at which a level of the image begins.
    fn start(self, level: u32) -> u64 {
        self.rows_of(self.first + level)
    }
}

/// The kinds of images by the numbers of their types.
const TYPES: [(u32, Dimension); 6] = [
    (8, Dimension::One),
    (9, Dimension::Two),
    (10, Dimension::Three),
    (11, Dimension::Cube),
    (12, Dimension::OneArray),
    (13, Dimension::TwoArray),
];

impl ImageDescriptor {
    /// Describes an image whose rows begin at multiples of 256 bytes.
    pub fn of(address: u64, shape: Shape, format: TexelFormat) -> ImageDescriptor {
        let used = format.components().unwrap_or_default();
        let count = used.iter().filter(|bits| **bits > 0).count();
        // What a format lacks is 0, and 1 in the last component, as drivers have it.
        let select = std::array::from_fn(|place| match place {
            own if own < count => 4 + own as u8,
            3 => 1,
            _ => 0,
        });
        let pitch = pitch(shape.size[0], format);
        let stored = StoredLevels { first: 0, count: shape.levels, height: shape.size[1] };
        ImageDescriptor { address, shape, format, select, pitch, first_layer: 0, stored }
    }

    /// The bytes that the image takes.
    pub fn length(&self) -> u64 {
        let depth = u64::from(self.shape.size[2]);
        self.format.bytes() * self.pitch * self.stored.rows() * depth
    }

    /// The words of the descriptor.
    pub fn words(&self, generation: Generation) -> [u32; 8] {
        let [width, height, depth] = self.shape.size;
        let dimension = self.shape.dimension;
        let kind = match dimension {
            Dimension::CubeArray => 11,
            _ => TYPES.iter().find(|(_, own)| *own == dimension).map_or(9, |(number, _)| *number),
        };
        let (low, high) = ((self.address >> 8) as u32, (self.address >> 40) as u32);
        let format = u32::from(self.format.data) << 20 | u32::from(self.format.number) << 26;
        let selected = self.select.iter().enumerate();
        let selected = selected.fold(0, |all, (place, own)| all | u32::from(*own) << (3 * place));
        let last = self.first_layer as u32 + depth - 1;
        let pitch = (self.pitch as u32).saturating_sub(1) << 13;
        let last_level = self.stored.first + self.shape.levels - 1;
        let (mode, fourth, fifth) = match generation {
            Generation::Gfx9 => {
                (ROWS_GFX9, last, self.first_layer as u32 | (self.stored.count - 1) << 28)
            }
            _ if dimension == Dimension::Three => (ROWS, depth - 1, 0),
            _ => (ROWS, 0, self.first_layer as u32 | last << 13),
        };
        [
            low,
            high & 0xff | format,
            (width - 1) | ((height - 1) << 14),
            selected | self.stored.first << 12 | last_level << 16 | mode << 20 | kind << 28,
            fourth | pitch,
            fifth,
            0,
            0,
        ]
    }

    /// Reads the words of a descriptor.
    ///
    /// # Errors
    /// The reason why it is none, or none whose texels can be found.
    pub fn read(words: &[u32; 8], generation: Generation) -> Result<ImageDescriptor, ImageError> {
        let field = |word: usize, shift: u32, width: u32| words[word] >> shift & ((1 << width) - 1);
        let kind = field(3, 28, 4);
        let dimension = match TYPES.iter().find(|(number, _)| *number == kind) {
            Some((_, dimension)) => *dimension,
            None if kind > 13 => return Err(ImageError::Samples),
            None => return Err(ImageError::Descriptor(words[0])),
        };
        let is_gfx9 = generation == Generation::Gfx9;
        let mode = field(3, 20, 5);
        if mode != if is_gfx9 { ROWS_GFX9 } else { ROWS } {
            return Err(ImageError::Tiled(mode));
        }
        let (first_level, last_level) = (field(3, 12, 4), field(3, 16, 4));
        // Of three axes no text says how levels lie, nor of older chips, where drivers say it.
        if last_level > 0 && (!is_gfx9 || dimension == Dimension::Three) {
            return Err(ImageError::Levels);
        }
        let Some(levels) = (last_level + 1).checked_sub(first_level).filter(|it| *it > 0) else {
            return Err(ImageError::Shape);
        };
        let format = TexelFormat { data: field(1, 20, 6) as u8, number: field(1, 26, 4) as u8 };
        if format.components().is_none() {
            return Err(ImageError::Format(format.data, format.number));
        }
        let first_layer = field(5, 0, 13);
        let (last_layer, depth) = match is_gfx9 {
            true => (field(4, 0, 13), field(4, 0, 13) + 1),
            false => (field(5, 13, 13), field(4, 0, 13) + 1),
        };
        let layers = (last_layer + 1).saturating_sub(first_layer);
        let (first_layer, third) = match dimension {
            Dimension::Three => (0, depth),
            own if own.is_layered() => (first_layer, layers),
            _ => (first_layer, 1),
        };
        let dimension = match dimension {
            Dimension::Cube if layers > 6 => Dimension::CubeArray,
            own => own,
        };
        let whole = Shape {
            levels: last_level + 1,
            ..Shape::single(dimension, [field(2, 0, 14) + 1, field(2, 14, 14) + 1, third])
        };
        let whole = checked(whole)?;
        // Levels beyond the smallest one are none.
        let levels = levels.min(whole.levels.saturating_sub(first_level));
        let shape = Shape { size: whole.level_size(first_level), levels, ..whole };
        let shape = checked(shape)?;
        let most = if is_gfx9 { field(5, 28, 4) } else { 0 };
        let stored = StoredLevels {
            first: first_level,
            count: most.max(last_level) + 1,
            height: whole.size[1],
        };
        let width = u64::from(whole.size[0]);
        // Four words alone, and a distance that cannot be, leave it to the format.
        let said = u64::from(field(4, 13, if is_gfx9 { 16 } else { 14 })) + 1;
        let pitch = if said < width { pitch(whole.size[0], format) } else { said };
        Ok(ImageDescriptor {
            address: u64::from(words[0]) << 8 | u64::from(field(1, 0, 8)) << 40,
            shape,
            format,
            select: [0, 3, 6, 9].map(|shift| field(3, shift, 3) as u8),
            pitch,
            first_layer: first_layer.into(),
            stored,
        })
    }

    /// The kind of numbers that texels hold.
    pub(super) fn numbers(&self) -> Numbers {
        self.format.numbers()
    }

    /// Tells whether components are those of memory in order, as far as the format has them: what
    /// a store does in another order no manual says.
    pub(super) fn keeps_order(&self) -> bool {
        let used = self.format.components().unwrap_or_default().into_iter().zip(self.select);
        used.enumerate().all(|(place, (bits, own))| bits == 0 || usize::from(own) == 4 + place)
    }

    /// The address and length of all that may be read of it.
    pub(super) fn bytes(&self) -> Result<(u64, usize), ImageError> {
        let [width, _, depth] = self.shape.size.map(u64::from);
        let last = self.shape.levels - 1;
        let begin = self.stored.start(0);
        let end = self.stored.start(last) + u64::from(self.shape.level_size(last)[1]);
        let rows = self.stored.rows() * (depth - 1) + end - begin;
        let first = self.stored.rows() * self.first_layer + begin;
        let start = self.address + self.format.bytes() * self.pitch * first;
        let length = self.format.bytes() * (self.pitch * (rows - 1) + width);
        usize::try_from(length).map(|length| (start, length)).map_err(|_| ImageError::Shape)
    }

    /// The address of the texel of a level at the coordinates of an instruction: the axes, then
    /// the layer; `None` outside. Of what has one axis gfx9 takes a second coordinate where the
    /// type says two.
    pub fn place(&self, at: [i32; 4], level: u32) -> Option<u64> {
        let full = self.shape.dimension.place(&at);
        (level < self.shape.levels).then_some(())?;
        let [width, height, depth] = self.shape.level_size(level);
        let inside = |at: i32, size: u32| u32::try_from(at).ok().filter(|at| *at < size);
        let x = u64::from(inside(full[0], width)?);
        let y = u64::from(inside(full[1], height)?);
        let z = u64::from(inside(full[2], depth)?) + self.first_layer;
        let row = z * self.stored.rows() + self.stored.start(level) + y;
        Some(self.address + (row * self.pitch + x) * self.format.bytes())
    }

    /// The coordinates of a texel of a number and its level: x fastest, then y, then z or the
    /// layer, then the levels; `None` where there are not so many.
    pub fn coordinates(&self, number: usize) -> Option<([i32; 4], u32)> {
        let mut number = number;
        for level in 0..self.shape.levels {
            let [width, height, depth] = self.shape.level_size(level).map(|size| size as usize);
            let count = width * height * depth;
            if number >= count {
                number -= count;
                continue;
            }
            let [x, y, z] = [number % width, number / width % height, number / (width * height)];
            let kind = (self.shape.dimension.axes(), self.shape.dimension.is_layered());
            let at = match kind {
                (1, true) => [x as i32, z as i32, 0, 0],
                _ => [x as i32, y as i32, z as i32, 0],
            };
            return Some((at, level));
        }
        None
    }

    /// The address of a texel of a number; `None` where there are not so many.
    pub fn texel_place(&self, number: usize) -> Option<u64> {
        let (at, level) = self.coordinates(number)?;
        self.place(at, level)
    }

    /// A texel of a number as registers hold it.
    pub fn texel(&self, memory: &Memory, number: usize) -> Option<[u32; 4]> {
        self.read_texel(memory, self.texel_place(number)?).ok()
    }

    /// All texels by their numbers.
    pub(super) fn texels(&self, memory: &Memory) -> Result<Vec<[u32; 4]>, ImageError> {
        let places = (0..self.shape.texels() as usize).filter_map(|own| self.texel_place(own));
        places.map(|place| self.read_texel(memory, place)).collect()
    }

    /// The components of memory as bits, the lowest first.
    pub(super) fn read_bits(&self, memory: &Memory, place: u64) -> Result<[u32; 4], ImageError> {
        let bits = self.format.components().unwrap_or_default();
        let mut all = 0_u128;
        let bytes = self.format.bytes();
        for at in (0..bytes).step_by(8) {
            let own = memory.read(place + at, (bytes - at).min(8) as usize);
            all |= u128::from(own.map_err(ImageError::Unmapped)?) << (8 * at);
        }
        let mut shift = 0;
        Ok(bits.map(|width| {
            let own = (all >> shift) as u32;
            shift += width;
            if width == 32 { own } else { own & ((1_u32 << width) - 1) }
        }))
    }

    /// A texel as registers hold it.
    pub fn read_texel(&self, memory: &Memory, place: u64) -> Result<[u32; 4], ImageError> {
        let bits = self.format.components().unwrap_or_default();
        let found = self.read_bits(memory, place)?;
        let number = self.format.number;
        let one = if is_integer(number) { 1 } else { 1.0_f32.to_bits() };
        Ok(self.select.map(|own| match own {
            1 => one,
            4..=7 => match bits[usize::from(own) - 4] {
                0 => 0,
                width => unpacked(found[usize::from(own) - 4], width, number),
            },
            _ => 0,
        }))
    }

    pub(super) fn write_bits(
        &self,
        memory: &mut Memory,
        place: u64,
        new: [u32; 2],
    ) -> Result<(), ImageError> {
        let bytes = self.format.bytes().min(8) as usize;
        let value = u64::from(new[0]) | u64::from(new[1]) << 32;
        memory.write(place, bytes, value).map_err(ImageError::Unmapped)
    }

    /// Writes a texel, as registers hold it.
    pub fn write(
        &self,
        memory: &mut Memory,
        place: u64,
        texel: [u32; 4],
    ) -> Result<(), ImageError> {
        let mut all = 0_u128;
        let mut shift = 0;
        let bits = self.format.components().unwrap_or_default();
        for (word, width) in texel.into_iter().zip(bits).filter(|(_, width)| *width > 0) {
            all |= u128::from(packed(word, width, self.format.number)) << shift;
            shift += width;
        }
        let bytes = self.format.bytes();
        for at in (0..bytes).step_by(8) {
            let own = (all >> (8 * at)) as u64;
            let written = memory.write(place + at, (bytes - at).min(8) as usize, own);
            written.map_err(ImageError::Unmapped)?;
        }
        Ok(())
    }
}

/// Texels from a row to the next, where each begins at a multiple of [`ROW_BYTES`].
fn pitch(width: u32, format: TexelFormat) -> u64 {
    let bytes = format.bytes().max(1);
    let mut pitch = u64::from(width);
    while !(pitch * bytes).is_multiple_of(ROW_BYTES) {
        pitch += 1;
    }
    pitch
}
