//! Whole pipelines are executed: what the interpreter says that a stage leaves is the input
//! of the next, and on one chip of each generation the machine code of every stage is run
//! on it and compared, in the memory that the chip hands it over in: the share of a group,
//! rings, the buffer outside of the chip. So is stream output of each stage that writes it:
//! vertex, evaluation, and the copy shader behind a geometry shader. The stages that gfx9
//! runs as one program are executed as that program, too.

use std::collections::BTreeMap;

use diff_exec::{
    Compiled, ExplicitInputs, Merged, TestPair, Verdict, environment, lowered_for, lowered_merged,
};
use gcn::Target;
use lower::Environment;
use tests::agreement::{compiler, job, parsed};
use tgsi::Stage;
use tgsi::ast::{Semantic, Shader};
use tgsi::words::File;
use tgsi_interp::execution::{Outcome, execute};
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{Denormals, EMPTY, Limits, Program, Register};

const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

pub(super) const VERTEX: &str = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[3]\n\
    DCL OUT[2], GENERIC[0]\nDCL CONST[0..1]\nMAD OUT[0], IN[0], CONST[0].xxxx, CONST[1]\n\
    MUL OUT[1], IN[1], CONST[0].yyyy\nMOV OUT[2], IN[0].wzyx\nEND\n";
pub(super) const CONTROL: &str = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\n\
    DCL IN[][1], GENERIC[3]\nDCL IN[][2], GENERIC[0]\nDCL OUT[][0], POSITION\n\
    DCL OUT[][1], GENERIC[5]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\n\
    DCL OUT[4], PATCH[0]\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\nDCL CONST[0..1]\n\
    IMM[0] FLT32 {2.0, 3.0, 4.0, 1.0}\nUARL ADDR[0].x, SV[0].xxxx\n\
    ADD OUT[ADDR[0].x][0], IN[ADDR[0].x][0], IN[0][2]\n\
    MUL OUT[ADDR[0].x][1], IN[ADDR[0].x][1], CONST[1].xxxx\nMOV OUT[2], IMM[0]\n\
    MOV OUT[3].xy, IMM[0]\nMOV OUT[4], CONST[1].wzyx\nEND\n";
pub(super) const EVALUATION: &str = "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], POSITION\n\
    DCL IN[][1], GENERIC[5]\nDCL IN[2], PATCH[0]\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\n\
    DCL OUT[1], GENERIC[1]\nDCL TEMP[0..1]\nMUL TEMP[0], SV[0].xxxx, IN[0][0]\n\
    MAD TEMP[0], SV[0].yyyy, IN[1][0], TEMP[0]\nMAD OUT[0], SV[0].zzzz, IN[2][0], TEMP[0]\n\
    ADD OUT[1], IN[2][1], IN[2]\nEND\n";
