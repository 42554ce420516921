//! TGSI by its tables: statements with any word of the lists in its place.

use std::sync::LazyLock;

use tgsi::Opcode;
use tgsi::word_rows;
use tgsi::words::{File, PropertyName, SemanticName, TextureTarget};

use super::language::{EDGES, Language};
use crate::random_shaders::{Numbers, Shader};

/// Bytes that a text has at most.
const LONGEST: usize = 6_000;

/// Random shaders among the sound ones.
const RANDOM: u64 = 40;

const BLOCKS: [(&str, &str); 6] = [
    ("IF TEMP[0].xxxx :0", "ENDIF"),
    ("UIF IMM[0].xxxx", "ELSE :3\nENDIF"),
    ("BGNLOOP :0", "BRK\nENDLOOP :0"),
    ("SWITCH TEMP[0].xxxx", "CASE IMM[0].xxxx\nDEFAULT\nENDSWITCH"),
    ("BGNSUB", "RET\nENDSUB"),
    ("FRAG\nDCL OUT[0], COLOR", "END"),
];

/// Texts like some sound ones.
pub fn language(texts: Vec<String>) -> Language {
    let random = (0..RANDOM).map(|seed| Shader::of(seed).text());
    Language::new(texts.into_iter().chain(random), statement, &BLOCKS, LONGEST)
}

/// A small number, or one at an edge.
fn number(random: &mut Numbers) -> String {
    match random.once_in(5) {
        true => random.one(&EDGES).to_owned(),
        false => random.below(12).to_string(),
    }
}

fn file(random: &mut Numbers) -> &'static str {
    match random.once_in(3) {
        true => File::ALL[random.below(File::ALL.len())].word(),
        false => random.one(&["TEMP", "TEMP", "IN", "OUT", "CONST", "IMM", "SAMP", "ADDR"]),
    }
}

fn index(random: &mut Numbers) -> String {
    match random.below(6) {
        0 => format!("[ADDR[{}].x+{}]", number(random), number(random)),
        1 => format!("[{}-{}]", file(random), number(random)),
        2 => format!("[{}][{}]", number(random), number(random)),
        3 => format!("[{}]({})", number(random), number(random)),
        _ => format!("[{}]", number(random)),
    }
}

fn operand(random: &mut Numbers) -> String {
    const SWIZZLES: [&str; 8] = ["", "", ".x", ".xyzw", ".wzyx", ".xxxx", ".xz", ".q"];
    let register = file(random).to_owned() + &index(random) + random.one(&SWIZZLES);
    match random.below(8) {
        0 => format!("-{register}"),
        1 => format!("|{register}|"),
        2 => format!("-|{register}|"),
        _ => register,
    }
}

/// A word of some list of the language.
fn word(random: &mut Numbers) -> &'static str {
    let all = word_rows::all();
    all[random.below(all.len())].word
}

fn declaration(random: &mut Numbers) -> String {
    let mut text = format!("DCL {}", file(random));
    for _ in 0..random.below(2) {
        text += &format!("[{}]", number(random));
    }
    text += &match random.below(3) {
        0 => format!("[{}..{}]", number(random), number(random)),
        1 => "[]".to_owned() + &index(random),
        _ => index(random),
    };
    for _ in 0..random.below(4) {
        text += &match random.below(6) {
            0 => {
                let semantic = SemanticName::ALL[random.below(SemanticName::ALL.len())];
                format!(", {semantic}[{}]", number(random))
            }
            1 => format!(", ARRAY({})", number(random)),
            2 => format!(", STREAM({}, 1, {}, 0)", number(random), number(random)),
            3 => {
                let target = TextureTarget::ALL[random.below(TextureTarget::ALL.len())];
                format!(", {target}, {}", random.one(&["FLOAT", "UINT", "UNORM, SINT"]))
            }
            _ => format!(", {}", word(random)),
        };
    }
    text
}

fn immediate(random: &mut Numbers) -> String {
    let kind = random.one(&["FLT32", "UINT32", "INT32", "FLT64", "INT64", "UINT64", "FLT16"]);
    let values: Vec<&str> = (0..random.below(6)).map(|_| random.one(&EDGES)).collect();
    format!("IMM[{}] {kind} {{{}}}", number(random), values.join(", "))
}

fn instruction(random: &mut Numbers) -> String {
    static OPCODES: LazyLock<Vec<Opcode>> = LazyLock::new(|| Opcode::all().collect());
    let row = OPCODES[random.below(OPCODES.len())].row();
    let mut text = match random.below(3) {
        0 => format!("{}: ", number(random)),
        _ => String::new(),
    };
    text += row.mnemonic;
    text += random.one(&["", "", "", "_SAT", "_PRECISE", "_SSAT"]);
    let operands = match random.once_in(6) {
        true => random.below(7),
        false => row.destinations + row.sources,
    };
    for number in 0..operands {
        text += if number == 0 { " " } else { ", " };
        text += &operand(random);
    }
    for _ in 0..[0, 0, 1, 3][random.below(4)] {
        text += &match random.below(4) {
            0 => format!(" :{}", number(random)),
            1 => format!(", {}", operand(random)),
            _ => format!(", {}", word(random)),
        };
    }
    text
}

fn statement(random: &mut Numbers) -> String {
    match random.below(10) {
        0..=2 => declaration(random),
        3 => immediate(random),
        4 => {
            let property = PropertyName::ALL[random.below(PropertyName::ALL.len())];
            format!("PROPERTY {property} {}", [number(random).as_str(), word(random)].concat())
        }
        _ => instruction(random),
    }
}
