//! The run of both sides.

use std::ops::Range;

use diff_exec::HeldTextures;
use gcn_emu::{Execution, LANES, Limits, Wave};
use tgsi::words::File;
use tgsi_interp::execution::Failure;

use super::Joined;
use super::order::Standing;
use crate::expression::{ExpressionError, Reference, Value};
use crate::location::Location;
use crate::machine;
use crate::shader::{SavedShader, ShaderRun};
use crate::subject::{Fault, Finding, FindingKind, Scope, Subject};

/// Machine instructions of a run, at most.
const LIMITS: Limits = Limits { steps: 1 << 26, records: 1 << 14 };

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Interpreter,
    Machine,
}

/// The parts of a run's state that belong to neither side alone.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// The loops' ends that each side has come back from.
    rounds: [u32; 2],
    /// The instruction to which the last step has led.
    arrival: usize,
    /// True once the difference was told.
    told: bool,
}

/// A run of both sides.
pub struct JoinedRun<'j> {
    joined: &'j Joined,
    shader: ShaderRun<'j>,
    execution: Execution<'j>,
    textures: HeldTextures,
    progress: Progress,
    findings: Vec<Finding>,
}

/// A state of a run.
pub struct SavedJoined<'j> {
    shader: SavedShader<'j>,
    execution: Execution<'j>,
    textures: HeldTextures,
    progress: Progress,
}

impl<'j> JoinedRun<'j> {
    pub(super) fn new(joined: &'j Joined) -> Result<JoinedRun<'j>, Failure> {
        let execution = Execution::new(&joined.code, joined.start.machine.clone(), LIMITS);
        Ok(JoinedRun {
            joined,
            shader: joined.shader.run()?,
            execution,
            textures: joined.start.textures.clone(),
            progress: Progress::default(),
            findings: Vec::new(),
        })
    }

    /// The number of statements.
    fn statements(&self) -> usize {
        self.shader.instructions()
    }

    /// The machine instruction that is next.
    fn next(&self) -> Option<usize> {
        self.execution.instruction(0)
    }

    fn wave(&self) -> Option<&Wave> {
        self.execution.machine().waves.first()
    }

    fn ordinal(&self, instruction: usize) -> u32 {
        self.joined.lines.get(instruction).map_or(0, |(_, ordinal)| *ordinal)
    }

    /// The number of a machine instruction among all.
    fn listed(&self, instruction: usize) -> usize {
        self.statements() + instruction
    }

    /// The machine instruction of a number among all.
    fn machine_instruction(&self, number: usize) -> Option<usize> {
        number.checked_sub(self.statements())
    }

    /// The side that executes next; `None` once both have ended.
    fn side(&self) -> Option<Side> {
        let own = self.shader.instruction(0);
        let (own, machine) = match (own, self.execution.wave()) {
            (None, None) => return None,
            (None, Some(_)) => return Some(Side::Machine),
            (Some(_), None) => return Some(Side::Interpreter),
            // Where no instruction is there the machine says so.
            (Some(own), Some(_)) => match self.next() {
                Some(next) => (own, next),
                None => return Some(Side::Machine),
            },
        };
        let ordinal = own as u32 + 1;
        // Behind the last statement nothing more is waited for.
        if own + 1 == self.statements() {
            return Some(Side::Machine);
        }
        let returns = self.shader.stepping().returns(0);
        let standing = Standing { ordinal, returns: &returns };
        let [interpreter, rounds] = self.progress.rounds;
        let pending = self.joined.pending.get(machine).copied().unwrap_or(0);
        let statements = [self.ordinal(machine), pending];
        let goes = rounds <= interpreter
            && statements.into_iter().any(|it| self.joined.functions.may_go(&standing, it));
        Some(if goes { Side::Machine } else { Side::Interpreter })
    }

    fn step_shader(&mut self) -> Result<(), Fault> {
        let (before, depth) = (self.shader.instruction(0), self.shader.returns(0).len());
        self.shader.step()?;
        self.findings = self.shader.findings();
        let after = self.shader.instruction(0);
        if after < before && after.is_some() && self.shader.returns(0).len() == depth {
            self.progress.rounds[0] += 1;
        }
        self.progress.arrival = match (after, self.next()) {
            (Some(after), _) => after,
            (None, Some(next)) => self.listed(next),
            (None, None) => self.progress.arrival,
        };
        Ok(())
    }

    fn step_machine(&mut self) -> Result<(), Fault> {
        let before = self.next();
        let stepped = self.execution.step(&mut self.textures);
        stepped.map_err(|stop| Fault { thread: 0, message: format!("machine code: {stop}") })?;
        let after = self.next();
        if let (Some(before), Some(after)) = (before, after)
            && after <= before
            && self.has_several(after..before + 1)
        {
            self.progress.rounds[1] += 1;
        }
        self.progress.arrival = match (after, self.shader.instruction(0)) {
            (Some(after), _) => self.listed(after),
            (None, Some(own)) => own,
            (None, None) => self.progress.arrival,
        };
        if let Some(finding) = before.and_then(|before| self.difference(before)) {
            self.progress.told = true;
            self.findings.push(finding);
        }
        Ok(())
    }

    /// Tells whether machine instructions come from several statements: those of one alone are a
    /// loop of the compiler, which the interpreter does not have.
    fn has_several(&self, mut instructions: Range<usize>) -> bool {
        let mut ordinals = instructions.by_ref().map(|it| self.ordinal(it)).filter(|it| *it > 0);
        let first = ordinals.next();
        ordinals.any(|it| Some(it) != first)
    }

    /// The difference between both sides, where the instruction that was executed makes it.
    fn difference(&self, executed: usize) -> Option<Finding> {
        let own = self.joined.difference.as_ref().filter(|_| !self.progress.told)?;
        let is_here = own.instruction == Some(executed)
            && own.difference.register.is_none_or(|register| {
                let found = self
                    .wave()
                    .map(|wave| wave.lane(register.into(), own.difference.lane.min(LANES - 1)));
                found == Some(own.difference.found)
            });
        if !is_here && self.execution.wave().is_some() {
            return None;
        }
        let lane = own.difference.lane % self.lanes();
        let what = own.difference.to_string();
        Some(Finding { kind: FindingKind::Difference, lane, what })
    }
}

impl<'j> Subject for JoinedRun<'j> {
    type Saved = SavedJoined<'j>;

