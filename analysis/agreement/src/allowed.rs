//! What results may be: the range that several runs of the interpreter span.
//!
//! The documents leave some things to whoever runs a shader. Whatever may be made of them,
//! the machine must make one of it; so the interpreter runs several times, each time in
//! another [`Way`]:
//!
//! - Twice, with other contents of registers that nothing was written to and other bits of
//!   NaN, and where it writes memory once more with its quads the other way round. A result
//!   that differs is left open: it depends on such registers, is no number, or depends on
//!   who comes first. So integers that look like NaN are compared.
//! - Where opcodes are not exact, also with their results moved to the lower ends of their
//!   bounds, to the upper ones, to ends drawn at random, and to places between the ends: what
//!   rounds behind an inexact result may be largest for one of these. A result must lie in
//!   the range from the least to the greatest of all runs. The ends of many inexact results
//!   add up in directions that no run took: of n of them the sum of what each can do is at
//!   most the square root of n times what random ends do (Cauchy and Schwarz), so the range
//!   is widened by that factor. Of a single one the range is its bound, exactly.
//! - A comparison, a rounding or a branch behind an inexact result may come out one way in
//!   one run and the other way in another. Both, and what lies between, are then allowed.
//!   Where a run has NaN, or does not come to an end, equality still counts, and nothing
//!   else is held against the machine: the result is left open.

use run::patch::Order;
use run::{Freedom, Inexact, Stop};

/// How one run of the interpreter goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub(crate) freedom: Freedom,
    pub(crate) order: Order,
}

impl Way {
    /// What a run leaves; nothing where it did not come to an end, which only runs with moved
    /// results may do.
    ///
    /// # Errors
    /// The run that everything is compared with was given up.
    pub(crate) fn survives<T>(&self, ran: Result<T, Stop>) -> Result<Option<T>, String> {
        match ran {
            Ok(left) => Ok(Some(left)),
            Err(stop) if self.freedom.inexact == Inexact::Nearest => {
                Err(format!("the interpreter: {stop}"))
            }
            Err(_) => Ok(None),
        }
    }
}

/// What nothing was written to holds in the second run, and the bits of NaN: one that comes
/// from nowhere else.
const UNDEFINED: u32 = 0x7fc1_2345;

/// What of a shader says how often the interpreter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Nature {
    /// Whether all of its opcodes are exact.
    pub(crate) exact: bool,
    /// Whether it writes memory, where it matters who comes first.
    pub(crate) stores: bool,
}

impl Nature {
    /// How many of its ways have to be alike, the first ones.
    pub(crate) fn alike(self) -> usize {
        if self.stores { 3 } else { 2 }
    }

    /// The ways, with so many `directions` at random among them where results are inexact.
    pub(crate) fn ways(self, directions: u64) -> Vec<Way> {
        let way =
            |undefined, inexact, order| Way { freedom: Freedom { undefined, inexact }, order };
        let mut all = vec![
            way(0, Inexact::Nearest, Order::Forward),
            way(UNDEFINED, Inexact::Nearest, Order::Forward),
            way(0, Inexact::Nearest, Order::Backward),
        ];
        all.truncate(self.alike());
        if !self.exact {
            let random = (0..directions).map(Inexact::Ends);
            let ends =
                [Inexact::Least, Inexact::Greatest, Inexact::Zeros].into_iter().chain(random);
            let within = (0..directions / 4).map(Inexact::Within);
            all.extend(ends.chain(within).map(|inexact| way(0, inexact, Order::Forward)));
        }
        all
    }
}

/// Why a result is left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// Nobody ran there.
    Idle,
    /// It depends on registers that nothing was written to, is no number, or depends on who
    /// comes first.
    Undefined,
    /// An index led out of what is declared.
    Astray,
    /// Inexact results decide whether it is a number at all, or whether it is there.
    Parted,
}

/// What a result may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wanted {
    /// What the run has whose inexact results are the nearest.
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
    Parted,
}

impl Wanted {
    /// Only these bits.
    pub(crate) fn exactly(bits: u32) -> Wanted {
        Wanted { bits, range: Range::One }
    }

