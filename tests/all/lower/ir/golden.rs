//! The IR of many shaders, pinned by checksums: of the shaders of the suites that are
//! compiled, of a few more, and of a shader of each stage in every state that a key can set.
//!
//! Whether this IR is right other suites say, which compile and run it. Here any change of
//! it shows, with the shader that it is of. Who meant it writes the table anew with
//! `UPDATE_EXPECT=1`, after those suites have passed.

use std::fmt::Write as _;

use expect_test::expect_file;
use lower::environment_keys::KEYS;
use lower::{Environment, Failure, Generation, INTRINSICS, Module, lower, lower_for, lower_merged};

use super::shader;
use crate::architecture::root;

/// A checksum of a result, or the constructs that are refused (FNV-1a).
fn mark(result: &Result<Module, Vec<Failure>>) -> String {
    let text = match result {
        Ok(module) => {
            for line in module.ir.lines().filter(|line| line.starts_with("declare ")) {
                let name = line.split(['@', '(']).nth(1).unwrap_or_default();
                assert!(INTRINSICS.contains(&name), "`{name}` is not in the table of functions");
            }
            format!("{}{}{:?}", module.ir, module.instructions, module.half)
        }
        Err(failures) => {
            let words = failures.iter().map(|failure| failure.construct.as_str());
            return format!("refused: {}", words.collect::<Vec<_>>().join(", "));
        }
    };
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The marks of the generations, one for neighbours that are alike.
fn marks(of: impl Fn(Generation) -> Result<Module, Vec<Failure>>) -> String {
    let mut all = Generation::ALL.map(|generation| mark(&of(generation))).to_vec();
    all.dedup();
    all.join(" | ")
}

/// The suites whose shaders are compiled.
const SUITES: [&str; 10] = [
    "compiling",
    "compute",
    "environment",
    "fragment",
    "geometry",
    "history",
    "merged",
    "opcodes",
    "tessellation",
    "vertex",
];

/// Shaders that no suite has: arrays that begin elsewhere, outputs for the rasterizer alone,
/// factors of results, counters, accesses through handles, and a system value.
const OWN: [(&str, &str); 8] = [
    (
        "the primitive of a vertex",
        "VERT\nDCL IN[0]\nDCL SV[0], PRIM_ID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
         MOV OUT[0], IN[0]\nU2F OUT[1], SV[0].xxxx\nEND\n",
    ),
    (
        "arrays",
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1..4], GENERIC\nDCL TEMP[0]\n\
         DCL TEMP[2..5], ARRAY(1)\nDCL TEMP[6..9], ARRAY(2)\nDCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\n\
         MOV TEMP[ADDR[0].x+3](1), IN[0]\nMOV TEMP[7], TEMP[ADDR[0].x+2](1)\n\
         MOV TEMP[ADDR[0].x+6](2).yw, TEMP[4]\nMOV OUT[ADDR[0].x+1], TEMP[8]\n\
         MOV OUT[0], TEMP[ADDR[0].x+7](2)\nEND\n",
    ),
    (
        "outputs of the rasterizer",
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], PSIZE\nDCL OUT[2], EDGEFLAG\n\
         DCL OUT[3], LAYER\nDCL OUT[4], VIEWPORT_INDEX\nDCL OUT[5].xyz, CLIPDIST\n\
         DCL OUT[6].x, CULLDIST\nMOV OUT[0], IN[0]\nMOV OUT[1].x, IN[0]\nMOV OUT[2].x, IN[0].yyyy\n\
         F2I OUT[3].x, IN[0].zzzz\nF2I OUT[4].x, IN[0].wwww\nMOV OUT[5].xyz, IN[0]\n\
         MOV OUT[6].x, IN[0].wwww\nEND\n",
    ),
    (
        "factors of results",
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..5]\n\
         MUL TEMP[0]_2X, IN[0], IN[0]\nMUL TEMP[1]_4X, TEMP[0], IN[0]\n\
         MUL TEMP[2]_8X, TEMP[1], IN[0]\nMUL TEMP[3]_D2, TEMP[2], IN[0]\n\
         MUL TEMP[4]_D4, TEMP[3], IN[0]\nMUL TEMP[5]_D8, TEMP[4], IN[0]\n\
         ADD OUT[0], TEMP[5], 1-(TEMP[0])\nEND\n",
    ),
    (
        "counters",
        "FRAG\nDCL OUT[0], COLOR\nDCL HWATOMIC[0][0..1]\nDCL HWATOMIC[1][2]\nDCL BUFFER[0..1]\n\
         DCL TEMP[0..1]\nIMM[0] UINT32 {1, 2, 3, 4}\n\
         ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[0].yyyy\n\
         ATOMUADD TEMP[0].y, HWATOMIC[1][2], IMM[0].xxxx, IMM[0].zzzz\n\
         LOAD TEMP[1].x, HWATOMIC[0], IMM[0].xxxx\nUADD OUT[0], TEMP[0], TEMP[1]\nEND\n",
    ),
    (
        "look-ups of integers",
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0..3]\n\
         DCL SVIEW[0], CUBE, UINT\nDCL SVIEW[1], CUBE, SINT\nDCL SVIEW[2], 2D, UINT\n\
         DCL SVIEW[3], CUBE, FLOAT\nDCL TEMP[0..3]\nIMM[0] UINT32 {0, 1, 2, 3}\n\
         TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[0], CUBE\nTG4 TEMP[1], IN[0], IMM[0].yyyy, SAMP[1], CUBE\n\
         TG4 TEMP[2], IN[0], IMM[0].zzzz, SAMP[2], 2D\nTG4 TEMP[3], IN[0], IMM[0].wwww, SAMP[3], CUBE\n\
         UADD TEMP[0], TEMP[0], TEMP[1]\nUADD TEMP[2], TEMP[2], TEMP[3]\nUADD OUT[0], TEMP[0], TEMP[2]\nEND\n",
    ),
    (
        "texels of every target",
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..4]\n\
         DCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR\nDCL IMAGE[1], 1D, PIPE_FORMAT_R32_UINT, WR\n\
         DCL IMAGE[2], 1D_ARRAY, PIPE_FORMAT_R32_UINT, WR\nDCL IMAGE[3], CUBE, PIPE_FORMAT_R32_UINT, WR\n\
         DCL IMAGE[4], 2D_ARRAY, PIPE_FORMAT_R32_UINT, WR\n\
         LOAD TEMP[0], IMAGE[0], IN[0], BUFFER\nLOAD TEMP[1], IMAGE[1], IN[0], 1D\n\
         LOAD TEMP[2], IMAGE[2], IN[0], 1D_ARRAY\nLOAD TEMP[3], IMAGE[3], IN[0], CUBE\n\
         STORE IMAGE[1], IN[0], TEMP[0], 1D\nSTORE IMAGE[2], IN[0], TEMP[1], 1D_ARRAY\n\
         ATOMUADD TEMP[4].x, IMAGE[1], IN[0], TEMP[2], 1D\nATOMUMAX TEMP[4].y, IMAGE[4], IN[0], TEMP[3], 2D_ARRAY\n\
         UADD OUT[0], TEMP[3], TEMP[4]\nEND\n",
    ),
    (
        "handles and places between pixels",
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
         DCL CONST[0][0..1]\nDCL TEMP[0..2]\nIMM[0] UINT32 {3, 0, 0, 0}\n\
         INTERP_SAMPLE TEMP[0], IN[0], IMM[0].xxxx\nINTERP_CENTROID TEMP[1], IN[1]\n\
         KILL_IF TEMP[1].xxxx\nINTERP_SAMPLE TEMP[2], IN[1], IMM[0].xxxx\n\
         TEX TEMP[1], TEMP[2], CONST[0][1].xyxy, 2D\nLOAD TEMP[2], CONST[0][0].zwzw, IMM[0].yyyy, 2D, PIPE_FORMAT_R32_UINT\n\
         ADD TEMP[0], TEMP[0], TEMP[1]\nADD OUT[0], TEMP[0], TEMP[2]\nEND\n",
    ),
];

