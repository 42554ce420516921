//! A TGSI shader as a subject: quads of four lanes in the interpreter.

mod events;
mod flow;
mod values;

use source::{LineIndex, Severity, TextRange, TextSize};
use tgsi::Stage;
use tgsi::ast::Instruction;
use tgsi::words::File;
use tgsi_interp::execution::Failure;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::{LANES, Limits, Place, Program, Register, Stepping};

use crate::expression::{ExpressionError, Reference, Value};
use crate::location::Location;
use crate::subject::{Event, EventKind, Fault, MADE_FLOATS, Scope, Subject};

/// Instructions of a run, at most.
const LIMITS: Limits = Limits { steps: 1 << 26, records: 1 << 14 };
/// Registers of a file, and words of a buffer, that are shown.
const MOST_SHOWN: usize = 1024;
/// The distance between the made-up addresses of buffers.
const BUFFER_DISTANCE: u64 = 1 << 32;

/// A shader that can be debugged, with what it is given.
pub struct Shader {
    program: Program,
    inputs: Inputs,
    instructions: Vec<Instruction>,
    lines: Vec<u32>,
    texts: Vec<String>,
}

/// The reason why a shader cannot be debugged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ShaderError {
    /// The line, from 1; 0 where it is about none.
    pub line: u32,
    /// The reason, in a sentence.
    pub message: String,
}

impl Shader {
    /// Prepares one of the shaders of a text, counted from 1.
    ///
    /// # Errors
    /// There is no such shader, or the interpreter does not take it.
    pub fn new(text: &str, number: usize, inputs: Inputs) -> Result<Shader, ShaderError> {
        Shader::with(text, number, inputs, |_| ()).map(|(shader, _)| shader)
    }

    /// Prepares one whose program is changed before it runs, and gives what was read as well.
    ///
    /// # Errors
    /// As [`Shader::new`].
    pub(crate) fn with(
        text: &str,
        number: usize,
        inputs: Inputs,
        change: impl FnOnce(&mut Program),
    ) -> Result<(Shader, tgsi::ast::Shader), ShaderError> {
        let regions = tgsi::regions::split(text).shaders;
        let region = number.checked_sub(1).and_then(|it| regions.get(it)).ok_or_else(|| {
            ShaderError { line: 0, message: format!("there is no shader {number}") }
        })?;
        let index = LineIndex::new(text);
        let line = |offset: TextSize| {
            index.line(region.map().to_file(TextRange::empty(offset)).start()) + 1
        };
        let parse = tgsi::parser::parse(region.text(text), &source::no_checkpoint);
        let error = parse.diagnostics.iter().find(|it| it.severity == Severity::Error);
        if let Some(error) = error {
            let message = error.message.to_string();
            return Err(ShaderError { line: line(error.range.start()), message });
        }
        let Some(shader) = parse.shader else {
            return Err(ShaderError { line: 0, message: "there is no shader".to_owned() });
        };
        let mut lines = Vec::new();
        let mut texts = Vec::new();
        let mut instructions = Vec::new();
        for (statement, instruction) in shader.instruction_statements() {
            lines.push(line(statement.range.start()));
            let own = &region.text(text)[statement.range];
            texts.push(own.split_whitespace().collect::<Vec<_>>().join(" "));
            instructions.push(instruction.clone());
        }
        let mut program = Program::prepare(&shader).map_err(|refusal| {
            let place = (refusal.ordinal as usize).checked_sub(1);
            let line = place.and_then(|place| lines.get(place)).copied().unwrap_or(0);
            ShaderError { line, message: refusal.message }
        })?;
        change(&mut program);
        Ok((Shader { program, inputs, instructions, lines, texts }, shader))
    }

    /// The program that the interpreter runs.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// The inputs.
    pub(crate) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Gives it other input registers, by vertex.
    pub(crate) fn set_vertices(&mut self, vertices: Vec<Vec<Register>>) {
        self.inputs.vertices = vertices;
    }

