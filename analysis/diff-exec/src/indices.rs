//! The inputs that a shader computes indices and integers from.
//!
//! An index beyond what is declared leaves open all that follows from it, and so does a float that
//! fits no integer; random numbers lead there more often than not. So an input that reaches an
//! index or a conversion is drawn again where it is none of the numbers by which the index
//! means a register and the float fits, in all sets of inputs but one of [`SETS_TO_ONE_ASTRAY`].

mod extent;
mod origin;
mod sum;

use std::collections::HashMap;

use tgsi::ast::{Component, Shader};
use tgsi::words::File;

use crate::input_source::InputSource;
use crate::interface::Slots;
use crate::random::Random;
use crate::test_pair::TestPair;

/// One set of inputs in so many lets indices lead wherever they will.
const SETS_TO_ONE_ASTRAY: u64 = 32;

/// The numbers that are drawn where more than these would do.
const DRAWN: Range = Range { least: -8, greatest: 15 };

/// Whole numbers from one to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    least: i64,
    greatest: i64,
}

/// The numbers that an input may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    range: Range,
    kind: Kind,
    lanes: Lanes,
}

/// Freedom of lanes to have different numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lanes {
    /// Each has its own.
    Own,
    /// All have the same: of a buffer, a texture or an image the number has to be dynamically
    /// uniform (GLSL 4.60, 4.1.7 and 4.3.9), and what else is read has no meaning.
    Same,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Integer,
    Float,
}

/// A component of an input: of a constant with the number of its buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    file: File,
    buffer: u32,
    register: u32,
    component: Component,
}

/// The inputs that reach an index, each with its numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndexInputs {
    numbers: HashMap<Place, Numbers>,
}

impl Range {
    /// The numbers in both; `None` where there are none.
    fn meet(self, other: Range) -> Option<Range> {
        Range::between(self.least.max(other.least), self.greatest.min(other.greatest))
    }

    fn between(least: i64, greatest: i64) -> Option<Range> {
        (least <= greatest).then_some(Range { least, greatest })
    }

    /// The numbers of which a sum with `constant` is in the range.
    fn less(self, constant: i64) -> Option<Range> {
        let least = self.least.checked_sub(constant)?;
        Range::between(least, self.greatest.checked_sub(constant)?)
    }

    /// The numbers of which a product with `factor` is in the range; `None` where there are none,
    /// or all are.
    fn divided(self, factor: i64) -> Option<Range> {
        let [least, greatest] = match factor {
            0 => return None,
            1.. => [self.least, self.greatest],
            _ => [self.greatest.checked_neg()?, self.least.checked_neg()?],
        };
        let factor = factor.checked_abs()?;
        Range::between(-(-least).div_euclid(factor), greatest.div_euclid(factor))
    }

    /// The numbers of which a quotient by `divisor` is in the range.
    fn multiplied(self, divisor: i64) -> Option<Range> {
        let behind = self.greatest.checked_add(1)?.checked_mul(divisor)?;
        Range::between(self.least.checked_mul(divisor)?, behind.checked_sub(1)?)
    }

    /// Numbers of which any two have a product in the range.
    fn root(self) -> Option<Range> {
        let root = self.greatest.checked_isqrt()?;
        let both_signs = self.least <= -root * root;
        Range::between(if both_signs { -root } else { i64::from(self.least > 0) }, root)
    }

    /// Only its least number.
    fn single(self) -> Range {
        Range { greatest: self.least, ..self }
    }

    /// The range without negative numbers, where it has others.
    fn counted(self) -> Range {
        Range::between(self.least.max(0), self.greatest).unwrap_or(self)
    }
}

impl Numbers {
    /// Tells whether a word is one of them, or a float between two of them.
    fn holds(self, word: u32) -> bool {
        let Range { least, greatest } = self.range;
        match self.kind {
            Kind::Integer => (least..=greatest).contains(&i64::from(word as i32)),
            Kind::Float => (least as f32..=greatest as f32).contains(&f32::from_bits(word)),
        }
    }

