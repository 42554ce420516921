//! Refactorings keep what a shader computes.

use tests::checks::refactorings::rewritten_shaders_compute_the_same;
use tests::corpus;

#[test]
fn rewritten_own_shaders_compute_the_same_and_are_judged_alike() {
    assert!(rewritten_shaders_compute_the_same(&corpus::tgsi_programs(), 5) > 100);
}
