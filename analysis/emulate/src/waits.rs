//! The waits of running waves, by the rules that the analysis of costs has.

use gcn::behaviour::Counter;
use gcn::cost::PathWaits;

use crate::program::Program;
use crate::stop::Reason;
use crate::storage::Reached;

/// What is under way in one wave.
#[derive(Debug, Clone)]
pub(crate) struct Waits<'a>(PathWaits<'a>);

impl<'a> Waits<'a> {
    pub(crate) fn new(program: &'a Program) -> Waits<'a> {
        Waits(PathWaits::new(&program.code, &program.effects))
    }

    /// Issues an instruction.
    pub(crate) fn step(&mut self, instruction: usize) -> Result<(), Reason> {
        match self.0.step(instruction) {
            Some(finding) => Err(Reason::MissingWait(finding.message)),
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
