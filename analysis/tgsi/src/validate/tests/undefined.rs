//! Rules about what is undefined or surely not meant although every reader takes it, and the
//! forms that are right.

use expect_test::{Expect, expect};
use source::no_checkpoint;

use crate::codes;

/// Compares what is told of a shader, unused declarations aside.
fn check(text: &str, expected: Expect) {
    let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
    let mut found = crate::validate(&shader, &no_checkpoint);
    found.retain(|it| it.code != codes::UNUSED_DECLARATION);
    let line = |it: &source::Diagnostic| {
        format!("{:?} {:?}: {}\n", it.severity, &text[it.range], it.message)
    };
    expected.assert_eq(&found.iter().map(line).collect::<String>());
}

const COMPUTE: &str = "COMP\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL MEMORY[0], SHARED\n\
                       DCL BUFFER[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {0, 4, 2, 64}\n";

const FRAGMENT: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], CONSTANT\n\
                        DCL OUT[0], COLOR\nDCL SAMP[0]\nDCL CONST[0..3]\nDCL TEMP[0..3]\n\
                        IMM[0] UINT32 {0, 1, 32, 40}\nIMM[1] INT32 {-9, 7, 8, -32}\n";

fn compute(body: &str, expected: Expect) {
    check(&format!("{COMPUTE}{body}\nEND"), expected);
}

fn fragment(body: &str, expected: Expect) {
    check(&format!("{FRAGMENT}{body}\nMOV OUT[0], IN[0]\nEND"), expected);
}

