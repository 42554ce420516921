//! The search: variants of a text, the most promising first.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::figures::Figures;
use crate::random::Random;

/// The variants that are expanded at most while none of them is better: each has as many
/// variants as its text has moves.
const MOST_WAITING: usize = 256;

/// The moves of a text that are tried before the search looks elsewhere.
const AT_ONCE: usize = 12;

/// Moves in a row, at most, that the figures do not show.
const MOST_UNSEEN: u8 = 3;

/// A text that a move made of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The whole text.
    pub text: String,
    /// The move in words: `line 12 after line 15`.
    pub change: String,
    /// The condition that it needs and that the text does not show; empty where it needs none.
    pub assumes: String,
    /// The turn at which it is tried.
    pub promise: Promise,
}

/// Sizes of what a move may change: what may change much is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// The order of two statements, or one operand.
    Little,
    /// The place of a statement.
    Some,
    /// Control flow, or what is computed at all.
    Much,
}

/// Changes that keep the meaning of a text.
pub trait Moves {
    /// Everything that can be done with a text in one move.
    fn moves(&self, text: &str) -> Vec<Variant>;

    /// Completes a variant once it is tried; `None` where it comes to nothing. Whatever takes long
    /// waits until then.
    fn completed(&self, variant: Variant) -> Option<Variant> {
        Some(variant)
    }
}

/// The result of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// Both texts did the same on so many inputs.
    Equal {
        /// The inputs.
        inputs: u32,
        /// Results on them that the language leaves open, and which were not compared.
        open: u64,
    },
    /// They did not, which is a defect of a move; where.
    Differs(String),
    /// Nobody can say; why.
    Unproven(String),
}

/// Something that measures and proves variants, and knows when it is enough.
pub trait Bench {
    /// Measures a text; `None` where it does not compile.
    fn measure(&mut self, text: &str) -> Option<Figures>;
    /// Compares what a text does with what the first one does.
    fn prove(&mut self, text: &str) -> Proof;
    /// Tells whether there is time for one more; told how many were tried and the best figures.
    fn goes_on(&mut self, tried: usize, best: &Figures) -> bool;
}

/// A variant that is better and was proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The text.
    pub text: String,
    /// Its figures.
    pub figures: Figures,
    /// The moves that led to it, in order.
    pub changes: Vec<String>,
    /// The conditions that they need.
    pub assumes: Vec<String>,
    /// Inputs on which it does the same.
    pub inputs: u32,
    /// Results that the language leaves open.
    pub open: u64,
}

/// All that a search came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The figures of the text as it is; `None` where it does not compile.
    pub before: Option<Figures>,
    /// The best variant that was proven.
    pub found: Option<Found>,
    /// Variants that were measured.
    pub tried: usize,
    /// Variants that were better and did something else: defects.
    pub differing: Vec<(Vec<String>, String)>,
    /// The reason why a better variant was not proven.
    pub unproven: Option<String>,
    /// Set where every variant within reach was tried.
    pub is_complete: bool,
}

/// A text on the way.
#[derive(Debug, Clone)]
struct State {
    text: String,
    figures: Figures,
    changes: Vec<String>,
    assumes: Vec<String>,
    /// Moves since the figures changed last.
    unseen: u8,
    number: usize,
    /// The moves that were not tried yet, the most promising last; `None` where nobody looked.
    rest: Option<Vec<Variant>>,
}

