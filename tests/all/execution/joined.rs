//! Shaders and what a libLLVM makes of them, stepped together: groups of several waves, barriers
//! between them, groups one after another, and two shaders that are one program.

use debugger::expression::{Expression, Value};
use debugger::joined::{Joined, MachineCode, NotJoined};
use debugger::{Bits, DEFAULT_BYTES, Debugger, Pace, Recording, Stop, Subject};
use diff_exec::Lowered;
use gcn::Target;
use llvm::{Compiler, Job};
use tests::corpus;
use tgsi_interp::inputs::Inputs;

use super::agreement::usable_compiler;
use super::pipelines::{CONTROL, EVALUATION, GEOMETRY, VERTEX};

/// Each thread gives its number to that of the other wave.
const EXCHANGE: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\n\
DCL MEMORY[0], SHARED\nDCL TEMP[0..1]\nIMM[0] UINT32 {2, 64, 512, 3}\n\
SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUMUL TEMP[1].x, SV[0].xxxx, IMM[0].wwww\n\
STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nBARRIER\n\
XOR TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\nSHL TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx\n\
LOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy\n\
UMAD TEMP[0].x, SV[1].xxxx, IMM[0].zzzz, TEMP[0].xxxx\n\
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";

fn compile(compiler: &mut Compiler, lowered: &Lowered) -> Result<MachineCode, NotJoined> {
    let job = Job {
        ir: lowered.ir.clone(),
        processor: lowered.processor.to_owned(),
        features: lowered.features.to_owned(),
        instructions: lowered.instructions,
    };
    let output = compiler.compile(&job).map_err(|error| NotJoined(error.to_string()))?;
    Ok(MachineCode { assembly: output.assembly, code: output.code, edited: None })
}

fn joined(text: &str, inputs: Inputs, compiler: &mut Compiler) -> Result<Joined, String> {
    let target = Target::find("polaris10").expect("a chip");
    Joined::new(text, 1, inputs, target, &mut |lowered| compile(compiler, lowered))
        .map_err(|error| error.to_string())
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn waves_meet_at_barriers_beside_their_quads() {
    let (mut compiler, _) = usable_compiler();
    let words = vec![0; 3 * 128];
    let mut inputs = Inputs { grid: Some([3, 1, 1]), ..Inputs::default() };
    inputs.resources.buffers = vec![words];
    let joined = joined(EXCHANGE, inputs, &mut compiler).expect("a shader");
    assert!(joined.verdict().contains("agree"), "{}", joined.verdict());
    let mut recording = Recording::new(joined.run().expect("inputs"), DEFAULT_BYTES);
    assert_eq!(recording.subject().threads(), 32, "a quad each four threads");
    let instruction = |subject: &dyn Fn(usize) -> String, text: &str, count: usize| {
        (0..count).find(|own| subject(*own).starts_with(text)).expect("an instruction")
    };
    let text = |own: usize| recording.subject().text(own).to_owned();
    let count = recording.subject().instructions();
    let (barrier, meeting) =
        (instruction(&text, "BARRIER", count), instruction(&text, "s_barrier", count));
    let mut behind = 0;
    while let Some(thread) = recording.subject().thread() {
        let own = recording.subject();
        // The first statement behind the barrier: all waves have met there too.
        if own.instruction(thread) == Some(barrier + 1) && own.stepping_beneath().is_none() {
            for quad in [0, 16] {
                let beneath = own.beneath(quad);
                assert!(beneath.is_none_or(|it| it > meeting), "quad {thread}: {beneath:?}");
            }
            behind += 1;
        }
        recording.advance().expect("a step");
    }
    assert_eq!(behind, 3 * 32);
    let buffers = recording.subject().memories();
    let words = recording.subject().memory(buffers[0].1, 4 * 3 * 128);
    let words: Vec<u32> =
        words.chunks(4).map(|it| u32::from_le_bytes(it.try_into().expect("four"))).collect();
    let expected: Vec<u32> = (0..3 * 128).map(|thread| 3 * ((thread % 128) ^ 64)).collect();
    assert_eq!(words, expected);
    // Lanes of the second wave have their own registers, named by the quad's lane.
    recording.seek(0);
    let ids = recording.subject().scopes(17);
    let vectors = ids.iter().find(|scope| scope.name == "Vector registers").expect("registers");
    assert_eq!(vectors.variables[0].bits, Bits::Lanes(vec![68, 69, 70, 71]), "thread numbers");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn own_compute_shaders_run_in_two_groups_and_back() {
    let (mut compiler, _) = usable_compiler();
    let (mut ran, mut several, mut refused) = (0, 0, Vec::new());
    let programs = corpus::tgsi_programs().into_iter().filter(|it| it.text.starts_with("COMP"));
    for program in programs {
        let mut inputs = Inputs { grid: Some([2, 1, 1]), ..Inputs::default() };
        inputs.resources.constants = vec![vec![[1; 4]; 8]];
        inputs.resources.buffers = vec![vec![1; 64]; 4];
        let joined = match joined(&program.text, inputs, &mut compiler) {
            Ok(joined) => joined,
            Err(reason) => {
                refused.push(format!("{}: {reason}", program.name));
                continue;
            }
        };
        let run = joined.run().expect("inputs");
        several += usize::from(run.threads() > 16);
        let mut debugger = Debugger::new(Recording::new(run, DEFAULT_BYTES));
        match debugger.go_on(&mut || Pace::Go) {
            Stop::End => {}
            // One that runs for longer than it may is no matter here.
            Stop::Fault(fault) => {
                refused.push(format!("{}: {fault}", program.name));
                continue;
            }
            other => panic!("{}: {other:?}", program.name),
        }
        assert_eq!(debugger.go_back(&mut || Pace::Go), Stop::Beginning, "{}", program.name);
        ran += 1;
    }
    eprintln!("{ran} ran, {several} with several waves; not {refused:#?}");
    assert!(ran >= 40 && several >= 3, "{ran} ran, {several} with several waves: {refused:#?}");
}

/// Each thread of a group of 70 stores what its wave votes.
const VOTING: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 70\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0..2]\n\
IMM[0] UINT32 {3, 5, 0, 0}\nSHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n\
USGE TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nBALLOT TEMP[2].xy, TEMP[1].xxxx\n\
STORE BUFFER[0].xy, TEMP[0].xxxx, TEMP[2].xyyy\nEND\n";

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn quads_are_asked_as_the_wave_that_the_machine_has() {
    let (mut compiler, _) = usable_compiler();
    let mut inputs = Inputs::default();
    inputs.resources.buffers = vec![vec![0; 2 * 70]];
    let joined = joined(VOTING, inputs, &mut compiler).expect("a shader");
    assert!(joined.verdict().contains("agree"), "{}", joined.verdict());
    let recording = Recording::new(joined.run().expect("inputs"), DEFAULT_BYTES);
    let mut debugger = Debugger::new(recording);
    assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End);
    let word = |place: usize| {
        let expression = Expression::parse(&format!("BUFFER[0][{place}]")).expect("an expression");
        match debugger.evaluate(&expression, 0, 0) {
            Ok(Value::Bits(bits, _)) => bits,
            other => panic!("{other:?}"),
        }
    };
    // Of 64 threads those from the sixth on, and all six of the second wave.
    for thread in 0..70 {
        let wanted = if thread < 64 { [0xffff_ffe0, u32::MAX] } else { [0x3f, 0] };
        assert_eq!([word(2 * thread), word(2 * thread + 1)], wanted, "{thread}");
    }
}

