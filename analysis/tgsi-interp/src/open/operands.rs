//! Operands as sets of words.

use open_bits::{Image, KnownBits, Rule, Rules, Word, apply};
use tgsi::Opcode;
use tgsi::ast::{self, Component, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::program::{MicroOp, Program};
use crate::quad::Quad;
use crate::registers::{Place, Registers};
use crate::resources::Resources;

/// Registers that an open index is followed to, at most.
const MOST_PLACES: usize = 64;

/// The registers that an index may mean.
pub(super) enum Indices {
    /// These; `None` for a negative number.
    Listed(Vec<Option<usize>>, Rules),
    /// Any.
    Any(Rules),
}

impl Registers {
    /// Returns the shadow of a place.
    pub(super) fn cell(&self, place: Place, lane: usize) -> Option<&Option<Word>> {
        let open = self.open.as_ref()?;
        let Place { file, first, index, component } = place;
        let register = match file {
            File::Temporary => open.temporaries.get(index),
            File::Address => open.addresses.get(index),
            File::Output if self.patch.is_some() => {
                return self.patch.as_ref()?.cell(first, index, component);
            }
            File::Output => open.outputs.get(index),
            File::Loop => open.loops.get(index),
            File::TemporaryArray => open.arrays.get(first.unwrap_or(0))?.get(index),
            File::Input => open.inputs.get(first.unwrap_or(0))?.get(index),
            _ => None,
        };
        register.map(|it| &it[component][lane])
    }

    /// The same, to be changed.
    pub(super) fn cell_mut(&mut self, place: Place, lane: usize) -> Option<&mut Option<Word>> {
        let Place { file, first, index, component } = place;
        if file == File::Output && self.patch.is_some() {
            return self.patch.as_mut()?.cell_mut(first, index, component);
        }
        let open = self.open.as_mut()?;
        let register = match file {
            File::Temporary => open.temporaries.get_mut(index),
            File::Address => open.addresses.get_mut(index),
            File::Output => open.outputs.get_mut(index),
            File::Loop => open.loops.get_mut(index),
            File::TemporaryArray => open.arrays.get_mut(first.unwrap_or(0))?.get_mut(index),
            _ => None,
        };
        register.map(|it| &mut it[component][lane])
    }

    /// Returns the words of an index's register, added to its number.
    pub(super) fn indices(&self, index: &ast::Index, lane: usize) -> Indices {
        let Some(indirect) = index.indirect else {
            return Indices::Listed(vec![self.index(index, lane)], Rules::NONE);
        };
        let component = indirect.component as usize;
        let place =
            Place { file: indirect.file, first: None, index: indirect.index as usize, component };
        let Some(Some(word)) = self.cell(place, lane) else {
            return Indices::Listed(vec![self.index(index, lane)], Rules::NONE);
        };
        let number = |bits: u32| usize::try_from(i64::from(bits as i32) + i64::from(index.offset));
        match word.members(MOST_PLACES) {
            Some(all) => {
                Indices::Listed(all.into_iter().map(|it| number(it).ok()).collect(), word.rules())
            }
            None => Indices::Any(word.rules()),
        }
    }

    /// Returns the places that an operand's component may mean, and by which rules they are
    /// several; `None` where it may be anywhere.
    pub(super) fn places(
        &self,
        register: &ast::Register,
        component: usize,
        lane: usize,
    ) -> Result<(Vec<Option<Place>>, Rules), Rules> {
        let firsts = match &register.dimension {
            None => (vec![Some(None)], Rules::NONE),
            Some(dimension) => match self.indices(dimension, lane) {
                Indices::Listed(all, rules) => {
                    (all.into_iter().map(|it| it.map(Some)).collect(), rules)
                }
                Indices::Any(rules) => return Err(rules),
            },
        };
        let (numbers, rules) = match self.indices(&register.index, lane) {
            Indices::Listed(all, rules) => (all, rules),
            Indices::Any(rules) => return Err(rules),
        };
        let rules = rules.plus(firsts.1);
        if firsts.0.len() * numbers.len() > MOST_PLACES {
            return Err(rules);
        }
        let file = register.file;
        let place = |first: Option<Option<usize>>, index: Option<usize>| {
            Some(Place { file, first: first?, index: index?, component })
        };
        let numbers = &numbers;
        let all =
            firsts.0.into_iter().flat_map(|first| numbers.iter().map(move |it| place(first, *it)));
        Ok((all.collect(), rules))
    }

    /// Returns what a component of an operand may be in a lane, without modifiers.
    pub(super) fn bare_word(
        &self,
        program: &Program,
        resources: &Resources,
        register: &ast::Register,
        component: Component,
        lane: usize,
    ) -> Word {
        let component = component as usize;
        let (places, rules) = match self.places(register, component, lane) {
            Ok(found) => found,
            Err(rules) => return Word::any(rules.with(Rule::OutOfBounds)),
        };
        let computed = register.is_computed();
        let one = |place: Option<Place>| {
            let raced = self.open.iter().flat_map(|open| &open.raced);
            if place.is_some_and(|it| raced.copied().any(|own| own == (it, lane))) {
                return Word::any(Rules::of(Rule::InvocationOrder));
            }
            if place.is_some_and(|it| !program.has_meaning(it)) {
                return Word::any(Rules::of(Rule::Unwritten));
            }
            let bits = place.and_then(|it| self.component(program, resources, it, lane));
            match (place.and_then(|it| self.cell(it, lane)), bits) {
                (Some(Some(word)), _) => word.clone(),
                (_, Some(bits)) => Word::exactly(bits),
                // Behind the end of a buffer all read zero.
                (_, None) if computed && register.file != File::Constant => {
                    Word::any(Rules::of(Rule::OutOfBounds))
                }
                (_, None) => Word::exactly(0),
            }
        };
        let words = places.into_iter().map(one).reduce(|all, word| all.join(&word));
        words.unwrap_or_default().by(rules)
    }
}

/// The words of a source with its modifiers.
pub(super) fn modified(word: Word, source: &Source, ty: ValueType) -> Word {
    let integer = matches!(ty, ValueType::Signed | ValueType::Unsigned);
    let mut word = word;
    if source.absolute {
        word = match integer {
            true => apply(&[&word], &[], false, |a, image: &mut Image| {
                image.add((a[0] as i32).unsigned_abs());
            }),
            false => word.map_sign(|bits| bits & 0x7fff_ffff),
        };
    }
    if source.negate {
        word = match (integer, word.bits()) {
            (true, Some(bits)) => Word::exactly(bits.wrapping_neg()),
            (true, None) => match word.members(MOST_PLACES) {
                Some(all) => {
                    let all = all.into_iter().map(u32::wrapping_neg).collect();
                    Word::of_bits(all, word.rules())
                }
                None => Word::known(KnownBits::negate(word.known_bits()), word.rules()),
            },
            (false, _) => word.map_sign(|bits| bits ^ 0x8000_0000),
        };
    }
    word
}

impl MicroOp {
    /// Returns the opcode whose formula it has: of a second name the other one.
    pub(super) fn formula(&self) -> Opcode {
        let opcode = self.instruction.opcode.value;
        opcode.successor().unwrap_or(opcode)
    }
}

impl Quad<'_> {
    /// Returns what a position of a source may be in a lane, with its modifiers.
    pub(super) fn word(
        &self,
        op: &MicroOp,
        source: usize,
        position: usize,
        ty: ValueType,
        lane: usize,
        resources: &Resources,
    ) -> Word {
        let Some(operand) = op.instruction.sources.get(source) else { return Word::exactly(0) };
        let bare = self.bare(op, source, position, lane, resources);
        if op.forms.any_source() && op.forms.value(source, operand, position, 0).is_some() {
            return apply(&[&bare], &[], true, |a, image: &mut Image| {
                image.add(op.forms.value(source, operand, position, a[0]).unwrap_or(a[0]));
            });
        }
        match operand.absolute || operand.negate {
            true => modified(bare, operand, ty),
            false => bare,
        }
    }

    /// The same without modifiers.
    pub(super) fn bare(
        &self,
        op: &MicroOp,
        source: usize,
        position: usize,
        lane: usize,
        resources: &Resources,
    ) -> Word {
        let Some(operand) = op.instruction.sources.get(source) else { return Word::exactly(0) };
        let register = &operand.register;
        if register.is_computed() && !self.is_inside(register, lane) {
            return Word::any(Rules::of(Rule::OutOfBounds));
        }
        if self.program.divergence.names_several(op, register) {
            return Word::any(Rules::of(Rule::NonUniform));
        }
        let component = operand.swizzle.0[position & 3];
        self.registers.bare_word(self.program, resources, register, component, lane)
    }

    /// The type that a source is read as; of bits that are only copied, none.
    pub(super) fn source_type(op: &MicroOp, source: usize) -> ValueType {
        match op.instruction.info().source_types.get(source) {
            Some(ty) => op.read_as(*ty),
            None => ValueType::Untyped,
        }
    }
}