/// Searches for a better variant of a text.
pub fn search(text: &str, moves: &dyn Moves, bench: &mut dyn Bench, seed: u64) -> Outcome {
    let mut outcome = Outcome::default();
    if !bench.goes_on(0, &Figures::default()) {
        return outcome;
    }
    let Some(before) = bench.measure(text) else { return outcome };
    outcome.before = Some(before);
    let mut random = Random::new(seed);
    let mut known: FxHashSet<u64> = FxHashSet::default();
    known.insert(FxBuildHasher.hash_one(text));
    let first = State {
        text: text.to_owned(),
        figures: before,
        changes: Vec::new(),
        assumes: Vec::new(),
        unseen: 0,
        number: 0,
        rest: None,
    };
    let mut better: Vec<State> = Vec::new();
    let mut best = before;
    let mut waiting = vec![first];
    'search: while let Some(mut state) = take_best(&mut waiting) {
        let mut rest = match state.rest.take() {
            Some(rest) => rest,
            None => in_order(moves.moves(&state.text), &mut random),
        };
        // The others wait while what a few led to is looked at.
        for variant in rest.split_off(rest.len().saturating_sub(AT_ONCE)).into_iter().rev() {
            if !known.insert(FxBuildHasher.hash_one(&variant.text)) {
                continue;
            }
            if !bench.goes_on(outcome.tried, &best) {
                break 'search;
            }
            let begun = FxBuildHasher.hash_one(&variant.text);
            let Some(variant) = moves.completed(variant) else { continue };
            let ended = FxBuildHasher.hash_one(&variant.text);
            if ended != begun && !known.insert(ended) {
                continue;
            }
            outcome.tried += 1;
            let Some(figures) = bench.measure(&variant.text) else { continue };
            let next = state.after(variant, figures, outcome.tried);
            if figures.order(&best).is_lt() {
                best = figures;
            }
            if figures.gains_on(&before) {
                better.push(next.clone());
            }
            if next.unseen <= MOST_UNSEEN {
                waiting.push(next);
            }
        }
        if !rest.is_empty() {
            state.rest = Some(rest);
            waiting.push(state);
        }
        thin_out(&mut waiting);
        outcome.is_complete = waiting.is_empty();
    }
    better.sort_by(|one, two| one.figures.order(&two.figures).then(one.number.cmp(&two.number)));
    prove(better, bench, &mut outcome);
    outcome
}

/// Proves the better variants, the best first, until one is equal.
fn prove(better: Vec<State>, bench: &mut dyn Bench, outcome: &mut Outcome) {
    for state in better {
        match bench.prove(&state.text) {
            Proof::Equal { inputs, open } => {
                let State { text, figures, changes, assumes, .. } = state;
                outcome.found = Some(Found { text, figures, changes, assumes, inputs, open });
                return;
            }
            Proof::Differs(place) => outcome.differing.push((state.changes, place)),
            Proof::Unproven(reason) => {
                outcome.unproven = Some(reason);
                return;
            }
        }
    }
}

impl State {
    fn after(&self, variant: Variant, figures: Figures, number: usize) -> State {
        let mut changes = self.changes.clone();
        changes.push(variant.change);
        let mut assumes = self.assumes.clone();
        if !variant.assumes.is_empty() && !assumes.contains(&variant.assumes) {
            assumes.push(variant.assumes);
        }
        let unseen = if figures == self.figures { self.unseen + 1 } else { 0 };
        State { text: variant.text, figures, changes, assumes, unseen, number, rest: None }
    }

    /// The order in which states are looked at: what is better, then what took fewer moves.
    fn rank(&self, other: &State) -> std::cmp::Ordering {
        let own = self.figures.order(&other.figures);
        own.then(self.changes.len().cmp(&other.changes.len())).then(self.number.cmp(&other.number))
    }
}

/// Moves in the order in which they are tried, the first one last: by their promise, else at
/// random.
fn in_order(mut variants: Vec<Variant>, random: &mut Random) -> Vec<Variant> {
    random.shuffle(&mut variants);
    variants.sort_by_key(|variant| variant.promise);
    variants
}

fn take_best(waiting: &mut Vec<State>) -> Option<State> {
    let best = waiting.iter().enumerate().min_by(|(_, one), (_, two)| one.rank(two))?.0;
    Some(waiting.swap_remove(best))
}

/// Keeps the best of the states that wait, a few of each figures: many texts compile to the same
/// code.
fn thin_out(waiting: &mut Vec<State>) {
    waiting.sort_by(State::rank);
    let mut alike: FxHashMap<Figures, usize> = FxHashMap::default();
    waiting.retain(|state| {
        let count = alike.entry(state.figures).or_default();
        *count += 1;
        *count <= 24
    });
    waiting.truncate(MOST_WAITING);
}
