//! Compiled code does what its shader says: a bounded sample of the shaders that are made
//! from the opcode table and of the examples, on one chip of each generation, against the
//! interpreter. The example of the same name runs all of them, and the corpora.

use std::collections::BTreeSet;

use diff_exec::Verdict;
use gcn::Target;
use tests::agreement::{
    EXCEPTIONS, Exception, MADE_EXCEPTIONS, MadeException, check, check_counted, compiler, job,
    located, meaningless, parsed,
};
use tests::lower_shaders;

const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];
/// The sampling of made shaders: one in this many for each chip.
/// An odd number: stages stand by turns.
const EVERY: usize = 41;
const SETS: u64 = 8;
/// The fewest that are compared on each chip.
const FLOOR: usize = 10;

/// Compares a sample of the made shaders on the chip of a turn.
fn made_shaders_agree(turn: usize) {
    let (mut compiler, version) = usable_compiler();
    let target = Target::find(TARGETS[turn]).expect("a chip");
    let (mut compared, mut skipped) = (0, 0);
    let mut differences = Vec::new();
    let made = lower_shaders::all();
    for made in made.iter().skip(turn * EVERY / TARGETS.len()).step_by(EVERY) {
        let shader = parsed(&made.text).filter(|_| meaningless(&made.name).is_none());
        let Some(shader) = shader else { continue };
        let Ok(job) = job(&shader, target) else { continue };
        match check(&shader, target, &job, SETS, &mut compiler, &mut |_, _| {}) {
            Verdict::Agree => compared += 1,
            Verdict::Skipped(_) => skipped += 1,
            Verdict::Differ(difference) => {
                differences.push(format!("{} on {}: {difference}", made.name, target.name()));
            }
        }
    }
    eprintln!("LLVM {version}: {compared} shaders agree, {skipped} are not compared");
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(compared > FLOOR, "{compared} compared, {skipped} not");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn made_shaders_agree_on_tahiti() {
    made_shaders_agree(0);
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn made_shaders_agree_on_bonaire() {
    made_shaders_agree(1);
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn made_shaders_agree_on_polaris10() {
    made_shaders_agree(2);
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn made_shaders_agree_on_vega10() {
    made_shaders_agree(3);
}

pub(super) fn usable_compiler() -> (llvm::Compiler, String) {
    compiler(crate::TUNGSTEN.as_ref(), None).expect("a libLLVM")
}

/// Shaders whose invocations meet in memory or in a subgroup, and what of them is known on every
/// chip: reduced from random ones that differed. Each began with the words before the colon.
const MEETINGS: &[(&str, &str)] = &[
    (
        "lanes before the quad ran, too, in the first half of a merged program",
        "VERT\nPROPERTY NEXT_SHADER GEOM\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL BUFFER[0]\n\
         DCL TEMP[0]\nIMM[0] UINT32 {0, 1, 4, 8}\n\
         ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0], IN[0]\nEND\n",
    ),
    (
        "primitives of a wave asked each other",
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
         IMM[0] UINT32 {0, 1, 4, 8}\nREAD_FIRST OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n",
    ),
    (
        "patches of a wave asked each other",
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\n\
         DCL OUT[][0], POSITION\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\n\
         READ_FIRST OUT[ADDR[0].x][0], IN[0][0]\nEND\n",
    ),
    (
        "primitives run one after another in the interpreter, and in step in a wave",
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
         DCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 4, 8}\n\
         ATOMXCHG TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n\
         ATOMXCHG TEMP[0].y, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\n\
         MOV OUT[0].xy, TEMP[0]\nMOV OUT[0].zw, IN[0][0]\nEMIT IMM[0].xxxx\nEND\n",
    ),
    (
        "the other branch stored first",
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL BUFFER[0]\nDCL TEMP[0]\n\
         IMM[0] UINT32 {0, 1, 4, 8}\nMOV OUT[0], IN[0]\nUSLT TEMP[0].x, IN[0].xxxx, IN[0].yyyy\n\
         UIF TEMP[0].xxxx :0\nLOAD OUT[0].x, BUFFER[0], IMM[0].xxxx\nELSE :0\n\
         STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nENDIF\nEND\n",
    ),
    (
        "an invocation saw the outputs of others too late",
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\n\
         DCL OUT[][0], POSITION\nDCL OUT[1], PATCH\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\n\
         MOV OUT[1].x, IN[0][0].xxxx\nMOV OUT[ADDR[0].x][0].yzw, IN[0][0]\n\
         MOV OUT[ADDR[0].x][0].x, OUT[1].xxxx\nMOV OUT[1].x, SV[0].xxxx\nEND\n",
    ),
    (
        "only x of the number of an invocation is one",
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\n\
         DCL OUT[][0], POSITION\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\n\
         MOV OUT[ADDR[0].x][0], SV[0]\nEND\n",
    ),
    (
        "a load across the last address went on at the first",
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
         PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n\
         DCL BUFFER[0..1]\nDCL TEMP[0..1]\nIMM[0] INT32 {-1, 16, 64, 8}\n\
         LOAD TEMP[0].yw, BUFFER[0], IMM[0].xxxx\n\
         UMAD TEMP[1].x, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\n\
         UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww\n\
         STORE BUFFER[1].xy, TEMP[1].xxxx, TEMP[0].ywww\nEND\n",
    ),
];

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn invocations_that_meet_agree() {
    let (mut compiler, _) = usable_compiler();
    for (fault, text) in MEETINGS {
        let shader = parsed(text).unwrap_or_else(|| panic!("{fault}: no shader"));
        for name in TARGETS {
            let target = Target::find(name).expect("a chip");
            let job = job(&shader, target).unwrap_or_else(|error| panic!("{fault}: {error}"));
            let mut unchanged = |_: &mut String, _: &mut Vec<u8>| {};
            let checked = check_counted(&shader, target, &job, SETS, &mut compiler, &mut unchanged);
            assert_eq!(checked.verdict, Verdict::Agree, "{fault}, on {name}");
            assert!(checked.statistics.compared > 0, "{fault}, on {name}");
        }
    }
}

/// A comparison that finds nothing would agree with everything.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_fault_is_found() {
    let compiler = &mut usable_compiler().0;
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0]\n\
                ADD OUT[0], IN[0], CONST[0]\nEND\n";
    let shader = parsed(text).expect("a shader");
    let target = Target::find("polaris10").expect("a chip");
    let good = job(&shader, target).expect("it is lowered");
    let bad = llvm::Job { ir: good.ir.replacen("fadd float", "fsub float", 1), ..good.clone() };
    assert_ne!(bad.ir, good.ir);
    let verdict = check(&shader, target, &good, SETS, compiler, &mut |_, _| {});
    assert_eq!(verdict, Verdict::Agree);
    let verdict = check(&shader, target, &bad, SETS, compiler, &mut |_, _| {});
    let Verdict::Differ(difference) = verdict else { panic!("{verdict:?}") };
    assert_eq!(difference.ordinal, 1, "{difference}");
    // It is shown as line, register, lane and both values.
    let shown = format!("{}{difference}", located(text, difference.ordinal));
    let before = "line 5 `ADD OUT[0], IN[0], CONST[0]`: OUT[0].x lane 0: 0x";
    assert!(shown.starts_with(before), "{shown}");
    for part in [" expected, 0x", " found, in v", "v_sub"] {
        assert!(shown.contains(part), "{shown}");
    }
}

/// Of one inexact opcode: what its result is multiplied by so that it stays within the
/// stated bound, where one is known, and so that it leaves it.
const BOUNDS: &[(&str, Option<f32>, f32)] = &[
    ("RCP OUT[0], IN[0].xxxx", Some(0.999_999_94), 1.000_000_4),
    ("RSQ OUT[0], |IN[0].xxxx|", Some(0.999_999_94), 1.000_000_4),
    ("SQRT OUT[0], |IN[0].xxxx|", Some(0.999_999_94), 1.000_000_4),
    ("EX2 OUT[0], IN[0].xxxx", Some(0.999_999_94), 1.000_000_4),
    ("LG2 OUT[0], |IN[0].xxxx|", Some(0.999_999_94), 1.000_000_4),
    ("SIN OUT[0], IN[0].xxxx", Some(0.999_999_94), 1.000_02),
    ("COS OUT[0], IN[0].xxxx", Some(0.999_999_94), 1.000_02),
    ("POW OUT[0], |IN[0].xxxx|, IN[0].yyyy", None, 1.000_02),
    ("LIT OUT[0], IN[0]", None, 1.000_02),
    ("EXP OUT[0], IN[0].xxxx", None, 1.000_000_4),
    ("LOG OUT[0], IN[0].xxxx", None, 1.000_000_8),
    ("DIV OUT[0], IN[0], IN[0].wzyx", None, 1.000_000_8),
    ("FRC OUT[0], IN[0]", Some(0.999_999_94), 1.000_000_4),
    ("FMA OUT[0], IN[0], IN[0].wzyx, IN[0].yxwz", None, 1.000_002),
];

/// The results of one opcode are held to its bound: another shader's code, whose results
/// are off by a little more, does not agree, and one that is off by less does.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn bounds_are_tight() {
    let compiler = &mut usable_compiler().0;
    let target = Target::find("polaris10").expect("a chip");
    let text = |instruction: &str, factor: Option<f32>| {
        let body = match factor {
            None => format!("{instruction}\n"),
            Some(_) => format!(
                "{}\nMUL OUT[0], TEMP[0], IMM[0].xxxx\n",
                instruction.replacen("OUT[0]", "TEMP[0]", 1)
            ),
        };
        let bits = factor.unwrap_or(1.0).to_bits();
        format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n\
             IMM[0] UINT32 {{{bits}, 0, 0, 0}}\n{body}END\n"
        )
    };
    for (instruction, within, beyond) in BOUNDS {
        let shader = parsed(&text(instruction, None)).expect("a shader");
        let mut verdict = |factor: Option<f32>| {
            let other = parsed(&text(instruction, factor)).expect("a shader");
            let job = job(&other, target).expect("it is lowered");
            check(&shader, target, &job, 2, compiler, &mut |_, _| {})
        };
        assert_eq!(verdict(None), Verdict::Agree, "{instruction}");
        if within.is_some() {
            assert_eq!(verdict(*within), Verdict::Agree, "{instruction} within its bound");
        }
        let verdict = verdict(Some(*beyond));
        assert!(matches!(verdict, Verdict::Differ(_)), "{instruction} beyond: {verdict:?}");
    }
}

