//! The waits of running waves, by the rules that the analysis of costs has.

use gcn::cost::PathWaits;
use text::Severity;

use crate::program::Program;
use crate::stop::Reason;

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
            // Hints are about flat memory that may be the share; here it is known not to be.
            Some(finding) if finding.severity != Severity::Hint => {
                Err(Reason::MissingWait(finding.message))
            }
            _ => Ok(()),
        }
    }
}
