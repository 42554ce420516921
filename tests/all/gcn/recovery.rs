//! Broken lines and the diagnostics of all others, over our own kernels.
//!
//! Of 15,510 diagnostics beside a broken instruction that goes on to the next one 400 depend on the
//! line, and are counted apart. Of the others 98.4 % stay, and none comes; of all 95.8 %.
//!
//! The rule of dependence: another sound line breaks into the very same text in the same way, and
//! with that line in its place the diagnostic is not there. `v_add_f32 v1, v2` may lack `v3` or
//! `v4`, and one of them may be the only read of a register. So nobody can tell from the text
//! whether such a diagnostic holds.
//!
//! Most of what goes beside lacks a first operand together with a part of its mnemonic (`s, 1`),
//! or has no more than its beginning: the line may be nearly any instruction.

use tests::checks::recovery::break_lines;
use tests::corpus;

#[test]
fn a_broken_line_leaves_the_diagnostics_of_others() {
    break_lines(&corpus::gcn_programs(), 40, 1).check(98, 95);
}