    fn thread(&self) -> Option<usize> {
        self.side().map(|_| 0)
    }

    fn threads(&self) -> usize {
        1
    }

    fn thread_name(&self, thread: usize) -> String {
        let exec = self.wave().map_or(0, Wave::exec);
        let (own, chip) = (self.shader.thread_name(thread), self.joined.target.name());
        format!("{own}, on {chip}, EXEC {exec:#x}")
    }

    fn instruction(&self, thread: usize) -> Option<usize> {
        let own = self.shader.instruction(thread);
        own.or_else(|| self.next().map(|next| self.listed(next)))
    }

    fn returns(&self, thread: usize) -> Vec<Option<usize>> {
        self.shader.returns(thread)
    }

    fn lanes(&self) -> usize {
        self.shader.lanes()
    }

    fn lane_name(&self, thread: usize, lane: usize) -> String {
        self.shader.lane_name(thread, lane)
    }

    fn active(&self, thread: usize) -> u64 {
        self.shader.active(thread)
    }

    fn watched(&self) -> (usize, usize) {
        self.shader.watched()
    }

    fn instructions(&self) -> usize {
        self.statements() + self.joined.lines.len()
    }

    fn listing(&self) -> Range<usize> {
        self.statements()..self.instructions()
    }

    fn beneath(&self, _: usize) -> Option<usize> {
        self.next().map(|next| self.listed(next))
    }

    fn arrival(&self) -> Option<usize> {
        Some(self.progress.arrival)
    }

    fn stepping_beneath(&self) -> Option<usize> {
        match self.side()? {
            Side::Machine => self.beneath(0),
            Side::Interpreter => None,
        }
    }

