//! A shader in the interpreter and the machine code that it was compiled to in the emulator, as
//! one subject: both run on the same inputs, joined by lines.
//!
//! A step is one statement or one machine instruction: those of a statement run before it does
//! ([`order`]). Statements are numbered first, then machine instructions. A thread is a quad: its
//! lanes are some of a wave's ([`lanes`]).

mod lanes;
mod merged;
mod order;
mod run;
mod stages;
mod subject;
#[cfg(test)]
pub(crate) mod tests;

use diff_exec::{
    Compiled, Difference, Error, ExplicitInputs, Half, Lowered, Start, TestPair, Verdict, lowered,
};
use gcn::Target;
use gcn::analysis::RegisterSet;
use gcn::compiled::Instruction;
use gcn_emu::Program as Code;
use tgsi_interp::execution::Failure;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::{Denormals, Subgroup};

use crate::machine;
use crate::shader::{Shader, ShaderError};
use crate::subject::Subject;
use lanes::QuadLanes;
use order::Functions;
pub use run::{JoinedRun, SavedJoined};
use stages::Stages;

/// The reason why there is no machine code, or why it is not compared, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotJoined(pub String);

/// The output of a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineCode {
    /// Its assembly.
    pub assembly: String,
    /// The bytes of its code.
    pub code: Vec<u8>,
    /// The instructions that run in its place, where somebody has edited them.
    pub edited: Option<Vec<Instruction>>,
}

/// A shader and its machine code, with what both are given.
pub struct Joined {
    /// The shader before it, where the chip runs both as one program.
    before: Vec<Shader>,
    shader: Shader,
    target: Target,
    code: Code,
    /// Text and ordinal of each machine instruction; 0 where statements share it.
    lines: Vec<(String, u32)>,
    /// For each statement the offset of its first machine instruction, or of the next one's.
    addresses: Vec<u64>,
    functions: Functions,
    lanes: QuadLanes,
    /// For each machine instruction the first statement of which the code behind it still has
    /// one before it branches; 0 where there is none.
    pending: Vec<u32>,
    used: RegisterSet,
    start: Start,
    /// The part of a program that the machine code is, where it is none of its own.
    half: Option<Half>,
    difference: Option<FirstDifference>,
    /// The reason why both sides were not compared.
    not_compared: Option<NotJoined>,
}

/// The first value that the machine code makes and the interpreter does not.
struct FirstDifference {
    /// The machine instruction, where one is known.
    instruction: Option<usize>,
    difference: Difference,
}

/// The machine's side, ready to run, and the comparison with the other.
struct MachineSide {
    code: Code,
    lines: Vec<(String, u32)>,
    start: Start,
    verdict: Verdict,
    /// The machine instruction that makes the first difference.
    instruction: Option<usize>,
}

impl MachineSide {
    fn new(pair: &TestPair<'_>, start: Start, verdict: Verdict) -> MachineSide {
        let instruction = match &verdict {
            Verdict::Differ(difference) => pair.instruction_of(difference),
            Verdict::Agree | Verdict::Skipped(_) => None,
        };
        let code = pair.code().clone();
        let line = |number| {
            let (text, ordinal) = pair.line(number);
            (text.split_whitespace().collect::<Vec<_>>().join(" "), ordinal)
        };
        let lines = (0..code.instructions.len()).map(line).collect();
        MachineSide { code, lines, start, verdict, instruction }
    }
}

fn refused(message: impl ToString) -> ShaderError {
    ShaderError { line: 0, message: message.to_string() }
}

/// Reads one of the shaders of a text to run beside the machine's code, which flushes denormals.
fn read(
    text: &str,
    number: usize,
    inputs: Inputs,
) -> Result<(Shader, tgsi::ast::Shader), ShaderError> {
    let inputs = Inputs { subgroup: Subgroup::Wave, ..inputs };
    Shader::with(text, number, inputs, |program| {
        program.denormals = Denormals::Flushed;
        program.round_halves_toward_zero();
    })
}

fn explicit(shader: &Shader) -> Result<ExplicitInputs, Error> {
    ExplicitInputs::of(shader.inputs(), shader.program())
}

/// The compiler of a lowered shader; the reason where it makes nothing of it.
pub type Compile<'c> = dyn FnMut(&Lowered) -> Result<MachineCode, NotJoined> + 'c;

