//! The shipped answers, diagnostics against them, and profiles of users.

use source::{Severity, no_checkpoint};

use super::{Answer, Profile, Verdict, check};
use crate::Stage;
use crate::capabilities;
use crate::requirements::requirements;

fn diagnostics(profile: &Profile, text: &str) -> Vec<(Severity, String)> {
    let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
    let requirements = requirements(&shader, &no_checkpoint);
    let found = check(profile, shader.stage.value, &requirements);
    found.into_iter().map(|diagnostic| (diagnostic.severity, diagnostic.message)).collect()
}

fn shipped(name: &str) -> &'static Profile {
    Profile::find(name).expect(name)
}

#[test]
fn every_profile_answers_for_its_stages() {
    assert!(Profile::all().len() >= 45, "{}", Profile::all().len());
    for profile in Profile::all() {
        assert!(profile.has_stage(Stage::Vertex) && profile.has_stage(Stage::Fragment));
        assert!(!profile.source.is_empty() && !profile.date.is_empty(), "{}", profile.name);
        for stage in [Stage::Vertex, Stage::Fragment] {
            let temporaries =
                profile.answer("PIPE_SHADER_CAP_MAX_TEMPS", stage).expect("an answer");
            assert!(temporaries.parts[0] > 0, "{} {stage}", profile.name);
        }
    }
    for driver in [
        "radeonsi",
        "r600",
        "nv50",
        "nvc0",
        "llvmpipe",
        "softpipe",
        "svga",
        "virgl",
        "freedreno",
        "i915",
    ] {
        assert!(Profile::all().iter().any(|profile| profile.driver == driver), "{driver}");
    }
}

#[test]
fn answers_are_to_questions_of_the_table() {
    for profile in Profile::all() {
        for (name, _) in profile.shipped {
            assert!(capabilities::all().iter().any(|row| row.name == *name), "{name}");
        }
    }
}

#[test]
fn what_the_driver_lacks_is_found_with_those_that_have_it() {
    let text = "FRAG\nIMM[0] FLT64 {1.0, 2.0}\nDCL TEMP[0]\nDADD TEMP[0], IMM[0], IMM[0]\nEND\n";
    let found = diagnostics(shipped("r600"), text);
    assert_eq!(found.len(), 1, "{found:?}");
    let (severity, message) = &found[0];
    assert_eq!(*severity, Severity::Warning);
    assert!(message.contains("PIPE_CAP_DOUBLES, which `r600` does not have"), "{message}");
    assert!(message.contains("radeonsi-gfx6"), "{message}");
    assert_eq!(diagnostics(shipped("radeonsi-gfx6"), text), []);
}

#[test]
fn limits_name_their_number() {
    let found = diagnostics(shipped("r300"), "FRAG\nDCL TEMP[0..500]\nEND\n");
    assert!(
        found[0].1.starts_with("501 temporary registers: more than `r300` allows"),
        "{found:?}"
    );
    let block = |depth: u32| {
        format!(
            "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
             PROPERTY CS_FIXED_BLOCK_DEPTH {depth}\nEND\n"
        )
    };
    assert_eq!(diagnostics(shipped("nvc0-fermi"), &block(64)), []);
    assert_eq!(diagnostics(shipped("nvc0-fermi"), &block(65)).len(), 1);
}

#[test]
fn a_missing_stage_is_one_finding() {
    let text = "GEOM\nPROPERTY GS_INVOCATIONS 4\nDCL OUT[0], LAYER\nEND\n";
    let found = diagnostics(shipped("r300"), text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.starts_with("`r300` has no stage GEOM"), "{found:?}");
}

#[test]
fn forms_and_assumed_answers_are_hints() {
    let face = "FRAG\nDCL IN[0], FACE, CONSTANT\nEND\n";
    let found = diagnostics(shipped("radeonsi-gfx8"), face);
    assert!(
        matches!(&found[..], [(Severity::Hint, message)] if message.contains("other form")),
        "{found:?}"
    );
    assert_eq!(Answer::parse("4?").expect("an answer").to_string(), "4?");
}

#[test]
fn profiles_of_users_are_read() {
    let text = "# mine\nbase: radeonsi-gfx8\nPIPE_CAP_DOUBLES: no\nPIPE_SHADER_CAP_MAX_TEMPS: 9\n\
                fragment:\nPIPE_SHADER_CAP_MAX_TEMPS: 0x10\nPIPE_COMPUTE_CAP_MAX_BLOCK_SIZE: 1,2,3\n\
                what\nbase: nobody\nFOO: 1\nPIPE_CAP_INT64: maybe\nmesh:\n";
    let (profile, problems) = Profile::read("folder/mine.caps", text);
    assert_eq!(profile.name, "mine");
    let answer = |name, stage| profile.answer(name, stage).map(|answer| answer.to_string());
    assert_eq!(answer("PIPE_CAP_DOUBLES", Stage::Vertex).as_deref(), Some("0"));
    assert_eq!(answer("PIPE_SHADER_CAP_MAX_TEMPS", Stage::Vertex).as_deref(), Some("9"));
    assert_eq!(answer("PIPE_SHADER_CAP_MAX_TEMPS", Stage::Fragment).as_deref(), Some("16"));
    assert_eq!(answer("PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE", Stage::Compute).as_deref(), Some("1,2,3"));
    assert_eq!(answer("PIPE_CAP_INT64", Stage::Vertex).as_deref(), Some("1"), "the base's");
    let lines: Vec<usize> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [8, 9, 10, 11, 12], "{problems:?}");
}

#[test]
fn what_is_not_known_is_not_judged() {
    let (profile, _) = Profile::read("empty", "");
    let text = "GEOM\nIMM[0] FLT64 {1.0, 2.0}\nEND\n";
    assert_eq!(diagnostics(&profile, text), []);
    let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
    for requirement in requirements(&shader, &no_checkpoint) {
        assert_eq!(profile.verdict(Stage::Geometry, &requirement), Verdict::Unknown);
    }
}
