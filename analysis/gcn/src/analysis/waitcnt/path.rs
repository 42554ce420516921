//! The waits on the one path that a run takes: what the analysis of all paths
//! decides once for a code, decided step by step as instructions are executed.

use super::Walk;
use super::state::WaitcntState;
use crate::analysis::code::Code;
use crate::analysis::def_use::DefUse;
use crate::analysis::diagnostic::InstDiagnostic;
use crate::behaviour::Counter;

/// The operations that are outstanding in a running wave.
#[derive(Debug, Clone)]
pub struct PathWaits<'a> {
    walk: Walk<'a>,
    state: WaitcntState,
}

impl<'a> PathWaits<'a> {
    /// Nothing is under way in a wave that begins.
    pub fn new(code: &'a Code, def_use: &'a [DefUse]) -> PathWaits<'a> {
        PathWaits { walk: Walk::new(code, def_use), state: WaitcntState::default() }
    }

    /// Executes the instruction of an index. What it gives is what the instruction uses
    /// too early.
    pub fn step(&mut self, index: usize) -> Option<InstDiagnostic> {
        let diagnostic = self.walk.too_early(index, &mut self.state);
        self.walk.step(index, &mut self.state);
        diagnostic
    }

    /// Says that an instruction's data do not come by one of the counters that it raised:
    /// of flat memory a run knows which. The counter counts it all the same.
    pub fn without_data(&mut self, index: usize, counter: Counter) {
        self.state.without_data(index, counter, self.walk.def_use);
    }
}
