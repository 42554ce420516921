//! Mistakes that real drivers made, and what is said about shaders as they print them.

use source::no_checkpoint;
use tests::checks::hints::{Hints, MOST_HINTS};
use tests::corpus;

#[test]
fn hints_of_sound_shaders_are_few() {
    let programs = corpus::written_programs();
    let sound: Vec<_> = programs.iter().filter(|it| it.accepted).collect();
    // Instructions have numbers, as drivers print them.
    let printed = sound.iter().filter(|it| it.text.contains("\n  0: "));
    let found = Hints::of(printed.map(|it| it.text.as_str()));
    println!("{found:?}: {:.2} for 100 lines", found.density());
    assert!(found.lines > 1_000, "{found:?}");
    assert!(found.density() <= MOST_HINTS, "{found:?}");
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