pub(super) const GEOMETRY: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n\
    PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\nPROPERTY GS_MAX_OUTPUT_VERTICES 4\n\
    DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[1]\nDCL OUT[0], POSITION\n\
    DCL OUT[1], GENERIC[9]\nIMM[0] UINT32 {0, 0, 0, 0}\n\
    MOV OUT[0], IN[2][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n\
    MOV OUT[0], IN[0][0]\nADD OUT[1], IN[1][1], IN[2][1]\nEMIT IMM[0].xxxx\n\
    MOV OUT[0], IN[1][0]\nMOV OUT[1], IN[2][1].yxwz\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n";
const FRAGMENT: &str = "FRAG\nDCL IN[0], GENERIC[9], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
    DDX TEMP[0], IN[0]\nADD OUT[0], IN[0], TEMP[0].yxzw\nEND\n";

/// A vertex by the semantics of what it has.
type Vertex = BTreeMap<(u32, u32), [u32; 4]>;

fn key(semantic: Semantic) -> (u32, u32) {
    (semantic.name as u32, semantic.index)
}

/// The registers of a file and their semantics.
fn declared(shader: &Shader, file: File) -> Vec<(usize, Semantic)> {
    let own = shader.declarations().filter(|it| it.file.value == file);
    own.filter_map(|it| Some((it.range.value.first as usize, it.semantic?.value))).collect()
}

fn vertex(shader: &Shader, value: impl Fn(usize) -> Option<[u32; 4]>) -> Vertex {
    let outputs = declared(shader, File::Output).into_iter();
    outputs.filter_map(|(register, semantic)| Some((key(semantic), value(register)?))).collect()
}

/// Returns the outputs of a stage as the vertices that the next one sees; of a patch also
/// its own outputs, in each.
fn vertices(shader: &Shader, outcome: &Outcome) -> Vec<Vertex> {
    if let Some(patch) = &outcome.patch {
        let of = |own: &Vec<[u32; 4]>| {
            let per_vertex = |register: usize| {
                let declaration = shader.declarations().find(|it| {
                    it.file.value == File::Output && it.range.value.first as usize == register
                });
                declaration.is_some_and(|it| it.dimension.is_some())
            };
            vertex(shader, |register| match per_vertex(register) {
                true => own.get(register).copied(),
                false => patch.shared.get(register).copied(),
            })
        };
        return patch.vertices.iter().map(of).collect();
    }
    let emitted: Vec<Vertex> = outcome.streams[0]
        .iter()
        .flatten()
        .map(|own| vertex(shader, |register| own.get(register).copied()))
        .collect();
    if !emitted.is_empty() {
        return emitted;
    }
    let lane = |lane: usize| {
        vertex(shader, |register| Some(outcome.outputs.get(register)?.map(|it| it[lane])))
    };
    (0..tgsi_interp::LANES).map(lane).collect()
}

/// The inputs of a stage that the vertices of the one before become: vertices of a
/// primitive or patch, or the lanes of a quad.
fn inputs(shader: &Shader, before: &[Vertex], constants: &[[u32; 4]]) -> Inputs {
    let inputs = declared(shader, File::Input);
    let count = inputs.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
    let found = |vertex: &Vertex, semantic: Semantic| {
        *vertex.get(&key(semantic)).unwrap_or_else(|| panic!("nothing hands over {semantic:?}"))
    };
    let mut given = Inputs::default();
    given.resources.constants = vec![constants.to_vec()];
    if shader.stage.value == Stage::Fragment {
        let mut registers: Vec<Register> = vec![EMPTY; count];
        for (register, semantic) in inputs {
            for lane in 0..tgsi_interp::LANES {
                let value = found(&before[lane % before.len()], semantic);
                for component in 0..4 {
                    registers[register][component][lane] = value[component];
                }
            }
        }
        given.vertices = vec![registers];
        return given;
    }
    let of = |vertex: &Vertex| {
        let mut registers: Vec<Register> = vec![EMPTY; count];
        for (register, semantic) in &inputs {
            registers[*register] = found(vertex, *semantic).map(|word| [word; tgsi_interp::LANES]);
        }
        registers
    };
    given.vertices = before.iter().take(3).map(of).collect();
    if shader.stage.value == Stage::TessellationEvaluation {
        let points = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5], [0.5, 0.5, 0.0_f32]];
        let mut register = EMPTY;
        for (lane, point) in points.iter().enumerate() {
            for (component, value) in point.iter().enumerate() {
                register[component][lane] = value.to_bits();
            }
        }
        given.system_values = vec![register];
    }
    given
}

/// A stage, and what follows it.
fn stages(texts: &[&str]) -> Vec<Shader> {
    let name = |text: &str| text.split('\n').next().unwrap_or_default().to_owned();
    let all = texts.iter().enumerate().map(|(number, text)| {
        let next = texts.get(number + 1).map_or(String::new(), |next| name(next));
        let has_next = name(text) == "VERT" || name(text) == "TESS_EVAL";
        let text = match has_next {
            true => text.replacen('\n', &format!("\nPROPERTY NEXT_SHADER {next}\n"), 1),
            false => (*text).to_owned(),
        };
        parsed(&text).expect("a shader")
    });
    all.collect()
}

/// The stream output of a shader: the text that chooses it, the words of a vertex in each
/// buffer, and of each component its register, number, buffer and word.
struct Capture {
    captures: &'static str,
    strides: &'static str,
    components: &'static [(u32, usize, usize, usize)],
}

const CAPTURE: Capture = Capture {
    captures: "BUF0<-OUT[1].xyzw,BUF2[1..2]<-OUT[0].yz,BUF0<-OUT[0].w",
    strides: "7,0,4",
    components: &[
        (1, 0, 0, 0),
        (1, 1, 0, 1),
        (1, 2, 0, 2),
        (1, 3, 0, 3),
        (0, 1, 2, 1),
        (0, 2, 2, 2),
        (0, 3, 0, 4),
    ],
};

impl Capture {
    /// The state that a shader with it is lowered in.
    fn environment(&self) -> Environment {
        let mut environment = environment();
        for (key, value) in
            [("stream-output", self.captures), ("stream-output-strides", self.strides)]
        {
            environment.set(key, value).unwrap_or_else(|_| panic!("{key}={value}"));
        }
        let components = environment.stream_output.components();
        let components = components.map(|it| (it.register, it.component, it.buffer, it.word));
        assert_eq!(components.collect::<Vec<_>>(), self.components);
        environment
    }
}