#[test]
fn barriers_that_only_some_threads_reach() {
    compute(
        "USLT TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nBARRIER\nENDIF",
        expect![[r#"
            Warning "BARRIER": only some threads of the group reach this `BARRIER`, and wait for the others without end: move it out of the branch
        "#]],
    );
    // Behind threads that have returned, and in a loop that some leave.
    compute(
        "UIF SV[0].xxxx\nRET\nENDIF\nBARRIER",
        expect![[r#"
        Warning "BARRIER": only some threads of the group reach this `BARRIER`, and wait for the others without end: move it out of the branch
    "#]],
    );
    compute(
        "BGNLOOP\nBARRIER\nUIF SV[0].xxxx\nBRK\nENDIF\nENDLOOP",
        expect![[r#"
        Warning "BARRIER": only some threads of the group reach this `BARRIER`, and wait for the others without end: move it out of the branch
    "#]],
    );
    // What an atomic returned.
    compute(
        "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nBARRIER\nENDIF",
        expect![[r#"
            Warning "BARRIER": only some threads of the group reach this `BARRIER`, and wait for the others without end: move it out of the branch
        "#]],
    );
}

#[test]
fn barriers_that_all_threads_reach() {
    // The group decides as one, by its number or by a vote.
    compute("UIF SV[1].xxxx\nBARRIER\nENDIF", expect![""]);
    compute(
        "VOTE_ANY TEMP[0].x, SV[0].xxxx\nUIF TEMP[0].xxxx\nBARRIER\nENDIF",
        expect![[r#"
        Hint "SV[0].xxxx": this register holds an integer; `VOTE_ANY` reads it as a float
    "#]],
    );
    // The branch has ended, and the register holds something else by now.
    compute("UIF SV[0].xxxx\nENDIF\nBARRIER", expect![""]);
    compute(
        "MOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[0].x, SV[1].xxxx\nUIF TEMP[0].xxxx\nBARRIER\nENDIF",
        expect![""],
    );
    // A loop that all leave together.
    compute("BGNLOOP\nBARRIER\nUIF SV[1].xxxx\nBRK\nENDIF\nENDLOOP", expect![""]);
    // A group of one thread in this direction.
    check(
        "COMP\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nDCL SV[0], THREAD_ID\nUIF SV[0].yyyy\nBARRIER\nENDIF\nEND",
        expect![[r#"
            Warning "CS_FIXED_BLOCK_HEIGHT": width, height and depth of a block are all fixed or none
        "#]],
    );
}

#[test]
fn derivatives_that_only_some_pixels_reach() {
    fragment(
        "IF IN[0].xxxx\nTEX TEMP[0], IN[0], SAMP[0], 2D\nENDIF",
        expect![[r#"
        Hint "TEX": `TEX` compares neighbouring pixels, of which only some come here, which is undefined unless the texture has one level
    "#]],
    );
    fragment(
        "IF IN[0].xxxx\nMUL TEMP[1], IN[0], IN[0]\nDDX TEMP[0], TEMP[1]\nENDIF",
        expect![[r#"
        Warning "DDX": `DDX` compares neighbouring pixels, of which only some come here, and the value is computed here, so that the others have none
    "#]],
    );
    // Not where the branch is the same for all, or the level is given.
    fragment("IF CONST[0].xxxx\nTEX TEMP[0], IN[0], SAMP[0], 2D\nENDIF", expect![""]);
    fragment("IF IN[1].xxxx\nTEX TEMP[0], IN[0], SAMP[0], 2D\nENDIF", expect![""]);
    fragment("IF IN[0].xxxx\nTXL TEMP[0], IN[0], SAMP[0], 2D\nENDIF", expect![""]);
    fragment("IF IN[0].xxxx\nTEX TEMP[0], IN[0], SAMP[0], RECT\nENDIF", expect![""]);
}

#[test]
fn values_that_stand_in_the_text() {
    fragment(
        "SHL TEMP[0], CONST[0], IMM[0].zzzz",
        expect![[r#"
        Warning "IMM[0].zzzz": `SHL` shifts by 0 to 31; 32 is taken as 0
    "#]],
    );
    fragment(
        "UDIV TEMP[0].x, CONST[0], IMM[0].xxxx\nUMOD TEMP[0].y, CONST[0], IMM[0]",
        expect![[r#"
            Warning "IMM[0].xxxx": `UDIV` divides by zero here: the result differs between drivers
        "#]],
    );
    fragment(
        "UBFE TEMP[0].x, CONST[0], IMM[0].yyyy, IMM[0].zzzz",
        expect![[r#"
        Warning "IMM[0].yyyy, IMM[0].zzzz": offset and width of `UBFE` are 32 together at most; this is 33
    "#]],
    );
    fragment("UBFE TEMP[0].x, CONST[0], IMM[0].xxxx, IMM[0].zzzz", expect![""]);
    fragment(
        "BFI TEMP[0].x, CONST[0], CONST[1], IMM[0].wwww, CONST[2]",
        expect![[r#"
        Warning "IMM[0].wwww": offset and width of `BFI` are 32 together at most; this is 40
    "#]],
    );
    fragment(
        "TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].xyz",
        expect![[r#"
        Warning "IMM[1].xyz": texel offsets are -8 to 7 on every driver; this is -9
    "#]],
    );
    fragment("TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].yyz", expect![""]);
    fragment(
        "SWITCH CONST[0].xxxx\nCASE IMM[0].xxxx\nBRK\nCASE IMM[0].yyyy\nBRK\nCASE IMM[0].xxxx\nBRK\nENDSWITCH",
        expect![[r#"
            Warning "IMM[0].xxxx": this switch has a `CASE` of 0 already
        "#]],
    );
}

#[test]
fn memory_in_words_and_in_turn() {
    compute(
        "LOAD TEMP[0].x, BUFFER[0], IMM[0].zzzz\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[0].xxxx",
        expect![[r#"
            Warning "IMM[0].zzzz": `LOAD` counts in bytes and reaches words of four: 2 is not a multiple of 4; chips take 0 or fail
        "#]],
    );
    let store = "STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx";
    let before = "SHL TEMP[0].xy, SV[0].xyyy, IMM[0].yyyy";
    compute(
        &format!("{before}\n{store}\nLOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy"),
        expect![[r#"
            Hint "LOAD": another thread may not have written this yet: a `BARRIER` is needed between the store and this load
        "#]],
    );
    // Where a thread may know that the place is its own.
    compute(
        &format!(
            "{before}\n{store}\nUIF SV[0].xxxx\nLOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy\nENDIF"
        ),
        expect![""],
    );
    // Its own value, and behind a barrier any.
    compute(&format!("{before}\n{store}\nLOAD TEMP[1].x, MEMORY[0], TEMP[0].xxxx"), expect![""]);
    compute(
        &format!("{before}\n{store}\nBARRIER\nLOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy"),
        expect![""],
    );
}

#[test]
fn results_that_are_read_as_the_other_type() {
    fragment(
        "F2I TEMP[0].x, CONST[0]\nADD TEMP[1].x, TEMP[0].xxxx, CONST[1]",
        expect![[r#"
        Hint "TEMP[0].xxxx": this register holds an integer; `ADD` reads it as a float
    "#]],
    );
    fragment(
        "MUL TEMP[0].x, CONST[0], CONST[1]\nUMUL TEMP[1].x, TEMP[0].xxxx, CONST[1]",
        expect![[r#"
            Hint "TEMP[0].xxxx": this register holds a float; `UMUL` reads it as an integer
        "#]],
    );
    fragment(
        "ISLT TEMP[0].x, CONST[0], CONST[1]\nIF TEMP[0].xxxx\nKILL\nENDIF",
        expect![[r#"
        Hint "TEMP[0].xxxx": `IF` tests a float, and this is an integer: `UIF` tests integers
    "#]],
    );
    // A mask of bits, a value of bits, and what two ways may have made.
    fragment(
        "FSLT TEMP[0].x, CONST[0], CONST[1]\nAND TEMP[0].x, TEMP[0], CONST[2]\nADD TEMP[1].x, TEMP[0].xxxx, CONST[1]",
        expect![""],
    );
    fragment(
        "MUL TEMP[0].x, CONST[0], CONST[1]\nUADD TEMP[1].x, TEMP[0].xxxx, CONST[1]",
        expect![""],
    );
    fragment(
        "F2I TEMP[0].x, CONST[0]\nIF CONST[0].xxxx\nMOV TEMP[0].x, CONST[1]\nENDIF\nADD TEMP[1].x, TEMP[0].xxxx, CONST[1]",
        expect![""],
    );
}

#[test]
fn vertices_are_written_whole() {
    const HEAD: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n\
                        PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                        DCL OUT[1], COLOR\nIMM[0] UINT32 {0, 1, 0, 0}\nMOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][0]\n\
                        EMIT IMM[0].xxxx\nMOV OUT[0], IN[1][0]\n";
    check(
        &format!("{HEAD}EMIT IMM[0].xxxx\nEND"),
        expect![[r#"
        Hint "EMIT": `OUT[1]` was written for the vertex before and not for this one: after `EMIT` outputs are undefined
    "#]],
    );
    check(&format!("{HEAD}MOV OUT[1], IN[0][0]\nEMIT IMM[0].xxxx\nEND"), expect![""]);
}

#[test]
fn declarations_that_leave_something_out() {
    check(
        "FRAG\nDCL IN[0], GENERIC[0]\nDCL IN[1], FACE\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], IN[1].xxxx\nEND",
        expect![[r#"
            Warning "IN": an input without an interpolation is CONSTANT: it has the value of one vertex on the whole primitive
        "#]],
    );
    check("FRAG\nDCL IN[0], BCOLOR, COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND", expect![""]);
    check(
        "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nMOV OUT[0], IN[0]\nEND",
        expect![[r#"
        Hint "VERT": no output carries POSITION: this is right only where GEOM or tessellation follows, or nothing is drawn
    "#]],
    );
    check(
        "VERT\nPROPERTY NEXT_SHADER GEOM\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nMOV OUT[0], IN[0]\nEND",
        expect![""],
    );
    let array = |offset: u32| {
        format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[1][0..3]\nDCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\n\
             MOV OUT[0], CONST[1][ADDR[0].x+{offset}]\nEND"
        )
    };
    check(
        &array(9),
        expect![[r#"
            Hint "CONST[1][ADDR[0].x+9]": the offset 9 is past the last register, `CONST[1][3]`
        "#]],
    );
    check(&array(3), expect![""]);
}

/// Temporaries behind all that are used are told where a person wrote them.
#[test]
fn appended_temporaries_are_silent() {
    let unused = |text: &str| {
        let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
        let found = crate::validate(&shader, &no_checkpoint);
        found.iter().filter(|it| it.code == codes::UNUSED_DECLARATION).count()
    };
    let head = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\nDCL TEMP[2..5]\n";
    let printed = "  0: MOV TEMP[1], IN[0]\n  1: MOV OUT[0], TEMP[1]\n  2: END";
    let written = "MOV TEMP[1], IN[0]\nMOV OUT[0], TEMP[1]\nEND";
    assert_eq!(unused(&format!("{head}{printed}")), 0);
    assert_eq!(unused(&format!("{head}{written}")), 1);
    let between = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\nDCL TEMP[1]\n";
    assert_eq!(unused(&format!("{between}{printed}")), 1);
}
