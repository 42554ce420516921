//! Each capability, and a shader that asks for it.

use std::collections::BTreeSet;

use source::no_checkpoint;

use super::{Demand, Requirement, requirements};
use crate::capabilities;

/// A capability without `PIPE_`, what is asked of it, and a shader that does,
/// with `/` between its lines.
const CASES: &[(&str, Demand, &str)] = &[
    ("SHADER_CAP_INTEGERS", Demand::Yes, "VERT / UADD TEMP[0], TEMP[0], TEMP[0]"),
    ("SHADER_CAP_INTEGERS", Demand::Yes, "VERT / IMM[0] UINT32 {1, 2, 3, 4}"),
    ("CAP_INT64", Demand::Yes, "VERT / U64ADD TEMP[0], TEMP[0], TEMP[0]"),
    ("CAP_INT64_DIVMOD", Demand::Yes, "VERT / I64DIV TEMP[0], TEMP[0], TEMP[0]"),
    ("CAP_DOUBLES", Demand::Yes, "VERT / IMM[0] FLT64 {1.0, 2.0}"),
    ("SHADER_CAP_TGSI_DROUND_SUPPORTED", Demand::Yes, "VERT / DFLR TEMP[0], TEMP[0]"),
    (
        "SHADER_CAP_TGSI_DFRACEXP_DLDEXP_SUPPORTED",
        Demand::Yes,
        "VERT / DLDEXP TEMP[0], TEMP[0], TEMP[0]",
    ),
    ("SHADER_CAP_TGSI_LDEXP_SUPPORTED", Demand::Yes, "VERT / LDEXP TEMP[0], TEMP[0], TEMP[0]"),
    ("SHADER_CAP_TGSI_FMA_SUPPORTED", Demand::Yes, "VERT / FMA TEMP[0], TEMP[0], TEMP[0], TEMP[0]"),
    ("SHADER_CAP_TGSI_SQRT_SUPPORTED", Demand::Yes, "VERT / SQRT TEMP[0], TEMP[0]"),
    ("CAP_TGSI_DIV", Demand::Yes, "VERT / DIV TEMP[0], TEMP[0], TEMP[0]"),
    ("CAP_TGSI_PACK_HALF_FLOAT", Demand::Yes, "VERT / PK2H TEMP[0], TEMP[0]"),
    ("CAP_TGSI_CLOCK", Demand::Yes, "VERT / CLOCK TEMP[0]"),
    ("CAP_TGSI_VOTE", Demand::Yes, "VERT / VOTE_ANY TEMP[0], TEMP[0]"),
    ("CAP_TGSI_BALLOT", Demand::Yes, "VERT / BALLOT TEMP[0], TEMP[0]"),
    ("CAP_TGSI_BALLOT", Demand::Yes, "VERT / DCL SV[0], SUBGROUP_SIZE"),
    ("CAP_TGSI_TEX_TXF_LZ", Demand::Yes, "VERT / TEX_LZ TEMP[0], TEMP[0], SAMP[0], 2D"),
    ("CAP_TGSI_TXQS", Demand::Yes, "VERT / TXQS TEMP[0], SAMP[0], 2D_MSAA"),
    ("CAP_TGSI_FS_FINE_DERIVATIVE", Demand::Yes, "FRAG / DDX_FINE TEMP[0], TEMP[0]"),
    ("CAP_FRAGMENT_SHADER_DERIVATIVES", Demand::Yes, "FRAG / DDX TEMP[0], TEMP[0]"),
    ("CAP_COMPUTE_SHADER_DERIVATIVES", Demand::Yes, "COMP / TEX TEMP[0], TEMP[0], SAMP[0], 2D"),
    ("CAP_FRAGMENT_SHADER_TEXTURE_LOD", Demand::Yes, "FRAG / TXL TEMP[0], TEMP[0], SAMP[0], 2D"),
    ("CAP_TEXTURE_SHADOW_LOD", Demand::Yes, "FRAG / TXL TEMP[0], TEMP[0], SAMP[0], SHADOW2D_ARRAY"),
    ("CAP_TEXTURE_QUERY_LOD", Demand::Yes, "FRAG / LODQ TEMP[0], TEMP[0], SAMP[0], 2D"),
    (
        "CAP_MAX_TEXTURE_GATHER_COMPONENTS",
        Demand::AtLeast(1),
        "FRAG / IMM[0] INT32 {0, 0, 0, 0} / TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], 2D",
    ),
    (
        "CAP_MAX_TEXTURE_GATHER_COMPONENTS",
        Demand::AtLeast(4),
        "FRAG / IMM[0] INT32 {0, 2, 0, 0} / TG4 TEMP[0], TEMP[0], IMM[0].yyyy, SAMP[0], 2D",
    ),
    (
        "CAP_TEXTURE_GATHER_SM5",
        Demand::Yes,
        "FRAG / IMM[0] INT32 {0, 0, 0, 0} / TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], SHADOW2D",
    ),
    (
        "CAP_TEXTURE_GATHER_SM5",
        Demand::Yes,
        "FRAG / IMM[0] INT32 {0, 0, 0, 0} / \
         TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], 2D, TEMP[1].xyz",
    ),
    (
        "CAP_TEXTURE_GATHER_OFFSETS",
        Demand::Yes,
        "FRAG / IMM[0] INT32 {0, 0, 0, 0} / TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], 2D, \
         IMM[0].xyz, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz",
    ),
    (
        "CAP_TGSI_TG4_COMPONENT_IN_SWIZZLE",
        Demand::Form(true),
        "FRAG / TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0].yyyy, 2D",
    ),
    (
        "CAP_MIN_TEXTURE_GATHER_OFFSET",
        Demand::AtMost(-9),
        "FRAG / IMM[0] INT32 {-9, 1, -20, 0} / \
         TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xyz",
    ),
    (
        "CAP_MAX_TEXTURE_GATHER_OFFSET",
        Demand::AtLeast(8),
        "FRAG / IMM[0] INT32 {-9, 8, 20, 0} / \
         TG4 TEMP[0], TEMP[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xyz",
    ),
    (
        "CAP_MIN_TEXEL_OFFSET",
        Demand::AtMost(-9),
        "FRAG / IMM[0] INT32 {-9, 1, 0, 0} / TEX TEMP[0], TEMP[0], SAMP[0], 2D, IMM[0].xyz",
    ),
    (
        "CAP_MAX_TEXEL_OFFSET",
        Demand::AtLeast(7),
        "FRAG / IMM[0] INT32 {-9, 7, 0, 0} / TEX TEMP[0], TEMP[0], SAMP[0], 2D, IMM[0].yxz",
    ),
    (
        "CAP_MAX_TEXTURE_ARRAY_LAYERS",
        Demand::AtLeast(1),
        "FRAG / TEX TEMP[0], TEMP[0], SAMP[0], 2D_ARRAY",
    ),
    ("CAP_CUBE_MAP_ARRAY", Demand::Yes, "FRAG / DCL SVIEW[0], CUBEARRAY, FLOAT"),
    ("CAP_TEXTURE_MULTISAMPLE", Demand::Yes, "FRAG / TXF TEMP[0], TEMP[0], SAMP[0], 2D_MSAA"),
    ("CAP_TEXTURE_BUFFER_OBJECTS", Demand::Yes, "FRAG / TXF TEMP[0], TEMP[0], SAMP[0], BUFFER"),
    ("CAP_TEXTURE_SHADOW_MAP", Demand::Yes, "FRAG / TEX TEMP[0], TEMP[0], SAMP[0], SHADOW2D"),
    ("CAP_BINDLESS_TEXTURE", Demand::Yes, "FRAG / TEX TEMP[0], TEMP[0], TEMP[1], 2D"),
    ("CAP_BINDLESS_TEXTURE", Demand::Yes, "FRAG / SAMP2HND TEMP[0], SAMP[0], 2D"),
    (
        "CAP_IMAGE_LOAD_FORMATTED",
        Demand::Yes,
        "COMP / DCL IMAGE[0], 2D / LOAD TEMP[0], IMAGE[0], TEMP[0], 2D",
    ),
    ("CAP_LOAD_CONSTBUF", Demand::Yes, "FRAG / LOAD TEMP[0], CONST[0], TEMP[0]"),
    ("CAP_LOAD_CONSTBUF", Demand::Yes, "FRAG / DCL CONSTBUF[0]"),
    ("CAP_TGSI_ATOMFADD", Demand::Yes, "FRAG / ATOMFADD TEMP[0], BUFFER[0], TEMP[0], TEMP[0]"),
    (
        "CAP_TGSI_ATOMINC_WRAP",
        Demand::Yes,
        "FRAG / ATOMINC_WRAP TEMP[0], BUFFER[0], TEMP[0], TEMP[0]",
    ),
    ("SHADER_CAP_MAX_SHADER_BUFFERS", Demand::AtLeast(3), "FRAG / DCL BUFFER[2]"),
    ("SHADER_CAP_MAX_SHADER_IMAGES", Demand::AtLeast(2), "FRAG / DCL IMAGE[1], 2D"),
    ("CAP_FBFETCH", Demand::AtLeast(2), "FRAG / FBFETCH TEMP[0], OUT[1]"),
    ("CAP_DEMOTE_TO_HELPER_INVOCATION", Demand::Yes, "FRAG / DEMOTE"),
    ("CAP_SAMPLE_SHADING", Demand::Yes, "FRAG / DCL SV[0], SAMPLEID"),
    ("CAP_SAMPLE_SHADING", Demand::Yes, "FRAG / DCL IN[0], GENERIC[0], LINEAR, SAMPLE"),
    ("SHADER_CAP_TGSI_CONT_SUPPORTED", Demand::Yes, "FRAG / BGNLOOP / CONT / ENDLOOP"),
    ("SHADER_CAP_SUBROUTINES", Demand::Yes, "FRAG / RET"),
    (
        "SHADER_CAP_MAX_CONTROL_FLOW_DEPTH",
        Demand::AtLeast(2),
        "FRAG / BGNLOOP / IF TEMP[0].xxxx / BRK / ENDIF / ENDLOOP / IF TEMP[0].xxxx / ENDIF",
    ),
    ("CAP_COMPUTE", Demand::Yes, "COMP"),
    ("SHADER_CAP_MAX_INSTRUCTIONS", Demand::AtLeast(2), "VERT / NOP / END"),
    ("SHADER_CAP_MAX_ALU_INSTRUCTIONS", Demand::AtLeast(1), "VERT / MOV TEMP[0], TEMP[1] / END"),
    (
        "SHADER_CAP_MAX_TEX_INSTRUCTIONS",
        Demand::AtLeast(1),
        "FRAG / TEX TEMP[0], TEMP[0], SAMP[0], 2D / MOV TEMP[0], TEMP[0]",
    ),
    (
        "CAP_MAX_VERTEX_STREAMS",
        Demand::AtLeast(3),
        "GEOM / IMM[0] UINT32 {0, 2, 0, 0} / EMIT IMM[0].yyyy",
    ),
    (
        "CAP_MAX_VERTEX_STREAMS",
        Demand::AtLeast(4),
        "GEOM / DCL OUT[0], GENERIC[0], STREAM(0, 3, 0, 0)",
    ),
    ("CAP_VERTEX_SHADER_SATURATE", Demand::Yes, "VERT / MOV_SAT TEMP[0], TEMP[1]"),
    ("SHADER_CAP_INDIRECT_INPUT_ADDR", Demand::Yes, "VERT / MOV TEMP[0], IN[ADDR[0].x]"),
    ("SHADER_CAP_INDIRECT_OUTPUT_ADDR", Demand::Yes, "VERT / MOV OUT[ADDR[0].x], TEMP[0]"),
    ("SHADER_CAP_INDIRECT_TEMP_ADDR", Demand::Yes, "VERT / MOV TEMP[0], TEMP[ADDR[0].x]"),
    ("SHADER_CAP_INDIRECT_CONST_ADDR", Demand::Yes, "VERT / MOV TEMP[0], CONST[ADDR[0].x]"),
    ("CAP_TGSI_ANY_REG_AS_ADDRESS", Demand::Yes, "VERT / MOV TEMP[0], CONST[TEMP[0].x]"),
    ("SHADER_CAP_MAX_INPUTS", Demand::AtLeast(4), "VERT / DCL IN[0] / DCL IN[0..2] / DCL IN[7]"),
    (
        "SHADER_CAP_MAX_OUTPUTS",
        Demand::AtLeast(2),
        "VERT / DCL OUT[0], POSITION / DCL OUT[1].xy, GENERIC[0] / DCL OUT[1].zw, GENERIC[1]",
    ),
    ("CAP_MAX_RENDER_TARGETS", Demand::AtLeast(4), "FRAG / DCL OUT[0..1], COLOR[2]"),
    ("SHADER_CAP_MAX_TEMPS", Demand::AtLeast(70), "VERT / DCL TEMP[0..69]"),
    ("SHADER_CAP_MAX_CONST_BUFFERS", Demand::AtLeast(3), "VERT / DCL CONST[2][0..3]"),
    ("SHADER_CAP_MAX_CONST_BUFFER_SIZE", Demand::AtLeast(64), "VERT / DCL CONST[2][0..3]"),
    ("SHADER_CAP_MAX_TEXTURE_SAMPLERS", Demand::AtLeast(18), "FRAG / DCL SAMP[17]"),
    ("SHADER_CAP_MAX_SAMPLER_VIEWS", Demand::AtLeast(18), "FRAG / DCL SVIEW[17], 2D, FLOAT"),
    ("SHADER_CAP_MAX_HW_ATOMIC_COUNTERS", Demand::AtLeast(8), "FRAG / DCL HWATOMIC[1][0..7]"),
    (
        "SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS",
        Demand::AtLeast(2),
        "FRAG / DCL HWATOMIC[1][0..7]",
    ),
    (
        "SHADER_CAP_TGSI_ANY_INOUT_DECL_RANGE",
        Demand::Yes,
        "FRAG / DCL IN[0..3], GENERIC[0], PERSPECTIVE",
    ),
    ("CAP_TGSI_ARRAY_COMPONENTS", Demand::Yes, "VERT / DCL OUT[0..3].xy, ARRAY(1), GENERIC[0]"),
    ("CAP_TGSI_CAN_READ_OUTPUTS", Demand::Yes, "VERT / MOV TEMP[0], OUT[0]"),
    (
        "CAP_MAX_VARYINGS",
        Demand::AtLeast(2),
        "FRAG / DCL IN[0], GENERIC[0], LINEAR / DCL IN[1], TEXCOORD[0], LINEAR / DCL IN[2], COLOR, COLOR",
    ),
    ("CAP_MAX_SHADER_PATCH_VARYINGS", Demand::AtLeast(1), "TESS_CTRL / DCL OUT[4], PATCH[0]"),
    ("CAP_SHADER_STENCIL_EXPORT", Demand::Yes, "FRAG / DCL OUT[0], STENCIL"),
    ("CAP_TGSI_TEXCOORD", Demand::Yes, "FRAG / DCL IN[0], TEXCOORD[0], LINEAR"),
    ("CAP_TGSI_INSTANCEID", Demand::Yes, "VERT / DCL SV[0], INSTANCEID"),
    ("CAP_VERTEXID_NOBASE", Demand::Yes, "VERT / DCL SV[0], VERTEXID_NOBASE"),
    ("CAP_VERTEXID_NOBASE", Demand::Form(false), "VERT / DCL SV[0], VERTEXID"),
    ("CAP_DRAW_PARAMETERS", Demand::Yes, "VERT / DCL SV[0], DRAWID"),
    ("CAP_TGSI_FS_POSITION_IS_SYSVAL", Demand::Form(true), "FRAG / DCL SV[0], POSITION"),
    ("CAP_TGSI_FS_POINT_IS_SYSVAL", Demand::Form(false), "FRAG / DCL IN[0], PCOORD, LINEAR"),
    ("CAP_TGSI_FS_FACE_IS_INTEGER_SYSVAL", Demand::Form(false), "FRAG / DCL IN[0], FACE, CONSTANT"),
    ("CAP_GLSL_TESS_LEVELS_AS_INPUTS", Demand::Form(false), "TESS_EVAL / DCL SV[0], TESSOUTER"),
    ("CAP_CULL_DISTANCE", Demand::Yes, "VERT / PROPERTY NUM_CULLDIST_ENABLED 2"),
    ("CAP_TGSI_VS_LAYER_VIEWPORT", Demand::Yes, "VERT / DCL OUT[0], LAYER"),
    ("CAP_TGSI_TES_LAYER_VIEWPORT", Demand::Yes, "TESS_EVAL / DCL OUT[0], VIEWPORT_INDEX"),
    ("CAP_VIEWPORT_MASK", Demand::Yes, "VERT / DCL OUT[0], VIEWPORT_MASK"),
    (
        "CAP_TGSI_VS_WINDOW_SPACE_POSITION",
        Demand::Yes,
        "VERT / PROPERTY VS_WINDOW_SPACE_POSITION 1",
    ),
    ("CAP_TGSI_MUL_ZERO_WINS", Demand::Yes, "VERT / PROPERTY LEGACY_MATH_RULES 1"),
    ("CAP_POST_DEPTH_COVERAGE", Demand::Yes, "FRAG / PROPERTY FS_POST_DEPTH_COVERAGE 1"),
    ("CAP_BLEND_EQUATION_ADVANCED", Demand::Yes, "FRAG / PROPERTY FS_BLEND_EQUATION_ADVANCED 1"),
    (
        "CAP_TGSI_FS_COORD_ORIGIN_UPPER_LEFT",
        Demand::Yes,
        "FRAG / PROPERTY FS_COORD_ORIGIN UPPER_LEFT",
    ),
    (
        "CAP_TGSI_FS_COORD_ORIGIN_LOWER_LEFT",
        Demand::Yes,
        "FRAG / PROPERTY FS_COORD_ORIGIN LOWER_LEFT",
    ),
    (
        "CAP_TGSI_FS_COORD_PIXEL_CENTER_HALF_INTEGER",
        Demand::Yes,
        "FRAG / PROPERTY FS_COORD_PIXEL_CENTER HALF_INTEGER",
    ),
    (
        "CAP_TGSI_FS_COORD_PIXEL_CENTER_INTEGER",
        Demand::Yes,
        "FRAG / PROPERTY FS_COORD_PIXEL_CENTER INTEGER",
    ),
    ("CAP_MAX_GS_INVOCATIONS", Demand::AtLeast(4), "GEOM / PROPERTY GS_INVOCATIONS 4"),
    (
        "CAP_MAX_GEOMETRY_OUTPUT_VERTICES",
        Demand::AtLeast(6),
        "GEOM / PROPERTY GS_MAX_OUTPUT_VERTICES 6",
    ),
    (
        "CAP_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS",
        Demand::AtLeast(24),
        "GEOM / PROPERTY GS_MAX_OUTPUT_VERTICES 6 / DCL OUT[0], POSITION",
    ),
    (
        "COMPUTE_CAP_MAX_BLOCK_SIZE",
        Demand::AtLeastEach([8, 4, 1]),
        "COMP / PROPERTY CS_FIXED_BLOCK_WIDTH 8 / PROPERTY CS_FIXED_BLOCK_HEIGHT 4 / \
         PROPERTY CS_FIXED_BLOCK_DEPTH 1",
    ),
    (
        "COMPUTE_CAP_MAX_THREADS_PER_BLOCK",
        Demand::AtLeast(32),
        "COMP / PROPERTY CS_FIXED_BLOCK_WIDTH 8 / PROPERTY CS_FIXED_BLOCK_HEIGHT 4 / \
         PROPERTY CS_FIXED_BLOCK_DEPTH 1",
    ),
    ("COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK", Demand::AtLeast(1), "COMP / NOP"),
];

