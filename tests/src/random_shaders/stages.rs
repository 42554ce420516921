//! The stages of random shaders: what each is given and what it must give.

/// A stage, or a way of using one.
pub(super) struct Stage {
    /// The header's word.
    pub(super) word: &'static str,
    /// The lines of declarations that only this stage has.
    pub(super) declarations: &'static [&'static str],
    /// Registers that can be read besides those that all stages have: of a system value the components
    /// that it has.
    pub(super) inputs: &'static [&'static str],
    /// Registers that can be written.
    pub(super) outputs: &'static [&'static str],
    /// Instructions that leave a number of the invocation in `TEMP[52].x`, unlike that of any other
    /// that runs beside it.
    pub(super) number: &'static [&'static str],
    /// The last instructions.
    pub(super) results: &'static [&'static str],
}

pub(super) const STAGES: [Stage; 8] = [
    Stage {
        word: "VERT",
        declarations: &[
            "DCL IN[0..2]",
            "DCL OUT[0], POSITION",
            "DCL OUT[1..2], GENERIC[0]",
            "DCL SV[0], VERTEXID",
            "DCL SV[1], INSTANCEID",
        ],
        inputs: &["IN[0]", "IN[1]", "IN[2]", "SV[0].xxxx", "SV[1].xxxx"],
        outputs: &["OUT[1]", "OUT[2]"],
        number: &["MOV TEMP[52].x, SV[0].xxxx"],
        results: &["MOV OUT[0], TEMP[0]", "MOV OUT[1], TEMP[3]"],
    },
    Stage {
        word: "VERT",
        declarations: &[
            "PROPERTY NEXT_SHADER GEOM",
            "DCL IN[0..2]",
            "DCL SV[0], VERTEXID",
            "DCL OUT[0], POSITION",
            "DCL OUT[1..2], GENERIC[0]",
        ],
        inputs: &["IN[0]", "IN[1]", "IN[2]"],
        outputs: &["OUT[1]", "OUT[2]"],
        number: &["MOV TEMP[52].x, SV[0].xxxx"],
        results: &["MOV OUT[0], TEMP[0]", "MOV OUT[1], TEMP[3]"],
    },
    Stage {
        word: "FRAG",
        declarations: &[
            "DCL IN[0], GENERIC[0], PERSPECTIVE",
            "DCL IN[1], COLOR, COLOR",
            "DCL IN[2], GENERIC[1], LINEAR, CENTROID",
            "DCL IN[3], GENERIC[2], CONSTANT",
            "DCL SV[0], POSITION",
            "DCL SV[1], FACE",
            "DCL OUT[0], COLOR",
            "DCL OUT[1], COLOR[1]",
            "DCL OUT[2], POSITION",
        ],
        inputs: &["IN[0]", "IN[1]", "IN[2]", "IN[3]", "SV[0]", "SV[1].xxxx"],
        outputs: &["OUT[1]"],
        number: &[
            "F2U TEMP[52].xy, SV[0]",
            "UMAD TEMP[52].x, TEMP[52].yyyy, IMM[5].xxxx, TEMP[52].xxxx",
        ],
        results: &["MOV OUT[0], TEMP[0]", "MOV OUT[1], TEMP[3]", "MOV OUT[2].z, TEMP[1].xxxx"],
    },
    Stage {
        word: "FRAG",
        declarations: &[
            "DCL IN[0], GENERIC[0], PERSPECTIVE",
            "DCL IN[1], GENERIC[1], PERSPECTIVE, SAMPLE",
            "DCL SV[0], POSITION",
            "DCL OUT[0], COLOR",
        ],
        inputs: &["IN[0]", "IN[1]"],
        outputs: &[],
        number: &[
            "F2U TEMP[52].xy, SV[0]",
            "UMAD TEMP[52].x, TEMP[52].yyyy, IMM[5].xxxx, TEMP[52].xxxx",
        ],
        results: &["ADD OUT[0], TEMP[0], TEMP[3]"],
    },
    Stage {
        word: "GEOM",
        declarations: &[
            "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES",
            "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP",
            "PROPERTY GS_MAX_OUTPUT_VERTICES 12",
            "DCL IN[][0], POSITION",
            "DCL IN[][1], GENERIC[0]",
            "DCL SV[0], PRIM_ID",
            "DCL OUT[0], POSITION",
            "DCL OUT[1], GENERIC[0]",
        ],
        inputs: &["IN[0][0]", "IN[1][1]", "IN[2][0]", "IN[ADDR[0].x][1]", "SV[0].xxxx"],
        outputs: &["OUT[0]", "OUT[1]"],
        number: &["MOV TEMP[52].x, SV[0].xxxx"],
        results: &[
            "MOV OUT[0], TEMP[0]",
            "MOV OUT[1], TEMP[3]",
            "EMIT IMM[2].xxxx",
            "ENDPRIM IMM[2].xxxx",
        ],
    },
    Stage {
        word: "TESS_CTRL",
        declarations: &[
            "PROPERTY TCS_VERTICES_OUT 3",
            "DCL IN[][0], POSITION",
            "DCL IN[][1], GENERIC[0]",
            "DCL SV[0], INVOCATIONID",
            "DCL SV[1], PRIM_ID",
            "DCL OUT[][0], POSITION",
            "DCL OUT[1], TESSOUTER",
            "DCL OUT[2], TESSINNER",
            "DCL OUT[3], PATCH",
            "DCL OUT[][4], GENERIC[1]",
        ],
        inputs: &["IN[0][0]", "IN[1][1]", "IN[ADDR[0].x][0]", "SV[0].xxxx", "OUT[ADDR[1].x][4]"],
        outputs: &["OUT[ADDR[1].x][4]", "OUT[ADDR[1].x][0]", "OUT[3]"],
        number: &[
            "UARL ADDR[1].x, SV[0].xxxx",
            "MOV OUT[ADDR[1].x][4], CONST[0][0]",
            "UMUL TEMP[52].x, SV[1].xxxx, IMM[5].yyyy",
            "UADD TEMP[52].x, TEMP[52].xxxx, SV[0].xxxx",
        ],
        // One invocation says what belongs to the patch: what several write in no order is open.
        results: &[
            "MOV OUT[ADDR[1].x][0], TEMP[0]",
            "UIF SV[0].xxxx :0",
            "ELSE :0",
            "MOV OUT[1], TEMP[3]",
            "MOV OUT[2], TEMP[3]",
            "MOV OUT[3], TEMP[1]",
            "ENDIF",
        ],
    },
    Stage {
        word: "TESS_EVAL",
        declarations: &[
            "PROPERTY TES_PRIM_MODE 4",
            "DCL IN[][0], POSITION",
            "DCL IN[][1], GENERIC[0]",
            "DCL IN[2], PATCH",
            "DCL SV[0], TESSCOORD",
            "DCL SV[1], PRIM_ID",
            "DCL OUT[0], POSITION",
            "DCL OUT[1], GENERIC[0]",
        ],
        inputs: &["IN[0][0]", "IN[1][1]", "IN[ADDR[0].x][0]", "IN[2]", "SV[0].xyzx"],
        outputs: &["OUT[1]"],
        number: &[
            "MUL TEMP[52].xy, SV[0], IMM[6].xxxx",
            "F2U TEMP[52].xy, TEMP[52]",
            "UMAD TEMP[52].x, TEMP[52].yyyy, IMM[4].yyyy, TEMP[52].xxxx",
            "UMAD TEMP[52].x, SV[1].xxxx, IMM[5].xxxx, TEMP[52].xxxx",
        ],
        results: &["MOV OUT[0], TEMP[0]", "MOV OUT[1], TEMP[3]"],
    },
    Stage {
        word: "COMP",
        declarations: &[
            "PROPERTY CS_FIXED_BLOCK_WIDTH 128",
            "PROPERTY CS_FIXED_BLOCK_HEIGHT 1",
            "PROPERTY CS_FIXED_BLOCK_DEPTH 1",
            "DCL SV[0], THREAD_ID",
            "DCL SV[1], BLOCK_ID",
            "DCL MEMORY[0], SHARED",
        ],
        inputs: &["SV[0].xyzx", "SV[1].xyzx"],
        outputs: &[],
        number: &["UMAD TEMP[52].x, SV[1].xxxx, IMM[5].zzzz, SV[0].xxxx"],
        results: &[
            "STORE BUFFER[2], TEMP[52].yyyy, TEMP[0]",
            "STORE BUFFER[3], TEMP[52].yyyy, TEMP[3]",
        ],
    },
];
