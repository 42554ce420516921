//! Moves of shaders, one by one.

use advise::Moves;
use advise::shader::{ShaderMoves, refusal};

const HEAD: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                    DCL SVIEW[0], 2D, FLOAT\nDCL BUFFER[0..1]\nDCL CONST[0][0..7]\nDCL TEMP[0..4], LOCAL\n\
                    DCL ADDR[0]\nIMM[0] UINT32 {0, 1, 3, 4}\n";

/// The instructions of every variant.
fn moves(text: &str) -> Vec<(String, String)> {
    let text = format!("{HEAD}{text}\nEND\n");
    assert_eq!(refusal(&text), None, "{text}");
    let all = ShaderMoves.moves(&text).into_iter().map(|it| {
        let start = it.text.find("IMM[0] UINT32").expect("the head stays");
        let rest = &it.text[start..];
        let body = rest.split_once('\n').map_or("", |(_, body)| body);
        let lines = body.lines().filter(|line| !line.starts_with("DCL"));
        let body = lines.collect::<Vec<_>>().join("; ");
        (it.change, body.strip_suffix("; END").unwrap_or(&body).to_owned())
    });
    all.collect()
}

#[track_caller]
fn has(text: &str, wanted: &str) {
    let all = moves(text);
    assert!(all.iter().any(|(_, it)| it == wanted), "{all:#?}");
}

#[track_caller]
fn has_not(text: &str, change: &str) {
    let all = moves(text);
    assert!(!all.iter().any(|(it, _)| it.contains(change)), "{all:#?}");
}

#[test]
fn equal_lookups_in_both_arms_become_one() {
    has(
        "UIF CONST[0][0].xxxx\nTXL TEMP[0], IN[0], SAMP[0], 2D\nELSE\n\
         TXL TEMP[1], IN[0], SAMP[0], 2D\nENDIF",
        "TXL TEMP[5], IN[0], SAMP[0], 2D; UIF CONST[0][0].xxxx; MOV TEMP[0], TEMP[5]; ELSE; \
         MOV TEMP[1], TEMP[5]; ENDIF",
    );
}

#[test]
fn computations_between_which_an_operand_changes_are_not_equal() {
    has_not(
        "ADD TEMP[0], TEMP[1], IN[0]\nMOV TEMP[1], IN[0]\nADD TEMP[2], TEMP[1], IN[0]",
        "computed once",
    );
}

#[test]
fn what_was_stored_is_not_loaded_and_not_stored_twice() {
    let store = "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].yyyy";
    has(
        &format!("{store}\nLOAD TEMP[2].x, BUFFER[0], TEMP[0].xxxx"),
        &format!("{store}; MOV TEMP[2].x, TEMP[1].yyyy"),
    );
    has(
        &format!(
            "{store}\nADD TEMP[2], TEMP[0], TEMP[0]\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[2]"
        ),
        "ADD TEMP[2], TEMP[0], TEMP[0]; STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[2]",
    );
    let load = "LOAD TEMP[2].x, BUFFER[0], TEMP[0].xxxx";
    for between in
        ["MOV TEMP[0].x, IN[0]", "MOV TEMP[1].y, IN[0]", "STORE BUFFER[1].x, IN[0].xxxx, IN[0]"]
    {
        has_not(&format!("{store}\n{between}\n{load}"), "the value that");
    }
    has_not(&format!("{store}\nLOAD TEMP[2].xy, BUFFER[0], TEMP[0].xxxx"), "the value that");
    has_not(&format!("{store}\n{load}\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[3]"), "stores over");
    // The value may change between two stores of one word; its address may not.
    let over = "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1]\nMOV TEMP[1], TEMP[2]\n\
                STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1]";
    has(over, "MOV TEMP[1], TEMP[2]; STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1]");
    has_not(&over.replace("MOV TEMP[1]", "MOV TEMP[0]"), "stores over");
}

