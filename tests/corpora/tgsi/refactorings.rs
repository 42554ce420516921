//! Refactorings of real shaders keep what they compute.

use tests::checks::refactorings::rewritten_shaders_compute_the_same;
use tests::corpora;

#[test]
fn rewritten_shaders_compute_the_same_and_get_the_same_diagnostics() {
    assert!(rewritten_shaders_compute_the_same(&corpora::tgsi_programs(), 11) > 100);
}
