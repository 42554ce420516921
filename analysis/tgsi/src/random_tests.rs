//! Answers about shaders that are put together at random, pinned by checksums:
//! declarations, immediates, instructions and blocks of every kind in any order.

use std::fmt::Write as _;

use editor_model::References;
use source::{TextSize, no_checkpoint};

use crate::format::{self, Numbers};
use crate::recorded_tests::{asking::everywhere, chance::Chance, judged, table, whole};
use crate::service::completion::{CompletionContext, complete};
use crate::service::{navigation, refactor, rename, selection, signature};
use crate::tokens::{self, Layout};
use crate::{Opcode, parser, word_rows};

impl Chance {
    /// A word of a list.
    fn word(&mut self, list: &str) -> &'static str {
        let rows: Vec<&str> =
            word_rows::all().iter().filter(|row| row.list == list).map(|row| row.word).collect();
        self.one(&rows)
    }
}

/// A shader as it grows.
struct Writer {
    numbers: Chance,
    lines: Vec<String>,
    /// Words that close what is open.
    open: Vec<&'static str>,
    opcodes: Vec<Opcode>,
}

const STAGES: [&str; 8] =
    ["FRAG", "FRAG", "VERT", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP", "FRAG1.1"];
const SWIZZLES: [&str; 12] =
    ["", "", "", ".x", ".y", ".xxxx", ".wzyx", ".xyxy", ".zzzz", ".xyz", ".w", ".zwzw"];
const MASKS: [&str; 9] = ["", "", ".x", ".y", ".xy", ".zw", ".xyz", ".yw", ".w"];

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut numbers = Chance(seed);
        let lines = vec![numbers.one(&STAGES).to_owned()];
        Writer { numbers, lines, open: Vec::new(), opcodes: Opcode::all().collect() }
    }

    fn index(&mut self) -> String {
        let number = self.numbers.below(5);
        match self.numbers.below(14) {
            0 => format!("[ADDR[0].x+{number}]"),
            1 => format!("[ADDR[0].y-{number}](1)"),
            2 => format!("[TEMP[{number}].x]"),
            3 => format!("[{number}](1)"),
            4 => format!("[{}][{number}]", number / 2),
            5 => format!("[ADDR[0].x][{number}]"),
            _ => format!("[{number}]"),
        }
    }

    fn source(&mut self) -> String {
        const FILES: [&str; 12] = [
            "TEMP", "TEMP", "TEMP", "TEMP", "IN", "IN", "CONST", "IMM", "SV", "ADDR", "OUT", "PRED",
        ];
        let file = self.numbers.one(&FILES);
        let register = format!("{file}{}{}", self.index(), self.numbers.one(&SWIZZLES));
        match self.numbers.below(9) {
            0 => format!("-{register}"),
            1 => format!("|{register}|"),
            2 => format!("-|{register}|"),
            _ => register,
        }
    }

    fn destination(&mut self) -> String {
        const FILES: [&str; 8] = ["TEMP", "TEMP", "TEMP", "TEMP", "TEMP", "OUT", "OUT", "ADDR"];
        let file = self.numbers.one(&FILES);
        format!("{file}{}{}", self.index(), self.numbers.one(&MASKS))
    }

    /// A source that names a resource, as most of an opcode's family do.
    fn resource(&mut self) -> String {
        let file = self.numbers.one(&["SAMP", "SVIEW", "IMAGE", "BUFFER", "MEMORY", "HWATOMIC"]);
        format!("{file}[{}]", self.numbers.below(3))
    }

    fn instruction(&mut self) -> String {
        let opcode = match self.numbers.below(3) {
            // Those that most shaders are made of, so that values go on.
            0 => {
                let usual = ["MOV", "ADD", "MUL", "MAD", "UARL", "TEX", "DMUL", "UADD", "ARL"];
                let name = self.numbers.one(&usual);
                *self.opcodes.iter().find(|it| it.mnemonic() == name).expect("an opcode")
            }
            _ => self.opcodes[self.numbers.below(self.opcodes.len())],
        };
        let row = opcode.row();
        let mut operands: Vec<String> = (0..row.destinations).map(|_| self.destination()).collect();
        for number in 0..row.sources {
            let last = number + 1 == row.sources && row.texture;
            let resource = last || row.number.is_some_and(|it| it > 140) && number < 2;
            let other = self.numbers.below(8) == 0;
            operands.push(if resource != other { self.resource() } else { self.source() });
        }
        if row.texture || self.numbers.below(12) == 0 {
            operands.push(self.numbers.word("target").to_owned());
        }
        match self.numbers.below(16) {
            0 => operands.push("IMM[0].xyz".to_owned()),
            1 => operands.push(self.numbers.word("qualifier").to_owned()),
            2 => operands.push("PIPE_FORMAT_R32_UINT".to_owned()),
            3 => drop(operands.pop()),
            _ => {}
        }
        let end = self.numbers.one(&["", "", "", "", "_SAT", "_PRECISE", "_SAT_PRECISE", "_SSAT"]);
        format!("{}{end} {}", opcode.mnemonic(), operands.join(", ")).trim().to_owned()
    }

    fn declaration(&mut self) -> String {
        const FILES: [&str; 16] = [
            "TEMP", "TEMP", "IN", "IN", "OUT", "OUT", "CONST", "SAMP", "SVIEW", "IMAGE", "BUFFER",
            "MEMORY", "ADDR", "SV", "HWATOMIC", "PRED",
        ];
        let file = self.numbers.one(&FILES);
        let (first, count) = (self.numbers.below(4), self.numbers.below(4));
        let mut text = match self.numbers.below(6) {
            0 => format!("DCL {file}[{first}..{}]", first + count),
            1 if file == "IN" => format!("DCL IN[][{first}]"),
            2 if file == "CONST" => format!("DCL CONST[{}][0..{count}]", first % 2),
            3 => format!("DCL {file}[0..{count}]"),
            _ => format!("DCL {file}[{first}]"),
        };
        text += match file {
            "IN" | "OUT" => self.numbers.one(&MASKS),
            _ => "",
        };
        let number = self.numbers.below(3);
        match file {
            "IN" | "OUT" => {
                let semantic = self.numbers.one(&["GENERIC", "COLOR", "POSITION", "TEXCOORD", ""]);
                let semantic =
                    if semantic.is_empty() { self.numbers.word("semantic") } else { semantic };
                let _ = write!(text, ", {semantic}[{number}]");
                if self.numbers.below(2) == 0 {
                    let _ = write!(text, ", {}", self.numbers.word("interpolation"));
                }
            }
            "SV" => {
                let _ = write!(text, ", {}", self.numbers.word("semantic"));
            }
            "SVIEW" => {
                let kinds = ["FLOAT", "UINT", "SINT", "UNORM", "FLOAT, UINT, SINT, FLOAT"];
                let (target, kind) = (self.numbers.word("target"), self.numbers.one(&kinds));
                let _ = write!(text, ", {target}, {kind}");
            }
            "IMAGE" => {
                let formats = ["PIPE_FORMAT_R32_UINT", "PIPE_FORMAT_R8G8B8A8_UNORM", "R32_UINT"];
                let (target, format) = (self.numbers.word("target"), self.numbers.one(&formats));
                let _ = write!(text, ", {target}, {format}");
            }
            _ => {}
        }
        match self.numbers.below(14) {
            0 | 1 => text += ", ARRAY(1)",
            2 => text += ", LOCAL",
            3 => text += ", INVARIANT",
            4 => text += ", STREAM(0, 1, 0, 3)",
            5 => text += ", WR",
            6 => text += ", RAW",
            7 => text += ", ATOMIC",
            8 => text += ", SHARED",
            9 => text += ", CENTROID",
            10 => text += ", FLAT",
            _ => {}
        }
        text
    }

    fn immediate(&mut self) -> String {
        const VALUES: [&str; 12] = [
            "0",
            "1",
            "-1",
            "0.5",
            "1.5e-40",
            "inf",
            "-nan",
            "0x7fc00000",
            "4294967295",
            "-0",
            "0x3ff0000000000000",
            "3.40282347e38",
        ];
        let count = self.numbers.one(&[4, 4, 4, 2, 1, 3]);
        let values: Vec<&str> = (0..count).map(|_| self.numbers.one(&VALUES)).collect();
        let begin = self.numbers.one(&["IMM[0]", "IMM[1]", "IMM", "IMM[2..3]"]);
        format!("{begin} {} {{{}}}", self.numbers.word("immediate"), values.join(", "))
    }

    fn property(&mut self) -> String {
        let name = self.numbers.word("property");
        let value = match self.numbers.below(3) {
            0 => self.numbers.word("primitive").to_owned(),
            1 => self.numbers.one(&["UPPER_LEFT", "INTEGER", "HALF_INTEGER", "-1"]).to_owned(),
            _ => self.numbers.below(40).to_string(),
        };
        format!("PROPERTY {name} {value}")
    }

    /// Opens or closes a block, or leaves one.
    fn steering(&mut self) {
        let line = match self.numbers.below(16) {
            0 | 1 => self.opened("IF", "ENDIF"),
            2 => self.opened("UIF", "ENDIF"),
            3 | 4 => self.opened("BGNLOOP", "ENDLOOP"),
            5 => self.opened("SWITCH", "ENDSWITCH"),
            6 => self.numbers.one(&["ELSE", "ELSE :7", "CASE IMM[0].xxxx", "DEFAULT"]).to_owned(),
            7 => {
                self.numbers.one(&["BRK", "CONT", "RET", "KILL", "BREAKC TEMP[0].xxxx"]).to_owned()
            }
            8 => format!("CAL :{}", self.numbers.below(30)),
            9 => self
                .numbers
                .one(&["BGNSUB", "ENDSUB", "END", "BARRIER", "EMIT IMM[0].xxxx"])
                .to_owned(),
            _ => match self.open.pop() {
                Some(end) => end.to_owned(),
                None => return,
            },
        };
        self.lines.push(line);
    }

    fn opened(&mut self, word: &str, end: &'static str) -> String {
        self.open.push(end);
        let label = self.numbers.one(&["", "", " :4", " :12"]);
        let operand = self.numbers.one(&[" TEMP[0].xxxx", " IN[0].y", " TEMP[1].x", " SV[0].xxxx"]);
        format!("{word}{}{label}", if word == "BGNLOOP" { "" } else { operand })
    }

    fn text(mut self) -> String {
        for _ in 0..3 + self.numbers.below(9) {
            let line = match self.numbers.below(8) {
                0 => self.property(),
                1 | 2 => self.immediate(),
                _ => self.declaration(),
            };
            self.lines.push(line);
        }
        for _ in 0..4 + self.numbers.below(18) {
            match self.numbers.below(5) {
                0 | 1 => self.steering(),
                _ => {
                    let line = self.instruction();
                    self.lines.push(line);
                }
            }
        }
        let open: Vec<&str> = self.open.drain(..).rev().collect();
        if self.numbers.below(4) > 0 {
            self.lines.extend(open.into_iter().map(str::to_owned));
        }
        if self.numbers.below(8) > 0 {
            self.lines.push("END".to_owned());
        }
        // Some number their instructions, rightly or nearly.
        let numbered = self.numbers.below(4) == 0;
        let mut number = self.numbers.below(5) / 4;
        for line in self.lines.iter_mut().skip(1) {
            if numbered && !["DCL", "IMM", "PRO"].contains(&&line[..3]) {
                *line = format!("{number:>3}: {line}");
                number += 1;
            }
        }
        self.lines.join(self.numbers.one(&["\n", "\n", "\n", "\r\n", " \n\t"])) + "\n"
    }
}

