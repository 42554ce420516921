//! Answers about shaders at the corners of the rules, pinned by checksums: each rule of
//! views, images, offsets, arrays, properties and the forms of old texts, broken in turn and
//! kept in turn.

use std::fmt::Write as _;

use source::TextSize;

use crate::ast::{Component, StatementKind, WriteMask};
use crate::random_tests::{at_places, other_forms};
use crate::recorded_tests::{judged, table, whole};
use crate::service::{accesses, completion, refactor};
use crate::tokens::Layout;
use crate::{Opcode, codes, format, formats, parser, word_rows};

/// Returns what is said of a shader as a whole.
fn said(text: &str) -> String {
    let (mut out, shader) = judged(text);
    out += &shader.map_or(String::new(), |it| whole(text, &it));
    out + &other_forms(text)
}

/// Bodies of fragment shaders, in which two registers of each kind are declared.
const BODIES: [&str; 66] = [
    "SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0]\nIADD TEMP[1], TEMP[0], TEMP[0]\nADD OUT[0], TEMP[1], TEMP[0]",
    "SAMPLE_I TEMP[0], IN[0], SVIEW[1]\nADD TEMP[1], TEMP[0].xxyy, TEMP[0].zzww\nUADD TEMP[1], TEMP[0], TEMP[0]",
    "SAMPLE TEMP[0].x, IN[0], SVIEW[1].wzyx, SAMP[0]\nMOV TEMP[0].y, IN[0]\nUADD TEMP[1], TEMP[0].xyxy, TEMP[0]",
    "TEX TEMP[0], IN[0], SAMP[0], 2D\nSAMPLE TEMP[1], IN[0], SVIEW[0], SAMP[0]",
    "SAMPLE TEMP[1], IN[0], SVIEW[0], SAMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D",
    "TEX TEMP[0], IN[0], SAMP[3], 2D\nTEX TEMP[0], IN[0], SAMP[0], 2D\nTEX TEMP[0], IN[0], SAMP[3], 2D",
    "TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz\nTXF TEMP[0], IN[0], SAMP[0], 2D, IN[0].xyz",
    "TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, TEMP[1].xyz, TEMP[1].yzw, IMM[0].xyz, IMM[0].zyx",
    "TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz",
    "TXQ TEMP[0], IN[0].xxxx, SAMP[0], 2D, IMM[0].xyz\nTXF TEMP[0], IN[0], SAMP[0], BUFFER, IMM[0].xyz",
    "TEX TEMP[0], IN[0], SAMP[0], 2D, TEMP[ADDR[0].x].xyz\nTEX TEMP[0], IN[0], SAMP[0], CUBE, IMM[9].xyz",
    "TEX TEMP[0], IN[0], SAMP[ADDR[0].x], 2D\nTEX TEMP[0], IN[0], SAMP[ADDR[0].x+1](1), 2D",
    "TXB2 TEMP[0], IN[0], IN[1], SAMP[0], CUBEARRAY\nTXB2 TEMP[0], IN[0], IN[1], SAMP[0], 2D",
    "TXL2 TEMP[0], IN[0], IN[1], SAMP[0], SHADOWCUBE\nTEX2 TEMP[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY",
    "LOAD TEMP[0], IMAGE[0], IN[0], 2D, PIPE_FORMAT_R32_UINT\nLOAD TEMP[0], IMAGE[0], IN[0], 3D, PIPE_FORMAT_R32_FLOAT",
    "LOAD TEMP[0], IMAGE[1], IN[0], UNKNOWN, PIPE_FORMAT_NONE\nSTORE IMAGE[1], IN[0], IN[1], 2D, PIPE_FORMAT_NONE",
    "STORE IMAGE[0].xy, IN[0], IN[1], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, COHERENT, VOLATILE, RESTRICT",
    "ATOMUADD TEMP[0].x, IMAGE[0], IN[0], IN[1], 2D, PIPE_FORMAT_R32_FLOAT\nATOMFADD TEMP[0].x, IMAGE[0], IN[0], IN[1], 2D, PIPE_FORMAT_R32_FLOAT",
    "ATOMXCHG TEMP[0].x, IMAGE[0], IN[0], IN[1], 2D, PIPE_FORMAT_R32_FLOAT\nATOMXCHG TEMP[0].x, IMAGE[1], IN[0], IN[1], 2D",
    "ATOMCAS TEMP[0].x, BUFFER[0], IN[0], IN[1], TEMP[0]\nATOMUADD TEMP[0], HWATOMIC[0], IN[0], IN[1]",
    "ATOMUADD TEMP[0].x, HWATOMIC[0][1], IN[0], IN[1]\nATOMUADD TEMP[0].x, HWATOMIC[1][2], IN[0], IN[1]",
    "LOAD TEMP[0], BUFFER[0], IN[0]\nSTORE BUFFER[1], IN[0], TEMP[0]\nSTORE CONST[0][1], IN[0], TEMP[0]\nLOAD TEMP[0], TEMP[1], IN[0]",
    "LOAD TEMP[0], MEMORY[0], IN[0]\nSTORE MEMORY[0].yz, IN[0], TEMP[0]\nBARRIER\nMEMBAR IMM[0].xxxx",
    "STORE TEMP[0], IN[0], TEMP[0], 2D, PIPE_FORMAT_NONE\nLOAD TEMP[0], CONST[0][1], IN[0]\nRESQ TEMP[0], IMAGE[0], 2D",
    "MOV TEMP[0], OUT[0]\nMOV OUT[0].xy, OUT[0].yxxx\nMOV IN[0], TEMP[0]\nMOV CONST[0][0], TEMP[0]",
    "ARL ADDR[0].x, IN[0]\nMOV TEMP[ADDR[0].x+9](1), IN[0]\nMOV TEMP[0], TEMP[ADDR[0].x](2)\nMOV TEMP[0], TEMP[ADDR[0].x+1](1)",
    "MOV ADDR[0].x, IN[0]\nADD ADDR[0].x, IN[0], IN[0]\nUARL ADDR[0].xy, IN[0]\nARR ADDR[0].zw, IN[0]\nMOV TEMP[0], CONST[ADDR[0].z][1]",
    "MOV TEMP[5], IN[0]\nMOV TEMP[0], TEMP[6]\nMOV TEMP[0], CONST[0][99]\nMOV TEMP[0], IMM[7]\nMOV TEMP[0], IN[9]",
    "MOV TEMP[0].x, IN[0]\nMOV TEMP[0].w, IN[0]\nADD OUT[0], TEMP[0].xyzw, TEMP[0].wwxx\nMOV OUT[0], TEMP[1].yyyy",
    "IF IN[0].xxxx\nMOV TEMP[0], IN[0]\nENDIF\nMOV OUT[0], TEMP[0]\nKILL\nMOV OUT[0], IN[0]",
    "IF IN[0].xxxx\nMOV TEMP[0], IN[0]\nELSE\nMOV TEMP[0].xy, IN[0]\nENDIF\nMOV OUT[0], TEMP[0]",
    "BGNLOOP\nIF IN[0].xxxx\nBRK\nENDIF\nMOV TEMP[0], IN[0]\nENDLOOP\nMOV OUT[0], TEMP[0]",
    "BGNLOOP\nMOV TEMP[0], IN[0]\nIF IN[0].xxxx\nCONT\nENDIF\nMOV TEMP[1], TEMP[0]\nBRK\nENDLOOP\nMOV OUT[0], TEMP[1]",
    "SWITCH IN[0].xxxx\nCASE IMM[0].xxxx\nMOV TEMP[0], IN[0]\nCASE IMM[0].yyyy\nBRK\nDEFAULT\nMOV TEMP[0], IN[1]\nENDSWITCH\nMOV OUT[0], TEMP[0]",
    "CAL :4\nMOV OUT[0], TEMP[0]\nRET\nEND\nBGNSUB\nMOV TEMP[0], IN[0]\nCAL :8\nENDSUB\nBGNSUB\nRET\nENDSUB",
    "CAL :3\nCAL :0\nEND\nBGNSUB\nCAL :3\nENDSUB\nMOV OUT[0], TEMP[0]",
    "ENDIF\nELSE\nENDLOOP\nENDSWITCH\nCASE IMM[0].xxxx\nBRK\nCONT\nENDSUB\nBREAKC IN[0].x",
    "IF IN[0].xxxx :9\nELSE :1\nENDIF\nBGNLOOP :7\nENDLOOP :2\nUIF IN[0].yyyy :0\nENDIF",
    "DADD TEMP[0].xy, IN[0].xyzw, IN[1].zwxy\nDMUL TEMP[0].xz, IN[0], IN[0]\nDADD TEMP[0].x, TEMP[0], IN[0].xyyy\nD2F OUT[0].x, TEMP[0].xyxy",
    "U64ADD TEMP[0], IN[0], IN[0]\nI64NEG TEMP[0].zw, |IN[0]|\nDFRACEXP TEMP[0].xy, TEMP[1].x, IN[0]\nDLDEXP TEMP[0], IN[0], IMM[0]",
    "UADD TEMP[0], -IN[0], |IN[1]|\nINEG TEMP[0], -IN[0]\nUMUL TEMP[0], |IN[0]|, IN[1]\nADD_SAT TEMP[0], IN[0], IN[1]\nUADD_SAT TEMP[0], IN[0], IN[1]",
    "MAD OUT[0], IN[0], IMM[0], IMM[1]\nADD OUT[0], IMM[0], IMM[0].xxxx\nMOV OUT[0], -IMM[1]\nADD OUT[0], 1.5, IN[0]\nMOV OUT[0], -3\nUADD OUT[0], 7, 8",
    "(PRED[0].x) MOV OUT[0], IN[0]\n(!PRED[0].xyzw) MOV OUT[0], IN[0]\n(TEMP[0].x) MOV OUT[0], IN[0]\n(PRED[0] MOV OUT[0], IN[0]\nSGT PRED[0].xy, IN[0], IN[1]",
    "(PRED[1].y) ADD TEMP[0], IN[0], IN[0]\n(-PRED[0].x) MOV OUT[0], IN[0]\n() MOV OUT[0], IN[0]",
    "MOV OUT[0], 1-(IN[0])\nMOV OUT[0], (IN[0])-0.5\nMOV OUT[0], 2*(IN[0])\nMOV OUT[0], -(IN[0])\nMOV OUT[0], 2*((IN[0])-0.5)",
    "MOV OUT[0] (GT.xyzw), IN[0]\nMOV OUT[0] (EQ), IN[0]\nMOV 2X OUT[0], IN[0]\nMOV_2X OUT[0], IN[0]\nMOV_8X OUT[0], IN[0]",
    "MOV OUT[0], IN[0].x0y1\nMOV OUT[0], IN[0].(-x,y,0,1)\nMOV OUT[0], IN[0].xy\nMOV OUT[0], IN[0].xyzwx\nMOV OUT[0].yx, IN[0]\nMOV OUT[0].xx, IN[0]",
    "MOV OUT[0], IN[0].rgba\nMOV OUT[0].rgb, IN[0].stpq\nMOV OUT[0], |IN[0]\nMOV OUT[0], -|-IN[0]|\nMOV OUT[0], --IN[0]",
    "MOV OUT[0], IN[0]:\nMOV OUT[0]; IN[0]\nMOV OUT[0] IN[0]\nMOV OUT[0],, IN[0]\nMOV , OUT[0], IN[0]\nMOV OUT[0], IN[0], IN[0]\nMOV OUT[0]\nMOV",
    "MOV OUT[], IN[]\nMOV OUT[-1], IN[1-]\nMOV OUT[x], IN[99999999999]\nMOV OUT[0][0], IN[0][1]\nMOV OUT[ADDR[0]], IN[ADDR[0].xy]\nMOV OUT[ADDR[0].x-], IN[FOO[0].x]",
    "TEX OUT[0], IN[0], SAMP[0]\nTEX OUT[0], IN[0], SAMP[0], 4D\nTEX OUT[0], IN[0], 2D\nTEX OUT[0], IN[0], SAMP[0], SHADOW_2D\nTEX OUT[0], IN[0], SAMP[0], 2DARRAY",
    "TXD TEMP[0], IN[0], IN[1], IN[0], SAMP[0], SHADOW2D_ARRAY\nTXP TEMP[0], IN[0], SAMP[0], 2D_ARRAY\nLODQ TEMP[0], IN[0], SAMP[0], RECT",
    "SAMPLE_I_MS TEMP[0], IN[0], SVIEW[0], IN[1]\nSAMPLE_C TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1]\nSAMPLE_D TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1], IN[1]\nGATHER4 TEMP[0], IN[0], SVIEW[1], SAMP[0]",
    "SAMPLE_POS TEMP[0], SVIEW[0], IN[0]\nSAMPLE_INFO TEMP[0], SVIEW[0]\nSVIEWINFO TEMP[0], IN[0], SVIEW[0]\nFBFETCH TEMP[0], OUT[0]\nLOD TEMP[0], IN[0], SVIEW[0], SAMP[0]",
    "INTERP_CENTROID TEMP[0], IN[0]\nINTERP_SAMPLE TEMP[0], IN[0], IMM[0].xxxx\nINTERP_OFFSET TEMP[0], TEMP[1], IN[0]\nDDX TEMP[0], IN[0]\nDDY_FINE TEMP[0], IN[0]",
    "VOTE_ANY TEMP[0], IN[0]\nBALLOT TEMP[0].xy, IN[0]\nREAD_INVOC TEMP[0], IN[0], IMM[0].xxxx\nREAD_FIRST TEMP[0], IN[0]\nCLOCK TEMP[0].xy\nDEMOTE\nREAD_HELPER TEMP[0].x",
    "MOV TEMP[1], IN[0]\nADD OUT[0], TEMP[1], IN[1]",
    "MOV TEMP[1].xy, IN[0].wzzz\nMUL OUT[0].xy, -TEMP[1].yxxx, |TEMP[1]|\nADD OUT[0].zw, TEMP[1].xxxy, IN[0]",
    "MOV_SAT TEMP[1], IN[0]\nADD OUT[0], TEMP[1], IN[1]\nMOV TEMP[0], -IN[0]\nADD OUT[0], -TEMP[0], |TEMP[0]|\nMOV TEMP[0], TEMP[1]",
    "MOV TEMP[2], CONST[0][1]\nIF IN[0].xxxx\nMOV TEMP[2], IN[0]\nENDIF\nMOV OUT[0], TEMP[2]\nMOV TEMP[3], TEMP[2]\nMOV OUT[1], TEMP[3]",
    "  0: MOV OUT[0], IN[0]\n  2: MOV OUT[0], IN[0]\n  2: MOV OUT[0], IN[0]\nMOV OUT[0], IN[0]\n  x: MOV OUT[0], IN[0]\n 99999999999: NOP",
    "MUVE OUT[0], IN[0]\nMOVE OUT[0], IN[0]\nMOV_STA OUT[0], IN[0]\nADDD OUT[0], IN[0], IN[0]\nTEX_LZZ OUT[0], IN[0], SAMP[0], 2D\nFOO",
    "mov out[0], in[0].XYZW\nTex temp[0], In[0], Samp[0], 2d\nADD_sat OUT[0], IN[0], IN[0]\nMOV OUT[0], IN[0] // note\nMOV OUT[0], /* in */ IN[0]",
    "SUB OUT[0], IN[0], IN[1]\nABS OUT[0], IN[0]\nDPH OUT[0], IN[0], IN[1]\nXPD OUT[0], IN[0], IN[1]\nSCS OUT[0], IN[0]\nRFL OUT[0], IN[0], IN[1]\nNRM OUT[0], IN[0]",
    "CMP OUT[0], IN[0], IN[1], -IN[0]\nLRP OUT[0], IN[0], IN[1], CONST[1][0]\nPOW OUT[0].xz, IN[0].xyxx, IN[1]\nLIT OUT[0].y, IN[0]\nDP2 OUT[0].w, IN[0].zwxy, IN[1]",
    "END\nMOV OUT[0], IN[0]\nEND\nDCL TEMP[9]\nIMM[2] FLT32 {0, 0, 0, 0}\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT",
];

