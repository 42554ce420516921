//! Any words end somehow.

use gcn::Target;

use super::CHIPS;
use crate::{ImageError, ImageRequest, Images, LANES, Limits, Machine, Memory, Program, Wave};

/// A sequence without pattern (Steele, Lea and Flood's SplitMix64).
pub(super) struct Words(pub(super) u64);

impl Words {
    pub(super) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
    }
}

struct Anything(u32);

impl Images for Anything {
    fn access(
        &mut self,
        _: &ImageRequest<'_>,
        _: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        Ok(Box::new([[self.0; 4]; LANES]))
    }
}

/// The identifying bits of every encoding: width and value.
const PREFIXES: [(u32, u32); 22] = [
    (0, 0),
    (1, 0b0),
    (2, 0b10),
    (4, 0b1011),
    (9, 0b1_0111_1101),
    (9, 0b1_0111_1110),
    (9, 0b1_0111_1111),
    (5, 0b11000),
    (6, 0b110000),
    (7, 0b0111111),
    (7, 0b0111110),
    (6, 0b110100),
    (9, 0b1_1010_0111),
    (6, 0b110010),
    (6, 0b110101),
    (6, 0b110110),
    (6, 0b110111),
    (6, 0b111000),
    (6, 0b111010),
    (6, 0b111100),
    (6, 0b111110),
    (6, 0b110001),
];

/// A wave of registers at random, whose numbers are addresses and sizes that exist.
fn wave(words: &mut Words) -> Wave {
    let mut wave = Wave::new(u64::from(words.next()) << 32 | u64::from(words.next()));
    for scalar in 0..104 {
        wave.set_scalar(scalar, words.next() & 0x3f0);
    }
    for vector in 0..256 {
        let word = words.next();
        for lane in 0..LANES {
            wave.set_lane(vector, lane, word & 0xfc);
        }
    }
    wave
}

#[test]
fn any_words_end() {
    let mut words = Words(1);
    let mut ends = [0; 2];
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        let wave = wave(&mut words);
        for round in 0..1000 {
            let mut code = Vec::new();
            for _ in 0..if round % 4 == 0 { 4 } else { 1 } {
                let (width, value) = PREFIXES[words.next() as usize % PREFIXES.len()];
                let rest = words.next();
                let free = u32::MAX.checked_shr(width).unwrap_or(0);
                code.extend([value.checked_shl(32 - width).unwrap_or(0) | rest & free]);
                code.push(words.next());
            }
            code.push(0xbf81_0000);
            let program = Program::prepare(target, &code);
            let mut machine = Machine { waves: vec![wave.clone()], ..Machine::default() };
            machine.memory.map(0, vec![0xa5; 1 << 12]).expect("a mapping");
            machine.share = vec![1; 256];
            let limits = Limits { steps: 200, records: 50 };
            let ended = machine.run(&program, &mut Anything(words.next()), limits);
            ends[usize::from(ended.is_ok())] += 1;
        }
    }
    // Both happen: words that run to the end, and words that stop.
    assert!(ends.iter().all(|count| *count > 100), "{ends:?}");
}
