//! Values between lanes through the share's crossbar, without memory.
//!
//! Source: ISA manuals, DS_SWIZZLE_B32, DS_PERMUTE_B32, DS_BPERMUTE_B32. What comes from
//! a lane that is not active is 0.

use crate::wave::{LANES, Wave};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    Swizzle,
    /// Each lane says where its value goes.
    Push,
    /// Each lane says where its value comes from.
    Pull,
}

impl Exchange {
    pub(super) fn find(word: &str) -> Option<Exchange> {
        Some(match word {
            "swizzle_b32" => Exchange::Swizzle,
            "permute_b32" => Exchange::Push,
            "bpermute_b32" => Exchange::Pull,
            _ => return None,
        })
    }

    pub(super) fn run(
        self,
        wave: &mut Wave,
        address: usize,
        data: usize,
        result: usize,
        offset: u16,
    ) {
        let exec = wave.exec();
        let alive = |lane: usize| exec >> lane & 1 == 1;
        let named = |wave: &Wave, lane: usize| {
            let place = wave.lane(address, lane).wrapping_add(offset.into());
            place as usize / 4 % LANES
        };
        let mut values = [0; LANES];
        for lane in wave.active() {
            match self {
                Exchange::Swizzle => {
                    let from = swizzled(lane, offset);
                    if alive(from) {
                        values[lane] = wave.lane(address, from);
                    }
                }
                Exchange::Pull => {
                    let from = named(wave, lane);
                    if alive(from) {
                        values[lane] = wave.lane(data, from);
                    }
                }
                // Of several that name one lane the highest wins.
                Exchange::Push => values[named(wave, lane)] = wave.lane(data, lane),
            }
        }
        for lane in wave.active() {
            wave.set_lane(result, lane, values[lane]);
        }
    }
}

/// The lane that a lane reads: a permutation of quads, or masks within 32 lanes.
fn swizzled(lane: usize, offset: u16) -> usize {
    let offset = usize::from(offset);
    if offset & 0x8000 != 0 {
        return lane & !3 | offset >> (2 * (lane & 3)) & 3;
    }
    let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
    lane & 32 | ((lane & and) | or) ^ xor
}
