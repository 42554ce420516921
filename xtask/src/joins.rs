//! The join of ACO's code to lines, judged by shaders whose lines can be told from the code:
//! each has a constant, an offset or an opcode of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::aco::Differences;
use crate::chance::Chance;
use crate::dumps::objects;

/// The arguments of `cargo xtask joins`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The number of shaders.
    #[arg(long, default_value_t = 120)]
    count: u64,
    /// The program that compiles.
    #[arg(long, value_name = "FILE", default_value = "target/release/tungsten")]
    tungsten: PathBuf,
    /// The chips.
    #[arg(long, value_delimiter = ',', default_values = ["pitcairn", "polaris10", "vega10"])]
    chips: Vec<String>,
    /// The join that the driver's version has: what is asked of it depends on that.
    #[arg(long, value_enum, default_value = "opline")]
    join: Join,
    /// The verdict on wrong lines: a version that nobody has looked at only reports them.
    #[arg(long, value_enum, default_value = "fail")]
    differences: Differences,
}

/// The joins of code to lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Join {
    /// By the lines that the driver states, from Mesa 25.2 on.
    Opline,
    /// By the values that the code computes.
    Values,
}

impl Join {
    /// The marked instructions of a hundred that have the right line, at the least.
    fn bar(self) -> usize {
        match self {
            Join::Opline => 95,
            Join::Values => 90,
        }
    }
}

/// The marked instructions of a hundred that have a wrong line, at most.
const WRONG: usize = 1;
/// Files that the program is given at once.
const FILES: usize = 40;
/// Wrong lines that are named.
const NAMED: usize = 20;

/// The text by which a machine instruction is known to be of a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    /// A constant of 32 bits, or the offset of a scalar load.
    Number(u32),
    /// The beginning of the instruction's name.
    Name(&'static str),
}

/// A shader, and the line of each mark.
struct Marked {
    text: String,
    lines: BTreeMap<Mark, u64>,
}

/// The counts of a chip.
#[derive(Default)]
struct Counts {
    instructions: usize,
    with_line: usize,
    marked: usize,
    right: usize,
    /// Marked ones without a line.
    without: usize,
    wrong: Vec<String>,
}

/// Compiles made shaders for each chip and judges the lines of their code; returns a line for
/// each chip.
///
/// # Errors
/// Too few lines are right, or the driver states none.
pub(crate) fn run(root: &Path, options: &Options) -> Result<String, String> {
    let folder = root.join("target/joins");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut shaders = Vec::new();
    for seed in 0..options.count {
        let marked = Maker::of(seed);
        let file = folder.join(format!("{seed}.tgsi"));
        fs::write(&file, &marked.text).map_err(|error| error.to_string())?;
        shaders.push((file, marked));
    }
    let mut report = String::new();
    let mut good = true;
    for chip in &options.chips {
        let mut counts = Counts::default();
        for some in shaders.chunks(FILES) {
            let files: Vec<&Path> = some.iter().map(|it| it.0.as_path()).collect();
            let compiled = compiled(root, options, chip, &files)?;
            if compiled.len() < some.len() {
                return Err(format!("{chip}: not every made shader was compiled"));
            }
            for (code, (file, marked)) in compiled.iter().zip(some) {
                counts.add(code, file, marked);
            }
        }
        let Counts { instructions, with_line, marked, right, without, wrong } = counts;
        let _ = writeln!(
            report,
            "{chip}: {} shaders; {with_line} of {instructions} instructions have a line; of \
             {marked} that can be told {right} have the right one, {without} none",
            shaders.len()
        );
        good &= right * 100 >= marked * options.join.bar() && marked > shaders.len();
        good &= (marked - right - without) * 100 <= marked * WRONG;
        report.extend(wrong.iter().take(NAMED).map(|it| format!("  {it}\n")));
    }
    match options.differences {
        Differences::Fail if !good => Err(report),
        Differences::Fail | Differences::Report => Ok(report),
    }
}

impl Counts {
    fn add(&mut self, shader: &Value, file: &Path, marked: &Marked) {
        let code = shader["code"].as_array().map_or(&[][..], Vec::as_slice);
        self.instructions += code.len();
        for instruction in code {
            let line = instruction["line"].as_u64();
            self.with_line += usize::from(line.is_some());
            let text = instruction["text"].as_str().unwrap_or_default();
            let Some(expected) = marked.line_of(text) else { continue };
            self.marked += 1;
            if line == Some(expected) {
                self.right += 1;
                continue;
            }
            self.without += usize::from(line.is_none());
            let found = line.map_or("none".to_owned(), |line| line.to_string());
            let name = file.file_name().unwrap_or_default().display();
            self.wrong.push(format!("{name}: line {found} instead of {expected}: {text}"));
        }
    }
}

