//! Pairs of stages, and what is said of them.

use expect_test::{Expect, expect};
use source::no_checkpoint;

use super::{Interface, Side, is_pipeline, link};
use crate::Stage;

fn check(first: &str, second: &str, expected: Expect) {
    let texts = [first, second].map(|text| text.replace(" / ", "\n") + "\nEND\n");
    let [one, two] = texts.each_ref().map(|text| {
        let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
        Interface::new(&shader)
    });
    let mut out = String::new();
    for (side, found) in link(&one, &two) {
        let text = &texts[usize::from(side == Side::Second)];
        let (place, message) = (&text[found.range], &found.message);
        out += &format!("{side:?} {:?} {place}: {message}\n", found.severity);
    }
    expected.assert_eq(&out);
}

#[test]
fn inputs_are_joined_by_semantic_index_and_component() {
    let vertex = "VERT / DCL OUT[0], POSITION / DCL OUT[1], GENERIC[3] / DCL OUT[2].xy, GENERIC[5]";
    check(
        vertex,
        "FRAG / DCL IN[0], GENERIC[3], PERSPECTIVE / DCL IN[1].xy, GENERIC[5], PERSPECTIVE / \
         DCL IN[2], POSITION, LINEAR / MOV TEMP[0], IN[0] / MOV TEMP[0], IN[1]",
        expect![[""]],
    );
    check(
        vertex,
        "FRAG / DCL IN[0], GENERIC[4], PERSPECTIVE / DCL IN[1], GENERIC[5], PERSPECTIVE / \
         DCL IN[2], COLOR, COLOR / ADD TEMP[0], IN[0], IN[1] / MOV TEMP[0], IN[2]",
        expect![[r#"
            Second Warning GENERIC[4]: no output of VERT carries GENERIC[4]
            Second Warning GENERIC[5]: the output of VERT that carries GENERIC[5] has no `.zw`
            Second Hint COLOR: no output of VERT carries COLOR[0]
            First Hint GENERIC[3]: no input of FRAG reads GENERIC[3]
        "#]],
    );
}

#[test]
fn arrays_are_joined_register_by_register() {
    check(
        "VERT / DCL OUT[0..2], ARRAY(1), GENERIC[0]",
        "FRAG / DCL IN[0..3], ARRAY(1), GENERIC[0], PERSPECTIVE / MOV TEMP[0], IN[ADDR[0].x](1)",
        expect![[r#"
            Second Warning GENERIC[0]: no output of VERT carries GENERIC[3]
        "#]],
    );
}

#[test]
fn an_input_that_nothing_reads_needs_no_output() {
    check("VERT / NOP", "FRAG / DCL IN[0], GENERIC[0], PERSPECTIVE / NOP", expect![[""]]);
}

#[test]
fn tessellation_and_geometry_agree_on_vertices_and_primitives() {
    let control = "TESS_CTRL / PROPERTY TCS_VERTICES_OUT 3 / DCL OUT[][0], POSITION / \
                   DCL OUT[1], TESSOUTER / DCL OUT[2], PATCH[0]";
    check(
        control,
        "TESS_EVAL / PROPERTY TES_PRIM_MODE 4 / DCL IN[][0], POSITION / DCL IN[1], PATCH[0] / \
         MOV TEMP[0], IN[2][0] / MOV TEMP[0], IN[1]",
        expect![[""]],
    );
    check(
        "TESS_CTRL / PROPERTY TCS_VERTICES_OUT 3 / DCL OUT[][0], POSITION",
        "TESS_EVAL / DCL IN[][0], POSITION / DCL IN[1], PATCH[0] / MOV TEMP[0], IN[3][0] / \
         MOV TEMP[0], IN[1]",
        expect![[r#"
            Second Warning PATCH[0]: no output of TESS_CTRL carries PATCH[0]
            Second Warning IN[3][0]: a patch of the control shader has 3 vertices, counted from 0
            First Warning TESS_CTRL: no output carries TESSOUTER: nothing says how finely to divide the patch
        "#]],
    );
    check(
        "TESS_EVAL / PROPERTY TES_PRIM_MODE 7 / PROPERTY NEXT_SHADER FRAG",
        "GEOM / PROPERTY GS_INPUT_PRIMITIVE LINES",
        expect![[r#"
            Second Warning LINES: TESS_EVAL makes TRIANGLES, and this shader takes LINES
            First Hint FRAG: NEXT_SHADER says FRAG, and GEOM follows
        "#]],
    );
    check(
        "TESS_EVAL / PROPERTY TES_PRIM_MODE 7 / PROPERTY TES_POINT_MODE 1",
        "GEOM / PROPERTY GS_INPUT_PRIMITIVE POINTS",
        expect![[""]],
    );
}

#[test]
fn interpolation_is_compared_where_both_say_it() {
    check(
        "VERT / DCL OUT[0], GENERIC[0], LINEAR / DCL OUT[1], GENERIC[1]",
        "FRAG / DCL IN[0], GENERIC[0], CONSTANT / DCL IN[1], GENERIC[1], CONSTANT / \
         ADD TEMP[0], IN[0], IN[1]",
        expect![[r#"
            Second Hint GENERIC[0]: VERT declares GENERIC[0] as LINEAR; here it is CONSTANT
        "#]],
    );
}

#[test]
fn a_pipeline_has_each_stage_once_and_in_order() {
    use Stage::{Compute, Fragment, Geometry, Vertex};
    assert!(is_pipeline(&[Vertex, Geometry, Fragment]));
    for stages in [&[Vertex][..], &[Fragment, Vertex], &[Vertex, Vertex], &[Vertex, Compute]] {
        assert!(!is_pipeline(stages), "{stages:?}");
    }
}
