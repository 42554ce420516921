//! Answers about made-up texts, pinned by checksums: lines of the own programs with
//! another word in them or laid out otherwise, and look-ups whose coordinates are written
//! in part.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use source::{TextSize, no_checkpoint};

use crate::format::{self, Numbers};
use crate::recorded_tests::{programs, table};
use crate::service::signature;
use crate::tokens::{self, Layout};
use crate::{Opcode, parser, regions, requirements, validate, word_rows};

/// Words in place of others.
const OTHERS: [&str; 10] = ["", "0", "TEMP[0]", ".xy", "[", "]", ",", "-1", "0.5", "MOV"];

/// The words and signs of a line.
fn pieces(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut pieces = Vec::<std::ops::Range<usize>>::new();
    let mut last_is_word = false;
    for (at, c) in line.char_indices() {
        let is_word = c.is_ascii_alphanumeric() || c == '_';
        match pieces.last_mut() {
            _ if c.is_whitespace() => {}
            Some(piece) if piece.end == at && is_word && last_is_word => piece.end += 1,
            _ => pieces.push(at..at + c.len_utf8()),
        }
        last_is_word = is_word;
    }
    pieces
}

/// Diagnostics of a shader, and its other forms.
fn said(text: &str) -> String {
    let parse = parser::parse(text, &no_checkpoint);
    let mut out = format!("{:?}\n", parse.diagnostics);
    out += &format::format(text, Numbers::Always);
    let Some(shader) = parse.shader else { return out };
    let _ = writeln!(out, "{:?}", validate(&shader, &no_checkpoint));
    let _ = writeln!(out, "{:?}", requirements::requirements(&shader, &no_checkpoint));
    let _ = writeln!(out, "{:x?}", tokens::encode(&shader, Layout::Y2022));
    out
}

#[test]
fn lines_with_another_word() {
    let mut records = table("made_lines.tsv");
    let mut seen = BTreeSet::new();
    for (file, text) in programs() {
        let Some(region) = regions::split(&text).shaders.into_iter().next() else { continue };
        let (text, mut all) = (region.text(&text), String::new());
        let Some(header) = text.lines().next() else { continue };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            // Lines that differ in their numbers alone are alike.
            let shape: String = line.chars().filter(|it| !it.is_ascii_digit()).collect();
            if line.len() < 3 || line.len() > 120 || !seen.insert((header.to_owned(), shape)) {
                continue;
            }
            let mut changed = format!("{header}\nDCL TEMP[0..9]\n{line}\n");
            for (place, piece) in pieces(line).into_iter().enumerate() {
                let other = OTHERS[(number + place * 3) % OTHERS.len()];
                let _ = writeln!(changed, "{}{other}{}", &line[..piece.start], &line[piece.end..]);
            }
            changed += "END\n";
            all += &said(&changed);
            for at in (0..changed.len()).step_by(41).filter(|at| changed.is_char_boundary(*at)) {
                let found = signature::signature(&changed, TextSize::new(at as u32));
                let _ = writeln!(all, "{found:?}");
            }
        }
        records.add(&file, "lines", &all);
    }
    records.check();
}

/// A way to lay a text out otherwise.
type Way = fn(&str) -> String;

#[test]
fn shaders_laid_out_otherwise() {
    let mut records = table("made_layouts.tsv");
    let ways: [(&str, Way); 6] = [
        ("wide", |text| text.replace(' ', "  ").replace('[', "[ ").replace(']', " ]")),
        ("wider", |text| text.replace([','], " , ").replace("..", " .. ").replace('.', ". ")),
        ("narrow", |text| text.replace(", ", ",").replace(" {", "{").replace("  ", "")),
        ("tabs", |text| text.replace(' ', "\t").replace('\n', " \t\n")),
        ("small", |text| text.to_lowercase()),
        ("odd", |text| text.replace(' ', "\u{a0}").replace('\n', "\u{e9}\n\u{2003}")),
    ];
    for (file, text) in programs().step_by(2) {
        let Some(region) = regions::split(&text).shaders.into_iter().next() else { continue };
        let text = region.text(&text);
        for (name, way) in ways {
            let changed = way(text);
            let split = regions::split(&changed);
            let said = format!("{split:?}\n{}", said(&changed));
            records.add(&file, name, &said);
        }
    }
    records.check();
}

/// The operands of look-ups, by what they have beside the coordinates.
const LOOK_UPS: [&str; 7] = [
    "TEMP[1], TEMP[0], SAMP[0], #",
    "TEMP[1], TEMP[0], TEMP[0], SAMP[0], #",
    "TEMP[1], TEMP[0], TEMP[0], TEMP[0], SAMP[0], #",
    "TEMP[1], SAMP[0], #",
    "TEMP[1], IMAGE[0], TEMP[0], #, PIPE_FORMAT_R32_UINT",
    "IMAGE[0], TEMP[0], TEMP[0], #, PIPE_FORMAT_R32_UINT",
    "TEMP[1], TEMP[0], SVIEW[0], SAMP[0]",
];

#[test]
fn look_ups_of_coordinates_that_are_written_in_part() {
    let mut records = table("made_look_ups.tsv");
    let rows = word_rows::all().iter();
    let rows = rows.filter(|row| row.list.contains("texture") || row.list.contains("target"));
    let targets: BTreeSet<&str> = rows.map(|row| row.word).collect();
    assert!(targets.len() > 10, "{targets:?}");
    for opcode in Opcode::all().filter(|it| it.row().texture || it.mnemonic().contains("ATOM")) {
        let mut all = String::new();
        for target in &targets {
            for operands in LOOK_UPS {
                for mask in ["", ".x", ".xy", ".yz", ".xyz", ".yzw", ".xw", ".xyzw"] {
                    let written = match mask {
                        "" => String::new(),
                        mask => format!("MOV TEMP[0]{mask}, IN[0]\n"),
                    };
                    let text = format!(
                        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
                         DCL SAMP[0]\nDCL SVIEW[0], {target}, FLOAT\n\
                         DCL IMAGE[0], {target}, PIPE_FORMAT_R32_UINT, WR\n{written}{} {}\n\
                         MOV OUT[0], TEMP[1]\nEND\n",
                        opcode.mnemonic(),
                        operands.replace('#', target)
                    );
                    let parse = parser::parse(&text, &no_checkpoint);
                    let Some(shader) = parse.shader.filter(|_| parse.diagnostics.is_empty()) else {
                        continue;
                    };
                    let found = validate(&shader, &no_checkpoint);
                    let _ = writeln!(all, "{target} {operands} {mask} {found:?}");
                }
            }
        }
        records.add(opcode.mnemonic(), "found", &all);
    }
    records.check();
}
