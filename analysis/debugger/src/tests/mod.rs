//! Recorded runs forwards and backwards, and what stops them.

mod counters;
mod images;
mod scratch;
mod waits;

use gcn::program::{Options, assemble};
use gcn_emu::launch::KernelInputs;
use proptest::prelude::*;
use tgsi_interp::execution::execute;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;

use crate::expression::Expression;
use crate::kernel::Kernel;
use crate::shader::Shader;
use crate::*;

const SHADER: &str = include_str!("../../../../examples/lit_texture.tgsi");
const SHADER_INPUTS: &str = include_str!("../../../../examples/lit_texture.inputs.toml");

/// A loop, a call, and a NaN that one lane makes.
const LOOP: &str = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\n\
IMM[0] FLT32 {1.0, 3.0, 0.0, 0.5}\nMOV TEMP[0], IMM[0].zzzz\nBGNLOOP\n\
ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nSGE TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy\n\
IF TEMP[0].zzzz\nBRK\nENDIF\nENDLOOP\nCAL :13\nADD TEMP[1].x, IN[0].xxxx, -IMM[0].xxxx\n\
RSQ TEMP[1].y, TEMP[1].xxxx\nMOV OUT[0], TEMP[1].yyyy\nEND\nBGNSUB\n\
MUL TEMP[0].w, TEMP[0].xxxx, IMM[0].wwww\nRET\nENDSUB\n";
const LOOP_INPUTS: &str = "[in]\n0 = [[2.0], [5.0], [1.0], [2.0]]\n";

/// Two waves that meet at a barrier.
pub(crate) const KERNEL: &str = r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
sum:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 1.0
  s_mov_b32 s6, 0
loop:
  v_add_f32_e32 v2, v2, v2
  s_add_u32 s6, s6, 1
  s_cmp_lt_u32 s6, 20
  s_cbranch_scc1 loop
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  v_log_f32_e32 v3, v3
  global_store_dword v1, v3, s[4:5]
  s_endpgm
.amdhsa_kernel sum
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"#;
pub(crate) const KERNEL_INPUTS: &str =
    "group = [128]\ngrid = [2]\n[arg]\n0 = \"buf.0\"\n[buf]\n0 = { words = 128 }\n";

fn shader(text: &str, inputs: &str) -> Shader {
    Shader::new(text, 1, Inputs::read(inputs).expect("inputs")).expect("a shader")
}

pub(crate) fn kernel(text: &str, inputs: &str) -> Kernel {
    let program = assemble(text, &Options::of(text, "k.s"), &|_| None, &source::no_checkpoint);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    let inputs = KernelInputs::read(inputs).expect("inputs");
    Kernel::new(&program, text, inputs).expect("a kernel")
}

/// The kernels of these tests with their inputs: names, texts, files of inputs.
pub(crate) fn own_kernels() -> Vec<(String, String, String)> {
    let own = [
        ("barrier", KERNEL, KERNEL_INPUTS),
        ("counters", counters::MEMORY, counters::INPUTS),
        ("scratch", scratch::INDEXED, scratch::INPUTS),
        ("waits", waits::EARLY, waits::INPUTS),
    ];
    own.map(|(name, text, inputs)| (name.to_owned(), text.to_owned(), inputs.to_owned())).into()
}

/// All that a run shows where it stands.
fn shown<S: Subject>(subject: &S) -> Vec<(Option<usize>, Vec<Scope>)> {
    (0..subject.threads()).map(|it| (subject.instruction(it), subject.scopes(it))).collect()
}

/// The same at each position of a run.
fn all_shown<S: Subject>(recording: &mut Recording<S>) -> Vec<Vec<(Option<usize>, Vec<Scope>)>> {
    let mut all = vec![shown(recording.subject())];
    while recording.advance().expect("a step") {
        all.push(shown(recording.subject()));
    }
    all
}

