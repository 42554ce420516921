//! Random shaders: of every stage, with control flow, every kind of operand and every
//! opcode that is lowered. A seed gives the same shader on every machine.
//!
//! What is written here is bold: whether a form goes with a texture target or a stage is
//! left to the validator and to the lowering, and lines that they do not like are taken
//! out again ([`Shader::without`]). So the shaders follow the tables and no second list.

mod operands;
mod stages;

use std::fmt::Write as _;

use gcn::Generation;
use tgsi::Opcode;
use tgsi::opcodes::{Family, Lookup, ValueType};

use crate::agreement::parsed;
use crate::bench::Bench;

use operands::{Lookups, Operands};
use source::{LineIndex, Severity};

/// A generator of numbers: xorshift, from a seed that was mixed first.
#[derive(Debug, Clone)]
pub struct Numbers(u64);

impl Numbers {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Numbers {
        let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Numbers((mixed ^ (mixed >> 31)) | 1)
    }

    /// A number below a limit, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit.max(1) as u64) as usize
    }

    /// One of some things.
    pub fn one<'a, T: ?Sized>(&mut self, things: &[&'a T]) -> &'a T {
        things[self.below(things.len())]
    }

    /// Returns true once in `times`, at random.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A shader in lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shader {
    lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    text: String,
    /// An instruction, which counts for labels.
    is_instruction: bool,
    /// The rest is a shader without it.
    may_go: bool,
}

/// Stands in a `CAL` for the number of the subroutine's first instruction.
const SUBROUTINE: &str = "{subroutine}";

impl Shader {
    /// The shader of a seed.
    pub fn of(seed: u64) -> Shader {
        let mut writer = Writer::new(Numbers::new(seed));
        writer.shader();
        Shader { lines: writer.lines }
    }

    /// Its text. Line `n` of it is line `n` of the shader.
    pub fn text(&self) -> String {
        let instructions = self.lines.iter().filter(|line| line.is_instruction);
        let begin = instructions.clone().position(|line| line.text == "BGNSUB").unwrap_or(0);
        let mut text = String::new();
        for line in &self.lines {
            let words = line.text.replace(SUBROUTINE, &begin.to_string());
            let _ = writeln!(text, "{words}"); // Writing to a string cannot fail.
        }
        text
    }

    /// The shader without some lines, by their numbers from 0; `None` where one of them
    /// holds others together.
    pub fn without(&self, numbers: &[usize]) -> Option<Shader> {
        let goes = |number: usize| numbers.contains(&number);
        if numbers.iter().any(|number| self.lines.get(*number).is_none_or(|line| !line.may_go)) {
            return None;
        }
        let left = self.lines.iter().enumerate().filter(|(number, _)| !goes(*number));
        Some(Shader { lines: left.map(|(_, line)| line.clone()).collect() })
    }
}

/// A shader under way.
struct Writer {
    numbers: Numbers,
    operands: Operands,
    lines: Vec<Line>,
    opcodes: Vec<Opcode>,
    /// Blocks around the next statement.
    depth: usize,
    has_subroutine: bool,
    in_subroutine: bool,
}

/// Opcodes that the writer places itself beside those that steer, since others must
/// stand around them or an operand is of one file.
const PLACED: &[&str] = &["EMIT", "ENDPRIM", "BARRIER", "ARL", "ARR", "UARL", "ARA", "FBFETCH"];

impl Writer {
    fn new(mut numbers: Numbers) -> Writer {
        let operands = Operands::new(&mut numbers);
        let stage = operands.stage;
        let opcodes = Opcode::all().filter(|opcode| {
            let row = opcode.row();
            let stages = row.stages;
            lower::supported(*opcode)
                && !opcode.is_gap()
                && !tgsi::validate::steers(*opcode)
                && !PLACED.contains(&opcode.mnemonic())
                && (stages == "any" || stages.split_whitespace().any(|it| it == stage))
        });
        let opcodes = opcodes.collect();
        let has_subroutine = numbers.once_in(4);
        let lines = Vec::new();
        let in_subroutine = false;
        Writer { numbers, operands, lines, opcodes, depth: 0, has_subroutine, in_subroutine }
    }

