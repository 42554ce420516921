//! A shader in the interpreter and the machine code that it was compiled to in the emulator, as
//! one subject: both run on the same inputs, joined by lines.
//!
//! A step is one statement or one machine instruction: those of a statement run before it does
//! ([`order`]). Statements are numbered first, then machine instructions. A thread is a quad: its
//! lanes are some of a wave's ([`lanes`]).

mod lanes;
mod order;
mod run;
mod subject;
#[cfg(test)]
mod tests;

use diff_exec::{
    Compiled, Difference, ExplicitInputs, Half, Lowered, Start, TestPair, Verdict, lowered,
};
use gcn::Target;
use gcn::analysis::RegisterSet;
use gcn::compiled::Instruction;
use gcn_emu::Program as Code;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::{Denormals, Subgroup};

use crate::machine;
use crate::shader::{Shader, ShaderError};
use crate::subject::Subject;
use lanes::QuadLanes;
use order::Functions;
pub use run::{JoinedRun, SavedJoined};

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

/// Finds the first difference between both sides on inputs.
fn first_difference(
    pair: &TestPair<'_>,
    inputs: &ExplicitInputs,
) -> Result<Option<FirstDifference>, NotJoined> {
    match pair.check_explicit(inputs) {
        Verdict::Agree => Ok(None),
        Verdict::Differ(difference) => {
            let instruction = pair.instruction_of(&difference);
            Ok(Some(FirstDifference { instruction, difference: *difference }))
        }
        Verdict::Skipped(reason) => Err(NotJoined(reason)),
    }
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
        let inputs = Inputs { subgroup: Subgroup::Wave, ..inputs };
        // The machine flushes denormals, so the interpreter does.
        let (shader, ast) = Shader::with(text, number, inputs, |program| {
            program.denormals = Denormals::Flushed;
            program.round_halves_toward_zero();
        })?;
        let refused = |message: String| ShaderError { line: 0, message };
        let own = lowered(&ast, target).map_err(|error| refused(error.to_string()))?;
        let MachineCode { assembly, code, edited } =
            compile(&own).map_err(|error| refused(error.to_string()))?;
        let compiled = Compiled { target, entry: &own.entry, assembly: &assembly, code: &code };
        let mut pair =
            TestPair::new(&ast, &compiled).map_err(|error| refused(error.to_string()))?;
        if let Some(edited) = edited {
            pair.edit(edited);
        }
        let inputs = ExplicitInputs::of(shader.inputs(), shader.program());
        let inputs = inputs.map_err(|error| refused(error.to_string()))?;
        let start = pair.start(&inputs).map_err(|error| refused(error.to_string()))?;
        let run = shader.run().map_err(|failure| refused(failure.to_string()))?;
        let lanes = QuadLanes::of(run.stepping());
        let (quads, waves) = (run.stepping().quads(), start.machine.waves.len());
        let groups = inputs.grid.iter().product::<u32>() as usize;
        let wanted = quads.checked_sub(1).map_or(0, |last| lanes.wave(last) + 1);
        if wanted > waves || groups != start.groups.len() + 1 {
            return Err(refused(format!(
                "the machine code runs in {waves} waves, and {quads} quads in {groups} groups \
                 want others: leave the chip out"
            )));
        }
        let (difference, not_compared) = match first_difference(&pair, &inputs) {
            Ok(difference) => (difference, None),
            Err(reason) => (None, Some(reason)),
        };
        let code = pair.code().clone();
        let line = |number| {
            let (text, ordinal) = pair.line(number);
            (text.split_whitespace().collect::<Vec<_>>().join(" "), ordinal)
        };
        let lines: Vec<(String, u32)> = (0..code.instructions.len()).map(line).collect();
        let statements = run.instructions();
        let addresses = addresses(&lines, &code, statements);
        let functions = Functions::of(&ast);
        let pending = order::pending(&code, &lines);
        let used = machine::used(&code);
        drop(run);
        Ok(Joined {
            shader,
            target,
            code,
            lines,
            addresses,
            functions,
            lanes,
            pending,
            used,
            start,
            half: own.half,
            difference,
            not_compared,
        })
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
    pub fn run(&self) -> Result<JoinedRun<'_>, tgsi_interp::execution::Failure> {
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
