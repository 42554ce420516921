//! Results that the language leaves open are no differences, by a rule of their own each, and
//! what it does not leave open is one: shaders whose machine code and interpretation were once
//! said to differ although both are right, and the faults that still have to show beside them.
//! Inputs are made up so that little is open.

use diff_exec::{Compiled, ExplicitInputs, Statistics, TestPair, Verdict};
use gcn::Target;
use open_bits::Rule;
use tests::agreement::{job, parsed};
use tests::checks::open_bits::{CEILING, by_rule, ceilings_hold, share_of};
use tests::corpus::written_programs;
use tgsi_interp::Program;
use tgsi_interp::inputs::Inputs;

const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

/// Compares a shader with the code of another on inputs, or on seeds where there are none.
fn compared(text: &str, code_of: &str, inputs: Option<&str>) -> Vec<(Verdict, Statistics)> {
    let (mut compiler, _) = super::agreement::usable_compiler();
    let [shader, other] = [text, code_of].map(|text| parsed(text).expect("a shader"));
    let chips = TARGETS.map(|name| Target::find(name).expect("a chip"));
    let on = |target: Target| {
        let job = job(&other, target).expect("it is lowered");
        let output = compiler.compile(&job).expect("it is compiled");
        let entry = diff_exec::lowered(&shader, target).expect("it is lowered").entry;
        let (assembly, code) = (&*output.assembly, &*output.code);
        let compiled = Compiled { target, entry: &entry, assembly, code };
        let pair = TestPair::new(&shader, &compiled).expect("they are compared");
        let verdict = match inputs {
            Some(inputs) => {
                let program = Program::prepare(&shader).expect("it is executed");
                let inputs = Inputs::read(inputs).expect("inputs");
                let given = ExplicitInputs::of(&inputs, &program).expect("inputs that can be");
                pair.check_explicit(&given)
            }
            None => {
                let verdicts = (0..8).map(|seed| pair.check(seed));
                verdicts.into_iter().find(|it| *it != Verdict::Agree).unwrap_or(Verdict::Agree)
            }
        };
        (verdict, pair.statistics())
    };
    chips.map(on).into()
}

/// Both sides agree on every chip; gives what was compared.
fn agrees(text: &str, inputs: Option<&str>) -> Statistics {
    let mut all = Statistics::default();
    for (chip, (verdict, statistics)) in TARGETS.iter().zip(compared(text, text, inputs)) {
        assert_eq!(verdict, Verdict::Agree, "{chip}: {text}");
        all = all.plus(statistics);
    }
    assert!(all.compared > 0, "{text}");
    all
}

/// The code of another shader differs on every chip.
fn differs(text: &str, other: &str, inputs: Option<&str>) {
    for (chip, (verdict, _)) in TARGETS.iter().zip(compared(text, other, inputs)) {
        assert!(matches!(verdict, Verdict::Differ(_)), "{chip}: {verdict:?}: {text}");
    }
}

fn opens(statistics: Statistics, rule: Rule) -> bool {
    statistics.by_rule[rule as usize] > 0.0
}

fn vertex(body: &str) -> String {
    format!("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\n{body}END\n")
}

