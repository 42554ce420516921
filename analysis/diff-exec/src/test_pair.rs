//! A shader and what a compiler made of it, ready to be run side by side.

use std::cell::{Cell, RefCell};

use gcn::Target;
use gcn::compiled::{Instruction, read};
use gcn_emu::{Program as Code, Wave};
use lower::{Bank, Content, EntryPoint, StreamOutput};
use open_bits::{Rules, Word};
use tgsi::ast::{PropertyValue, Shader};
use tgsi::opcodes::{Family, Flag, OpInfo, ValueType};
use tgsi::words::PropertyName;
use tgsi::{Opcode, Stage};
use tgsi_interp::{Denormals, Limits, Program, Register};

use crate::descriptors::scratch;
use crate::difference::{Difference, Observed, Verdict};
use crate::error::Error;
use crate::evaluation;
use crate::expectation::{Expectation, Statistics};
use crate::indices::IndexInputs;
use crate::input_source::{ExplicitInputs, InputSource, QUAD};
use crate::inputs::Demand;
use crate::made_up;
use crate::parameters::Parameters;
use crate::random::Distribution;
use crate::start::Hold;
use crate::stored::Stored;

/// The output of a compiler for a shader.
#[derive(Debug, Clone, Copy)]
pub struct Compiled<'a> {
    /// The chip.
    pub target: Target,
    /// The ABI of the shader's function, as it was lowered in [`environment`].
    pub entry: &'a EntryPoint,
    /// The compiler's assembly text.
    pub assembly: &'a str,
    /// The bytes of its code.
    pub code: &'a [u8],
}

/// A shader and its machine code.
pub struct TestPair<'a> {
    pub(crate) shader: &'a Shader,
    pub(crate) program: Program,
    pub(crate) code: Code,
    pub(crate) target: Target,
    pub(crate) parameters: Parameters,
    pub(crate) demand: Demand,
    /// The inputs that reach an index.
    pub(crate) indices: IndexInputs,
    /// True if constant buffer 0 comes in place of the list of buffers.
    pub(crate) single_constants: bool,
    pub(crate) convention: &'static str,
    /// True if all of its opcodes are exact.
    exact: bool,
    /// True if it computes with integers.
    integers: bool,
    /// The memory that it may change, where the order of quads matters.
    pub(crate) stored: Stored,
    /// Statistics of the results that were compared.
    statistics: Cell<Statistics>,
    /// The coupling between lanes.
    pub(crate) coupling: LaneCoupling,
    /// Opcodes that narrow what may be asked of both sides.
    pub(crate) restrictions: Restrictions,
    /// The outputs that the code writes to buffers of stream output.
    pub(crate) stream_output: StreamOutput,
    /// Bytes of scratch memory of each lane.
    pub(crate) scratch: u32,
    /// Text and ordinal of every instruction.
    pub(crate) lines: Vec<(String, u32)>,
    /// The wish to have the next machine held before its first instruction.
    pub(crate) hold: RefCell<Hold>,
    /// Steps that a run of the interpreter may take, at most.
    steps: Cell<u64>,
}

/// The coupling between lanes: they read each other's values or numbers. Then only one quad
/// runs: in it both sides go through the program in step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaneCoupling {
    None,
    /// They share memory: any quad may run.
    Quad,
    /// They read lanes' numbers, which are the same on both sides in the first quad.
    Subgroup,
}

/// Restrictions that opcodes of a shader put on inputs, so that both sides can be compared.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Restrictions {
    /// The interpreter has one sample in the centre of each pixel, so all places are there.
    pub(crate) interpolation: bool,
    /// The colours that pixels have count.
    pub(crate) framebuffer: bool,
}

/// Pairs of an address and a value in the compiler's configuration.
fn configured(assembly: &str, address: u32) -> Option<u32> {
    let mut numbers = assembly
        .lines()
        .skip_while(|line| !line.contains(".AMDGPU.config"))
        .take_while(|line| !line.trim_start().starts_with(".text"))
        .filter_map(|line| line.trim().strip_prefix(".long")?.trim().parse::<u32>().ok());
    while let (Some(place), Some(value)) = (numbers.next(), numbers.next()) {
        if place == address {
            return Some(value);
        }
    }
    None
}

