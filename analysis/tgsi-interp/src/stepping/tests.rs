//! Runs that are held, beside whole ones.

use super::*;
use crate::execution::execute;
use crate::launch::Tracing;

const COMPUTE: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 6\nDCL SV[0], THREAD_ID\n\
     DCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL TEMP[0..1]\n\
     IMM[0] UINT32 {2, 4, 24, 0}\nSHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n\
     STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\nBARRIER\n\
     UADD TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\nLOAD TEMP[1].y, MEMORY[0], TEMP[1].xxxx\n\
     UMAD TEMP[0].x, SV[1].xxxx, IMM[0].zzzz, TEMP[0].xxxx\n\
     STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].yyyy\nEND\n";
const PATCH: &str = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 5\nDCL IN[][0], POSITION\n\
     DCL OUT[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\n\
     UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[1][0]\nBARRIER\nEND\n";

fn prepared(shader: &str, inputs: &str) -> (Program, Inputs) {
    let parse = tgsi::parser::parse(shader, &source::no_checkpoint);
    let program = Program::prepare(&parse.shader.expect("a shader")).expect("a program");
    (program, Inputs::read(inputs).expect("inputs"))
}

fn cases() -> [(&'static str, &'static str); 3] {
    [
        (
            include_str!("../../../../examples/lit_texture.tgsi"),
            include_str!("../../../../examples/lit_texture.inputs.toml"),
        ),
        (COMPUTE, "lane = 7\ngrid = [2]\n[buf]\n0 = [0,0,0,0,0,0,0,0,0,0,0,0]\n"),
        (PATCH, "lane = 4\n[vertex.1]\n0 = [8]\n"),
    ]
}

/// Threads of two waves ask each other, some of them in a branch, and once behind a barrier.
const ASKING: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 70\nDCL SV[0], THREAD_ID\n\
     DCL SV[1], SUBGROUP_SIZE\nDCL BUFFER[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {4, 5, 9, 40}\n\
     UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n\
     USGE TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nBALLOT TEMP[2].xy, TEMP[1].xxxx\n\
     UIF TEMP[1].xxxx\nREAD_FIRST TEMP[2].z, SV[0].xxxx\nENDIF\nBARRIER\n\
     READ_INVOC TEMP[2].w, SV[0].xxxx, IMM[0].zzzz\nUADD TEMP[2].z, TEMP[2].zzzz, SV[1].xxxx\n\
     STORE BUFFER[0], TEMP[0].xxxx, TEMP[2]\nEND\n";

#[test]
fn waves_are_asked_as_in_a_whole_run() {
    for subgroup in [Subgroup::Quad, Subgroup::Wave] {
        let (program, mut inputs) = prepared(ASKING, "grid = [2]\nlane = 69\n");
        inputs.resources.buffers = vec![vec![0; 280]];
        inputs.subgroup = subgroup;
        let whole = execute(&program, &inputs, Tracing::On, Limits::default()).expect("a run");
        let mut run = Stepping::new(&program, &inputs, Limits::default()).expect("inputs");
        let (_, watched, _) = run.place_of(inputs.lane);
        let mut traced = Vec::new();
        while let Some(quad) = run.quad() {
            let (group, place) = (run.group(), run.ordinal(quad));
            run.step().expect("a step");
            let (stepped, step) = run.last_step().expect("a step");
            assert_eq!((stepped, Some(step.ordinal)), (quad, place));
            if (group, quad) == (0, watched) && !step.written.is_empty() {
                traced.push(step.clone());
            }
        }
        assert_eq!(run.resources().buffers, whole.after.buffers, "{subgroup:?}");
        assert_eq!(run.barriers(), 1);
        let whole: Vec<_> = whole.trace.into_iter().filter(|it| !it.written.is_empty()).collect();
        assert_eq!(traced, whole, "{subgroup:?}");
        // What thread 64 is told: by its quad, or by the six of its wave.
        let words = &run.resources().buffers[0][4 * 64..][..4];
        let wanted = match subgroup {
            Subgroup::Quad => [0xf, 0, 64 + 4, 0],
            Subgroup::Wave => [0x3f, 0, 64 + 64, 0],
        };
        assert_eq!(words, wanted, "{subgroup:?}");
    }
}

#[test]
fn step_by_step_comes_what_a_whole_run_leaves() {
    for (shader, inputs) in cases() {
        let (program, inputs) = prepared(shader, inputs);
        let whole = execute(&program, &inputs, Tracing::On, Limits::default()).expect("a run");
        let mut run = Stepping::new(&program, &inputs, Limits::default()).expect("inputs");
        let (group, quad, _) = run.place_of(inputs.lane);
        let mut trace = Vec::new();
        while let Some(turn) = run.quad() {
            let watched = (run.group(), turn) == (group, quad);
            run.step().expect("a step");
            let (_, step) = run.last_step().expect("it was executed");
            if watched && !step.written.is_empty() {
                trace.push(step.clone());
            }
        }
        let written: Vec<_> =
            whole.trace.iter().filter(|step| !step.written.is_empty()).cloned().collect();
        assert_eq!(trace, written);
        assert_eq!(run.resources(), &whole.after);
        for (index, register) in whole.outputs.iter().enumerate() {
            for (component, lanes) in register.iter().enumerate() {
                let place = Place { file: File::Output, first: None, index, component };
                let own = [0, 1, 2, 3].map(|lane| run.value(0, place, lane));
                assert_eq!(own, lanes.map(Some));
            }
        }
        if let Some(patch) = &whole.patch {
            assert_eq!(run.patch.as_ref().map(|own| &own.vertices), Some(&patch.vertices));
        }
    }
}

#[test]
fn a_saved_state_leads_to_the_same_end() {
    for (shader, inputs) in cases() {
        let (program, inputs) = prepared(shader, inputs);
        let mut run = Stepping::new(&program, &inputs, Limits::default()).expect("inputs");
        for _ in 0..9 {
            run.step().expect("a step");
        }
        let (saved, steps) = (run.save(), run.steps());
        assert!(saved.bytes() > 100);
        let finish = |run: &mut Stepping<'_>| {
            while run.quad().is_some() {
                run.step().expect("a step");
            }
            (run.resources().clone(), run.steps())
        };
        let first = finish(&mut run);
        run.restore(&saved);
        assert_eq!(run.steps(), steps);
        assert_eq!(finish(&mut run), first);
    }
}

/// A quad that has ended stands at no instruction, whatever follows the one that ended it.
#[test]
fn nothing_is_written_behind_the_end() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nRET\n\
                ADD OUT[0].xy, IN[0], IN[0]\nEND\n";
    let (program, inputs) = prepared(text, "");
    let mut run = Stepping::new(&program, &inputs, Limits::default()).expect("a run");
    assert_eq!(run.written(0), 0xf);
    while run.quad().is_some() {
        run.step().expect("a step");
    }
    assert_eq!((run.steps(), run.ordinal(0), run.written(0)), (2, None, 0));
}
