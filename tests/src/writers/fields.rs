//! Fields of binary formats: where a number stands in some bytes, and numbers that hurt.

use crate::random_shaders::Numbers;

/// A number in a file.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its first byte.
    pub offset: usize,
    /// Its bytes: 1, 2, 4 or 8, the least significant first.
    pub width: usize,
}

impl Field {
    /// Returns the value.
    pub fn get(self, bytes: &[u8]) -> u64 {
        let mut value = [0; 8];
        for (to, from) in value.iter_mut().zip(bytes.iter().skip(self.offset).take(self.width)) {
            *to = *from;
        }
        u64::from_le_bytes(value)
    }

    /// Has it say something else; nothing beyond the end.
    pub fn set(self, bytes: &mut [u8], value: u64) {
        let places = bytes.iter_mut().skip(self.offset).take(self.width);
        places.zip(value.to_le_bytes()).for_each(|(to, from)| *to = from);
    }

    /// Puts a number in it that is near what it said, the file's length, or an edge.
    pub fn damage(self, bytes: &mut [u8], random: &mut Numbers) {
        let (length, said) = (bytes.len() as u64, self.get(bytes));
        let near =
            [said, length, length.wrapping_sub(said), 1 << 31, 1 << 32, 1 << 63, 0, u64::MAX];
        let value = match random.below(4) {
            0 => random.below(256) as u64,
            1 => said ^ 1 << random.below(8 * self.width),
            _ => {
                near[random.below(near.len())].wrapping_add(random.below(9) as u64).wrapping_sub(4)
            }
        };
        self.set(bytes, value);
    }
}

/// Damages words of which the first ones count others: one is another, gone, there twice, or
/// a count in its low or high bits is.
pub fn damage_words(words: &mut Vec<u32>, others: &[Vec<u32>], random: &mut Numbers) {
    let (at, bit) = (random.below(words.len()), 1 << random.below(32));
    if words.is_empty() {
        words.push(bit);
        return;
    }
    match random.below(8) {
        0 => words.truncate(at),
        1 => words.insert(at, bit),
        2 => drop(words.remove(at)),
        3 => {
            let other = &others[random.below(others.len())];
            let from = random.below(other.len());
            let until = (from + 1 + random.below(16)).min(other.len());
            words.splice(at..at, other[from..until].iter().copied());
        }
        4 => {
            // The lengths of a header and of a token stand in these bits.
            let (low, width) = [(0, 8), (4, 8), (8, 24), (12, 8)][random.below(4)];
            let mask = ((1_u64 << width) - 1) as u32;
            let count = (words[at] >> low & mask).wrapping_add(random.below(5) as u32);
            let count = [count.wrapping_sub(2), 0, mask][random.below(3)] & mask;
            words[at] = words[at] & !(mask << low) | count << low;
        }
        5 => words[at] = random.below(1 << 31) as u32 ^ bit,
        _ => words[at] ^= bit,
    }
}