    fn line(&self, instruction: usize) -> Option<u32> {
        match self.machine_instruction(instruction) {
            None => self.shader.line(instruction),
            Some(own) => self.shader.line((self.ordinal(own) as usize).checked_sub(1)?),
        }
    }

    fn text(&self, instruction: usize) -> &str {
        match self.machine_instruction(instruction) {
            None => self.shader.text(instruction),
            Some(own) => self.joined.lines.get(own).map_or("", |(text, _)| text),
        }
    }

    fn address(&self, instruction: usize) -> u64 {
        match self.machine_instruction(instruction) {
            None => self.joined.addresses.get(instruction).copied().unwrap_or(0),
            Some(own) => {
                let own = self.joined.code.instructions.get(own);
                own.map_or(0, |own| own.offset.into())
            }
        }
    }

    fn bytes_of(&self, instruction: usize) -> String {
        let Some(own) = self.machine_instruction(instruction) else { return String::new() };
        let words = self.joined.code.words(own);
        words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
    }

    fn value(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Value, ExpressionError> {
        match File::from_word(&reference.name) {
            None => machine::value(&self.execution, 0, lane, reference),
            Some(_) => self.shader.value(thread, lane, reference),
        }
    }

    fn scopes(&self, thread: usize) -> Vec<Scope> {
        let mut scopes = self.shader.scopes(thread);
        let named = |own: usize| {
            let listed = self.listed(own);
            let offset = self.address(listed);
            format!("{offset:#x} {}", self.text(listed))
        };
        let shown = (&self.joined.used, self.lanes());
        scopes.extend(machine::scopes(&self.execution, 0, shown, &named));
        scopes.retain(|scope| !scope.variables.is_empty());
        scopes
    }

    fn memory(&self, address: u64, count: usize) -> Vec<u8> {
        self.shader.memory(address, count)
    }

    fn memories(&self) -> Vec<(String, u64, usize)> {
        self.shader.memories()
    }

    fn locate(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Vec<Location>, ExpressionError> {
        match File::from_word(&reference.name) {
            Some(_) => self.shader.locate(thread, lane, reference),
            None => machine::locate(thread, reference),
        }
    }

    fn targets(&self) -> Vec<(Location, u64)> {
        match (self.side(), self.next(), self.wave()) {
            (Some(Side::Machine), Some(next), Some(wave)) => {
                machine::targets(&self.joined.code, next, 0, wave.exec())
            }
            (Some(Side::Interpreter), ..) => self.shader.targets(),
            _ => Vec::new(),
        }
    }

    fn sources(&self, target: &Location, lane: usize) -> Vec<(Location, usize)> {
        match (target, self.next()) {
            (Location::Register { .. }, Some(next)) => {
                machine::sources(&self.joined.code, next, 0, lane)
            }
            (Location::Register { .. }, None) => Vec::new(),
            _ => self.shader.sources(target, lane),
        }
    }

    fn bits(&self, location: &Location, lane: usize) -> Option<u32> {
        match *location {
            Location::Register { bank, number, .. } => {
                Some(machine::bits(self.wave()?, bank, number, lane))
            }
            _ => self.shader.bits(location, lane),
        }
    }

    fn step(&mut self) -> Result<(), Fault> {
        self.findings.clear();
        match self.side() {
            Some(Side::Interpreter) => self.step_shader(),
            Some(Side::Machine) => self.step_machine(),
            None => Ok(()),
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    fn save(&mut self) -> SavedJoined<'j> {
        SavedJoined {
            shader: self.shader.save(),
            execution: self.execution.clone(),
            textures: self.textures.clone(),
            progress: self.progress,
        }
    }

    fn restore(&mut self, saved: &SavedJoined<'j>) {
        self.shader.restore(&saved.shader);
        self.execution = saved.execution.clone();
        self.textures = saved.textures.clone();
        self.progress = saved.progress;
        self.findings.clear();
    }

    fn size(saved: &SavedJoined<'j>) -> usize {
        ShaderRun::size(&saved.shader)
            + machine::bytes(saved.execution.machine())
            + saved.textures.bytes()
            + size_of::<SavedJoined<'_>>()
    }
}