/// Declarations, immediates and properties, several to a text.
const DECLARED: [&str; 40] = [
    "PROPERTY FS_COORD_ORIGIN UPPER_LEFT\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT",
    "PROPERTY GS_MAX_OUTPUT_VERTICES 0\nPROPERTY GS_MAX_OUTPUT_VERTICES 99999\nPROPERTY GS_INVOCATIONS 0\nPROPERTY GS_INVOCATIONS 33",
    "PROPERTY CS_USER_DATA_COMPONENTS_AMD 5\nPROPERTY VS_BLIT_SGPRS_AMD 3\nPROPERTY NEXT_SHADER FRAG\nPROPERTY NEXT_SHADER FOO",
    "PROPERTY TES_PRIM_MODE TRIANGLES\nPROPERTY TES_PRIM_MODE POINTS\nPROPERTY TES_SPACING 3\nPROPERTY TCS_VERTICES_OUT 33\nPROPERTY NUM_CLIPDIST_ENABLED 9",
    "PROPERTY LEGACY_MATH_RULES 1\nPROPERTY MUL_ZERO_WINS 1\nPROPERTY VS_WINDOW_SPACE_POSITION 1\nPROPERTY FOO 1\nPROPERTY\nPROPERTY FS_COORD_ORIGIN",
    "DCL TEMP[4..5], ARRAY(1)\nDCL TEMP[6..7], ARRAY(1)\nDCL TEMP[8], ARRAY(0)\nDCL TEMP[9], ARRAY(x)\nDCL TEMP[10], ARRAY(2",
    "DCL TEMP[4..2]\nDCL TEMP[4..99999]\nDCL TEMP[0..1]\nDCL TEMP[]\nDCL TEMP[-1]\nDCL TEMP[4.5]\nDCL TEMP[4...5]",
    "DCL TEMP[4], LOCAL\nDCL TEMP[5], LOCAL, ARRAY(3)\nDCL IN[4], LOCAL\nDCL TEMP[6], INVARIANT\nDCL OUT[4], GENERIC[4], INVARIANT\nDCL TEMP[7], FOO",
    "DCL IN[4], GENERIC[4], LINEAR, CENTROID\nDCL IN[5], GENERIC[5], PERSPECTIVE, SAMPLE\nDCL IN[6], GENERIC[6], CONSTANT, CENTER\nDCL IN[7], GENERIC[7], COLOR",
    "DCL IN[4], LINEAR\nDCL IN[5], LINEAR, GENERIC[5]\nDCL IN[6], GENERIC\nDCL IN[7], GENERIC[\nDCL IN[8], GENERIC[x]\nDCL IN[9], FOO[1]\nDCL IN[10], GENERIC[1], LINEAR, LINEAR",
    "DCL IN[4], GENERIC[4], LINEAR, CYLWRAP_XY\nDCL IN[5].xy, GENERIC[5], LINEAR\nDCL IN[5].zw, GENERIC[6], LINEAR\nDCL IN[5].x, GENERIC[7]\nDCL IN[6].yx, GENERIC[8]",
    "DCL IN[][4], GENERIC[4]\nDCL IN[3][5], GENERIC[5]\nDCL OUT[][4], GENERIC[4]\nDCL IN[0..3][6..7], ARRAY(1), GENERIC[6]",
    "DCL OUT[4], COLOR[8]\nDCL OUT[5], POSITION\nDCL OUT[6], STENCIL\nDCL OUT[7], SAMPLEMASK\nDCL OUT[8], COLOR\nDCL OUT[9], FOG\nDCL OUT[10], EDGEFLAG",
    "DCL OUT[4], GENERIC[4], STREAM(0, 1, 2, 3)\nDCL OUT[5], GENERIC[5], STREAM(4, 0, 0, 0)\nDCL OUT[6], GENERIC[6], STREAM(1)\nDCL OUT[7], GENERIC[7], STREAM(1, 1, 1\nDCL OUT[8], STREAM",
    "DCL SV[0], FACE\nDCL SV[1], SAMPLEID\nDCL SV[2], VERTEXID\nDCL SV[3], FOO\nDCL SV[4]\nDCL SV[0], FACE\nDCL SV[5], GENERIC[3]\nDCL SV[6], HELPER_INVOCATION",
    "DCL SVIEW[2], SHADOW2D, UINT\nDCL SVIEW[3], 2D, FLOAT, UINT, SINT\nDCL SVIEW[4], 2D\nDCL SVIEW[5], FOO, FLOAT\nDCL SVIEW[6], 2D, FOO\nDCL SVIEW[0], 3D, FLOAT",
    "DCL IMAGE[2], 2D, FOO\nDCL IMAGE[3], PIPE_FORMAT_R32_UINT\nDCL IMAGE[4], 2D, PIPE_FORMAT_R32_UNIT, WR\nDCL IMAGE[5], 2D, WR, RAW\nDCL IMAGE[6]\nDCL IMAGE[7], 2D, r32_uint",
    "DCL IMAGE[2], 2D, PIPE_FORMAT_X24S8_UINT, WR\nDCL IMAGE[3], BUFFER, PIPE_FORMAT_NONE\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT\nDCL IMAGE[4], SHADOW2D, PIPE_FORMAT_R32_UINT",
    "DCL BUFFER[2], ATOMIC\nDCL BUFFER[3], RAW\nDCL BUFFER[4..5]\nDCL MEMORY[1], SHARED\nDCL MEMORY[2], PRIVATE\nDCL MEMORY[3], INPUT\nDCL MEMORY[4], GLOBAL\nDCL MEMORY[5]",
    "DCL HWATOMIC[0..3]\nDCL HWATOMIC[1][0..3]\nDCL HWATOMIC[2], ARRAY(1)\nDCL CONSTBUF[0]\nDCL RES[0], 2D\nDCL LOOP[0]\nDCL TEMPX[0..1], ARRAY(1)\nDCL IMMX[0]",
    "DCL CONST[2..3]\nDCL CONST[1][0..4095]\nDCL CONST[1][5000]\nDCL CONST[40][0]\nDCL CONST[0..1][0..1]\nDCL CONST[]",
    "DCL FOO[0]\nDCL\nDCL IN\nDCL IN 0\nDCL IN[0]], GENERIC\nDCL IN[0] GENERIC[0]\nDCL IN[0],\nDCL IN[0],, GENERIC[0]\ndcl temp[0]",
    "IMM[2] FLT32 {0.5, -1.5, 1e10, 1e-46}\nIMM[3] FLT32 {inf, -inf, nan, -nan}\nIMM[4] FLT32 {0x3f800000, 1.f, .5, 5.}\nIMM[5] FLT32 {1e999, 1e, e1, 0x}",
    "IMM[2] UINT32 {0, 4294967295, 4294967296, -1}\nIMM[3] INT32 {-2147483648, 2147483647, 2147483648, -2147483649}\nIMM[4] UINT32 {1.5, 0x10, 0xg, 010}",
    "IMM[2] FLT64 {0.5, 1e300, 3, 4}\nIMM[3] FLT64 {0x3ff00000, 0x00000000}\nIMM[4] INT64 {-9223372036854775808, 9223372036854775807}\nIMM[5] UINT64 {18446744073709551615, 18446744073709551616}",
    "IMM[2] FLT32 {0, 1, 2}\nIMM[2] FLT32 {0}\nIMM[4] FLT32 {}\nIMM[5] FLT32 {0, 1, 2, 3, 4}\nIMM FLT32 {0, 1, 2, 3}\nIMM[9] FLT32 {0 1 2 3}\nIMM[1..2] FLT32 {0, 1, 2, 3}",
    "IMM[2] FLT16 {0}\nIMM[3] {0, 1, 2, 3}\nIMM[4] FLT32 0, 1, 2, 3\nIMM[5] FLT32 {0, 1, 2, 3\nIMM[x] FLT32 {0}\nIMM[6] flt32 {0, 1, 2, 3}",
    "DCL ADDR[1]\nDCL ADDR[9]\nDCL PRED[1]\nDCL SAMP[2..40]\nDCL SAMP[0]\nDCL IN[20..40], GENERIC[20], LINEAR\nDCL OUT[20..60], GENERIC[20]",
    "DCL IN[4], POSITION, LINEAR\nDCL IN[5], FACE, CONSTANT\nDCL IN[6], PCOORD, PERSPECTIVE\nDCL IN[7], TEXCOORD[9], PERSPECTIVE\nDCL IN[8], PRIM_ID, CONSTANT\nDCL IN[9], CLIPDIST[2], PERSPECTIVE",
    "DCL OUT[4], TESSOUTER\nDCL OUT[5], TESSINNER\nDCL OUT[6], PATCH[31]\nDCL OUT[7], LAYER\nDCL OUT[8], VIEWPORT_INDEX\nDCL OUT[9], CLIPVERTEX\nDCL OUT[10], PSIZE",
    "DCL IN[4], GENERIC[4], FLAT\nDCL IN[5], GENERIC[5], CONSTANT, LOCATION\nDCL IN[6], GENERIC[4], LINEAR\nDCL OUT[4], GENERIC[1]\nDCL OUT[5], GENERIC[1]",
    "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_SIZE\nDCL SV[2], GRID_SIZE\nDCL SV[3], SUBGROUP_EQ_MASK\nDCL SV[4], INVOCATIONID\nDCL SV[5], TESSCOORD\nDCL SV[6], PRIM_ID",
    "PROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 64\nPROPERTY CS_FIXED_BLOCK_DEPTH 64\nPROPERTY CS_FIXED_BLOCK_WIDTH 0",
    "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\nPROPERTY GS_INPUT_PRIMITIVE 4",
    "PROPERTY FS_DEPTH_LAYOUT 3\nPROPERTY FS_DEPTH_LAYOUT 9\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nPROPERTY FS_POST_DEPTH_COVERAGE 2\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS -1",
    "PROPERTY FS_COORD_PIXEL_CENTER INTEGER\nPROPERTY FS_COORD_PIXEL_CENTER HALF\nPROPERTY FS_COORD_ORIGIN MIDDLE\nPROPERTY SEPARABLE_PROGRAM 1\nPROPERTY GS_MAX_VERTICES 4",
    "PROPERTY VS_PROHIBIT_UCPS 1\nPROPERTY LAYER_VIEWPORT_RELATIVE 1\nPROPERTY NUM_CULLDIST_ENABLED 4\nPROPERTY TES_POINT_MODE 1\nPROPERTY TES_VERTEX_ORDER_CW 2",
    "PROPERTY FS_BLEND_EQUATION_ADVANCED 3\nPROPERTY FS_BLEND_EQUATION_ADVANCED 0x8000\nPROPERTY FS_COORD_ORIGIN, LOWER_LEFT\nproperty fs_coord_origin lower_left",
    "# tungsten: allow=tgsi::unused-declaration\nDCL TEMP[4]\nDCL TEMP[5] # tungsten: allow=all\n# tungsten: a=b c=d\n// tungsten: target=tahiti\n/* tungsten: x=y */",
    "DCL TEMP[4] DCL TEMP[5]\nDCL TEMP[6],\nDCL TEMP[7] ; DCL TEMP[8]\n\tDCL\tTEMP[9]\t\nDCL TEMP [ 10 .. 11 ] , LOCAL\nDCL TEMP[12]. xy",
];

