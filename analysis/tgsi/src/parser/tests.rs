//! Every form of the grammar, and what is said of each mistake.

use std::fmt::Write;

use expect_test::{Expect, expect};
use text::{Severity, no_checkpoint};

use crate::ast::*;

/// What was understood of a text, a line each, then what was found wrong.
fn show(text: &str) -> String {
    let parse = super::parse(text, &no_checkpoint);
    let mut out = String::new();
    if let Some(shader) = &parse.shader {
        let _ = writeln!(out, "{}", shader.stage.value);
        for statement in &shader.statements {
            let mark = if statement.broken { "! " } else { "  " };
            let _ = writeln!(out, "{mark}{}", statement_words(text, statement));
        }
    }
    for found in &parse.diagnostics {
        let severity = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let place = &text[found.range];
        let _ = writeln!(out, "{severity} {place:?}: {}", found.message);
        for fix in &found.fixes {
            let mended = text::apply_edits(text, &fix.edits).expect("a fix that applies");
            let line = mended.lines().find(|line| !text.lines().any(|old| old == *line));
            let _ = writeln!(out, "    {}: {:?}", fix.title, line.unwrap_or_default());
        }
    }
    out
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(text));
}

fn statement_words(text: &str, statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Declaration(declaration) => declaration_words(declaration),
        StatementKind::Immediate(immediate) => {
            let bits: Vec<String> =
                immediate.bits.iter().map(|bits| format!("{bits:#x}")).collect();
            let index = immediate.index.map(|index| index.value);
            format!("IMM {index:?} {} {}", immediate.ty.value, bits.join(" "))
        }
        StatementKind::Property(property) => {
            let name = property.name.map(|name| name.value.word());
            let value = property.value.map(|value| value.value);
            format!("PROPERTY {name:?} {value:?}")
        }
        StatementKind::Instruction(instruction) => instruction_words(instruction),
        StatementKind::Unknown => format!("? {:?}", &text[statement.range]),
    }
}

fn declaration_words(declaration: &Declaration) -> String {
    let mut out = format!("DCL {}", declaration.file.value);
    let range = |range: IndexRange| format!("[{}..{}]", range.first, range.last);
    match declaration.dimension {
        Some(Some(dimension)) => out += &range(dimension.value),
        Some(None) => out += "[]",
        None => {}
    }
    out += &range(declaration.range.value);
    let mut add = |word: String| out += &format!(" {word}");
    if let Some(mask) = declaration.mask {
        add(mask_words(mask.value));
    }
    if let Some(array) = declaration.array {
        add(format!("array={}", array.value));
    }
    if declaration.local {
        add("local".to_owned());
    }
    if let Some(semantic) = declaration.semantic {
        add(format!("{}[{}]", semantic.value.name, semantic.value.index));
    }
    if let Some(streams) = declaration.streams {
        add(format!("streams={:?}", streams.value));
    }
    if let Some(interpolation) = declaration.interpolation {
        add(interpolation.value.to_string());
    }
    if let Some(location) = declaration.location {
        add(location.value.to_string());
    }
    if declaration.invariant {
        add("invariant".to_owned());
    }
    if let Some(image) = &declaration.image {
        let format = image.format.as_ref().map(|format| format.value.as_str());
        add(format!("{} {format:?} wr={} raw={}", image.target.value, image.writable, image.raw));
    }
    if let Some(view) = declaration.sampler_view {
        add(format!("{} {:?}", view.target.value, view.returns));
    }
    if declaration.atomic {
        add("atomic".to_owned());
    }
    if let Some(memory) = declaration.memory {
        add(memory.value.to_string());
    }
    if !declaration.initializers.is_empty() {
        add(format!("{:x?}", declaration.initializers));
    }
    out
}

