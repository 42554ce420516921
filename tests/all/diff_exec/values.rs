//! The join of machine code to lines by values.

use diff_exec::{Delivery, Lanes, OutsideCode, VectorStart, lines_by_values};
use gcn::Target;

use super::outside::instructions;

/// The attribute 0 is input 0.
const ATTRIBUTES: &[[Option<(u32, u8)>; 4]] =
    &[[Some((0, 0)), Some((0, 1)), Some((0, 2)), Some((0, 3))]];

/// A shader with some declarations.
fn shader(body: &str) -> tgsi::ast::Shader {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
         IMM[0] FLT32 {{0.3, 1.7, 0.0, 1.0}}\n{body}\nMOV OUT[0], TEMP[0]\nEND\n"
    );
    tgsi::parser::parse(&text, &source::no_checkpoint).shader.expect("a shader")
}

/// The line of each instruction.
fn lines(body: &str, code: &str) -> Vec<Option<u32>> {
    let target = Target::find("polaris10").expect("a chip");
    let code = OutsideCode {
        target,
        instructions: &instructions(target, code),
        constants: &[],
        scalars: Vec::new(),
        vectors: vec![VectorStart::Zero; 2],
        high: 0,
        scratch: 0,
        lanes: Lanes::Quad,
        delivery: Delivery::Attributes(ATTRIBUTES),
    };
    lines_by_values(&shader(body), &code, &|_| Vec::new(), &[]).expect("it runs")
}

/// The components of the input in v2 to v5.
const LOADS: &str = "v_interp_mov_f32 v2, p0, attr0.x\nv_interp_mov_f32 v3, p0, attr0.y\n\
                     v_interp_mov_f32 v4, p0, attr0.z\nv_interp_mov_f32 v5, p0, attr0.w";

#[test]
fn an_instruction_is_of_the_line_that_computes_the_same_of_the_same() {
    let body = "MUL TEMP[0].x, IN[0].xxxx, IN[0].yyyy\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n\
                MIN TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nFRC TEMP[0].x, TEMP[0].xxxx";
    // The order is another one, and a sum is of no line.
    let code = format!(
        "{LOADS}\nv_add_f32 v9, v4, v5\nv_mul_f32 v6, v2, v3\nv_add_f32 v6, 0x3e99999a, v6\n\
         v_min_f32 v6, 0x3fd9999a, v6\ns_nop 0\nv_fract_f32 v6, v6\ns_endpgm"
    );
    let found = lines(body, &code);
    assert_eq!(found[..4], [Some(1), Some(1), None, None], "inputs are of their reader");
    assert_eq!(found[4..], [None, Some(1), Some(2), Some(3), Some(4), Some(4), None]);
}

#[test]
fn a_part_is_of_the_only_line_that_it_is_a_part_of() {
    let body = "DP4 TEMP[0].x, IN[0], IN[0].wzyx\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy";
    let code = format!(
        "{LOADS}\nv_mul_f32 v6, v2, v5\nv_mac_f32 v6, v3, v4\nv_mac_f32 v6, v4, v3\n\
         v_mac_f32 v6, v5, v2\nv_add_f32 v6, 0x3fd9999a, v6\ns_endpgm"
    );
    assert_eq!(lines(body, &code)[4..], [Some(1), Some(1), Some(1), Some(1), Some(2), None]);
}

#[test]
fn control_is_of_its_comparison_and_a_choice_of_two_lines_of_none() {
    let body = "FSLT TEMP[1].x, IN[0].xxxx, IMM[0].xxxx\nUIF TEMP[1].xxxx\n\
                MUL TEMP[0].x, IN[0].yyyy, IN[0].zzzz\nELSE\nADD TEMP[0].x, IN[0].yyyy, IN[0].zzzz\n\
                ENDIF";
    let branch = format!(
        "{LOADS}\nv_cmp_gt_f32 vcc, 0x3e99999a, v2\ns_and_saveexec_b64 s[0:1], vcc\n\
         v_mul_f32 v6, v3, v4\ns_andn2_b64 exec, s[0:1], exec\nv_add_f32 v6, v3, v4\n\
         s_mov_b64 exec, s[0:1]\ns_endpgm"
    );
    let found = lines(body, &branch);
    assert_eq!(found[4..], [Some(1), Some(1), Some(3), Some(1), Some(5), Some(1), None]);
    let choice = format!(
        "{LOADS}\nv_cmp_gt_f32 vcc, 0x3e99999a, v2\nv_mul_f32 v6, v3, v4\nv_add_f32 v7, v3, v4\n\
         v_cndmask_b32 v6, v7, v6, vcc\ns_endpgm"
    );
    assert_eq!(lines(body, &choice)[4..], [Some(1), Some(3), Some(5), None, None]);
}

#[test]
fn values_that_tell_nothing_give_no_line() {
    // Whatever comes in, the limits leave 0 and 1.
    let body = "MOV_SAT TEMP[0].x, IN[0].xxxx\nMIN TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\n\
                ADD TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\nMUL TEMP[0].z, TEMP[0].yyyy, IMM[0].wwww";
    let code = format!("{LOADS}\nv_mov_b32 v6, 0\nv_add_f32 v7, 1.0, v6\ns_endpgm");
    assert_eq!(lines(body, &code)[4..], [None, None, None]);
}
