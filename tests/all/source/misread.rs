//! Lines that one wrong sign made unreadable.

use source::misread::{ForeignKind, foreign, with_bracket};

#[test]
fn one_foreign_sign_is_found_and_two_are_not() {
    let found = foreign("v_mov @v1, 0", "@%").unwrap();
    assert_eq!((found.start, found.end, found.kind), (6, 7, ForeignKind::Sign));
    assert_eq!(found.removed("v_mov @v1, 0"), "v_mov v1, 0");
    assert_eq!(foreign("ä %d", "%"), None);
    assert_eq!(foreign("plain", "@%"), None);
    let hole = foreign("TEMP[%d]", "%").unwrap();
    assert_eq!(hole.kind, ForeignKind::Hole);
    assert_eq!(hole.replaced("TEMP[%d]", "01"), ["TEMP[0]", "TEMP[1]", "TEMP[]"]);
}

#[test]
fn the_bracket_that_lacks_is_put_in() {
    for (broken, whole) in [
        ("s_load_dword s40, s[4:5, 0", Some("s_load_dword s40, s[4:5], 0")),
        ("s_load_dword vcc, s4:5], 0", Some("s_load_dword vcc, s[4:5], 0")),
        ("MOV TEMP0].x, IN[0]", Some("MOV TEMP[0].x, IN[0]")),
        ("MOV TEMP[0], IN[0]", None),
        ("MOV", None),
    ] {
        assert_eq!(with_bracket(broken).as_deref(), whole, "{broken}");
    }
}