    fn shader(&mut self) {
        for line in self.operands.declarations() {
            self.lines.push(Line { text: line, is_instruction: false, may_go: false });
        }
        for line in self.operands.first_values() {
            self.fixed(line);
        }
        let count = 3 + self.numbers.below(28);
        self.block(count);
        self.results();
        self.fixed("END");
        if self.has_subroutine {
            self.fixed("BGNSUB");
            self.has_subroutine = false; // None calls itself.
            self.in_subroutine = true;
            let count = 1 + self.numbers.below(4);
            self.block(count);
            self.fixed("RET");
            self.fixed("ENDSUB");
        }
    }

    /// Lets the world see the registers.
    fn results(&mut self) {
        for line in self.operands.results() {
            self.fixed(line);
        }
    }

    /// An instruction that must stay.
    fn fixed(&mut self, text: impl Into<String>) {
        self.lines.push(Line { text: text.into(), is_instruction: true, may_go: false });
    }

    /// An instruction that may be taken out.
    fn free(&mut self, text: impl Into<String>) {
        self.lines.push(Line { text: text.into(), is_instruction: true, may_go: true });
    }

    /// Statements within a block.
    fn inner(&mut self) {
        self.depth += 1;
        let count = 1 + self.numbers.below(4);
        self.block(count);
        self.depth -= 1;
    }

    fn block(&mut self, count: usize) {
        for _ in 0..count {
            match self.numbers.below(24) {
                0..3 if self.depth < 4 => self.control_flow(),
                3 => self.stage_statement(),
                4..6 => self.memory_statement(),
                6..8 => self.address(),
                _ => self.statement(),
            }
        }
    }

    fn control_flow(&mut self) {
        let condition = match self.numbers.once_in(4) {
            true => self.operands.scalar(&mut self.numbers),
            false => {
                // After some open conditions nothing is known any more.
                let [one, other] = [(); 2].map(|()| self.operands.given(&mut self.numbers));
                self.fixed(format!("USLT TEMP[54].x, {one}, {other}"));
                "TEMP[54].xxxx".to_owned()
            }
        };
        match self.numbers.below(8) {
            0..4 => {
                let opcode = self.numbers.one(&["IF", "UIF"]);
                self.fixed(format!("{opcode} {condition} :0"));
                self.inner();
                if self.numbers.once_in(2) {
                    self.fixed("ELSE :0");
                    self.inner();
                }
                self.fixed("ENDIF");
            }
            4..6 => {
                let counter = self.counter();
                self.fixed(format!("MOV {counter}.x, IMM[2].xxxx"));
                self.fixed("BGNLOOP :0");
                // It ends whatever the condition is: what goes on for ever leaves nothing.
                let bound = if self.depth == 0 { "IMM[4].wwww" } else { "IMM[2].zzzz" };
                self.fixed(format!("USGE {counter}.y, {counter}.xxxx, {bound}"));
                self.fixed(format!("UADD {counter}.x, {counter}.xxxx, IMM[2].yyyy"));
                self.fixed(format!("OR {counter}.y, {counter}.yyyy, {condition}"));
                self.fixed(format!("UIF {counter}.yyyy :0"));
                if self.numbers.once_in(3) {
                    self.inner();
                }
                self.fixed("BRK");
                self.fixed("ENDIF");
                self.inner();
                if self.numbers.once_in(4) {
                    self.fixed(format!("IF {condition} :0"));
                    self.fixed("CONT");
                    self.fixed("ENDIF");
                    self.inner();
                }
                self.fixed("ENDLOOP :0");
            }
            6 => {
                self.fixed(format!("SWITCH {condition}"));
                for number in 0..1 + self.numbers.below(3) {
                    self.fixed(format!("CASE IMM[2].{}", ["xxxx", "yyyy", "zzzz"][number]));
                    self.inner();
                    if !self.numbers.once_in(3) {
                        self.fixed("BRK");
                    }
                }
                self.fixed("DEFAULT");
                self.inner();
                self.fixed("BRK");
                self.fixed("ENDSWITCH");
            }
            _ if self.has_subroutine => self.fixed(format!("CAL :{SUBROUTINE}")),
            _ => {
                self.fixed(format!("UIF {condition} :0"));
                // Without them what comes behind is all that the shader would leave.
                if !self.in_subroutine {
                    self.results();
                }
                self.fixed("RET");
                self.fixed("ENDIF");
            }
        }
    }

