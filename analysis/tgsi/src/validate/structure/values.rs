//! The way of values through the blocks as evidence: a program that somebody meant reads what was
//! written, writes what is read, and leaves its loops by what they change.
//!
//! Each reading of the text is followed as it would run. The blocks stand as they are written, so
//! one pass to the front finds what is not written, and passes to the back what is not read, until
//! nothing changes at the heads of the loops.

mod read;
mod steps;
mod written;

use rustc_hash::FxHashMap;

use super::evidence::{ENDLESS, UNREAD, UNWRITTEN};
use super::sequence::Sequence;
use super::sweep::Candidate;
use crate::ast::Shader;
use crate::opcodes::Control;
use crate::validate::{Block, Nesting};
use crate::words::{File, Stage};
use steps::{Bits, Set, Step};

/// The most words of state that are touched in one shader.
const MOST_WORK: usize = 1 << 24;

/// The values of a shader.
pub(super) struct Values {
    steps: Vec<Step>,
    none: Set,
    /// The components of the outputs that something writes.
    outputs: Set,
}

impl Values {
    /// Gathers the values. `None` where calls or jumps hide the way.
    pub(super) fn of(shader: &Shader) -> Option<Values> {
        let mut places: FxHashMap<(File, u32), usize> = FxHashMap::default();
        let mut steps = Vec::new();
        for instruction in shader.instructions() {
            steps.push(Step::of(instruction, &mut places)?);
        }
        let none = Set(vec![0; (places.len() * 4).div_ceil(64)]);
        let mut outputs = none.clone();
        // Those of a geometry shader go with each `EMIT`.
        let is_geometry = shader.stage.value == Stage::Geometry;
        let is_output: Vec<bool> = {
            let mut all = vec![false; places.len()];
            places.iter().for_each(|((file, _), place)| all[place / 4] = *file == File::Output);
            all
        };
        for bits in steps.iter().flat_map(|step| &step.writes) {
            if is_output[bits.0 / 4] && !is_geometry {
                outputs.put(*bits);
            }
        }
        if is_geometry {
            let all = is_output.iter().enumerate().filter(|(_, is_output)| **is_output);
            let all: Vec<Bits> = all.map(|(place, _)| (place * 4, 0xf)).collect();
            for step in steps.iter_mut().filter(|step| step.emits) {
                step.may_read.extend(&all);
            }
        }
        Some(Values { steps, none, outputs })
    }

    /// Adds to each candidate what its values contradict, less what those of all others do.
    /// Nothing where there is too much to follow.
    pub(super) fn weigh(&self, sequence: &Sequence, candidates: &mut [&mut Candidate]) {
        let work = candidates.len() * (sequence.elements.len() + 1) * (self.none.0.len() + 1);
        if candidates.len() < 2 || work > MOST_WORK / 4 {
            return;
        }
        let facts: Option<Vec<[u32; 3]>> =
            candidates.iter().map(|it| self.contradictions(sequence, Some(it))).collect();
        let Some(facts) = facts else { return };
        for (kind, place) in [UNWRITTEN, UNREAD, ENDLESS].into_iter().enumerate() {
            let least = facts.iter().map(|it| it[kind]).min().unwrap_or_default();
            for (candidate, facts) in candidates.iter_mut().zip(&facts) {
                candidate.against[place] = facts[kind] - least;
            }
        }
    }

    /// Tells whether a word makes the values contradict less.
    pub(super) fn favour(&self, sequence: &Sequence, candidate: &Candidate) -> bool {
        let (before, after) =
            (self.contradictions(sequence, None), self.contradictions(sequence, Some(candidate)));
        let (Some(before), Some(after)) = (before, after) else { return false };
        before != after && before.iter().zip(&after).all(|(before, after)| after <= before)
    }

    /// Registers that are read and not written, written and not read, and loops that do the same each time,
    /// with one more word.
    fn contradictions(
        &self,
        sequence: &Sequence,
        candidate: Option<&Candidate>,
    ) -> Option<[u32; 3]> {
        let mut word = Step::default();
        if let Some(candidate) = candidate {
            word.control = Some(control(candidate.word)?);
        }
        let mut put_in = Vec::new();
        for element in &sequence.elements {
            let step = match (element.instruction, element.nesting) {
                (None, Some(word)) => {
                    Some(Step { control: Some(control(word)?), ..Step::default() })
                }
                _ => None,
            };
            put_in.push(step);
        }
        let elements = sequence.elements.iter().zip(&put_in);
        let mut steps: Vec<&Step> = elements
            .map(|(element, put_in)| match element.instruction {
                Some(place) => &self.steps[place],
                None => put_in.as_ref().unwrap_or(&word),
            })
            .collect();
        candidate.iter().for_each(|it| steps.insert(it.place, &word));
        let unwritten = self.unwritten(&steps)?;
        let (unread, endless) = self.unread(&steps)?;
        Some([unwritten, unread, endless])
    }
}

/// The control of a word that was put in.
fn control(word: Nesting) -> Option<Control> {
    Some(match word {
        Nesting::Open(Block::If) => Control::If,
        Nesting::Open(Block::Loop) => Control::Loop,
        Nesting::Open(Block::Switch) => Control::Switch,
        Nesting::Close(Block::If) => Control::EndIf,
        Nesting::Close(Block::Loop) => Control::EndLoop,
        Nesting::Close(Block::Switch) => Control::EndSwitch,
        Nesting::Else => Control::Else,
        Nesting::Case => Control::Case,
        Nesting::Break => Control::Break,
        Nesting::Continue => Control::Continue,
        Nesting::End => Control::End,
        Nesting::Open(Block::Subroutine) | Nesting::Close(Block::Subroutine) => return None,
    })
}
