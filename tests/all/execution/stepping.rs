//! The debugger beside whole runs: what stands behind each line, and what is left in the end.

use debugger::shader::Shader;
use debugger::{DEFAULT_BYTES, Debugger, Pace, Recording, Stop, Stride, Subject};
use tests::corpus;
use tgsi::Stage;
use tgsi_interp::execution::execute;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{Limits, Program, Register, Resources};

/// Sets of inputs for each program.
const SETS: u64 = 4;
/// Runs that take longer are left to those that test the recording alone.
const LIMITS: Limits = Limits { steps: 4000, records: 1 << 12 };

/// Numbers by chance, the same each time (xorshift).
struct Seeded(u64);

impl Seeded {
    fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        match self.0 % 5 {
            0 => (self.0 >> 8) as u32 % 7,
            1 => (self.0 >> 8) as u32,
            _ => ((self.0 >> 8) as u32 as f32 / 2e9 - 1.0).to_bits(),
        }
    }

    fn register(&mut self) -> Register {
        std::array::from_fn(|_| std::array::from_fn(|_| self.word()))
    }
}

fn inputs(set: u64, stage: Stage) -> Inputs {
    let mut seeded = Seeded(set + 1);
    let constant = |seeded: &mut Seeded| seeded.register().map(|it| it[0]);
    let resources = Resources {
        constants: vec![(0..16).map(|_| constant(&mut seeded)).collect()],
        buffers: (0..2).map(|_| (0..8).flat_map(|_| constant(&mut seeded)).collect()).collect(),
        ..Resources::default()
    };
    Inputs {
        lane: if stage == Stage::Geometry { 0 } else { (set % 3) as usize },
        vertices: (0..6).map(|_| (0..8).map(|_| seeded.register()).collect()).collect(),
        system_values: (0..4).map(|_| seeded.register()).collect(),
        resources,
        ..Inputs::default()
    }
}

/// Steps a shader line by line, and compares with what the whole run traced and left. Answers
/// how many values were compared; `None` where there is no run.
fn compare(name: &str, text: &str, set: u64) -> Option<usize> {
    let regions = tgsi::regions::split(text).shaders;
    let parse = tgsi::parser::parse(regions.first()?.text(text), &source::no_checkpoint);
    let ast = parse.shader?;
    let program = Program::prepare(&ast).ok()?;
    let given = inputs(set, program.stage);
    let lane = given.lane;
    let whole = execute(&program, &given, Tracing::On, LIMITS).ok()?;
    let shader = Shader::new(text, 1, given).ok()?;
    let mut debugger = Debugger::new(Recording::new(shader.run().ok()?, DEFAULT_BYTES));
    let (group, thread, _) = debugger.subject().stepping().place_of(lane);
    let mut traced = Vec::new();
    loop {
        let is_watched = debugger.subject().thread() == Some(thread)
            && debugger.subject().stepping().group() == group;
        let stop = debugger.step_in(
            debugger.subject().thread().unwrap_or(0),
            Stride::Instruction,
            &mut || Pace::Go,
        );
        let last = debugger.subject().stepping().last_step();
        if let Some((_, step)) = last.filter(|(_, step)| is_watched && !step.written.is_empty()) {
            traced.push(step.clone());
        }
        match stop {
            Stop::Step => {}
            Stop::End => break,
            other => panic!("{name}, set {set}: {other:?}"),
        }
    }
    let expected = whole.trace.iter().filter(|step| !step.written.is_empty());
    let expected: Vec<_> = expected.cloned().collect();
    assert_eq!(traced, expected, "{name}, set {set}");
    let buffers = &debugger.subject().stepping().resources().buffers;
    assert_eq!(*buffers, whole.after.buffers, "{name}, set {set}");
    let values = traced.iter().map(|step| step.written.len()).sum::<usize>();
    // And back: the state at the beginning is the one that it began with.
    let begin = debugger.go_back(&mut || Pace::Go);
    assert_eq!(begin, Stop::Beginning, "{name}, set {set}");
    let fresh = shader.run().ok()?;
    assert_eq!(debugger.subject().scopes(thread), fresh.scopes(thread), "{name}, set {set}");
    Some(values)
}

#[test]
fn a_thousand_runs_stepped_line_by_line_are_those_of_whole_runs() {
    let (mut runs, mut values) = (0, 0);
    for program in corpus::tgsi_programs() {
        for set in 0..SETS {
            if let Some(compared) = compare(&program.name, &program.text, set) {
                runs += 1;
                values += compared;
            }
        }
    }
    assert!(runs >= 1000 && values > 10_000, "{runs} runs, {values} values");
}
