//! Instructions spelled out.

use super::shader;
use crate::ast::Component;
use crate::service::declared::Declared;
use crate::service::formula::expand;

const DECLARATIONS: &str = "\
DCL IN[0..1]
DCL OUT[0..1]
DCL TEMP[0..3]
DCL CONST[0][0..7]
DCL SAMP[0..1]
DCL SVIEW[0], CUBE, FLOAT
DCL BUFFER[0]
DCL IMAGE[0], 2D, WR, PIPE_FORMAT_R32_UINT
DCL ADDR[0]
IMM[0] FLT32 { 0.5, -1.0, 2.0, 0.0}
IMM[1] UINT32 { 1, 2, 3, 4294967295}
IMM[2] FLT64 { 0.25, 3.0}
";

/// The steps of an instruction, and what it reads of each source.
#[track_caller]
fn check(instruction: &str, expected: &str) {
    let text = format!("FRAG\n{DECLARATIONS}{instruction}\n");
    let shader = shader(&text);
    let instruction = shader.instructions().next().expect("an instruction");
    let found =
        expand(&Declared::new(&shader), instruction).map_or("nothing".to_owned(), |expanded| {
            let reads = expanded
                .reads
                .iter()
                .map(|read| read.components().map(Component::letter).collect::<String>());
            format!("{} <{}>", expanded.steps.join("; "), reads.collect::<Vec<_>>().join(" "))
        });
    assert_eq!(found, expected);
}

#[test]
fn masks_and_swizzles_are_applied() {
    check(
        "MAD OUT[0].xy, TEMP[0], CONST[0][3].xxxx, IMM[0].xxxx",
        "OUT[0].xy = TEMP[0].xy × CONST[0][3].xx + (0.5, 0.5) <xy x x>",
    );
    check("MOV OUT[0], TEMP[1]", "OUT[0] = TEMP[1] <xyzw>");
    check("MOV OUT[0].yw, TEMP[1].xxyz", "OUT[0].yw = TEMP[1].xz <xz>");
    check(
        "DP3 TEMP[0].x, TEMP[1].zyxx, CONST[0][1]",
        "TEMP[0].x = TEMP[1].z × CONST[0][1].x + TEMP[1].y × CONST[0][1].y + TEMP[1].x × CONST[0][1].z <xyz xyz>",
    );
    check("RCP TEMP[0].z, TEMP[1].wwww", "TEMP[0].z = 1.0 / TEMP[1].w <w>");
    check("LIT TEMP[0].xw, TEMP[1]", "TEMP[0].x = 1.0; TEMP[0].w = 1.0 <>");
}

#[test]
fn modifiers_join_with_the_operators() {
    check("ADD TEMP[0].x, TEMP[1], -TEMP[2]", "TEMP[0].x = TEMP[1].x - TEMP[2].x <x x>");
    check("MUL TEMP[0].x, TEMP[1], -|TEMP[2]|", "TEMP[0].x = TEMP[1].x × (-|TEMP[2].x|) <x x>");
    check("MOV_SAT TEMP[0].x, TEMP[1]", "TEMP[0].x = clamp(TEMP[1].x, 0.0, 1.0) <x>");
    check("MOV TEMP[0].x, -IMM[0].yyyy", "TEMP[0].x = 1.0 <y>");
    check("INEG TEMP[0].x, TEMP[1]", "TEMP[0].x = -TEMP[1].x <x>");
}

#[test]
fn immediates_show_their_values_as_the_operand_reads_them() {
    check("UADD TEMP[0].x, TEMP[1], IMM[1].wwww", "TEMP[0].x = TEMP[1].x + 4294967295 <x w>");
    check("ISHR TEMP[0].x, IMM[1].wwww, IMM[1].xxxx", "TEMP[0].x = -1 >> (1 & 0x1f) <w x>");
    check("DADD TEMP[0].xy, TEMP[1], IMM[2].zwzw", "TEMP[0].xy = TEMP[1].xy + 3.0 <xy zw>");
    check("MOV TEMP[0].xy, IMM[1]", "TEMP[0].xy = (1, 2) <xy>");
}

#[test]
fn look_ups_take_the_coordinates_of_their_target() {
    check(
        "TEX OUT[0], IN[0], SAMP[0], 2D",
        "OUT[0] = sample(sampler SAMP[0], coordinates IN[0].xy) <xy xyzw>",
    );
    check(
        "TEX OUT[0].x, IN[0].xyzz, SAMP[1], SHADOW2D",
        "OUT[0].x = sample(sampler SAMP[1], coordinates IN[0].xy, reference IN[0].z) <xyz xyzw>",
    );
    check(
        "TXF OUT[0], TEMP[0], SAMP[0], 2D_MSAA",
        "OUT[0] = texel(sampler SAMP[0], coordinates TEMP[0].xy, sample TEMP[0].w) <xyw xyzw>",
    );
    check(
        "SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0]",
        "OUT[0] = sample(view SVIEW[0], sampler SAMP[0], coordinates IN[0].xyz) <xyz xyzw xyzw>",
    );
}

#[test]
fn memory_is_addressed() {
    check("LOAD TEMP[0].x, BUFFER[0], TEMP[1]", "TEMP[0].x = BUFFER[0][TEMP[1].x] <xyzw x>");
    check("LOAD TEMP[0], IMAGE[0], TEMP[1], 2D", "TEMP[0] = IMAGE[0][TEMP[1].xy] <xyzw xy>");
    check("STORE BUFFER[0].xy, TEMP[1], TEMP[2]", "BUFFER[0][TEMP[1].x] = TEMP[2].xy <x xy>");
    check(
        "ATOMUADD TEMP[0].x, BUFFER[0], TEMP[1], IMM[1].xxxx",
        "TEMP[0].x = BUFFER[0][TEMP[1].x]; BUFFER[0][TEMP[1].x] = BUFFER[0][TEMP[1].x] + 1 <xyzw x x>",
    );
}

#[test]
fn conditions_are_spelled_and_the_rest_is_left() {
    check("IF TEMP[0].yyyy", "if (TEMP[0].y != 0.0) <y>");
    check("END", " <>");
    check(
        "NRM4 TEMP[0].x, TEMP[1]",
        "TEMP[0].x = TEMP[1].x / sqrt(TEMP[1].x × TEMP[1].x + TEMP[1].y × TEMP[1].y + TEMP[1].z × TEMP[1].z + TEMP[1].w × TEMP[1].w) <xyzw>",
    );
    check("M3X2 TEMP[0].x, TEMP[1], CONST[0][0]", "nothing");
}

#[test]
fn every_opcode_has_a_form_or_none_but_no_half_of_one() {
    for opcode in crate::Opcode::all().filter(|it| it.had_text_form()) {
        let row = opcode.row();
        let mut operands: Vec<String> = Vec::new();
        operands.extend((0..row.destinations).map(|at| format!("TEMP[{at}]")));
        operands.extend((0..row.sources).map(|at| format!("CONST[0][{at}]")));
        if row.texture {
            operands.push("2D".to_owned());
        }
        let text = format!("FRAG\n{DECLARATIONS}{} {}\n", row.mnemonic, operands.join(", "));
        let shader = shader(&text);
        let Some(expanded) =
            shader.instructions().next().and_then(|it| expand(&Declared::new(&shader), it))
        else {
            continue;
        };
        for step in expanded.steps {
            assert!(!step.contains("src") && !step.contains("dst"), "{}: {step}", row.mnemonic);
        }
    }
}