/// Lowered text with one thing changed behind the place where a mark stands.
fn changed(ir: &str, mark: &str, from: &str, to: &str) -> String {
    let place = ir.find(mark).unwrap_or_else(|| panic!("no {mark} in {ir}"));
    let (head, rest) = ir.split_at(place);
    assert!(rest.contains(from), "no {from} behind {mark}");
    format!("{head}{}", rest.replacen(from, to, 1))
}

/// Vertex and evaluation shaders and the copy shader behind a geometry shader write to the
/// buffers of stream output beside what they export; words that lie elsewhere, lanes that
/// must not write, and another state than the code was compiled in are seen.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn captured_words_agree() {
    let compiler = &mut compiler(crate::TUNGSTEN.as_ref(), None).expect("a libLLVM").0;
    const STORE: &str = "call void @llvm.amdgcn.raw.buffer.store.";
    let state = CAPTURE.environment();
    let mut copying = state;
    assert!(copying.set("geometry-part", "copy").is_ok());
    let mut other = state;
    assert!(other.set("stream-output-strides", "8,0,4").is_ok());
    for (text, environment) in [(VERTEX, state), (EVALUATION, state), (GEOMETRY, copying)] {
        let shader = parsed(text).expect("a shader");
        for target in TARGETS.iter().filter_map(|name| Target::find(name)) {
            let place = format!("{} on {}", shader.stage.value, target.name());
            let lowered = lowered_for(&shader, target, environment).expect("it is lowered");
            let mut verdict = |ir: &str, expected: &Environment| {
                let job = llvm::Job {
                    ir: ir.to_owned(),
                    processor: lowered.processor.to_owned(),
                    features: lowered.features.to_owned(),
                    instructions: lowered.instructions,
                };
                let output = compiler.compile(&job).expect("it is compiled");
                let (assembly, code) = (&output.assembly, &output.code);
                let compiled = Compiled { target, entry: &lowered.entry, assembly, code };
                let pair = TestPair::new(&shader, &compiled).expect("both fit");
                let pair = pair.with_stream_output(expected.stream_output);
                let of_seed = |seed| match text {
                    GEOMETRY => pair.check_copy(seed),
                    _ => pair.check(seed),
                };
                let verdicts = (0..3).map(of_seed);
                let verdict = verdicts.into_iter().find(|it| *it != Verdict::Agree);
                // Two outputs of four components and seven captured ones in most lanes; what is
                // no number is left open.
                let all = 3 * (64 * 8 + 61 * CAPTURE.components.len());
                let compared = pair.compared();
                assert!(
                    verdict.is_some() || compared * 10 >= all * 9,
                    "{place}: {compared} of {all}"
                );
                verdict
            };
            assert_eq!(verdict(&lowered.ir, &environment), None, "{place}");
            let wrong = [
                ("another stride", lowered.ir.clone(), other),
                ("lanes that must not", changed(&lowered.ir, "icmp ult", "ult", "ule"), state),
                ("an offset", changed(&lowered.ir, STORE, "i32 0, i32 ", "i32 4, i32 "), state),
            ];
            for (what, ir, expected) in wrong {
                let verdict = verdict(&ir, &expected);
                assert!(matches!(verdict, Some(Verdict::Differ(_))), "{place}: {what}");
            }
        }
    }
}

