//! Every service at every place of whole, cut and broken texts.

use source::TextSize;
use tests::checks::services::{ask, ask_all, ask_programs, offsets};
use tests::corpus;

const SHADER: &str = "\
FRAG
PROPERTY FS_COORD_ORIGIN UPPER_LEFT
DCL IN[0].xy, GENERIC[0], PERSPECTIVE
DCL IN[1], COLOR, LINEAR, CENTROID
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL CONST[0][0..3]
DCL TEMP[0..2], LOCAL
DCL ADDR[0]
IMM[0] FLT32 { 0.5000, -1.0000, 2.0000, 0.0000}
IMM[1] UINT32 { 1, 2, 3, 4}
  0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D
  1: MAD TEMP[1].xy, TEMP[0].yzzz, CONST[0][3].xxxx, IMM[0].xxxx
  2: IF TEMP[1].xxxx :5
  3:   MOV_SAT TEMP[1], -|TEMP[0].wzyx|
  4: ELSE :5
  5:   DP3 TEMP[1].w, TEMP[0], CONST[0][ADDR[0].x+1]
  6: ENDIF
  7: MOV OUT[0], TEMP[1]
  8: END
";

const ODD: [&str; 7] = [
    "FRAG\r\nDCL IN[0], GENERIC[0], LINEAR\r\nMOV TEMP[0], IN[0]\r\n",
    "FRAG\n/* \u{e9}\u{1f980} */ MOV OUT[0], |-IN[\u{1f980}0].xq\nIMM FLT32 {1,2\nDCL TEMP[0..99999999999]\n",
    "GEOM\nDCL IN[][0], POSITION\nDCL IN[][1], ARRAY(1), GENERIC\nMOV OUT[0], IN[ADDR[0].x+4294967295][0](1)\n",
    "VERT\n(!PRED[0].x) MOV TEMP[ 0 ] , IN [ 0 ]\nIF\nELSE\nENDIF\nENDIF\nBGNSUB :\nCAL :99999999999",
    "FRAG\nIMM [0] FLT32 {1, 2, 3, 4}\nIMM[0]FLT64{1,2}\nDADD TEMP[0].xy, IMM[1].xxxx, IMM[9]\n",
    "FRAG\nDCL TEMP[4294967295]\nMOV TEMP[4294967295].x, -TEMP[-5]\nTEX , , SAMP[0], 2D\nEMIT\n",
    "\u{feff}FRAG1.1\nDCL IN[0]\nMOV",
];

#[test]
fn every_place_of_a_shader() {
    for offset in offsets(SHADER) {
        ask(SHADER, offset);
    }
    for text in ODD {
        offsets(text).for_each(|offset| ask(text, offset));
    }
}

#[test]
fn every_beginning_of_a_shader() {
    for text in ODD.into_iter().chain([SHADER]) {
        for offset in offsets(text) {
            let cut = &text[..usize::from(offset)];
            ask_all(cut);
            ask(cut, offset);
        }
    }
}

#[test]
fn every_shader_with_a_part_missing() {
    for text in ODD.into_iter().chain([SHADER]) {
        let places: Vec<TextSize> = offsets(text).collect();
        for pair in places.windows(4).step_by(7) {
            let (before, after) = (usize::from(pair[0]), usize::from(pair[3]));
            let broken = format!("{}{}", &text[..before], &text[after..]);
            ask_all(&broken);
            ask(&broken, pair[0]);
        }
    }
}

#[test]
fn every_own_shader() {
    let (spelled, instructions) = ask_programs(&corpus::tgsi_programs(), 7);
    assert!(instructions > 400, "{instructions}");
    assert!(spelled * 100 >= instructions * 95, "{spelled} of {instructions}");
}
