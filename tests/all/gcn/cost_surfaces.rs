//! Surfaces of costs in editors, on own kernels.

use tests::checks::cost_surfaces::nothing_is_wrong;
use tests::corpus;

#[test]
fn nothing_is_wrong_in_own_kernels() {
    let (files, lines) = nothing_is_wrong(&corpus::gcn_programs());
    assert!(files >= 5 && lines > 40, "{files} {lines}");
}
