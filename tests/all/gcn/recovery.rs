//! Broken lines and the diagnostics of all others, over our own kernels.

use tests::checks::recovery::break_lines;
use tests::corpus;

#[test]
fn a_broken_line_leaves_the_diagnostics_of_others() {
    break_lines(&corpus::gcn_programs(), 40, 1).check(40);
}
