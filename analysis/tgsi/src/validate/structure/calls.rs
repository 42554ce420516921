//! The labels of calls as evidence: each names a subroutine.

use rustc_hash::FxHashSet;

use super::evidence::Evidence;
use super::sequence::{Element, Sequence};
use crate::validate::{Block, Nesting};

/// The labels of calls, and what they may name.
pub(super) struct Calls {
    labels: Vec<u32>,
    /// The numbers of subroutines: those that are printed, else their places.
    begins: FxHashSet<u32>,
}

/// The most labels that are looked at.
const MOST_CALLS: usize = 32;

impl Calls {
    pub(super) fn of(sequence: &Sequence) -> Calls {
        let elements = || sequence.elements.iter().enumerate();
        let is_begin = |it: &Element| it.nesting == Some(Nesting::Open(Block::Subroutine));
        let begins = elements().filter(|(_, it)| is_begin(it));
        let number = |(at, it): (usize, &Element)| match sequence.numbered {
            true => it.number,
            false => u32::try_from(at).ok(),
        };
        let begins = begins.filter_map(number).collect();
        let calls = elements().filter(|(_, it)| it.nesting.is_none());
        let mut labels: Vec<u32> = calls.filter_map(|(_, it)| it.label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels.truncate(MOST_CALLS);
        Calls { labels, begins }
    }

    /// Counts the labels that name no subroutine where a word is put in.
    pub(super) fn wrong(
        &self,
        sequence: &Sequence,
        evidence: &Evidence<'_>,
        (place, word): (usize, Nesting),
    ) -> u32 {
        if self.labels.is_empty() {
            return 0;
        }
        let opens = word == Nesting::Open(Block::Subroutine);
        let (first, last) = evidence.names_at(place);
        let is_named = |label: &&u32| {
            let (label, place) = (**label, place as u32);
            let is_begin = match sequence.numbered {
                true => self.begins.contains(&label),
                false if label < place => self.begins.contains(&label),
                false => label > place && self.begins.contains(&(label - 1)),
            };
            is_begin || (opens && (first..=last).contains(&label))
        };
        self.labels.iter().filter(|it| !is_named(it)).count() as u32
    }
}
