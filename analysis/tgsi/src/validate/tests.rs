//! Each check, and the forms that must not set it off.

mod glances;
mod limits;
mod undefined;

use expect_test::{Expect, expect};
use source::no_checkpoint;

fn check(text: &str, expected: Expect) {
    let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
    let mut out = String::new();
    for found in super::validate(&shader, &no_checkpoint) {
        out += &format!("{:?} {:?}: {}\n", found.severity, &text[found.range], found.message);
        for fix in &found.fixes {
            let fixed = source::apply_edits(text, &fix.edits).expect("a fix that applies");
            out += &format!("    {}: {:?}\n", fix.title, fixed.replace('\n', " / "));
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn undeclared_registers() {
    check(
        "VERT\nDCL TEMP[0..1]\nDCL CONST[1][0..3]\nDCL CONST[8]\nIMM FLT32 {0,0,0,0}\nMOV TEMP[2], CONST[1][4]\n\
         MOV TEMP[2], IMM[1]\nMOV TEMP[ADDR[0].x], CONST[0][8]\nMOV TEMP[1], SAMP[TEMP[5].x]\nMOV TEMP[0][1], CONST[1][3]\nEND",
        expect![[r#"
            Error "TEMP[2]": `TEMP[2]` is not declared
                Declare `TEMP[0..2]`: "VERT / DCL TEMP[0..2] / DCL CONST[1][0..3] / DCL CONST[8] / IMM FLT32 {0,0,0,0} / MOV TEMP[2], CONST[1][4] / MOV TEMP[2], IMM[1] / MOV TEMP[ADDR[0].x], CONST[0][8] / MOV TEMP[1], SAMP[TEMP[5].x] / MOV TEMP[0][1], CONST[1][3] / END"
                Add `DCL TEMP[2]`: "VERT / DCL TEMP[2] / DCL TEMP[0..1] / DCL CONST[1][0..3] / DCL CONST[8] / IMM FLT32 {0,0,0,0} / MOV TEMP[2], CONST[1][4] / MOV TEMP[2], IMM[1] / MOV TEMP[ADDR[0].x], CONST[0][8] / MOV TEMP[1], SAMP[TEMP[5].x] / MOV TEMP[0][1], CONST[1][3] / END"
            Error "CONST[1][4]": `CONST[1][4]` is not declared
                Declare `CONST[1][0..4]`: "VERT / DCL TEMP[0..1] / DCL CONST[1][0..4] / DCL CONST[8] / IMM FLT32 {0,0,0,0} / MOV TEMP[2], CONST[1][4] / MOV TEMP[2], IMM[1] / MOV TEMP[ADDR[0].x], CONST[0][8] / MOV TEMP[1], SAMP[TEMP[5].x] / MOV TEMP[0][1], CONST[1][3] / END"
            Error "IMM[1]": `IMM[1]` is not declared
            Error "TEMP[ADDR[0].x]": `ADDR[0]` is not declared
                Add `DCL ADDR[0]`: "VERT / DCL ADDR[0] / DCL TEMP[0..1] / DCL CONST[1][0..3] / DCL CONST[8] / IMM FLT32 {0,0,0,0} / MOV TEMP[2], CONST[1][4] / MOV TEMP[2], IMM[1] / MOV TEMP[ADDR[0].x], CONST[0][8] / MOV TEMP[1], SAMP[TEMP[5].x] / MOV TEMP[0][1], CONST[1][3] / END"
            Error "SAMP[TEMP[5].x]": `TEMP[5]` is not declared
                Add `DCL TEMP[5]`: "VERT / DCL TEMP[5] / DCL TEMP[0..1] / DCL CONST[1][0..3] / DCL CONST[8] / IMM FLT32 {0,0,0,0} / MOV TEMP[2], CONST[1][4] / MOV TEMP[2], IMM[1] / MOV TEMP[ADDR[0].x], CONST[0][8] / MOV TEMP[1], SAMP[TEMP[5].x] / MOV TEMP[0][1], CONST[1][3] / END"
            Error "SAMP[TEMP[5].x]": no register of the file SAMP is declared
            Warning "SAMP[TEMP[5].x]": `MOV` takes a value here; SAMP is not one
            Error "TEMP[0][1]": `TEMP[0][1]` is not declared
            Warning "TEMP[0][1]": TEMP has one bracket
        "#]],
    );
}

#[test]
fn implied_dimensions_and_arrays_are_declared() {
    check(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nDCL IN[][0], POSITION\nDCL IN[][1], PRIM_ID\nDCL OUT[0].xy, GENERIC[0]\n\
         DCL OUT[0].zw, GENERIC[1]\nDCL TEMP[0..7], ARRAY(1)\nDCL ADDR[0]\nMOV OUT[0], IN[2][0]\nMOV OUT[0].x, IN[1]\n\
         MOV TEMP[ADDR[0].x+3](1), IN[ADDR[0].x][0]\nEND",
        expect![[r#"
            Warning "GEOM": GEOM does not say its GS_OUTPUT_PRIMITIVE
            Hint "GEOM": GEOM does not say its GS_MAX_OUTPUT_VERTICES
        "#]],
    );
}

#[test]
fn order_and_repetition() {
    check(
        "VERT\nDCL TEMP[0..3]\nDCL TEMP[3]\nNOP\nDCL TEMP[9]\nIMM FLT32 {0,0,0,0}\nEND\nEND",
        expect![[r#"
            Hint "DCL TEMP[0..3]": this TEMP is never used
                Remove the declaration: "VERT /  / DCL TEMP[3] / NOP / DCL TEMP[9] / IMM FLT32 {0,0,0,0} / END / END"
            Hint "DCL TEMP[3]": this TEMP is never used
                Remove the declaration: "VERT / DCL TEMP[0..3] /  / NOP / DCL TEMP[9] / IMM FLT32 {0,0,0,0} / END / END"
            Warning "3": a register of this range of TEMP is declared already
            Hint "DCL TEMP[9]": this TEMP is never used
                Remove the declaration: "VERT / DCL TEMP[0..3] / DCL TEMP[3] / NOP /  / IMM FLT32 {0,0,0,0} / END / END"
            Warning "DCL TEMP[9]": the reference check requires declarations and immediates before the first instruction (and in one more place)
            Warning "END": a shader has one `END`
        "#]],
    );
    check(
        "VERT\nNOP",
        expect![[r#"
        Warning "NOP": the shader has no `END`: drivers read on past its last instruction
            Add `END`: "VERT / NOP / END"
    "#]],
    );
    check("COMP\nBGNSUB\nRET\nENDSUB", expect![[""]]);
    check(
        "VERT\nMOV NULL[0], NULL[1]\nEND",
        expect![[r#"
        Warning "NULL[0]": the file NULL can be written but has no registers: the reference check refuses it (and in one more place)
    "#]],
    );
}

#[test]
fn blocks() {
    check(
        "VERT\nDCL TEMP[0]\nIF TEMP[0].xxxx\nBGNLOOP\nBRK\nENDIF\nENDLOOP\nELSE\nCONT\nEND",
        expect![[r#"
            Error "IF": `IF` has no matching `ENDIF`
            Error "ENDIF": `ENDIF` has no matching `IF`
            Error "CONT": `CONT` is outside of any `BGNLOOP`
        "#]],
    );
    check(
        "VERT\nDCL TEMP[0]\nUIF TEMP[0].xxxx\nELSE\nELSE\nENDIF\nCASE TEMP[0]\nSWITCH TEMP[0]\nEND",
        expect![[r#"
            Warning "TEMP[0]": `TEMP[0].x` is never written on any path to this
            Error "ELSE": this `IF` has an `ELSE` already
            Error "CASE": `CASE` is outside of any `SWITCH`
            Warning "TEMP[0]": `CASE` takes an immediate; TEMP is not one
            Error "SWITCH": this has no matching `ENDSWITCH`
        "#]],
    );
}

#[test]
fn labels() {
    check(
        "VERT\nDCL TEMP[0]\nIF TEMP[0].xxxx :0\nNOP\nELSE :0\nENDIF\nBGNLOOP :0\nENDLOOP :0\nIF TEMP[0].xxxx :7\nENDIF\nEND",
        expect![[r#"
            Warning "TEMP[0]": `TEMP[0].x` is never written on any path to this
            Hint "0": the matching `ELSE` is instruction 2 (and one more label is wrong)
                Write the right number: "VERT / DCL TEMP[0] / IF TEMP[0].xxxx :2 / NOP / ELSE :0 / ENDIF / BGNLOOP :0 / ENDLOOP :0 / IF TEMP[0].xxxx :7 / ENDIF / END"
                Repair all labels in this shader: "VERT / DCL TEMP[0] / IF TEMP[0].xxxx :2 / NOP / ELSE :3 / ENDIF / BGNLOOP :5 / ENDLOOP :4 / IF TEMP[0].xxxx :7 / ENDIF / END"
            Hint "BGNLOOP": this loop never ends: it has neither `BRK` nor `RET`
            Hint "IF TEMP[0].xxxx": no path reaches this
        "#]],
    );
    check(
        "VERT\nDCL TEMP[0]\nIF TEMP[0].xxxx :0\nNOP\nELSE :0\nENDIF\nBGNLOOP :0\nENDLOOP :0\nEND",
        expect![[r#"
            Warning "TEMP[0]": `TEMP[0].x` is never written on any path to this
            Hint "0": all labels are `:0`, as compilers before 2020 wrote them; interpreters since 2021 jump by those of `IF` and `ELSE`
                Write the right number: "VERT / DCL TEMP[0] / IF TEMP[0].xxxx :2 / NOP / ELSE :0 / ENDIF / BGNLOOP :0 / ENDLOOP :0 / END"
                Repair all labels in this shader: "VERT / DCL TEMP[0] / IF TEMP[0].xxxx :2 / NOP / ELSE :3 / ENDIF / BGNLOOP :5 / ENDLOOP :4 / END"
            Hint "BGNLOOP": this loop never ends: it has neither `BRK` nor `RET`
        "#]],
    );
    check(
        "VERT\nDCL TEMP[0]\nBGNLOOP :0\nENDLOOP :0\nIF TEMP[0].xxxx\nENDIF\nEND",
        expect![[r#"
            Hint "BGNLOOP": this loop never ends: it has neither `BRK` nor `RET`
            Hint "IF TEMP[0].xxxx": no path reaches this
        "#]],
    );
}

#[test]
fn what_is_not_understood_answers_no_question() {
    check(
        "VERT\nDCL TMEP[0]\nIFF TEMP[0].xxxx\nMOV TEMP[0], TEMP[1]\nENDIF\nENDD",
        expect![[r#"
        Error "TEMP[1]": `TEMP[1]` is not declared
            Add `DCL TEMP[1]`: "VERT / DCL TEMP[1] / DCL TMEP[0] / IFF TEMP[0].xxxx / MOV TEMP[0], TEMP[1] / ENDIF / ENDD"
    "#]],
    );
}

#[test]
fn a_misspelt_opcode_hides_nothing_else() {
    check(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMVO TEMP[0], IN[0]\n\
         ADD TEMP[1], TEMP[0], TEMP[0]\nIF TEMP[0].xxxx\nMUL OUT[0], TEMP[0], IN[1]\nEND\n",
        expect![[r#"
            Error "TEMP[1]": `TEMP[1]` is not declared
                Declare `TEMP[0..1]`: "FRAG / DCL IN[0], GENERIC[0], PERSPECTIVE / DCL OUT[0], COLOR / DCL TEMP[0..1] / MVO TEMP[0], IN[0] / ADD TEMP[1], TEMP[0], TEMP[0] / IF TEMP[0].xxxx / MUL OUT[0], TEMP[0], IN[1] / END / "
                Add `DCL TEMP[1]`: "FRAG / DCL TEMP[1] / DCL IN[0], GENERIC[0], PERSPECTIVE / DCL OUT[0], COLOR / DCL TEMP[0] / MVO TEMP[0], IN[0] / ADD TEMP[1], TEMP[0], TEMP[0] / IF TEMP[0].xxxx / MUL OUT[0], TEMP[0], IN[1] / END / "
            Error "IF": `IF` has no matching `ENDIF`
                Insert `ENDIF`: "FRAG / DCL IN[0], GENERIC[0], PERSPECTIVE / DCL OUT[0], COLOR / DCL TEMP[0] / MVO TEMP[0], IN[0] / ADD TEMP[1], TEMP[0], TEMP[0] / IF TEMP[0].xxxx / MUL OUT[0], TEMP[0], IN[1] / ENDIF / END / "
            Error "IN[1]": `IN[1]` is not declared
        "#]],
    );
}

#[test]
fn a_broken_statement_hides_what_it_may_do() {
    // It may read any register, and write those that it names.
    check(
        "FRAG\nDCL TEMP[0..3]\nDCL TEMP[4]\nDCL OUT[0], COLOR\nADD TEMP[0], TEMP[1]\nMOV TEMP[2].q, TEMP[1]\n\
         ADD OUT[0], TEMP[0], TEMP[2]\nMOV OUT[0], TEMP[3]\nEND\n",
        expect![[r#"
            Warning "TEMP[1]": `TEMP[1].xyzw` is never written on any path to this
            Warning "TEMP[3]": `TEMP[3].xyzw` is never written on any path to this
        "#]],
    );
    // It may close the block.
    check(
        "VERT\nDCL TEMP[0]\nIF TEMP[0].xxxx\nENDFI\nMOV TEMP[1], TEMP[0]\nEND\n",
        expect![[r#"
            Warning "TEMP[0]": `TEMP[0].x` is never written on any path to this
            Error "TEMP[1]": `TEMP[1]` is not declared
                Declare `TEMP[0..1]`: "VERT / DCL TEMP[0..1] / IF TEMP[0].xxxx / ENDFI / MOV TEMP[1], TEMP[0] / END / "
                Add `DCL TEMP[1]`: "VERT / DCL TEMP[1] / DCL TEMP[0] / IF TEMP[0].xxxx / ENDFI / MOV TEMP[1], TEMP[0] / END / "
            Warning "TEMP[0]": `TEMP[0].yzw` is never written on any path to this
        "#]],
    );
    // It may declare any input.
    check(
        "FRAG\nDCL IN[, GENERIC[0]\nDCL TEMP[0]\nMOV TEMP[0], IN[3]\nMOV TEMP[0], CONST[3]\nEND\n",
        expect![[r#"
            Error "CONST[3]": `CONST[3]` is not declared
        "#]],
    );
}

#[test]
fn shared_memory_may_be_numbered_by_its_kind() {
    check(
        "COMP\nDCL TEMP[0]\nDCL MEMORY[1], SHARED\nLOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\n\
         STORE MEMORY[0].x, IMM[0].xxxx, TEMP[0].xxxx\nIMM[0] UINT32 {0, 0, 0, 0}\nEND\n",
        expect![[r#"
            Warning "IMM[0] UINT32 {0, 0, 0, 0}": the reference check requires declarations and immediates before the first instruction
        "#]],
    );
}

/// Nobody comes to what stands behind the end.
#[test]
fn threads_part_only_where_they_come() {
    let of = |before: &str, behind: &str| {
        let text = format!(
            "COMP\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {{0, 4, 8, 12}}\n\
             {before}\nEND\n{behind}\n"
        );
        let shader = crate::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
        let found = super::validate(&shader, &no_checkpoint);
        found.iter().filter(|it| it.code == crate::codes::DIVERGENT_BARRIER).count()
    };
    let parted = "UIF SV[0].xxxx\nBARRIER\nENDIF";
    assert_eq!((of(parted, ""), of("BARRIER", parted)), (1, 0));
    // Of what is loaded only the address of one component counts.
    let loaded = |address: &str| {
        let text = format!(
            "MOV TEMP[0].x, IMM[0].xxxx\nMOV TEMP[0].y, SV[0].xxxx\n\
             LOAD TEMP[0].z, BUFFER[0], TEMP[0].{address}\nUIF TEMP[0].zzzz\nBARRIER\nENDIF"
        );
        of(&text, "")
    };
    assert_eq!((loaded("xyyy"), loaded("yxxx")), (0, 1));
}
