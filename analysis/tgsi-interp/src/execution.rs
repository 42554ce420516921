//! A program on the inputs of a file, whatever its stage: what people ask for
//! who want to see values.

use tgsi::Stage;
use thiserror::Error;

use crate::inputs::Inputs;
use crate::launch::{self, Grid, Tracing, run_quad, run_watched_grid};
use crate::patch::{Order, Patch, run_patch};
use crate::program::Program;
use crate::quad::{Limits, TraceStep};
use crate::registers::{LANES, Register};
use crate::resources::Resources;

/// The results of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The output registers of the watched quad; none of tessellation control.
    pub outputs: Vec<Register>,
    /// The lanes that were killed, a bit each.
    pub killed: u8,
    /// The vertices that a geometry shader emitted: by stream, primitive and vertex.
    pub streams: [Vec<Vec<Vec<[u32; 4]>>>; 4],
    /// The outputs of a tessellation control shader.
    pub patch: Option<Patch>,
    /// The values that the instructions of the watched quad wrote.
    pub trace: Vec<TraceStep>,
    /// The lane within the watched quad.
    pub lane: usize,
    /// The resources before the run.
    pub before: Resources,
    /// The resources after it.
    pub after: Resources,
}

/// The reason for which there is no outcome.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Failure {
    /// The instruction that it came to, from 1; 0 where it is none.
    pub ordinal: u32,
    /// The reason, in a sentence.
    pub message: String,
}

/// Runs a program on inputs. The invocation [`Inputs::lane`] is watched: its
/// quad's outputs and trace are given.
///
/// # Errors
/// The inputs do not fit the program, or the run was given up.
pub fn execute(
    program: &Program,
    inputs: &Inputs,
    tracing: Tracing,
    limits: Limits,
) -> Result<Outcome, Failure> {
    let failed = |message: String| Failure { ordinal: 0, message };
    let before = inputs.resources(program).map_err(|error| failed(error.to_string()))?;
    let invocations = match program.stage {
        Stage::TessellationControl => program.patch_vertices as usize,
        Stage::Geometry => 1,
        Stage::Compute => usize::MAX,
        _ => LANES,
    };
    if inputs.lane >= invocations {
        return Err(failed(format!(
            "there are {invocations} lanes, and none is number {}",
            inputs.lane
        )));
    }
    let mut after = before.clone();
    let mut quad = inputs.quad();
    quad.tracing = tracing;
    let mut outcome = Outcome { lane: inputs.lane % LANES, before, ..Outcome::default() };
    let ran = match program.stage {
        Stage::Compute => {
            let grid = Grid {
                groups: inputs.grid.unwrap_or([1; 3]),
                system_values: &quad.system_values,
                subgroup: inputs.subgroup,
                watched: (tracing == Tracing::On).then_some(inputs.lane),
                ..Grid::default()
            };
            outcome.lane = launch::lane_of(program.block, inputs.lane);
            run_watched_grid(program, &mut after, &grid, limits)
                .map(|left| outcome.trace = left.trace)
        }
        Stage::TessellationControl => {
            run_patch(program, &mut after, &quad, inputs.lane, Order::Forward, limits).map(
                |mut patch| {
                    outcome.trace = std::mem::take(&mut patch.trace);
                    outcome.patch = Some(patch);
                },
            )
        }
        _ => run_quad(program, &mut after, &quad, limits).map(|left| {
            outcome.outputs = left.outputs;
            outcome.killed = left.killed;
            outcome.streams = left.streams;
            outcome.trace = left.trace;
        }),
    };
    ran.map_err(|stop| Failure { ordinal: stop.ordinal, message: stop.to_string() })?;
    outcome.after = after;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(shader: &str, inputs: &str) -> Result<Outcome, Failure> {
        let parse = tgsi::parser::parse(shader, &source::no_checkpoint);
        let program = Program::prepare(&parse.shader.unwrap()).unwrap();
        let inputs = Inputs::read(inputs).unwrap();
        execute(&program, &inputs, Tracing::On, Limits::default())
    }

    #[test]
    fn the_thread_that_is_watched_is_found_in_its_group() {
        let shader = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 6\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\n\
                      DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL TEMP[0]\n\
                      MOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[0].x, SV[0].yyyy\n\
                      MOV TEMP[0].x, SV[1].xxxx\nEND\n";
        // Thread 23 is the last of the second group: x 5, y 1.
        let left = outcome(shader, "lane = 23\ngrid = [2]\n").unwrap();
        assert_eq!(left.lane, 1);
        let seen: Vec<u32> = left.trace.iter().map(|it| it.written[0].1[left.lane]).collect();
        assert_eq!(seen, [5, 1, 1]);
    }

    #[test]
    fn what_was_stored_is_left() {
        let shader = "VERT\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 7, 0, 0}\n\
                      STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nEND\n";
        let left = outcome(shader, "[buf]\n0 = [1, 2]\n").unwrap();
        assert_eq!(left.after.buffers, [[7, 2]]);
    }

    #[test]
    fn the_example_gives_colours() {
        let shader = include_str!("../../../examples/lit_texture.tgsi");
        let inputs = include_str!("../../../examples/lit_texture.inputs.toml");
        let left = outcome(shader, inputs).unwrap();
        let colors = left.outputs[0].iter().flatten().map(|bits| f32::from_bits(*bits));
        assert!(colors.clone().all(|value| (0.0..2.0).contains(&value)), "{:?}", left.outputs);
        assert!(colors.into_iter().filter(|value| *value > 0.05).count() > 8);
        assert_eq!((left.killed, left.trace.len()), (0, 27));
    }

    #[test]
    fn every_stage_runs_on_a_file() {
        let patch = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 5\nDCL IN[][0], POSITION\n\
                     DCL OUT[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\n\
                     UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[1][0]\nEND\n";
        let given = "lane = 4\n[vertex.1]\n0 = [8]\n";
        let left = outcome(patch, given).unwrap();
        assert_eq!(left.patch.unwrap().vertices[4][0][0], 8);
        assert_eq!((left.trace.len(), left.trace[0].active, left.lane), (2, 1, 0));
        let failure = outcome(patch, "lane = 5\n").unwrap_err();
        assert_eq!(failure.to_string(), "there are 5 lanes, and none is number 5");
        let emit = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                    PROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                    IMM[0] INT32 {0, 0, 0, 0}\nMOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\nEND\n";
        let left = outcome(emit, "[vertex.1]\n0 = [8]\n").unwrap();
        assert_eq!(left.streams[0][0][0][0][0], 8);
        let endless = outcome("VERT\nBGNLOOP\nENDLOOP\nEND\n", "").unwrap_err();
        assert_eq!(endless.to_string(), "too many steps at instruction 2");
    }
}
