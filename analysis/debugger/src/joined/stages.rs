//! The shaders that one machine code was made of, one after the other: a single one, or two that
//! a chip runs as one program. Threads and statements of the second follow those of the first.

use std::ops::Range;

use tgsi_interp::execution::Failure;

use crate::expression::{ExpressionError, Reference, Value};
use crate::location::Location;
use crate::shader::{SavedShader, Shader, ShaderRun};
use crate::subject::{Event, Fault, Scope, Subject};

/// A shader's run, with the numbers of its first thread and statement.
struct Stage<'j> {
    run: ShaderRun<'j>,
    thread: usize,
    statement: usize,
}

/// The runs of all shaders.
pub(super) struct Stages<'j> {
    /// The shaders before the last.
    before: Vec<Stage<'j>>,
    last: Stage<'j>,
    /// Events of the last step.
    events: Vec<Event>,
}

/// A place with another number of the quad, where it is one of a quad.
fn moved(location: Location, change: impl FnOnce(usize) -> usize) -> Location {
    match location {
        Location::Component { quad, place } => Location::Component { quad: change(quad), place },
        other => other,
    }
}

impl<'j> Stages<'j> {
    /// The runs at their beginning.
    pub(super) fn new(before: &'j [Shader], last: &'j Shader) -> Result<Stages<'j>, Failure> {
        let (mut thread, mut statement) = (0, 0);
        let mut stage = |shader: &'j Shader| {
            let run = shader.run()?;
            let own = Stage { thread, statement, run };
            thread += own.run.threads();
            statement += own.run.instructions();
            Ok(own)
        };
        let before = before.iter().map(&mut stage).collect::<Result<_, Failure>>()?;
        Ok(Stages { before, last: stage(last)?, events: Vec::new() })
    }

    /// The runs of the interpreter.
    pub(super) fn runs(&self) -> impl Iterator<Item = &ShaderRun<'j>> {
        self.all().map(|stage| &stage.run)
    }

    fn all(&self) -> impl DoubleEndedIterator<Item = &Stage<'j>> {
        self.before.iter().chain([&self.last])
    }

    /// The shader that runs.
    fn current(&self) -> &Stage<'j> {
        let running = self.before.iter().find(|stage| stage.run.thread().is_some());
        running.unwrap_or(&self.last)
    }

    fn of_thread(&self, thread: usize) -> &Stage<'j> {
        self.all().rfind(|stage| stage.thread <= thread).unwrap_or(&self.last)
    }

    fn of_statement(&self, statement: usize) -> &Stage<'j> {
        self.all().rfind(|stage| stage.statement <= statement).unwrap_or(&self.last)
    }

    fn of_location(&self, location: &Location) -> &Stage<'j> {
        match location {
            Location::Component { quad, .. } => self.of_thread(*quad),
            // Memory is the last one's: those before it have constants alone.
            _ => &self.last,
        }
    }

    /// The threads of the shader that runs.
    pub(super) fn running(&self) -> Range<usize> {
        let own = self.current();
        own.thread..own.thread + own.run.threads()
    }

    /// The group that runs, from 0.
    pub(super) fn group(&self) -> usize {
        self.current().run.stepping().group()
    }

    /// The barriers of the group that have opened.
    pub(super) fn barriers(&self) -> u32 {
        self.current().run.stepping().barriers()
    }
}

impl<'j> Subject for Stages<'j> {
    type Saved = Vec<SavedShader<'j>>;

    fn thread(&self) -> Option<usize> {
        let own = self.current();
        own.run.thread().map(|thread| own.thread + thread)
    }

    fn threads(&self) -> usize {
        self.last.thread + self.last.run.threads()
    }

    fn thread_name(&self, thread: usize) -> String {
        let own = self.of_thread(thread);
        let name = own.run.thread_name(thread - own.thread);
        match self.before.is_empty() {
            true => name,
            false => format!("{}: {name}", own.run.stage().word()),
        }
    }

    fn instruction(&self, thread: usize) -> Option<usize> {
        let own = self.of_thread(thread);
        own.run.instruction(thread - own.thread).map(|it| own.statement + it)
    }

