//! What is said about opcodes and words where they stand as nobody writes them, pinned by
//! checksums: every opcode with every kind of operand, every word in every declaration.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use text::no_checkpoint;

use crate::format::{self, Options};
use crate::recorded_tests::table;
use crate::service::form;
use crate::tokens::{self, Layout};
use crate::words::Stage;
use crate::{Opcode, parser, requirements, validate, word_rows};

/// What may stand behind a mnemonic.
const ENDS: [&str; 5] = ["", "_SAT", "_PRECISE", "_2X", ".x"];
/// Operands of every kind.
const OPERANDS: [&str; 14] = [
    "",
    " TEMP[0]",
    " TEMP[0].xy, TEMP[1].zwzw",
    " TEMP[0].xz, -|TEMP[1].xyzw|",
    " TEMP[0], TEMP[1], IMM[0].xyxy",
    " TEMP[0].x, IN[0].xxxx, TEMP[9]",
    " OUT[0], CONST[0][ADDR[0].x+1], TEMP[1], TEMP[2]",
    " TEMP[0], TEMP[1], SAMP[0], 2D",
    " TEMP[0], TEMP[1], TEMP[2], SAMP[0], SHADOWCUBE, IMM[0].xyz",
    " TEMP[0], IMAGE[0], TEMP[1], 2D, PIPE_FORMAT_R32_UINT, COHERENT",
    " BUFFER[0].xy, TEMP[1], TEMP[2]",
    " TEMP[0], MEMORY[0], TEMP[1], TEMP[2], TEMP[3]",
    " TEMP[0].xyzw, TEMP[0].x, TEMP[0].y :3",
    " :0",
];

#[test]
fn every_opcode_in_odd_forms() {
    let mut records = table("odd_forms.tsv");
    for opcode in Opcode::all() {
        let mut said = String::new();
        for stage in ["FRAG", "VERT", "COMP"] {
            for end in ENDS {
                for operands in OPERANDS {
                    let text = format!(
                        "{stage}\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                         DCL CONST[0][0..3]\nDCL TEMP[0..3]\nDCL ADDR[0]\nDCL SAMP[0]\n\
                         DCL SVIEW[0], 2D, FLOAT\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n\
                         DCL BUFFER[0]\nIMM[0] UINT32 {{1, 2, 3, 4}}\nMOV TEMP[1], IN[0]\n\
                         {}{end}{operands}\nMOV OUT[0], TEMP[0]\nEND\n",
                        opcode.mnemonic()
                    );
                    let parse = parser::parse(&text, &no_checkpoint);
                    let _ = write!(said, "{:?}", parse.diagnostics);
                    let Some(shader) = parse.shader else { continue };
                    let _ = write!(said, "{:?}", validate(&shader, &no_checkpoint));
                    for instruction in shader.instructions() {
                        let _ = write!(said, "{:?}", form::form(&shader, instruction));
                    }
                    let words = tokens::encode(&shader, Layout::Y2022);
                    let _ = writeln!(said, "{words:x?}");
                }
            }
        }
        records.add(opcode.mnemonic(), "said", &said);
    }
    records.check();
}

#[test]
fn every_declaration_in_every_stage() {
    let mut records = table("declarations.tsv");
    let words = |list: &str| {
        let rows = word_rows::all().iter().filter(|row| row.list == list);
        rows.map(|row| row.word).collect::<Vec<_>>()
    };
    let lists: Vec<&str> = word_rows::all().iter().map(|row| row.list).collect();
    for list in lists.iter().collect::<BTreeSet<_>>() {
        let mut said = String::new();
        for word in words(list) {
            for stage in Stage::ALL {
                let stage = stage.word();
                let text = format!(
                    "{stage}\nPROPERTY {word} 1\nPROPERTY GS_INPUT_PRIMITIVE {word}\n\
                     DCL IN[0], {word}\nDCL IN[1..2], {word}[1], LINEAR, CENTROID\n\
                     DCL IN[][3], {word}, ARRAY(1)\nDCL OUT[0].xy, {word}[0], STREAM(1,0,0,0)\n\
                     DCL OUT[1], GENERIC[3], {word}\nDCL SV[0], {word}\nDCL {word}[0..1], LOCAL\n\
                     DCL SVIEW[0], {word}, FLOAT\nDCL IMAGE[0], {word}, PIPE_FORMAT_NONE, WR\n\
                     DCL MEMORY[0], {word}\nIMM[0] {word} {{1, 2}}\n\
                     MOV OUT[0], {word}[0]\nTEX OUT[1], IN[0], SAMP[0], {word}\nEND\n"
                );
                let parse = parser::parse(&text, &no_checkpoint);
                let _ = write!(said, "{:?}", parse.diagnostics);
                let Some(shader) = parse.shader else { continue };
                let _ = write!(said, "{:?}", validate(&shader, &no_checkpoint));
                let _ = write!(said, "{:?}", requirements::requirements(&shader, &no_checkpoint));
                let _ = write!(said, "{}", format::format(&text, &Options::default()));
                for layout in Layout::ALL {
                    let words = tokens::encode(&shader, layout);
                    let detected = words.as_ref().map(|words| tokens::detect(words));
                    let _ = writeln!(said, "{words:x?} {detected:?}");
                }
            }
        }
        records.add(list, "said", &said);
    }
    records.check();
}
