//! The groups of a grid, one after another, an instruction at a time.

use super::Launch;
use crate::execution::{Execution, TimingFaults};
use crate::machine::{Limits, Machine};
use crate::stop::Stop;
use crate::texture::MemoryImages;

/// Returns the place on each axis of the group of a grid, or the work-item of a group, with a number:
/// x counts first. No side is 0.
pub fn on_axes(number: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    [number % x, number / x % y, number / (x * y)]
}

/// The run of a whole grid. A copy of it goes on by itself.
#[derive(Debug, Clone)]
pub struct GridExecution<'l> {
    launch: &'l Launch,
    execution: Execution<'l>,
    images: MemoryImages,
    group: u32,
    /// Instructions of the groups before.
    before: u64,
    limits: Limits,
    timing: TimingFaults,
}

impl<'l> GridExecution<'l> {
    /// The run before its first instruction.
    pub fn new(launch: &'l Launch, limits: Limits) -> GridExecution<'l> {
        let execution = Execution::new(&launch.program, launch.machine(), limits);
        let images = MemoryImages::new(launch.program.target);
        GridExecution {
            launch,
            execution,
            images,
            group: 0,
            before: 0,
            limits,
            timing: TimingFaults::Stop,
        }
    }

    /// The same run, with another answer to faults of timing.
    #[must_use]
    pub fn with_timing(self, timing: TimingFaults) -> GridExecution<'l> {
        GridExecution { execution: self.execution.with_timing(timing), timing, ..self }
    }

    /// The launch.
    pub fn launch(&self) -> &'l Launch {
        self.launch
    }

    /// The group that runs, from 0; after the run the last one.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// The run of the group.
    pub fn execution(&self) -> &Execution<'l> {
        &self.execution
    }

    /// The machine as it is now.
    pub fn machine(&self) -> &Machine {
        self.execution.machine()
    }

    /// The machine, to change what it holds between two instructions.
    pub fn machine_mut(&mut self) -> &mut Machine {
        self.execution.machine_mut()
    }

    /// The wave of the group that executes next; `None` once all groups have ended.
    pub fn wave(&self) -> Option<usize> {
        self.execution.wave()
    }

    /// Instructions so far.
    pub fn steps(&self) -> u64 {
        self.before + self.execution.steps()
    }

    /// Executes the next instruction, if there is one. Where the last wave of a group ends the
    /// next group begins.
    ///
    /// # Errors
    /// The reason why the run cannot go on.
    pub fn step(&mut self) -> Result<(), Stop> {
        self.execution.step(&mut self.images)?;
        if self.execution.wave().is_none() && self.group + 1 < self.launch.groups() {
            self.before += self.execution.steps();
            self.group += 1;
            let mut machine = std::mem::take(self.execution.machine_mut());
            self.launch.begin_group(&mut machine, self.group);
            let limits =
                Limits { steps: self.limits.steps.saturating_sub(self.before), ..self.limits };
            self.execution =
                Execution::new(&self.launch.program, machine, limits).with_timing(self.timing);
        }
        Ok(())
    }
}