    /// Its run at the beginning.
    ///
    /// # Errors
    /// The inputs do not fit.
    pub fn run(&self) -> Result<ShaderRun<'_>, Failure> {
        let run = Stepping::new(&self.program, &self.inputs, LIMITS)?;
        let (_, quad, lane) = run.place_of(self.inputs.lane);
        let lanes = match self.program.stage {
            Stage::Compute => usize::MAX,
            Stage::Geometry => 1,
            Stage::TessellationControl => self.program.patch_vertices as usize,
            _ => LANES,
        };
        if self.inputs.lane >= lanes {
            let message =
                format!("there are {lanes} lanes, and none is number {}", self.inputs.lane);
            return Err(Failure { ordinal: 0, message });
        }
        let mut own = ShaderRun {
            shader: self,
            run,
            written: Vec::new(),
            group: 0,
            events: Vec::new(),
            watched: (quad, lane),
        };
        own.forget();
        Ok(own)
    }
}

/// A shader's run.
pub struct ShaderRun<'s> {
    shader: &'s Shader,
    run: Stepping<'s>,
    /// For each quad and component of a temporary the lanes that have written it.
    written: Vec<Vec<u8>>,
    /// The group that `written` is of.
    group: usize,
    events: Vec<Event>,
    watched: (usize, usize),
}

/// A state of a run.
pub struct SavedShader<'s> {
    run: Stepping<'s>,
    written: Vec<Vec<u8>>,
    group: usize,
}

impl<'s> ShaderRun<'s> {
    /// The run of the interpreter.
    pub fn stepping(&self) -> &Stepping<'s> {
        &self.run
    }

    /// The shader's stage.
    pub(crate) fn stage(&self) -> Stage {
        self.shader.program.stage
    }

    fn temporaries(&self, quad: usize) -> usize {
        let files = self.run.files(quad);
        let own = files.iter().find(|size| size.file == File::Temporary);
        own.map_or(0, |size| size.registers)
    }

    /// Begins anew with what was written, as a group does.
    fn forget(&mut self) {
        self.group = self.run.group();
        let count = 4 * self.temporaries(0);
        self.written = vec![vec![0; count]; self.run.quads()];
    }
}

/// The name of a component, as the language writes it.
pub(crate) fn place_name(place: Place) -> String {
    let letter = ['x', 'y', 'z', 'w'][place.component & 3];
    format!("{}.{letter}", register_name(place.file, place.first, place.index))
}

fn register_name(file: File, first: Option<usize>, index: usize) -> String {
    match (file, first) {
        (File::Constant, Some(0)) => format!("CONST[{index}]"),
        (file, Some(first)) => format!("{}[{first}][{index}]", file.word()),
        (file, None) => format!("{}[{index}]", file.word()),
    }
}

impl<'s> Subject for ShaderRun<'s> {
    type Saved = SavedShader<'s>;

    fn thread(&self) -> Option<usize> {
        self.run.quad()
    }

    fn threads(&self) -> usize {
        self.run.quads()
    }

    fn thread_name(&self, thread: usize) -> String {
        match self.shader.program.stage {
            Stage::Fragment => "quad of pixels".to_owned(),
            Stage::Geometry => "primitive".to_owned(),
            Stage::Compute => format!("group {}, quad {thread}", self.run.group()),
            Stage::TessellationControl => format!("vertices of the patch, quad {thread}"),
            _ => "four vertices".to_owned(),
        }
    }

    fn instruction(&self, thread: usize) -> Option<usize> {
        (self.run.ordinal(thread)? as usize).checked_sub(1)
    }

    fn returns(&self, thread: usize) -> Vec<Option<usize>> {
        let returns = self.run.returns(thread).into_iter();
        returns.map(|ordinal| (ordinal? as usize).checked_sub(1)).collect()
    }

    fn lanes(&self) -> usize {
        LANES
    }

