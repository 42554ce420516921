//! Fixes that are offered take their diagnostic away.

use tests::checks::fixes::fixes_hold;
use tests::corpus;

#[test]
fn fixes_of_own_shaders_repair_them() {
    let fixes = fixes_hold(&corpus::tgsi_programs());
    assert!(fixes > 200, "{fixes}");
}