/// Tells whether an opcode reads integers, or makes others than indices.
fn has_integers(row: &OpInfo) -> bool {
    let results = row.destination_types.iter().filter(|_| !row.has(Flag::Address));
    row.source_types.iter().chain(results).any(|ty| {
        use ValueType::{Double, Float, Untyped};
        !matches!(ty, Untyped | Float | Double)
    })
}

/// Tells whether constant buffer 0 comes in place of the list that a parameter is for.
pub(crate) fn holds_constants(entry: &EntryPoint, name: &str) -> bool {
    let parameter = entry.parameters.iter().find(|parameter| parameter.name == name);
    parameter.is_some_and(|parameter| parameter.content == Content::ConstantBuffer)
}

/// The register with the vector inputs that a pixel shader has room for (SPI_PS_INPUT_ADDR).
const PIXEL_INPUT_ADDRESSES: u32 = 0x286d0;

impl<'a> TestPair<'a> {
    /// Joins a shader and its code.
    ///
    /// # Errors
    /// Why they cannot be compared.
    pub fn new(shader: &'a Shader, compiled: &Compiled<'_>) -> Result<TestPair<'a>, Error> {
        let mut program = Program::prepare(shader)?;
        program.denormals = Denormals::Flushed;
        program.round_halves_toward_zero();
        let exact = program.is_exact();
        let listing = read(compiled.assembly, compiled.code, compiled.target);
        let listing = listing.map_err(|error| Error::NotRead(error.to_string()))?;
        let stage = shader.stage.value;
        let pixel = (stage == Stage::Fragment)
            .then(|| configured(compiled.assembly, PIXEL_INPUT_ADDRESSES).unwrap_or(0xffff));
        let parameters = Parameters::of(compiled.entry, pixel);
        let (code, lines) = prepared(&listing.instructions, compiled.target);
        let any = |is: fn(&OpInfo) -> bool| shader.instructions().any(|it| is(it.info()));
        let has_atomics = any(|row| row.family == Family::Atomic);
        let has_stores = any(|row| row.family == Family::Store);
        let vertices = match stage {
            Stage::TessellationControl => program.patch_vertices as usize,
            Stage::TessellationEvaluation => evaluation::VERTICES,
            _ => made_up::vertices(shader),
        };
        let has_loads = any(|row| matches!(row.opcode, Opcode::LOAD | Opcode::LOAD_MS));
        Ok(TestPair {
            shader,
            program,
            code,
            target: compiled.target,
            parameters,
            demand: Demand::of(shader),
            indices: IndexInputs::of(shader, vertices),
            single_constants: holds_constants(compiled.entry, "const_and_shader_buffers"),
            convention: compiled.entry.convention,
            exact,
            integers: any(has_integers),
            stored: Stored::of(shader),
            statistics: Cell::default(),
            coupling: match () {
                () if any(|row| row.has(Flag::Lanes)) => LaneCoupling::Subgroup,
                () if has_atomics || has_stores && has_loads => LaneCoupling::Quad,
                () => LaneCoupling::None,
            },
            restrictions: Restrictions {
                interpolation: any(|row| row.family == Family::Interpolate),
                framebuffer: any(|row| row.family == Family::Framebuffer),
            },
            stream_output: StreamOutput::default(),
            scratch: listing.statistics.scratch,
            lines,
            hold: RefCell::default(),
            steps: Cell::new(u64::MAX),
        })
    }

    /// Has runs of the interpreter given up after so many steps. Loops with a count from the
    /// inputs may take any number of rounds.
    pub fn limit_steps(&self, steps: u64) {
        self.steps.set(steps);
    }

    /// The limits of a run of the interpreter, for a stage with so many steps at most.
    pub(crate) fn limits(&self, steps: u64) -> Limits {
        Limits { steps: steps.min(self.steps.get()), ..Limits::default() }
    }

    /// Runs both sides on random inputs of a seed, and compares.
    pub fn check(&self, seed: u64) -> Verdict {
        self.check_once(InputSource::Seed(seed))
    }

    /// Runs both sides on explicit inputs, and compares.
    pub fn check_explicit(&self, inputs: &ExplicitInputs) -> Verdict {
        self.check_once(InputSource::Explicit(inputs))
    }

    /// Returns statistics of all results so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics.get()
    }

    pub(crate) fn check_once(&self, source: InputSource<'_>) -> Verdict {
        let checked = match self.shader.stage.value {
            Stage::Vertex => self.check_vertices(source),
            Stage::Fragment => self.check_pixels(source),
            Stage::Geometry => self.check_primitives(source),
            Stage::TessellationControl => self.check_patches(source),
            Stage::TessellationEvaluation => self.check_points(source),
            Stage::Compute => self.check_groups(source),
        };
        checked.err().unwrap_or(Verdict::Agree)
    }

    /// Returns the number of values that were compared so far.
    pub fn compared(&self) -> usize {
        usize::try_from(self.statistics.get().compared).unwrap_or(usize::MAX)
    }

    /// The distribution of a seed's numbers: each gets its turn. Functions that are not exact make
    /// anything of what is not an ordinary number: they get such less often. To floats integers
    /// are denormals, of which little is left: one set in 32 has them where there are only floats.
    pub(crate) fn distribution(&self, seed: u64) -> Distribution {
        let floats = !self.integers && seed % 32 != 26;
        match seed % 8 {
            2 | 4 if floats => Distribution::Ordinary,
            6 if floats => Distribution::Mild,
            0 => Distribution::Ordinary,
            1 => Distribution::Whole,
            2 => Distribution::Integers,
            3 => Distribution::Special,
            4 => Distribution::Numbers,
            5 => Distribution::Counts,
            6 => Distribution::Indices,
            _ if self.exact => Distribution::Special,
            _ => Distribution::Mild,
        }
    }

    /// Looks at a result, and tells whether the other side misses what was wanted.
    pub(crate) fn misses(&self, wanted: &Expectation, found: u32) -> bool {
        if !wanted.word.holds(found) {
            return true;
        }
        let mut statistics = self.statistics.get();
        statistics.add(&wanted.word);
        self.statistics.set(statistics);
        false
    }

    /// Counts a result that may be any word.
    pub(crate) fn leave(&self, rules: Rules) {
        let mut statistics = self.statistics.get();
        statistics.add(&Word::any(rules));
        self.statistics.set(statistics);
    }

    /// Counts a comparison that is none of values.
    pub(crate) fn count(&self) {
        let mut statistics = self.statistics.get();
        statistics.compared += 1;
        self.statistics.set(statistics);
    }

    /// The lanes that run.
    pub(crate) fn lanes(&self, source: InputSource<'_>) -> u64 {
        match (source, self.coupling) {
            (InputSource::Seed(_), LaneCoupling::None) => u64::MAX,
            (InputSource::Seed(_), LaneCoupling::Quad) if self.is_merged() => QUAD,
            (InputSource::Seed(seed), LaneCoupling::Quad) => QUAD << (4 * (seed % 16)),
            (InputSource::Seed(_), LaneCoupling::Subgroup) | (InputSource::Explicit(_), _) => QUAD,
        }
    }

    /// Tells whether the code is one half of a program of two stages, as it is before geometry and
    /// tessellation from gfx9 on: it is told how many lanes it has, and these are the first ones.
    pub(crate) fn is_merged(&self) -> bool {
        let is_alone = matches!(self.convention, "amdgpu_vs" | "amdgpu_ps" | "amdgpu_cs");
        self.generation() >= gcn::Generation::Gfx9 && !is_alone
    }

    pub(crate) fn generation(&self) -> gcn::Generation {
        self.target.generation()
    }

    /// Returns the last value that the shader gives a property.
    pub(crate) fn property(&self, wanted: PropertyName) -> Option<PropertyValue> {
        let all = self.shader.properties();
        let own = all.filter(|property| property.name.is_some_and(|it| it.value == wanted));
        own.filter_map(|property| property.value.map(|it| it.value)).last()
    }

    /// Fills a parameter of a wave, where the function has it: a scalar one from lane 0.
    pub(crate) fn set_parameter(
        &self,
        wave: &mut Wave,
        name: &str,
        value: &dyn Fn(usize, usize) -> u32,
    ) {
        let Some(parameter) = self.parameters.find(name) else { return };
        for word in 0..parameter.words {
            let register = parameter.first + word;
            match parameter.bank {
                Bank::Scalar => wave.set_scalar(register, value(usize::from(word), 0)),
                Bank::Vector => {
                    for lane in 0..gcn_emu::LANES {
                        wave.set_lane(register.into(), lane, value(usize::from(word), lane));
                    }
                }
            }
        }
    }

    /// Fills a parameter that is the same for all lanes.
    pub(crate) fn set_uniform(&self, wave: &mut Wave, name: &str, value: u32) {
        self.set_parameter(wave, name, &|_, _| value);
    }

    /// A difference, with what is known of the instruction that made the value.
    /// `values`: lane, what was expected, what was found.
    pub(crate) fn difference(
        &self,
        place: Observed,
        values: (usize, &Expectation, u32),
        instruction: Option<usize>,
        register: Option<u8>,
    ) -> Verdict {
        let line = instruction.and_then(|it| self.lines.get(it));
        let (text, ordinal) = line.cloned().unwrap_or_default();
        let offset = instruction.and_then(|it| self.code.instructions.get(it));
        let instruction = match offset {
            Some(own) if !text.is_empty() => named(own, &text),
            _ => text,
        };
        let (lane, expected, found) = values;
        Verdict::Differ(Box::new(Difference {
            place,
            lane,
            expected: expected.bits,
            allowed: expected.word.clone(),
            found,
            instruction,
            register,
            ordinal,
        }))
    }
}

