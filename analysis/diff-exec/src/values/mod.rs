//! The lines that machine code comes from, by values: shader and code run on the same inputs, and
//! an instruction that computes what a line computes, of what the line computes it, is of that
//! line. What computes a part of it is of the only line that reads the part.
//!
//! Compilers that say nothing of lines are joined so. Whatever is not certain has none.

mod flow;
mod inputs;
mod machine;
mod matching;
mod series;
mod shader;

use gcn_emu::{LANES as WAVE, TimingFaults};
use tgsi::ast::Shader;
use tgsi_interp::{Denormals, LANES, Program};

use crate::input_source::ExplicitInputs;
use crate::inputs::Demand;
use crate::outside::{Entry, Lanes, OutsideCode, Watched};
use crate::test_pair::prepared;
use flow::{Flow, Joined};
use machine::Recorder;
use matching::Claim;
use shader::{Lines, Watch};

/// Runs on different inputs.
const RUNS: usize = 16;
/// Steps of a run of the machine, at most.
const MOST_STEPS: u64 = 1 << 14;
/// Quads of a group that are looked at, at most: the first ones, since those behind may not be
/// come to.
const MOST_QUADS: usize = 4;
/// Instructions of the machine by lines of the shader whose values are compared, at most.
const MOST_PAIRS: usize = 1 << 22;

/// Returns the line of each instruction of a code, from 1, as far as values tell it; `None` where
/// they are not looked at.
///
/// `set` gives the descriptor set of inputs, with the places of its entries in bytes; `known` has
/// lines that are known already.
pub fn lines_by_values(
    shader: &Shader,
    code: &OutsideCode<'_>,
    set: &dyn Fn(&ExplicitInputs) -> Vec<(u32, Entry)>,
    known: &[Option<u32>],
) -> Option<Vec<Option<u32>>> {
    let mut program = Program::prepare(shader).ok()?;
    program.denormals = Denormals::Flushed;
    let (decoded, texts) = prepared(code.instructions, code.target);
    if decoded.instructions.len() * shader.instructions().count() > MOST_PAIRS {
        return None;
    }
    let texts: Vec<&str> = texts.iter().map(|it| it.0.as_str()).collect();
    let demand = Demand::of(shader);
    let maker = inputs::Maker::of(shader, &program);
    let mut lines = Lines::new(&program, shader);
    let mut recorder = Recorder::new(&decoded, &texts);
    for run in 0..RUNS {
        let made = maker.inputs(run);
        let mut explicit = ExplicitInputs::of(&made, &program).ok()?;
        explicit.resources = demand.complete(explicit.resources);
        let (quad, lanes) = watched(code.lanes, run);
        lines.run(&made, Watch { quad, first: run * LANES });
        recorder.watch(
            lanes
                .into_iter()
                .map(|(lane, thread)| (thread / WAVE, thread % WAVE, run * LANES + lane))
                .collect(),
        );
        let run = Watched {
            code: &decoded,
            demand: &demand,
            inputs: &explicit,
            steps: MOST_STEPS,
            timing: TimingFaults::Tell,
        };
        // Where it ends too early, what came before counts.
        let _ = code.run(&run, &set(&explicit), &mut recorder).ok()?;
    }
    let lines = lines.finish();
    let all = recorder.all.iter().zip(known.iter().chain(std::iter::repeat(&None)));
    let joined = all.map(|(own, known)| {
        let claim = known.map_or_else(|| matching::claim(own, &lines), Claim::Line);
        Joined { claim, role: own.role, is_scalar: own.is_scalar }
    });
    let joined: Vec<Joined> = joined.collect();
    let words: Vec<u32> =
        code.instructions.iter().flat_map(|it| it.words.iter().copied()).collect();
    let flow = Flow::of(gcn::analysis::Code::from_words(code.target, &words));
    let other_operands = |at: usize, line| {
        recorder.all.get(at).and_then(|own| matching::other_operands(own, line, &lines))
    };
    Some(flow::spread(&joined, &flow, &other_operands))
}

/// The quad of a run that is looked at, and its lanes with the numbers of their threads.
fn watched(lanes: Lanes, run: usize) -> (usize, Vec<(usize, usize)>) {
    match lanes {
        Lanes::Quad => (0, (0..LANES).map(|lane| (lane, lane)).collect()),
        Lanes::Primitive | Lanes::Patch(_) => (0, vec![(0, 0)]),
        Lanes::Grid { block, .. } => {
            let [width, height, depth] = block.map(|side| side.max(1) as usize);
            let row = width.div_ceil(LANES);
            let quad = run % (row * height * depth).min(MOST_QUADS);
            let first = quad / row * width + quad % row * LANES;
            let count = (width - quad % row * LANES).min(LANES);
            (quad, (0..count).map(|lane| (lane, first + lane)).collect())
        }
    }
}
