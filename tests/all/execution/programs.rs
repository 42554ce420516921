//! The interpreter over the repository's programs.

use tests::checks::execution::executed;
use tests::corpus;

#[test]
fn own_programs_are_executed_and_end() {
    let found = executed(&corpus::tgsi_programs());
    assert!(found.executed > 300, "{found:?}");
    assert!(found.executed * 100 >= found.accepted * 90, "{found:?}");
    assert!(found.stopped < found.executed / 20, "{found:?}");
}
