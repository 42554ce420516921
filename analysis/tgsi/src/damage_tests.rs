//! Answers about shaders that are put together at random so that they run, and about the same
//! with one fault in them, pinned by checksums: blocks, calls, memory, values that differ between
//! threads.

use std::fmt::Write as _;

use source::{TextSize, no_checkpoint};

use crate::format::{self, Numbers};
use crate::recorded_tests::{chance::Chance, table};
use crate::service::completion::{CompletionContext, complete};
use crate::service::signature;
use crate::{parser, validate};

/// Rows of the records, texts of each, and faults of each text.
const ROWS: u64 = 40;
const TEXTS: u64 = 9;
const FAULTS: usize = 5;

/// Rows of the records of missing words of structure, and texts of each.
const OPEN_ROWS: u64 = 10;
const OPEN_TEXTS: u64 = 2;

/// The numbers of registers, of which a shader has one row.
const REGISTERS: [[&str; 4]; 3] =
    [["0", "1", "2", "3"], ["0", "1", "2", "2"], ["1", "2", "12", "20"]];

/// Statements of every stage; `#` stands for a register's number.
const STATEMENTS: [&str; 26] = [
    "MOV TEMP[#], TEMP[#]",
    "MOV TEMP[#].x, TEMP[#].yyyy",
    "MOV TEMP[#].zw, TEMP[#].xyxy",
    "MOV TEMP[#].y, IMM[0].xxxx",
    "MOV TEMP[#], IMM[1]",
    "MOV TEMP[#].xy, CONST[0][#]",
    "ADD TEMP[#], TEMP[#], -TEMP[#]",
    "MUL TEMP[#].xyz, TEMP[#], |TEMP[#]|",
    "MAD TEMP[#].w, TEMP[#], TEMP[#], IMM[1]",
    "DP3 TEMP[#].x, TEMP[#], TEMP[#]",
    "UADD TEMP[#].x, TEMP[#].xxxx, IMM[0].yyyy",
    "AND TEMP[#].xz, TEMP[#], TEMP[#]",
    "USLT TEMP[#].x, TEMP[#].xxxx, IMM[0].wwww",
    "SLT TEMP[#].y, TEMP[#], TEMP[#]",
    "FSGE TEMP[#].z, TEMP[#].zzzz, IMM[1].xxxx",
    "F2U TEMP[#].x, TEMP[#].xxxx",
    "UARL ADDR[0].x, TEMP[#].xxxx",
    "MOV TEMP[#], TEMP[ADDR[0].x+1]",
    "MOV TEMP[ADDR[0].x], TEMP[#].wzyx",
    "LOAD TEMP[#].x, BUFFER[0], TEMP[#].xxxx",
    "LOAD TEMP[#].xy, BUFFER[0], IMM[0].xxxx",
    "STORE BUFFER[0].x, TEMP[#].xxxx, TEMP[#]",
    "ATOMUADD TEMP[#].x, BUFFER[0], IMM[0].xxxx, TEMP[#].xxxx",
    "BALLOT TEMP[#].xy, TEMP[#].xxxx",
    "READ_FIRST TEMP[#].x, TEMP[#].xxxx",
    "UCMP TEMP[#], TEMP[#].xxxx, TEMP[#], TEMP[#]",
];

/// Each stage with the lines before its instructions and the statements that it has alone.
const STAGES: [(&str, &[&str]); 3] = [
    (
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
         DCL SVIEW[0], 2D, FLOAT\n",
        &[
            "DDX TEMP[#].xy, TEMP[#]",
            "TEX TEMP[#], TEMP[#], SAMP[0], 2D",
            "TXL TEMP[#], TEMP[#], SAMP[0], 2D",
            "KILL_IF -TEMP[#].xxxx",
            "KILL",
            "MOV TEMP[#], IN[0]",
            "MOV OUT[0], TEMP[#]",
            "TXF TEMP[#], TEMP[#], SAMP[0], 2D",
        ],
    ),
    (
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
         PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n\
         DCL MEMORY[0], SHARED\n",
        &[
            "BARRIER",
            "BARRIER",
            "MEMBAR IMM[0].wwww",
            "MOV TEMP[#], SV[0]",
            "MOV TEMP[#].x, SV[1].xxxx",
            "LOAD TEMP[#].x, MEMORY[0], TEMP[#].xxxx",
            "STORE MEMORY[0].x, TEMP[#].xxxx, TEMP[#]",
            "CLOCK TEMP[#].xy",
        ],
    ),
    (
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL SV[0], VERTEXID\n",
        &["MOV TEMP[#], IN[0]", "MOV OUT[0], TEMP[#]", "MOV OUT[1].x, SV[0].xxxx"],
    ),
];

