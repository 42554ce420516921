//! A run that can be held: one instruction at a time, its whole state a value.

use tgsi::Stage;
use tgsi::ast;
use tgsi::words::File;

use crate::execution::Failure;
use crate::flow::Frame;
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
                let grid = Grid { groups, system_values, ..Grid::default() };
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
        Ok(Stepping {
            program,
            resources,
            states: vec![QuadState::Running; quads.len()],
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
        })
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
        let ran = quad.step(&mut self.resources, &mut self.budget);
        self.patch = quad.registers.patch.take();
        let written = quad.trace.take().and_then(|trace| trace.into_iter().next());
        let ran = ran?;
        self.steps += 1;
        let ordinal = self.program.ops.get(place).map_or(0, |op| op.instruction.ordinal);
        let nothing = || TraceStep { ordinal, active, written: Vec::new() };
        self.last = Some((turn, written.unwrap_or_else(nothing)));
        self.states[turn] = match ran {
            // A subgroup is a quad here, which waits for no other.
            None | Some(Rest::Subgroup | Rest::Answered) => return Ok(()),
            Some(Rest::Barrier) => QuadState::Barrier,
            Some(Rest::Ended) => QuadState::Ended,
        };
        self.pass_on()
    }

    /// Finds the quad whose turn it is after one has come to rest.
    fn pass_on(&mut self) -> Result<(), Stop> {
        let running = |state: &QuadState| *state == QuadState::Running;
        if let Some(next) = self.states.iter().skip(self.turn).position(running) {
            self.turn += next;
            return Ok(());
        }
        for state in self.states.iter_mut().filter(|state| **state == QuadState::Barrier) {
            *state = QuadState::Running;
        }
        self.turn = self.states.iter().position(running).unwrap_or(self.states.len());
        if self.turn < self.states.len() || self.program.stage != Stage::Compute {
            return Ok(());
        }
        // The group has ended: the next one, if there is one.
        let Some(group) = positions(self.groups).nth(self.group + 1) else { return Ok(()) };
        let grid =
            Grid { groups: self.groups, system_values: &self.system_values, ..Grid::default() };
        self.quads = begin_group(self.program, &grid, group, self.limits, &mut self.budget)?;
        self.states = vec![QuadState::Running; self.quads.len()];
        (self.group, self.turn) = (self.group + 1, 0);
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::execute;
    use crate::launch::Tracing;

    const COMPUTE: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 6\nDCL SV[0], THREAD_ID\n\
         DCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL TEMP[0..1]\n\
         IMM[0] UINT32 {2, 4, 24, 0}\nSHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n\
         STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\nBARRIER\n\
         UADD TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\nLOAD TEMP[1].y, MEMORY[0], TEMP[1].xxxx\n\
         UMAD TEMP[0].x, SV[1].xxxx, IMM[0].zzzz, TEMP[0].xxxx\n\
         STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].yyyy\nEND\n";
    const PATCH: &str = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 5\nDCL IN[][0], POSITION\n\
         DCL OUT[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\n\
         UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[1][0]\nBARRIER\nEND\n";

    fn prepared(shader: &str, inputs: &str) -> (Program, Inputs) {
        let parse = tgsi::parser::parse(shader, &source::no_checkpoint);
        let program = Program::prepare(&parse.shader.expect("a shader")).expect("a program");
        (program, Inputs::read(inputs).expect("inputs"))
    }

    fn cases() -> [(&'static str, &'static str); 3] {
        [
            (
                include_str!("../../../examples/lit_texture.tgsi"),
                include_str!("../../../examples/lit_texture.inputs.toml"),
            ),
            (COMPUTE, "lane = 7\ngrid = [2]\n[buf]\n0 = [0,0,0,0,0,0,0,0,0,0,0,0]\n"),
            (PATCH, "lane = 4\n[vertex.1]\n0 = [8]\n"),
        ]
    }

    #[test]
    fn step_by_step_comes_what_a_whole_run_leaves() {
        for (shader, inputs) in cases() {
            let (program, inputs) = prepared(shader, inputs);
            let whole = execute(&program, &inputs, Tracing::On, Limits::default()).expect("a run");
            let mut run = Stepping::new(&program, &inputs, Limits::default()).expect("inputs");
            let (group, quad, _) = run.place_of(inputs.lane);
            let mut trace = Vec::new();
            while let Some(turn) = run.quad() {
                let watched = (run.group(), turn) == (group, quad);
                run.step().expect("a step");
                let (_, step) = run.last_step().expect("it was executed");
                if watched && !step.written.is_empty() {
                    trace.push(step.clone());
                }
            }
            let written: Vec<_> =
                whole.trace.iter().filter(|step| !step.written.is_empty()).cloned().collect();
            assert_eq!(trace, written);
            assert_eq!(run.resources(), &whole.after);
            for (index, register) in whole.outputs.iter().enumerate() {
                for (component, lanes) in register.iter().enumerate() {
                    let place = Place { file: File::Output, first: None, index, component };
                    let own = [0, 1, 2, 3].map(|lane| run.value(0, place, lane));
                    assert_eq!(own, lanes.map(Some));
                }
            }
            if let Some(patch) = &whole.patch {
                assert_eq!(run.patch.as_ref().map(|own| &own.vertices), Some(&patch.vertices));
            }
        }
    }

    #[test]
    fn a_saved_state_leads_to_the_same_end() {
        for (shader, inputs) in cases() {
            let (program, inputs) = prepared(shader, inputs);
            let mut run = Stepping::new(&program, &inputs, Limits::default()).expect("inputs");
            for _ in 0..9 {
                run.step().expect("a step");
            }
            let (saved, steps) = (run.save(), run.steps());
            assert!(saved.bytes() > 100);
            let finish = |run: &mut Stepping<'_>| {
                while run.quad().is_some() {
                    run.step().expect("a step");
                }
                (run.resources().clone(), run.steps())
            };
            let first = finish(&mut run);
            run.restore(&saved);
            assert_eq!(run.steps(), steps);
            assert_eq!(finish(&mut run), first);
        }
    }
}
