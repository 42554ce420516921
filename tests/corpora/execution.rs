//! Real programs that run.

use gcn::Target;
use tests::agreement::{EXCEPTIONS, Exception};
use tests::checks::execution::executed;
use tests::checks::interpreter::damaged_shaders_are_interpreted;
use tests::checks::merged::{is_second, second_stages_agree};
use tests::checks::open_bits::{CEILING, ceilings_hold};
use tests::corpora::tgsi_programs;

/// The most second stages of a pipeline.
const MOST: usize = 60;

#[test]
fn real_programs_are_executed_and_end() {
    let found = executed(&tgsi_programs());
    // What is left are texts that were cut off in the middle.
    assert_eq!((found.accepted, found.executed), (1807, 1804));
    assert_eq!(found.refusals.get("blocks do not match"), Some(&3));
    assert!(found.stopped < found.executed / 20);
}

#[test]
fn damaged_real_shaders_are_interpreted() {
    let texts = tgsi_programs().into_iter().map(|program| program.text);
    damaged_shaders_are_interpreted(texts.collect(), 3.0);
}

#[test]
fn real_second_stages_agree_behind_a_partner() {
    let programs = tgsi_programs().into_iter().filter(is_second).take(MOST);
    let agree = second_stages_agree(crate::TUNGSTEN.as_ref(), &programs.collect::<Vec<_>>());
    assert!(agree > 35, "{agree}");
}

/// Of each stage one real shader in this many, from the first of the turn on.
const EVERY: usize = 40;
const FROM: usize = 7;

#[test]
fn little_of_what_real_shaders_leave_is_open() {
    let target = Target::find("tahiti").expect("a chip");
    let mut programs = tgsi_programs();
    programs.retain(|it| it.accepted);
    let mut sample = Vec::new();
    for stage in ["VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP"] {
        let own = programs.iter().filter(|it| it.stage == stage);
        sample.extend(own.skip(FROM).step_by(EVERY).cloned());
    }
    let stages = ceilings_hold(crate::TUNGSTEN.as_ref(), &sample, target, 4, CEILING);
    assert!(stages.len() == 6 && stages.values().all(|it| it.compared > 50), "{stages:?}");
}

/// Explanations name files that there are.
#[test]
fn exceptions_name_files() {
    let programs = tgsi_programs();
    for row in Exception::all(EXCEPTIONS) {
        let found = programs.iter().any(|program| program.name.ends_with(row.file));
        assert!(found, "no file {}", row.file);
    }
}
