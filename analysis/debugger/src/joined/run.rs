//! The run of both sides.

use std::cmp::Ordering;
use std::ops::Range;

use diff_exec::HeldTextures;
use gcn_emu::{Execution, LANES, Limits, Machine, TimingFaults, Wave};
use tgsi_interp::execution::Failure;

use super::Joined;
use super::order::Standing;
use super::stages::Stages;
use crate::machine;
use crate::shader::SavedShader;
use crate::subject::{Event, EventKind, Fault, Subject};

/// Machine instructions of a run, at most.
const LIMITS: Limits = Limits { steps: 1 << 26, records: 1 << 14 };

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Interpreter,
    Machine,
}

/// The parts of a run's state that belong to neither side alone.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// The group that the machine runs.
    pub(super) group: usize,
    /// For each wave the loops' ends from which its first quad has come back, and it itself.
    pub(super) rounds: Vec<[u32; 2]>,
    /// The barriers of the group that have opened on each side, where there are several waves.
    pub(super) barriers: [u32; 2],
    /// Machine instructions of the groups before.
    pub(super) before: u64,
    /// The instruction to which the last step has led.
    pub(super) arrival: usize,
    /// True once the difference was told.
    pub(super) told: bool,
}

/// A run of both sides.
pub struct JoinedRun<'j> {
    pub(super) joined: &'j Joined,
    pub(super) stages: Stages<'j>,
    pub(super) execution: Execution<'j>,
    pub(super) textures: HeldTextures,
    pub(super) progress: Progress,
    pub(super) events: Vec<Event>,
}

/// A state of a run.
pub struct SavedJoined<'j> {
    pub(super) stages: Vec<SavedShader<'j>>,
    pub(super) execution: Execution<'j>,
    pub(super) textures: HeldTextures,
    pub(super) progress: Progress,
}

