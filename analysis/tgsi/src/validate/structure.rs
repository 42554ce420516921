//! Words of structure that are missing, and the places where they stood.
//!
//! Each place at which one word more makes all blocks close is a candidate. The text says which
//! of them it was: gaps in the numbers, labels, indentation, what the blocks would hold, and the
//! values that the program would read, write and leave its loops by. A place is sure where it
//! agrees with all that this text has of such evidence, and each other candidate contradicts some
//! of it.

mod calls;
mod evidence;
mod openers;
mod sequence;
mod sweep;
mod telling;
mod values;

use crate::ast::{Instruction, Shader};
use crate::report::Report;
use crate::validate::{Block, Nesting};
use evidence::{BODY, Evidence, LABELS, NUMBERS};
pub(crate) use openers::{missing_word, missing_word_before};
use sequence::{Counted, Element, Sequence};
use sweep::{Candidate, Candidates, Wanted, candidates};
use values::Values;

use super::gaps::Gaps;

/// The most words that are looked for in one shader.
const MOST: usize = 4;

/// A word that is missing.
struct Missing {
    /// Its place in the sequence that has all missing words.
    place: usize,
    word: Nesting,
    /// The element of the block that it opens, closes or parts.
    partner: usize,
    sure: Sureness,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sureness {
    Sure,
    /// Others are possible.
    Open,
}

/// Reports the words that are missing in a shader whose blocks do not close, and tells whether
/// words that belong into blocks are still outside with them. `None` where the blocks do not close
/// with a few words more either, or nothing is sure that is not `known` in as many diagnostics.
pub(super) fn check_blocks(
    shader: &Shader,
    gaps: &Gaps<'_>,
    known: usize,
    report: &mut Report,
) -> Option<Insides> {
    let mut sequence = Sequence::of(shader, counted(gaps));
    // A broken statement may read and write what is not known.
    let values = if gaps.exist() { None } else { Values::of(shader) };
    let mut words = missing_blocks(&mut sequence, values.as_ref())?;
    if known <= words.len() && words.iter().all(|it| it.sure == Sureness::Open) {
        return None;
    }
    telling::tell(shader, &sequence, &mut words, report);
    let sound = sweep::closes(&sequence, &Evidence::new(&sequence));
    Some(if sound { Insides::Inside } else { Insides::Outside })
}

/// The places of words that belong into blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Insides {
    Inside,
    /// Some stand in no block.
    Outside,
}

/// Reports an `ELSE` that is missing: the blocks close without it, but some labels are wrong that
/// it would make right. All instructions have been read.
pub(crate) fn check_alternatives(shader: &Shader, report: &mut Report) -> Option<()> {
    // Only labels tell of one.
    let says_nothing = |it: &Instruction| it.label.is_none_or(|label| label.value == 0);
    if shader.instructions().all(says_nothing) {
        return None;
    }
    // Numbers without a gap leave no room for one.
    let follows = |(it, place): (&Instruction, u32)| it.number.is_some_and(|it| it.value == place);
    if shader.instructions().zip(0..).all(follows) {
        return None;
    }
    let mut sequence = Sequence::of(shader, Counted::All);
    let word = missing_else(shader, &mut sequence)?;
    telling::tell(shader, &sequence, &mut [word], report);
    Some(())
}

fn counted(gaps: &Gaps<'_>) -> Counted {
    if gaps.count || gaps.misspelt { Counted::Some } else { Counted::All }
}

/// Puts in the words that are missing, and says which.
fn missing_blocks(sequence: &mut Sequence, values: Option<&Values>) -> Option<Vec<Missing>> {
    let mut faults = u32::MAX;
    for round in 1..=MOST {
        let evidence = Evidence::new(sequence);
        let mut found = candidates(sequence, &evidence, Wanted::Blocks);
        let first = *best(&found)?;
        follow(&mut found, sequence, &evidence, values);
        // What is not sure is told without the values: they change while somebody writes.
        let sure = best(&found).copied().filter(|it| is_sure(sequence, *it, &found));
        let best = sure.unwrap_or(first);
        if found.faults >= faults {
            return None;
        }
        faults = found.faults;
        sequence.elements.insert(best.place, Element::put_in(best.word));
        if faults == 0 {
            return match round {
                1 => Some(vec![put_in(best, sure.map_or(Sureness::Open, |_| Sureness::Sure))]),
                _ => judged_again(sequence, values),
            };
        }
    }
    None
}

