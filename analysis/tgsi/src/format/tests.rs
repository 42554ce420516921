//! The layout of each form, and the text that stays as it is.

use expect_test::{Expect, expect};
use source::{TextRange, TextSize, apply_edits};

use super::{Numbers, Scope, format, text_edits};

const KEEP: Numbers = Numbers::Keep;
const ALWAYS: Numbers = Numbers::Always;
const NEVER: Numbers = Numbers::Never;

fn check(text: &str, numbers: Numbers, expected: Expect) {
    let formatted = format(text, numbers);
    assert_eq!(format(&formatted, numbers), formatted, "formatting twice");
    expected.assert_eq(&formatted);
}

#[test]
fn instructions_are_numbered_and_indented() {
    let text = "frag\ndcl  temp [ 0 .. 1 ]\nIF TEMP[0].x:0\nmov temp[0].xyzw,-|temp[1].xyzw|\n\
                ELSE :7\nBGNLOOP\nbrk\nENDLOOP ENDIF\nEND\n";
    check(
        text,
        ALWAYS,
        expect![[r#"
            FRAG
            DCL TEMP[0..1]
              0: IF TEMP[0].xxxx :0
              1:   MOV TEMP[0], -|TEMP[1]|
              2: ELSE :7
              3:   BGNLOOP
              4:     BRK
              5:   ENDLOOP
              6: ENDIF
              7: END
        "#]],
    );
    check(
        text,
        KEEP,
        expect![[r#"
            FRAG
            DCL TEMP[0..1]
            IF TEMP[0].xxxx :0
              MOV TEMP[0], -|TEMP[1]|
            ELSE :7
              BGNLOOP
                BRK
              ENDLOOP
            ENDIF
            END
        "#]],
    );
    let numbered = format(text, ALWAYS);
    assert_eq!(format(&numbered, NEVER), format(text, KEEP));
    assert_eq!(format(&numbered.replace("  3: ", ""), KEEP), numbered, "most have a number");
}

#[test]
fn declarations() {
    check(
        "GEOM\nPROPERTY gs_input_primitive triangles\nDCL IN[ ][0..0],GENERIC\nDCL OUT[0].xyzw, COLOR[0], STREAM(0,0,0,0)\n\
         DCL OUT[1].x, CLIPDIST[1], STREAM(1,0,0,0), INVARIANT\nDCL SVIEW[0], CUBE_ARRAY, FLOAT, UINT\nDCL SVIEW[1], 2D, SINT, SINT\n\
         DCL IMAGE[0], 2D, RAW, WR\nDCL IMAGE[1], 3D, WR, PIPE_FORMAT_R32_UINT\nDCL MEMORY[0]\nDCL TEMP[00..07] , ARRAY( 1 ),LOCAL\n\
         DCL IN[][1], POSITION, LINEAR, CENTER\nEND",
        KEEP,
        expect![[r#"
            GEOM
            PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
            DCL IN[][0], GENERIC[0]
            DCL OUT[0], COLOR
            DCL OUT[1].x, CLIPDIST[1], STREAM(1, 0, 0, 0), INVARIANT
            DCL SVIEW[0], CUBEARRAY, FLOAT, UINT, FLOAT, FLOAT
            DCL SVIEW[1], 2D, SINT
            DCL IMAGE[0], 2D, PIPE_FORMAT_NONE, WR, RAW
            DCL IMAGE[1], 3D, PIPE_FORMAT_R32_UINT, WR
            DCL MEMORY[0], GLOBAL
            DCL TEMP[0..7], ARRAY(1), LOCAL
            DCL IN[][1], POSITION, LINEAR
            END"#]],
    );
}

#[test]
fn operands() {
    check(
        "COMP\n 12: txf temp[ 1 ], TEMP[0], SAMP[0], 2D, IMM[2], imm[2] . zyx\n\
         LOAD TEMP[2], BUFFER[0], TEMP[1].yyyy, 2D, VOLATILE, COHERENT, PIPE_FORMAT_NONE\n\
         STORE BUFFER[0].x, TEMP[1], TEMP[2], BUFFER\n\
         ( ! PRED[0].x)MOV TEMP[0].w, IMM[0].y\nMOV_SAT TEMP[ADDR[0]+0](1), CONST[ADDR[0].y+2][ADDR[0].x-1]\n\
         MOV TEMP[70000], TEMP[0070001]\nEND",
        KEEP,
        expect![[r#"
            COMP
              0: TXF TEMP[1], TEMP[0], SAMP[0], 2D, IMM[2].xyz, IMM[2].zyx
            LOAD TEMP[2], BUFFER[0], TEMP[1].yyyy, COHERENT, VOLATILE, 2D
            STORE BUFFER[0].x, TEMP[1], TEMP[2]
            (!PRED[0].xxxx) MOV TEMP[0].w, IMM[0].yyyy
            MOV_SAT TEMP[ADDR[0].x](1), CONST[ADDR[0].y+2][ADDR[0].x-1]
            MOV TEMP[70000], TEMP[70001]
            END"#]],
    );
}

#[test]
fn historic_operands_stay() {
    check(
        "FRAG1.1\nDCL TEMP[0..2]\n0:mov_satnv temp[0]_2x .xy , 1-( temp [1] )\n\
         1: ADD TEMP[1]_d4,2*((TEMP[2].xyxy)-0.5), -( | TEMP[0] | )\n2:MUL TEMP[1],(TEMP[2])-.5,\n\
         temp[0].-xY01\n3:MOV TEMP[0] ( gt.x ),TEMP[1].-X01-w\n4:MOV TEMP[2], TEMP[1] .0011\n5:END\n",
        ALWAYS,
        expect![[r#"
            FRAG1.1
            DCL TEMP[0..2]
              0: MOV_SATNV TEMP[0]_2X.xy, 1-(TEMP[1])
              1: ADD TEMP[1]_D4, 2*((TEMP[2].xyxy)-0.5), -(|TEMP[0]|)
              2: MUL TEMP[1], (TEMP[2])-.5, TEMP[0].-xy01
              3: MOV TEMP[0] (GT.x), TEMP[1].-x01-w
              4: MOV TEMP[2], TEMP[1].0011
              5: END
        "#]],
    );
}

#[test]
fn values_keep_every_bit() {
    check(
        "VERT\nIMM FLT32 {0.5,1e-10,-0, 0x3f800001}\nIMM flt32 {0x3F800000, 0x00000005, 1e20, 0.1}\n\
         IMM[2] UINT32 {1065353216, 007, 4294967295, 4294967296}\nIMM[3] INT32 {-1, +1, 0, 2}\nIMM[4] FLT64 {0.1, 1e300}\n\
         IMM[5] FLT64 {0x00000000, 0x3FF00000, 0x00000000, 0x40000000}\nIMM[6] INT64 {-1, 0xFF}\nEND",
        KEEP,
        expect![[r#"
            VERT
            IMM[0] FLT32 {    0.5000,      1e-10,    -0.0000,  1.0000001}
            IMM[1] FLT32 {    1.0000, 0x00000005,       1e20,     0.1000}
            IMM[2] UINT32 {1065353216, 7, 4294967295, 4294967296}
            IMM[3] INT32 {-1, 1, 0, 2}
            IMM[4] FLT64 {0.10000000,      1e300}
            IMM[5] FLT64 {0x00000000, 0x3ff00000, 0x00000000, 0x40000000}
            IMM[6] INT64 {-1, 0xff}
            END"#]],
    );
}

/// Floats of every exponent and either sign, in every spelling: what is
/// formatted reads as the same bits.
#[test]
fn no_float_loses_a_bit() {
    const STEP: usize = 65_521;
    let specials = [0, 1, 0x7f_ffff, 0x80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0001, 0x8000_0000];
    let sampled = (0..=u32::MAX).step_by(STEP).chain(specials);
    let bits: Vec<u32> = sampled.collect();
    let spellings: [fn(f32) -> String; 4] = [
        |value| format!("0x{:08x}", value.to_bits()),
        |value| format!("{value:?}"),
        |value| format!("{value:e}"),
        |value| format!("{value}"),
    ];
    for (number, spelling) in spellings.into_iter().enumerate() {
        let readable = |bits: &u32| {
            let value = f32::from_bits(*bits);
            // Only the bits tell one NaN from another.
            number == 0 || !value.is_nan()
        };
        let wanted: Vec<u32> = bits.iter().copied().filter(readable).collect();
        let mut text = "FRAG\n".to_owned();
        for four in wanted.chunks_exact(4) {
            let values: Vec<String> =
                four.iter().map(|bits| spelling(f32::from_bits(*bits))).collect();
            text += &format!("IMM FLT32 {{{}}}\n", values.join(", "));
        }
        text += "END\n";
        let formatted = format(&text, KEEP);
        assert_ne!(formatted, text);
        let shader = crate::parser::parse(&formatted, &source::no_checkpoint).shader;
        let read: Vec<u32> =
            shader.expect("a shader").immediates().flat_map(|it| it.bits).collect();
        assert_eq!(read, wanted[..read.len()]);
        assert!(read.len() > 65_000, "only {} floats", read.len());
    }
}

#[test]
fn comments_and_blank_lines_stay() {
    check(
        "// before\nVERT   // the header\n\n\n\nDCL IN[0]     # aligned\n  DCL IN[1]/* glued */\n# at the start\n    # indented\n\
         0: BGNLOOP\n   // inside\n/* two\n     lines */ 1: BRK /* a */ 2: ENDLOOP\n3: MOV OUT[0], /* why */ IN[0]\n4: END   \n\nafter  the end\n",
        KEEP,
        expect![[r#"
            // before
            VERT   // the header

            DCL IN[0]     # aligned
            DCL IN[1] /* glued */
            # at the start
                 # indented
              0: BGNLOOP
                   // inside
            /* two
                 lines */
              1:   BRK /* a */
              2: ENDLOOP
              3: MOV OUT[0], /* why */ IN[0]
              4: END   

            after  the end
        "#]],
    );
}

#[test]
fn what_has_an_error_stays() {
    check(
        "VERT\nDCL  IN[0]\n   mvo  TEMP[0]  ,IN[0]\nMOV   OUT[0],IN[0]\n  MOV  OUT[0] ADD  OUT[0], IN[0], IN[0]\nEND",
        ALWAYS,
        expect![[r#"
            VERT
            DCL IN[0]
               mvo  TEMP[0]  ,IN[0]
            MOV OUT[0], IN[0]
              MOV  OUT[0] ADD OUT[0], IN[0], IN[0]
              4: END"#]],
    );
}

#[test]
fn an_indented_shader_keeps_its_column() {
    check(
        "a log:\n    VERT\n    DCL IN[0]\n0: NOP\n\n  1: END\nmore\n",
        KEEP,
        expect![[r#"
            a log:
                VERT
                DCL IN[0]
                  0: NOP

                  1: END
            more
        "#]],
    );
}

#[test]
fn line_ends_stay() {
    assert_eq!(
        format("VERT\r\nNOP\r\n\r\n\r\nNOP END\r\n", KEEP),
        "VERT\r\nNOP\r\n\r\nNOP\r\nEND\r\n"
    );
}

#[test]
fn edits_are_few_and_small() {
    let text = "VERT\nDCL IN[0]\n  0: MOV OUT[0], IN[0].xyzw\n 1: mov  OUT[1], IN[0]\n  2: END\n";
    let edits = text_edits(text, KEEP, Scope::Whole);
    let shown: Vec<String> =
        edits.iter().map(|edit| format!("{:?} -> {:?}", &text[edit.range], edit.insert)).collect();
    assert_eq!(shown, [r#"".xyzw" -> """#, r#""" -> " ""#, r#""mov" -> "MOV""#, r#"" " -> """#]);
}

#[test]
fn a_range_is_formatted_alone() {
    let text = "VERT\ndcl in[0]\nmov out[0],in[0]\nmov out[1],in[0]\nend\n";
    let start = TextSize::new(text.find("mov out[1]").unwrap() as u32);
    let scope = Scope::Range(TextRange::at(start, 4.into()));
    let edits = text_edits(text, KEEP, scope);
    let edited = apply_edits(text, &edits).unwrap();
    assert_eq!(edited, text.replace("mov out[1],in[0]", "MOV OUT[1], IN[0]"));
}

#[test]
fn deep_nesting_does_not_blow_up() {
    let depth = 20_000;
    let text = format!("VERT\n{}{}END\n", "BGNLOOP\n".repeat(depth), "ENDLOOP\n".repeat(depth));
    assert!(format(&text, ALWAYS).len() < text.len() + depth * 300);
}

#[test]
fn what_follows_an_end_in_its_line_stays_in_its_shader() {
    let text = "VERT NOP END 3: NOP END";
    let formatted = format(text, KEEP);
    let shaders = |text: &str| -> Vec<_> {
        let shader = |it: &crate::regions::Region| {
            crate::parser::parse(it.text(text), &source::no_checkpoint)
                .shader
                .map(|it| super::meaning(&it))
        };
        crate::regions::split(text).shaders.iter().map(shader).collect()
    };
    assert_eq!(shaders(&formatted), shaders(text), "{formatted}");
}