impl<'j> JoinedRun<'j> {
    pub(super) fn new(joined: &'j Joined) -> Result<JoinedRun<'j>, Failure> {
        let execution = Execution::new(&joined.code, joined.start.machine.clone(), LIMITS)
            .with_timing(TimingFaults::Tell);
        Ok(JoinedRun {
            joined,
            stages: joined.stages()?,
            execution,
            textures: joined.start.textures.clone(),
            progress: Progress::default(),
            events: Vec::new(),
        })
    }

    /// The number of statements.
    pub(super) fn statements(&self) -> usize {
        self.stages.instructions()
    }

    /// The machine instruction that a wave executes next.
    pub(super) fn next(&self, wave: usize) -> Option<usize> {
        self.execution.instruction(wave)
    }

    pub(super) fn wave(&self, number: usize) -> Option<&Wave> {
        self.execution.machine().waves.get(number)
    }

    /// The first quad of a wave, with which it takes turns.
    pub(super) fn leader(&self, wave: usize) -> usize {
        self.quads(wave).start
    }

    /// The quads of the shader that runs which begin in a wave.
    pub(super) fn quads(&self, wave: usize) -> Range<usize> {
        let (all, running) = (self.joined.lanes.quads(wave), self.stages.running());
        all.start.max(running.start)..all.end.min(running.end)
    }

    pub(super) fn ordinal(&self, instruction: usize) -> u32 {
        self.joined.lines.get(instruction).map_or(0, |(_, ordinal)| *ordinal)
    }

    /// The number of a machine instruction among all.
    pub(super) fn listed(&self, instruction: usize) -> usize {
        self.statements() + instruction
    }

    /// The machine instruction of a number among all.
    pub(super) fn machine_instruction(&self, number: usize) -> Option<usize> {
        number.checked_sub(self.statements())
    }

    /// The side that executes next; `None` once both have ended.
    pub(super) fn side(&self) -> Option<Side> {
        let (quad, wave) = match (self.stages.thread(), self.execution.wave()) {
            (None, None) => return None,
            (None, Some(_)) => return Some(Side::Machine),
            (Some(_), None) => return Some(Side::Interpreter),
            (Some(quad), Some(wave)) => (quad, wave),
        };
        let group = self.stages.group();
        let [interpreter, machine] = self.progress.barriers;
        // Whoever is behind catches up: groups, barriers, the waves before that of the quad.
        let ahead = group
            .cmp(&self.progress.group)
            .then(interpreter.cmp(&machine))
            .then(self.joined.lanes.wave(quad).cmp(&wave));
        match ahead {
            Ordering::Greater => return Some(Side::Machine),
            Ordering::Less => return Some(Side::Interpreter),
            Ordering::Equal => {}
        }
        // A wave goes with its first quad; the others follow it.
        if quad != self.leader(wave) {
            return Some(Side::Interpreter);
        }
        // Where no instruction is there the machine says so.
        let (Some(own), Some(next)) = (self.stages.instruction(quad), self.next(wave)) else {
            return Some(Side::Machine);
        };
        // Behind the last statement nothing more is waited for.
        if own + 1 == self.statements() {
            return Some(Side::Machine);
        }
        let returns = self.stages.returns(quad).into_iter();
        let returns: Vec<Option<u32>> = returns.map(|it| Some(it? as u32 + 1)).collect();
        let standing = Standing { ordinal: own as u32 + 1, returns: &returns };
        let [interpreter, rounds] = self.progress.rounds.get(wave).copied().unwrap_or_default();
        let pending = self.joined.pending.get(next).copied().unwrap_or(0);
        let statements = [self.ordinal(next), pending];
        let goes = rounds <= interpreter
            && statements.into_iter().any(|it| self.joined.functions.may_go(&standing, it));
        Some(if goes { Side::Machine } else { Side::Interpreter })
    }

    pub(super) fn step_shader(&mut self) -> Result<(), Fault> {
        let Some(quad) = self.stages.thread() else { return Ok(()) };
        let (before, depth) = (self.stages.instruction(quad), self.stages.returns(quad).len());
        let (group, barriers) = (self.stages.group(), self.stages.barriers());
        let running = self.stages.running();
        self.stages.step()?;
        self.events = self.stages.events();
        let turn = self.stages.thread();
        let after = self.stages.instruction(quad);
        let wave = self.joined.lanes.wave(quad);
        if self.stages.running() != running {
            // Loops of another shader: nobody waits for those of the one before.
            self.progress.rounds.clear();
        } else if self.stages.group() != group {
            self.begin_rounds(Side::Interpreter);
        } else if self.stages.barriers() > barriers && self.has_several_waves() {
            self.progress.barriers[0] += 1;
        } else if turn == Some(quad)
            && quad == self.leader(wave)
            && after < before
            && self.stages.returns(quad).len() == depth
        {
            self.round(wave, Side::Interpreter);
        }
        self.follow_group();
        self.arrive(turn.and_then(|turn| self.stages.instruction(turn)));
        Ok(())
    }

    pub(super) fn step_machine(&mut self) -> Result<(), Fault> {
        let Some(wave) = self.execution.wave() else { return Ok(()) };
        let thread = self.leader(wave);
        let before = self.next(wave);
        let active = self.wave(wave).map_or(0, Wave::exec);
        let stepped = self.execution.step(&mut self.textures);
        stepped.map_err(|stop| Fault { thread, message: format!("machine code: {stop}") })?;
        // Lanes are those of the thread, which is one of several in the wave.
        let missing = machine::missing_wait(&self.execution, active);
        self.events.extend(missing.map(|it| Event { lane: it.lane % self.lanes(), ..it }));
        if let (Some(before), Some(after)) = (before, self.next(wave))
            && after <= before
            && self.has_several(after..before + 1)
        {
            self.round(wave, Side::Machine);
        }
        let event = before.and_then(|before| self.difference(wave, before));
        self.progress.told |= event.is_some();
        self.events.extend(event);
        match self.execution.wave() {
            Some(turn) if turn < wave => self.progress.barriers[1] += 1,
            _ => self.follow_group(),
        }
        let next = self.execution.wave().and_then(|turn| self.next(turn));
        self.arrive(next.map(|next| self.listed(next)));
        Ok(())
    }

    /// Notes where a step has led: on its own side, or where that has ended on the other.
    fn arrive(&mut self, own: Option<usize>) {
        let other = || self.instruction(self.thread()?);
        self.progress.arrival = own.or_else(other).unwrap_or(self.progress.arrival);
    }

    pub(super) fn has_several_waves(&self) -> bool {
        self.execution.machine().waves.len() > 1
    }

    /// Counts an end of a loop from which a side has come back.
    fn round(&mut self, wave: usize, side: Side) {
        if self.progress.rounds.len() <= wave {
            self.progress.rounds.resize(wave + 1, [0; 2]);
        }
        self.progress.rounds[wave][side as usize] += 1;
    }

    /// Counts anew on a side, which begins a group.
    fn begin_rounds(&mut self, side: Side) {
        self.progress.barriers[side as usize] = 0;
        self.progress.rounds.iter_mut().for_each(|own| own[side as usize] = 0);
    }

    /// Once the interpreter has left a group and all waves have ended, puts those of the next one
    /// in their place.
    fn follow_group(&mut self) {
        let is_left = self.stages.thread().is_none() || self.stages.group() > self.progress.group;
        let next = self.joined.start.groups.get(self.progress.group);
        let Some(waves) = next.filter(|_| is_left && self.execution.wave().is_none()) else {
            return;
        };
        self.progress.before += self.execution.steps();
        let machine = std::mem::take(self.execution.machine_mut());
        let machine = Machine { waves: waves.clone(), ..machine };
        let limits = Limits { steps: LIMITS.steps.saturating_sub(self.progress.before), ..LIMITS };
        self.execution =
            Execution::new(&self.joined.code, machine, limits).with_timing(TimingFaults::Tell);
        self.progress.group += 1;
        self.begin_rounds(Side::Machine);
    }

    /// Tells whether machine instructions come from several statements: those of one alone are a
    /// loop of the compiler, which the interpreter does not have.
    fn has_several(&self, mut instructions: Range<usize>) -> bool {
        let mut ordinals = instructions.by_ref().map(|it| self.ordinal(it)).filter(|it| *it > 0);
        let first = ordinals.next();
        ordinals.any(|it| Some(it) != first)
    }

    /// The difference between both sides, where the instruction that was executed makes it.
    fn difference(&self, wave: usize, executed: usize) -> Option<Event> {
        let own = self.joined.difference.as_ref().filter(|_| !self.progress.told)?;
        let is_here = own.instruction == Some(executed)
            && own.difference.register.is_none_or(|register| {
                let found = self
                    .wave(wave)
                    .map(|wave| wave.lane(register.into(), own.difference.lane.min(LANES - 1)));
                found == Some(own.difference.found)
            });
        let is_last = self.execution.wave().is_none()
            && self.progress.group == self.joined.start.groups.len();
        if !is_here && !is_last {
            return None;
        }
        let lane = own.difference.lane % self.lanes();
        let what = own.difference.to_string();
        Some(Event { kind: EventKind::Difference, lane, what })
    }
}
