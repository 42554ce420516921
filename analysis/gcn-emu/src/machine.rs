//! A workgroup: its waves, their share, the memory; and what an instruction does to them.

use gcn::analysis::PathWaits;
use gcn::behaviour::Counter;

use crate::execution::Execution;
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
        let mut execution = Execution::new(program, std::mem::take(self), limits);
        let mut ran = Ok(());
        while ran.is_ok() && execution.wave().is_some() {
            ran = execution.step(images);
        }
        let steps = execution.steps();
        *self = execution.into_machine();
        ran.map(|()| steps)
    }

    /// Executes one instruction of a wave.
    pub(crate) fn step(
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
                access.run(own, share, index as u32)?;
            }
            Action::Signal(send) => self.signals.push(send.run(own, wave, index)),
            Action::Image(access) => access.run(own, (images, &mut self.memory), index as u32)?,
            Action::Export(send) => self.exports.push(send.run(own, wave, index)),
            Action::Undecodable => return Err(Reason::Undecodable),
            Action::Unsupported(what) => return Err(Reason::Unsupported(what.clone())),
        }
        Ok(Next::Go)
    }
}
