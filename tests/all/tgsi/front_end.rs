//! The TGSI front end on the repository's own shaders: what is accepted has no error, and
//! one mistake gives one error at its statement.

use tests::checks::front_end::{accepted_programs_have_no_error, one_mistake_gives_one_error};
use tests::corpus;

#[test]
fn programs_that_are_clean_have_no_error() {
    let accepted = accepted_programs_have_no_error(&corpus::tgsi_programs());
    assert!(accepted > 400, "{accepted}");
}

#[test]
fn one_mistake_in_an_own_program_gives_one_error() {
    let mut programs = corpus::tgsi_programs();
    programs.retain(|program| program.accepted && !program.text.contains(['#', '/']));
    one_mistake_gives_one_error(&programs, 500);
}
