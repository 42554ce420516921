//! Broken statements and the diagnostics of all others, over our own shaders.

use tests::checks::recovery::{break_statements, type_statements};
use tests::corpus;

#[test]
fn a_broken_statement_leaves_the_diagnostics_of_others() {
    let programs: Vec<String> =
        corpus::written_programs().into_iter().map(|program| program.text).collect();
    break_statements(&programs, 12, 1).check(93);
}

#[test]
fn a_statement_that_is_typed_leaves_the_diagnostics_of_others() {
    let programs: Vec<String> =
        corpus::written_programs().into_iter().map(|program| program.text).collect();
    let typed = type_statements(&programs, 4, 1);
    println!(
        "{} steps, {} of {} kept, {} added",
        typed.steps,
        typed.kept,
        typed.steady,
        typed.added.len()
    );
    assert!(typed.steps > 1_000, "{}", typed.steps);
    assert!(typed.added.is_empty(), "{}", typed.added[0]);
    assert!(typed.kept * 100 >= typed.steady * 91, "{} of {}", typed.kept, typed.steady);
}
