//! The run of both sides as the debugger sees it.

use std::ops::Range;

use gcn_emu::Wave;
use tgsi::words::File;

use super::run::{JoinedRun, SavedJoined, Side};
use super::stages::Stages;
use crate::expression::{ExpressionError, Reference, Value};
use crate::location::Location;
use crate::machine;
use crate::subject::{Event, Fault, Scope, Subject};

impl<'j> Subject for JoinedRun<'j> {
    type Saved = SavedJoined<'j>;

    fn thread(&self) -> Option<usize> {
        match self.side()? {
            Side::Interpreter => self.stages.thread(),
            Side::Machine => self.execution.wave().map(|wave| self.leader(wave)),
        }
    }

    fn threads(&self) -> usize {
        self.stages.threads()
    }

    fn thread_name(&self, thread: usize) -> String {
        let wave = self.joined.lanes.wave(thread);
        let exec = self.wave(wave).map_or(0, Wave::exec);
        let (own, chip) = (self.stages.thread_name(thread), self.joined.target.name());
        match self.has_several_waves() {
            true => format!("{own}, wave {wave} on {chip}, EXEC {exec:#x}"),
            false => format!("{own}, on {chip}, EXEC {exec:#x}"),
        }
    }

    fn instruction(&self, thread: usize) -> Option<usize> {
        let own = self.stages.instruction(thread);
        own.or_else(|| self.beneath(thread))
    }

    fn returns(&self, thread: usize) -> Vec<Option<usize>> {
        self.stages.returns(thread)
    }

    fn lanes(&self) -> usize {
        self.stages.lanes()
    }

    fn lane_name(&self, thread: usize, lane: usize) -> String {
        self.stages.lane_name(thread, lane)
    }

    fn active(&self, thread: usize) -> u64 {
        self.stages.active(thread)
    }

    fn watched(&self) -> (usize, usize) {
        self.stages.watched()
    }

    fn instructions(&self) -> usize {
        self.statements() + self.joined.lines.len()
    }

    fn listing(&self) -> Range<usize> {
        self.statements()..self.instructions()
    }

    fn beneath(&self, thread: usize) -> Option<usize> {
        // Threads of another shader than the one that runs have nothing beneath them.
        if !self.stages.running().contains(&thread) {
            return None;
        }
        self.next(self.joined.lanes.wave(thread)).map(|next| self.listed(next))
    }

    fn arrival(&self) -> Option<usize> {
        Some(self.progress.arrival)
    }

    fn stepping_beneath(&self) -> Option<usize> {
        match self.side()? {
            Side::Machine => Some(self.listed(self.next(self.execution.wave()?)?)),
            Side::Interpreter => None,
        }
    }

    fn line(&self, instruction: usize) -> Option<u32> {
        match self.machine_instruction(instruction) {
            None => self.stages.line(instruction),
            Some(own) => self.stages.line((self.ordinal(own) as usize).checked_sub(1)?),
        }
    }

    fn text(&self, instruction: usize) -> &str {
        match self.machine_instruction(instruction) {
            None => self.stages.text(instruction),
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
        let own = self.machine_instruction(instruction);
        own.map_or(String::new(), |own| machine::words_text(&self.joined.code, own))
    }

    fn value(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Value, ExpressionError> {
        match File::from_word(&reference.name) {
            None => {
                let (wave, lane) = self.joined.lanes.place(thread, lane);
                machine::value(&self.execution, wave, lane, reference)
            }
            Some(_) => self.stages.value(thread, lane, reference),
        }
    }

    fn scopes(&self, thread: usize) -> Vec<Scope> {
        let mut scopes = self.stages.scopes(thread);
        let named = |own: usize| {
            let listed = self.listed(own);
            let offset = self.address(listed);
            format!("{offset:#x} {}", self.text(listed))
        };
        let lanes = &self.joined.lanes;
        let shown = (&self.joined.used, lanes.in_wave(thread));
        scopes.extend(machine::scopes(&self.execution, lanes.wave(thread), shown, &named));
        scopes.retain(|scope| !scope.variables.is_empty());
        scopes
    }

    fn memory(&self, address: u64, count: usize) -> Vec<u8> {
        self.stages.memory(address, count)
    }

    fn memories(&self) -> Vec<(String, u64, usize)> {
        self.stages.memories()
    }

    fn locate(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Vec<Location>, ExpressionError> {
        match File::from_word(&reference.name) {
            Some(_) => self.stages.locate(thread, lane, reference),
            None => machine::locate(thread, reference),
        }
    }

    /// Registers are those of quads here: each has its lanes of a wave's.
    fn targets(&self) -> Vec<(Location, u64)> {
        match (self.side(), self.execution.wave()) {
            (Some(Side::Machine), Some(wave)) => {
                let (Some(next), Some(own)) = (self.next(wave), self.wave(wave)) else {
                    return Vec::new();
                };
                let written = |quad: usize| {
                    let lanes = self.joined.lanes.in_wave(quad);
                    let active = own.exec() >> lanes.start & ((1 << lanes.len()) - 1);
                    machine::targets(&self.joined.code, next, quad, active)
                };
                self.quads(wave).flat_map(written).collect()
            }
            (Some(Side::Interpreter), _) => self.stages.targets(),
            _ => Vec::new(),
        }
    }

    fn sources(&self, target: &Location, lane: usize) -> Vec<(Location, usize)> {
        match *target {
            Location::Register { wave: quad, .. } => {
                match self.next(self.joined.lanes.wave(quad)) {
                    Some(next) => machine::sources(&self.joined.code, next, quad, lane),
                    None => Vec::new(),
                }
            }
            _ => self.stages.sources(target, lane),
        }
    }

    fn bits(&self, location: &Location, lane: usize) -> Option<u32> {
        match *location {
            Location::Register { wave: quad, bank, number } => {
                let (wave, lane) = self.joined.lanes.place(quad, lane);
                Some(machine::bits(self.wave(wave)?, bank, number, lane))
            }
            _ => self.stages.bits(location, lane),
        }
    }

    fn step(&mut self) -> Result<(), Fault> {
        self.events.clear();
        match self.side() {
            Some(Side::Interpreter) => self.step_shader(),
            Some(Side::Machine) => self.step_machine(),
            None => Ok(()),
        }
    }

    fn events(&self) -> Vec<Event> {
        self.events.clone()
    }

    fn save(&mut self) -> SavedJoined<'j> {
        SavedJoined {
            stages: self.stages.save(),
            execution: self.execution.clone(),
            textures: self.textures.clone(),
            progress: self.progress.clone(),
        }
    }

    fn restore(&mut self, saved: &SavedJoined<'j>) {
        self.stages.restore(&saved.stages);
        self.execution = saved.execution.clone();
        self.textures = saved.textures.clone();
        self.progress = saved.progress.clone();
        self.events.clear();
    }

    fn size(saved: &SavedJoined<'j>) -> usize {
        Stages::size(&saved.stages)
            + machine::bytes(saved.execution.machine())
            + saved.textures.bytes()
            + size_of::<SavedJoined<'_>>()
    }
}
