//! The expectation of a result: the range that several runs of the interpreter span.
//!
//! The documents leave some results to the implementation. The machine must have one of the
//! values that they allow; so the interpreter runs several times, each time in another
//! [`RunVariant`]:
//!
//! - Twice, with other contents of registers that nothing was written to and other bits of
//!   NaN, and where it writes memory once more with its quads in reverse order. A result
//!   that differs is indeterminate: it depends on such registers, is not a number, or depends
//!   on the order of quads. So integers that look like NaN are compared.
//! - Where opcodes are not exact, also with their results moved to the lower ends of their
//!   bounds, to the upper ones, to ends drawn at random, and to places between the ends: what
//!   rounds behind an inexact result may be largest for one of these. A result must lie in
//!   the range from the least to the greatest of all runs. The ends of many inexact results
//!   add up in directions that no run took: of n of them the sum of what each can do is at
//!   most the square root of n times what random ends do (Cauchy and Schwarz), so the range
//!   is widened by that factor. Of a single one the range is its bound, exactly.
//! - A comparison, a rounding or a branch behind an inexact result may come out differently
//!   in two runs. Both results, and all between, are then allowed. Where a run has NaN, or
//!   does not come to an end, equality still counts, and nothing else is held against the
//!   machine: the result is indeterminate.

use tgsi_interp::patch::Order;
use tgsi_interp::{RoundingChoice, Stop, UndefinedBehaviour};

use crate::error::Error;

/// A variant of the interpreter's run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunVariant {
    pub(crate) undefined: UndefinedBehaviour,
    pub(crate) order: Order,
}

impl RunVariant {
    /// Returns the outputs of a run; `None` where it did not come to an end, which is
    /// allowed only to runs with moved results.
    ///
    /// # Errors
    /// The run that everything is compared with was given up.
    pub(crate) fn survives<T>(&self, ran: Result<T, Stop>) -> Result<Option<T>, Error> {
        match ran {
            Ok(left) => Ok(Some(left)),
            Err(stop) if self.undefined.rounding == RoundingChoice::Nearest => Err(stop.into()),
            Err(_) => Ok(None),
        }
    }

    /// Returns the numbers below a count in the order in which they run.
    pub(crate) fn numbers(&self, count: usize) -> Vec<usize> {
        match self.order {
            Order::Forward => (0..count).collect(),
            Order::Backward => (0..count).rev().collect(),
        }
    }
}

/// The contents of unwritten registers in the second run, and its bits of NaN: a value that
/// comes from nowhere else.
const UNDEFINED: u32 = 0x7fc1_2345;

/// The traits of a shader that decide in which variants the interpreter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShaderTraits {
    /// True if all of its opcodes are exact.
    pub(crate) exact: bool,
    /// True if it writes memory, where the order of quads matters.
    pub(crate) stores: bool,
}

impl ShaderTraits {
    /// Returns the number of variants, the first ones, whose results have to be equal.
    pub(crate) fn alike(self) -> usize {
        if self.stores { 3 } else { 2 }
    }

    /// Returns the variants, with `directions` random ones among them where results are
    /// inexact.
    pub(crate) fn variants(self, directions: u64) -> Vec<RunVariant> {
        let variant = |bits, rounding, order| RunVariant {
            undefined: UndefinedBehaviour { bits, rounding },
            order,
        };
        let mut all = vec![
            variant(0, RoundingChoice::Nearest, Order::Forward),
            variant(UNDEFINED, RoundingChoice::Nearest, Order::Forward),
            variant(0, RoundingChoice::Nearest, Order::Backward),
        ];
        all.truncate(self.alike());
        if !self.exact {
            let random = (0..directions).map(RoundingChoice::Ends);
            let ends = [RoundingChoice::Least, RoundingChoice::Greatest, RoundingChoice::Zeros]
                .into_iter()
                .chain(random);
            let within = (0..directions / 4).map(RoundingChoice::Within);
            all.extend(ends.chain(within).map(|rounding| variant(0, rounding, Order::Forward)));
        }
        all
    }
}

/// The reason for which a result is indeterminate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indeterminate {
    /// Nobody ran there.
    Inactive,
    /// The value depends on registers that nothing was written to, is not a number, or depends
    /// on the order of quads.
    Undefined,
    /// An index led out of what is declared.
    OutOfBounds,
    /// Inexact results decide whether it is a number at all, or whether it is there.
    Diverging,
}

