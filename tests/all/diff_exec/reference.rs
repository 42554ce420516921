//! The outputs that whoever executes a shader may leave, by the interpreter alone.

use diff_exec::{Error, ExecutorOutputs, Observed, PatchRecords, Reference, Verdict, made_up};
use tgsi::ast::Shader;
use tgsi_interp::execution::execute;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::{QuadInputs, Tracing, run_quad};
use tgsi_interp::{Denormals, LANES, Limits, Program};

fn shader(text: &str) -> Shader {
    tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader")
}

/// The outputs of the interpreter itself.
fn interpreted(shader: &Shader, inputs: &Inputs, reference: &Reference<'_>) -> ExecutorOutputs {
    let mut program = Program::prepare(shader).expect("a program");
    program.denormals = Denormals::Flushed;
    let resources = reference.inputs().resources.clone();
    let vertices = reference.inputs().vertices.clone();
    let completed = Inputs { resources, vertices, ..inputs.clone() };
    if program.stage == tgsi::Stage::Geometry {
        // One invocation, not a quad of them.
        let mut resources = completed.resources(&program).expect("resources");
        let quad = QuadInputs { mask: 1, ..completed.quad() };
        let left = run_quad(&program, &mut resources, &quad, Limits::default()).expect("a run");
        let (lanes, patch) = (Default::default(), PatchRecords::default());
        return ExecutorOutputs { lanes, streams: left.streams, patch, resources };
    }
    let left = execute(&program, &completed, Tracing::Off, Limits::default()).expect("a run");
    let lane = |lane: usize| {
        let alive = left.killed >> lane & 1 == 0;
        let registers = left.outputs.iter().map(|register| register.map(|lanes| lanes[lane]));
        alive.then(|| registers.collect())
    };
    let lanes = std::array::from_fn::<_, LANES, _>(lane);
    let patch = left.patch.unwrap_or_default();
    let patch = PatchRecords { vertices: patch.vertices, shared: patch.shared };
    ExecutorOutputs { lanes, streams: left.streams, patch, resources: left.after }
}

#[test]
fn the_interpreter_keeps_to_its_own_reference() {
    for (stage, least) in [
        ("frag", 1_000),
        ("vert", 300),
        ("comp", 300),
        ("geom", 100),
        ("tess_ctrl", 100),
        ("tess_eval", 100),
    ] {
        let mut compared = 0;
        let folder = crate::architecture::root().join("tests/data/tgsi").join(stage);
        let mut files = Vec::new();
        crate::architecture::sources(&folder, "tgsi", &mut files);
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a file");
            let shader = shader(&text);
            for seed in [4, 5] {
                let Ok(inputs) = made_up(&shader, seed) else { continue };
                let Ok(reference) = Reference::of(&shader, &inputs) else { continue };
                let found = interpreted(&shader, &inputs, &reference);
                let verdict = reference.check(&found);
                assert_eq!(verdict, Verdict::Agree, "{} seed {seed}", file.display());
                compared += reference.statistics().compared;
            }
        }
        assert!(compared > least, "{stage}: {compared} results were compared");
    }
}

const TEXT: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                    DCL OUT[1], COLOR[1]\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 7, 0, 0}\n\
                    KILL_IF IN[0].wwww\nADD OUT[0], IN[0], IN[0]\nMOV OUT[1].x, IN[0].xxxx\n\
                    STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nEND\n";

#[test]
fn what_is_not_allowed_is_found_at_its_place() {
    let shader = shader(TEXT);
    let inputs = "[in]\n0 = [[1.0, 2.0, 3.0, 0.0], [1.0, 2.0, 3.0, -1.0], [5.0], [6.0]]\n\
                  [buf]\n0 = [1, 2]\n";
    let inputs = Inputs::read(inputs).expect("inputs");
    let reference = Reference::of(&shader, &inputs).expect("a reference");
    let right = interpreted(&shader, &inputs, &reference);
    assert!(right.lanes[0].is_some() && right.lanes[1].is_none());
    assert_eq!(reference.check(&right), Verdict::Agree);
    let difference = |change: &dyn Fn(&mut ExecutorOutputs)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        match reference.check(&wrong) {
            Verdict::Differ(difference) => (difference.place, difference.lane, difference.ordinal),
            verdict => panic!("{verdict:?}"),
        }
    };
    let word = |place: usize| {
        move |all: &mut ExecutorOutputs| {
            if let Some(own) = &mut all.lanes[2] {
                own.as_flattened_mut()[place] ^= 1;
            }
        }
    };
    let output = |register, component| Observed::Output { register, component };
    assert_eq!(difference(&word(3)), (output(0, 3), 2, 2));
    assert_eq!(difference(&word(4)), (output(1, 0), 2, 3));
    // What nothing writes is nobody's business.
    let mut other = right.clone();
    word(5)(&mut other);
    assert_eq!(reference.check(&other), Verdict::Agree);
    assert_eq!(difference(&|all| all.lanes[0] = None), (Observed::Alive, 0, 0));
    assert_eq!(difference(&|all| all.lanes[1] = all.lanes[0].clone()), (Observed::Alive, 1, 0));
    let memory = |word| Observed::Memory { resource: "BUFFER[0]".to_owned(), word };
    assert_eq!(difference(&|all| all.resources.buffers[0][0] = 1), (memory(0), 0, 0));
    assert_eq!(difference(&|all| all.resources.buffers[0][1] = 7), (memory(1), 0, 0));
}