    /// The range of the runs' values, in the order of [`Nature::ways`]; of a run that has none, why.
    /// The first ones have to be `alike`; so many inexact results may have gone into it.
    pub(crate) fn of(
        mut runs: impl Iterator<Item = Result<u32, Open>>,
        alike: usize,
        inexact: u32,
    ) -> Result<Wanted, Open> {
        let first = runs.next().unwrap_or(Err(Open::Idle))?;
        for run in runs.by_ref().take(alike - 1) {
            if run? != first {
                return Err(Open::Undefined);
            }
        }
        let number = |bits: u32| f64::from(f32::from_bits(bits));
        let mut floats = [number(first); 2];
        let mut integers = [first as i32; 2];
        let mut same = true;
        let [mut some, mut none] = [false; 2];
        let mut parted = false;
        for bits in runs {
            let Ok(bits) = bits else {
                parted = true;
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
            _ if parted => Range::Parted,
            _ if same => Range::One,
            false if !some => {
                let wider = (f64::from(inexact.max(1)).sqrt() - 1.0) / 2.0;
                let room = wider * (floats[1] - floats[0]);
                let room = if room.is_finite() { room } else { 0.0 };
                Range::Floats([floats[0] - room, floats[1] + room])
            }
            // Small negative integers are NaN as floats.
            true if !none => Range::Integers(integers),
            _ => Range::Parted,
        };
        Ok(Wanted { bits: first, range })
    }

    /// Whether anything else than the nearest bits is left open.
    pub(crate) fn is_parted(self) -> bool {
        self.range == Range::Parted
    }

    /// Whether bits are in the range, beside the nearest ones.
    pub(crate) fn holds(self, found: u32) -> bool {
        match self.range {
            Range::One | Range::Parted => false,
            Range::Floats([least, most]) => {
                let value = f64::from(f32::from_bits(found));
                (least..=most).contains(&value)
            }
            Range::Integers([least, most]) => (least..=most).contains(&(found as i32)),
        }
    }
}

/// How many results were compared, and what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Compared, and equal or in the range.
    pub compared: u64,
    /// Of these, not equal but in the range that inexact results leave.
    pub in_range: u64,
    /// Left open: registers that nothing was written to, no numbers, or who comes first.
    pub undefined: u64,
    /// Left open: indices that lead out of what is declared.
    pub astray: u64,
    /// Left open: inexact results decide whether it is a number, or is there.
    pub parted: u64,
}

impl Tally {
    pub(crate) fn leave(&mut self, open: Open) {
        match open {
            Open::Idle => {}
            Open::Undefined => self.undefined += 1,
            Open::Astray => self.astray += 1,
            Open::Parted => self.parted += 1,
        }
    }

    /// Both together.
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            compared: self.compared + other.compared,
            in_range: self.in_range + other.in_range,
            undefined: self.undefined + other.undefined,
            astray: self.astray + other.astray,
            parted: self.parted + other.parted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(runs: &[f32], inexact: u32) -> Result<Wanted, Open> {
        Wanted::of(runs.iter().map(|it| Ok(it.to_bits())), 2, inexact)
    }

    #[test]
    fn the_range_is_that_of_the_runs() {
        let one = wanted(&[1.0, 1.0, 0.5, 2.0], 1).expect("it is defined");
        assert!(one.holds(0.5_f32.to_bits()) && one.holds(2.0_f32.to_bits()));
        assert!(!one.holds(0.499_f32.to_bits()) && !one.holds(2.001_f32.to_bits()));
        // Four together may go twice as far.
        let four = wanted(&[1.0, 1.0, 0.5, 1.5], 4).expect("it is defined");
        assert!(four.holds(0.0_f32.to_bits()) && four.holds(2.0_f32.to_bits()));
        assert!(!four.holds((-0.001_f32).to_bits()) && !four.holds(2.001_f32.to_bits()));
    }

    #[test]
    fn exact_results_have_no_range() {
        let exact = wanted(&[1.0, 1.0, 1.0], 9).expect("it is defined");
        assert!(!exact.holds(1.000_001_f32.to_bits()));
        assert_eq!(exact, Wanted::exactly(1.0_f32.to_bits()));
    }

    #[test]
    fn what_the_runs_do_not_say_is_open() {
        assert_eq!(wanted(&[1.0, 2.0], 0), Err(Open::Undefined));
        let parted = |wanted: Result<Wanted, Open>| wanted.is_ok_and(Wanted::is_parted);
        assert!(parted(wanted(&[1.0, 1.0, f32::NAN], 0)));
        assert!(parted(Wanted::of([Ok(1), Ok(1), Err(Open::Parted)].into_iter(), 2, 0)));
        assert!(!parted(wanted(&[1.0, 1.0, 2.0], 0)));
        let negative = [-3_i32, -3, -4].map(|it| Ok(it as u32));
        let integers = Wanted::of(negative.into_iter(), 2, 1).expect("it is defined");
        assert!(integers.holds(-4_i32 as u32) && !integers.holds(-5_i32 as u32));
    }
}