/// The values that a result may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    /// The bits of the run whose inexact results are the nearest.
    pub(crate) bits: u32,
    range: Range,
}

/// The least and the greatest of all runs.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Range {
    One,
    Floats([f64; 2]),
    Integers([i32; 2]),
    /// Some run has none, or no number.
    Diverging,
}

impl Expectation {
    /// Only these bits.
    pub fn exactly(bits: u32) -> Expectation {
        Expectation { bits, range: Range::One }
    }

    /// The range of the runs' values, those without moved results first; of a run that has none, why.
    /// The first ones have to be `alike`; at most `inexact` inexact results went into it.
    ///
    /// # Errors
    /// The result is indeterminate.
    pub fn of(
        mut runs: impl Iterator<Item = Result<u32, Indeterminate>>,
        alike: usize,
        inexact: u32,
    ) -> Result<Expectation, Indeterminate> {
        let first = runs.next().unwrap_or(Err(Indeterminate::Inactive))?;
        // These runs differ in nothing that the documents define: unequal results are bits of
        // registers that nothing wrote, or of NaN.
        for run in runs.by_ref().take(alike - 1) {
            if run? != first {
                return Err(Indeterminate::Undefined);
            }
        }
        let number = |bits: u32| f64::from(f32::from_bits(bits));
        let mut floats = [number(first); 2];
        let mut integers = [first as i32; 2];
        let mut same = true;
        let [mut some, mut none] = [false; 2];
        let mut diverging = false;
        for bits in runs {
            let Ok(bits) = bits else {
                diverging = true;
                continue;
            };
            same &= bits == first;
            let value = number(bits);
            some |= value.is_nan();
            none |= !value.is_nan();
            floats = [floats[0].min(value), floats[1].max(value)];
            integers = [integers[0].min(bits as i32), integers[1].max(bits as i32)];
        }
        let range = match number(first).is_nan() {
            _ if diverging => Range::Diverging,
            _ if same => Range::One,
            false if !some => {
                // Each run moves n results by at most their bounds b. The error of all of them
                // is at most the sum of b, the widest random run is expected at the root of the
                // sum of b squared: between the two lies at most the root of n (see above). The
                // range is moved out at both ends, so by half of what is missing.
                let wider = (f64::from(inexact.max(1)).sqrt() - 1.0) / 2.0;
                let room = wider * (floats[1] - floats[0]);
                let room = if room.is_finite() { room } else { 0.0 };
                Range::Floats([floats[0] - room, floats[1] + room])
            }
            // A NaN in every run but not the same one: integers, of which small negative ones
            // are NaN as floats.
            true if !none => Range::Integers(integers),
            _ => Range::Diverging,
        };
        Ok(Expectation { bits: first, range })
    }

    /// Tells whether every other value than the nearest bits is indeterminate.
    pub fn is_diverging(self) -> bool {
        self.range == Range::Diverging
    }

    /// Tells whether bits are in the range, beside the nearest ones.
    pub fn holds(self, found: u32) -> bool {
        match self.range {
            Range::One | Range::Diverging => false,
            Range::Floats([least, most]) => {
                let value = f64::from(f32::from_bits(found));
                (least..=most).contains(&value)
            }
            Range::Integers([least, most]) => (least..=most).contains(&(found as i32)),
        }
    }
}

/// Statistics of the results that were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Compared, and equal or in the range.
    pub compared: u64,
    /// Of these, not equal but in the range of inexact results.
    pub in_range: u64,
    /// FinalState open: registers that nothing was written to, no numbers, or who comes first.
    pub undefined: u64,
    /// FinalState open: indices that lead out of what is declared.
    pub out_of_bounds: u64,
    /// FinalState open: inexact results decide whether it is a number, or is there.
    pub diverging: u64,
}

impl Statistics {
    pub(crate) fn leave(&mut self, open: Indeterminate) {
        match open {
            Indeterminate::Inactive => {}
            Indeterminate::Undefined => self.undefined += 1,
            Indeterminate::OutOfBounds => self.out_of_bounds += 1,
            Indeterminate::Diverging => self.diverging += 1,
        }
    }

    /// Both together.
    pub fn plus(self, other: Statistics) -> Statistics {
        Statistics {
            compared: self.compared + other.compared,
            in_range: self.in_range + other.in_range,
            undefined: self.undefined + other.undefined,
            out_of_bounds: self.out_of_bounds + other.out_of_bounds,
            diverging: self.diverging + other.diverging,
        }
    }
}