/// The buffers of which any contents agree where a shader has more open conditions than are
/// followed, and its last one guards an instruction.
fn buffers_left_open(guarded: &str) -> Vec<usize> {
    let open = "UIF TEMP[0].xxxx\nMOV OUT[0].x, IMM[0].yyyy\nENDIF\n".repeat(6);
    let text = format!(
        "VERT\nDCL OUT[0], POSITION\nDCL BUFFER[0..2]\nDCL TEMP[0..1]\nDCL ADDR[0]\nDCL SV[0], VERTEXID\n\
         IMM[0] UINT32 {{0, 7, 1, 0}}\nMOV OUT[0], IMM[0].xxxx\nUARL ADDR[0].x, SV[0].xxxx\n{open}\
         UIF TEMP[0].xxxx\n{guarded}\nENDIF\nEND\n"
    );
    let shader = shader(&text);
    let inputs = Inputs::read("[buf]\n0 = [1, 2]\n1 = [3, 4]\n2 = [5, 6]\n").expect("inputs");
    let reference = Reference::of(&shader, &inputs).expect("a reference");
    let right = interpreted(&shader, &inputs, &reference);
    let is_open = |buffer: &usize| {
        let mut other = right.clone();
        other.resources.buffers[*buffer][1] = 9;
        reference.check(&other) == Verdict::Agree
    };
    (0..3).filter(is_open).collect()
}

#[test]
fn behind_open_conditions_only_what_is_stored_to_is_open() {
    for (guarded, open) in [
        ("LOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx", vec![]),
        ("STORE BUFFER[1].x, IMM[0].xxxx, IMM[0].yyyy", vec![1]),
        ("ATOMUADD TEMP[1].x, BUFFER[2], IMM[0].xxxx, IMM[0].yyyy", vec![2]),
        // The buffer is computed.
        ("STORE BUFFER[ADDR[0].x].x, IMM[0].xxxx, IMM[0].yyyy", vec![0, 1, 2]),
    ] {
        assert_eq!(buffers_left_open(guarded), open, "{guarded}");
    }
}

#[test]
fn a_result_may_be_any_that_vulkan_allows() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nEX2 OUT[0].x, IN[0].xxxx\nEND\n";
    let shader = shader(text);
    let inputs = Inputs::read("[in]\n0 = [6.5]\n").expect("inputs");
    let reference = Reference::of(&shader, &inputs).expect("a reference");
    let right = interpreted(&shader, &inputs, &reference);
    // 3 + 2 * 6.5 units in the last place.
    for (units, allowed) in [(15, true), (18, false)] {
        let mut moved = right.clone();
        moved.lanes[1].as_mut().expect("a lane")[0][0] += units;
        assert_eq!(reference.check(&moved) == Verdict::Agree, allowed, "{units}");
    }
}

#[test]
fn in_waves_lanes_have_their_numbers() {
    let text = "VERT\nDCL SV[0], SUBGROUP_INVOCATION\nDCL SV[1], SUBGROUP_SIZE\n\
                DCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\n\
                BALLOT TEMP[0].xy, IMM[0].xxxx\nMOV OUT[0].x, SV[0].xxxx\n\
                MOV OUT[0].y, SV[1].xxxx\nMOV OUT[0].zw, TEMP[0].xxxy\nEND\n";
    let shader = shader(text);
    let reference = Reference::in_waves(&shader, &Inputs::default()).expect("a reference");
    let lane = |lane: u32| Some(vec![[lane, 64, 0xf, 0]]);
    let resources = reference.inputs().resources.clone();
    let mut found = ExecutorOutputs {
        lanes: [0, 1, 2, 3].map(lane),
        streams: Default::default(),
        patch: PatchRecords::default(),
        resources,
    };
    assert_eq!(reference.check(&found), Verdict::Agree);
    found.lanes[2] = lane(3);
    assert!(matches!(reference.check(&found), Verdict::Differ(_)));
}

