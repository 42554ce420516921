//! Explanations of costs: the values that hold registers where pressure is highest, with what
//! would free them, and the operations behind a wait, with what could stand in its place.
//!
//! A saving is no guess: the code is edited so, its live ranges are computed again, and the
//! pressure that comes out is told. Registers stay the same in this, and nothing is scheduled
//! or allocated again: a compiler that is given the edit may do better or worse.

mod edit;
mod flow;
mod registers;
mod savings;
#[cfg(test)]
mod tests;
mod values;
mod waits;

use source::Checkpoint;

use super::code::Code;
use super::report::Report;
use super::timing::TimingOptions;
use values::WebsOf;

pub use registers::{RegisterPressure, peak_of};
pub use savings::{Saving, SavingKind};
pub use values::HeldValue;
pub use waits::{AwaitedResult, Link, WaitExplanation, longest_waits};

/// Explains the costs of a code.
pub struct Explainer<'a> {
    code: &'a Code,
    report: &'a Report,
    options: TimingOptions,
    webs: WebsOf<'a>,
    checkpoint: Checkpoint<'a>,
}

impl<'a> Explainer<'a> {
    /// Follows the values of a code. `report` has its costs by these figures of time.
    /// `checkpoint` may unwind, also when something is explained.
    pub fn new(
        code: &'a Code,
        report: &'a Report,
        options: TimingOptions,
        checkpoint: Checkpoint<'a>,
    ) -> Explainer<'a> {
        let webs = WebsOf::new(code, checkpoint);
        Explainer { code, report, options, webs, checkpoint }
    }
}