/// Numbers by chance, the same each time (xorshift).
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 |= u64::from(self.0 == 0);
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Walks at random, and compares each state with that of the way forward.
pub(crate) fn walk<S: Subject>(subject: S, most: usize, seed: u64, moves: usize) {
    let mut recording = Recording::new(subject, most);
    let all = all_shown(&mut recording);
    let last = all.len() as u64 - 1;
    let mut numbers = Seeded(seed | 1);
    for _ in 0..moves {
        let random = numbers.next();
        let here = recording.position();
        match random % 16 {
            0 => recording.seek(random / 16 % (last + 1)),
            1..8 => recording.seek(here.saturating_sub(1)),
            _ => {
                recording.advance().expect("a step");
            }
        }
        assert!(recording.bytes() <= most.max(1 << 20));
        let own = shown(recording.subject());
        assert_eq!(own, all[recording.position() as usize], "position {}", recording.position());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn shaders_walk_both_ways(seed in any::<u64>(), most in prop::sample::select(vec![1, 1 << 18, 1 << 26])) {
        let lit = shader(SHADER, SHADER_INPUTS);
        walk(lit.run().expect("inputs"), most, seed, 300);
        let looping = shader(LOOP, LOOP_INPUTS);
        walk(looping.run().expect("inputs"), most, seed, 300);
    }
}

#[test]
fn kernels_walk_both_ways() {
    let kernel = kernel(KERNEL, KERNEL_INPUTS);
    walk(kernel.run(), 1 << 26, 7, 300);
    // Room for a few states alone.
    walk(kernel.run(), 1 << 20, 8, 100);
}

/// Walks at random through a run too long to keep each state of it, and compares in the end.
fn long_walk<S: Subject>(mut make: impl FnMut() -> S, moves: usize) {
    let mut recording = Recording::new(make(), 1 << 22);
    while recording.advance().expect("a step") {}
    let last = recording.position();
    let mut numbers = Seeded(11);
    for number in 0..moves {
        let random = numbers.next();
        let here = recording.position();
        match random % 32 {
            0 if number % 16 == 0 => recording.seek(random / 32 % (last + 1)),
            1..16 => recording.seek(here.saturating_sub(1)),
            _ => {
                recording.advance().expect("a step");
            }
        }
    }
    let mut fresh = Recording::new(make(), 1 << 26);
    while fresh.position() < recording.position() {
        fresh.advance().expect("a step");
    }
    assert_eq!(shown(recording.subject()), shown(fresh.subject()), "at {}", fresh.position());
}

#[test]
fn a_hundred_thousand_random_steps_end_in_the_state_of_the_way_forward() {
    let longer = LOOP.replace("{1.0, 3.0,", "{1.0, 300.0,");
    let shader = shader(&longer, LOOP_INPUTS);
    long_walk(|| shader.run().expect("inputs"), 100_000);
    let kernel = kernel(KERNEL, KERNEL_INPUTS);
    long_walk(|| kernel.run(), 200);
}

#[test]
fn origins_lead_to_the_step_that_made_a_nan() {
    let shader = shader(LOOP, LOOP_INPUTS);
    let mut debugger = debugger(&shader);
    while debugger.go_on(&mut go) != Stop::End {}
    let end = debugger.recording().position();
    let nan = Expression::parse("OUT[0].x").expect("an expression");
    let found = debugger.origins(&nan, (0, 1), Follow::NotANumber, &mut go);
    assert_eq!(found, Err("`OUT` is not NaN in lane 1".into()));
    let found = debugger.origins(&nan, (0, 2), Follow::Everything, &mut go).expect("origins");
    let names: Vec<_> = found.values.iter().map(|it| (&*it.name, it.lane)).collect();
    let lane = Some(2);
    assert_eq!(
        names,
        [
            ("OUT[0].x", lane),
            ("TEMP[1].y", lane),
            ("TEMP[1].x", lane),
            ("IN[0].x", lane),
            ("IMM[0].x", None),
        ]
    );
    assert!(found.values[..3].iter().all(|it| it.maker.is_some()));
    assert!(found.values[3..].iter().all(|it| it.maker.is_none() && it.is_known));
    assert_eq!(debugger.recording().position(), end, "it stands where it stood");
    // Back at the step that made it, its sources are what the tree says.
    let maker = found.values[1].maker.clone().expect("a maker");
    debugger.go_to(maker.position);
    assert_eq!(debugger.subject().text(maker.instruction), "RSQ TEMP[1].y, TEMP[1].xxxx");
    let values = debugger.evaluate(&Expression::parse("TEMP[1].x").expect("one"), 0, 2);
    assert_eq!(values.map(|it| display(&it)), Ok("0".to_owned()));
}

#[test]
fn origins_go_through_loops_and_registers_of_waves() {
    let kernel = kernel(KERNEL, KERNEL_INPUTS);
    let mut debugger = Debugger::new(Recording::new(kernel.run(), DEFAULT_BYTES));
    while debugger.go_on(&mut go) != Stop::End {}
    let sum = Expression::parse("v2").expect("an expression");
    let found = debugger.origins(&sum, (1, 5), Follow::Everything, &mut go).expect("origins");
    // Twenty doublings and the constant.
    assert_eq!(found.values.len(), 21);
    assert_eq!(f32::from_bits(found.values[0].bits), 1_048_576.0);
    let first = found.values.last().expect("a value");
    assert_eq!(f32::from_bits(first.bits), 1.0);
    assert!(first.maker.as_ref().is_some_and(|maker| maker.sources.is_empty()));
}

#[test]
fn lines_show_what_they_left_and_which_lanes_passed_by() {
    let shader = shader(LOOP, LOOP_INPUTS);
    let mut debugger = debugger(&shader);
    while debugger.go_on(&mut go) != Stop::End {}
    let lines = debugger.line_values(0, 1, &mut go);
    let of = |text: &str| {
        let own = lines.iter().find(|it| debugger.subject().text(it.instruction).starts_with(text));
        own.unwrap_or_else(|| panic!("{text}"))
    };
    let value = |text: &str| of(text).written.iter().map(|(_, bits)| f32::from_bits(*bits));
    assert_eq!(value("ADD TEMP[0].x").collect::<Vec<_>>(), [3.0]);
    assert_eq!(value("ADD TEMP[1].x").collect::<Vec<_>>(), [4.0]);
    assert_eq!(value("RSQ").collect::<Vec<_>>(), [0.5]);
    assert!(lines.iter().all(|it| it.is_active));
}

#[test]
fn a_long_recording_stays_within_its_bound_and_says_so() {
    let long = KERNEL.replace("s_cmp_lt_u32 s6, 20", "s_cmp_lt_u32 s6, 0x7d0");
    let kernel = kernel(&long, KERNEL_INPUTS);
    let most = 1 << 20;
    let mut recording = Recording::new(kernel.run(), most);
    while recording.advance().expect("a step") {}
    let steps = recording.position();
    assert_eq!(steps, 4 * (4 + 2000 * 4 + 8), "two groups of two waves");
    assert!(recording.is_thinned() && recording.bytes() <= most, "{}", recording.bytes());
    let mut roomy = Recording::new(kernel.run(), DEFAULT_BYTES);
    while roomy.advance().expect("a step") {}
    assert!(!roomy.is_thinned());
}

#[test]
fn values_behind_lines_are_those_of_a_whole_run() {
    let shader = shader(SHADER, SHADER_INPUTS);
    let parse = tgsi::parser::parse(SHADER, &source::no_checkpoint);
    let program = tgsi_interp::Program::prepare(&parse.shader.expect("a shader")).expect("it runs");
    let inputs = Inputs::read(SHADER_INPUTS).expect("inputs");
    let whole = execute(&program, &inputs, Tracing::On, tgsi_interp::Limits::default());
    let trace = whole.expect("a run").trace;
    let mut debugger = Debugger::new(Recording::new(shader.run().expect("inputs"), DEFAULT_BYTES));
    let mut compared = 0;
    for step in trace {
        // Instructions without results are not in the trace.
        while debugger.subject().instruction(0) != Some(step.ordinal as usize - 1) {
            assert_ne!(debugger.step_in(0, Stride::Line, &mut || Pace::Go), Stop::End);
        }
        debugger.step_in(0, Stride::Line, &mut || Pace::Go);
        let last = debugger.subject().stepping().last_step().expect("a step").1.clone();
        assert_eq!(last, step);
        compared += step.written.len();
    }
    assert!(compared > 40, "{compared}");
}

fn debugger<'s>(shader: &'s Shader) -> Debugger<shader::ShaderRun<'s>> {
    Debugger::new(Recording::new(shader.run().expect("inputs"), DEFAULT_BYTES))
}

