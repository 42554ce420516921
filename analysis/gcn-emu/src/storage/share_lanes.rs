//! Values between lanes through the share's crossbar, without memory.
//!
//! Source: ISA manuals, DS_SWIZZLE_B32, DS_PERMUTE_B32, DS_BPERMUTE_B32. What comes from
//! a lane that is not active is 0. From gfx9 on DS_SWIZZLE_B32 turns lanes in a circle and
//! puts them into the order of a Fourier transform, too (RDNA ISA manuals, whose code for
//! it is printed; LLVM, AMDGPUInstPrinter, printSwizzle, reads it from gfx9 on).

use gcn::Generation;
use isa::gcn::operation::Share as Unit;

use super::share::Share;
use crate::wave::{LANES, Wave};

impl Share {
    pub(super) fn exchange(&self, wave: &mut Wave) {
        let (address, data, offset) = (self.address, self.data[0], self.offset);
        let exec = wave.exec();
        let alive = |lane: usize| exec >> lane & 1 == 1;
        let named = |wave: &Wave, lane: usize| {
            let place = wave.lane(address, lane).wrapping_add(offset);
            place as usize / 4 % LANES
        };
        let mut values = [0; LANES];
        for lane in wave.active() {
            match self.kind {
                Unit::Swizzle => {
                    let from = swizzled(lane, offset as usize, self.generation);
                    if alive(from) {
                        values[lane] = wave.lane(address, from);
                    }
                }
                // Each lane says where its value comes from.
                Unit::Pull => {
                    let from = named(wave, lane);
                    if alive(from) {
                        values[lane] = wave.lane(data, from);
                    }
                }
                // Each says where its value goes; of several that name one lane the highest wins.
                _ => values[named(wave, lane)] = wave.lane(data, lane),
            }
        }
        for lane in wave.active() {
            wave.set_lane(self.result, lane, values[lane]);
        }
    }
}

/// The lane that a lane reads: a permutation of quads, or one of 32 lanes.
fn swizzled(lane: usize, offset: usize, generation: Generation) -> usize {
    let (own, group) = (lane & 31, lane & 32);
    let (low, middle, high) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
    let within = match offset {
        0xe000.. if generation >= Generation::Gfx9 => {
            let reversed = (own as u8).reverse_bits() >> 3;
            usize::from(reversed) >> low.count_ones() | own & low
        }
        0xc000.. if generation >= Generation::Gfx9 => {
            let turned = if high & 1 == 0 { own + middle } else { own + 32 - middle };
            own & low | turned & !low & 31
        }
        0x8000.. => own & !3 | offset >> (2 * (own & 3)) & 3,
        _ => ((own & low) | middle) ^ high,
    };
    group | within
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(offset: usize, generation: Generation) -> Vec<usize> {
        (0..32).map(|lane| swizzled(lane, offset, generation) + 1).collect()
    }

    /// The examples of the manual, which counts lanes from 1.
    #[test]
    fn circles_and_transforms_are_those_of_the_manual() {
        for (offset, expected) in [
            (
                0xe000,
                "1 11 9 19 5 15 d 1d 3 13 b 1b 7 17 f 1f 2 12 a 1a 6 16 e 1e 4 14 c 1c 8 18 10 20",
            ),
            (
                0xe010,
                "1 9 5 d 3 b 7 f 2 a 6 e 4 c 8 10 11 19 15 1d 13 1b 17 1f 12 1a 16 1e 14 1c 18 20",
            ),
            (
                0xe01f,
                "1 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20",
            ),
            (
                0xc020,
                "2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20 1",
            ),
            (
                0xc420,
                "20 1 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f",
            ),
            (
                0xc021,
                "1 4 3 6 5 8 7 a 9 c b e d 10 f 12 11 14 13 16 15 18 17 1a 19 1c 1b 1e 1d 20 1f 2",
            ),
            (
                0xc421,
                "1f 2 1 4 3 6 5 8 7 a 9 c b e d 10 f 12 11 14 13 16 15 18 17 1a 19 1c 1b 1e 1d 20",
            ),
        ] {
            let lanes =
                expected.split(' ').map(|lane| usize::from_str_radix(lane, 16).expect(lane));
            assert_eq!(order(offset, Generation::Gfx9), lanes.collect::<Vec<_>>(), "{offset:x}");
            // Before gfx9 only the quads' bits count.
            let quads = order(offset & 0x80ff, Generation::Gfx8);
            assert_eq!(order(offset, Generation::Gfx8), quads, "{offset:x}");
        }
        assert_eq!(swizzled(40, 0xc020, Generation::Gfx9), 41);
        assert_eq!(swizzled(63, 0xc020, Generation::Gfx9), 32);
    }
}