    /// Returns a random word as it is where it is one of them, else one that is.
    pub(crate) fn fit(self, word: u32, random: &mut Random) -> u32 {
        if self.holds(word) {
            return word;
        }
        let Range { least, greatest } = self.range.meet(DRAWN).unwrap_or(self.range);
        let count = u32::try_from(greatest - least + 1).unwrap_or(u32::MAX);
        let number = least + i64::from(random.below(count));
        match self.kind {
            Kind::Integer => number as u32,
            Kind::Float => (number as f32).to_bits(),
        }
    }

    /// Returns the value of an attribute at a corner and the steps to the others as they are where
    /// all values between are of these, else one that is, at all corners.
    pub(crate) fn fit_corners(self, [first, x, y]: [f32; 3], random: &mut Random) -> [f32; 3] {
        let moves = [x, y].iter().any(|it| it.to_bits() != 0);
        let ends = [first, first + x, first + y, first + x + y];
        match moves && ends.iter().all(|it| self.holds(it.to_bits())) {
            true => [first, x, y],
            false => [f32::from_bits(self.fit(first.to_bits(), random)), 0.0, 0.0],
        }
    }
}

impl IndexInputs {
    /// Finds those of a shader of which so many vertices come in.
    pub(crate) fn of(shader: &Shader, vertices: usize) -> IndexInputs {
        IndexInputs { numbers: origin::inputs(shader, vertices) }
    }

    fn find(
        &self,
        file: File,
        buffer: usize,
        register: usize,
        component: usize,
    ) -> Option<Numbers> {
        let [buffer, register] = [buffer, register].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let component = *Component::ALL.get(component)?;
        self.numbers.get(&Place { file, buffer, register, component }).copied()
    }

    /// The numbers of an input, where it reaches an index.
    pub(crate) fn input(&self, register: usize, component: usize) -> Option<Numbers> {
        self.find(File::Input, 0, register, component)
    }

    /// The greatest number of a system value, where it reaches an index.
    pub(crate) fn greatest(&self, system_value: u32) -> Option<usize> {
        let numbers = self.find(File::SystemValue, 0, system_value as usize, 0)?;
        usize::try_from(numbers.range.greatest).ok()
    }

    /// Draws constants that lead an index astray again.
    pub(crate) fn fit_constants(&self, constants: &mut [Vec<[u32; 4]>], random: &mut Random) {
        if self.numbers.is_empty() {
            return;
        }
        for (buffer, vectors) in constants.iter_mut().enumerate() {
            for (register, vector) in vectors.iter_mut().enumerate() {
                for (component, word) in vector.iter_mut().enumerate() {
                    if let Some(own) = self.find(File::Constant, buffer, register, component) {
                        *word = own.fit(*word, random);
                    }
                }
            }
        }
    }
}

impl TestPair<'_> {
    /// The inputs that are drawn so that indices mean registers; `None` where they lead where
    /// they will.
    pub(crate) fn index_inputs(&self, source: InputSource<'_>) -> Option<&IndexInputs> {
        let InputSource::Seed(seed) = source else { return None };
        (seed % SETS_TO_ONE_ASTRAY != SETS_TO_ONE_ASTRAY - 1).then_some(&self.indices)
    }

    /// Draws what of some slots leads an index astray again: `registers` are the inputs in them.
    pub(crate) fn fit_slots(
        &self,
        source: InputSource<'_>,
        random: &mut Random,
        registers: &[(usize, usize)],
        slots: &mut Slots,
    ) {
        let Some(indices) = self.index_inputs(source) else { return };
        for (register, slot) in registers {
            let Some(words) = slots.get_mut(*slot) else { continue };
            for (component, word) in words.iter_mut().enumerate() {
                if let Some(own) = indices.input(*register, component) {
                    *word = own.fit(*word, random);
                }
            }
        }
    }
}