/// A shader as it grows.
struct Writer {
    chance: Chance,
    own: &'static [&'static str],
    registers: [&'static str; 4],
    lines: Vec<String>,
}

impl Writer {
    fn say(&mut self, form: &str) {
        let mut line = String::new();
        for letter in form.chars() {
            match letter {
                '#' => line += self.chance.one(&self.registers),
                other => line.push(other),
            }
        }
        self.lines.push(line);
    }

    fn statement(&mut self) {
        let form = match self.chance.below(3) {
            0 => self.chance.one(self.own),
            _ => self.chance.one(&STATEMENTS),
        };
        self.say(form);
    }

    /// Statements and blocks, of which so many may stand within one another.
    fn body(&mut self, depth: usize) {
        for _ in 0..2 + self.chance.below(4) {
            match self.chance.below(if depth == 0 { 5 } else { 10 }) {
                5 | 6 => {
                    let opener = self.chance.one(&["IF TEMP[#].xxxx", "UIF TEMP[#].yyyy"]);
                    self.say(opener);
                    self.body(depth - 1);
                    if self.chance.below(2) == 0 {
                        self.say("ELSE");
                        self.body(depth - 1);
                    }
                    self.say("ENDIF");
                }
                7 => {
                    self.say("BGNLOOP");
                    self.body(depth - 1);
                    self.say("UIF TEMP[#].xxxx");
                    let leave = self.chance.one(&["BRK", "BRK", "CONT", "RET"]);
                    self.say(leave);
                    self.say("ENDIF");
                    self.body(depth - 1);
                    self.say("ENDLOOP");
                }
                8 => {
                    self.say("SWITCH TEMP[#].xxxx");
                    self.say("CASE IMM[0].yyyy");
                    self.body(depth - 1);
                    self.say("BRK");
                    self.say("DEFAULT");
                    self.body(depth - 1);
                    self.say("ENDSWITCH");
                }
                9 => self.say("CAL :@"),
                _ => self.statement(),
            }
        }
    }
}

/// The shader of a seed.
fn shader(seed: u64) -> String {
    let mut chance = Chance(seed);
    let (head, own) = chance.one(&STAGES);
    let registers = chance.one(&REGISTERS);
    let mut writer = Writer { chance, own, registers, lines: Vec::new() };
    writer.body(3);
    writer.say("END");
    let subroutine = writer.lines.len();
    if writer.lines.iter().any(|line| line.contains('@')) {
        writer.say("BGNSUB");
        writer.body(1);
        writer.say("RET");
        writer.say("ENDSUB");
    }
    let body = writer.lines.join("\n").replace('@', &subroutine.to_string());
    format!(
        "{head}DCL BUFFER[0]\nDCL CONST[0][0..3]\nDCL TEMP[0..23]\nDCL ADDR[0]\n\
         IMM[0] UINT32 {{0, 1, 4, 16}}\nIMM[1] FLT32 {{0.5, 1.0, -2.0, 8.0}}\n{body}\n"
    )
}