/// The shaders of a suite, each with its heading.
fn shaders(suite: &str) -> Vec<(String, String)> {
    let (mut found, mut heading, mut open) = (Vec::new(), String::new(), None::<String>);
    for line in suite.lines() {
        match (&mut open, line) {
            (None, "```tgsi") => open = Some(String::new()),
            (Some(text), "```") => {
                found.push((heading.clone(), std::mem::take(text)));
                open = None;
            }
            (Some(text), line) => *text += &format!("{line}\n"),
            (None, line) => {
                if let Some(words) = line.strip_prefix("## ") {
                    heading = words.to_owned();
                }
            }
        }
    }
    found
}

/// A shader of each stage, with what the state decides on in it.
const STATEFUL: [(&str, &str); 7] = [
    (
        "VERT",
        "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL SV[0], INSTANCEID\nDCL OUT[0], POSITION\n\
         DCL OUT[1], COLOR\nDCL OUT[2], CLIPVERTEX\nDCL OUT[3], PSIZE\nDCL OUT[4].xy, GENERIC[3]\n\
         MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[0]\nMOV OUT[3].x, IN[0]\n\
         U2F OUT[4].x, SV[0].xxxx\nMOV OUT[4].y, IN[2].zzzz\nEND\n",
    ),
    (
        "TESS_CTRL",
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL SV[0], VERTICESIN\n\
         DCL SV[1], INVOCATIONID\nDCL OUT[][0], POSITION\nDCL OUT[1], TESSOUTER\nDCL OUT[2].xy, TESSINNER\n\
         DCL OUT[3], PATCH\nDCL ADDR[0]\nUARL ADDR[0].x, SV[1].xxxx\n\
         MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nU2F OUT[1], SV[0]\nU2F OUT[2].xy, SV[0]\n\
         BARRIER\nMOV OUT[3], OUT[1][0]\nEND\n",
    ),
    (
        "TESS_EVAL",
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], POSITION\nDCL IN[1], PATCH\n\
         DCL SV[0], TESSCOORD\nDCL SV[1], TESSOUTER\nDCL OUT[0], POSITION\nDCL OUT[1], CLIPDIST\n\
         MAD OUT[0], IN[0][0], SV[0].xxxx, IN[1]\nMUL OUT[1], IN[1][0], SV[1]\nEND\n",
    ),
    (
        "GEOM",
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 4\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], POSITION\n\
         DCL IN[][1], GENERIC[3]\nDCL SV[0], PRIM_ID\nDCL SV[1], INVOCATIONID\nDCL OUT[0], POSITION\n\
         DCL OUT[1], GENERIC[0], STREAM(0,0,1,1)\nIMM[0] UINT32 {0, 1, 0, 0}\nMOV OUT[0], IN[0][0]\n\
         U2F OUT[1].x, SV[0].xxxx\nU2F OUT[1].y, SV[1].xxxx\nMOV OUT[1].zw, IN[2][1]\n\
         EMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\nENDPRIM IMM[0].xxxx\nEND\n",
    ),
    (
        "FRAG",
        "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n\
         DCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], LINEAR\nDCL IN[2], POSITION, LINEAR\n\
         DCL IN[3], FACE, CONSTANT\nDCL SV[0], SAMPLEMASK\nDCL SV[1], SAMPLEID\nDCL OUT[0], COLOR\n\
         DCL OUT[1], COLOR[1]\nDCL OUT[2], POSITION\nDCL OUT[3], STENCIL\nDCL OUT[4], SAMPLEMASK\n\
         DCL TEMP[0]\nADD TEMP[0], IN[0], IN[1]\nU2F TEMP[0].w, SV[0].xxxx\n\
         U2F TEMP[0].z, SV[1].xxxx\nADD OUT[0], TEMP[0], IN[2]\nMOV OUT[1], IN[0]\n\
         MOV OUT[2].z, IN[3].xxxx\nMOV OUT[3].y, SV[0].xxxx\nMOV OUT[4].x, SV[0].xxxx\nEND\n",
    ),
    (
        "COMP",
        "COMP\nDCL SV[0], BLOCK_SIZE\nDCL SV[1], THREAD_ID\nDCL SV[2], BLOCK_ID\nDCL SV[3], GRID_SIZE\n\
         DCL MEMORY[0], SHARED\nDCL BUFFER[0]\nDCL TEMP[0]\nUADD TEMP[0], SV[0], SV[1]\n\
         UADD TEMP[0], TEMP[0], SV[2]\nUADD TEMP[0], TEMP[0], SV[3]\n\
         STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].yyyy\nSTORE BUFFER[0], TEMP[0].xxxx, TEMP[0]\nEND\n",
    ),
    (
        "COMP with private memory",
        "COMP\nDCL MEMORY[0], PRIVATE\nIMM[0] UINT32 {0, 0, 0, 0}\n\
         STORE MEMORY[0].x, IMM[0].xxxx, IMM[0].xxxx\nEND\n",
    ),
];

