//! A run that can be held: one instruction at a time, its whole state a value.

#[cfg(test)]
mod tests;
mod turns;

use tgsi::Stage;
use tgsi::ast::{self, WriteMask};
use tgsi::words::File;

use crate::action::Action;
use crate::execution::Failure;
use crate::flow::Frame;
use crate::group::{Answer, Subgroup};
use crate::inputs::Inputs;
use crate::launch::{Grid, begin_group, begin_quad, lane_of, positions, quad_of};
use crate::patch::{Patch, begin_patch};
use crate::program::Program;
use crate::quad::{Limits, Quad, Rest, Stop, TraceStep};
use crate::registers::{LANES, Place, Register};
use crate::resources::Resources;

/// The state of a quad between its turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuadState {
    Running,
    Barrier,
    /// At a question that other quads of its wave are asked too.
    Asking,
    Ended,
}

/// The number of registers of a file, of which `first` numbers come before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSize {
    /// The file.
    pub file: File,
    /// The number in the first brackets, where there are two.
    pub first: Option<usize>,
    /// The registers.
    pub registers: usize,
}

/// The run of a program on inputs, whatever its stage: quads run in the order of
/// [`crate::execution::execute`], each to its next barrier. A copy of it goes on by itself.
#[derive(Clone)]
pub struct Stepping<'p> {
    program: &'p Program,
    resources: Resources,
    /// The quads of the group, patch or primitive.
    quads: Vec<Quad<'p>>,
    states: Vec<QuadState>,
    /// The answers that quads at a question have been given.
    answers: Vec<Option<Answer>>,
    subgroup: Subgroup,
    /// The barriers of the group that have opened.
    barriers: u32,
    /// The quad whose turn it is; as many as there are quads once all have ended.
    turn: usize,
    /// The outputs of a tessellation control shader, while no quad holds them.
    patch: Option<Patch>,
    system_values: Vec<Register>,
    groups: [u32; 3],
    /// The group that runs, from 0.
    group: usize,
    limits: Limits,
    budget: u64,
    steps: u64,
    /// The step that was executed last, and its quad.
    last: Option<(usize, TraceStep)>,
}

impl<'p> Stepping<'p> {
    /// The run before its first instruction.
    ///
    /// # Errors
    /// The inputs do not fit the program.
    pub fn new(
        program: &'p Program,
        inputs: &Inputs,
        limits: Limits,
    ) -> Result<Stepping<'p>, Failure> {
        let failed = |message: String| Failure { ordinal: 0, message };
        let stopped = |stop: Stop| Failure { ordinal: stop.ordinal, message: stop.to_string() };
        let resources = inputs.resources(program).map_err(|error| failed(error.to_string()))?;
        let groups = inputs.grid.unwrap_or([1; 3]);
        let mut budget = limits.steps;
        let mut patch = None;
        let quads = match program.stage {
            Stage::Compute => {
                let system_values = &inputs.system_values[..];
                let subgroup = inputs.subgroup;
                let grid = Grid { groups, system_values, subgroup, ..Grid::default() };
                match positions(groups).next() {
                    Some(group) => begin_group(program, &grid, group, limits, &mut budget),
                    None => Ok(Vec::new()),
                }
                .map_err(stopped)?
            }
            Stage::TessellationControl => {
                let (begun, quads) =
                    begin_patch(program, &inputs.quad(), 0, limits).map_err(stopped)?;
                patch = Some(begun);
                quads
            }
            _ => vec![begin_quad(program, &inputs.quad(), limits)],
        };
        let mut run = Stepping {
            program,
            resources,
            states: vec![QuadState::Running; quads.len()],
            answers: vec![None; quads.len()],
            subgroup: inputs.subgroup,
            barriers: 0,
            quads,
            turn: 0,
            patch,
            system_values: inputs.system_values.clone(),
            groups,
            group: 0,
            limits,
            budget,
            steps: 0,
            last: None,
        };
        run.find_turn();
        Ok(run)
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The group, the quad in it and the lane in the quad of an invocation.
    pub fn place_of(&self, invocation: usize) -> (usize, usize, usize) {
        match self.program.stage {
            Stage::Compute => {
                let (group, quad) = quad_of(self.program.block, invocation);
                (group, quad, lane_of(self.program.block, invocation))
            }
            _ => (0, invocation / LANES, invocation % LANES),
        }
    }

    /// The number of quads that run together.
    pub fn quads(&self) -> usize {
        self.quads.len()
    }

    /// The group of a compute shader that runs, from 0.
    pub fn group(&self) -> usize {
        self.group
    }

    /// The barriers of the group that have opened.
    pub fn barriers(&self) -> u32 {
        self.barriers
    }

    /// The quad that executes next; `None` once all have ended.
    pub fn quad(&self) -> Option<usize> {
        (self.turn < self.quads.len()).then_some(self.turn)
    }

