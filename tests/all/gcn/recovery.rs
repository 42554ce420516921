//! Broken lines and the diagnostics of all others, over our own kernels.
//!
//! Of 15,510 diagnostics beside a broken instruction that goes on to the next one 400 depend on the
//! line, and are counted apart. Of the others 98.7 % stay, and none comes; of all 96.2 %, where no
//! more than 97.4 % could without a guess. Beside a branch or the end of the program 99.5 % stay:
//! mostly the line can be one instruction only, which stands for it.
//!
//! The rule of dependence: another sound line breaks into the very same text in the same way, and
//! with that line in its place the diagnostic is not there. `v_add_f32 v1, v2` may lack `v3` or
//! `v4`, and one of them may be the only read of a register. So nobody can tell from the text
//! whether such a diagnostic holds.
//!
//! Most of what goes beside lacks a first operand together with a part of its mnemonic (`s, 1`),
//! or has no more than its beginning: the line may be nearly any instruction.

use tests::checks::recovery::{Kind, break_lines};
use tests::corpus;

#[test]
fn a_broken_line_leaves_the_diagnostics_of_others() {
    let summary = break_lines(&corpus::gcn_programs(), 40, 1);
    summary.check(98, 96);
    summary.reach(Kind::Structure, 99);
}