fn instruction_words(instruction: &Instruction) -> String {
    let mut out = format!("{}: {}", instruction.ordinal, instruction.opcode.value.mnemonic());
    if instruction.saturate {
        out += " sat";
    }
    if instruction.precise {
        out += " precise";
    }
    if let Some(predicate) = &instruction.predicate {
        let not = if predicate.inverted { "!" } else { "" };
        out += &format!(" if({not}{})", register_words(&predicate.register));
    }
    for destination in &instruction.destinations {
        out +=
            &format!(" {}{}", register_words(&destination.register), mask_words(destination.mask));
    }
    for source in &instruction.sources {
        let sign = if source.negate { "-" } else { "" };
        let bar = if source.absolute { "|" } else { "" };
        let letters: String = source.swizzle.0.into_iter().map(Component::letter).collect();
        out += &format!(" {sign}{bar}{}.{letters}{bar}", register_words(&source.register));
    }
    if let Some(target) = instruction.target {
        out += &format!(" {}", target.value);
    }
    for offset in &instruction.offsets {
        let letters: String = offset.swizzle.into_iter().map(Component::letter).collect();
        out += &format!(" +{}.{letters}", register_words(&offset.register));
    }
    for qualifier in &instruction.qualifiers {
        out += &format!(" {}", qualifier.value);
    }
    if let Some(format) = &instruction.format {
        out += &format!(" {}", format.value);
    }
    if let Some(label) = instruction.label {
        out += &format!(" :{}", label.value);
    }
    out
}

fn register_words(register: &Register) -> String {
    let index = |index: Index| match index.indirect {
        None => format!("[{}]", index.offset),
        Some(base) => {
            let array = base.array.map_or(String::new(), |array| format!("({array})"));
            let letter = base.component.letter();
            format!("[{}[{}].{letter}{:+}]{array}", base.file, base.index, index.offset)
        }
    };
    let dimension = register.dimension.map_or(String::new(), index);
    format!("{}{dimension}{}", register.file, index(register.index))
}

fn mask_words(mask: WriteMask) -> String {
    format!(".{}", mask.components().map(Component::letter).collect::<String>())
}