    /// A value for an address register: mostly one that every index may have.
    fn address(&mut self) {
        let source = self.operands.scalar(&mut self.numbers);
        let component = self.numbers.one(&["x", "y"]);
        if self.operands.indexes_vertices() || !self.numbers.once_in(6) {
            self.free(format!("AND TEMP[7].w, {source}, IMM[2].yyyy"));
            self.free(format!("UARL ADDR[0].{component}, TEMP[7].wwww"));
            return;
        }
        let opcode = self.numbers.one(&["ARL", "ARR", "UARL"]);
        self.free(format!("{opcode} ADDR[0].{component}, {source}"));
    }

    /// The register that counts the iterations of the next loop: one for each depth, and others in
    /// the subroutine, which loops call.
    fn counter(&self) -> String {
        let first = if self.in_subroutine { 48 } else { 44 };
        format!("TEMP[{}]", first + self.depth)
    }

    /// An opcode of the table with operands of all kinds.
    fn statement(&mut self) {
        let opcode = self.opcodes[self.numbers.below(self.opcodes.len())];
        let row = opcode.row();
        // What went long ago has its turn, but not as often as what is in use.
        if !row.until.is_empty() && !self.numbers.once_in(8) {
            return self.statement();
        }
        let mnemonic = opcode.mnemonic();
        let by_view = matches!(row.family, Family::Sample | Family::View)
            || matches!(row.lookup, Lookup::Position | Lookup::Samples) && !row.texture;
        match self.operands.lookups {
            // A shader has look-ups of one kind.
            Lookups::Views if row.texture => return self.statement(),
            Lookups::Samplers if by_view => return self.statement(),
            _ if row.texture => return self.texture_statement(mnemonic, row.sources),
            _ if by_view => return self.view_statement(opcode),
            _ => {}
        }
        if matches!(row.family, Family::Access | Family::Store | Family::Atomic) {
            return self.memory_statement();
        }
        let wide = |types: &[ValueType]| types.iter().any(|it| is_wide(*it));
        let is_wide = wide(row.destination_types) || wide(row.source_types);
        let mut operands = Vec::new();
        for number in 0..row.destinations {
            operands.push(match (number, is_wide) {
                (0, true) => self.operands.wide_destination(&mut self.numbers),
                (0, false) => self.operands.destination(&mut self.numbers),
                _ => format!("TEMP[{}].x", self.numbers.below(8)),
            });
        }
        for number in 0..row.sources {
            let kind = row.source_types.get(number).copied().unwrap_or(ValueType::Float);
            operands.push(self.operands.source(&mut self.numbers, kind));
        }
        let saturate = matches!(row.destination_types.first(), Some(ValueType::Float))
            && self.numbers.once_in(8);
        let suffix = if saturate { "_SAT" } else { "" };
        self.free(format!("{mnemonic}{suffix} {}", operands.join(", ")));
    }

    fn texture_statement(&mut self, mnemonic: &str, sources: usize) {
        let (sampler, target) = self.operands.sampler(&mut self.numbers);
        let destination = self.operands.destination(&mut self.numbers);
        let mut operands = vec![destination];
        for number in 1..sources {
            operands.push(match (mnemonic, number) {
                ("TG4", 2) => format!("IMM[2].{}", self.numbers.one(&["xxxx", "yyyy"])),
                _ => self.operands.source(&mut self.numbers, ValueType::Float),
            });
        }
        operands.push(sampler);
        operands.push(target.to_owned());
        if self.numbers.once_in(6) {
            operands.push("IMM[2].xyz".to_owned());
        }
        self.free(format!("{mnemonic} {}", operands.join(", ")));
    }

