//! Surfaces of costs in editors, on real kernels.

use tests::checks::cost_surfaces::nothing_is_wrong;
use tests::corpora::shared;
use tests::kernels::kernels;

#[test]
fn nothing_is_wrong_in_kernels_that_work() {
    let (files, lines) = nothing_is_wrong(&kernels(&shared("corpora/gcn")));
    assert!(files >= 20 && lines > 1_000, "{files} {lines}");
}