#[test]
fn headers() {
    check(
        "  tess_ctrl END",
        expect![[r#"
        TESS_CTRL
          1: END
    "#]],
    );
    check(
        "FRAG1.1\nEND",
        expect![[r#"
        FRAG
          1: END
        hint "FRAG1.1": headers have no version since 2009: today this is `FRAG`
            Write `FRAG`: "FRAG"
    "#]],
    );
    check(
        "FRAG2.0\nEND",
        expect![[r#"
        FRAG
          1: END
        error "FRAG2.0": no reader knows this version of the header; write `FRAG`
            Write `FRAG`: "FRAG"
    "#]],
    );
    check(
        "VERT:\nEND",
        expect![[r#"
        VERT
          1: END
        error ":": only white space may follow the header `VERT`, found `:`
    "#]],
    );
    check(
        "VERT\nVERT\nEND",
        expect![[r#"
        VERT
        ! ? "VERT"
          1: END
        error "VERT": a shader has one header; `VERT` is a second one
    "#]],
    );
    check(
        "FRGA\nEND",
        expect![[r#"
            error "FRGA": expected a header such as `FRAG`, found `FRGA`; did you mean `FRAG`?
                Replace by `FRAG`: "FRAG"
        "#]],
    );
    check(
        "",
        expect![[r#"
        error "": the text is empty; a shader begins with `FRAG`, `VERT`, `GEOM`, `TESS_CTRL`, `TESS_EVAL` or `COMP`
    "#]],
    );
}

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
            error ".": expected the last register number, found `.`
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
        error ".": expected a write mask such as `.xyz` after the dot, found the end of the statement
        error "x": expected the end of the statement, found `x`
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
            error "LINEAR": `LINEAR` stands too late; the order is ARRAY, LOCAL, semantic, STREAM, interpolation, location, INVARIANT, each once
            error "ARRAY": `ARRAY` stands too late; the order is ARRAY, LOCAL, semantic, STREAM, interpolation, location, INVARIANT, each once
            error ",": expected an attribute after the comma, found the end of the statement
            error "STREAM": expected an attribute that outputs of other stages than GEOM have too, found `STREAM`
            error "4D": expected a texture target such as `2D`, found `4D`
            error "2D": a sampler view says what it returns: expected `, FLOAT` or `UNORM`, `SNORM`, `SINT`, `UINT`; found the end of the statement
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
            error "[": no blank may stand between `IMM` and `[`
                Remove the blank: "IMM[2] FLT32 {0,1,2,3}"
            error "5": immediates are numbered in order: expected 3, found 5
                Write `3`: "IMM[3] FLT32 {0,1,2}"
            error ",": an immediate of the type FLT32 has 4 values; here is one more
            error "3": expected `}` after the values, found the end of the statement
            error "1.0f": `1.0f` is no FLT32 value: expected a number such as `-1.5` or `1e-3`, without a suffix
            error "-1": `-1` is no UINT32 value: expected decimal digits without a sign
            error "1.5": `1.5` is no INT32 value: expected decimal digits, perhaps with a sign
            error ",": an immediate of the type FLT64 has 2 values; here is one more
            error "x": expected the number of the immediate, found `x`
            error "IMM": expected the type of the immediate, such as `FLT32`, found the end of the statement
            hint "IMM": this immediate is `IMM[13]`; newer texts say so
                Write the number: "IMM[13]"
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

#[test]
fn instructions() {
    check(
        "FRAG\n  0: MOV_SAT_PRECISE TEMP[0].xz, -|IN[0].wzyx|\n1 :\n mad temp [ 1 ] , CONST[2][3], IMM[0].XXXX,\nIN[1]\n\
         TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz, TEMP[1]\nIF TEMP[0].xxxx :7\nELSE :8\nENDIF CAL : 3\n\
         LOAD TEMP[0], IMAGE[0], IN[0], COHERENT, 2D, PIPE_FORMAT_R32_UINT\nRESQ TEMP[0].x, BUFFER[0]\n\
         GATHER4 TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].xyz\nBARRIER END",
        expect![[r#"
            FRAG
              1: MOV sat precise TEMP[0].xz -|IN[0].wzyx|
              2: MAD TEMP[1].xyzw CONST[2][3].xyzw IMM[0].xxxx IN[1].xyzw
              3: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw 2D +IMM[0].xyz +TEMP[1].xyz
              4: IF TEMP[0].xxxx :7
              5: ELSE :8
              6: ENDIF
              7: CAL :3
              8: LOAD TEMP[0].xyzw IMAGE[0].xyzw IN[0].xyzw 2D COHERENT PIPE_FORMAT_R32_UINT
              9: RESQ TEMP[0].x BUFFER[0].xyzw
              10: GATHER4 TEMP[0].xyzw IN[0].xyzw SVIEW[0].xyzw SAMP[0].xyzw +IMM[0].xyz
              11: BARRIER
              12: END
        "#]],
    );
    check(
        "VERT\nMOV TEMP[ADDR[0].y+2](1).x, CONST[ADDR[0]][TEMP[3].w-1](2)\nMOV OUT[0], IN[SV[0].x][1]",
        expect![[r#"
            VERT
              1: MOV TEMP[ADDR[0].y+2](1).x CONST[ADDR[0].x+0][TEMP[3].w-1](2).xyzw
              2: MOV OUT[0].xyzw IN[SV[0].x+0][1].xyzw
        "#]],
    );
}

#[test]
fn instructions_of_other_years() {
    check(
        "GEOM\nEMIT\nENDPRIM\nSUB_SAT TEMP[0], IN[0][0], IN[0][0]\nSUB TEMP[0], IN[0][0], IN[0][0]\nMOV_SSAT TEMP[0], IMM[0].x\n\
         MOV TEMP[0], CONST[ADDR[0].x + 3].xy\nMOV TEMP[0], CONST[-1]\nUNK67\n(!PRED[0].x) MOV TEMP[0], TEMP[1]\n\
         TEX TEMP[0], IN[0][0], SAMP[0], CUBE_ARRAY\nSAMPLE_L TEMP[0], TEMP[1], RES[0], SAMP[0]\nEND",
        expect![[r#"
            GEOM
              1: EMIT
              2: ENDPRIM
              3: SUB sat TEMP[0].xyzw IN[0][0].xyzw IN[0][0].xyzw
              4: SUB TEMP[0].xyzw IN[0][0].xyzw IN[0][0].xyzw
              5: MOV TEMP[0].xyzw IMM[0].xxxx
              6: MOV TEMP[0].xyzw CONST[ADDR[0].x+3].xyyy
              7: MOV TEMP[0].xyzw CONST[-1].xyzw
              8: UNK67
              9: MOV if(!PRED[0]) TEMP[0].xyzw TEMP[1].xyzw
              10: TEX TEMP[0].xyzw IN[0][0].xyzw SAMP[0].xyzw CUBEARRAY
              11: SAMPLE_L TEMP[0].xyzw TEMP[1].xyzw RES[0].xyzw SAMP[0].xyzw
              12: END
            hint "EMIT": `EMIT` had one operand less until 2014; since then a stream immediate follows, such as `IMM[0].xxxx`
            hint "ENDPRIM": `ENDPRIM` had one operand less until 2014; since then a stream immediate follows, such as `IMM[0].xxxx`
            hint "SUB_SAT": `SUB` left the language on 2017-01-05; today write `ADD dst, src0, -src1` (and in one more place)
                Write `ADD`: "ADD_SAT TEMP[0], IN[0][0], -IN[0][0]"
                Write `ADD` everywhere in this shader: "ADD_SAT TEMP[0], IN[0][0], -IN[0][0]"
            hint "MOV_SSAT": the limits -1..1 (`_SATNV`, `_SSAT`) were in the language until 2015; clamp with `MAX` and `MIN`
            hint ".x": the reference parser wants four letters in a swizzle; this is read as `.xxxx` (and in 2 more places)
                Write all four letters: "MOV_SSAT TEMP[0], IMM[0].xxxx"
                Write all four letters everywhere in this shader: "MOV_SSAT TEMP[0], IMM[0].xxxx"
            hint "+ 3": readers since 2012 refuse a blank between the sign and the number
                Remove the blank: "MOV TEMP[0], CONST[ADDR[0].x +3].xy"
            hint "-1": only virglrenderer reads a negative register number, and no register has it
            warning "UNK67": Mesa's parser reads this word, but no opcode has this number; it does nothing
            hint "(!PRED[0].x)": predicates were in the language from 2010 to 2017; use `IF` or `UCMP`
            hint "PRED": the file `PRED` was in the language from 2009 to 2017; use `IF` or `UCMP`
            hint "CUBE_ARRAY": the reference parser spells this target `CUBEARRAY`
                Write `CUBEARRAY`: "TEX TEMP[0], IN[0][0], SAMP[0], CUBEARRAY"
            hint "RES": the file `RES` was in the language from 2011 to 2016; use `SVIEW`, `IMAGE` or `BUFFER`
            hint "]": `SAMPLE_L` had one operand less until 2013; since then the level of detail is a source of its own
        "#]],
    );
}

#[test]
fn wrong_instructions() {
    check(
        "VERT\nMADD TEMP[0], IN[0], IN[0], IN[0]\nFOO_SAT TEMP[0]\nMVO_SAT TEMP[0], IN[0]\nMOV_PRECISE_SAT TEMP[0], IN[0]\n\
         ADD TEMP[0], IN[0]\nADD TEMP[0], IN[0],\nADD\nMOV TEMP[0], IN[0], IN[0]\nMOV TEMP[0] IN[0]\nNOP TEMP[0]\nNOP;\n\
         TEX TEMP[0], IN[0], SAMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 5D\nMOV TEMP[0], IN[0] :3\nIF IN[0].xxxx :x\n\
         LOAD TEMP[0], IMAGE[0], IN[0], COHERNT\nATOMFADD TEMP[0], IMAGE[0], IN[0], IN[0], COHERENT\n0: DCL TEMP[0]\n\
         0: 1: END\n0x0: END\n; text\n5\nEND\n5:",
        expect![[r#"
            VERT
              1: MADD TEMP[0].xyzw IN[0].xyzw IN[0].xyzw IN[0].xyzw
            ! ? "FOO_SAT TEMP[0]"
            ! ? "MVO_SAT TEMP[0], IN[0]"
            ! 2: MOV sat precise TEMP[0].xyzw IN[0].xyzw
            ! 3: ADD TEMP[0].xyzw IN[0].xyzw
            ! 4: ADD TEMP[0].xyzw IN[0].xyzw
            ! 5: ADD
            ! 6: MOV TEMP[0].xyzw IN[0].xyzw
            ! 7: MOV TEMP[0].xyzw IN[0].xyzw
            ! 8: NOP
            ! 9: NOP
            ! 10: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw
            ! 11: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw
            ! 12: MOV TEMP[0].xyzw IN[0].xyzw
            ! 13: IF IN[0].xxxx
            ! 14: LOAD TEMP[0].xyzw IMAGE[0].xyzw IN[0].xyzw
            ! 15: ATOMFADD TEMP[0].xyzw IMAGE[0].xyzw IN[0].xyzw IN[0].xyzw
            ! ? "0:"
              DCL TEMP[0..0]
            ! ? "0:"
              16: END
            ! ? "0x0:"
              17: END
            ! ? "; text\n5"
              18: END
            ! ? "5:"
            hint "MADD": `MADD` left the language on 2009-07-22; today write `MAD dst, src0, src1, src2`
                Write `MAD`: "MAD TEMP[0], IN[0], IN[0], IN[0]"
            error "FOO_SAT": unknown opcode `FOO_SAT`
            error "MVO_SAT": unknown opcode `MVO_SAT`; did you mean `MOV_SAT`?
                Replace by `MOV_SAT`: "MOV_SAT TEMP[0], IN[0]"
            error "MOV_PRECISE_SAT": `_SAT` comes before `_PRECISE`: write `MOV_SAT_PRECISE`
                Write `MOV_SAT_PRECISE`: "MOV_SAT_PRECISE TEMP[0], IN[0]"
            error "]": `ADD` takes 1 destination and 2 sources; found only 2
            error ",": `ADD` takes 1 destination and 2 sources; found only 2
            error "ADD": `ADD` takes 1 destination and 2 sources; found none
            error ",": `MOV` takes 1 destination and 1 source; the statement ends before `,`
            error "IN": expected `,` before this operand
                Insert the comma: "MOV TEMP[0], IN[0]"
            error "TEMP": `NOP` takes no operands; the statement ends before `TEMP`
            error ";": expected the end of the statement, found `;`
            error "]": `TEX` wants a texture target such as `2D` after its operands
            error "5D": expected a texture target such as `2D`, found `5D`
            error ":": `MOV` takes no label
            error "x": expected the number of an instruction, found `x`
            error "COHERNT": expected a memory qualifier, texture target or format, found `COHERNT`; did you mean `COHERENT`?
                Replace by `COHERENT`: "LOAD TEMP[0], IMAGE[0], IN[0], COHERENT"
            error ",": `ATOMFADD` takes 1 destination and 3 sources; the statement ends before `,`
            error "DCL": only instructions may be numbered, `DCL` not
            error "1": an opcode must follow the instruction number
            error "0x0": instruction numbers are decimal, `0x0` is not
            error ";": expected a statement, found `;`
            error "5": an opcode must follow the instruction number
        "#]],
    );
}

#[test]
fn wrong_operands() {
    check(
        "VERT\nMOV TEMP[0], TMEP[0]\nMOV TEMP[0], 1.0\nMOV TEMP[0], {1,2,3,4}\nMOV TEMP[0], +IN[0]\nMOV TEMP[0], |-IN[0]|\n\
         MOV TEMP[0], |IN[0]\nMOV TEMP[0], IN[0].xq\nMOV TEMP[0], IN[0].rgba\nMOV TEMP[0], IN[0].xyzwx\nMOV TEMP[0], IN[0].\n\
         MOV TEMP[0].yx, IN[0]\nMOV TEMP[0].xx, IN[0]\nMOV TEMP[0]., IN[0]\nMOV TEMP, IN[0]\nMOV TEMP[], IN[0]\n\
         MOV TEMP[0, IN[0]\nMOV TEMP[0], CONST[ADDR[TEMP[0].x].x]\nMOV TEMP[0], CONST[ADDR[0].xy]\n\
         MOV TEMP[0], CONST[ADDR[0].x+]\nMOV TEMP[0], TEMP[ADDR[0].x](a)\n\
         TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xy\nMOV TEMP[0], MOV\nEND",
        expect![[r#"
            VERT
            ! 1: MOV TEMP[0].xyzw
            ! 2: MOV TEMP[0].xyzw
            ! 3: MOV TEMP[0].xyzw
            ! 4: MOV TEMP[0].xyzw
            ! 5: MOV TEMP[0].xyzw |IN[0].xyzw|
            ! 6: MOV TEMP[0].xyzw
            ! 7: MOV TEMP[0].xyzw
            ! 8: MOV TEMP[0].xyzw
            ! 9: MOV TEMP[0].xyzw
            ! 10: MOV TEMP[0].xyzw
            ! 11: MOV TEMP[0].xy IN[0].xyzw
            ! 12: MOV TEMP[0].x IN[0].xyzw
            ! 13: MOV
            ! 14: MOV
            ! 15: MOV
            ! 16: MOV
            ! 17: MOV TEMP[0].xyzw
            ! 18: MOV TEMP[0].xyzw
            ! 19: MOV TEMP[0].xyzw
            ! 20: MOV TEMP[0].xyzw
            ! 21: TEX TEMP[0].xyzw IN[0].xyzw SAMP[0].xyzw 2D
            ! 22: MOV TEMP[0].xyzw
              23: END
            error "TMEP": expected a source register, but `TMEP` is no register file; did you mean `TEMP`?
                Replace by `TEMP`: "MOV TEMP[0], TEMP[0]"
            error "1": operands are registers: declare the value with `IMM[n] FLT32 { … }` and name it `IMM[n]`
            error "{": operands are registers: declare the value with `IMM[n] FLT32 { … }` and name it `IMM[n]`
            error "+": an operand has no `+`; only `-` may stand before it
                Remove the `+`: "MOV TEMP[0], IN[0]"
            error "-": the sign stands outside of the bars: write `-|…|`
            error "]": expected `|`, which closes the absolute value, found the end of the statement
            error "xq": expected a swizzle of four letters `xyzw`, found `xq`
            error "rgba": expected a swizzle of four letters `xyzw`, found `rgba`
            error "xyzwx": expected a swizzle of four letters `xyzw`, found `xyzwx`
            error ".": expected a swizzle such as `.xyzw` after the dot, found the end of the statement
            error "yx": a write mask names each component once and in order: `xy`, not `yx`
                Write `.xy`: "MOV TEMP[0].xy, IN[0]"
            error "xx": a write mask names each component once and in order: `x`, not `xx`
                Write `.x`: "MOV TEMP[0].x, IN[0]"
            error ",": expected a write mask such as `.xyz` after the dot, found `,`
            error ",": expected `[` and a register number after `TEMP`, found `,`
            error "]": expected a register number, found `]`
            error ",": expected `]`, found `,`
            error "TEMP": expected a plain register number, since indices nest only once, found `TEMP`
            error "xy": an index reads exactly one component, such as `.x`; found `xy`
            error "]": expected a number, found `]`
            error "a": expected the number of an array, found `a`
            error "xy": a texel offset reads exactly three components, such as `.xyz`; found `xy`
            error "MOV": expected a source register, but `MOV` is no register file
        "#]],
    );
}

#[test]
fn white_space_and_comments() {
    check(
        "VERT\r\nMOV TEMP[0], // a\r\n  IN[0]\u{c}/* b */END\r\n# tungsten: target=tahiti\n# c",
        expect![[r#"
            VERT
              1: MOV TEMP[0].xyzw IN[0].xyzw
              2: END
            hint "\r\n": lines end with a carriage return, which the reference parser refuses (and in 2 more places)
                End lines with a line feed only: ""
                End lines with a line feed only everywhere in this shader: ""
            hint "// a": TGSI has no comments: the reference parser refuses this (and in 2 more places)
                Remove the comment: "MOV TEMP[0], "
                Remove the comment everywhere in this shader: "MOV TEMP[0], "
            hint "\u{c}": the reference parser knows only blanks, tabs and line feeds as white space
                Write plain blanks: "  IN[0] /* b */END"
        "#]],
    );
    check(
        "VERT\n/* NOP\nEND",
        expect![[r#"
        VERT
          1: END
        error "/*": no `*/` ends this comment; only this line is taken for a comment
    "#]],
    );
}

#[test]
fn an_error_stays_in_its_statement() {
    check(
        "VERT\nMOV TEMP[0] q END\nMOV TEMP[0],\n  FOO[1]\nMOV TEMP[0], IN[0] MOV TEMP[1], q, END\nADD TEMP[0],\n  IN[0],\n  5.0\nEND",
        expect![[r#"
            VERT
            ! 1: MOV TEMP[0].xyzw
              2: END
            ! 3: MOV TEMP[0].xyzw
              4: MOV TEMP[0].xyzw IN[0].xyzw
            ! 5: MOV TEMP[1].xyzw
            ! 6: ADD TEMP[0].xyzw IN[0].xyzw
              7: END
            error "q": expected `,` and the next operand, found `q`
            error "FOO": expected a source register, but `FOO` is no register file
            error "q": expected a source register, but `q` is no register file
            error "5": operands are registers: declare the value with `IMM[n] FLT32 { … }` and name it `IMM[n]`
        "#]],
    );
}

#[test]
fn findings_are_counted_at_the_end() {
    let text = format!("VERT\n{}", "FOO\n".repeat(2000));
    let found = super::parse(&text, &no_checkpoint).diagnostics;
    assert_eq!(found.len(), text::MAX_DIAGNOSTICS);
    assert_eq!(
        found.last().map(|last| last.message.as_str()),
        Some("1501 more findings follow and are not shown")
    );
}

#[test]
fn a_number_on_the_next_line_is_no_label() {
    let text = "FRAG\nDCL TEMP[0]\n0: IF TEMP[0].xxxx :\n1: NOP\n2: ENDIF :\n3: END\n";
    let parse = super::parse(text, &no_checkpoint);
    let errors: Vec<(&str, &str)> = parse
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .map(|found| (&text[found.range], found.message.as_str()))
        .collect();
    assert_eq!(
        errors,
        [
            (":", "expected the number of an instruction, found the end of the statement"),
            (":", "`ENDIF` takes no label"),
        ]
    );
    let shader = parse.shader.expect("a shader");
    let numbers: Vec<Option<u32>> =
        shader.instructions().map(|it| it.number.map(|number| number.value)).collect();
    assert_eq!(numbers, [Some(0), Some(1), Some(2), Some(3)]);
    // The number of a label may stand on a line of its own, as readers take it.
    let text = "FRAG\nDCL TEMP[0]\n0: IF TEMP[0].xxxx :\n1\n1: ENDIF\n2: END\n";
    let shader = super::parse(text, &no_checkpoint).shader.expect("a shader");
    let label = shader.instructions().next().and_then(|it| it.label);
    assert_eq!(label.map(|it| it.value), Some(1));
}
