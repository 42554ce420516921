//! The values that the instructions of a shader read and write, by the interpreter.

use std::collections::BTreeMap;

use tgsi::ast::{Instruction, Shader};
use tgsi::opcodes::{Opcode, Reads};
use tgsi::words::File;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::{LANES, Limits, Program, Stepping};

use super::series::{MOST_OF_SHADER, Series};

/// Steps of a run, at most: what comes behind them is not compared.
const MOST_STEPS: u64 = 1 << 14;

/// An instruction of the shader with its values.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) ordinal: u32,
    pub(super) kind: Kind,
    /// The results, by component.
    pub(super) writes: [Series; 4],
    /// The operands, by source and component.
    pub(super) reads: Vec<Read>,
    /// The operands that are constants of the text.
    pub(super) immediates: Vec<u32>,
}

/// An operand's component.
#[derive(Debug, Clone)]
pub(super) struct Read {
    source: usize,
    position: usize,
    /// True if it comes from outside of the shader: an input, a constant, memory.
    pub(super) is_outer: bool,
    pub(super) values: Series,
}

/// The kinds of instructions that are looked for in their own ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// Most.
    #[default]
    Computes,
    /// A copy of what it reads, which becomes no code.
    Copies,
    /// A store to memory.
    Stores,
}

/// The invocations whose values are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Watch {
    /// The quad.
    pub(super) quad: usize,
    /// The number of its first lane among all invocations of all runs.
    pub(super) first: usize,
}

/// The instructions of a shader, and the values so far.
pub(super) struct Lines<'p> {
    program: &'p Program,
    all: BTreeMap<u32, Line>,
}

impl<'p> Lines<'p> {
    pub(super) fn new(program: &'p Program, shader: &'p Shader) -> Lines<'p> {
        let immediates: Vec<[u32; 4]> = shader.immediates().map(|it| it.bits).collect();
        let begin = |own: &Instruction| (own.ordinal, begin(own, &immediates));
        Lines { program, all: shader.instructions().map(begin).collect() }
    }

    /// Runs the shader once more, and keeps the values of a quad. Where the run is given up, what
    /// came before stays.
    pub(super) fn run(&mut self, inputs: &Inputs, watch: Watch) {
        let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
        let Ok(mut run) = Stepping::new(self.program, inputs, limits) else { return };
        while let Some(quad) = run.quad() {
            let before = match (quad == watch.quad, run.ordinal(quad)) {
                (true, Some(ordinal)) => Some((ordinal, run.active(quad), run.sources(quad))),
                _ => None,
            };
            if run.step().is_err() {
                return;
            }
            let Some((ordinal, active, sources)) = before else { continue };
            let Some(line) = self.all.get_mut(&ordinal) else { continue };
            let lanes = || (0..LANES).filter(|lane| active >> lane & 1 == 1);
            for read in &mut line.reads {
                let Some(register) = sources.get(read.source) else { continue };
                for lane in lanes() {
                    let value = register[read.position][lane];
                    read.values.push(watch.first + lane, value, MOST_OF_SHADER);
                }
            }
            if let Some((_, step)) = run.last_step() {
                for (component, values) in &step.written {
                    for lane in lanes() {
                        let own = &mut line.writes[component & 3];
                        own.push(watch.first + lane, values[lane], MOST_OF_SHADER);
                    }
                }
            }
        }
    }

    /// The instructions in their order.
    pub(super) fn finish(self) -> Vec<Line> {
        let mut all: Vec<Line> = self.all.into_values().collect();
        for line in &mut all {
            line.reads.dedup_by(|one, other| one.values == other.values);
        }
        all
    }
}

/// An instruction without values.
fn begin(instruction: &Instruction, all: &[[u32; 4]]) -> Line {
    let info = instruction.info();
    let is_plain = !instruction.saturate
        && !instruction.signed_saturate
        && instruction.historic.is_empty()
        && instruction.sources.iter().all(|it| !it.absolute && !it.negate);
    let moves = info.opcode == Opcode::MOV;
    let kind = match () {
        () if info.store => Kind::Stores,
        () if moves && is_plain => Kind::Copies,
        () => Kind::Computes,
    };
    let mask = instruction.destinations.first().map_or(0, |it| it.mask.0);
    let mut reads = Vec::new();
    let mut immediates = Vec::new();
    for (source, operand) in instruction.sources.iter().enumerate() {
        let is_outer = !matches!(
            operand.register.file,
            File::Temporary | File::Address | File::Output | File::Immediate
        );
        let read = match info.read_of(source) {
            Reads::Written => mask,
            Reads::Fixed(components) => components,
            Reads::Pairs | Reads::Unknown => 0xf,
        };
        let positions = (0..4).filter(|position| read >> position & 1 == 1);
        let register = &operand.register;
        if register.file == File::Immediate
            && register.index.indirect.is_none()
            && let Some(bits) =
                usize::try_from(register.index.offset).ok().and_then(|it| all.get(it))
        {
            let components = positions.clone().map(|it| operand.swizzle.0[it] as usize);
            immediates.extend(components.filter_map(|it| bits.get(it)));
        }
        reads.extend(positions.map(|position| Read {
            source,
            position,
            is_outer,
            values: Series::default(),
        }));
    }
    Line { ordinal: instruction.ordinal, kind, writes: Default::default(), reads, immediates }
}
