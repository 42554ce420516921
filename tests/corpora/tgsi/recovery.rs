//! Broken statements and the diagnostics of all others, over real shaders.

use tests::checks::recovery::{Kind, break_statements};
use tests::corpora;

#[test]
fn a_broken_statement_of_a_real_shader_leaves_the_diagnostics_of_others() {
    let programs: Vec<String> =
        corpora::tgsi_programs().into_iter().map(|program| program.text).collect();
    let summary = break_statements(&programs, 8, 2);
    summary.check(99, 97);
    summary.reach(Kind::Structure, 94);
    summary.reach(Kind::Declaration, 95);
}