const HEADER: &str = "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], CONSTANT\n\
    DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL SAMP[0..1]\nDCL SVIEW[0], 2D, FLOAT\n\
    DCL SVIEW[1], CUBE, UINT\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL IMAGE[1], 2D, PIPE_FORMAT_R32_FLOAT\n\
    DCL BUFFER[0..1]\nDCL MEMORY[0], SHARED\nDCL HWATOMIC[0][0..1]\nDCL CONST[0][0..3]\nDCL CONST[1][0]\n\
    DCL TEMP[0..1]\nDCL TEMP[2..3], ARRAY(1)\nDCL ADDR[0]\nDCL PRED[0]\n\
    IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {0.5, 1.0, -2.0, 100.0}\n";

#[test]
fn bodies_and_declarations_at_the_corners() {
    let mut records = table("corners.tsv");
    for (number, body) in BODIES.iter().enumerate() {
        let text = format!("FRAG\n{HEADER}{body}\nEND\n");
        records.add(&format!("body {number}"), "said", &said(&text));
        // There are many places, and most of them are alike.
        if number % 6 == 0 {
            records.add(&format!("body {number}"), "places", &at_places(&text));
        }
    }
    for (number, declared) in DECLARED.iter().enumerate() {
        let mut all = String::new();
        for stage in ["FRAG", "VERT", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"] {
            let used = "MOV OUT[4], IN[4]\nMOV TEMP[4], IMM[2]\nMOV OUT[5].xy, SV[0]\n";
            let text = format!("{stage}\n{declared}\n{used}END\n");
            all += &said(&text);
        }
        records.add(&format!("declared {number}"), "said", &all);
    }
    records.check();
}

