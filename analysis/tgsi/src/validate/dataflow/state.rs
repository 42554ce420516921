//! The components that are written at a place.

use smallvec::{SmallVec, smallvec};

use super::places::Place;
use crate::ast::WriteMask;

/// The components of 16 registers, four bits each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Word {
    /// Components written on some path.
    pub(super) may: u64,
    /// Components that a broken statement may have written on some path.
    pub(super) unsure: u64,
    /// Components written on every path.
    pub(super) must: u64,
}

/// The components that are written when control stands at a place. Those of 32 registers need no
/// memory of their own.
#[derive(Debug, Clone)]
pub(super) struct State(SmallVec<[Word; 2]>);

/// The same components of one register, a bit each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub(super) may: u8,
    pub(super) unsure: u8,
    pub(super) must: u8,
}

impl State {
    /// Nothing is written yet.
    pub(super) fn empty(words: usize) -> State {
        State(smallvec![Word::default(); words])
    }

    /// The components of 16 registers.
    pub(super) fn word(&self, word: usize) -> Word {
        self.0[word]
    }

    /// The components of a register.
    #[inline]
    pub(super) fn of(&self, place: Place) -> Written {
        let word = self.0[place.word()];
        let bits = |all: u64| (all >> place.shift()) as u8 & WriteMask::ALL.0;
        Written { may: bits(word.may), unsure: bits(word.unsure), must: bits(word.must) }
    }

    /// Takes components of a register as written.
    #[inline]
    pub(super) fn write(&mut self, place: Place, mask: WriteMask) {
        let bits = u64::from(mask.0) << place.shift();
        let word = &mut self.0[place.word()];
        word.may |= bits;
        word.must |= bits;
    }

    /// Takes all components of a register as written by a broken statement, perhaps.
    pub(super) fn write_perhaps(&mut self, place: Place) {
        self.0[place.word()].unsure |= u64::from(WriteMask::ALL.0) << place.shift();
    }

    /// The same of all registers.
    pub(super) fn write_any(&mut self) {
        self.0.iter_mut().for_each(|word| word.unsure = u64::MAX);
    }

    /// Takes what may be written on another path to this place, too.
    pub(super) fn unite(&mut self, other: &State) {
        for (ours, theirs) in self.0.iter_mut().zip(&other.0) {
            ours.may |= theirs.may;
            ours.unsure |= theirs.unsure;
        }
    }

    /// Takes another path to this place.
    pub(super) fn join(&mut self, other: &State) {
        self.unite(other);
        let words = self.0.iter_mut().zip(&other.0);
        words.for_each(|(ours, theirs)| ours.must &= theirs.must);
    }

    /// Takes what another state writes behind this one.
    pub(super) fn follow(&mut self, other: &State) {
        self.unite(other);
        let words = self.0.iter_mut().zip(&other.0);
        words.for_each(|(ours, theirs)| ours.must |= theirs.must);
    }
}

/// Joins another way into a place.
pub(super) fn join(place: &mut Option<State>, other: Option<State>) {
    let Some(other) = other else { return };
    match place {
        None => *place = Some(other),
        Some(state) => state.join(&other),
    }
}
