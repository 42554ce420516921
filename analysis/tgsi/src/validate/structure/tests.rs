//! Words that are taken out of programs: the place that the rest of the text leaves for each.

use source::{apply_edits, no_checkpoint};

use crate::codes;

/// Takes a line out of a program, the lines counted from 0, and applies the first fix of what is
/// said about blocks; `None` where there is none.
fn put_back(lines: &[&str], without: usize) -> Option<String> {
    let left = lines.iter().enumerate().filter(|(at, _)| *at != without).map(|(_, it)| *it);
    let text = left.collect::<Vec<_>>().join("\n");
    let shader = crate::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
    let all = crate::validate(&shader, &no_checkpoint);
    let found = all.iter().find(|it| it.code == codes::UNBALANCED).expect("a diagnostic");
    let fix = found.fixes.first()?;
    apply_edits(&text, &fix.edits)
}

fn comes_back(lines: &[&str], word: &str) {
    let place = lines.iter().position(|line| line.trim_start().starts_with(word));
    let place = place.unwrap_or_else(|| panic!("no {word}"));
    assert_eq!(put_back(lines, place).as_deref(), Some(&*lines.join("\n")), "{word}");
}

/// A loop as drivers print it: labels of 0.
const LOOP: [&str; 19] = [
    "FRAG",
    "DCL OUT[0], COLOR",
    "DCL CONST[0]",
    "DCL TEMP[0..3]",
    "IMM[0] UINT32 {0, 1, 0, 0}",
    "MOV TEMP[0].x, IMM[0].xxxx",
    "MOV TEMP[1].x, IMM[0].xxxx",
    "BGNLOOP :0",
    "USGE TEMP[2].x, TEMP[0].xxxx, CONST[0].xxxx",
    "UIF TEMP[2].xxxx :6",
    "BRK",
    "ENDIF",
    "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[0].xxxx",
    "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy",
    "ENDLOOP :0",
    "MOV TEMP[3].x, TEMP[1].xxxx",
    "U2F TEMP[3].x, TEMP[3].xxxx",
    "MOV OUT[0], TEMP[3].xxxx",
    "END",
];

#[test]
fn values_tell_where_a_loop_begins_and_ends() {
    comes_back(&LOOP, "BGNLOOP");
    comes_back(&LOOP, "ENDLOOP");
}

#[test]
fn a_loop_stays_open_where_a_line_may_be_on_both_sides_of_its_end() {
    // Each of them alone is a program that somebody may have meant.
    let lines = [
        "COMP",
        "DCL BUFFER[0]",
        "DCL TEMP[0]",
        "IMM[0] UINT32 {0, 1, 2, 3}",
        "BGNLOOP",
        "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx",
        "UIF TEMP[0].xxxx",
        "BRK",
        "ENDIF",
        "STORE BUFFER[0].x, IMM[0].yyyy, IMM[0].yyyy",
        "ENDLOOP",
        "STORE BUFFER[0].x, IMM[0].zzzz, IMM[0].zzzz",
        "END",
    ];
    assert_eq!(put_back(&lines, 10), None);
}

#[test]
fn values_say_nothing_where_more_is_missing() {
    let lines = [
        "FRAG",
        "DCL OUT[0], COLOR",
        "DCL CONST[0]",
        "DCL TEMP[0..2]",
        "  0: IF CONST[0].xxxx",
        "  1: MOV TEMP[0], TEMP[1]",
        "  3: MOV TEMP[0], TEMP[2]",
        "  4: ENDIF",
        "  5: MOV OUT[0], TEMP[0]",
        "  6: END",
    ];
    assert_eq!(put_back(&lines, 7), None);
}

#[test]
fn words_side_by_side_are_one_place() {
    let lines = [
        "FRAG",
        "DCL OUT[0], COLOR",
        "DCL CONST[0..1]",
        "IF CONST[0].xxxx :5",
        "MOV OUT[0], CONST[0]",
        "IF CONST[1].xxxx :4",
        "MOV OUT[0], CONST[1]",
        "ENDIF",
        "ENDIF",
        "END",
    ];
    comes_back(&lines, "ENDIF");
}

#[test]
fn one_label_and_the_values_tell_of_an_alternative() {
    comes_back(
        &[
            "FRAG",
            "DCL OUT[0], COLOR",
            "DCL CONST[0..1]",
            "DCL TEMP[0]",
            "IF CONST[0].xxxx :2",
            "MOV TEMP[0], CONST[0]",
            "ELSE :4",
            "MOV TEMP[0], CONST[1]",
            "ENDIF",
            "MOV OUT[0], TEMP[0]",
            "END",
        ],
        "ELSE",
    );
}

#[test]
fn labels_of_loops_and_calls_name_places() {
    let lines = [
        "COMP",
        "DCL BUFFER[0]",
        "DCL TEMP[0]",
        "IMM[0] UINT32 {0, 1, 2, 3}",
        "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].xxxx",
        "BGNLOOP :7",
        "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx",
        "UIF TEMP[0].xxxx",
        "BRK",
        "ENDIF",
        "STORE BUFFER[0].x, IMM[0].yyyy, IMM[0].xxxx",
        "ENDLOOP :1",
        "STORE BUFFER[0].x, IMM[0].zzzz, IMM[0].xxxx",
        "END",
    ];
    comes_back(&lines, "BGNLOOP");
    comes_back(&lines, "ENDLOOP");
    let lines = [
        "COMP",
        "DCL BUFFER[0]",
        "IMM[0] UINT32 {0, 1, 2, 3}",
        "CAL :3",
        "CAL :6",
        "END",
        "BGNSUB",
        "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].xxxx",
        "ENDSUB",
        "BGNSUB",
        "STORE BUFFER[0].x, IMM[0].yyyy, IMM[0].xxxx",
        "ENDSUB",
    ];
    comes_back(&lines, "BGNSUB");
    comes_back(&lines, "ENDSUB");
}

#[test]
fn all_of_a_library_is_in_subroutines() {
    let lines = [
        "COMP",
        "DCL BUFFER[0]",
        "IMM[0] UINT32 {0, 1, 2, 3}",
        "BGNSUB",
        "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].xxxx",
        "STORE BUFFER[0].x, IMM[0].yyyy, IMM[0].xxxx",
        "RET",
        "ENDSUB",
    ];
    comes_back(&lines, "BGNSUB");
    comes_back(&lines, "ENDSUB");
}

/// A condition that was copied is what it was made as: the opener is one for integers.
#[test]
fn the_opener_fits_the_value_that_was_copied() {
    let fixed = |swizzle: &str| {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
             ADD TEMP[0].x, IN[0], IN[0]\nUSLT TEMP[0].y, IN[0], IN[0]\n\
             MOV TEMP[1].x, TEMP[0].{swizzle}\n TEMP[1].xxxx\nMOV OUT[0], IN[0]\nENDIF\nEND\n"
        );
        let found = crate::parser::parse(&text, &no_checkpoint).diagnostics;
        let fix = found.first().and_then(|it| it.fixes.first()).expect("a fix");
        apply_edits(&text, &fix.edits).expect("it applies")
    };
    for (swizzle, word) in [("xxxx", "IF"), ("yyyy", "UIF")] {
        assert!(
            fixed(swizzle).contains(&format!("\n {word} TEMP[1].xxxx\n")),
            "{}",
            fixed(swizzle)
        );
    }
}