#[test]
fn views_of_every_target_with_every_look_up() {
    let mut records = table("views.tsv");
    let rows = || word_rows::all().iter();
    let targets: Vec<&str> = rows().filter(|it| it.list == "target").map(|it| it.word).collect();
    let sampled = |it: &Opcode| it.row().number.is_some_and(|it| (145..=155).contains(&it));
    for opcode in Opcode::all().filter(sampled) {
        let mut all = String::new();
        for target in &targets {
            for kind in ["FLOAT", "UINT", "SINT, SINT, UNORM, FLOAT"] {
                let row = opcode.row();
                let mut operands =
                    vec!["TEMP[0]", "IN[0]", "SVIEW[0]", "SAMP[0]", "IN[1]", "IN[1]"];
                operands.truncate(row.destinations + row.sources);
                let name = opcode.mnemonic();
                let text = format!(
                    "FRAG\nDCL IN[0..1], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                     DCL SVIEW[0], {target}, {kind}\nDCL TEMP[0..1]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n\
                     {name} {}\nADD TEMP[1].xy, TEMP[0], TEMP[0]\nUADD TEMP[1].zw, TEMP[0], TEMP[0]\n\
                     {name} {}, IMM[0].xyz\nMOV OUT[0], TEMP[1]\nEND\n",
                    operands.join(", "),
                    operands.join(", "),
                );
                let (found, _) = judged(&text);
                let _ = writeln!(all, "{target} {kind} {found}");
            }
        }
        records.add(opcode.mnemonic(), "found", &all);
    }
    records.check();
}

