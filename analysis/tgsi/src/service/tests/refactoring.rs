//! Rewritings, and what they leave alone.

use expect_test::{Expect, expect};
use source::no_checkpoint;

use crate::service::refactor::{Refactoring, edits};

/// Rewrites at `^`; statements are parted by ` / `.
fn check(refactoring: Refactoring, marked: &str, expected: Expect) {
    let at = marked.find('^').expect("a place");
    let text = marked.replacen('^', "", 1).replace(" / ", "\n");
    // Every separator before the place became shorter.
    let shorter = marked[..at].matches(" / ").count() * 2;
    let parse = crate::parser::parse(&text, &no_checkpoint);
    let shader = parse.shader.expect("a shader");
    let offset = source::TextSize::new((at - shorter) as u32);
    let out = match edits(&text, &shader, offset, refactoring) {
        None => "not offered".to_owned(),
        Some(edits) => {
            source::apply_edits(&text, &edits).expect("edits that apply").replace('\n', " / ")
        }
    };
    expected.assert_eq(&out);
}

#[test]
fn temporaries_are_numbered_in_order_of_use() {
    check(
        Refactoring::RenumberTemporaries,
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL ^TEMP[0..7] / DCL TEMP[9] / \
         MOV TEMP[5], IN[0] / MOV TEMP[9].x, TEMP[5] / MOV OUT[0], TEMP[9].xxxx / END",
        expect![
            "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL TEMP[0..1] / MOV TEMP[0], IN[0] / MOV TEMP[1].x, TEMP[0] / MOV OUT[0], TEMP[1].xxxx / END"
        ],
    );
    check(
        Refactoring::RenumberTemporaries,
        "VERT / DCL IN[0] / DCL ^TEMP[0] / MOV TEMP[0], IN[0] / END",
        expect!["not offered"],
    );
    check(
        Refactoring::RenumberTemporaries,
        "VERT / DCL ADDR[0] / DCL ^TEMP[1..3] / MOV TEMP[ADDR[0].x+1], TEMP[2] / END",
        expect!["not offered"],
    );
    check(
        Refactoring::RenumberTemporaries,
        "VERT / DCL IN[0] / DCL ^TEMP[0..7] / MOV TEMP[3], IN[0] / M4X4 TEMP[1], IN[0], TEMP[3] / \
         END",
        expect!["not offered"],
    );
    check(
        Refactoring::RenumberTemporaries,
        "VERT / DCL CONST[0..9] / DCL ^TEMP[3..4], LOCAL / UARL TEMP[4].x, CONST[1] / \
         MOV TEMP[3], CONST[TEMP[4].x+3] / END",
        expect![
            "VERT / DCL CONST[0..9] / DCL TEMP[0..1], LOCAL / UARL TEMP[0].x, CONST[1] / MOV TEMP[1], CONST[TEMP[0].x+3] / END"
        ],
    );
}

#[test]
fn a_move_is_inlined_where_nothing_comes_between() {
    let inline = |text: &str, expected| check(Refactoring::InlineMove, text, expected);
    inline(
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL TEMP[0..2] / ^MOV TEMP[1].xy, -IN[0].zwww / \
         ADD TEMP[0], TEMP[1].yxyx, |TEMP[1].xxxx| / MOV OUT[0], TEMP[0] / END",
        expect![
            "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL TEMP[0] / DCL TEMP[2] / ADD TEMP[0], -IN[0].wzwz, |IN[0].zzzz| / MOV OUT[0], TEMP[0] / END"
        ],
    );
    // Labels count one instruction less.
    inline(
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL TEMP[0] / ^MOV TEMP[0], IN[0] / \
         MOV OUT[0], TEMP[0] / IF IN[0].xxxx :3 / ENDIF / END",
        expect![
            "VERT / DCL IN[0] / DCL OUT[0], POSITION / MOV OUT[0], IN[0] / IF IN[0].xxxx :2 / ENDIF / END"
        ],
    );
    for left in [
        // The source changes before the read.
        "VERT / DCL TEMP[0..1] / DCL OUT[0] / ^MOV TEMP[0], TEMP[1] / MOV TEMP[1], OUT[0] / MOV OUT[0], TEMP[0] / END",
        // The read stands behind a branch.
        "VERT / DCL IN[0] / DCL TEMP[0] / DCL OUT[0] / ^MOV TEMP[0], IN[0] / IF IN[0].xxxx / MOV OUT[0], TEMP[0] / ENDIF / END",
        // Something else writes the result.
        "VERT / DCL IN[0] / DCL TEMP[0] / DCL OUT[0] / ^MOV TEMP[0], IN[0] / MOV OUT[0], TEMP[0] / MOV TEMP[0], IN[0] / END",
        // It limits its result.
        "VERT / DCL IN[0] / DCL TEMP[0] / DCL OUT[0] / ^MOV_SAT TEMP[0], IN[0] / MOV OUT[0], TEMP[0] / END",
        // A component comes from elsewhere, which is nowhere.
        "VERT / DCL IN[0] / DCL TEMP[0] / DCL OUT[0] / ^MOV TEMP[0].x, IN[0] / MOV OUT[0], TEMP[0] / END",
        // A sign of a float is none of an integer.
        "VERT / DCL IN[0] / DCL TEMP[0] / DCL OUT[0] / ^MOV TEMP[0], -IN[0] / UADD OUT[0], TEMP[0], IN[0] / END",
        // The result is an index.
        "VERT / DCL IN[0] / DCL CONST[0..9] / DCL TEMP[0] / DCL OUT[0] / ^MOV TEMP[0], IN[0] / MOV OUT[0], CONST[TEMP[0].x] / END",
    ] {
        inline(left, expect!["not offered"]);
    }
}

