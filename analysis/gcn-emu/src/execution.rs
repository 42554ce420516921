//! A run that can be held: one instruction at a time, its whole state a value.

use gcn::analysis::PathWaits;

use crate::image::Images;
use crate::machine::{Limits, Machine};
use crate::program::Program;
use crate::scalar::Next;
use crate::stop::{Reason, Stop};

/// The answer to a fault of timing: a register that is used before a wait makes sure of it, too
/// few wait states between two instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimingFaults {
    /// The run ends: whatever the hardware reads there it reads by chance.
    #[default]
    Stop,
    /// The run goes on as if it had waited, and tells the fault.
    Tell,
}

/// The state of a wave between its turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaveState {
    Running,
    Barrier,
    Ended,
}

/// The run of a workgroup's waves: each to its next barrier, one after the other; the barrier
/// opens when all that have not ended are there. A copy of it goes on by itself.
#[derive(Debug, Clone)]
pub struct Execution<'p> {
    program: &'p Program,
    machine: Machine,
    states: Vec<WaveState>,
    waits: Vec<PathWaits<'p>>,
    /// The wave whose turn it is; as many as there are waves once all have ended.
    wave: usize,
    limits: Limits,
    steps: u64,
    timing: TimingFaults,
    /// The fault of timing of the last step.
    fault: Option<Reason>,
}

impl<'p> Execution<'p> {
    /// The run of a machine's waves before its first instruction.
    pub fn new(program: &'p Program, machine: Machine, limits: Limits) -> Execution<'p> {
        let count = machine.waves.len();
        Execution {
            program,
            machine,
            states: vec![WaveState::Running; count],
            waits: vec![PathWaits::new(&program.code, &program.def_use); count],
            wave: 0,
            limits,
            steps: 0,
            timing: TimingFaults::Stop,
            fault: None,
        }
    }

    /// The same run, with another answer to faults of timing.
    #[must_use]
    pub fn with_timing(self, timing: TimingFaults) -> Execution<'p> {
        Execution { timing, ..self }
    }

    /// The fault of timing of the last step, of a run that goes on.
    pub fn timing_fault(&self) -> Option<&Reason> {
        self.fault.as_ref()
    }

    /// The machine as it is now.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine, to change what it holds between two instructions.
    pub fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Gives the machine back.
    pub fn into_machine(self) -> Machine {
        self.machine
    }

    /// The number of instructions that were executed, of all waves.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The wave that executes next; `None` once all have ended.
    pub fn wave(&self) -> Option<usize> {
        (self.wave < self.states.len()).then_some(self.wave)
    }

    /// The instruction that a wave executes next; `None` where it has ended, or where control
    /// has gone where no instruction begins.
    pub fn instruction(&self, wave: usize) -> Option<usize> {
        let runs = self.states.get(wave).is_some_and(|state| *state != WaveState::Ended);
        self.program.at(self.machine.waves.get(wave).filter(|_| runs)?.counter)
    }

    /// The operations of a wave that are under way.
    pub fn waits(&self, wave: usize) -> Option<&PathWaits<'p>> {
        self.waits.get(wave)
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Tells whether a wave waits at a barrier.
    pub fn is_at_barrier(&self, wave: usize) -> bool {
        self.states.get(wave) == Some(&WaveState::Barrier)
    }

    /// Executes the next instruction of the wave whose turn it is, if there is one.
    ///
    /// # Errors
    /// The reason why real hardware would not do as the code means it, or the limits. The
    /// instruction is then not executed, or in part.
    pub fn step(&mut self, images: &mut dyn Images) -> Result<(), Stop> {
        self.fault = None;
        let Some(wave) = self.wave() else { return Ok(()) };
        let next = self.execute(wave, images)?;
        self.states[wave] = match next {
            Next::Go => return Ok(()),
            Next::Barrier => WaveState::Barrier,
            Next::End => WaveState::Ended,
        };
        self.pass_on();
        Ok(())
    }

    /// Finds the wave whose turn it is after one has come to rest.
    fn pass_on(&mut self) {
        let running = |state: &WaveState| *state == WaveState::Running;
        if let Some(next) = self.states.iter().skip(self.wave).position(running) {
            self.wave += next;
            return;
        }
        // All waves that have not ended are at the barrier now, so it opens.
        for state in self.states.iter_mut().filter(|state| **state == WaveState::Barrier) {
            *state = WaveState::Running;
        }
        self.wave = self.states.iter().position(running).unwrap_or(self.states.len());
    }

    fn execute(&mut self, wave: usize, images: &mut dyn Images) -> Result<Next, Stop> {
        let (program, machine) = (self.program, &mut self.machine);
        let Some(index) = program.at(machine.waves[wave].counter) else {
            return Err(Stop { wave, instruction: 0, reason: Reason::NoInstruction });
        };
        let stop = |reason: Reason| Stop { wave, instruction: index, reason };
        if self.steps >= self.limits.steps {
            return Err(stop(Reason::Steps));
        }
        let records = machine.exports.len() + machine.messages.len() + machine.signals.len();
        if records > self.limits.records {
            return Err(stop(Reason::Records));
        }
        self.steps += 1;
        let instruction = &program.instructions[index];
        // A skipped instruction (VSKIP) is not issued: it reads no register too early and
        // raises no counter, so the waits do not hear of it.
        if machine.waves[wave].mode.skips_vectors() && instruction.action.is_vector() {
            let own = &mut machine.waves[wave];
            own.clock += 1;
            own.counter = instruction.end.into();
            return Ok(Next::Go);
        }
        let waits = &mut self.waits[wave];
        // Whatever the hardware reads here it reads by chance of timing. Stopping shows
        // the fault; any value that were chosen would hide it.
        let active = machine.waves[wave].exec();
        let missing = waits.step(index, active).map(|missing| Reason::MissingWait(missing.message));
        let fault = missing.or_else(|| instruction.hazard.clone().map(Reason::Hazard));
        match (fault, self.timing) {
            (Some(fault), TimingFaults::Stop) => return Err(stop(fault)),
            (fault, _) => self.fault = fault,
        }
        let own = &mut machine.waves[wave];
        own.clock += 1;
        // Branches count from what follows them, and calls save it.
        own.counter = instruction.end.into();
        machine.step(wave, index, &instruction.action, images, waits).map_err(stop)
    }
}
