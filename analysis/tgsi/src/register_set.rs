//! Sets of register numbers.

use crate::ast::IndexRange;

/// The last register number that the token format can hold; declarations beyond it have a
/// warning of their own, and count as this one.
pub(crate) const LAST_REGISTER: u32 = 0xffff;

/// A set of register numbers, a bit each.
#[derive(Debug, Default, Clone)]
pub(crate) struct RegisterSet {
    /// The first 64 numbers: most shaders have no others, and so need no memory for them.
    first: u64,
    /// The bits of all others: there are many sets, and few that need this to grow.
    words: Box<[u64]>,
}

impl RegisterSet {
    /// Adds a range. Returns how many of its numbers were not there.
    pub(crate) fn insert(&mut self, range: IndexRange) -> u32 {
        if range.last < 64 {
            let bits = between(range.first, range.last);
            let count = (bits & !self.first).count_ones();
            self.first |= bits;
            return count;
        }
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
        if number < 64 {
            self.first |= 1 << number;
            return;
        }
        let number = number.min(LAST_REGISTER);
        *self.word_mut(number as usize / 64) |= 1 << (number % 64);
    }

    /// Tells whether no number is there.
    pub(crate) fn is_empty(&self) -> bool {
        self.first == 0 && self.words.iter().all(|word| *word == 0)
    }

    /// Tells whether all of its numbers are in another set.
    pub(crate) fn is_within(&self, other: &RegisterSet) -> bool {
        self.first & !other.first == 0
            && (1..=self.words.len()).all(|word| self.word(word) & !other.word(word) == 0)
    }

    /// The highest number.
    pub(crate) fn last(&self) -> Option<u32> {
        let word = (0..=self.words.len()).rev().find(|word| self.word(*word) != 0)?;
        Some(word as u32 * 64 + self.word(word).ilog2())
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
        (word, between(low as u32, high as u32))
    })
}

/// The bits of a word from one to another.
fn between(low: u32, high: u32) -> u64 {
    (u64::MAX << low) & (u64::MAX >> (63 - high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[u32]) -> RegisterSet {
        let mut set = RegisterSet::default();
        numbers.iter().for_each(|number| set.add(*number));
        set
    }

    #[test]
    fn numbers_are_there_up_to_the_last() {
        for numbers in [&[][..], &[0], &[63], &[64], &[0, 5, 63, 64, 127, 128, 4095], &[65535]] {
            let set = set(numbers);
            assert!((0..=LAST_REGISTER).all(|it| set.contains(it) == numbers.contains(&it)));
            assert_eq!(set.last(), numbers.last().copied());
            assert_eq!(set.is_empty(), numbers.is_empty());
        }
        // One beyond all counts as the last one.
        assert_eq!(set(&[70_000, 3]).last(), Some(LAST_REGISTER));
    }

    #[test]
    fn a_set_is_within_another_where_that_has_all_of_it() {
        let all = set(&[1, 64, 200]);
        for (numbers, is_within) in [
            (&[][..], true),
            (&[1, 64, 200], true),
            (&[200], true),
            (&[2], false),
            (&[1, 65], false),
            (&[64, 1_000], false),
        ] {
            assert_eq!(set(numbers).is_within(&all), is_within, "{numbers:?}");
        }
        assert!(!all.is_within(&set(&[1])) && set(&[1]).is_within(&all));
    }

    #[test]
    fn a_range_counts_its_new_numbers() {
        let mut set = set(&[3, 64]);
        let mut insert = |first, last| set.insert(IndexRange { first, last });
        assert_eq!([insert(0, 3), insert(0, 3), insert(60, 70), insert(63, 63)], [3, 0, 10, 0]);
        assert_eq!([insert(128, 1_000), insert(0, 127)], [873, 113]);
    }
}