#[test]
fn images_of_every_format_and_target() {
    let mut records = table("images.tsv");
    let rows = || word_rows::all().iter();
    let targets: Vec<&str> = rows().filter(|it| it.list == "target").map(|it| it.word).collect();
    let names: Vec<&str> = formats::all().iter().step_by(11).map(|it| it.name).collect();
    for (number, name) in names.iter().enumerate() {
        let mut all = String::new();
        for (place, target) in targets.iter().enumerate() {
            let other = names[(number + place) % names.len()];
            let text = format!(
                "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                 DCL IMAGE[0], {target}, {name}, WR\nLOAD TEMP[0], IMAGE[0], IN[0], {target}, {other}\n\
                 STORE IMAGE[0], IN[0], TEMP[0], {target}\nATOMUADD TEMP[0].x, IMAGE[0], IN[0], IN[0], \
                 {target}, {name}\nRESQ TEMP[0], IMAGE[0], {target}\nMOV OUT[0], TEMP[0]\nEND\n"
            );
            let (found, shader) = judged(&text);
            let _ = writeln!(all, "{found} {}", shader.is_some());
        }
        records.add(name, "found", &all);
    }
    records.check();
}

#[test]
fn names_and_pages() {
    let mut records = table("names.tsv");
    let mut said = String::new();
    for it in refactor::Refactoring::ALL {
        assert_eq!(refactor::Refactoring::find(it.id()), Some(it));
        let _ = writeln!(said, "{} {}", it.id(), it.title());
    }
    assert_eq!(refactor::Refactoring::find("nothing"), None);
    for layout in Layout::ALL {
        assert_eq!(Layout::from_name(layout.name()), Some(layout));
    }
    assert_eq!(Layout::from_name("nothing"), None);
    records.add("refactorings", "said", &said);
    let mut pages = String::new();
    for row in word_rows::all() {
        let _ = writeln!(pages, "{} {:?}", row.word, completion::page(row.list, row.word));
    }
    let words =
        Opcode::all().map(|it| it.mnemonic()).chain(formats::all().iter().map(|it| it.name));
    for word in words.chain(["nothing"]) {
        for list in ["opcode", "format", "file"] {
            let _ = writeln!(pages, "{word} {:?}", completion::page(list, word));
        }
    }
    records.add("pages", "said", &pages);
    for example in codes::examples() {
        let page = codes::explain(example.code);
        let (wrong, right) = (judged(example.wrong).0, judged(example.right).0);
        let said = format!("{example:?} {page:?}\n{wrong}\n{right}");
        records.add(example.code, "said", &said);
    }
    let shader = parser::parse("FRAG\nMOV TEMP[3].yz, IN[ADDR[0].x+1]\n", &source::no_checkpoint);
    let shader = shader.shader.expect("a shader");
    let StatementKind::Instruction(mov) = &shader.statements[0].kind else { panic!("a MOV") };
    let named = |mask| accesses::with_components(&mov.destinations[0].register, WriteMask(mask));
    assert_eq!([0, 6, 9, 15].map(named), ["TEMP[3]", "TEMP[3].yz", "TEMP[3].xw", "TEMP[3]"]);
    assert_eq!(Component::ALL.map(Component::letter), ['x', 'y', 'z', 'w']);
    let blank = |text: &str, at: u32| {
        format::blank_rest_of_line(text, TextSize::new(at))
            .map(|it| (it.start().into(), it.end().into()))
    };
    assert_eq!(blank("a \t\nb", 1), Some((1_u32, 3_u32)));
    assert_eq!(blank("a \r\nb", 1), Some((1, 2)));
    assert_eq!(blank("a \u{a0} ", 1), Some((1, 5)));
    assert_eq!([blank("a b", 1), blank("a", 9)], [None, None]);
    assert_eq!(blank("ab", 2), Some((2, 2)));
    records.check();
}