impl Marked {
    /// Returns the line that a machine instruction surely comes from.
    fn line_of(&self, text: &str) -> Option<u64> {
        let found = self.lines.iter().filter(|(mark, _)| match mark {
            Mark::Name(name) => text.starts_with(name),
            Mark::Number(number) => {
                let hexadecimal = format!("0x{number:x}");
                // Offsets of descriptors are the driver's.
                !text.starts_with("s_load")
                    && text.split([' ', ',']).any(|word| word == hexadecimal)
            }
        });
        // An instruction that two lines became is of either.
        let mut lines = found.map(|(_, line)| *line);
        lines.next().filter(|_| lines.next().is_none())
    }
}

/// The work of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Arithmetic of floats with a constant.
    Float,
    /// Arithmetic of integers with a constant.
    Integer,
    /// An opcode that the shader has once, a load or a look-up among them.
    Once,
    /// A product with a uniform of a row that nothing else reads.
    Uniform,
    /// A branch over some lines, by a comparison with a constant.
    Branch,
    /// Some lines again and again, until a comparison with a constant.
    Loop,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Float, Kind::Integer, Kind::Once, Kind::Uniform, Kind::Branch, Kind::Loop];
}

/// Opcodes that become one instruction of this name.
const ONCE: [(&str, &str); 11] = [
    ("TEX", "image_sample"),
    ("LOAD", "buffer_load_dword"),
    ("EX2", "v_exp_f32"),
    ("LG2", "v_log_f32"),
    ("RCP", "v_rcp_f32"),
    ("SQRT", "v_sqrt_f32"),
    ("FLR", "v_floor_f32"),
    ("CEIL", "v_ceil_f32"),
    ("TRUNC", "v_trunc_f32"),
    ("ROUND", "v_rndne_f32"),
    ("FRC", "v_fract_f32"),
];
/// Opcodes with a constant. None folds with the other list's.
const FLOAT: [&str; 4] = ["ADD", "MUL", "MAX", "MIN"];
const INTEGER: [&str; 4] = ["UADD", "XOR", "AND", "OR"];
/// The lines of a body.
const LINES: usize = 24;
/// The first row of uniforms: so far behind that no offset in words is one in bytes, too. Older
/// chips count words.
const FIRST_ROW: u32 = 20;
/// Rows between the uniforms of two lines, which one load would read otherwise.
const ROWS: u32 = 3;

/// Makes a shader.
struct Maker {
    chance: Chance,
    body: Vec<String>,
    marks: Vec<(Mark, usize)>,
    constants: Vec<u32>,
    once: Vec<(&'static str, &'static str)>,
    row: u32,
}

impl Maker {
    fn of(seed: u64) -> Marked {
        let stage = ["FRAG", "VERT", "COMP"][seed as usize % 3];
        let mut maker = Maker {
            chance: Chance(seed),
            body: Vec::new(),
            marks: Vec::new(),
            constants: Vec::new(),
            // A vertex shader's inputs are loads, too.
            once: ONCE.into_iter().filter(|it| stage != "VERT" || it.0 != "LOAD").collect(),
            row: FIRST_ROW,
        };
        // A limit, since what is linear in an input may be computed by the stage before.
        maker.with_constant("MAX", 1_000.5_f32.to_bits());
        let mut before = Kind::Float;
        for _ in 0..LINES {
            let kinds = Kind::ALL.into_iter().filter(|kind| *kind != before);
            let kinds: Vec<Kind> = kinds.collect();
            before = maker.chance.one(&kinds);
            maker.add(before);
        }
        maker.finish(stage)
    }

    fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Float => {
                let opcode = self.chance.one(&FLOAT);
                let number = 1_000.5 + 8.0 * self.constants.len() as f32;
                self.with_constant(opcode, number.to_bits());
            }
            Kind::Integer => {
                let opcode = self.chance.one(&INTEGER);
                let number = 0x3f5a_0101 + 0x1_0010 * self.constants.len() as u32;
                self.with_constant(opcode, number);
            }
            Kind::Once if self.once.is_empty() => self.add(Kind::Integer),
            Kind::Once => {
                let at = self.chance.below(self.once.len());
                let (opcode, name) = self.once.swap_remove(at);
                let operands = match opcode {
                    "TEX" => "TEMP[0].xxxx, SAMP[0], 2D",
                    "LOAD" => "BUFFER[1], TEMP[0].xxxx",
                    _ => "TEMP[0].xxxx",
                };
                self.line(&format!("{opcode} TEMP[0].x, {operands}"), Some(Mark::Name(name)));
            }
            Kind::Uniform => {
                self.row += ROWS;
                let line = format!("MUL TEMP[0].x, TEMP[0].xxxx, CONST[0][{}].xxxx", self.row);
                self.marks.push((Mark::Number(self.row * 4), self.body.len()));
                self.line(&line, Some(Mark::Number(self.row * 16)));
            }
            Kind::Branch => {
                self.condition();
                self.add(Kind::Once);
                self.add(Kind::Float);
                self.line("ELSE", None);
                self.add(Kind::Integer);
                self.line("ENDIF", None);
            }
            Kind::Loop => {
                self.line("BGNLOOP", None);
                self.add(Kind::Integer);
                self.add(Kind::Float);
                self.condition();
                self.line("BRK", None);
                self.line("ENDIF", None);
                self.line("ENDLOOP", None);
            }
        }
    }

    /// Begins a branch whose comparison has a constant.
    fn condition(&mut self) {
        let number = 5_000.5 + 8.0 * self.constants.len() as f32;
        let constant = self.constant(number.to_bits());
        let line = format!("FSLT TEMP[1].x, TEMP[0].xxxx, {constant}");
        self.line(&line, Some(Mark::Number(number.to_bits())));
        self.line("UIF TEMP[1].xxxx", None);
    }

    fn with_constant(&mut self, opcode: &str, number: u32) {
        let constant = self.constant(number);
        let line = format!("{opcode} TEMP[0].x, TEMP[0].xxxx, {constant}");
        self.line(&line, Some(Mark::Number(number)));
    }

    /// Adds a constant and returns how a line reads it.
    fn constant(&mut self, number: u32) -> String {
        let place = self.constants.len();
        self.constants.push(number);
        format!("IMM[{}].{}", place / 4, ["xxxx", "yyyy", "zzzz", "wwww"][place % 4])
    }

    fn line(&mut self, text: &str, mark: Option<Mark>) {
        self.marks.extend(mark.map(|mark| (mark, self.body.len())));
        self.body.push(text.to_owned());
    }

    fn finish(self, stage: &str) -> Marked {
        let (declarations, first, last) = match stage {
            "FRAG" => (
                "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n",
                "MOV TEMP[0].x, IN[0].xxxx",
                "MOV OUT[0], TEMP[0].xxxx",
            ),
            "VERT" => (
                "DCL IN[0]\nDCL OUT[0], POSITION\n",
                "MOV TEMP[0].x, IN[0].xxxx",
                "MOV OUT[0], TEMP[0].xxxx",
            ),
            _ => (
                "PROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
                 PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\n",
                "U2F TEMP[0].x, SV[0].xxxx",
                "STORE BUFFER[0].x, SV[0].xxxx, TEMP[0].xxxx",
            ),
        };
        let mut text = format!(
            "{stage}\n{declarations}DCL TEMP[0..1]\nDCL BUFFER[1]\nDCL SAMP[0]\n\
             DCL SVIEW[0], 2D, FLOAT\n"
        );
        let _ = writeln!(text, "DCL CONST[0][0..{}]", self.row);
        for (place, four) in self.constants.chunks(4).enumerate() {
            let mut four = four.to_vec();
            four.resize(4, 0);
            let four: Vec<String> = four.iter().map(u32::to_string).collect();
            let _ = writeln!(text, "IMM[{place}] UINT32 {{{}}}", four.join(", "));
        }
        let _ = writeln!(text, "{first}");
        // Lines are counted from 1.
        let start = text.lines().count() + 1;
        for line in &self.body {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "{last}\nEND");
        let lines = self.marks.into_iter().map(|(mark, place)| (mark, (start + place) as u64));
        Marked { text, lines: lines.collect() }
    }
}

/// Returns what the program tells of each shader's code.
fn compiled(
    root: &Path,
    options: &Options,
    chip: &str,
    files: &[&Path],
) -> Result<Vec<Value>, String> {
    let program = root.join(&options.tungsten);
    let mut command = Command::new(&program);
    command.args(["stats", "--json", "--compiler", "aco", "--target", chip]).args(files);
    let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
    match output.status.success() {
        true => objects(&String::from_utf8_lossy(&output.stdout)),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