/// Returns the shader of a seed.
pub(crate) fn shader(seed: u64) -> String {
    Writer::new(seed).text()
}

/// Returns what the services say at each place of a text.
pub(crate) fn at_places(text: &str) -> String {
    let Some(shader) = parser::parse(text, &no_checkpoint).shader else { return String::new() };
    everywhere(text, |at| {
        let at = TextSize::new(at as u32);
        let context = CompletionContext { text, shader: &shader };
        let renamed = rename::rename(text, &shader, at, "3").map_err(|it| it.to_string());
        (
            complete(context, at).items.len(),
            signature::signature(text, at),
            selection::selections(text, &shader, at).len(),
            navigation::definitions(text, &shader, at),
            navigation::references(text, &shader, at, References::All),
            renamed,
            refactor::Refactoring::ALL.map(|it| refactor::edits(text, &shader, at, it)),
        )
    })
}

/// The words of a shader and what they are read as, and its other layouts.
pub(crate) fn other_forms(text: &str) -> String {
    let mut out = String::new();
    for numbers in [Numbers::Keep, Numbers::Always, Numbers::Never] {
        out += &format::format(text, numbers);
    }
    let Some(shader) = parser::parse(text, &no_checkpoint).shader else { return out };
    for layout in Layout::ALL {
        let words = tokens::encode(&shader, layout);
        let _ = writeln!(out, "{layout} {words:x?}");
        let Ok(words) = words else { continue };
        let read = tokens::decode(&words, layout);
        let _ = writeln!(out, "{}{:?} {:?}", read.text, read.diagnostics, tokens::detect(&words));
    }
    out
}

/// Texts of each row of the records, and rows.
const TEXTS: u64 = 6;
const ROWS: u64 = 20;

#[test]
fn shaders_put_together_at_random() {
    let mut records = table("random_shaders.tsv");
    for row in 0..ROWS {
        let (mut said, mut forms, mut places) = (String::new(), String::new(), String::new());
        for seed in row * TEXTS..(row + 1) * TEXTS {
            let text = shader(seed);
            let (found, shader) = judged(&text);
            said += &found;
            said += &shader.map_or(String::new(), |it| whole(&text, &it));
            forms += &other_forms(&text);
            if seed.is_multiple_of(6) {
                places += &at_places(&text);
            }
        }
        let row = row.to_string();
        records.add(&row, "said", &said);
        records.add(&row, "forms", &forms);
        records.add(&row, "places", &places);
    }
    records.check();
}
