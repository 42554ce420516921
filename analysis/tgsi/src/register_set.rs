//! Sets of register numbers.

use crate::ast::IndexRange;

/// The last register number that the token format can hold; declarations beyond it have a
/// warning of their own, and count as this one.
pub(crate) const LAST_REGISTER: u32 = 0xffff;

/// A set of register numbers, a bit each.
#[derive(Default)]
pub(crate) struct RegisterSet {
    /// The first 64 numbers: most shaders have no others, and so need no memory for them.
    first: u64,
    /// The bits of all others: there are many sets, and few that need this to grow.
    words: Box<[u64]>,
}

impl RegisterSet {
    /// Adds a range. Returns how many of its numbers were not there.
    pub(crate) fn insert(&mut self, range: IndexRange) -> u32 {
        let mut count = 0;
        for (word, bits) in parts(range) {
            let known = self.word_mut(word);
            count += (bits & !*known).count_ones();
            *known |= bits;
        }
        count
    }

    #[inline]
    fn word(&self, word: usize) -> u64 {
        match word.checked_sub(1) {
            None => self.first,
            Some(word) => self.words.get(word).copied().unwrap_or_default(),
        }
    }

    #[inline]
    fn word_mut(&mut self, word: usize) -> &mut u64 {
        let Some(word) = word.checked_sub(1) else { return &mut self.first };
        if self.words.len() <= word {
            let mut words = std::mem::take(&mut self.words).into_vec();
            words.resize(word + 1, 0);
            self.words = words.into_boxed_slice();
        }
        &mut self.words[word]
    }

    /// Adds a number.
    pub(crate) fn add(&mut self, number: u32) {
        let number = number.min(LAST_REGISTER);
        *self.word_mut(number as usize / 64) |= 1 << (number % 64);
    }

    /// Tells whether any number of a range is there.
    pub(crate) fn intersects(&self, range: IndexRange) -> bool {
        // Behind the last word nothing is there.
        let end = (self.words.len() as u32 + 1) * 64 - 1;
        if range.first > end {
            return false;
        }
        let range = IndexRange { last: range.last.min(end), ..range };
        parts(range).any(|(word, bits)| self.word(word) & bits != 0)
    }

    /// Tells whether a number is there.
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.word(number as usize / 64) >> (number % 64) & 1 == 1
    }
}

/// The words that a range touches, and its bits in each.
fn parts(range: IndexRange) -> impl Iterator<Item = (usize, u64)> {
    let (first, last) =
        (range.first.min(LAST_REGISTER) as usize, range.last.min(LAST_REGISTER) as usize);
    (first / 64..=last / 64).map(move |word| {
        let low = if word == first / 64 { first % 64 } else { 0 };
        let high = if word == last / 64 { last % 64 } else { 63 };
        (word, (u64::MAX << low) & (u64::MAX >> (63 - high)))
    })
}