    fn lane_name(&self, thread: usize, lane: usize) -> String {
        match self.shader.program.stage {
            Stage::Fragment => format!("pixel ({}, {})", lane & 1, lane >> 1),
            Stage::Geometry => "primitive".to_owned(),
            Stage::Compute => format!("lane {lane}"),
            Stage::TessellationControl => format!("vertex {}", LANES * thread + lane),
            _ => format!("vertex {lane}"),
        }
    }

    fn active(&self, thread: usize) -> u64 {
        self.run.active(thread).into()
    }

    fn watched(&self) -> (usize, usize) {
        self.watched
    }

    fn instructions(&self) -> usize {
        self.shader.instructions.len()
    }

    fn line(&self, instruction: usize) -> Option<u32> {
        self.shader.lines.get(instruction).copied()
    }

    fn text(&self, instruction: usize) -> &str {
        self.shader.texts.get(instruction).map_or("", String::as_str)
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
        self.value_of(thread, lane, reference)
    }

    fn scopes(&self, thread: usize) -> Vec<Scope> {
        self.all_scopes(thread)
    }

    fn memory(&self, address: u64, count: usize) -> Vec<u8> {
        let (number, offset) = (address / BUFFER_DISTANCE, (address % BUFFER_DISTANCE) as usize);
        let number = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let words = number.and_then(|number| self.run.resources().buffers.get(number));
        let bytes = words.into_iter().flatten().flat_map(|word| word.to_le_bytes());
        bytes.skip(offset).take(count).collect()
    }

    fn memories(&self) -> Vec<(String, u64, usize)> {
        let buffers = self.run.resources().buffers.iter().enumerate();
        let place = |number: usize| (number as u64 + 1) * BUFFER_DISTANCE;
        buffers
            .map(|(number, words)| (format!("BUFFER[{number}]"), place(number), 4 * words.len()))
            .collect()
    }

    fn locate(
        &self,
        thread: usize,
        _: usize,
        reference: &Reference,
    ) -> Result<Vec<Location>, ExpressionError> {
        self.places_of(thread, reference)
    }

    fn targets(&self) -> Vec<(Location, u64)> {
        self.all_targets()
    }

    fn sources(&self, target: &Location, lane: usize) -> Vec<(Location, usize)> {
        self.all_sources(target, lane)
    }

    fn bits(&self, location: &Location, lane: usize) -> Option<u32> {
        self.bits_at(location, lane)
    }

    fn step(&mut self) -> Result<(), Fault> {
        self.events.clear();
        let Some(quad) = self.run.quad() else { return Ok(()) };
        let shader = self.shader;
        let own = self.instruction(quad).and_then(|own| shader.instructions.get(own));
        let mut had = [0; 2];
        if let Some(own) = own {
            self.events.extend(self.unwritten(quad, own));
            had = MADE_FLOATS.map(|(_, is_it)| self.lanes_with(quad, own, is_it));
            self.note_written(quad, own);
        }
        let outside = self.run.out_of_bounds(quad);
        self.run.step().map_err(|stop| Fault { thread: quad, message: stop.to_string() })?;
        if let Some(own) = own {
            let made = self.made(own, had);
            self.events.extend(made);
            let new = self.run.out_of_bounds(quad) & !outside;
            if self.run.group() == self.group && new != 0 {
                let lane = new.trailing_zeros() as usize;
                let what = "an index".to_owned();
                self.events.push(Event { kind: EventKind::Outside, lane, what });
            }
        }
        if self.run.group() != self.group {
            self.forget();
        }
        Ok(())
    }

    fn events(&self) -> Vec<Event> {
        self.events.clone()
    }

    fn save(&mut self) -> SavedShader<'s> {
        SavedShader { run: self.run.save(), written: self.written.clone(), group: self.group }
    }

    fn restore(&mut self, saved: &SavedShader<'s>) {
        self.run.restore(&saved.run);
        self.written.clone_from(&saved.written);
        self.group = saved.group;
        self.events.clear();
    }

    fn size(saved: &SavedShader<'s>) -> usize {
        saved.run.bytes() + saved.written.iter().map(Vec::len).sum::<usize>()
    }
}