fn go() -> Pace {
    Pace::Go
}

fn line<S: Subject>(debugger: &Debugger<S>) -> Option<u32> {
    let subject = debugger.subject();
    subject.line(subject.instruction(subject.thread()?)?)
}

#[test]
fn steps_go_into_over_and_out_of_calls_and_back() {
    let shader = shader(LOOP, LOOP_INPUTS);
    let mut debugger = debugger(&shader);
    assert_eq!(line(&debugger), Some(6));
    let at = |text: &str, debugger: &Debugger<shader::ShaderRun<'_>>| {
        let own = debugger.subject().instruction(0).map(|own| debugger.subject().text(own));
        assert_eq!(own, Some(text));
    };
    while debugger.subject().text(debugger.subject().instruction(0).expect("it runs")) != "CAL :13"
    {
        assert_eq!(debugger.step_in(0, Stride::Line, &mut go), Stop::Step);
    }
    let call = debugger.recording().position();
    debugger.step_over(0, Stride::Line, &mut go);
    at("ADD TEMP[1].x, IN[0].xxxx, -IMM[0].xxxx", &debugger);
    let behind = debugger.recording().position();
    debugger.step_back(0, Stride::Line, &mut go);
    at("RET", &debugger);
    assert_eq!(debugger.subject().returns(0).len(), 1);
    debugger.step_out(0, &mut go);
    assert_eq!(debugger.recording().position(), behind);
    while debugger.recording().position() > call {
        debugger.step_back(0, Stride::Line, &mut go);
    }
    at("CAL :13", &debugger);
    debugger.step_in(0, Stride::Line, &mut go);
    at("MUL TEMP[0].w, TEMP[0].xxxx, IMM[0].wwww", &debugger);
    assert_eq!(debugger.go_on(&mut go), Stop::End);
    assert_eq!(debugger.go_back(&mut go), Stop::Beginning);
    assert_eq!((debugger.recording().position(), line(&debugger)), (0, Some(6)));
    assert_eq!(debugger.step_back(0, Stride::Line, &mut go), Stop::Beginning);
}

