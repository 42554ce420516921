//! Each number that a check compares with: the last one that is allowed, and the first
//! that is not.

use source::no_checkpoint;

/// The codes of what is found in a shader whose lines are parted by ` / `.
fn found(lines: &str) -> Vec<&'static str> {
    let text = lines.replace(" / ", "\n");
    let shader = crate::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
    crate::validate(&shader, &no_checkpoint).iter().map(|found| found.code.0).collect()
}

/// A code, a shader with a hole, what may stand in the hole and what not.
const LIMITS: [(&str, &str, &[&str], &[&str]); 40] = [
    ("tgsi::property-value", "FRAG / PROPERTY FS_DEPTH_LAYOUT ? / END", &["0", "4"], &["5"]),
    ("tgsi::property-value", "FRAG / PROPERTY FS_EARLY_DEPTH_STENCIL ? / END", &["0", "1"], &["2"]),
    ("tgsi::property-value", "FRAG / PROPERTY FS_POST_DEPTH_COVERAGE ? / END", &["1"], &["2"]),
    (
        "tgsi::property-value",
        "FRAG / PROPERTY FS_COLOR0_WRITES_ALL_CBUFS ? / END",
        &["0", "1"],
        &["2"],
    ),
    ("tgsi::property-value", "TESS_EVAL / PROPERTY TES_SPACING ? / END", &["0", "2"], &["3"]),
    ("tgsi::property-value", "TESS_EVAL / PROPERTY TES_POINT_MODE ? / END", &["0", "1"], &["2"]),
    (
        "tgsi::property-value",
        "TESS_EVAL / PROPERTY TES_PRIM_MODE ? / END",
        &["1", "4", "7"],
        &["0", "2", "3", "5", "6", "8"],
    ),
    (
        "tgsi::property-value",
        "TESS_CTRL / PROPERTY TCS_VERTICES_OUT ? / END",
        &["1", "32"],
        &["0", "33"],
    ),
    ("tgsi::property-value", "GEOM / PROPERTY GS_INVOCATIONS ? / END", &["1", "32"], &["0"]),
    (
        "tgsi::property-value",
        "GEOM / PROPERTY GS_OUTPUT_PRIMITIVE ? / END",
        &["POINTS", "LINE_STRIP", "TRIANGLE_STRIP"],
        &["LINES", "TRIANGLES"],
    ),
    (
        "tgsi::property-value",
        "GEOM / PROPERTY GS_INPUT_PRIMITIVE ? / END",
        &["POINTS", "LINES", "LINES_ADJACENCY", "TRIANGLES", "TRIANGLES_ADJACENCY"],
        &["LINE_STRIP", "TRIANGLE_STRIP"],
    ),
    ("tgsi::property-value", "VERT / PROPERTY NUM_CLIPDIST_ENABLED ? / END", &["0", "8"], &["9"]),
    ("tgsi::property-value", "VERT / PROPERTY NUM_CULLDIST_ENABLED ? / END", &["0", "8"], &["9"]),
    (
        "tgsi::property-value",
        "VERT / PROPERTY NUM_CLIPDIST_ENABLED 5 / PROPERTY NUM_CULLDIST_ENABLED ? / END",
        &["3"],
        &["4"],
    ),
    (
        "tgsi::clip-distances",
        "VERT / PROPERTY NUM_CLIPDIST_ENABLED ? / DCL IN[0] / DCL OUT[0].xy, CLIPDIST[1] / \
         MOV OUT[0].xy, IN[0] / END",
        &["6"],
        &["7"],
    ),
    (
        "tgsi::clip-distances",
        "VERT / PROPERTY NUM_CLIPDIST_ENABLED 8 / DCL IN[0] / DCL OUT[0..?], CLIPDIST / \
         MOV OUT[0], IN[0] / END",
        &["1"],
        &["0"],
    ),
    (
        "tgsi::property-dependency",
        "COMP / PROPERTY CS_FIXED_BLOCK_WIDTH 8 / PROPERTY CS_FIXED_BLOCK_HEIGHT 8 / \
         PROPERTY CS_FIXED_BLOCK_DEPTH ? / END",
        &["1"],
        &["0"],
    ),
    (
        "tgsi::property-dependency",
        "VERT / PROPERTY NEXT_SHADER ? / PROPERTY VS_WINDOW_SPACE_POSITION 1 / \
         DCL OUT[0], POSITION / END",
        &["FRAG"],
        &["GEOM"],
    ),
    (
        "tgsi::property-dependency",
        "FRAG / PROPERTY FS_DEPTH_LAYOUT 1 / DCL OUT[0], ? / NOP / END",
        &["POSITION"],
        &["STENCIL"],
    ),
    (
        "tgsi::property-dependency",
        "FRAG / PROPERTY FS_EARLY_DEPTH_STENCIL ? / DCL OUT[0], POSITION / NOP / END",
        &["0"],
        &["1"],
    ),
    (
        "tgsi::property-dependency",
        "FRAG / PROPERTY FS_POST_DEPTH_COVERAGE 1 / PROPERTY FS_EARLY_DEPTH_STENCIL ? / END",
        &["1"],
        &["0"],
    ),
    ("tgsi::property-stage", "? / PROPERTY GS_INVOCATIONS 1 / END", &["GEOM"], &["VERT", "FRAG"]),
    (
        "tgsi::property-stage",
        "? / PROPERTY NEXT_SHADER FRAG / END",
        &["VERT", "GEOM", "TESS_EVAL"],
        &["COMP", "FRAG"],
    ),
    ("tgsi::semantic-index", "FRAG / DCL OUT[0], COLOR[?] / END", &["7"], &["8"]),
    ("tgsi::semantic-index", "VERT / DCL OUT[0], COLOR[?] / END", &["1"], &["2"]),
    ("tgsi::semantic-index", "FRAG / DCL IN[0], COLOR[?], COLOR / END", &["1"], &["2"]),
    ("tgsi::semantic-index", "VERT / DCL OUT[0], BCOLOR[?] / END", &["1"], &["2"]),
    ("tgsi::semantic-index", "VERT / DCL OUT[0], CLIPDIST[?] / END", &["1"], &["2"]),
    ("tgsi::semantic-index", "VERT / DCL OUT[0..?], CLIPDIST / END", &["0", "1"], &["2"]),
    ("tgsi::semantic-index", "VERT / DCL OUT[0], TEXCOORD[?] / END", &["7"], &["8"]),
    ("tgsi::semantic-index", "VERT / DCL OUT[0], POSITION[?] / END", &["0"], &["1"]),
    ("tgsi::semantic-index", "VERT / DCL OUT[0], LAYER[?] / END", &["0"], &["1"]),
    (
        "tgsi::semantic-index",
        "GEOM / DCL OUT[0], GENERIC[0], STREAM(0,1,2,?) / END",
        &["0", "3"],
        &["4"],
    ),
    ("tgsi::register-dimension", "TESS_CTRL / DCL OUT?[0], PATCH / END", &[""], &["[]"]),
    ("tgsi::register-dimension", "TESS_EVAL / DCL IN[][0], ? / END", &["GENERIC[0]"], &["PATCH"]),
    ("tgsi::semantic-place", "? / DCL OUT[0], PATCH[0] / END", &["TESS_CTRL"], &["VERT", "FRAG"]),
    (
        "tgsi::interpolation-place",
        "? / DCL IN[0], GENERIC[0], LINEAR / END",
        &["FRAG", "VERT"],
        &["GEOM"],
    ),
    (
        "tgsi::integer-interpolation",
        "FRAG / DCL IN[0], ? / END",
        &["LAYER, CONSTANT", "GENERIC[0], LINEAR"],
        &["LAYER, LINEAR", "PRIM_ID, PERSPECTIVE", "VIEWPORT_INDEX, LINEAR"],
    ),
    (
        "tgsi::missing-position",
        "VERT / PROPERTY NEXT_SHADER ? / DCL OUT[0], COLOR / END",
        &["GEOM"],
        &["FRAG"],
    ),
    (
        "tgsi::duplicate-semantic",
        "VERT / DCL OUT[0].xy, GENERIC[0] / DCL OUT[0].?, GENERIC[0] / END",
        &["zw"],
        &["yz"],
    ),
];