    /// The instruction that a quad executes next, from 1; `None` where it has ended.
    pub fn ordinal(&self, quad: usize) -> Option<u32> {
        let runs = self.states.get(quad).is_some_and(|state| *state != QuadState::Ended);
        let own = self.quads.get(quad).filter(|_| runs)?;
        Some(self.program.ops.get(own.place)?.instruction.ordinal)
    }

    /// The components of its first destination that the next instruction of a quad writes, a bit
    /// each: some opcodes leave a part of what their mask allows, or all of it.
    pub fn written(&self, quad: usize) -> u8 {
        let op = self.quads.get(quad).and_then(|own| self.program.ops.get(own.place));
        let Some(op) = op.filter(|op| !op.forms.writes_nothing) else { return 0 };
        let mask = op.instruction.destinations.first().map_or(WriteMask(0), |it| it.mask);
        match op.action {
            Action::Compute(operation) => operation.written(mask),
            // A destination names the memory that is meant.
            Action::Nothing | Action::Store => 0,
            _ => mask.0,
        }
    }

    /// The values of all sources of the next instruction of a quad, as it reads them: each by the
    /// component that they stand at.
    pub fn sources(&self, quad: usize) -> Vec<Register> {
        let Some(own) = self.quads.get(quad) else { return Vec::new() };
        let Some(op) = own.program.ops.get(own.place) else { return Vec::new() };
        let numbers = 0..op.instruction.sources.len();
        numbers.map(|number| own.whole(op, number, &self.resources)).collect()
    }

    /// Tells whether a quad waits at a barrier.
    pub fn is_at_barrier(&self, quad: usize) -> bool {
        self.states.get(quad) == Some(&QuadState::Barrier)
    }

    /// The lanes of a quad that execute the next instruction, a bit each.
    pub fn active(&self, quad: usize) -> u8 {
        self.quads.get(quad).map_or(0, |quad| quad.active)
    }

    /// The lanes of a quad that there are, a bit each.
    pub fn present(&self, quad: usize) -> u8 {
        self.quads.get(quad).map_or(0, |quad| quad.present)
    }

    /// The lanes of a quad that were killed, a bit each.
    pub fn killed(&self, quad: usize) -> u8 {
        self.quads.get(quad).map_or(0, |quad| quad.killed)
    }

    /// The vertices that a geometry shader's quad has emitted, by stream and primitive, each with
    /// the vectors of all outputs.
    pub fn streams(&self, quad: usize) -> &[Vec<Vec<Vec<[u32; 4]>>>] {
        self.quads.get(quad).map_or(&[], |quad| &quad.streams)
    }

    /// The lanes of a quad whose indices led out of what is declared, a bit each.
    pub fn out_of_bounds(&self, quad: usize) -> u8 {
        self.quads.get(quad).map_or(0, |quad| quad.out_of_bounds)
    }

    /// The instructions that follow the open calls of a quad, the innermost last.
    pub fn returns(&self, quad: usize) -> Vec<Option<u32>> {
        let frames = self.quads.get(quad).map_or(&[][..], |quad| &quad.frames);
        let places = frames.iter().filter_map(|frame| match frame {
            Frame::Call { return_place, .. } => Some(*return_place),
            _ => None,
        });
        places.map(|place| Some(self.program.ops.get(place)?.instruction.ordinal)).collect()
    }

    /// Instructions so far, of all quads.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The step that was executed last with its quad: what it wrote, which is nothing for one
    /// that only leads elsewhere.
    pub fn last_step(&self) -> Option<(usize, &TraceStep)> {
        self.last.as_ref().map(|(quad, step)| (*quad, step))
    }

    /// Buffers, images, constants and textures as they are now.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The bits of a component of a register in a lane; `None` for what does not exist.
    pub fn value(&self, quad: usize, place: Place, lane: usize) -> Option<u32> {
        let own = self.quads.get(quad).filter(|_| lane < LANES && place.component < 4)?;
        match (place.file, &self.patch) {
            (File::Output, Some(patch)) => {
                let vectors = match place.first {
                    Some(vertex) => patch.vertices.get(vertex)?,
                    None => &patch.shared,
                };
                vectors.get(place.index).map(|vector| vector[place.component])
            }
            _ => own.registers.component(self.program, &self.resources, place, lane),
        }
    }

    /// The place that an operand's component means in a lane; `None` where its number is
    /// negative.
    pub fn place_in(
        &self,
        quad: usize,
        register: &ast::Register,
        component: usize,
        lane: usize,
    ) -> Option<Place> {
        let registers = &self.quads.get(quad)?.registers;
        let first = match &register.dimension {
            None => None,
            Some(dimension) => Some(registers.index(dimension, lane)?),
        };
        let index = registers.index(&register.index, lane)?;
        Some(Place { file: register.file, first, index, component })
    }