/// Stages that gfx9 runs as one program are executed as that program: the second reads what
/// the first left in the memory of the group. What either does wrong is seen behind it.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn stages_that_run_as_one_program_agree() {
    let compiler = &mut compiler(crate::TUNGSTEN.as_ref(), None).expect("a libLLVM").0;
    let target = Target::find("vega10").expect("a chip");
    let alone = GEOMETRY.replace("GENERIC[1]", "GENERIC[3]");
    let pairs = [(VERTEX, CONTROL), (VERTEX, &*alone), (EVALUATION, GEOMETRY)];
    for (first, second) in pairs {
        let stages = stages(&[first, second]);
        let [first, second] = [&stages[0], &stages[1]];
        let place = format!("{} with {}", first.stage.value, second.stage.value);
        let lowered = lowered_merged(first, second, target).expect("it is lowered");
        let mut verdicts = |ir: String| {
            let job = llvm::Job {
                ir,
                processor: lowered.processor.to_owned(),
                features: lowered.features.to_owned(),
                instructions: lowered.instructions,
            };
            let output = compiler.compile(&job).expect("it is compiled");
            let (assembly, code) = (&output.assembly, &output.code);
            let compiled = Compiled { target, entry: &lowered.entry, assembly, code };
            let pair = Merged::new(first, second, &compiled).expect("they fit");
            let verdicts: Vec<_> = (0..24).map(|seed| pair.check(seed)).collect();
            (verdicts, pair.compared())
        };
        let (found, compared) = verdicts(lowered.ir.clone());
        assert_eq!(found, vec![Verdict::Agree; 24], "{place}");
        assert!(compared > 1500, "{place}: {compared}");
        eprintln!("{place}: {compared} values agree");
        let ir = &lowered.ir;
        // The second shader stands behind the barrier.
        let barrier = "call void @llvm.amdgcn.s.barrier";
        let lanes = "lshr i32 %wave_info, ";
        let faults = [
            ("the first computes another value", ir.replacen("fmul float", "fadd float", 1)),
            ("the second does", changed(ir, barrier, "fadd float", "fsub float")),
            (
                "the lanes of the second are others",
                changed(ir, barrier, &format!("{lanes}8"), &format!("{lanes}16")),
            ),
        ];
        for (what, ir) in faults {
            assert_ne!(ir, lowered.ir, "{place}: {what}");
            let (found, _) = verdicts(ir);
            let seen = found.iter().any(|it| matches!(it, Verdict::Differ(_)));
            assert!(seen, "{place}: {what}");
        }
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn stages_hand_over_what_the_next_ones_read() {
    let (mut compiler, version) = compiler(crate::TUNGSTEN.as_ref(), None).expect("a libLLVM");
    let pipelines: [&[&str]; 3] = [
        &[VERTEX, CONTROL, EVALUATION, GEOMETRY, FRAGMENT],
        &[VERTEX, &GEOMETRY.replace("GENERIC[1]", "GENERIC[3]"), FRAGMENT],
        &[VERTEX, CONTROL, EVALUATION, &FRAGMENT.replace("GENERIC[9]", "GENERIC[1]")],
    ];
    let constants = [[2.0, -3.0, 0.5, 1.0], [0.25, 8.0, -1.0, 4.0_f32]];
    let constants = constants.map(|vector| vector.map(f32::to_bits));
    let attribute = |scale: f32| -> Register {
        std::array::from_fn(|component| {
            std::array::from_fn(|lane| {
                ((component as f32 - lane as f32 * 1.5 + 0.25) * scale).to_bits()
            })
        })
    };
    let attributes = vec![vec![attribute(1.0), attribute(-2.0)]];
    let mut first = Inputs { vertices: attributes, ..Inputs::default() };
    first.resources.constants = vec![constants.to_vec()];
    let (mut compared, mut faults) = (0, 0);
    for texts in pipelines {
        let mut given = first.clone();
        let stages = stages(texts);
        for (number, shader) in stages.iter().enumerate() {
            let mut program = Program::prepare(shader).expect("it is executed");
            program.denormals = Denormals::Flushed;
            for target in TARGETS.iter().filter_map(|name| Target::find(name)) {
                let job = job(shader, target).expect("it is lowered");
                let entry = diff_exec::lowered(shader, target).expect("it is lowered").entry;
                let output = compiler.compile(&job).expect("it is compiled");
                let (assembly, code) = (&output.assembly, &output.code);
                let compiled = Compiled { target, entry: &entry, assembly, code };
                let pair = TestPair::new(shader, &compiled).expect("both fit");
                let explicit = ExplicitInputs::of(&given, &program).expect("inputs");
                let verdict = pair.check_explicit(&explicit);
                let place = format!("{} on {}", shader.stage.value, target.name());
                assert_eq!(verdict, Verdict::Agree, "{place}");
                assert!(pair.compared() > 3, "{place}: {}", pair.compared());
                compared += 1;
                // What a stage hands over wrong is seen where it is handed over.
                let ir = job.ir.replacen("fmul float", "fadd float", 1);
                if ir != job.ir {
                    let bad = llvm::Job { ir, ..job.clone() };
                    let output = compiler.compile(&bad).expect("it is compiled");
                    let (assembly, code) = (&output.assembly, &output.code);
                    let compiled = Compiled { target, entry: &entry, assembly, code };
                    let pair = TestPair::new(shader, &compiled).expect("both fit");
                    let verdict = pair.check_explicit(&explicit);
                    assert!(matches!(verdict, Verdict::Differ(_)), "{place}: {verdict:?}");
                    faults += 1;
                }
            }
            if number + 1 == stages.len() {
                break;
            }
            let outcome = execute(&program, &given, Tracing::Off, Limits::default());
            let left = vertices(shader, &outcome.expect("it ends"));
            given = inputs(&stages[number + 1], &left, &constants);
        }
    }
    eprintln!(
        "LLVM {version}: {compared} stages of whole pipelines agree, {faults} faults are seen"
    );
    assert_eq!(faults, 7 * TARGETS.len());
    assert_eq!(compared, (5 + 3 + 4) * TARGETS.len());
}