    fn returns(&self, thread: usize) -> Vec<Option<usize>> {
        let own = self.of_thread(thread);
        let returns = own.run.returns(thread - own.thread).into_iter();
        returns.map(|it| Some(own.statement + it?)).collect()
    }

    fn lanes(&self) -> usize {
        self.last.run.lanes()
    }

    fn lane_name(&self, thread: usize, lane: usize) -> String {
        let own = self.of_thread(thread);
        own.run.lane_name(thread - own.thread, lane)
    }

    fn active(&self, thread: usize) -> u64 {
        let own = self.of_thread(thread);
        own.run.active(thread - own.thread)
    }

    fn watched(&self) -> (usize, usize) {
        let (thread, lane) = self.last.run.watched();
        (self.last.thread + thread, lane)
    }

    fn instructions(&self) -> usize {
        self.last.statement + self.last.run.instructions()
    }

    fn line(&self, instruction: usize) -> Option<u32> {
        let own = self.of_statement(instruction);
        own.run.line(instruction - own.statement)
    }

    fn text(&self, instruction: usize) -> &str {
        let own = self.of_statement(instruction);
        own.run.text(instruction - own.statement)
    }

    fn address(&self, instruction: usize) -> u64 {
        instruction as u64
    }

    fn bytes_of(&self, _: usize) -> String {
        String::new()
    }

    fn value(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Value, ExpressionError> {
        let own = self.of_thread(thread);
        own.run.value(thread - own.thread, lane, reference)
    }

    fn scopes(&self, thread: usize) -> Vec<Scope> {
        let own = self.of_thread(thread);
        own.run.scopes(thread - own.thread)
    }

    fn memory(&self, address: u64, count: usize) -> Vec<u8> {
        self.last.run.memory(address, count)
    }

    fn memories(&self) -> Vec<(String, u64, usize)> {
        self.last.run.memories()
    }

    fn locate(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Vec<Location>, ExpressionError> {
        let own = self.of_thread(thread);
        let places = own.run.locate(thread - own.thread, lane, reference)?;
        Ok(places.into_iter().map(|it| moved(it, |quad| own.thread + quad)).collect())
    }

    fn targets(&self) -> Vec<(Location, u64)> {
        let own = self.current();
        let all = own.run.targets().into_iter();
        all.map(|(it, lanes)| (moved(it, |quad| own.thread + quad), lanes)).collect()
    }

    fn sources(&self, target: &Location, lane: usize) -> Vec<(Location, usize)> {
        let own = self.of_location(target);
        let all = own.run.sources(&moved(*target, |quad| quad - own.thread), lane).into_iter();
        all.map(|(it, lane)| (moved(it, |quad| own.thread + quad), lane)).collect()
    }

    fn bits(&self, location: &Location, lane: usize) -> Option<u32> {
        let own = self.of_location(location);
        own.run.bits(&moved(*location, |quad| quad - own.thread), lane)
    }

    fn step(&mut self) -> Result<(), Fault> {
        let running = self.before.iter_mut().find(|stage| stage.run.thread().is_some());
        let own = running.unwrap_or(&mut self.last);
        let stepped = own.run.step();
        self.events = own.run.events();
        stepped.map_err(|fault| Fault { thread: own.thread + fault.thread, ..fault })
    }

    fn events(&self) -> Vec<Event> {
        self.events.clone()
    }

    fn save(&mut self) -> Vec<SavedShader<'j>> {
        let all = self.before.iter_mut().chain([&mut self.last]);
        all.map(|stage| stage.run.save()).collect()
    }

    fn restore(&mut self, saved: &Vec<SavedShader<'j>>) {
        let all = self.before.iter_mut().chain([&mut self.last]);
        all.zip(saved).for_each(|(stage, own)| stage.run.restore(own));
        self.events.clear();
    }

    fn size(saved: &Vec<SavedShader<'j>>) -> usize {
        saved.iter().map(ShaderRun::size).sum()
    }
}
