//! A workgroup: its waves, their share, the memory; and the loop that runs them.

use gcn::analysis::PathWaits;
use gcn::behaviour::Counter;

use crate::export::{Export, Message, Signal};
use crate::image::Images;
use crate::memory::Memory;
use crate::program::{Action, Program};
use crate::scalar::Next;
use crate::stop::{Reason, Stop};
use crate::wave::Wave;

/// The bounds of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of all waves together.
    pub steps: u64,
    /// Exports, messages and signals together.
    pub records: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1 << 20, records: 1 << 14 }
    }
}

/// The waves of a workgroup and what they share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Machine {
    /// The waves.
    pub waves: Vec<Wave>,
    /// Memory.
    pub memory: Memory,
    /// The workgroup's part of the local data share, in bytes.
    pub share: Vec<u8>,
    /// The workgroup's part of the global data share, in bytes.
    pub global_share: Vec<u8>,
    /// The exports of all waves, in order.
    pub exports: Vec<Export>,
    /// The messages of all waves, in order.
    pub messages: Vec<Message>,
    /// The signals to the global wave sync, in order.
    pub signals: Vec<Signal>,
}

/// The state of a wave between its turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaveState {
    Running,
    Barrier,
    Ended,
}

impl Machine {
    /// Runs all waves to their ends. Each runs to its next barrier, one after the other;
    /// the barrier opens when all that have not ended are there. Gives the number of
    /// instructions that were executed.
    ///
    /// # Errors
    /// The first thing that real hardware would not do as the code means it, and the limits.
    pub fn run(
        &mut self,
        program: &Program,
        images: &mut dyn Images,
        limits: Limits,
    ) -> Result<u64, Stop> {
        let mut budget = limits.steps;
        let mut states = vec![WaveState::Running; self.waves.len()];
        let mut waits = vec![PathWaits::new(&program.code, &program.def_use); self.waves.len()];
        while states.contains(&WaveState::Running) {
            for wave in 0..states.len() {
                if states[wave] != WaveState::Running {
                    continue;
                }
                let waits = &mut waits[wave];
                states[wave] = self.run_wave(wave, program, images, waits, limits, &mut budget)?;
            }
            // All waves that have not ended are at the barrier now, so it opens.
            for state in states.iter_mut().filter(|state| **state == WaveState::Barrier) {
                *state = WaveState::Running;
            }
        }
        Ok(limits.steps - budget)
    }

    fn run_wave(
        &mut self,
        wave: usize,
        program: &Program,
        images: &mut dyn Images,
        waits: &mut PathWaits<'_>,
        limits: Limits,
        budget: &mut u64,
    ) -> Result<WaveState, Stop> {
        loop {
            let counter = self.waves[wave].counter;
            let Some(index) = program.at(counter) else {
                return Err(Stop { wave, instruction: 0, reason: Reason::NoInstruction });
            };
            let stop = |reason: Reason| Stop { wave, instruction: index, reason };
            *budget = budget.checked_sub(1).ok_or_else(|| stop(Reason::Steps))?;
            let records = self.exports.len() + self.messages.len() + self.signals.len();
            if records > limits.records {
                return Err(stop(Reason::Records));
            }
            let instruction = &program.instructions[index];
            // A skipped instruction (VSKIP) is not issued: it reads no register too early and
            // raises no counter, so the waits do not hear of it.
            if self.waves[wave].mode.skips_vectors() && instruction.action.is_vector() {
                let own = &mut self.waves[wave];
                own.clock += 1;
                own.counter = instruction.end.into();
                continue;
            }
            // Whatever the hardware reads here it reads by chance of timing. Stopping shows
            // the fault; any value that were chosen would hide it.
            if let Some(missing) = waits.step(index) {
                return Err(stop(Reason::MissingWait(missing.message)));
            }
            if let Some(hazard) = &instruction.hazard {
                return Err(stop(Reason::Hazard(hazard.clone())));
            }
            let own = &mut self.waves[wave];
            own.clock += 1;
            // Branches count from what follows them, and calls save it.
            own.counter = instruction.end.into();
            match self.step(wave, index, &instruction.action, images, waits).map_err(stop)? {
                Next::Go => {}
                Next::Barrier => return Ok(WaveState::Barrier),
                Next::End => return Ok(WaveState::Ended),
            }
        }
    }

    fn step(
        &mut self,
        wave: usize,
        index: usize,
        action: &Action,
        images: &mut dyn Images,
        waits: &mut PathWaits<'_>,
    ) -> Result<Next, Reason> {
        let own = &mut self.waves[wave];
        match action {
            Action::Scalar(scalar) => {
                return scalar.run(own, &mut |bits, wave_state| {
                    self.messages.push(Message {
                        wave,
                        instruction: index,
                        bits,
                        m0: wave_state.m0(),
                        lanes: wave_state.exec(),
                    });
                });
            }
            Action::Vector(vector) => vector.run(own, &self.share, index as u32)?,
            Action::Matrix(matrix) => matrix.run(own, index as u32),
            Action::Interpolate(interpolate) => interpolate.run(own, index as u32),
            Action::ScalarMemory(access) => access.run(own, &mut self.memory)?,
            Action::Buffer(access) => {
                access.run(own, &mut self.memory, &mut self.share, index as u32)?;
            }
            Action::Flat(access) => {
                let reached = access.run(own, &mut self.memory, &mut self.share, index as u32)?;
                // It raises two counters, of which only those of what it reached are for its
                // data.
                if !reached.memory {
                    waits.without_data(index, Counter::Vm);
                }
                if !reached.share {
                    waits.without_data(index, Counter::Lgkm);
                }
            }
            Action::Share(access) => {
                let share = match access.global {
                    true => &mut self.global_share,
                    false => &mut self.share,
                };
                access.run(own, share, index as u32);
            }
            Action::Signal(send) => self.signals.push(send.run(own, wave, index)),
            Action::Image(access) => access.run(own, images, index as u32)?,
            Action::Export(send) => self.exports.push(send.run(own, wave, index)),
            Action::Undecodable => return Err(Reason::Undecodable),
            Action::Unsupported(what) => return Err(Reason::Unsupported(what.clone())),
        }
        Ok(Next::Go)
    }
}