#[test]
fn branches_with_one_condition_become_one() {
    has(
        "UIF TEMP[0].xxxx\nMOV TEMP[1], IN[0]\nENDIF\nUIF TEMP[0].xxxx\nMOV TEMP[2], IN[0]\n\
         ELSE\nMOV TEMP[3], IN[0]\nENDIF",
        "UIF TEMP[0].xxxx; MOV TEMP[1], IN[0]; MOV TEMP[2], IN[0]; ELSE; MOV TEMP[3], IN[0]; ENDIF",
    );
    has(
        "UIF TEMP[0].xxxx\nMOV TEMP[1], IN[0]\nELSE\nMOV TEMP[1], CONST[0][0]\nENDIF\n\
         MOV TEMP[2], IN[0]\nUIF TEMP[0].xxxx\nMOV TEMP[3], IN[0]\nENDIF",
        "MOV TEMP[2], IN[0]; UIF TEMP[0].xxxx; MOV TEMP[1], IN[0]; MOV TEMP[3], IN[0]; ELSE; \
         MOV TEMP[1], CONST[0][0]; ENDIF",
    );
    let writes = "UIF TEMP[0].xxxx\nMOV TEMP[0], IN[0]\nENDIF\nUIF TEMP[0].xxxx\n\
                  MOV TEMP[1], IN[0]\nENDIF";
    has_not(writes, "as one");
}

#[test]
fn comparisons_and_selects_are_the_smaller_and_the_larger() {
    let select = |compare: &str, one: &str, two: &str| {
        format!(
            "{compare} TEMP[0].x, TEMP[1].yyyy, CONST[0][0].xxxx\nMOV TEMP[2].x, TEMP[1].yyyy\n\
                 UCMP TEMP[3].z, TEMP[0].xxxx, {one}, {two}"
        )
    };
    let (left, right) = ("TEMP[2].xxxx", "CONST[0][0].xxxx");
    for (compare, straight, turned) in
        [("USLT", "UMIN", "UMAX"), ("ISLT", "IMIN", "IMAX"), ("USGE", "UMAX", "UMIN")]
    {
        let begin = format!(
            "{compare} TEMP[0].x, TEMP[1].yyyy, CONST[0][0].xxxx; \
                             MOV TEMP[2].x, TEMP[1].yyyy"
        );
        has(
            &select(compare, left, right),
            &format!("{begin}; {straight} TEMP[3].z, TEMP[1].yyyy, CONST[0][0].xxxx"),
        );
        has(
            &select(compare, right, left),
            &format!("{begin}; {turned} TEMP[3].z, CONST[0][0].xxxx, TEMP[1].yyyy"),
        );
    }
    // NaN is neither; an operand that is another now; a negative one.
    has_not(&select("FSLT", left, right), "by `");
    has_not(&select("USLT", "TEMP[2].yyyy", right), "by `");
    has_not(&select("USLT", &format!("-{left}"), right), "by `");
    has_not(&select("USLT", left, right).replace("UCMP", "MOV TEMP[1].y, IN[0]\nUCMP"), "by `");
}

#[test]
fn what_a_loop_does_not_change_is_computed_before_it() {
    has(
        "BGNLOOP\nUIF CONST[0][0].xxxx\nBRK\nENDIF\nTXL TEMP[0], IN[0], SAMP[0], 2D\n\
         ADD TEMP[1], TEMP[1], TEMP[0]\nENDLOOP",
        "TXL TEMP[5], IN[0], SAMP[0], 2D; BGNLOOP; UIF CONST[0][0].xxxx; BRK; ENDIF; \
         MOV TEMP[0], TEMP[5]; ADD TEMP[1], TEMP[1], TEMP[0]; ENDLOOP",
    );
    has_not(
        "BGNLOOP\nUIF CONST[0][0].xxxx\nBRK\nENDIF\nADD TEMP[1], TEMP[1], IN[0]\nENDLOOP",
        "before the loop",
    );
}

#[test]
fn a_loop_whose_rounds_are_known_is_written_out() {
    has(
        "MOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n\
         UIF TEMP[0].yyyy\nBRK\nENDIF\nUARL ADDR[0].x, TEMP[0].xxxx\n\
         ADD TEMP[1], TEMP[1], CONST[0][ADDR[0].x+2]\n\
         UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nENDLOOP",
        "MOV TEMP[0].x, IMM[0].xxxx; USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz; \
         UARL ADDR[0].x, TEMP[0].xxxx; ADD TEMP[1], TEMP[1], CONST[0][2]; \
         UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz; USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz",
    );
}

