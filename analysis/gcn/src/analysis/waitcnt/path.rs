//! The waits on the one path that a run takes: what the analysis of all paths
//! decides once for a code, decided step by step as instructions are executed.

use super::Walk;
use super::state::InFlight;
use crate::analysis::code::Code;
use crate::analysis::def_use::Effects;
use crate::analysis::diagnostic::Finding;
use crate::behaviour::Counter;

/// What is under way in a running wave.
#[derive(Debug, Clone)]
pub struct PathWaits<'a> {
    walk: Walk<'a>,
    state: InFlight,
}

impl<'a> PathWaits<'a> {
    /// Nothing is under way in a wave that begins.
    pub fn new(code: &Code, effects: &'a [Effects]) -> PathWaits<'a> {
        PathWaits { walk: Walk::new(code, effects), state: InFlight::default() }
    }

    /// Executes the instruction of an index. What it gives is what the instruction uses
    /// too early.
    pub fn step(&mut self, index: usize) -> Option<Finding> {
        let finding = self.walk.too_early(index, &mut self.state);
        self.walk.step(index, &mut self.state, &mut |_| {});
        finding
    }

    /// Says that an instruction's data do not come by one of the counters that it raised:
    /// of flat memory a run knows which. The counter counts it all the same.
    pub fn without_data(&mut self, index: usize, counter: Counter) {
        self.state.without_data(index, counter, self.walk.effects());
    }
}