impl Joined {
    /// Prepares one of the shaders of a text, counted from 1, for a chip.
    ///
    /// # Errors
    /// There is no such shader, or it cannot be interpreted, compiled or launched on the inputs.
    pub fn new(
        text: &str,
        number: usize,
        inputs: Inputs,
        target: Target,
        compile: &mut Compile<'_>,
    ) -> Result<Joined, ShaderError> {
        let (shader, ast) = read(text, number, inputs)?;
        let own = lowered(&ast, target).map_err(refused)?;
        let MachineCode { assembly, code, edited } = compile(&own).map_err(refused)?;
        let compiled = Compiled { target, entry: &own.entry, assembly: &assembly, code: &code };
        let mut pair = TestPair::new(&ast, &compiled).map_err(refused)?;
        if let Some(edited) = edited {
            pair.edit(edited);
        }
        let inputs = explicit(&shader).map_err(refused)?;
        let start = pair.start(&inputs).map_err(refused)?;
        let side = MachineSide::new(&pair, start, pair.check_explicit(&inputs));
        let groups = inputs.grid.iter().product::<u32>() as usize;
        let joined = Joined::of((Vec::new(), shader), &[&ast], target, side)?;
        if groups != joined.start.groups.len() + 1 {
            let own = joined.start.groups.len() + 1;
            return Err(refused(format!(
                "the machine code runs in {own} groups, and {groups} are wanted: leave the chip out"
            )));
        }
        Ok(Joined { half: own.half, ..joined })
    }

    /// Joins shaders, the last of which is the one that was asked for, with the machine.
    fn of(
        (before, shader): (Vec<Shader>, Shader),
        asts: &[&tgsi::ast::Shader],
        target: Target,
        side: MachineSide,
    ) -> Result<Joined, ShaderError> {
        let MachineSide { code, lines, start, verdict, instruction } = side;
        let stages = Stages::new(&before, &shader).map_err(refused)?;
        let lanes = QuadLanes::of(stages.runs().map(|run| run.stepping()));
        let (quads, waves) = (stages.threads(), start.machine.waves.len());
        if quads.checked_sub(1).is_some_and(|last| lanes.wave(last) >= waves) {
            return Err(refused(format!(
                "the machine code runs in {waves} waves, and {quads} quads want more: leave the \
                 chip out"
            )));
        }
        let addresses = addresses(&lines, &code, stages.instructions());
        drop(stages);
        let (difference, not_compared) = match verdict {
            Verdict::Agree => (None, None),
            Verdict::Differ(difference) => {
                (Some(FirstDifference { instruction, difference: *difference }), None)
            }
            Verdict::Skipped(reason) => (None, Some(NotJoined(reason))),
        };
        Ok(Joined {
            functions: Functions::of(asts),
            pending: order::pending(&code, &lines),
            used: machine::used(&code),
            before,
            shader,
            target,
            code,
            lines,
            addresses,
            lanes,
            start,
            half: None,
            difference,
            not_compared,
        })
    }

    /// The runs of the interpreter at their beginning.
    fn stages(&self) -> Result<Stages<'_>, Failure> {
        Stages::new(&self.before, &self.shader)
    }

    /// The chip.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The stage with which the chip runs it as one program, in words: its half runs alone here.
    pub fn partner(&self) -> Option<&'static str> {
        match self.half? {
            Half::First => Some("the stage after it"),
            Half::Second => Some("the stage before it"),
        }
    }

    /// The verdict on both sides, in a sentence.
    pub fn verdict(&self) -> String {
        match (&self.difference, &self.not_compared) {
            (Some(own), _) => {
                format!("the machine code differs from the interpreter: {}", own.difference)
            }
            (None, Some(reason)) => {
                format!("interpreter and machine code are not compared: {reason}")
            }
            (None, None) => "interpreter and machine code agree on these inputs".to_owned(),
        }
    }

    /// Its run at the beginning.
    ///
    /// # Errors
    /// The inputs do not fit.
    pub fn run(&self) -> Result<JoinedRun<'_>, Failure> {
        JoinedRun::new(self)
    }
}

fn addresses(lines: &[(String, u32)], code: &Code, statements: usize) -> Vec<u64> {
    let end = code.instructions.last().map_or(0, |last| u64::from(last.offset));
    let mut next = end;
    let mut all = vec![end; statements];
    for (number, address) in all.iter_mut().enumerate().rev() {
        let mut own = lines.iter().zip(&code.instructions);
        let first = own.find(|((_, ordinal), _)| *ordinal as usize == number + 1);
        next = first.map_or(next, |(_, instruction)| instruction.offset.into());
        *address = next;
    }
    all
}