#[test]
fn a_loop_over_the_bits_of_a_word_is_one_opcode() {
    let head = "BGNLOOP\nUSEQ TEMP[3].x, TEMP[1].xxxx, IMM[0].xxxx\nUIF TEMP[3].xxxx\nBRK\nENDIF\n";
    let rest = "AND TEMP[3].x, TEMP[1].xxxx, IMM[0].yyyy\nUADD TEMP[2].x, TEMP[2].xxxx, TEMP[3].xxxx\n\
                USHR TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nENDLOOP";
    let stored = "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[2].xxxx";
    let one = "POPC TEMP[3].x, TEMP[1].xxxx; UADD TEMP[2].x, TEMP[2].xxxx, TEMP[3].xxxx; \
               MOV TEMP[1].x, IMM[0].xxxx; STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[2].xxxx";
    has(&format!("{head}{rest}\n{stored}"), one);
    // The zero of the test is not that of the word's component.
    let own = |text: &str| {
        text.replace("TEMP[1].x,", "TEMP[1].y,").replace("TEMP[1].xxxx", "TEMP[1].yyyy")
    };
    let mixed =
        own(&format!("{head}{rest}\n{stored}")).replace("IMM[0].xxxx\nUIF", "IMM[0].xyzw\nUIF");
    has(&mixed, &own(one));
    // The last bit is read, or the step is another.
    has_not(&format!("{head}{rest}\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[3].xxxx"), "counts bits");
    let two = rest.replace(
        "USHR TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy",
        "USHR TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz",
    );
    has_not(&format!("{head}{two}\n{stored}"), "counts bits");

    let head = "BGNLOOP\nAND TEMP[3].x, TEMP[1].xxxx, IMM[0].yyyy\nUIF TEMP[3].xxxx\nBRK\nENDIF\n";
    let rest = "USHR TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nUADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\n\
                ENDLOOP";
    let one = "LSB TEMP[3].x, TEMP[1].xxxx; UADD TEMP[2].x, TEMP[2].xxxx, TEMP[3].xxxx; \
               USHR TEMP[1].x, TEMP[1].xxxx, TEMP[3].xxxx; STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[2].xxxx";
    has(&format!("{head}{rest}\n{stored}"), one);
    has_not(
        &format!("{head}{rest}\n{stored}").replace(
            "UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy",
            "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[1].xxxx",
        ),
        "lowest bit",
    );
}

#[test]
fn a_branch_becomes_selects_where_nothing_else_happens_in_it() {
    has(
        "UIF CONST[0][0].xxxx\nMOV TEMP[0].xy, IN[0]\nELSE\nADD TEMP[0].x, IN[0], IN[0]\nENDIF",
        "MOV TEMP[5].x, CONST[0][0].xxxx; MOV TEMP[6].xy, IN[0]; ADD TEMP[7].x, IN[0], IN[0]; \
         UCMP TEMP[0].x, TEMP[5].xxxx, TEMP[6], TEMP[7]; \
         UCMP TEMP[0].y, TEMP[5].xxxx, TEMP[6], TEMP[0]",
    );
    has_not("UIF CONST[0][0].xxxx\nKILL\nENDIF", "selects");
}

#[test]
fn a_value_for_one_arm_goes_into_it() {
    has(
        "POW TEMP[0].x, IN[0].xxxx, IN[0].yyyy\nUIF CONST[0][0].xxxx\n\
         MOV TEMP[1], TEMP[0].xxxx\nENDIF",
        "UIF CONST[0][0].xxxx; POW TEMP[0].x, IN[0].xxxx, IN[0].yyyy; \
         MOV TEMP[1], TEMP[0].xxxx; ENDIF",
    );
    has_not(
        "POW TEMP[0].x, IN[0].xxxx, IN[0].yyyy\nUIF CONST[0][0].xxxx\n\
         MOV TEMP[1], TEMP[0].xxxx\nENDIF\nMOV OUT[0], TEMP[0].xxxx",
        "into the branch",
    );
}