/// A group of threads, whose buffer has eight bytes for each.
fn compute(threads: u32, body: &str) -> String {
    format!(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH {threads}\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
         PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0..2]\n\
         IMM[0] UINT32 {{3, 1, 7, 0}}\nSHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n{body}\
         STORE BUFFER[0].xy, TEMP[0].xxxx, TEMP[2].xyyy\nEND\n"
    )
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn gathers_of_integers_are_those_of_the_place() {
    for (target, numbers) in
        [("2D", "UINT"), ("2D", "SINT"), ("2D_ARRAY", "UINT"), ("RECT", "UINT")]
    {
        let text = |component: u32| {
            format!(
                "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                 DCL SVIEW[0], {target}, {numbers}\nIMM[0] UINT32 {{{component}, 0, 0, 0}}\n\
                 TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], {target}\nEND\n"
            )
        };
        let statistics = agrees(&text(0), None);
        assert_eq!(statistics.open, 0, "{target}");
        differs(&text(0), &text(1), None);
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn the_sign_of_a_zero_is_open_where_bits_are_read() {
    let shift = "IMM[0] UINT32 {24, 0, 0, 0}\n";
    let text = |extreme: &str| {
        vertex(&format!(
            "{shift}{extreme} TEMP[0].x, IN[0].xxxx, -IN[0].xxxx\n\
             ISHR OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx\nMOV OUT[0].yzw, IN[0].yyzw\n"
        ))
    };
    let zeros = "[in]\n0 = [0.0, 1.5, -2.0, 3.0]\n";
    for extreme in ["MAX", "MIN"] {
        let statistics = agrees(&text(extreme), Some(zeros));
        assert!(opens(statistics, Rule::ZeroSign));
    }
    differs(&text("MAX"), &text("MIN"), Some("[in]\n0 = [1.0, 1.5, -2.0, 3.0]\n"));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_buffer_image_has_one_axis() {
    let text = |place: u32| {
        format!(
            "FRAG\nDCL IN[0].x, GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n\
             DCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_FLOAT, WR\nDCL TEMP[0..1]\n\
             IMM[0] UINT32 {{{place}, 0, 0, 0}}\nIMM[1] FLT32 {{2.0, 0.0, 0.0, 0.0}}\n\
             LOAD TEMP[0], IMAGE[0], IMM[0].xxxx, BUFFER, PIPE_FORMAT_R32_FLOAT\n\
             ADD TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n\
             STORE IMAGE[0], IMM[0].xxxx, TEMP[0].xxxx, BUFFER, PIPE_FORMAT_R32_FLOAT\n\
             MOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    // Inside of the three sides' box, and outside of the first.
    let inputs = "[img.0]\nsize = [3, 5, 2]\n";
    agrees(&text(7), Some(inputs));
    agrees(&text(2), Some(inputs));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn halves_that_are_packed_are_no_float() {
    let text = |more: u32| {
        vertex(&format!(
            "IMM[0] UINT32 {{{more}, 0, 0, 0}}\nPK2H TEMP[0].x, IN[0]\n\
             UADD OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx\nMOV OUT[0].yzw, IN[0].xxyz\n"
        ))
    };
    let small = "[in]\n0 = [0.25, 0.0, 1.0, 1.0]\n";
    agrees(&text(3), Some(small));
    differs(&text(3), &text(4), Some(small));
    // What does not fit a half exactly is rounded either way, and no further.
    let between = "[in]\n0 = [0.1, 0.7, 1.0, 1.0]\n";
    assert!(opens(agrees(&text(3), Some(between)), Rule::HalfRounding));
    differs(&text(3), &text(6), Some(between));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn denormal_literals_are_flushed_or_not() {
    let text = |operands: &str| {
        vertex(&format!(
            "IMM[0] UINT32 {{2147483650, 0, 0, 0}}\nMAD OUT[0].x, {operands}\nMOV OUT[0].yzw, IN[0].xyzx\n"
        ))
    };
    let large = "[in]\n0 = [3.0e38, 5.5, 1.0, 1.0]\n";
    for operands in ["IN[0].xxxx, IMM[0].xxxx, IN[0].yyyy", "IN[0].xxxx, IN[0].zzzz, IMM[0].xxxx"] {
        agrees(&text(operands), Some(large));
    }
    differs(
        &text("IN[0].xxxx, IMM[0].xxxx, IN[0].yyyy"),
        &text("IN[0].xxxx, IMM[0].xxxx, -IN[0].yyyy"),
        Some(large),
    );
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn selections_pass_denormals_on_or_flush_them() {
    let text = |first: &str| {
        vertex(&format!(
            "IMM[0] UINT32 {{1, 0, 0, 0}}\nCMP TEMP[0].x, IN[0].xxxx, IN[0].{first}, IN[0].zzzz\n\
             UADD OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx\nMOV OUT[0].yzw, IN[0].xxxx\n"
        ))
    };
    // The second component holds an integer, which is a denormal as a float.
    let integer = "[in]\n0 = [-1.0, 6, 2.0, 4.0]\n";
    assert!(opens(agrees(&text("yyyy"), Some(integer)), Rule::Denormal));
    differs(&text("yyyy"), &text("wwww"), Some(integer));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn denormal_immediates_may_be_folded_unflushed() {
    for body in [
        "FLR OUT[0].x, IMM[0].xxxx\n",
        "FRC OUT[0].x, IMM[0].xxxx\n",
        "TRUNC OUT[0].x, IMM[0].xxxx\n",
        "FSNE OUT[0].x, IMM[0].xxxx, IMM[0].yyyy\n",
        "ADD OUT[0].x, IMM[0].xxxx, IMM[0].zzzz\n",
    ] {
        let immediates = "IMM[0] UINT32 {2147483655, 0, 5, 0}\n";
        let text = vertex(&format!("{immediates}{body}MOV OUT[0].yzw, IN[0].xxxx\n"));
        agrees(&text, None);
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_subgroup_of_threads_is_a_wave() {
    let text = |threads: u32, question: &str| {
        compute(threads, &format!("AND TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\n{question}\n"))
    };
    for threads in [8, 24, 64, 100] {
        for question in [
            "BALLOT TEMP[2].xy, TEMP[1].xxxx",
            "VOTE_ANY TEMP[2].xy, TEMP[1].xxxx",
            "VOTE_ALL TEMP[2].xy, TEMP[1].xxxx",
            "VOTE_EQ TEMP[2].xy, SV[0].xxxx",
            "READ_FIRST TEMP[2].xy, SV[0].xxxx",
            "READ_INVOC TEMP[2].xy, SV[0].xxxx, IMM[0].zzzz",
            "UIF TEMP[1].xxxx\nBALLOT TEMP[2].xy, IMM[0].xxxx\nELSE\nREAD_FIRST TEMP[2].xy, SV[0].xxxx\nENDIF",
        ] {
            let statistics = agrees(&text(threads, question), None);
            assert_eq!(statistics.open, 0, "{question}");
        }
    }
    let [any, all] =
        ["VOTE_ANY", "VOTE_ALL"].map(|it| text(24, &format!("{it} TEMP[2].xy, TEMP[1].xxxx")));
    differs(&any, &all, None);
    // No document says what is read where lanes of one subgroup name different ones.
    let question = "READ_INVOC TEMP[2].x, SV[0].xxxx, SV[0].xxxx\nMOV TEMP[2].y, SV[0].xxxx";
    let read = agrees(&text(24, question), None);
    assert!(opens(read, Rule::Subgroup) && read.open > 0, "{read:?}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_nan_as_the_exponent_of_a_double_has_either_sign() {
    let text = vertex(
        "LG2 TEMP[0].x, IN[0].xxxx\nDLDEXP TEMP[1].xy, IN[0].zwzw, TEMP[0].xxxx\n\
         MOV OUT[0], TEMP[1].xyxx\nMOV OUT[0].zw, IN[0]\n",
    );
    let inputs = |x: &str| format!("[in]\n0 = [{x}, 0.0, 0.5, 0.5]\n");
    assert!(opens(agrees(&text, Some(&inputs("-1.0"))), Rule::NanPayload));
    assert!(!opens(agrees(&text, Some(&inputs("8.0"))), Rule::NanPayload));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn lanes_that_leave_a_loop_in_different_rounds_may_ask_together() {
    // Of 24 threads the first three leave with the first round, the others with the second one.
    let text = |inside: &str, behind: &str| {
        let body = format!(
            "USLT TEMP[1].x, SV[0].xxxx, IMM[0].xxxx\nBGNLOOP\n{inside}UIF TEMP[1].xxxx\n{behind}\
             BRK\nENDIF\nMOV TEMP[1].x, IMM[0].yyyy\nENDLOOP\nMOV TEMP[2].y, TEMP[0].xxxx\n"
        );
        compute(24, &body)
    };
    let ballot = "BALLOT TEMP[2].x, IMM[0].yyyy\n";
    assert_eq!(agrees(&text(ballot, ""), None).open, 0);
    let leaving = agrees(&text("", ballot), None);
    assert!(opens(leaving, Rule::Subgroup) && leaving.open > 0, "{leaving:?}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn the_exponent_of_light_is_clamped_to_any_limit_where_it_is_none() {
    let text = vertex("MOV OUT[0], IN[0]\nLIT OUT[0], IN[0]\n");
    let inputs = |w: &str| format!("[in]\n0 = [1.0, inf, 0.0, {w}]\n");
    assert!(opens(agrees(&text, Some(&inputs("nan"))), Rule::NanOperand));
    assert!(!opens(agrees(&text, Some(&inputs("2.0"))), Rule::NanOperand));
}

/// An open condition lets both branches be right, and nothing else.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn an_open_condition_makes_both_branches_right() {
    let text = |first: &str, second: &str| {
        vertex(&format!(
            "IMM[0] FLT32 {{0.5, 2.0, 3.0, 4.0}}\nRCP TEMP[0].x, IN[0].xxxx\n\
             FSEQ TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nMOV OUT[0].x, IMM[0].{first}\n\
             ELSE\nMOV OUT[0].x, IMM[0].{second}\nENDIF\nMOV OUT[0].yzw, IMM[0].xxxx\n"
        ))
    };
    let half = "[in]\n0 = [2.0, 0.0, 0.0, 0.0]\n";
    let statistics = agrees(&text("yyyy", "zzzz"), Some(half));
    assert!(statistics.partly_open > 0);
    // The code takes the first branch: either way round it is one of both.
    for (chip, (verdict, _)) in
        TARGETS.iter().zip(compared(&text("yyyy", "zzzz"), &text("zzzz", "yyyy"), Some(half)))
    {
        assert_eq!(verdict, Verdict::Agree, "{chip}");
    }
    differs(&text("yyyy", "zzzz"), &text("wwww", "wwww"), Some(half));
}

/// Random inputs lead indices to registers, and floats to integers that they fit, however these are
/// computed.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn indices_mean_registers() {
    let array = "DCL CONST[0..3]\nDCL TEMP[2..5], ARRAY(1), LOCAL\nDCL ADDR[0..1]\n\
                 IMM[0] UINT32 {1, 3, 2, 0}\nIMM[1] FLT32 {2.0, 1.0, 0.5, 0.0}\n\
                 MOV TEMP[2], CONST[0]\nMOV TEMP[3], CONST[1]\nMOV TEMP[4], CONST[2]\n\
                 MOV TEMP[5], CONST[3]\n";
    let read = "MOV OUT[0], TEMP[ADDR[0].x+2](1)\n";
    for index in [
        "ARL ADDR[0].x, IN[0].wwww\n",
        "UARL ADDR[0].x, CONST[2].yyyy\n",
        "F2U TEMP[0].x, IN[0].yyyy\nUARL ADDR[0].x, TEMP[0].xxxx\n",
        "MAD TEMP[0].x, CONST[1].xxxx, IMM[1].xxxx, IMM[1].yyyy\nARL ADDR[0].x, TEMP[0].xxxx\n",
        "SHL TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\n",
        "UMAD TEMP[0].x, IN[0].xxxx, IMM[0].zzzz, CONST[1].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\n",
        "UMUL TEMP[0].x, IN[0].xxxx, CONST[0].zzzz\nUARL ADDR[0].x, TEMP[0].xxxx\n",
        "AND TEMP[0].x, IN[0].xxxx, IMM[0].yyyy\nUARL ADDR[0].x, TEMP[0].xxxx\n",
        "F2I TEMP[0].x, CONST[3].xxxx\nUIF TEMP[0].xxxx\nUARL ADDR[0].x, IN[0].xxxx\nELSE\n\
         UARL ADDR[0].x, CONST[1].wwww\nENDIF\n",
        "BGNLOOP\nUARL ADDR[0].x, TEMP[0].xxxx\nUSGE TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\n\
         UIF TEMP[1].xxxx\nBRK\nENDIF\nMOV TEMP[0].x, IN[0].zzzz\n\
         MOV TEMP[1].x, IMM[0].zzzz\nENDLOOP\n",
    ] {
        let begin = "MOV TEMP[0], IMM[0].wwww\nMOV TEMP[1], IMM[0].wwww\n";
        let statistics = agrees(&vertex(&format!("{array}{begin}{index}{read}")), None);
        for rule in [Rule::OutOfBounds, Rule::Conversion] {
            assert!(!opens(statistics, rule), "{}: {index}", rule.name());
        }
    }
}

/// The number of vertices that come in decides which vertex of those that go out is read.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn numbers_of_vertices_mean_vertices() {
    let text = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\n\
                DCL SV[0], INVOCATIONID\nDCL SV[1], VERTICESIN\nDCL OUT[][0], POSITION\n\
                DCL OUT[][1], GENERIC[0]\nDCL TEMP[0]\nDCL ADDR[0]\n\
                IMM[0] UINT32 {1, 0, 0, 0}\nUADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n\
                UMOD TEMP[0].x, TEMP[0].xxxx, SV[1].xxxx\nUARL ADDR[0].x, SV[0].xxxx\n\
                MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nBARRIER\nUARL ADDR[0].x, TEMP[0].xxxx\n\
                MOV TEMP[0], OUT[ADDR[0].x][0]\nUARL ADDR[0].x, SV[0].xxxx\n\
                MOV OUT[ADDR[0].x][1], TEMP[0]\nEND\n";
    assert!(!opens(agrees(text, None), Rule::OutOfBounds));
}

/// Own shaders that are not compared for how much is open, and why.
const APART: [(&str, &str); 3] = [
    ("comp/ballot_compaction.tgsi", "all that it leaves hangs on the size of the subgroup"),
    ("comp/stopwatch.tgsi", "all that it leaves hangs on the clock"),
    (
        "vert/uniform_blocks.tgsi",
        "its instances choose a block: GLSL 4.60, 4.3.9 wants one for all",
    ),
];

/// Each of them is written for a corner of the language, so that more of them is open than of
/// real shaders; of what inputs lead astray no more.
const OWN_CEILING: f64 = 0.1;

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn little_of_what_own_shaders_leave_is_open() {
    let target = Target::find("vega10").expect("a chip");
    let mut programs = written_programs();
    for (name, reason) in APART {
        let before = programs.len();
        programs.retain(|it| it.name != name);
        assert_eq!(programs.len() + 1, before, "{name}: {reason}");
    }
    let programs: Vec<_> = programs.into_iter().step_by(3).collect();
    let worker = crate::TUNGSTEN.as_ref();
    for (stage, own) in ceilings_hold(worker, &programs, target, 4, OWN_CEILING) {
        assert!(own.compared > 50, "{stage}: {own:?}");
        let astray = share_of(&own, &[Rule::OutOfBounds, Rule::Conversion]);
        assert!(astray <= CEILING, "{stage}: {}", by_rule(&own));
    }
}