/// Inputs of one of the shaders of a text, counted from 1, that a seed makes up.
fn made_up(text: &str, number: usize, seed: u64) -> Inputs {
    let regions = tgsi::regions::split(text);
    let text = regions.shaders[number - 1].text(text);
    let shader = tests::agreement::parsed(text).expect("a shader");
    diff_exec::made_up(&shader, seed).expect("inputs")
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn two_shaders_of_one_program_run_both_ways() {
    let (mut compiler, _) = usable_compiler();
    let target = Target::find("vega10").expect("a chip");
    let behind_vertices = GEOMETRY.replace("GENERIC[1]", "GENERIC[3]");
    let pairs = [(VERTEX, CONTROL), (VERTEX, &*behind_vertices), (EVALUATION, GEOMETRY)];
    for (pair, (first, second)) in pairs.into_iter().enumerate() {
        let text = format!("{first}\n{second}");
        for seed in 1..4 {
            let mut merged = |wrong: &str, right: &str| {
                let mut inputs = [1, 2].map(|number| (number, made_up(&text, number, seed)));
                inputs[1].1.vertices.truncate(3);
                Joined::merged(&text, inputs, target, &mut |lowered| {
                    let ir = lowered.ir.replacen(right, wrong, 1);
                    compile(&mut compiler, &Lowered { ir, ..lowered.clone() })
                })
                .expect("they are one program")
            };
            let joined = merged("", "");
            assert!(joined.verdict().contains("agree"), "{pair}: {}", joined.verdict());
            let mut debugger =
                Debugger::new(Recording::new(joined.run().expect("inputs"), DEFAULT_BYTES));
            assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End);
            let steps = debugger.recording().position();
            assert!(steps > 40, "{pair}: {steps}");
            assert_eq!(debugger.go_back(&mut || Pace::Go), Stop::Beginning);
            // The first shader computes another value: what the second leaves tells of it.
            let wrong = merged("fadd float", "fmul float");
            assert!(wrong.verdict().contains("differs"), "{pair}: {}", wrong.verdict());
        }
    }
}