#[test]
fn ranges_are_split_and_their_semantics_counted() {
    let split = |text: &str, expected| check(Refactoring::SplitRange, text, expected);
    split(
        "VERT /   DCL ^OUT[1..3].xy, GENERIC[4], LINEAR / END",
        expect![
            "VERT /   DCL OUT[1].xy, GENERIC[4], LINEAR /   DCL OUT[2].xy, GENERIC[5], LINEAR /   DCL OUT[3].xy, GENERIC[6], LINEAR / END"
        ],
    );
    split(
        "FRAG / DCL ^OUT[0..1], COLOR / END",
        expect!["FRAG / DCL OUT[0], COLOR / DCL OUT[1], COLOR[1] / END"],
    );
    split(
        "FRAG / DCL ^CONST[2][0..1] / END",
        expect!["FRAG / DCL CONST[2][0] / DCL CONST[2][1] / END"],
    );
    split("FRAG / DCL ^TEMP[0..3], ARRAY(1) / END", expect!["not offered"]);
    split("FRAG / DCL ^TEMP[0] / END", expect!["not offered"]);
    split("FRAG / DCL ^TEMP[0..4000] / END", expect!["not offered"]);
}

#[test]
fn numbers_become_immediates() {
    let extract = |text: &str, expected| check(Refactoring::ExtractImmediate, text, expected);
    extract(
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / ADD OUT[0], IN[0], -^2 / END",
        expect![
            "VERT / DCL IN[0] / DCL OUT[0], POSITION / IMM[0] FLT32 {2.0, 0.0, 0.0, 0.0} / ADD OUT[0], IN[0], -IMM[0].xxxx / END"
        ],
    );
    extract(
        "VERT / DCL OUT[0], POSITION / IMM[0] FLT32 {1.0, 2.5, 0.0, 0.0} / MOV_SAT OUT[0], 2^.5 / END",
        expect![
            "VERT / DCL OUT[0], POSITION / IMM[0] FLT32 {1.0, 2.5, 0.0, 0.0} / MOV_SAT OUT[0], IMM[0].yyyy / END"
        ],
    );
    extract(
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / IMM[0] FLT32 {1.0, 2.5, 0.0, 0.0} /   3: UADD OUT[0], ^7, IN[0] / END",
        expect![
            "VERT / DCL IN[0] / DCL OUT[0], POSITION / IMM[0] FLT32 {1.0, 2.5, 0.0, 0.0} / IMM[1] UINT32 {7, 0, 0, 0} /   3: UADD OUT[0], IMM[1].xxxx, IN[0] / END"
        ],
    );
    // A register's number is not an operand.
    extract("VERT / DCL OUT[0], POSITION / MOV OUT[^0], 1.0 / END", expect!["not offered"]);
    extract("VERT / DCL OUT[0], POSITION / MOV OUT[0], ^IN[0] / END", expect!["not offered"]);
}
