//! Instructions and their operands.

use expect_test::expect;
use source::{Severity, no_checkpoint};

use super::check;
use crate::parser;

#[test]
fn instructions() {
    check(
        "FRAG\n  0: MOV_SAT_PRECISE TEMP[0].xz, -|IN[0].wzyx|\n1 :\n mad temp [ 1 ] , CONST[2][3], IMM[0].XXXX,\nIN[1]\n\
         TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz, TEMP[1]\nIF TEMP[0].xxxx :7\nELSE :8\nENDIF CAL : 3\n\
         LOAD TEMP[0], IMAGE[0], IN[0], COHERENT, 2D, PIPE_FORMAT_R32_UINT\nRESQ TEMP[0].x, BUFFER[0]\n\
         GATHER4 TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].xyz\nBARRIER END",
        expect![[r#"
            FRAG
              1: MOV sat precise TEMP[0].xz -|IN[0].wzyx|
              2: MAD TEMP[1].xyzw CONST[2][3].xyzw IMM[0].xxxx IN[1].xyzw
              3: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw 2D +IMM[0].xyz +TEMP[1].xyz
              4: IF TEMP[0].xxxx :7
              5: ELSE :8
              6: ENDIF
              7: CAL :3
              8: LOAD TEMP[0].xyzw IMAGE[0].xyzw IN[0].xyzw 2D COHERENT PIPE_FORMAT_R32_UINT
              9: RESQ TEMP[0].x BUFFER[0].xyzw
              10: GATHER4 TEMP[0].xyzw IN[0].xyzw SVIEW[0].xyzw SAMP[0].xyzw +IMM[0].xyz
              11: BARRIER
              12: END
        "#]],
    );
    check(
        "VERT\nMOV TEMP[ADDR[0].y+2](1).x, CONST[ADDR[0]][TEMP[3].w-1](2)\nMOV OUT[0], IN[SV[0].x][1]",
        expect![[r#"
            VERT
              1: MOV TEMP[ADDR[0].y+2](1).x CONST[ADDR[0].x+0][TEMP[3].w-1](2).xyzw
              2: MOV OUT[0].xyzw IN[SV[0].x+0][1].xyzw
        "#]],
    );
}

#[test]
fn instructions_of_other_years() {
    check(
        "GEOM\nEMIT\nENDPRIM\nSUB_SAT TEMP[0], IN[0][0], IN[0][0]\nSUB TEMP[0], IN[0][0], IN[0][0]\nMOV_SSAT TEMP[0], IMM[0].x\n\
         MOV TEMP[0], CONST[ADDR[0].x + 3].xy\nMOV TEMP[0], CONST[-1]\nUNK67\n(!PRED[0].x) MOV TEMP[0], TEMP[1]\n\
         TEX TEMP[0], IN[0][0], SAMP[0], CUBE_ARRAY\nSAMPLE_L TEMP[0], TEMP[1], RES[0], SAMP[0]\nEND",
        expect![[r#"
            GEOM
              1: EMIT
              2: ENDPRIM
              3: SUB sat TEMP[0].xyzw IN[0][0].xyzw IN[0][0].xyzw
              4: SUB TEMP[0].xyzw IN[0][0].xyzw IN[0][0].xyzw
              5: MOV TEMP[0].xyzw IMM[0].xxxx
              6: MOV TEMP[0].xyzw CONST[ADDR[0].x+3].xyyy
              7: MOV TEMP[0].xyzw CONST[-1].xyzw
              8: UNK67
              9: MOV if(!PRED[0]) TEMP[0].xyzw TEMP[1].xyzw
              10: TEX TEMP[0].xyzw IN[0][0].xyzw SAMP[0].xyzw CUBEARRAY
              11: SAMPLE_L TEMP[0].xyzw TEMP[1].xyzw RES[0].xyzw SAMP[0].xyzw
              12: END
            hint "EMIT": `EMIT` had one operand less until 2014; since then a stream immediate follows, such as `IMM[0].xxxx`
            hint "ENDPRIM": `ENDPRIM` had one operand less until 2014; since then a stream immediate follows, such as `IMM[0].xxxx`
            hint "SUB_SAT": `SUB` left the language on 2017-01-05; today write `ADD dst, src0, -src1` (and in one more place)
                Write `ADD`: "ADD_SAT TEMP[0], IN[0][0], -IN[0][0]"
                Write `ADD` everywhere in this shader: "ADD_SAT TEMP[0], IN[0][0], -IN[0][0]"
            hint "MOV_SSAT": the limits -1..1 (`_SATNV`, `_SSAT`) were in the language until 2015; clamp with `MAX` and `MIN`
            hint ".x": the reference parser requires four letters in a swizzle; this is read as `.xxxx` (and in 2 more places)
                Write all four letters: "MOV_SSAT TEMP[0], IMM[0].xxxx"
                Write all four letters everywhere in this shader: "MOV_SSAT TEMP[0], IMM[0].xxxx"
            hint "+ 3": readers since 2012 refuse a blank between the sign and the number
                Remove the blank: "MOV TEMP[0], CONST[ADDR[0].x+3].xy"
            hint "-1": only virglrenderer reads a negative register number, and no register has it
            warning "UNK67": Mesa's parser reads this word, but no opcode has this number; it does nothing
            hint "(!PRED[0].x)": predicates were in the language from 2010 to 2017; use `IF` or `UCMP`
            hint "PRED": the file `PRED` was in the language from 2009 to 2017; use `IF` or `UCMP`
            hint "CUBE_ARRAY": the reference parser spells this target `CUBEARRAY`
                Write `CUBEARRAY`: "TEX TEMP[0], IN[0][0], SAMP[0], CUBEARRAY"
            hint "RES": the file `RES` was in the language from 2011 to 2016; use `SVIEW`, `IMAGE` or `BUFFER`
            hint "]": `SAMPLE_L` had one operand less until 2013; since then the level of detail is a source of its own
        "#]],
    );
}

#[test]
fn wrong_instructions() {
    check(
        "VERT\nMADD TEMP[0], IN[0], IN[0], IN[0]\nFOO_SAT TEMP[0]\nMVO_SAT TEMP[0], IN[0]\nMOV_PRECISE_SAT TEMP[0], IN[0]\n\
         ADD TEMP[0], IN[0]\nADD TEMP[0], IN[0],\nADD\nMOV TEMP[0], IN[0], IN[0]\nMOV TEMP[0] IN[0]\nNOP TEMP[0]\nNOP;\n\
         TEX TEMP[0], IN[0], SAMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 5D\nMOV TEMP[0], IN[0] :3\nIF IN[0].xxxx :x\n\
         LOAD TEMP[0], IMAGE[0], IN[0], COHERNT\nATOMFADD TEMP[0], IMAGE[0], IN[0], IN[0], COHERENT\n0: DCL TEMP[0]\n\
         0: 1: END\n0x0: END\n; text\n5\nEND\n5:",
        expect![[r#"
            VERT
              1: MADD TEMP[0].xyzw IN[0].xyzw IN[0].xyzw IN[0].xyzw
            ! ? "FOO_SAT TEMP[0]"
            ! ? "MVO_SAT TEMP[0], IN[0]"
            ! 2: MOV sat precise TEMP[0].xyzw IN[0].xyzw
            ! 3: ADD TEMP[0].xyzw IN[0].xyzw
            ! 4: ADD TEMP[0].xyzw IN[0].xyzw
            ! 5: ADD
            ! 6: MOV TEMP[0].xyzw IN[0].xyzw
            ! 7: MOV TEMP[0].xyzw IN[0].xyzw
            ! 8: NOP
            ! 9: NOP
            ! 10: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw
            ! 11: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw
            ! 12: MOV TEMP[0].xyzw IN[0].xyzw
            ! 13: IF IN[0].xxxx
            ! 14: LOAD TEMP[0].xyzw IMAGE[0].xyzw IN[0].xyzw
            ! 15: ATOMFADD TEMP[0].xyzw IMAGE[0].xyzw IN[0].xyzw IN[0].xyzw
            ! ? "0:"
              DCL TEMP[0..0]
            ! ? "0:"
              16: END
            ! ? "0x0:"
              17: END
            ! ? "; text\n5"
              18: END
            ! ? "5:"
            hint "MADD": `MADD` left the language on 2009-07-22; today write `MAD dst, src0, src1, src2`
                Write `MAD`: "MAD TEMP[0], IN[0], IN[0], IN[0]"
            error "FOO_SAT": unknown opcode `FOO_SAT`
            error "MVO_SAT": unknown opcode `MVO_SAT`; did you mean `MOV_SAT`?
                Replace by `MOV_SAT`: "MOV_SAT TEMP[0], IN[0]"
            error "MOV_PRECISE_SAT": `_SAT` comes before `_PRECISE`: write `MOV_SAT_PRECISE`
                Write `MOV_SAT_PRECISE`: "MOV_SAT_PRECISE TEMP[0], IN[0]"
            error "]": `ADD` takes 1 destination and 2 sources; source 2 is missing
            error ",": `ADD` takes 1 destination and 2 sources; source 2 is missing
            error "ADD": `ADD` takes 1 destination and 2 sources; all of them are missing
            error ",": `MOV` takes 1 destination and 1 source; the statement ends before `,`
                Remove the extra text: "MOV TEMP[0], IN[0]"
            error "IN": expected `,` before this operand
                Insert the comma: "MOV TEMP[0], IN[0]"
            error "TEMP": `NOP` takes no operands; the statement ends before `TEMP`
                Remove the extra text: "NOP"
            error ";": expected the end of the statement, found `;`
                Remove the `;`: "NOP"
            error "]": `TEX` needs a texture target such as `2D` after its operands
            error "5D": expected a texture target such as `2D`, found `5D`
            error ":": `MOV` takes no label
                Remove the label: "MOV TEMP[0], IN[0]"
            error "x": expected the number of an instruction, found `x`
            error "COHERNT": expected a memory qualifier, texture target or format, found `COHERNT`; did you mean `COHERENT`?
                Replace by `COHERENT`: "LOAD TEMP[0], IMAGE[0], IN[0], COHERENT"
            error ",": `ATOMFADD` takes 1 destination and 3 sources; the statement ends before `,`
                Remove the extra text: "ATOMFADD TEMP[0], IMAGE[0], IN[0], IN[0]"
            error "DCL": only instructions may be numbered, `DCL` not
                Remove the number: "DCL TEMP[0]"
            error "1": an opcode must follow the instruction number
            error "0x0": instruction numbers are decimal, `0x0` is not
            error ";": expected a statement, found `;`
            error "5": an opcode must follow the instruction number
        "#]],
    );
}

#[test]
fn wrong_operands() {
    check(
        "VERT\nMOV TEMP[0], TMEP[0]\nMOV TEMP[0], 1.0\nMOV TEMP[0], {1,2,3,4}\nMOV TEMP[0], +IN[0]\nMOV TEMP[0], |-IN[0]|\n\
         MOV TEMP[0], |IN[0]\nMOV TEMP[0], IN[0].xq\nMOV TEMP[0], IN[0].rgba\nMOV TEMP[0], IN[0].xyzwx\nMOV TEMP[0], IN[0].\n\
         MOV TEMP[0].yx, IN[0]\nMOV TEMP[0].xx, IN[0]\nMOV TEMP[0]., IN[0]\nMOV TEMP, IN[0]\nMOV TEMP[], IN[0]\n\
         MOV TEMP[0, IN[0]\nMOV TEMP[0], CONST[ADDR[TEMP[0].x].x]\nMOV TEMP[0], CONST[ADDR[0].xy]\n\
         MOV TEMP[0], CONST[ADDR[0].x+]\nMOV TEMP[0], TEMP[ADDR[0].x](a)\n\
         TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xy\nMOV TEMP[0], MOV\nEND",
        expect![[r#"
            VERT
            ! 1: MOV TEMP[0].xyzw
            ! 2: MOV TEMP[0].xyzw
            ! 3: MOV TEMP[0].xyzw
            ! 4: MOV TEMP[0].xyzw
            ! 5: MOV TEMP[0].xyzw |IN[0].xyzw|
            ! 6: MOV TEMP[0].xyzw
            ! 7: MOV TEMP[0].xyzw
            ! 8: MOV TEMP[0].xyzw
            ! 9: MOV TEMP[0].xyzw
            ! 10: MOV TEMP[0].xyzw
            ! 11: MOV TEMP[0].xy IN[0].xyzw
            ! 12: MOV TEMP[0].x IN[0].xyzw
            ! 13: MOV
            ! 14: MOV
            ! 15: MOV
            ! 16: MOV
            ! 17: MOV TEMP[0].xyzw
            ! 18: MOV TEMP[0].xyzw
            ! 19: MOV TEMP[0].xyzw
            ! 20: MOV TEMP[0].xyzw
            ! 21: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw 2D
            ! 22: MOV TEMP[0].xyzw
              23: END
            error "TMEP": expected a source register, but `TMEP` is not a register file; did you mean `TEMP`?
                Replace by `TEMP`: "MOV TEMP[0], TEMP[0]"
            error "1": operands are registers: declare the value with `IMM[n] FLT32 { … }` and name it `IMM[n]`
                Declare it as `IMM[0]`: "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}"
            error "{": operands are registers: declare the value with `IMM[n] FLT32 { … }` and name it `IMM[n]`
            error "+": an operand cannot have a `+`; only `-` is allowed before it
                Remove the `+`: "MOV TEMP[0], IN[0]"
            error "-": the sign stands outside of the bars: write `-|…|`
                Remove the `-`: "MOV TEMP[0], |IN[0]|"
            error "]": expected `|`, which closes the absolute value, found the end of the statement
                Insert `|`: "MOV TEMP[0], |IN[0]|"
            error "xq": expected a swizzle of four letters `xyzw`, found `xq`
            error "rgba": expected a swizzle of four letters `xyzw`, found `rgba`
                Write `.xyzw`: "MOV TEMP[0], IN[0].xyzw"
            error "xyzwx": expected a swizzle of four letters `xyzw`, found `xyzwx`
            error ".": expected a swizzle such as `.xyzw` after the dot, found the end of the statement
            error "yx": a write mask names each component once and in order: `xy`, not `yx`
                Write `.xy`: "MOV TEMP[0].xy, IN[0]"
            error "xx": a write mask names each component once and in order: `x`, not `xx`
                Write `.x`: "MOV TEMP[0].x, IN[0]"
            error ",": expected a write mask such as `.xyz` after the dot, found `,`
            error ",": expected `[` and a register number after `TEMP`, found `,`
            error "]": expected a register number, found `]`
            error ",": expected `]`, found `,`
                Insert `]`: "MOV TEMP[0], IN[0]"
            error "TEMP": expected a plain register number, since indices nest only once, found `TEMP`
            error "xy": an index reads exactly one component, such as `.x`; found `xy`
            error "]": expected a number, found `]`
            error "a": expected the number of an array, found `a`
            error "xy": a texel offset reads exactly three components, such as `.xyz`; found `xy`
            error "MOV": expected a source register, but `MOV` is not a register file
        "#]],
    );
}

#[test]
fn a_number_on_the_next_line_is_no_label() {
    let text = "FRAG\nDCL TEMP[0]\n0: IF TEMP[0].xxxx :\n1: NOP\n2: ENDIF :\n3: END\n";
    let parse = parser::parse(text, &no_checkpoint);
    let errors: Vec<(&str, &str)> = parse
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .map(|found| (&text[found.range], found.message.as_str()))
        .collect();
    assert_eq!(
        errors,
        [
            (":", "expected the number of an instruction, found the end of the statement"),
            (":", "`ENDIF` takes no label"),
        ]
    );
    let shader = parse.shader.expect("a shader");
    let numbers: Vec<Option<u32>> =
        shader.instructions().map(|it| it.number.map(|number| number.value)).collect();
    assert_eq!(numbers, [Some(0), Some(1), Some(2), Some(3)]);
    // The number of a label may stand on a line of its own, as readers take it.
    let text = "FRAG\nDCL TEMP[0]\n0: IF TEMP[0].xxxx :\n1\n1: ENDIF\n2: END\n";
    let shader = parser::parse(text, &no_checkpoint).shader.expect("a shader");
    let label = shader.instructions().next().and_then(|it| it.label);
    assert_eq!(label.map(|it| it.value), Some(1));
}
