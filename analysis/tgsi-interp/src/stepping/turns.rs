//! Turns of the quads of a run that is held: to barriers, and to questions that a wave answers.

use tgsi::Stage;

use super::{QuadState, Stepping};
use crate::launch::{Grid, begin_group, positions};
use crate::quad::{Quad, Stop};
use crate::together::answers;

impl Stepping<'_> {
    /// Has quads wait that stand at a question without an answer.
    fn ask(&mut self) {
        let own = self.states.iter_mut().zip(&self.quads).zip(&self.answers);
        for ((state, quad), answer) in own {
            if *state == QuadState::Running && answer.is_none() && quad.asks_wave() {
                *state = QuadState::Asking;
            }
        }
    }

    /// Answers what quads ask. Returns whether any did.
    fn answer(&mut self) -> bool {
        let asking = |number: &usize| self.states.get(*number) == Some(&QuadState::Asking);
        let waiting: Vec<usize> = (0..self.quads.len()).filter(asking).collect();
        let all: Vec<&Quad<'_>> = self.quads.iter().collect();
        let answers = answers(&all, &waiting, &self.resources);
        for (number, answer) in &answers {
            self.answers[*number] = Some(*answer);
            self.states[*number] = QuadState::Running;
        }
        !answers.is_empty()
    }

    fn first_running(&self) -> usize {
        let running = |state: &QuadState| *state == QuadState::Running;
        self.states.iter().position(running).unwrap_or(self.states.len())
    }

    /// Finds the quad whose turn it is where all may run, unless all of them ask at once.
    pub(super) fn find_turn(&mut self) {
        self.ask();
        self.turn = self.first_running();
        if self.turn == self.states.len() && self.answer() {
            self.turn = self.first_running();
        }
    }

    /// Finds the quad whose turn it is after one has come to rest.
    pub(super) fn pass_on(&mut self) -> Result<(), Stop> {
        let running = |state: &QuadState| *state == QuadState::Running;
        if let Some(next) = self.states.iter().skip(self.turn).position(running) {
            self.turn += next;
            return Ok(());
        }
        if self.answer() {
            self.turn = self.first_running();
            return Ok(());
        }
        self.barriers += u32::from(self.states.contains(&QuadState::Barrier));
        for state in self.states.iter_mut().filter(|state| **state == QuadState::Barrier) {
            *state = QuadState::Running;
        }
        self.find_turn();
        if self.turn < self.states.len() || self.program.stage != Stage::Compute {
            return Ok(());
        }
        // The group has ended: the next one, if there is one.
        let Some(group) = positions(self.groups).nth(self.group + 1) else { return Ok(()) };
        let grid = Grid {
            groups: self.groups,
            system_values: &self.system_values,
            subgroup: self.subgroup,
            ..Grid::default()
        };
        self.quads = begin_group(self.program, &grid, group, self.limits, &mut self.budget)?;
        self.states = vec![QuadState::Running; self.quads.len()];
        self.answers = vec![None; self.quads.len()];
        (self.group, self.turn, self.barriers) = (self.group + 1, 0, 0);
        self.find_turn();
        Ok(())
    }
}
