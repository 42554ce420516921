//! Scratch memory of a group's waves: memory of each work-item's own.
//!
//! Source: LLVM, AMDGPUUsage, "Private Segment Buffer", "Flat Scratch", "Memory Spaces" (words of
//! the lanes of a wave lie side by side), and the places of the apertures in the queue, 0x40 and
//! 0x44. The descriptor is that of swizzled words, an element of four bytes for each of 64 lanes
//! (GCN3 ISA, table of the buffer resource).

use gcn::{Generation, Target};
use isa::gcn::Feature;

use super::LaunchError;
use crate::aperture::Apertures;
use crate::wave::LANES;

/// The address of the scratch memory of a group's first wave.
pub(super) const SCRATCH: u64 = 0x4000_0000;
/// Bytes of scratch of a group, at most.
const MOST_BYTES: u64 = 16 << 20;
/// The bytes that scratch of a wave is a multiple of.
const GRANULE: u64 = 1024;
/// The second word of the descriptor: swizzled.
const SWIZZLED: u32 = 1 << 31;
/// The last word of the descriptor: components x to w, unsigned integers of 32 bits, elements of
/// four bytes, 64 indices side by side, the lane added.
const LAST_WORD: u32 =
    4 | 5 << 3 | 6 << 6 | 7 << 9 | 4 << 12 | 4 << 15 | 1 << 19 | 3 << 21 | 1 << 23;

/// Scratch memory of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scratch {
    /// Bytes of a work-item.
    pub bytes: u32,
    waves: u64,
}

impl Scratch {
    pub(super) fn of(bytes: u32, items: usize) -> Result<Scratch, LaunchError> {
        let own = Scratch { bytes, waves: items.div_ceil(LANES) as u64 };
        if own.length() > MOST_BYTES {
            return Err(LaunchError::Scratch(bytes));
        }
        Ok(own)
    }

    /// Bytes of a wave.
    fn of_wave(self) -> u64 {
        (u64::from(self.bytes).next_multiple_of(4) * LANES as u64).next_multiple_of(GRANULE)
    }

    /// Bytes of the group.
    fn length(self) -> u64 {
        self.of_wave() * self.waves
    }

    /// The offset of a wave's part.
    pub(super) fn offset(self, wave: usize) -> u32 {
        (self.of_wave() * wave as u64) as u32
    }

    /// The address of a lane's word at a byte, and nothing where it has no such byte.
    pub fn word(self, wave: usize, lane: usize, byte: usize) -> Option<u64> {
        let inside = (byte / 4 * LANES + lane) as u64 * 4;
        let is_there = byte < self.bytes as usize && lane < LANES && (wave as u64) < self.waves;
        is_there.then(|| SCRATCH + self.of_wave() * wave as u64 + inside)
    }

    /// The memory of the group, with zeros.
    pub(super) fn zeros(self) -> Option<Vec<u8>> {
        let length = self.length() as usize;
        (length > 0).then(|| vec![0; length])
    }

    /// The descriptor of the buffer.
    pub(super) fn descriptor(self, target: Target) -> [u32; 4] {
        // Gfx9 has no size of elements.
        let last = match target.generation() {
            Generation::Gfx9 => LAST_WORD & !(3 << 19),
            _ => LAST_WORD,
        };
        [SCRATCH as u32, SWIZZLED, self.length() as u32, last]
    }

    /// The registers of flat scratch: its address from gfx9 on; before its offset from a hidden
    /// base, and the bytes of a work-item.
    pub(super) fn flat(self, generation: Generation) -> u64 {
        match generation {
            Generation::Gfx9 => SCRATCH,
            _ => SCRATCH | u64::from(self.bytes) << 32,
        }
    }

    /// The apertures of a wave.
    pub(super) fn apertures(self, target: Target, wave: usize) -> Apertures {
        let usual = Apertures::default();
        match target.has(Feature::Gfx940Insts) {
            true => Apertures { hidden_private: SCRATCH + u64::from(self.offset(wave)), ..usual },
            false => usual,
        }
    }

    /// The queue, of which code before gfx9 reads the apertures.
    pub(super) fn queue(self, target: Target) -> [u32; 32] {
        let Apertures { shared, private, .. } = self.apertures(target, 0);
        let mut words = [0; 32];
        (words[0x40 / 4], words[0x44 / 4]) = (shared, private);
        words
    }
}
