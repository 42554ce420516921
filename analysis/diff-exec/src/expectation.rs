//! The expectation of a result: the words that the language allows.
//!
//! The interpreter computes with sets of words (the crate `open-bits`): what the documents leave
//! to the implementation is open in them, each bit by a named rule. A result that is not in its
//! set is a defect. Where a branch hangs on an open condition the interpreter runs once for each
//! way, up to [`MOST_RUNS`] times, and a result may be what it may be in any of these runs; behind
//! more of them it may be any word. A shader that writes memory runs with its quads in reverse
//! order too: what differs then depends on who comes first, and may be any word. Where a run reads
//! what another invocation changes later, with nothing that keeps an order, all runs of its order are
//! made again and told so, up to [`MOST_ROUNDS`] times.

use open_bits::{Rule, Rules, Word};
use tgsi_interp::Stop;
use tgsi_interp::open::{Script, Scripts};
use tgsi_interp::patch::Order;

use crate::error::Error;
use crate::stored::Stored;

/// The ways through open conditions that are followed.
const MOST_RUNS: usize = 24;

/// The times that the runs of an order are made.
pub(crate) const MOST_ROUNDS: usize = 4;

/// A variant of the interpreter's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunVariant {
    pub(crate) script: Script,
    pub(crate) order: Order,
}

impl RunVariant {
    /// Returns the outputs of a run; `None` where it did not come to an end, which is allowed
    /// only to runs on another way than that of the bits.
    ///
    /// # Errors
    /// The run on the way of the bits was given up.
    pub(crate) fn survives<T>(&self, ran: Result<T, Stop>) -> Result<Option<T>, Error> {
        match ran {
            Ok(left) => Ok(Some(left)),
            Err(stop) if self.begins() => Err(stop.into()),
            Err(_) => Ok(None),
        }
    }

    /// Tells whether it is the first of its order: runs of that order before it count no more.
    pub(crate) fn begins(&self) -> bool {
        self.script == Script::default()
    }

    /// Returns the numbers below a count in the order in which they run.
    pub(crate) fn numbers(&self, count: usize) -> Vec<usize> {
        match self.order {
            Order::Forward => (0..count).collect(),
            Order::Backward => (0..count).rev().collect(),
        }
    }

    /// Returns all scripts.
    pub(crate) fn scripts() -> Scripts {
        Scripts::new(MOST_RUNS)
    }
}

/// The orders in which quads run: both where they may see what others write.
pub(crate) fn orders(stored: &Stored) -> &'static [Order] {
    if stored.is_empty() { &[Order::Forward] } else { &[Order::Forward, Order::Backward] }
}

/// The words that a result may be.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The bits of the first run: the results that are nearest to the mathematical ones.
    pub bits: u32,
    /// All words that it may be.
    pub word: Word,
}

impl Expectation {
    /// Only these bits.
    pub fn exactly(bits: u32) -> Expectation {
        Expectation { bits, word: Word::exactly(bits) }
    }

    /// The words of runs, each with its order; `None` where nobody ran.
    pub fn of(runs: impl Iterator<Item = (Order, u32, Word)>) -> Option<Expectation> {
        let mut first = None;
        let [mut forward, mut backward]: [Option<Word>; 2] = [None, None];
        for (order, bits, word) in runs {
            first = first.or(Some(bits));
            let own = match order {
                Order::Forward => &mut forward,
                Order::Backward => &mut backward,
            };
            *own = Some(match own.take() {
                Some(all) => all.join(&word),
                None => word,
            });
        }
        let (bits, word) = (first?, forward?);
        let word = match backward {
            Some(other) if !other.is_same(&word) => {
                Word::any(word.rules().plus(other.rules()).with(Rule::InvocationOrder))
            }
            _ => word,
        };
        Some(Expectation { bits, word })
    }

    /// The same, left open by rules where there are any.
    pub(crate) fn or_any(self, rules: Rules) -> Expectation {
        match rules {
            Rules::NONE => self,
            rules => Expectation { word: Word::any(rules), ..self },
        }
    }
}

/// Statistics of the results that were compared.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics {
    /// Results that may be some words and not others.
    pub compared: u64,
    /// Of these, results that may be more than one word.
    pub partly_open: u64,
    /// Results that may be any word.
    pub open: u64,
    /// The open bits of all results: the logarithms of how many words each may be.
    pub open_bits: f64,
    /// The same of the results that each rule opens, in the order of [`Rule::ALL`].
    pub by_rule: [f64; Rule::ALL.len()],
}

impl Statistics {
    /// Counts a result.
    pub(crate) fn add(&mut self, word: &Word) {
        if word.is_any() {
            self.open += 1;
        } else {
            self.compared += 1;
            self.partly_open += u64::from(word.bits().is_none());
        }
        let bits = word.open_bits();
        self.open_bits += bits;
        for rule in word.rules().iter() {
            self.by_rule[rule as usize] += bits;
        }
    }

    /// Returns the number of results, open ones among them.
    pub fn words(&self) -> u64 {
        self.compared + self.open
    }

    /// Returns the number of bits of all results, at least those of one.
    pub fn bits(&self) -> f64 {
        32.0 * self.words().max(1) as f64
    }

    /// Returns the share of all bits that is open.
    pub fn open_share(&self) -> f64 {
        self.open_bits / self.bits()
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Statistics) -> Statistics {
        let mut sum = self;
        sum.compared += other.compared;
        sum.partly_open += other.partly_open;
        sum.open += other.open;
        sum.open_bits += other.open_bits;
        for (own, other) in sum.by_rule.iter_mut().zip(other.by_rule) {
            *own += other;
        }
        sum
    }
}
