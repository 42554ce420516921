//! Broken statements and the diagnostics of all others, over our own shaders.

use tests::checks::recovery::break_statements;
use tests::corpus;

#[test]
fn a_broken_statement_leaves_the_diagnostics_of_others() {
    let programs: Vec<String> =
        corpus::written_programs().into_iter().map(|program| program.text).collect();
    break_statements(&programs, 12, 1).check(93);
}
