//! The processor time that a step takes in a recorded run of a million instructions, forwards and
//! backwards, for a kernel and a shader. It fails where one is over its bar.
//!
//! `cargo bench -p tests --bench debugger`

use std::process::ExitCode;
use std::time::Duration;

use debugger::kernel::Kernel;
use debugger::shader::Shader;
use debugger::{DEFAULT_BYTES, Debugger, Pace, Recording, Stop, Stride, Subject};
use gcn::program::{Options, assemble};
use gcn_emu::launch::KernelInputs;
use tests::measure::Stopwatch;
use tgsi_interp::inputs::Inputs;

/// Instructions of a run.
const INSTRUCTIONS: u64 = 1_000_000;
/// Steps of each sort that are timed, at places by chance.
const STEPS: usize = 200;
/// The time that a step may take, and a step back.
const BAR_STEP: Duration = Duration::from_millis(5);
const BAR_BACK: Duration = Duration::from_millis(20);

/// Two waves, each with a loop of five instructions.
const KERNEL: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\nk:\n\
s_mov_b32 s6, 0\nloop:\nv_add_f32_e32 v2, 1.0, v2\nv_mul_f32_e32 v3, v2, v2\n\
s_add_u32 s6, s6, 1\ns_cmp_lt_u32 s6, 0x186a0\ns_cbranch_scc1 loop\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n";

const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n\
IMM[0] FLT32 {1.0, 200000.0, 0.5, 0.0}\nMOV TEMP[0], IMM[0].wwww\nBGNLOOP\n\
ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nMAD TEMP[1], TEMP[0], IMM[0].zzzz, IMM[0]\n\
SGE TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy\nIF TEMP[2].xxxx\nBRK\nENDIF\nENDLOOP\n\
MOV OUT[0], TEMP[1]\nEND\n";

fn go() -> Pace {
    Pace::Go
}

/// The median and the longest of some times.
fn summary(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() - 1])
}

/// Times steps at places by chance; tells whether all are within their bars.
#[allow(clippy::print_stdout)]
fn time<S: Subject>(name: &str, subject: S) -> bool {
    let mut debugger = Debugger::new(Recording::new(subject, DEFAULT_BYTES));
    let began = Stopwatch::start();
    assert_eq!(debugger.go_on(&mut go), Stop::End);
    let recorded = began.elapsed();
    let last = debugger.recording().position();
    assert!(last >= INSTRUCTIONS, "{name}: {last} instructions");
    let mut place = 7_u64;
    let [mut forth, mut back] = [Vec::new(), Vec::new()];
    for _ in 0..STEPS {
        place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        debugger.go_to(1 + (place >> 20) % (last - 2));
        let thread = debugger.subject().thread().expect("it runs");
        let began = Stopwatch::start();
        debugger.step_over(thread, Stride::Line, &mut go);
        forth.push(began.elapsed());
        let began = Stopwatch::start();
        debugger.step_back(thread, Stride::Line, &mut go);
        back.push(began.elapsed());
    }
    let (states, interval) = (debugger.recording().bytes() >> 20, debugger.recording().interval());
    println!(
        "{name}: {last} instructions recorded in {recorded:.1?}, {states} MiB of states, {interval} \
         steps apart"
    );
    let mut is_within = true;
    for (what, times, bar) in [("step", forth, BAR_STEP), ("step back", back, BAR_BACK)] {
        let (median, longest) = summary(times);
        println!("METRIC:debugger {name}, {what}:{:.3}:ms", median.as_secs_f64() * 1e3);
        println!("METRIC:debugger {name}, {what}, longest:{:.3}:ms", longest.as_secs_f64() * 1e3);
        if longest > bar {
            println!("over the bar of {bar:?}");
            is_within = false;
        }
    }
    is_within
}

fn main() -> ExitCode {
    let options = Options::of(KERNEL, "k.s");
    let program = assemble(KERNEL, &options, &|_| None, &source::no_checkpoint);
    let inputs = KernelInputs::read("group = [128]\n").expect("inputs");
    let kernel = Kernel::new(&program, KERNEL, inputs).expect("a kernel");
    let of_kernel = time("kernel", kernel.run());
    let shader = Shader::new(SHADER, 1, Inputs::default()).expect("a shader");
    let of_shader = time("shader", shader.run().expect("inputs"));
    if of_kernel && of_shader { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
