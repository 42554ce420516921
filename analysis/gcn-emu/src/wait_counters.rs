//! The wait counters of running waves, by the rules that the static analysis has.

use gcn::analysis::PathWaits;
use gcn::behaviour::Counter;

use crate::program::Program;
use crate::stop::Reason;
use crate::storage::Reached;

/// The wait counters of one wave, and what is outstanding in them.
#[derive(Debug, Clone)]
pub(crate) struct WaitCounters<'a>(PathWaits<'a>);

impl<'a> WaitCounters<'a> {
    pub(crate) fn new(program: &'a Program) -> WaitCounters<'a> {
        WaitCounters(PathWaits::new(&program.code, &program.def_use))
    }

    /// Issues an instruction.
    pub(crate) fn step(&mut self, instruction: usize) -> Result<(), Reason> {
        match self.0.step(instruction) {
            Some(diagnostic) => Err(Reason::MissingWait(diagnostic.message)),
            None => Ok(()),
        }
    }

    /// Says what an instruction on flat memory reached: it raises two counters, and only
    /// those of what it reached are for its data.
    pub(crate) fn reached(&mut self, instruction: usize, reached: Reached) {
        for (counter, is_reached) in [(Counter::Vm, reached.memory), (Counter::Lgkm, reached.share)]
        {
            if !is_reached {
                self.0.without_data(instruction, counter);
            }
        }
    }
}