#[test]
fn every_ir_is_the_one_that_was_judged() {
    let mut table = String::from("of\twhich\tmarks by generation\n");
    for name in SUITES {
        let suite = root().join("tests/suites").join(name).with_extension("md");
        let text = std::fs::read_to_string(suite).expect("a suite");
        for (heading, text) in shaders(&text) {
            for region in tgsi::regions::split(&text).shaders {
                let shader = shader(region.text(&text));
                let marks = marks(|generation| lower(&shader, generation));
                let _ = writeln!(table, "{name}\t{heading}\t{marks}");
            }
        }
    }
    for (name, text) in OWN {
        let shader = shader(text);
        let marks = marks(|generation| lower(&shader, generation));
        let _ = writeln!(table, "own\t{name}\t{marks}");
    }
    for key in KEYS {
        for value in key.values.examples() {
            let mut environment = Environment::default();
            environment.set(key.name, &value).expect("an example");
            for (name, text) in STATEFUL {
                let shader = shader(text);
                if !key.stages.contains(&shader.stage.value) {
                    continue;
                }
                let marks = marks(|generation| lower_for(&shader, generation, environment));
                let _ = writeln!(table, "{name}\t{}={value}\t{marks}", key.name);
            }
        }
    }
    for (first, first_text) in STATEFUL {
        for (second, second_text) in STATEFUL {
            let (one, other) = (shader(first_text), shader(second_text));
            let pair = |generation| {
                let state = Environment::default;
                lower_merged((&one, state()), (&other, state()), generation)
            };
            let marks = marks(pair);
            let _ = writeln!(table, "{first}\t{second}\t{marks}");
        }
    }
    expect_file!["../../../../analysis/lower/data/golden.tsv"].assert_eq(&table);
}

/// The repository's own shaders, a mark of each.
#[test]
fn own_shaders_become_the_ir_that_was_judged() {
    let folder = root().join("tests/data/tgsi");
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("a manifest");
    let names = manifest.lines().filter_map(|row| row.split('\t').next());
    let mut table = String::from("shader\tmarks by generation\n");
    for name in names.filter(|name| name.ends_with(".tgsi")) {
        let text = std::fs::read_to_string(folder.join(name)).expect("a shader");
        for region in tgsi::regions::split(&text).shaders {
            let parse = tgsi::parser::parse(region.text(&text), &source::no_checkpoint);
            let Some(shader) = parse.shader else { continue };
            let marks = marks(|generation| lower(&shader, generation));
            let _ = writeln!(table, "{name}\t{marks}");
        }
    }
    expect_file!["../../../../analysis/lower/data/own_shaders.tsv"].assert_eq(&table);
}
