//! Agreement of words of two runs.

use super::comparison::{Tolerance, agree};

#[test]
fn words_agree_by_bits_by_class_or_by_distance() {
    let exact = Tolerance { ulps: 0 };
    assert!(agree(1, 1, exact) && agree(0x7fc0_0000, 0xffff_ffff, exact));
    assert!(!agree(0, 0x8000_0000, exact) && !agree(1, 2, exact));
    assert!(agree(0x3f80_0000, 0x3f80_0002, Tolerance { ulps: 2 }));
    assert!(agree(0, 0x8000_0000, Tolerance { ulps: 1 }));
    assert!(!agree(0x3f80_0000, 0xbf80_0000, Tolerance { ulps: 2 }));
}
