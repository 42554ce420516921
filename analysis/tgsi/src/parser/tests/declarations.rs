//! Declarations, immediates and properties.

use expect_test::expect;

use super::check;

#[test]
fn declarations() {
    check(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nDCL IN[][0], POSITION\nDCL IN[3][1..2], GENERIC[4]\n\
         DCL OUT[0] . xy, GENERIC [ 9 ], STREAM ( 1, 0, 2, 3 )\nDCL CONST[2][0..7]\n\
         dcl temp[0..3], array(2), local\nDCL SAMP[0]\nDCL HWATOMIC[0][1], ARRAY(1)",
        expect![[r#"
            GEOM
              PROPERTY Some("GS_INPUT_PRIMITIVE") Some(Primitive(Triangles))
              DCL IN[][0..0] POSITION[0]
              DCL IN[3..3][1..2] GENERIC[4]
              DCL OUT[0..0] .xy GENERIC[9] streams=[1, 0, 2, 3]
              DCL CONST[2..2][0..7]
              DCL TEMP[0..3] array=2 local
              DCL SAMP[0..0]
              DCL HWATOMIC[0..0][1..1] array=1
        "#]],
    );
    check(
        "FRAG\nDCL IN[0], COLOR, COLOR, CENTROID\nDCL IN[1], GENERIC[1], PERSPECTIVE, SAMPLE, INVARIANT\n\
         DCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1..2], CUBE, UINT, SINT\nDCL SVIEW[3]\n\
         DCL IMAGE[0], 2D_ARRAY, WR, PIPE_FORMAT_R32_UINT, RAW\nDCL BUFFER[0], ATOMIC\n\
         DCL MEMORY[0], SHARED\nDCL SV[0], LOCAL, FACE",
        expect![[r#"
            FRAG
              DCL IN[0..0] COLOR[0] COLOR CENTROID
              DCL IN[1..1] GENERIC[1] PERSPECTIVE SAMPLE invariant
              DCL SVIEW[0..0] 2D [Float, Float, Float, Float]
              DCL SVIEW[1..2] CUBE [Uint, Sint, Uint, Uint]
              DCL SVIEW[3..3]
              DCL IMAGE[0..0] 2D_ARRAY Some("PIPE_FORMAT_R32_UINT") wr=true raw=true
              DCL BUFFER[0..0] atomic
              DCL MEMORY[0..0] SHARED
              DCL SV[0..0] local FACE[0]
            warning "CUBE, UINT, SINT": a sampler view returns one type or four; of 2 the first is repeated for the rest
        "#]],
    );
}

#[test]
fn declarations_of_other_years() {
    check(
        "VERT\nDCL IN[0], POSITION\nDCL IN[1], ARRAY(1), COLOR",
        expect![[r#"
        VERT
          DCL IN[0..0] POSITION[0]
          DCL IN[1..1] array=1 COLOR[0]
        hint ", POSITION": inputs of vertex shaders have no semantic since 2010: newer readers refuse this (and in one more place)
            Remove it: "DCL IN[0]"
            Remove it everywhere in this shader: "DCL IN[0]"
    "#]],
    );
    check(
        "FRAG\nDCL IMMX[0..1] {{ 0.5, 0, 0, 1 },\n  { 2, 0, 0, 0 }}\nDCL RES[0], 2D, FLOAT\nDCL RES[1], BUFFER, RAW, WR\n\
         DCL IN[0], GENERIC[0], LINEAR, CYLWRAP_XY\nDCL IN[1], LINEAR\nDCL IN[2], GENERIC[1], CENTROID",
        expect![[r#"
            FRAG
              DCL IMMX[0..1] [[3f000000, 0, 0, 3f800000], [40000000, 0, 0, 0]]
              DCL RES[0..0] 2D [Float, Float, Float, Float]
              DCL RES[1..1] BUFFER None wr=true raw=true
              DCL IN[0..0] GENERIC[0] LINEAR
              DCL IN[1..1] LINEAR
              DCL IN[2..2] GENERIC[1] CENTROID
            hint "IMMX": the file `IMMX` was in the language from 2010 to 2013; use `CONST` or `TEMP` with `ARRAY`
            hint "RES": the file `RES` was in the language from 2011 to 2016; use `SVIEW`, `IMAGE` or `BUFFER` (and in one more place)
            hint "CYLWRAP_XY": cylindrical wrap was written by dumpers until 2021, but no parser ever read it
            hint "LINEAR": Mesa since 2019 crashes on an interpolation without a semantic
            warning "CENTROID": without an interpolation before it, the location is dropped
        "#]],
    );
    check(
        "VERT\nDCL TEMP[0..70000]\nDCL TEMP[1], ARRAY(-1)\nDCL OUT[0], GENERIC[70000]",
        expect![[r#"
            VERT
              DCL TEMP[0..70000]
              DCL TEMP[1..1] array=1023
              DCL OUT[0..0] GENERIC[70000]
            warning "70000": register numbers have 16 bits: this one is cut off silently
            warning "1": the token format has 10 bits for this number, it is cut off (and in one more place)
        "#]],
    );
}

#[test]
fn wrong_declarations() {
    check(
        "VERT\nDCL\nDCL TMEP[0]\nDCL TEMP[]\nDCL TEMP[-1]\nDCL TEMP[3..0]\nDCL TEMP[0...3]\nDCL TEMP 0\nEND",
        expect![[r#"
            VERT
            ! ? "DCL"
            ! ? "DCL TMEP[0]"
            ! ? "DCL TEMP[]"
            ! ? "DCL TEMP[-1]"
            ! ? "DCL TEMP[3..0]"
            ! ? "DCL TEMP[0...3]"
            ! ? "DCL TEMP 0"
              1: END
            error "DCL": expected a register file such as `TEMP`, found the end of the statement
            error "TMEP": unknown register file `TMEP`; did you mean `TEMP`?
                Replace by `TEMP`: "DCL TEMP[0]"
            error "[]": expected a register number between the brackets
            error "-": expected a register number, found `-`
            error "3..0": the range ends before it begins: write `0..3`
                Write `0..3`: "DCL TEMP[0..3]"
            error "..": expected `..` between the first and the last register, found `..`
                Write `..`: "DCL TEMP[0..3]"
            error "0": expected `[` and a register number, found `0`
        "#]],
    );
    check(
        "VERT\nDCL TEMP[0].yx\nDCL TEMP[0].q\nDCL TEMP[0].\nDCL TEMP[0]x\nEND",
        expect![[r#"
            VERT
            ! DCL TEMP[0..0] .xy
            ! DCL TEMP[0..0]
            ! DCL TEMP[0..0]
            ! DCL TEMP[0..0]
              1: END
            error "yx": a write mask names each component once and in order: `xy`, not `yx`
                Write `.xy`: "DCL TEMP[0].xy"
            error "q": a write mask has the letters `x`, `y`, `z`, `w` only; found `q`
                Write `.w`: "DCL TEMP[0].w"
            error ".": expected a write mask such as `.xyz` after the dot, found the end of the statement
            error "x": expected the end of the statement, found `x`
                Insert `.`: "DCL TEMP[0].x"
        "#]],
    );
    check(
        "GEOM\nDCL IN[][0], POSITION\nDCL CONST[][0]\nDCL CONST[1][2][3]\nEND",
        expect![[r#"
        GEOM
        ! DCL IN[][0..0] POSITION[0]
        ! DCL CONST[][0..0]
        ! DCL CONST[1..1][2..2]
          1: END
        error "[]": the size of `[]` is that of the primitive: `PROPERTY GS_INPUT_PRIMITIVE` must come before
        error "[]": nothing implies a size for `[]` of CONST in a GEOM shader
        error "[": a register has at most two brackets
    "#]],
    );
    check(
        "FRAG\nDCL IN[0], GENERICS[0]\nDCL IN[0], GENERIC[0], INVARIANT, LINEAR\nDCL TEMP[0], LOCAL, ARRAY(1)\nDCL IN[0],\n\
         DCL OUT[0], STREAM(0,0,0,0)\nDCL SVIEW[0], 4D, FLOAT\nDCL SVIEW[0], 2D\nDCL SVIEW[0], 2D, FOO\n\
         DCL SVIEW[0], 2D, UINT, UINT, UINT, UINT, UINT\nDCL IMAGE[0], 2D, R32_UINT\n\
         DCL IMAGE[0], 2D, PIPE_FORMAT_FOO\nDCL BUFFER[0], FOO\nDCL MEMORY[0], SHARD\nEND",
        expect![[r#"
            FRAG
            ! DCL IN[0..0]
            ! DCL IN[0..0] GENERIC[0] invariant
            ! DCL TEMP[0..0] local
            ! DCL IN[0..0]
            ! DCL OUT[0..0]
            ! DCL SVIEW[0..0]
            ! DCL SVIEW[0..0]
            ! DCL SVIEW[0..0]
            ! DCL SVIEW[0..0]
            ! DCL IMAGE[0..0]
            ! DCL IMAGE[0..0]
            ! DCL BUFFER[0..0]
            ! DCL MEMORY[0..0]
              1: END
            error "GENERICS": expected a semantic, an interpolation, `ARRAY(n)`, `LOCAL` or `INVARIANT`, found `GENERICS`; did you mean `GENERIC`?
                Replace by `GENERIC`: "DCL IN[0], GENERIC[0]"
            error "LINEAR": `LINEAR` comes too late; the order is ARRAY, LOCAL, semantic, STREAM, interpolation, location, INVARIANT, each once
                Write them in order: "DCL IN[0], GENERIC[0], LINEAR, INVARIANT"
            error "ARRAY": `ARRAY` comes too late; the order is ARRAY, LOCAL, semantic, STREAM, interpolation, location, INVARIANT, each once
                Write them in order: "DCL TEMP[0], ARRAY(1), LOCAL"
            error ",": expected an attribute after the comma, found the end of the statement
            error "STREAM": expected an attribute that outputs of other stages than GEOM have too, found `STREAM`
            error "4D": expected a texture target such as `2D`, found `4D`
            error "2D": a sampler view says what it returns: expected `, FLOAT` or `UNORM`, `SNORM`, `SINT`, `UINT`; found the end of the statement
                Add `FLOAT`: "DCL SVIEW[0], 2D, FLOAT"
            error "FOO": a sampler view says what it returns: expected `, FLOAT` or `UNORM`, `SNORM`, `SINT`, `UINT`; found `FOO`
            error ",": a sampler view has at most four return types
            error "R32_UINT": expected `WR`, `RAW` or a format such as `PIPE_FORMAT_R32_UINT`, found `R32_UINT`; did you mean `PIPE_FORMAT_R32_UINT`?
                Replace by `PIPE_FORMAT_R32_UINT`: "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT"
            error "PIPE_FORMAT_FOO": unknown format `PIPE_FORMAT_FOO`
            error "FOO": expected `ATOMIC`, found `FOO`
            error "SHARD": expected `GLOBAL`, `SHARED`, `PRIVATE` or `INPUT`, found `SHARD`; did you mean `SHARED`?
                Replace by `SHARED`: "DCL MEMORY[0], SHARED"
        "#]],
    );
}

#[test]
fn immediates() {
    check(
        "VERT\nIMM[0] FLT32 {1, -.5, 1.e2, 0x3f800000}\nIMM UINT32{1,2,3,4294967297}\nIMM[2] INT32 {-1, +2, 3, 4}\n\
         IMM[3] FLT64 {1.5, -2}\nIMM[4] INT64 {-1, 0x10}\nIMM[5] UINT64 { 1 , 2 }\nIMM[6] FLT32 {nan, inf, 0x3f, 0}\n\
         IMM[7] FLT32 {0,\n 1,\n2, 3}\nIMM[8] FLT64 {0x00000000, 0x3ff00000, 0x00000000, 0x40000000}",
        expect![[r#"
            VERT
              IMM Some(0) FLT32 0x3f800000 0xbf000000 0x42c80000 0x3f800000
              IMM None UINT32 0x1 0x2 0x3 0x1
              IMM Some(2) INT32 0xffffffff 0x2 0x3 0x4
              IMM Some(3) FLT64 0x0 0x3ff80000 0x0 0xc0000000
              IMM Some(4) INT64 0xffffffff 0xffffffff 0x10 0x0
              IMM Some(5) UINT64 0x1 0x0 0x2 0x0
              IMM Some(6) FLT32 0x7fc00000 0x7f800000 0x427c0000 0x0
              IMM Some(7) FLT32 0x0 0x3f800000 0x40000000 0x40400000
              IMM Some(8) FLT64 0x0 0x3ff00000 0x0 0x40000000
            hint "IMM": this immediate is `IMM[1]`; newer texts say so
                Write the number: "IMM[1] UINT32{1,2,3,4294967297}"
            warning "4294967297": the token format has 32 bits for this number, it is cut off
            hint "nan": `nan` is read only by Mesa since 2023 (and in one more place)
            hint "0x3f": `0x3f` is read only by Mesa since 2023, as a whole number
        "#]],
    );
    check(
        "VERT\nIMM[1] FLT32 {0,1,2,3}\nIMM [2] FLT32 {0,1,2,3}\nIMM[3] {0,1,2,3}\nIMM[4] FLT23 {0,1,2,3}\n\
         IMM[5] FLT32 {0,1,2}\nIMM[6] FLT32 {0,1,2,3,4}\nIMM[7] FLT32 {0,1,2,3\nIMM[8] FLT32 {1.0f,0,0,0}\n\
         IMM[9] UINT32 {-1,0,0,0}\nIMM[10] INT32 {1.5,0,0,0}\nIMM[11] FLT64 {1,2,3,4}\nIMM[x] FLT32 {0,0,0,0}\nIMM",
        expect![[r#"
            VERT
            ! IMM Some(1) FLT32 0x0 0x3f800000 0x40000000 0x40400000
            ! IMM Some(2) FLT32 0x0 0x3f800000 0x40000000 0x40400000
            ! IMM Some(5) FLT32 0x0 0x3f800000 0x40000000 0x0
            ! IMM Some(6) FLT32 0x0 0x3f800000 0x40000000 0x40400000
            ! IMM Some(7) FLT32 0x0 0x3f800000 0x40000000 0x40400000
            ! IMM Some(8) FLT32 0x0 0x0 0x0 0x0
            ! IMM Some(9) UINT32 0x0 0x0 0x0 0x0
            ! IMM Some(10) INT32 0x0 0x0 0x0 0x0
            ! IMM Some(11) FLT64 0x0 0x3ff00000 0x0 0x40000000
            ! ? "IMM[x] FLT32 {0,0,0,0}"
            ! ? "IMM"
            error "1": immediates are numbered in order: expected 0, found 1
                Write `0`: "IMM[0] FLT32 {0,1,2,3}"
            error "[": no blank is allowed between `IMM` and `[`
                Remove the blank: "IMM[2] FLT32 {0,1,2,3}"
            error "}": an immediate of the type FLT32 has 4 values, found only 3
                Add zeros: "IMM[5] FLT32 {0,1,2, 0}"
            error ",": an immediate of the type FLT32 has 4 values; here is one more
                Remove the extra text: "IMM[6] FLT32 {0,1,2,3}"
            error "3": expected `}` after the values, found the end of the statement
                Insert `}`: "IMM[7] FLT32 {0,1,2,3}"
            error "1.0f": `1.0f` is not a FLT32 value: expected a number such as `-1.5` or `1e-3`, without a suffix
                Write `1.0`: "IMM[8] FLT32 {1.0,0,0,0}"
            error "-1": `-1` is not a UINT32 value: expected decimal digits without a sign
                Write `4294967295`: "IMM[9] UINT32 {4294967295,0,0,0}"
            error "1.5": `1.5` is not a INT32 value: expected decimal digits, perhaps with a sign
            error ",": an immediate of the type FLT64 has 2 values; here is one more
                Remove the extra text: "IMM[11] FLT64 {1,2}"
            error "x": expected the number of the immediate, found `x`
            error "IMM": expected the type of the immediate, such as `FLT32`, found the end of the statement
        "#]],
    );
    // Behind the greatest number that there is, none is next.
    check(
        "VERT\nIMM[4294967295] FLT32 {0,1,2,3}\nIMM FLT32 {0,1,2,3}\nIMM FLT32 {0,1,2,3}",
        expect![[r#"
            VERT
            ! IMM Some(4294967295) FLT32 0x0 0x3f800000 0x40000000 0x40400000
              IMM None FLT32 0x0 0x3f800000 0x40000000 0x40400000
              IMM None FLT32 0x0 0x3f800000 0x40000000 0x40400000
            error "4294967295": immediates are numbered in order: expected 0, found 4294967295
                Write `0`: "IMM[0] FLT32 {0,1,2,3}"
            hint "IMM": this immediate is `IMM[4294967295]`; newer texts say so (and in one more place)
                Write the number: ""
                Write the number everywhere in this shader: ""
        "#]],
    );
}

#[test]
fn properties() {
    check(
        "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nproperty fs_coord_pixel_center integer\n\
         PROPERTY NEXT_SHADER GEOM\nPROPERTY GS_OUTPUT_PRIMITIVE PATCHES\nPROPERTY FS_DEPTH_LAYOUT 2",
        expect![[r#"
            FRAG
              PROPERTY Some("FS_COORD_ORIGIN") Some(Origin(LowerLeft))
              PROPERTY Some("FS_COORD_PIXEL_CENTER") Some(PixelCenter(Integer))
              PROPERTY Some("NEXT_SHADER") Some(Stage(Geometry))
              PROPERTY Some("GS_OUTPUT_PRIMITIVE") Some(Primitive(Patches))
              PROPERTY Some("FS_DEPTH_LAYOUT") Some(Number(2))
        "#]],
    );
    check(
        "FRAG\nPROPERTY FS_COORD_ORIGN UPPER_LEFT\nPROPERTY FS_COORD_ORIGIN 0\nPROPERTY FS_DEPTH_LAYOUT -1\n\
         PROPERTY FS_DEPTH_LAYOUT\nPROPERTY FS_DEPTH_LAYOUT 1, 2\nPROPERTY\nEND",
        expect![[r#"
            FRAG
              PROPERTY None None
            ! PROPERTY Some("FS_COORD_ORIGIN") None
            ! PROPERTY Some("FS_DEPTH_LAYOUT") None
            ! PROPERTY Some("FS_DEPTH_LAYOUT") None
            ! PROPERTY Some("FS_DEPTH_LAYOUT") Some(Number(1))
            ! PROPERTY None None
              1: END
            warning "FS_COORD_ORIGN": unknown property `FS_COORD_ORIGN`, which only virglrenderer skips; did you mean `FS_COORD_ORIGIN`?
                Replace by `FS_COORD_ORIGIN`: "PROPERTY FS_COORD_ORIGIN UPPER_LEFT"
            error "0": `FS_COORD_ORIGIN` takes `UPPER_LEFT`, `LOWER_LEFT`; found `0`
            error "-": `FS_DEPTH_LAYOUT` takes a number without a sign; found `-`
            error "FS_DEPTH_LAYOUT": `FS_DEPTH_LAYOUT` takes a number without a sign; found the end of the statement
            error ",": expected the end of the statement, found `,`
            error "PROPERTY": expected the name of a property, found the end of the statement
        "#]],
    );
}
