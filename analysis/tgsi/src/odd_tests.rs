//! Answers about opcodes and words in places where nobody writes them, pinned by checksums: every
//! opcode with every kind of operand, every word in every declaration.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use source::{TextSize, no_checkpoint};

use crate::format::{self, Numbers};
use crate::recorded_tests::table;
use crate::service::completion::{CompletionContext, complete};
use crate::service::declared::Declared;
use crate::service::{formula, signature};
use crate::tokens::{self, Layout};
use crate::words::Stage;
use crate::{Opcode, parser, regions, requirements, validate, word_rows};

/// Endings that a mnemonic may have.
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
                        let _ = write!(
                            said,
                            "{:?}",
                            formula::expand(&Declared::new(&shader), instruction)
                        );
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
                let _ = write!(said, "{}", format::format(&text, Numbers::default()));
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

/// Lines of a small shader.
const SHADER: [&str; 6] = [
    "FRAG",
    "DCL IN[0], GENERIC[0], PERSPECTIVE",
    "DCL OUT[0], COLOR",
    "  0: MUL OUT[0], IN[0], IN[0].wwww",
    "  1: MOV OUT[0].w, IN[0].xxxx",
    "  2: END",
];

/// The texts before and behind each line of a text that holds a shader.
const LAYOUTS: [(&str, &str, &str); 8] = [
    ("plain", "", "\n"),
    ("quoted", "> ", "\n"),
    ("timed", "[  1.5] drv: ", "\n"),
    ("barred", "| ", " |\n"),
    ("literals", "   \"", "\\n\"\n"),
    ("one literal", "", "\\n"),
    ("markup", "<br>", "&#10;"),
    ("windows", "", "\r\n"),
];

/// Lines that are not part of a shader.
const FOREIGN: [&str; 11] = [
    "",
    "```",
    "~~~",
    "driver: some words",
    "-----------",
    "{ 1, 2 }",
    "some words",
    "VERT",
    "# a comment",
    "\"",
    "  3: MUVE OUT[0]",
];

#[test]
fn shaders_among_lines_that_are_none() {
    let mut records = table("foreign_lines.tsv");
    for (name, before, behind) in LAYOUTS {
        let lay_out = |lines: &[&str]| {
            lines.iter().map(|line| format!("{before}{line}{behind}")).collect::<String>()
        };
        let whole = lay_out(&SHADER);
        let mut cut = String::new();
        for at in (0..whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            for text in [format!("words\n{}", &whole[..at]), format!("{}\nwords", &whole[at..])] {
                let _ = writeln!(cut, "{:?}", regions::split(&text));
            }
        }
        records.add(name, "cut", &cut);
        for line in FOREIGN {
            let mut said = String::new();
            for place in 0..=SHADER.len() {
                for count in 0..8 {
                    let mut lines = SHADER.to_vec();
                    lines.splice(place..place, std::iter::repeat_n(line, count));
                    let _ = writeln!(said, "{:?}", regions::split(&lay_out(&lines)));
                }
            }
            records.add(name, if line.is_empty() { "blank" } else { line }, &said);
        }
    }
    records.check();
}

/// Statements with every part that can be completed.
const STATEMENTS: [&str; 12] = [
    "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES",
    "DCL IN[0].xyz, GENERIC[0], LINEAR, CENTROID",
    "DCL IN[][1], ARRAY(1), POSITION",
    "DCL OUT[0], COLOR[1], STREAM(0,1,0,0), INVARIANT",
    "DCL SV[0], THREAD_ID",
    "DCL SVIEW[0], SHADOW2D_ARRAY, FLOAT, UINT, SINT, UNORM",
    "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR, RAW",
    "DCL BUFFER[0], ATOMIC",
    "DCL MEMORY[0], SHARED",
    "IMM[0] FLT32 {0.5, 1.0, 2.0, inf}",
    "TEX_SAT TEMP[0].xy, -|TEMP[1].xyzw|, SAMP[0], SHADOWCUBE, IMM[0].xyz",
    "ATOMUADD TEMP[0].x, IMAGE[0], TEMP[1], TEMP[2], 2D, PIPE_FORMAT_R32_UINT, COHERENT",
];

#[test]
fn completions_in_every_part_of_a_statement() {
    let mut records = table("completions.tsv");
    for stage in Stage::ALL {
        for statement in STATEMENTS {
            let mut said = String::new();
            let begin = format!("{}\nDCL TEMP[0..2]\nDCL CONST[0][0..1]\n", stage.word());
            for at in 0..=statement.len() {
                for end in ["\nEND\n", ""] {
                    let text = format!("{begin}{}{end}", &statement[..at]);
                    let parse = parser::parse(&text, &no_checkpoint);
                    let Some(shader) = parse.shader else { continue };
                    let offset = TextSize::new((begin.len() + at) as u32);
                    let completion =
                        complete(CompletionContext { text: &text, shader: &shader }, offset);
                    let _ = writeln!(said, "{completion:?}");
                    let _ = writeln!(said, "{:?}", signature::signature(&text, offset));
                }
            }
            records.add(stage.word(), statement.split('.').next().unwrap_or_default(), &said);
        }
    }
    records.check();
}
