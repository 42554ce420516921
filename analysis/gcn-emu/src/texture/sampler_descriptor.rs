//! Descriptors of samplers: four words.
//!
//! Source: ISA manuals of GCN3 and Vega, "sampler descriptor".

use sampler::{Compare, Filter, MipFilter, Sampler, Space, Wrap};

use crate::image::ImageError;

const MIP_FILTERS: [MipFilter; 3] = [MipFilter::None, MipFilter::Nearest, MipFilter::Linear];
const ONE: u32 = 0x3f80_0000;
/// The colours of borders that need no table.
const BORDERS: [[u32; 4]; 3] = [[0; 4], [0, 0, 0, ONE], [ONE; 4]];
/// Parts of a level that limits and the bias count.
const LEVEL: f32 = 256.0;

/// A descriptor, read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplerDescriptor {
    /// The state.
    pub sampler: Sampler,
    /// The unit of coordinates.
    pub space: Space,
}

/// The error of a state that no descriptor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the colour of a border is [0, 0, 0, 0], [0, 0, 0, 1] or [1, 1, 1, 1]: others are in a table"
)]
pub struct OtherBorder;

impl SamplerDescriptor {
    /// The words of a state.
    ///
    /// # Errors
    /// Its border needs a table.
    pub fn words(sampler: &Sampler) -> Result<[u32; 4], OtherBorder> {
        let wraps = sampler.wrap.iter().enumerate().fold(0, |all, (axis, own)| {
            let number = Wrap::ALL.iter().position(|wrap| wrap == own).unwrap_or(0);
            all | (number as u32) << (3 * axis)
        });
        let compare = Compare::ALL.iter().position(|own| *own == sampler.compare).unwrap_or(0);
        let level = |value: f32| (value.clamp(0.0, 15.996) * LEVEL) as u32;
        let bias = (sampler.bias.clamp(-32.0, 31.99) * LEVEL) as i32 as u32 & 0x3fff;
        let filter = |own: Filter| u32::from(own == Filter::Linear);
        let mip = MIP_FILTERS.iter().position(|own| *own == sampler.mip).unwrap_or(0);
        let border = BORDERS.iter().position(|own| *own == sampler.border).ok_or(OtherBorder)?;
        Ok([
            wraps | (compare as u32) << 12,
            level(sampler.least_detail) | level(sampler.greatest_detail) << 12,
            bias | filter(sampler.magnify) << 20
                | filter(sampler.minify) << 22
                | (mip as u32) << 26,
            (border as u32) << 30,
        ])
    }

    /// Reads the words of a descriptor.
    ///
    /// # Errors
    /// It asks for something that is not done.
    pub fn read(words: &[u32; 4]) -> Result<SamplerDescriptor, ImageError> {
        let field = |word: usize, shift: u32, width: u32| words[word] >> shift & ((1 << width) - 1);
        // Mirrored numbers stand behind each other in the table, so every number is one of it.
        let wrap = [0, 3, 6].map(|shift| Wrap::ALL[field(0, shift, 3) as usize & 7]);
        if field(0, 29, 2) != 0 {
            return Err(ImageError::Reduction);
        }
        let filter = |shift: u32| match field(2, shift, 2) {
            0 => Ok(Filter::Nearest),
            1 => Ok(Filter::Linear),
            _ => Err(ImageError::Anisotropic),
        };
        let border = field(3, 30, 2) as usize;
        let bias = ((field(2, 0, 14) << 18) as i32 >> 18) as f32 / LEVEL;
        let sampler = Sampler {
            wrap,
            minify: filter(22)?,
            magnify: filter(20)?,
            mip: MIP_FILTERS.get(field(2, 26, 2) as usize).copied().unwrap_or_default(),
            least_detail: field(1, 0, 12) as f32 / LEVEL,
            greatest_detail: field(1, 12, 12) as f32 / LEVEL,
            bias,
            compare: Compare::ALL[field(0, 12, 3) as usize & 7],
            border: *BORDERS.get(border).ok_or(ImageError::Border)?,
        };
        let space = if field(0, 15, 1) == 1 { Space::Texels } else { Space::Normalized };
        Ok(SamplerDescriptor { sampler, space })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for (number, wrap) in Wrap::ALL.into_iter().enumerate() {
            let sampler = Sampler {
                wrap: [wrap, Wrap::ALL[7 - number], Wrap::Repeat],
                minify: if number % 2 == 0 { Filter::Linear } else { Filter::Nearest },
                magnify: if number % 3 == 0 { Filter::Linear } else { Filter::Nearest },
                mip: MIP_FILTERS[number % 3],
                least_detail: number as f32 / 4.0,
                greatest_detail: 15.5,
                bias: number as f32 - 4.25,
                compare: Compare::ALL[number],
                border: BORDERS[number % 3],
            };
            let words = SamplerDescriptor::words(&sampler).expect("a border that has a number");
            let read = SamplerDescriptor::read(&words);
            assert_eq!(read, Ok(SamplerDescriptor { sampler, space: Space::Normalized }));
        }
        let odd = Sampler { border: [1; 4], ..Sampler::default() };
        assert_eq!(SamplerDescriptor::words(&odd), Err(OtherBorder));
    }

    #[test]
    fn what_is_not_done_is_told() {
        for (words, error) in [
            ([1 << 29, 0, 0, 0], ImageError::Reduction),
            ([0, 0, 2 << 20, 0], ImageError::Anisotropic),
            ([0, 0, 3 << 22, 0], ImageError::Anisotropic),
            ([0, 0, 0, 3 << 30], ImageError::Border),
        ] {
            assert_eq!(SamplerDescriptor::read(&words), Err(error));
        }
        let texels = SamplerDescriptor::read(&[1 << 15, 0, 0, 0]).expect("a sampler");
        assert_eq!(texels.space, Space::Texels);
    }
}
