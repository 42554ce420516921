//! Whole shaders of the stages between vertex and fragment shaders, and of
//! those before them: what they hand over has no opcode of its own.

use super::Made;

/// Name and text of every shader.
const SHADERS: [(&str, &str); 9] = [
    (
        "VERT before GEOM",
        "VERT\nPROPERTY NEXT_SHADER GEOM\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1].xy, GENERIC[3]\n\
         DCL OUT[2], LAYER\nMOV OUT[0], IN[0]\nMOV OUT[1].xy, IN[0]\nMOV OUT[2], IN[0]\nEND\n",
    ),
    (
        "VERT before TESS_CTRL",
        "VERT\nPROPERTY NEXT_SHADER TESS_CTRL\nDCL IN[0]\nDCL SV[0], INSTANCEID\n\
         DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1], SV[0]\nEND\n",
    ),
    (
        "TESS_EVAL before GEOM",
        "TESS_EVAL\nPROPERTY NEXT_SHADER GEOM\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], POSITION\n\
         DCL IN[1], PATCH\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
         MUL OUT[0], IN[0][0], SV[0]\nMOV OUT[1], IN[1]\nEND\n",
    ),
    (
        "TESS_EVAL with every system value",
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nDCL SV[0], TESSCOORD\nDCL SV[1], TESSOUTER\n\
         DCL SV[2], TESSINNER\nDCL SV[3], PRIM_ID\nDCL SV[4], VERTICESIN\nDCL OUT[0], POSITION\n\
         DCL TEMP[0]\nMUL TEMP[0], SV[0], SV[1]\nMUL TEMP[0], TEMP[0], SV[2]\n\
         UADD TEMP[0], TEMP[0], SV[3]\nUADD OUT[0], TEMP[0], SV[4]\nEND\n",
    ),
    (
        "TESS_EVAL with computed numbers",
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE 1\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n\
         DCL IN[][2], GENERIC[1]\nDCL IN[3], PATCH\nDCL IN[4], PATCH[1]\nDCL SV[0], TESSCOORD\n\
         DCL ADDR[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nARL ADDR[0].x, SV[0].xxxx\n\
         MOV OUT[0], IN[ADDR[0].x][ADDR[0].x+1]\nMOV OUT[1], IN[ADDR[0].x+3]\nEND\n",
    ),
    (
        "TESS_CTRL with factors in registers",
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\n\
         DCL OUT[1], TESSOUTER\nDCL OUT[2].xy, TESSINNER\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\n\
         IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\nUARL ADDR[0].x, SV[0].xxxx\n\
         MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[1], IMM[0]\nMOV OUT[2].xy, IMM[0]\nEND\n",
    ),
    (
        "TESS_CTRL that reads outputs of other lanes",
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL OUT[][0], GENERIC[0]\n\
         DCL OUT[1], TESSOUTER\nDCL OUT[2], PATCH\nDCL OUT[3], PATCH[1]\nDCL OUT[4], PATCH[2]\nDCL SV[0], INVOCATIONID\n\
         DCL SV[1], PRIM_ID\nDCL SV[2], VERTICESIN\nDCL ADDR[0]\nDCL TEMP[0]\n\
         UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nBARRIER\n\
         UIF SV[0].xxxx\nMOV TEMP[0], OUT[0][0]\nMOV OUT[ADDR[0].x+2], TEMP[0]\nENDIF\n\
         UIF SV[1].xxxx\nMOV OUT[1].xy, SV[2].xxxx\nENDIF\nBARRIER\nMOV OUT[2], OUT[3]\nEND\n",
    ),
    (
        "GEOM with streams",
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 4\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], POSITION\n\
         DCL SV[0], INVOCATIONID\nDCL SV[1], PRIM_ID\nDCL OUT[0], POSITION\n\
         DCL OUT[1], GENERIC[0], STREAM(1, 1, 1, 1)\nIMM[0] UINT32 {0, 1, 2, 3}\n\
         UADD OUT[0], IN[0][0], SV[1]\nEMIT IMM[0].xxxx\nMOV OUT[1], SV[0]\nEMIT IMM[0].yyyy\n\
         ENDPRIM IMM[0].yyyy\nEND\n",
    ),
    (
        "GEOM with computed numbers",
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY\n\
         PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\nPROPERTY GS_MAX_OUTPUT_VERTICES 6\n\
         DCL IN[][0..5], GENERIC[0]\nDCL ADDR[0]\nDCL TEMP[0]\n\
         DCL OUT[0], POSITION\nIMM[0] UINT32 {0, 1, 6, 3}\nMOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n\
         UIF TEMP[0].yyyy\nBRK\nENDIF\nUARL ADDR[0].x, TEMP[0].xxxx\n\
         MOV OUT[0], IN[ADDR[0].x][ADDR[0].x]\nEMIT IMM[0].xxxx\n\
         UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nENDPRIM IMM[0].xxxx\nEND\n",
    ),
];

/// A geometry shader that reads more inputs than are scheduled at once.
fn many_inputs() -> Made {
    let mut text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY\n\
                    PROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n\
                    DCL OUT[0], POSITION\nDCL TEMP[0]\n"
        .to_owned();
    let inputs = 0..16;
    text.extend(inputs.clone().map(|number| format!("DCL IN[][{number}], GENERIC[{number}]\n")));
    text.push_str("IMM[0] UINT32 {0, 0, 0, 0}\n");
    for vertex in 0..6 {
        text.extend(
            inputs.clone().map(|one| format!("ADD TEMP[0], TEMP[0], IN[{vertex}][{one}]\n")),
        );
    }
    text.push_str("MOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\nEND\n");
    Made { name: "GEOM with many inputs".to_owned(), text }
}

/// Adds them.
pub(super) fn stages(made: &mut Vec<Made>) {
    made.push(many_inputs());
    made.extend(SHADERS.map(|(name, text)| Made { name: name.to_owned(), text: text.to_owned() }));
}
