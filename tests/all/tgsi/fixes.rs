//! Fixes that are offered take their finding away.

use tests::checks::fixes::fixes_mend;
use tests::corpus;

#[test]
fn fixes_of_own_shaders_mend_them() {
    assert!(fixes_mend(&corpus::tgsi_programs()) > 200);
}
