//! A shader with one more output.

use tests::agreement::parsed;
use tests::mutation::probe::with_probe;

#[test]
fn a_probe_shows_what_an_instruction_writes() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                0: ADD TEMP[0].xy, IN[0], IN[0]\n1: SLT OUT[0], TEMP[0].xxxx, IN[0]\n2: END\n";
    let probed = with_probe(text, 1).expect("a probe");
    assert!(probed.contains("DCL TEMP[0]\nDCL OUT[1], COLOR[1]\n0: ADD"), "{probed}");
    assert!(probed.contains("IN[0]\nMOV OUT[1].xy, TEMP[0]\n1: SLT"), "{probed}");
    assert!(parsed(&probed).is_some());
    let group = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL TEMP[0]\nIMM[0] FLT32 {1, 2, 3, 4}\n\
                 0: MOV TEMP[0], IMM[0]\n1: END\n";
    let probed = with_probe(group, 1).expect("a probe");
    assert!(probed.contains("STORE BUFFER[0], TEMP[1].xxxx, TEMP[0]\n1: END"), "{probed}");
    // What an output has is seen already.
    assert_eq!(with_probe(text, 2), None);
}
