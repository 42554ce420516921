//! Descriptors of buffers, as drivers write them.
//!
//! InputSource: ISA manuals, "buffer resource descriptor"; which unit the number of records
//! has, as in the emulator's own descriptor.

use gcn::Generation;
use tgsi_interp::Absent;

/// The upper half of every address.
const HIGH: u32 = 0x8000;
/// The components in order; 32 bits each, floats: nothing is converted.
const COMPONENTS: u32 = 4 | 5 << 3 | 6 << 6 | 7 << 9;
const FLOAT: u32 = 7 << 12;
const UNSIGNED: u32 = 4 << 12;
const ONE_WORD: u32 = 4 << 15;
const FOUR_WORDS: u32 = 14 << 15;

/// A buffer of words that is addressed in bytes.
pub(crate) fn raw(start: u32, words: usize) -> [u32; 4] {
    [start, HIGH, words as u32 * 4, COMPONENTS | FLOAT | ONE_WORD]
}

/// A buffer of elements of four words.
pub(crate) fn elements(start: u32, count: u32, generation: Generation) -> [u32; 4] {
    // On gfx8 it counts bytes, since the buffer is not swizzled.
    let records = if generation == Generation::Gfx8 { count * 16 } else { count };
    [start, HIGH | 16 << 16, records, COMPONENTS | FLOAT | FOUR_WORDS]
}

/// The same for a buffer image: a format that does not store all components selects 0 or 1 for
/// the others.
pub(crate) fn image_elements(
    start: u32,
    count: u32,
    absent: Absent,
    generation: Generation,
) -> [u32; 4] {
    let mut words = elements(start, count, generation);
    for (shift, own) in [0, 3, 6, 9].into_iter().zip(absent) {
        let Some(bits) = own else { continue };
        words[3] = words[3] & !(7 << shift) | u32::from(bits != 0) << shift;
        if bits == 1 {
            // Numbers that are integers have an integer for 1.
            words[3] = words[3] & !FLOAT | UNSIGNED;
        }
    }
    words
}

/// A buffer of vertices, each of so many words.
pub(crate) fn vertices(start: u32, words: u32, count: u32, generation: Generation) -> [u32; 4] {
    let stride = words * 4;
    let records = if generation == Generation::Gfx8 { count * stride } else { count };
    [start, HIGH | stride << 16, records, COMPONENTS | FLOAT | FOUR_WORDS]
}

/// A single element of four words, which every index is given.
pub(crate) fn single(start: u32) -> [u32; 4] {
    [start, HIGH, 16, COMPONENTS | FLOAT | FOUR_WORDS]
}

/// Scratch memory of a wave: lanes side by side, a word at a time.
pub(crate) fn scratch(start: u32) -> [u32; 2] {
    const SWIZZLED: u32 = 1 << 31;
    [start, HIGH | SWIZZLED]
}
