//! The services over whole shaders, and over every place of many texts.

mod completing;
mod formulas;
mod navigating;
mod refactoring;
mod structure;

use crate::ast::Shader;
use crate::parser::parse;

/// A shader with one of most things.
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

#[track_caller]
fn shader(text: &str) -> Shader {
    parse(text, &source::no_checkpoint).shader.expect("a shader")
}

/// Takes the cursor `$0` out of a text.
#[track_caller]
fn cursor(marked: &str) -> (String, source::TextSize) {
    let at = marked.find("$0").expect("a cursor");
    (marked.replacen("$0", "", 1), source::TextSize::new(at as u32))
}