/// Every row is whole, and explains something.
#[test]
fn exceptions_are_explained() {
    let rows: Vec<Exception<'_>> = Exception::all(EXCEPTIONS).collect();
    let lines = EXCEPTIONS.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(rows.len() + 1, lines, "a row has not three fields");
    assert!(rows.iter().all(|row| !row.explanation.is_empty()));
}

/// Each made shader that is not lowered has a row, and each opcode and target of a row is needed
/// by a made shader.
#[test]
fn exceptions_of_made_shaders_are_explained_and_needed() {
    let rows: Vec<MadeException<'_>> = MadeException::all(MADE_EXCEPTIONS).collect();
    let lines = MADE_EXCEPTIONS.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(rows.len() + 1, lines, "a row has not four fields");
    assert!(rows.iter().all(|row| !row.reason.is_empty() && !row.explanation.is_empty()));
    let target = Target::find("polaris10").expect("a chip");
    let mut needed = BTreeSet::new();
    let mut unexplained = Vec::new();
    for made in lower_shaders::all() {
        if meaningless(&made.name).is_some() {
            continue;
        }
        let shader = parsed(&made.text).expect("a shader");
        // A row whose reason comes up only where both sides run is needed by its shader's name.
        let reason = job(&shader, target).err();
        let found = rows.iter().enumerate().find_map(|(at, row)| {
            let pair = match &reason {
                Some(reason) => row.explains(&made.name, reason),
                None if row.reason.starts_with("not lowered") => None,
                None => row.explains(&made.name, row.reason),
            };
            Some((at, pair?))
        });
        match (found, reason) {
            (Some(found), _) => drop(needed.insert(found)),
            (None, Some(reason)) => unexplained.push(format!("{}: {reason}", made.name)),
            (None, None) => {}
        }
    }
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    let all = rows.iter().enumerate().flat_map(|(at, row)| {
        let of = move |opcode| row.targets.iter().map(move |target| (at, [opcode, *target]));
        row.opcodes.iter().flat_map(move |opcode| of(*opcode))
    });
    let unneeded: Vec<_> = all.filter(|pair| !needed.contains(pair)).collect();
    assert!(unneeded.is_empty(), "{unneeded:?}");
}