fn breakpoint(id: u64, instruction: usize) -> Breakpoint {
    Breakpoint { id, instruction, condition: None, hit_condition: None, log: None, hits: 0 }
}

#[test]
fn breakpoints_have_conditions_counts_and_messages() {
    let shader = shader(LOOP, LOOP_INPUTS);
    let mut debugger = debugger(&shader);
    let parse = |text: &str| Expression::parse(text).expect("an expression");
    // The second instruction of the loop, which is come to three times.
    debugger.breakpoints = vec![
        Breakpoint { condition: Some(parse("TEMP[0].x > 1.5 && lane == 2")), ..breakpoint(1, 3) },
        Breakpoint { hit_condition: HitCondition::parse("3").ok(), ..breakpoint(2, 3) },
        Breakpoint { log: LogMessage::parse("x = {TEMP[0].x}").ok(), ..breakpoint(3, 3) },
    ];
    assert_eq!(debugger.go_on(&mut go), Stop::Breakpoint { ids: vec![1], lane: Some(2) });
    assert_eq!(debugger.messages, ["x = 1.0", "x = 2.0"]);
    let second = debugger.recording().position();
    assert!(matches!(debugger.go_on(&mut go), Stop::Breakpoint { ids, .. } if ids == [1, 2]));
    assert_eq!(debugger.go_on(&mut go), Stop::End);
    debugger.breakpoints.retain(|it| it.id == 1);
    // Backwards the same breakpoints stop it, the last first.
    assert!(matches!(debugger.go_back(&mut go), Stop::Breakpoint { .. }));
    assert!(matches!(debugger.go_back(&mut go), Stop::Breakpoint { .. }));
    assert_eq!(debugger.recording().position(), second);
    debugger.breakpoints[0].condition = Some(parse("TEMP[9].x > 1"));
    debugger.restart();
    let stop = debugger.go_on(&mut go);
    assert_eq!(stop, Stop::Condition { id: 1, message: "there is no `TEMP[9]`".to_owned() });
}

