//! Reasons why a run stands still, and lengths of steps.

use crate::subject::{Event, Fault};

/// The reason why the run stands still.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// A step was done.
    Step,
    /// Breakpoints.
    Breakpoint {
        /// Their numbers.
        ids: Vec<u64>,
        /// The first lane in which the condition of the first one is true, where it has one.
        lane: Option<usize>,
    },
    /// A condition that has no value.
    Condition {
        /// The number of its breakpoint.
        id: u64,
        /// The reason, in a sentence.
        message: String,
    },
    /// A value changed, or the next step changes it where the run went backwards.
    Changed {
        /// The number of the watch.
        id: u64,
        /// The first lane whose value is another.
        lane: usize,
        /// The old and the new value, in a sentence.
        message: String,
    },
    /// An event that is looked for, or that the next step makes where the run went backwards.
    Event(Event),
    /// The run cannot go on.
    Fault(Fault),
    /// Somebody asked for it.
    Pause,
    /// The beginning of the run.
    Beginning,
    /// The end of the run.
    End,
}

/// The length of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    /// One instruction.
    Instruction,
    /// To another line.
    Line,
}