    /// A look-up through a view, by a sampler or without one.
    fn view_statement(&mut self, opcode: Opcode) {
        let row = opcode.row();
        let mut operands = vec![self.operands.destination(&mut self.numbers)];
        for number in 0..row.sources {
            operands.push(match (number, row.family) {
                (1, Family::Sample | Family::View) => self.operands.view(&mut self.numbers),
                (0, Family::Historic) => self.operands.view(&mut self.numbers),
                (2, Family::Sample) => format!("SAMP[{}]", self.numbers.below(3)),
                _ => {
                    let kind = row.source_types.get(number).copied().unwrap_or(ValueType::Float);
                    self.operands.source(&mut self.numbers, kind)
                }
            });
        }
        self.free(format!("{} {}", opcode.mnemonic(), operands.join(", ")));
    }

    fn memory_statement(&mut self) {
        let line = self.operands.memory(&mut self.numbers);
        self.free(line);
    }

    fn stage_statement(&mut self) {
        // All threads must meet at a barrier.
        let outermost = self.depth == 0 && !self.in_subroutine;
        if let Some(line) = self.operands.of_stage(&mut self.numbers, outermost) {
            self.free(line);
        }
    }
}

fn is_wide(kind: ValueType) -> bool {
    matches!(kind, ValueType::Double | ValueType::Signed64 | ValueType::Unsigned64)
}

/// A shader that nobody has anything against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// Its text.
    pub text: String,
    /// Lines that were taken out for that.
    pub lines_out: usize,
}

/// The generations that shaders are compared on.
const GENERATIONS: [Generation; 4] =
    [Generation::Gfx6, Generation::Gfx7, Generation::Gfx8, Generation::Gfx9];

/// Returns how many registers a shader reads that nothing wrote.
pub fn unwritten_reads(bench: &mut Bench, text: &str) -> usize {
    use tgsi::codes::{MAYBE_UNWRITTEN, UNWRITTEN_TEMPORARY};
    let file = bench.open("candidate.tgsi", text);
    let diagnostics = bench.host.snapshot().diagnostics(file).unwrap_or_default();
    let unwritten = [UNWRITTEN_TEMPORARY, MAYBE_UNWRITTEN];
    diagnostics.iter().filter(|it| unwritten.contains(&it.code)).count()
}

/// The lines of a shader, from 0, that the validator has an error for or that are not lowered for a
/// generation.
pub fn wrong_lines(bench: &mut Bench, text: &str) -> Vec<usize> {
    let file = bench.open("candidate.tgsi", text);
    let diagnostics = bench.host.snapshot().diagnostics(file).unwrap_or_default();
    let lines = LineIndex::new(text);
    let wrong = diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let mut wrong: Vec<usize> =
        wrong.map(|diagnostic| lines.line(diagnostic.range.start()) as usize).collect();
    // Not every failure has a diagnostic of its own: a rule may tell the reason.
    if let Some(parsed) = parsed(text) {
        let failures = GENERATIONS.iter().flat_map(|one| lower::check(&parsed, *one));
        wrong.extend(failures.map(|failure| lines.line(failure.range.start()) as usize));
    }
    wrong
}

/// The shader of a seed, without the lines that the validator has an error for or that
/// are not lowered for a generation; `None` where one of them holds others together.
pub fn accepted(bench: &mut Bench, seed: u64) -> Option<Accepted> {
    let mut shader = Shader::of(seed);
    let all = shader.lines.len();
    // Each round may bring to light what an error hid; a shader has no more lines.
    for _ in 0..all {
        let text = shader.text();
        let wrong = wrong_lines(bench, &text);
        if wrong.is_empty() {
            return Some(Accepted { text, lines_out: all - shader.lines.len() });
        }
        shader = shader.without(&wrong)?;
    }
    None
}
