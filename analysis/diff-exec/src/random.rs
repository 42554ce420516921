//! Numbers that look random and come again, and numbers that are special.

/// A sequence of words.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

/// Floats where rules change: zeros, ones, infinities, NaN, the largest and smallest, and
/// denormals.
const SPECIAL_FLOATS: [u32; 16] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x3f00_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x8040_0000,
];

/// The number of ordinary ones among them, at the beginning of the list.
const MILD: usize = 4;

/// Integers where rules change.
const SPECIAL_INTEGERS: [u32; 8] = [0, 1, 2, 31, 32, u32::MAX, 0x7fff_ffff, 0x8000_0000];

/// The distribution of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distribution {
    /// Floats of ordinary size.
    Ordinary,
    /// Small whole numbers, as floats.
    Whole,
    /// Special floats among ordinary ones, few enough that most meet an ordinary one: two of them
    /// mostly make a NaN.
    Special,
    /// Zeros and ones among ordinary floats: functions that are not exact make anything
    /// of what is not an ordinary number.
    Mild,
    /// Integers of every size, special ones among them.
    Integers,
    /// Integers from 0 to 3, by which loops end and indices mostly stay inside.
    Numbers,
    /// The same numbers as floats.
    Counts,
    /// Either, at random.
    Indices,
}

/// The number of small integers: 0 to 3.
const SMALL: u32 = 4;

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Random {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
        Random { state }
    }

    /// The next word.
    pub fn word(&mut self) -> u32 {
        // The constants are those of Knuth's MMIX generator; the low bits are poor.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = self.state ^ self.state >> 29;
        (mixed >> 32) as u32
    }

    /// A number below another.
    pub fn below(&mut self, count: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(count)) >> 32) as u32
    }

    fn float(&mut self) -> u32 {
        // From -8 to 8 in steps that sums and products often keep exactly; one of four from 0
        // to 1, where depths and places in textures are.
        let steps = match self.below(4) {
            0 => self.below(1 << 10) as i32,
            _ => self.below(1 << 14) as i32 - (1 << 13),
        };
        (steps as f32 / 1024.0).to_bits()
    }

    pub(crate) fn value(&mut self, distribution: Distribution) -> u32 {
        let pick = |random: &mut Random, list: &[u32]| {
            let place = random.below(list.len() as u32) as usize;
            list.get(place).copied().unwrap_or(0)
        };
        match distribution {
            Distribution::Ordinary => self.float(),
            Distribution::Whole => (self.below(9) as f32 - 2.0).to_bits(),
            Distribution::Special if self.below(4) == 0 => pick(self, &SPECIAL_FLOATS),
            Distribution::Mild if self.below(2) == 0 => pick(self, &SPECIAL_FLOATS[..MILD]),
            Distribution::Special | Distribution::Mild => self.float(),
            Distribution::Numbers => self.below(SMALL),
            Distribution::Counts => (self.below(SMALL) as f32).to_bits(),
            Distribution::Indices if self.below(2) == 0 => self.below(SMALL),
            Distribution::Indices => (self.below(SMALL) as f32).to_bits(),
            Distribution::Integers => match self.below(4) {
                0 => pick(self, &SPECIAL_INTEGERS),
                1 => self.word(),
                _ => self.below(16),
            },
        }
    }
}