/// Neighbours decide on the level of a look-up: all of them have to take part.
#[test]
fn look_ups_whose_level_neighbours_decide_on_go_into_no_branch() {
    let of =
        |statement: &str| format!("{statement}\nUIF CONST[0][0].xxxx\nMOV TEMP[1], TEMP[0]\nENDIF");
    for statement in [
        "TEX TEMP[0], IN[0], SAMP[0], 2D",
        "TXB TEMP[0], IN[0], SAMP[0], 2D",
        "TXP TEMP[0], IN[0], SAMP[0], 2D",
        "LODQ TEMP[0], IN[0], SAMP[0], 2D",
        "SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0]",
        "SAMPLE_B TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[0].xxxx",
        "SAMPLE_C TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[0].xxxx",
    ] {
        has_not(&of(statement), "into the branch");
    }
    for statement in [
        "TXL TEMP[0], IN[0], SAMP[0], 2D",
        "SAMPLE_L TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[0].xxxx",
        "SAMPLE_C_LZ TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[0].xxxx",
        "SAMPLE_D TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[0], IN[0]",
    ] {
        has(
            &of(statement),
            &format!("UIF CONST[0][0].xxxx; {statement}; MOV TEMP[1], TEMP[0]; ENDIF"),
        );
    }
}

#[test]
fn statements_change_places_only_where_they_may() {
    has("MOV TEMP[0], IN[0]\nMOV TEMP[1], IN[0]", "MOV TEMP[1], IN[0]; MOV TEMP[0], IN[0]");
    has_not("MOV TEMP[0], IN[0]\nADD TEMP[1], TEMP[0], IN[0]", "line 12 before");
    has_not("MOV TEMP[0].x, TEMP[1]\nMOV TEMP[1], IN[0]", "line 11 before");
}

#[test]
fn parts_of_vectors_are_split_joined_and_left_out() {
    has(
        "MUL TEMP[0].xy, IN[0], CONST[0][1]\nMOV OUT[0].xy, TEMP[0]",
        "MUL TEMP[0].x, IN[0], CONST[0][1]; MUL TEMP[0].y, IN[0], CONST[0][1]; \
         MOV OUT[0].xy, TEMP[0]",
    );
    has(
        "MUL TEMP[0].x, IN[0], CONST[0][1]\nMUL TEMP[0].y, IN[0], CONST[0][1]\n\
         MOV OUT[0].xy, TEMP[0]",
        "MUL TEMP[0].xy, IN[0], CONST[0][1]; MOV OUT[0].xy, TEMP[0]",
    );
    has(
        "MUL TEMP[0], IN[0], CONST[0][1]\nMOV OUT[0].xy, TEMP[0]",
        "MUL TEMP[0].xy, IN[0], CONST[0][1]; MOV OUT[0].xy, TEMP[0]",
    );
    has(
        "MUL TEMP[0].xy, IN[0], CONST[0][1]\nADD OUT[0].xy, TEMP[0], CONST[0][2]",
        "MAD OUT[0].xy, IN[0], CONST[0][1], CONST[0][2]",
    );
}

#[test]
fn a_cheap_value_is_computed_again_where_it_is_read() {
    let far = "MUL TEMP[2], IN[0], CONST[0][2]\n".repeat(5);
    let text =
        format!("MUL TEMP[0], IN[0], CONST[0][1]\nMOV TEMP[1], TEMP[0]\n{far}MOV OUT[0], TEMP[0]");
    let all = moves(&text);
    let wanted = "MUL TEMP[5], IN[0], CONST[0][1]; MOV OUT[0], TEMP[5]";
    assert!(all.iter().any(|(_, it)| it.ends_with(wanted)), "{all:#?}");
}

#[test]
fn comments_and_numbers_survive() {
    let text = format!(
        "{HEAD}  0: MUL TEMP[0], IN[0], IN[0]\n  // dead\n  1: MUL TEMP[1], IN[0], IN[0]\n  \
         2: MOV OUT[0], TEMP[0]\n  3: END\n"
    );
    let all = ShaderMoves.moves(&text);
    assert!(!all.is_empty());
    for variant in all {
        assert!(variant.text.contains("// dead"), "{}", variant.text);
        assert!(variant.text.contains("  0: M"), "{}", variant.text);
    }
}

#[test]
fn subroutines_and_errors_are_left_alone() {
    for body in ["CAL :2\nRET\nBGNSUB\nENDSUB", "MOV TEMP[0], NOTHING[0]", "UIF IN[0].xxxx"] {
        let text = format!("{HEAD}{body}\nEND\n");
        assert!(refusal(&text).is_some(), "{body}");
        assert!(ShaderMoves.moves(&text).is_empty(), "{body}");
    }
}
