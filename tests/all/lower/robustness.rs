//! Own shaders, whole and damaged: lowering answers, whatever the parser could make of them.

use lower::Generation;
use tests::checks::lowering::{damaged_programs_are_answered, lowered};
use tests::corpus;

#[test]
fn own_shaders_of_every_stage_are_lowered() {
    let mut programs = corpus::tgsi_programs();
    let says_all = |text: &str| text.contains("GS_MAX_OUTPUT_VERTICES");
    programs.retain(|it| it.accepted && (it.stage != "GEOM" || says_all(&it.text)));
    let lowered = lowered(&programs);
    assert!(lowered.len() >= 5 * Generation::ALL.len(), "a stage is missing: {lowered:?}");
    for ((stage, generation), [count, all]) in lowered {
        assert!(count * 100 >= all * 80, "{stage} {generation:?}: {count} of {all}");
    }
}

#[test]
fn damaged_shaders_are_answered() {
    let (lowered, refused) = damaged_programs_are_answered(&corpus::tgsi_programs());
    assert!(lowered > 100 && refused > 200, "{lowered} {refused}");
}