fn of(text: &str) -> Vec<Requirement> {
    let text = text.replace(" / ", "\n") + "\n";
    let shader = crate::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
    requirements(&shader, &no_checkpoint)
}

#[test]
fn each_capability_is_asked_for() {
    for (name, demand, text) in CASES {
        let name = format!("PIPE_{name}");
        let found = of(text);
        let asked = found.iter().filter(|it| it.capability == name).map(|it| it.demand);
        let asked: Vec<Demand> = asked.collect();
        assert_eq!(asked, [*demand], "{text}: {name}\n{found:#?}");
    }
}

#[test]
fn what_asks_for_nothing_is_not_noted() {
    let names = |text: &str| -> Vec<&str> { of(text).iter().map(|it| it.capability).collect() };
    let plain = names("VERT / DCL IN[0] / DCL OUT[0], POSITION / MOV OUT[0], IN[0] / END");
    assert_eq!(
        plain,
        [
            "PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS",
            "PIPE_SHADER_CAP_MAX_INSTRUCTIONS",
            "PIPE_SHADER_CAP_MAX_INPUTS",
            "PIPE_SHADER_CAP_MAX_OUTPUTS",
        ]
    );
    let has = |text: &str, name: &str| names(text).contains(&name);
    assert!(!has("FRAG / MOV_SAT TEMP[0], TEMP[1]", "PIPE_CAP_VERTEX_SHADER_SATURATE"));
    assert!(!has("TESS_CTRL / MOV TEMP[0], OUT[0]", "PIPE_CAP_TGSI_CAN_READ_OUTPUTS"));
    assert!(!has("FRAG / PROPERTY FS_POST_DEPTH_COVERAGE 0", "PIPE_CAP_POST_DEPTH_COVERAGE"));
    assert!(!has("FRAG / TXL TEMP[0], TEMP[0], SAMP[0], 2D", "PIPE_CAP_TEXTURE_SHADOW_LOD"));
    assert!(!has(
        "COMP / DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT / LOAD TEMP[0], IMAGE[0], TEMP[0], 2D",
        "PIPE_CAP_IMAGE_LOAD_FORMATTED"
    ));
    assert!(!has("GEOM / DCL IN[][0], LAYER", "PIPE_CAP_TGSI_VS_LAYER_VIEWPORT"));
}