/// Machine instructions as a program, with text and ordinal of each.
pub(crate) fn prepared(instructions: &[Instruction], target: Target) -> (Code, Vec<(String, u32)>) {
    let mut words = Vec::new();
    let mut by_offset = Vec::new();
    for instruction in instructions {
        let place = instruction.offset as usize / 4;
        words.resize(words.len().max(place), 0);
        by_offset.push((instruction.offset, instruction.text.clone(), instruction.ordinal));
        words.extend(relocated(&instruction.text, &instruction.words));
    }
    let code = Code::prepare(target, &words);
    let line = |offset: u32| {
        let found = by_offset.binary_search_by_key(&offset, |(offset, ..)| *offset);
        let found = found.ok().and_then(|place| by_offset.get(place));
        found.map_or((String::new(), 0), |(_, text, ordinal)| (text.clone(), *ordinal))
    };
    let lines = code.instructions.iter().map(|it| line(it.offset)).collect();
    (code, lines)
}

/// The words by which a difference names an instruction.
pub(crate) fn named(instruction: &gcn_emu::Instruction, text: &str) -> String {
    format!("{:#x} {text}", instruction.offset)
}

/// The address of scratch memory.
pub(crate) const SCRATCH: u32 = 0x4000_0000;

/// An instruction's words with the addresses that a linker fills in.
pub fn relocated(text: &str, words: &[u32]) -> Vec<u32> {
    let mut words = words.to_vec();
    let address = scratch(SCRATCH);
    for (number, value) in address.into_iter().enumerate() {
        if text.contains(&format!("SCRATCH_RSRC_DWORD{number}"))
            && let Some(literal) = words.get_mut(1)
        {
            *literal = value;
        }
    }
    words
}

/// Values of 64 lanes as the registers of sixteen quads.
pub(crate) fn quad_register(quad: usize, value: &dyn Fn(usize, usize) -> u32) -> Register {
    std::array::from_fn(|component| {
        std::array::from_fn(|inside| value(component, quad * tgsi_interp::LANES + inside))
    })
}
