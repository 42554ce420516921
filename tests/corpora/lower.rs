//! Lowering of real shaders: how many of those that Mesa 21 reads are lowered, and what the
//! others contain.

use lower::Generation;
use tests::checks::lowering::{damaged_programs_are_answered, lowered};
use tests::corpora;

/// The share of the shaders of every stage that must be lowered, in percent.
const LEAST_SHARE: usize = 98;

#[test]
fn real_shaders_are_lowered() {
    let programs = corpora::programs_with_verdicts().into_iter();
    let read = programs.filter(|it| it.accepted_by_mesa_21).map(|it| it.program);
    let programs: Vec<_> = read.collect();
    assert!(programs.len() > 1000, "the manifest was not read");
    let lowered = lowered(&programs);
    assert_eq!(lowered.len(), 6 * Generation::ALL.len(), "a stage is missing");
    for ((stage, generation), [count, all]) in lowered {
        assert!(count * 100 >= all * LEAST_SHARE, "{stage} {generation:?}: {count} of {all}");
    }
}

#[test]
fn damaged_real_shaders_are_answered() {
    let (lowered, refused) = damaged_programs_are_answered(&corpora::tgsi_programs());
    assert!(lowered > 100 && refused > 1000);
}