#[test]
fn the_place_is_that_which_asks_for_the_most() {
    let text = "FRAG\nIMM[0] INT32 {-9, 7, 3, 0}\nTEX TEMP[0], TEMP[0], SAMP[0], 2D, IMM[0].zzz\n\
                TEX TEMP[0], TEMP[0], SAMP[0], 2D, IMM[0].yyy\n";
    let shader = crate::parser::parse(text, &no_checkpoint).shader.expect("a shader");
    let all = requirements(&shader, &no_checkpoint);
    let offset = all.iter().find(|it| it.capability == "PIPE_CAP_MAX_TEXEL_OFFSET").expect("it");
    assert_eq!(&text[offset.range], "IMM[0].yyy");
    assert_eq!(offset.why, "a texel offset of 7");
}

/// A reason for each capability that no shader shows, as name and reason.
pub(crate) fn elsewhere() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = include_str!("../../data/capabilities_elsewhere.tsv").lines().skip(1);
    let cells = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    cells.flat_map(|row| row[1].split(',').map(move |name| (name, row[0])))
}

#[test]
fn every_capability_of_the_table_is_checked_or_said_not_to_be_seen() {
    let checked: BTreeSet<String> = CASES.iter().map(|(name, ..)| format!("PIPE_{name}")).collect();
    let elsewhere: BTreeSet<&str> = elsewhere().map(|(name, _)| name).collect();
    for row in capabilities::all() {
        let known = checked.contains(row.name) != elsewhere.contains(row.name);
        assert!(known, "{}: neither or both", row.name);
    }
}

#[test]
fn every_reason_why_a_capability_is_not_seen_is_told_once() {
    let all: Vec<(&str, &str)> = elsewhere().collect();
    let names: BTreeSet<&str> = all.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), all.len(), "a capability stands twice");
    for (name, reason) in all {
        assert!(reason.len() > 20, "{name}: {reason}");
    }
}