    /// The files that have registers, with how many.
    pub fn files(&self, quad: usize) -> Vec<FileSize> {
        let Some(own) = self.quads.get(quad) else { return Vec::new() };
        let registers = &own.registers;
        let plain = |file, registers| FileSize { file, first: None, registers };
        let numbered = |file, lengths: Vec<usize>| {
            let sizes = lengths.into_iter().enumerate();
            sizes.map(move |(first, registers)| FileSize { file, first: Some(first), registers })
        };
        let mut files = Vec::new();
        match &self.patch {
            Some(patch) => {
                files.extend(numbered(File::Output, patch.vertices.iter().map(Vec::len).collect()));
                files.push(plain(File::Output, patch.shared.len()));
            }
            None => files.push(plain(File::Output, registers.outputs.len())),
        }
        files.push(plain(File::Temporary, registers.temporaries.len()));
        files.push(plain(File::Address, registers.addresses.len()));
        match &registers.inputs[..] {
            [only] => files.push(plain(File::Input, only.len())),
            all => files.extend(numbered(File::Input, all.iter().map(Vec::len).collect())),
        }
        files.push(plain(File::SystemValue, registers.system_values.len()));
        let constants = self.resources.constants.iter().map(Vec::len).collect();
        files.extend(numbered(File::Constant, constants));
        files.push(plain(File::Immediate, self.program.immediates.len()));
        files.extend(numbered(
            File::TemporaryArray,
            registers.arrays.iter().map(Vec::len).collect(),
        ));
        files.retain(|file| file.registers > 0);
        files
    }

    /// Executes the next instruction of the quad whose turn it is, if there is one.
    ///
    /// # Errors
    /// The run was given up at one of the limits.
    pub fn step(&mut self) -> Result<(), Stop> {
        let Some(turn) = self.quad() else { return Ok(()) };
        let quad = &mut self.quads[turn];
        let (place, active) = (quad.place, quad.active);
        quad.trace = Some(Vec::new());
        quad.registers.patch = self.patch.take();
        let ran = match self.answers[turn].take() {
            Some(answer) => quad.take_answer(&answer, &mut self.budget).map(|()| None),
            None => quad.step(&mut self.resources, &mut self.budget),
        };
        self.patch = quad.registers.patch.take();
        let written = quad.trace.take().and_then(|trace| trace.into_iter().next());
        let ran = ran?;
        self.steps += 1;
        let ordinal = self.program.ops.get(place).map_or(0, |op| op.instruction.ordinal);
        let nothing = || TraceStep { ordinal, active, written: Vec::new() };
        self.last = Some((turn, written.unwrap_or_else(nothing)));
        self.states[turn] = match ran {
            None | Some(Rest::Answered) if !self.quads[turn].asks_wave() => return Ok(()),
            None | Some(Rest::Subgroup | Rest::Answered) => QuadState::Asking,
            Some(Rest::Barrier) => QuadState::Barrier,
            Some(Rest::Ended) => QuadState::Ended,
        };
        self.pass_on()
    }

    /// A copy of the state without textures, which no run changes.
    pub fn save(&mut self) -> Stepping<'p> {
        let textures = std::mem::take(&mut self.resources.textures);
        let saved = self.clone();
        self.resources.textures = textures;
        saved
    }

    /// Goes back to a state that was saved.
    pub fn restore(&mut self, saved: &Stepping<'p>) {
        let textures = std::mem::take(&mut self.resources.textures);
        *self = saved.clone();
        self.resources.textures = textures;
    }

    /// Bytes of the state, roughly, textures not counted.
    pub fn bytes(&self) -> usize {
        let words = |words: &[Vec<u32>]| words.iter().map(Vec::len).sum::<usize>();
        let vectors = |vectors: &[Vec<[u32; 4]>]| vectors.iter().map(Vec::len).sum::<usize>();
        let resources = &self.resources;
        let images = resources.images.iter().flatten().map(|image| image.texels.len());
        let memory =
            words(&resources.buffers) + words(&resources.counters) + resources.shared.len();
        let texels = vectors(&resources.constants) + images.sum::<usize>();
        let quads = self.quads.iter().map(|quad| {
            let inputs: usize = quad.registers.inputs.iter().map(Vec::len).sum();
            let own = self.program.registers() + inputs + quad.registers.system_values.len();
            let emitted = quad.streams.iter().flatten().flatten().map(Vec::len).sum::<usize>();
            own * size_of::<Register>() + emitted * size_of::<[u32; 4]>() + size_of::<Quad<'_>>()
        });
        4 * memory + 16 * texels + quads.sum::<usize>() + size_of::<Stepping<'_>>()
    }
}
