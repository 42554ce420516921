//! The IR of many shaders, pinned by checksums: of the shaders of the suites that are
//! compiled, and of a
//! shader of each stage in every state that a key can set.
//!
//! Whether this IR is right other suites say, which compile and run it. Here any change of
//! it shows, with the shader that it is of. Who meant it writes the table anew with
//! `UPDATE_EXPECT=1`, after those suites have passed.

use std::fmt::Write as _;
use std::path::Path;

use expect_test::expect_file;
use tgsi::Opcode;

use super::shader;
use crate::environment_keys::KEYS;
use crate::{Environment, Failure, Generation, Module, lower, lower_for, lower_merged, refusal};

/// A checksum of a result, or the constructs that are refused (FNV-1a).
fn mark(result: &Result<Module, Vec<Failure>>) -> String {
    let text = match result {
        Ok(module) => format!("{}{}{:?}", module.ir, module.instructions, module.half),
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
    all.join("\t")
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
         DCL IN[][1], GENERIC[3]\nDCL SV[0], PRIMID\nDCL SV[1], INVOCATIONID\nDCL OUT[0], POSITION\n\
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut table = String::from("of\twhich\tmarks by generation\n");
    for name in SUITES {
        let suite = root.join("../../tests/suites").join(name).with_extension("md");
        let text = std::fs::read_to_string(suite).expect("a suite");
        for (heading, text) in shaders(&text) {
            let Some(shader) = tgsi::parser::parse(&text, &text::no_checkpoint).shader else {
                continue;
            };
            let marks = marks(|generation| lower(&shader, generation));
            let _ = writeln!(table, "{name}\t{heading}\t{marks}");
        }
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
    expect_file!["../../data/golden.tsv"].assert_eq(&table);
}

#[test]
fn every_opcode_is_lowered_or_refused_with_a_reason() {
    for opcode in Opcode::all() {
        let refused = refusal(opcode).is_some_and(|reason| !reason.is_empty());
        assert!(crate::supported(opcode) != refused, "{}", opcode.mnemonic());
    }
}