#[test]
fn what_others_cannot_execute_is_refused() {
    let refused = |text: &str| {
        let shader = shader(text);
        Reference::of(&shader, &Inputs::default()).map(|_| ()).expect_err("a refusal")
    };
    let votes = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                 VOTE_ANY OUT[0].x, IN[0].xxxx\nEND\n";
    assert_eq!(refused(votes), Error::Subgroup);
    let lanes = "VERT\nDCL SV[0], SUBGROUP_INVOCATION\nDCL OUT[0], POSITION\n\
                 MOV OUT[0], SV[0].xxxx\nEND\n";
    assert_eq!(refused(lanes), Error::Subgroup);
    let fetches = "FRAG\nDCL OUT[0], COLOR\nFBFETCH OUT[0], OUT[0]\nEND\n";
    assert_eq!(refused(fetches), Error::Framebuffer);
}

const STRIPS: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n\
                      PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                      PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\n\
                      DCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                      MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\n\
                      MOV OUT[0].x, IN[1][0]\nEMIT IMM[0].xxxx\n\
                      MOV OUT[0].y, IN[2][0]\nEMIT IMM[0].xxxx\nEND\n";

#[test]
fn vertices_are_compared_by_their_strips() {
    let shader = shader(STRIPS);
    let inputs = made_up(&shader, 3).expect("inputs");
    let reference = Reference::in_waves(&shader, &inputs).expect("a reference");
    let right = interpreted(&shader, &inputs, &reference);
    assert_eq!(right.streams[0].iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(reference.check(&right), Verdict::Agree);
    let verdict = |change: &dyn Fn(&mut ExecutorOutputs)| {
        let mut other = right.clone();
        change(&mut other);
        match reference.check(&other) {
            Verdict::Differ(difference) => Some(difference.place),
            _ => None,
        }
    };
    let x = Observed::Output { register: 0, component: 0 };
    assert_eq!(verdict(&|all| all.streams[0][1][0][0][0] ^= 1), Some(x));
    // Undefined after a vertex was emitted: this one writes x alone.
    assert_eq!(verdict(&|all| all.streams[0][1][0][0][1] ^= 1), None);
    let joined = |all: &mut ExecutorOutputs| {
        let mut second = all.streams[0].pop().unwrap_or_default();
        all.streams[0][0].append(&mut second);
    };
    let words = "stream 0: strips of [3], not [1, 2] vertices".to_owned();
    assert_eq!(verdict(&joined), Some(Observed::Run(words)));
}

#[test]
fn outputs_of_a_patch_are_compared_by_vertex() {
    let text = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 5\nDCL IN[][0], POSITION\n\
                DCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\nDCL OUT[1], PATCH[0]\n\
                DCL ADDR[0]\nIMM[0] UINT32 {1, 2, 3, 4}\nUARL ADDR[0].x, SV[0].xxxx\n\
                MOV OUT[ADDR[0].x][0].x, SV[0].xxxx\nMOV OUT[1].x, IMM[0].yyyy\nEND\n";
    let shader = shader(text);
    let inputs = made_up(&shader, 3).expect("inputs");
    let reference = Reference::in_waves(&shader, &inputs).expect("a reference");
    let right = interpreted(&shader, &inputs, &reference);
    assert_eq!((right.patch.vertices.len(), right.patch.vertices[4][0][0]), (5, 4));
    assert_eq!(reference.check(&right), Verdict::Agree);
    let verdict = |change: &dyn Fn(&mut PatchRecords)| {
        let mut other = right.clone();
        change(&mut other.patch);
        match reference.check(&other) {
            Verdict::Differ(difference) => Some((difference.place, difference.lane)),
            _ => None,
        }
    };
    let x = |register| Observed::Output { register, component: 0 };
    assert_eq!(verdict(&|patch| patch.vertices[4][0][0] = 3), Some((x(0), 4)));
    assert_eq!(verdict(&|patch| patch.shared[1][0] = 3), Some((x(1), 0)));
    assert_eq!(verdict(&|patch| patch.vertices[4][0][1] = 3), None);
}
