//! Fixes that are offered take their finding away.

use tests::checks::fixes::fixes_mend;
use tests::corpus;

#[test]
fn fixes_of_own_shaders_mend_them() {
    let fixes = fixes_mend(&corpus::tgsi_programs());
    assert!(fixes > 200, "{fixes}");
}