#[test]
fn a_change_of_a_value_stops_the_run_both_ways() {
    let shader = shader(LOOP, LOOP_INPUTS);
    let mut debugger = debugger(&shader);
    debugger.watches = vec![Watch {
        id: 5,
        name: "TEMP[0].x".to_owned(),
        expression: Expression::parse("TEMP[0].x").expect("an expression"),
        thread: 0,
        condition: None,
    }];
    let mut seen = Vec::new();
    while let Stop::Changed { message, .. } = debugger.go_on(&mut go) {
        seen.push(message);
    }
    assert_eq!(
        seen,
        [
            "lane 0: TEMP[0].x was 0, is 1.0",
            "lane 0: TEMP[0].x was 1.0, is 2.0",
            "lane 0: TEMP[0].x was 2.0, is 3.0",
        ]
    );
    let mut back = 0;
    while debugger.go_back(&mut go) != Stop::Beginning {
        assert_eq!(debugger.subject().instruction(0), Some(2));
        back += 1;
    }
    assert_eq!(back, 3);
}

#[test]
fn events_name_lane_and_register() {
    // Lane 2 takes the root of zero; no lane makes a NaN of 1 - 2.
    let shader_of = |first: f32| {
        let given = format!("[in]\n0 = [[2.0], [5.0], [{first:?}], [2.0]]\n");
        shader(LOOP, &given)
    };
    let found = |shader: &Shader, kind: EventKind| {
        let mut debugger = debugger(shader);
        debugger.events.insert(kind);
        match debugger.go_on(&mut go) {
            Stop::Event(event) => event.message(),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(found(&shader_of(1.0), EventKind::Infinity), "lane 2: TEMP[1].y became infinite");
    assert_eq!(found(&shader_of(1.0), EventKind::NotANumber), "End");
    let unwritten = LOOP.replace("MOV OUT[0], TEMP[1].yyyy", "MOV OUT[0], TEMP[2].yyyy");
    let unwritten = shader(&unwritten, LOOP_INPUTS);
    assert_eq!(
        found(&unwritten, EventKind::Uninitialised),
        "lane 0: TEMP[2].y is read, and nothing has written it"
    );
    assert_eq!(found(&shader_of(3.0), EventKind::Uninitialised), "End");
}

#[test]
fn kernels_show_registers_memory_and_events() {
    let own = kernel(KERNEL, KERNEL_INPUTS);
    let mut debugger = Debugger::new(Recording::new(own.run(), DEFAULT_BYTES));
    let value = |debugger: &Debugger<kernel::KernelRun<'_>>, text: &str| {
        let expression = Expression::parse(text).expect("an expression");
        debugger.evaluate(&expression, 1, 3).map_err(|error| error.0)
    };
    debugger.breakpoints = vec![breakpoint(1, 9)];
    assert!(matches!(debugger.go_on(&mut go), Stop::Breakpoint { .. }));
    assert_eq!(debugger.subject().text(9), "s_waitcnt lgkmcnt(0)");
    assert_eq!(value(&debugger, "lds[8] == v2[2]"), Ok(expression::Value::Truth(false)));
    assert!(matches!(debugger.go_on(&mut go), Stop::Breakpoint { .. }));
    assert_eq!(debugger.subject().thread(), Some(1));
    assert_eq!(value(&debugger, "lds[8] == v2[2]"), Ok(expression::Value::Truth(true)));
    assert_eq!(
        value(&debugger, "v0"),
        Ok(expression::Value::Bits(67, expression::ValueKind::Integer))
    );
    assert_eq!(
        value(&debugger, "v2 == 1048576.0 && s6 == 20 && all(v1 >= 256)"),
        Ok(expression::Value::Truth(true))
    );
    assert_eq!(value(&debugger, "v900").unwrap_err(), "there is no register `v900`");
    assert_eq!(value(&debugger, "buf[0][128]").unwrap_err(), "no memory at 0x1000000200");
    debugger.breakpoints.clear();
    assert_eq!(debugger.go_on(&mut go), Stop::End);
    assert_eq!(value(&debugger, "buf[0][127] == 20.0"), Ok(expression::Value::Truth(true)));
    assert_eq!(debugger.subject().memory(1 << 36, 4), 20.0_f32.to_bits().to_le_bytes());
    let broken = KERNEL.replace("v_mov_b32_e32 v2, 1.0", "v_mov_b32_e32 v3, 1.0");
    let broken = kernel(&broken, KERNEL_INPUTS);
    let mut debugger = Debugger::new(Recording::new(broken.run(), DEFAULT_BYTES));
    debugger.events.insert(EventKind::Uninitialised);
    // Each of two waves of two groups begins without values.
    for _ in 0..4 {
        let stop = debugger.go_on(&mut go);
        assert!(matches!(&stop, Stop::Event(it) if it.what == "v2"), "{stop:?}");
    }
    assert_eq!(debugger.go_on(&mut go), Stop::End);
    let mut debugger = Debugger::new(Recording::new(own.run(), DEFAULT_BYTES));
    debugger.events.insert(EventKind::Uninitialised);
    assert_eq!(debugger.go_on(&mut go), Stop::End, "all that is read was written");
    let negative = KERNEL.replace("v2, 1.0", "v2, -1.0");
    let negative = kernel(&negative, KERNEL_INPUTS);
    let mut debugger = Debugger::new(Recording::new(negative.run(), DEFAULT_BYTES));
    debugger.events.insert(EventKind::NotANumber);
    let stop = debugger.go_on(&mut go);
    assert!(matches!(&stop, Stop::Event(it) if it.what == "v3"), "{stop:?}");
}

#[test]
fn a_fault_stays_where_it_is() {
    let short = KERNEL_INPUTS.replace("words = 128", "words = 100");
    let kernel = kernel(KERNEL, &short);
    let mut debugger = Debugger::new(Recording::new(kernel.run(), DEFAULT_BYTES));
    let Stop::Fault(fault) = debugger.go_on(&mut go) else { panic!("no fault") };
    assert_eq!(fault.message, "no memory at 0x1000000190");
    let before = shown(debugger.subject());
    assert!(matches!(debugger.go_on(&mut go), Stop::Fault(_)));
    assert_eq!(shown(debugger.subject()), before);
    debugger.step_back(1, Stride::Instruction, &mut go);
    assert!(matches!(debugger.step_in(1, Stride::Instruction, &mut go), Stop::Step));
    assert_eq!(shown(debugger.subject()), before);
}

#[test]
fn a_run_without_end_can_be_paused() {
    let text = "VERT\nDCL OUT[0], POSITION\nBGNLOOP\nMOV OUT[0].x, OUT[0].xxxx\nENDLOOP\nEND\n";
    let shader = shader(text, "");
    let mut debugger = debugger(&shader);
    let mut asked = 0;
    let stop = debugger.go_on(&mut || {
        asked += 1;
        if asked == 3 { Pace::Pause } else { Pace::Go }
    });
    assert_eq!((stop, debugger.recording().position()), (Stop::Pause, 3 * 1024));
    // On the way back too: between two states that are kept.
    assert_eq!(debugger.go_back(&mut || Pace::Pause), Stop::Pause);
    let position = debugger.recording().position();
    assert!((1..3 * 1024).contains(&position), "{position}");
}