#[test]
fn limits_are_where_they_are_said_to_be() {
    let mut wrong = Vec::new();
    for (code, shader, allowed, refused) in LIMITS {
        for word in allowed {
            let shader = shader.replace('?', word);
            if found(&shader).contains(&code) {
                wrong.push(format!("{code} in {shader}"));
            }
        }
        for word in refused {
            let shader = shader.replace('?', word);
            if !found(&shader).contains(&code) {
                wrong.push(format!("no {code} in {shader}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Shaders that have a diagnostic, and how often.
const FOUND: [(&str, &str, usize); 13] = [
    // A temporary whose number is computed may be any.
    (
        "tgsi::local-register",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL TEMP[0], LOCAL / MOV TEMP[0], IN[0] / \
         CAL :3 / END / BGNSUB / MOV OUT[0], TEMP[0] / RET / ENDSUB",
        1,
    ),
    (
        "tgsi::local-register",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL ADDR[0] / DCL TEMP[0..1], LOCAL / \
         ARL ADDR[0].x, IN[0] / MOV TEMP[ADDR[0].x], IN[0] / MOV TEMP[0], IN[0] / CAL :5 / END / \
         BGNSUB / MOV OUT[0], TEMP[0] / RET / ENDSUB",
        0,
    ),
    (
        "tgsi::local-register",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL OUT[1..2], GENERIC / DCL ADDR[0] / \
         DCL TEMP[0], LOCAL / ARL ADDR[0].x, IN[0] / MOV OUT[ADDR[0].x], IN[0] / \
         MOV TEMP[0], IN[0] / CAL :5 / END / BGNSUB / MOV OUT[0], TEMP[0] / RET / ENDSUB",
        1,
    ),
    // What a subroutine writes itself it may read.
    (
        "tgsi::local-register",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL TEMP[0], LOCAL / MOV TEMP[0], IN[0] / \
         CAL :3 / END / BGNSUB / MOV TEMP[0], IN[0] / MOV OUT[0], TEMP[0] / RET / ENDSUB",
        0,
    ),
    // Of the outputs only colours can be fetched from the framebuffer.
    (
        "tgsi::operand-file",
        "FRAG / DCL OUT[0], COLOR / DCL TEMP[0] / FBFETCH TEMP[0], OUT[0] / MOV OUT[0], TEMP[0] / END",
        0,
    ),
    (
        "tgsi::operand-file",
        "FRAG / DCL OUT[0], POSITION / DCL TEMP[0] / FBFETCH TEMP[0], OUT[0] / \
         MOV OUT[0], TEMP[0] / END",
        1,
    ),
    // Components that mean something.
    (
        "tgsi::semantic-component",
        "FRAG / DCL IN[0], GENERIC[0], PERSPECTIVE / DCL OUT[0], POSITION / \
         MOV OUT[0].x, IN[0].xxxx / END",
        1,
    ),
    (
        "tgsi::semantic-component",
        "FRAG / DCL IN[0], GENERIC[0], PERSPECTIVE / DCL OUT[0], POSITION / \
         MOV OUT[0].z, IN[0].xxxx / END",
        0,
    ),
    (
        "tgsi::semantic-component",
        "VERT / DCL SV[0], INSTANCEID / DCL OUT[0], POSITION / ADD OUT[0], SV[0].yyyy, SV[0].xxxx / END",
        1,
    ),
    (
        "tgsi::unused-component",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL OUT[1].xyz, GENERIC[0] / MOV OUT[0], IN[0] / \
         MOV OUT[1].xy, IN[0] / END",
        1,
    ),
    (
        "tgsi::unused-component",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL OUT[1].xyz, GENERIC[0] / MOV OUT[0], IN[0] / \
         MOV OUT[1].yz, IN[0] / END",
        1,
    ),
    (
        "tgsi::unused-component",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / DCL OUT[1].xyz, GENERIC[0] / MOV OUT[0], IN[0] / \
         MOV OUT[1].xyz, IN[0] / END",
        0,
    ),
    (
        "tgsi::scalar-source",
        "VERT / DCL IN[0] / DCL OUT[0], POSITION / RCP OUT[0], IN[0].xxxy / END",
        1,
    ),
];

#[test]
fn what_is_found_is_found_as_often_as_it_is_there() {
    let mut wrong = Vec::new();
    for (code, shader, times) in FOUND {
        let found = found(shader);
        if found.iter().filter(|found| **found == code).count() != times {
            wrong.push(format!("{code} not {times} times in {shader}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
