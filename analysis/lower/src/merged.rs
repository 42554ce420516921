//! Two stages that run as one program: on gfx9 a vertex shader with the control
//! shader behind it, and a vertex or evaluation shader with the geometry shader.
//!
//! A wave has lanes of both. The scalar with the wave's information says how many
//! of each; the second shader runs when the group's first ones have handed over
//! what it reads. A shader whose partner is not known is lowered as its half
//! alone, with the registers that it would have in the whole program.

use isa::gcn::Generation;
use tgsi::Stage;
use tgsi::ast::Shader;

use crate::builder::{Block, Builder};
use crate::context::Lowering;
use crate::declared::Declared;
use crate::environment::{Environment, NextStage};
use crate::failure::Failure;
use crate::hardware_stage::{Half, LANE_BITS};
use crate::module::{self, Module};
use crate::program;
use crate::values::{Type, Value};

/// Tells whether a generation runs the shaders of two stages as one program, in which the first
/// hands over to the second.
pub fn merges(generation: Generation, first: Stage, second: Stage) -> bool {
    let pair = match second {
        Stage::TessellationControl => first == Stage::Vertex,
        Stage::Geometry => matches!(first, Stage::Vertex | Stage::TessellationEvaluation),
        _ => false,
    };
    generation >= Generation::Gfx9 && pair
}

/// Lowers two shaders to the one program that they run as, each for its own state.
/// Debug lines count the instructions of the first, then those of the second.
///
/// # Errors
/// Every construct that stands in the way: those of the first shader if it has
/// some, else those of the second, in order of its text. None at all if the
/// shaders are no such pair.
pub fn lower_merged(
    (first, mut first_environment): (&Shader, Environment),
    (second, second_environment): (&Shader, Environment),
    generation: Generation,
) -> Result<Module, Vec<Failure>> {
    let [first_stage, second_stage] = [first, second].map(|shader| shader.stage.value);
    if !merges(generation, first_stage, second_stage) {
        return Err(Vec::new());
    }
    first_environment.next_stage = match second_stage {
        Stage::Geometry => NextStage::Geometry,
        _ => NextStage::Tessellation,
    };
    let mut halves = Builder::default();
    let mut instructions = 0;
    for (shader, environment, other, half) in [
        (first, first_environment, second_stage, Half::First),
        (second, second_environment, first_stage, Half::Second),
    ] {
        let mut failures = program::broken_statements(shader);
        if !failures.is_empty() {
            return Err(failures);
        }
        let declared = Declared::gather(shader, &mut failures);
        halves.begin_shader(instructions);
        let mut lowering =
            Lowering::new(shader, declared, generation, environment, std::mem::take(&mut halves));
        lowering.other_half = Some(other);
        if lowering.half() != Some(half) {
            // It says itself that something else follows.
            return Err(Vec::new());
        }
        instructions += lowering.instructions.len() as u32;
        program::lower_whole(&mut lowering, failures)?;
        if half == Half::First {
            halves = lowering.builder;
            continue;
        }
        return Ok(module::assemble(lowering, instructions, None));
    }
    Err(Vec::new())
}

impl Lowering<'_> {
    /// Begins a half of a program: the lanes of the halves are counted apart, and
    /// the second waits for what the first hands over. Returns the block that the lanes of the
    /// other half jump to, for [`end_half`](Self::end_half).
    pub(crate) fn begin_half(&mut self) -> Option<Block> {
        let first_bit = match self.half() {
            None => return None,
            Some(Half::First) => 0,
            Some(Half::Second) => LANE_BITS,
        };
        if self.other_half.is_some() {
            if first_bit == 0 {
                // Each half then chooses its own lanes among those of the whole wave.
                let all = [Value::long(-1)];
                let name = "llvm.amdgcn.init.exec";
                self.in_entry(|lowering| lowering.builder.call(Type::Void, name, &all));
            }
            let lanes = self.argument_field("wave_info", first_bit, LANE_BITS);
            let lane = self.lane();
            let is_one = self.builder.compare("icmp ult", lane, lanes);
            let (inside, behind) = (self.builder.new_block(), self.builder.new_block());
            self.builder.branch(is_one, inside, behind);
            self.builder.begin(inside);
            self.remap_local_arguments();
            return Some(behind);
        }
        let name = "llvm.amdgcn.init.exec.from.input";
        let arguments = [self.integer_argument("wave_info"), Value::int(first_bit)];
        self.in_entry(|lowering| lowering.builder.call(Type::Void, name, &arguments));
        if self.half() == Some(Half::Second) {
            self.group_barrier();
        }
        self.remap_local_arguments();
        None
    }

    /// Ends the shader: the function, unless a second half follows.
    pub(crate) fn end_half(&mut self, behind: Option<Block>) {
        if let Some(behind) = behind {
            self.fall_through_to(behind);
        }
        match self.is_first_of_two() {
            true => self.group_barrier(),
            false => self.builder.end(),
        }
    }
}
