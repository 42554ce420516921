//! Shaders are reduced to what shows something, and to nothing that is no shader.

use tests::bench::Bench;
use tests::random_shaders::{Shader, wrong_lines};
use tests::reducing::reduced;

#[test]
fn what_shows_nothing_goes_with_the_blocks_around_it() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {0.0, 1.0, 2.0, 3.0}\n\
                MOV TEMP[0], IMM[0]\nIF TEMP[0].xxxx :0\nBGNLOOP :0\nMOV TEMP[1], IMM[0]\n\
                CAL :12\nBRK\nENDLOOP :0\nELSE :0\nMOV TEMP[1], IMM[0].yyyy\nENDIF\n\
                MOV OUT[0], TEMP[1]\nEND\nBGNSUB\nKILL\nRET\nENDSUB\n";
    let few = reduced(text, |text| {
        let has = |words: &str| text.lines().any(|line| line.starts_with(words));
        has("CAL") && has("KILL") && has("BGNSUB") && has("FRAG")
    });
    // The call has the number that the subroutine has then.
    assert_eq!(few, "FRAG\nCAL :1\nBGNSUB\nKILL\n");
    let few = reduced(text, |text| text.contains("MOV TEMP[1], IMM[0].yyyy"));
    assert_eq!(few, "MOV TEMP[1], IMM[0].yyyy\n");
    assert_eq!(reduced(text, |_| false), text);
}

#[test]
fn what_is_left_of_a_random_shader_is_one() {
    let mut bench = Bench::new(vec![gcn::Target::default()]);
    let mut shows = |text: &str| {
        let whole = text.contains("UADD TEMP[0].x") && text.contains("END\n");
        whole && wrong_lines(&mut bench, text).is_empty()
    };
    let texts = (0..40).map(|seed| Shader::of(seed).text());
    let text = texts.into_iter().find(|text| shows(text)).expect("a shader without a wrong line");
    let few = reduced(&text, &mut shows);
    assert!(shows(&few) && few.lines().count() < 20, "{few}");
}
