//! Near misses of words.

use source::{close_matches, closest_match};

#[test]
fn small_slips_are_found_and_strangers_are_not() {
    let opcodes = ["MAD", "MUL", "MOV", "SAMPLE_C", "KILL_IF"];
    assert_eq!(closest_match("MADD", opcodes), Some("MAD"));
    assert_eq!(closest_match("mvo", opcodes), Some("MOV"));
    assert_eq!(closest_match("KIL_IF", opcodes), Some("KILL_IF"));
    assert_eq!(closest_match("SAMPEL_C", opcodes), Some("SAMPLE_C"));
    assert_eq!(closest_match("TEX", opcodes), None);
    assert_eq!(close_matches("MXD", ["MOV", "MUD", "MAD", "MXD"]), ["MXD", "MUD", "MAD"]);
}

#[test]
fn each_edit_counts_one() {
    // Words of five letters and more may be two edits away.
    for (a, b, is_near) in [
        ("ABCDEF", "ABCDEF", true),
        ("ABCDEF", "ABCXDEF", true),
        ("ABCDEF", "XABCDEFX", true),
        ("ABCDEF", "ABCDEFXXX", false),
        ("ABCDEFGH", "ACDFGH", true),
        ("ABCDEFGH", "ACDFG", false),
        ("ABCDEF", "ABXDEY", true),
        ("ABCDEF", "XBXDEY", false),
        ("ABCDEF", "BACDFE", true),
        ("ABCDEF", "BADCFE", false),
        ("ABCDEF", "BCDEFA", true),
        ("ABCDEF", "BCDEFXA", false),
        ("ABCDEF", "FEDCBA", false),
    ] {
        assert_eq!(closest_match(a, [b]).is_some(), is_near, "{a} {b}");
        assert_eq!(closest_match(b, [a]).is_some(), is_near, "{b} {a}");
    }
    assert_eq!(close_matches("ABCD", ["ABCDX", "ABCDXX", "BACD", "BADC"]), ["ABCDX", "BACD"]);
    assert_eq!(close_matches("ABCDE", ["ABCDEXXX", "ABCDEXX", "CDE"]), ["ABCDEXX", "CDE"]);
}