/// The text with one fault in a line, and the place of it.
fn damaged(text: &str, chance: &mut Chance) -> (String, usize) {
    let lines: Vec<&str> = text.lines().collect();
    let place = 1 + chance.below(lines.len() - 1);
    let line = lines[place];
    let middle = 1 + chance.below(line.len() - 1);
    let last = line.split(' ').next_back().unwrap_or_default();
    let changed = match chance.below(12) {
        0 | 1 => String::new(),
        2 => line.replacen(',', "", 1),
        3 => line.replacen(']', "", 1),
        4 => line.replacen('[', "", 1),
        5 => line[..middle].to_owned(),
        6 => format!("{}{}", &line[..middle - 1], &line[middle..]),
        7 => format!("{line} {last}"),
        8 => format!("{line}, {last}"),
        9 => line.replacen("TEMP", chance.one(&["TMP", "TEMPS", "IN", "O", "IMM"]), 1),
        10 => {
            format!("{}{}{}", &line[..middle], chance.one(&["0", "x", ".", "]"]), &line[middle..])
        }
        _ => format!("{line}\n{line}"),
    };
    let start: usize = lines[..place].iter().map(|line| line.len() + 1).sum();
    let whole = format!("{}{changed}{}", &text[..start], &text[start + line.len()..]);
    (whole, start + changed.len())
}

/// Everything that is found in a text.
fn judged(text: &str) -> String {
    let parse = parser::parse(text, &no_checkpoint);
    let mut said = format!("{:?}\n", parse.diagnostics);
    if let Some(shader) = parse.shader {
        let _ = writeln!(said, "{:?}", validate(&shader, &no_checkpoint));
    }
    said
}

/// The answers to somebody who writes at a place.
fn offered(text: &str, at: usize) -> String {
    let at = TextSize::new(at as u32);
    let mut said = format!("{:?}\n", signature::signature(text, at));
    if let Some(shader) = parser::parse(text, &no_checkpoint).shader {
        let context = CompletionContext { text, shader: &shader };
        let _ = writeln!(said, "{:?}", complete(context, at));
    }
    said
}

#[test]
fn sound_shaders_and_one_fault_in_each() {
    let mut records = table("damages.tsv");
    for row in 0..ROWS {
        let (mut sound, mut faults, mut services) = (String::new(), String::new(), String::new());
        for seed in row * TEXTS..(row + 1) * TEXTS {
            let text = shader(seed);
            let mut chance = Chance(seed ^ 0xf417);
            let _ = writeln!(sound, "{text}{}", judged(&text));
            for number in 0..FAULTS {
                let (text, at) = damaged(&text, &mut chance);
                let _ = writeln!(faults, "{text}{}", judged(&text));
                if number == 0 {
                    services += &offered(&text, at);
                    services += &format::format(&text, Numbers::Always);
                }
            }
        }
        let row = row.to_string();
        records.add(&row, "sound", &sound);
        records.add(&row, "faults", &faults);
        records.add(&row, "services", &services);
    }
    records.check();
}

/// The words that open, part, leave and close blocks.
const STRUCTURE: [&str; 16] = [
    "IF",
    "UIF",
    "ELSE",
    "ENDIF",
    "BGNLOOP",
    "ENDLOOP",
    "BRK",
    "CONT",
    "SWITCH",
    "CASE",
    "DEFAULT",
    "ENDSWITCH",
    "BGNSUB",
    "ENDSUB",
    "RET",
    "END",
];

/// Each word of structure is missing once, with its line or without; the texts are printed with
/// labels and numbers, with neither, or only indented.
#[test]
fn shaders_without_a_word_of_structure() {
    let mut records = table("open_blocks.tsv");
    for row in 0..OPEN_ROWS {
        let mut said = [const { String::new() }; 2];
        for seed in row * OPEN_TEXTS..(row + 1) * OPEN_TEXTS {
            let text = shader(seed + 5000);
            let text = match seed % 3 {
                0 => text,
                1 => format::format(&text, Numbers::Always),
                _ => format::format(&text, Numbers::Never),
            };
            for (place, line) in text.lines().enumerate() {
                let mut words = line.split([' ', ':']).filter(|word| !word.is_empty());
                let Some(word) = words.find(|word| STRUCTURE.contains(word)) else { continue };
                let without = |new: String| {
                    let lines = text.lines().enumerate();
                    let lines = lines.map(|(at, own)| if at == place { &*new } else { own });
                    lines.collect::<Vec<_>>().join("\n")
                };
                said[0] += &format!("{place} {}", judged(&without(String::new())));
                said[1] += &format!("{place} {}", judged(&without(line.replacen(word, "", 1))));
            }
        }
        let row = row.to_string();
        records.add(&row, "no line", &said[0]);
        records.add(&row, "no word", &said[1]);
    }
    records.check();
}
