//! Near misses of words.

use text::{near, nearest};

#[test]
fn small_slips_are_found_and_strangers_are_not() {
    let opcodes = ["MAD", "MUL", "MOV", "SAMPLE_C", "KILL_IF"];
    assert_eq!(nearest("MADD", opcodes), Some("MAD"));
    assert_eq!(nearest("mvo", opcodes), Some("MOV"));
    assert_eq!(nearest("KIL_IF", opcodes), Some("KILL_IF"));
    assert_eq!(nearest("SAMPEL_C", opcodes), Some("SAMPLE_C"));
    assert_eq!(nearest("TEX", opcodes), None);
    assert_eq!(near("MXD", ["MOV", "MUD", "MAD", "MXD"]), ["MXD", "MUD", "MAD"]);
}
