//! Results written to the shadow of registers.

use open_bits::{Image, Rule, Rules, Word, apply};
use tgsi::ast::Destination;
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use super::arithmetic::{Results, is_float_result};
use crate::action::Action;
use crate::float;
use crate::float::Computed;
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::{LANES, Registers};

/// One of the NaNs, which is among the words where any of them is.
const NAN: u32 = 0x7fc0_0000;

impl Quad<'_> {
    /// Writes what a step may give to its first destination.
    pub(crate) fn open_store(&mut self, op: &MicroOp, results: Option<Box<Results>>) {
        let Some(results) = results else { return };
        let Some(destination) = op.instruction.destinations.first() else { return };
        if op.forms.writes_nothing {
            return;
        }
        let (destination, active) = (*destination, self.active);
        for component in destination.mask.components().map(|it| it as usize) {
            for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
                let Some(word) = &results[component][lane] else { continue };
                let word = self.finished(op, word);
                self.open_write(&destination, component, lane, &word);
            }
        }
    }

    /// A result as it is written: scaled, saturated, flushed.
    fn finished(&self, op: &MicroOp, word: &Word) -> Word {
        let mut word = word.clone();
        let map = |word: &Word, function: &dyn Fn(u32) -> u32| {
            let places = [-1.0_f32, 1.0].map(f32::to_bits);
            apply(&[word], &places, true, |a, image: &mut Image| image.add(function(a[0])))
        };
        if let Some(factor) = op.forms.factor {
            word = map(&word, &|bits| (f32::from_bits(bits) * factor).bits());
        }
        if op.instruction.signed_saturate {
            word = map(&word, &float::clamp_signed);
        }
        let ty = op.instruction.info().destination_types.first();
        if op.instruction.saturate && matches!(ty, Some(ValueType::Float | ValueType::Untyped)) {
            // It is arithmetic even on what is only copied.
            let read = word.flushable().either_zero().any_payload();
            word = map(&read, &float::saturate).flushable().either_zero();
            if read.holds(NAN) {
                let ends = Word::of_bits(vec![0, float::ONE], Rules::NONE);
                word = word.join(&ends).by(Rules::of(Rule::NanOperand));
            }
        }
        if is_float_result(op) && matches!(op.action, Action::Compute(_) | Action::Derivative(_)) {
            word = word.flushable().any_payload();
            if !super::arithmetic::is_selection(op.formula()) {
                word = word.either_zero();
            }
        }
        word
    }

    /// Leaves open what the clamp of a NaN gives, in the lanes of a mask.
    pub(crate) fn open_clamped(&mut self, destination: &Destination, component: usize, lanes: u8) {
        if self.registers.open.is_none() || lanes == 0 {
            return;
        }
        let ends = Word::of_bits(vec![0, float::ONE], Rules::NONE);
        let word = Word::exactly(NAN).any_payload().join(&ends).by(Rules::of(Rule::NanOperand));
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            self.open_write(destination, component, lane, &word);
        }
    }

    /// Writes one component of a destination in a lane.
    pub(crate) fn open_write(
        &mut self,
        destination: &Destination,
        component: usize,
        lane: usize,
        word: &Word,
    ) {
        let register = &destination.register;
        if register.is_computed() && !self.is_inside(register, lane) {
            if let Some(open) = &mut self.registers.open {
                open.lose(lane, Rules::of(Rule::OutOfBounds));
            }
            return;
        }
        self.registers.open_write(destination, component, lane, word);
    }
}

impl Registers {
    fn open_write(
        &mut self,
        destination: &Destination,
        component: usize,
        lane: usize,
        word: &Word,
    ) {
        let (places, rules) = match self.places(&destination.register, component, lane) {
            Ok(found) => found,
            Err(rules) => {
                if let Some(open) = &mut self.open {
                    open.lose(lane, rules.with(Rule::OutOfBounds));
                }
                return;
            }
        };
        let several = places.len() > 1;
        for place in places.into_iter().flatten() {
            let old = match self.cell(place, lane) {
                Some(Some(old)) if several => Some(old.clone()),
                // What it had before the step is not known any more.
                Some(None) if several => Some(Word::any(rules)),
                _ => None,
            };
            // What several invocations write in no order stays so.
            let is_raced = |it: &Word| it.is_any() && it.rules().has(Rule::InvocationOrder);
            let is_of_patch = place.file == File::Output && self.patch.is_some();
            let raced =
                is_of_patch && matches!(self.cell(place, lane), Some(Some(word)) if is_raced(word));
            if raced {
                continue;
            }
            if let Some(cell) = self.cell_mut(place, lane) {
                *cell = Some(match old {
                    Some(old) => old.join(word).by(rules),
                    None => word.clone(),
                });
            }
        }
    }

    /// Lets a place hold its bits and nothing else: they were computed, and nothing of them is open.
    pub(crate) fn open_settle(&mut self, destination: &Destination, component: usize, lane: usize) {
        if self.open.is_none() {
            return;
        }
        if let Ok((places, _)) = self.places(&destination.register, component, lane)
            && let [Some(place)] = places[..]
            && let Some(cell) = self.cell_mut(place, lane)
        {
            *cell = None;
        }
    }
}