/// A candidate that was put in.
fn put_in(candidate: Candidate, sure: Sureness) -> Missing {
    let Candidate { place, word, partner, .. } = candidate;
    Missing { place, word, partner: partner + usize::from(partner >= place), sure }
}

/// Judges each of several words with all others in their places.
fn judged_again(sequence: &mut Sequence, values: Option<&Values>) -> Option<Vec<Missing>> {
    let is_put_in = |place: &usize| sequence.elements[*place].instruction.is_none();
    let places: Vec<usize> = (0..sequence.elements.len()).filter(is_put_in).collect();
    let mut words = Vec::new();
    for place in places {
        let element = sequence.elements.remove(place);
        let evidence = Evidence::new(sequence);
        let mut found = candidates(sequence, &evidence, Wanted::Blocks);
        follow(&mut found, sequence, &evidence, values);
        let same = |it: &&Candidate| it.place == place && Some(it.word) == element.nesting;
        let own = *found.all.iter().find(same).filter(|_| found.faults == 0)?;
        words.push(put_in(own, sureness(sequence, own, &found)));
        sequence.elements.insert(place, element);
    }
    // One that is in doubt puts the others in doubt: the blocks may be meant otherwise.
    if words.iter().any(|it| it.sure == Sureness::Open) {
        words.iter_mut().for_each(|it| it.sure = Sureness::Open);
    }
    Some(words)
}

/// Follows the values of the candidates between which nothing else decides, where a program comes
/// of them. Where the numbers leave out more instructions, values say nothing.
fn follow(
    found: &mut Candidates,
    sequence: &Sequence,
    evidence: &Evidence<'_>,
    values: Option<&Values>,
) {
    let (Some(values), Some(best), 0) = (values, best(found).copied(), found.faults) else {
        return;
    };
    // Of a word with operands there is no fix to decide.
    let has_operands = matches!(best.word, Nesting::Open(Block::If | Block::Switch));
    if evidence.left_out() > 1 || has_operands {
        return;
    }
    let mut equal: Vec<&mut Candidate> =
        found.all.iter_mut().filter(|it| it.against == best.against).collect();
    values.weigh(sequence, &mut equal);
}

fn is_sure(sequence: &Sequence, candidate: Candidate, found: &Candidates) -> bool {
    sureness(sequence, candidate, found) == Sureness::Sure
}

/// The candidate with the least evidence against it, the first of several.
fn best(found: &Candidates) -> Option<&Candidate> {
    found.all.iter().min_by_key(|it| it.against.iter().sum::<u32>())
}

/// Tells whether the text leaves no other candidate.
fn sureness(sequence: &Sequence, best: Candidate, found: &Candidates) -> Sureness {
    let (first, last) = sequence.same_place(best.place, best.word);
    let is_best = |it: &Candidate| it.word == best.word && (first..=last).contains(&it.place);
    let mut others = found.all.iter().filter(|it| !is_best(it));
    let only = others.all(|other| {
        let kinds = || best.against.iter().zip(&other.against);
        // Evidence that contradicts both is worth nothing.
        let excluded = kinds().any(|(best, other)| *best == 0 && *other > 0);
        let preferred = kinds().any(|(best, other)| other < best);
        excluded && !preferred
    });
    // Instead of an empty block what closes it may be too much.
    let opens = matches!(best.word, Nesting::Open(_));
    let needless = opens && (best.against[BODY] > 0 || best.against[NUMBERS] > 0);
    if only && found.faults == 0 && !needless { Sureness::Sure } else { Sureness::Open }
}

/// Puts in an `ELSE` where labels say that there was one.
fn missing_else(shader: &Shader, sequence: &mut Sequence) -> Option<Missing> {
    let evidence = Evidence::new(sequence);
    let wrong = sweep::wrong_labels(sequence, &evidence);
    if wrong == 0 {
        return None;
    }
    let found = candidates(sequence, &evidence, Wanted::Else);
    let best = *best(&found)?;
    // One label alone may be of a time when the block was shorter: what is written on the one way
    // and overwritten on the other says more.
    let favoured = || Values::of(shader).is_some_and(|it| it.favour(sequence, &best));
    let told = best.against[LABELS] == 0 && best.against[NUMBERS] == 0;
    let told = told && (sequence.numbered || wrong > 1 || favoured());
    if !told || sureness(sequence, best, &found) != Sureness::Sure {
        return None;
    }
    sequence.elements.insert(best.place, Element::put_in(best.word));
    Some(put_in(best, Sureness::Sure))
}

#[cfg(test)]
mod tests;
