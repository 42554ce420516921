//! Validation against the reference checker's verdicts over the corpora.
//!
//! The manifest says how many errors the checker of Mesa 21 counts in each
//! file. A file that it faults has a finding of ours of a kind that it knows,
//! unless it is one of its known mistakes; a file that it passes has none of
//! these kinds and no error.

use std::collections::BTreeMap;

use tests::corpora::{self, Program};
use text::{Diagnostic, Severity, no_checkpoint};
use tgsi::ast::{Shader, WriteMask};
use tgsi::words::{File, ImmediateType, SemanticName};

/// What the checker faults, by our codes.
const KINDS: [&str; 6] = [
    "tgsi::undeclared-register",
    "tgsi::duplicate-declaration",
    "tgsi::late-declaration",
    "tgsi::missing-end",
    "tgsi::second-end",
    "tgsi::null-file",
];

/// Why the checker faults a shader that the documents allow.
fn known_mistake(shader: &Shader) -> Option<&'static str> {
    let wide = |ty| {
        matches!(ty, ImmediateType::Float64 | ImmediateType::Signed64 | ImmediateType::Unsigned64)
    };
    if shader.immediates().any(|immediate| wide(immediate.ty.value)) {
        return Some("64-bit immediates, newer than its list of types");
    }
    let masked =
        |it: &&tgsi::ast::Declaration| it.mask.is_some_and(|mask| mask.value != WriteMask::ALL);
    if shader.declarations().filter(masked).count() > 1 {
        return Some("components of one register declared apart");
    }
    // "Declaration" of the Gallium documentation of 2020: one index means buffer 0.
    let buffer = shader.declarations().any(|it| {
        it.file.value == File::Constant
            && it.dimension.flatten().is_some_and(|buffer| buffer.value.first == 0)
    });
    if buffer {
        return Some("constants of buffer 0, named with one index");
    }
    let primitive = shader.declarations().any(|it| {
        it.file.value == File::Input
            && it.semantic.is_some_and(|it| it.value.name == SemanticName::PrimitiveId)
    });
    primitive.then_some("PRIM_ID, which it takes for an input of each vertex")
}

struct Judged {
    shader: Shader,
    found: Vec<Diagnostic>,
}

fn judge(program: &Program) -> Vec<Judged> {
    let regions = tgsi::regions::split(&program.text).shaders;
    let shaders = regions.iter().filter_map(|region| {
        let parse = tgsi::parser::parse(region.text(&program.text), &no_checkpoint);
        let shader = parse.shader?;
        let mut found = parse.diagnostics;
        found.extend(tgsi::validate(&shader, &no_checkpoint));
        Some(Judged { shader, found })
    });
    shaders.collect()
}

#[test]
fn verdicts_agree_with_the_reference_checker() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut excused: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut faulted, mut passed) = (0, 0);
    let mut bad = Vec::new();
    for program in &programs {
        let Some(errors) = program.sanity_errors else { continue };
        let judged = judge(program);
        let ours: Vec<&Diagnostic> = judged
            .iter()
            .flat_map(|it| &it.found)
            .filter(|it| KINDS.contains(&it.code.0) || it.severity == Severity::Error)
            .collect();
        let messages = || ours.iter().map(|it| it.message.as_str()).collect::<Vec<_>>().join("; ");
        if errors == 0 {
            passed += 1;
            if !ours.is_empty() {
                bad.push(format!("{}: passed, and here: {}", program.name, messages()));
            }
            continue;
        }
        faulted += 1;
        if ours.is_empty() {
            match judged.iter().find_map(|it| known_mistake(&it.shader)) {
                Some(why) => *excused.entry(why).or_default() += 1,
                None => bad.push(format!("{}: {errors} errors, and here none", program.name)),
            }
        }
    }
    eprintln!("{passed} files that the reference check passes, {faulted} that it faults");
    for (why, count) in excused {
        eprintln!("{count:6} of them for {why}");
    }
    assert!(bad.is_empty(), "{} disagree:\n{}", bad.len(), bad.join("\n"));
}

/// The form that a driver's lowering of clip vertices produced in 2022: a
/// temporary with two indices, and an output of the control shader without its
/// vertex. The reference parser reads it, and the driver went on with it.
#[test]
fn a_drivers_real_mistake_is_found() {
    let text = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\n\
                DCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\nDCL OUT[1], TESSOUTER\n\
                DCL ADDR[0..1]\nDCL TEMP[0..7]\nUARL ADDR[1].x, SV[0].xxxx\n\
                MOV TEMP[ADDR[1].x][6], IN[0][0]\nMOV OUT[6], IN[0][0]\n\
                MOV OUT[1], IN[0][0]\nEND\n";
    let shader = tgsi::parser::parse(text, &no_checkpoint).shader.expect("a shader");
    let found = tgsi::validate(&shader, &no_checkpoint);
    let has = |code: &str, place: &str| {
        found.iter().any(|it| it.code.0 == code && &text[it.range] == place)
    };
    assert!(has("tgsi::register-dimension", "TEMP[ADDR[1].x][6]"), "{found:#?}");
    assert!(has("tgsi::undeclared-register", "OUT[6]"), "{found:#?}");
    assert!(has("tgsi::register-dimension", "OUT[6]"), "{found:#?}");
}
