//! Reads what the compiler wrote: assembly text with `.loc` lines and the
//! bytes of the object's `.text`, joined instruction by instruction.
//!
//! The text says what an instruction is and where it comes from; the bytes say
//! how long it is, which the text cannot (and the size that LLVM notes in a
//! comment is an estimate). Registers are counted from the bytes. LLVM's own
//! counts matter only where they are larger: it allocates registers that no
//! instruction names, for inputs that the hardware loads, or because an index
//! reaches them (`v_movrels_b32`).

use rustc_hash::FxHashSet;

use thiserror::Error;

pub use editor_model::Statistics;

use crate::Target;
use crate::analysis::{self, Code, Declared, DefUse, image_address};
use crate::dialect::Dialect;
use crate::encoding::{self, InstLayout, Undecodable};
use crate::mnemonics::{OpEncoding, Opcode, op_info};
use crate::object::{self, ListingLine};
use crate::occupancy::{Occupancy, Usage, occupancy};
use crate::remarks::{Configuration, NoFigure, Remarks};
use crate::service::statement::{Statement, statements};

/// A compiled shader.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The instructions in order of their addresses.
    pub instructions: Vec<Instruction>,
    /// Block labels: the name, and the index of the instruction it stands before.
    pub labels: Vec<(String, usize)>,
    /// Sizes and limits.
    pub statistics: Statistics,
    /// The waves, and how far the edges are at which there would be more or fewer.
    pub occupancy: Occupancy,
    /// Waves of a workgroup; `None` where nobody knows how many share its memory.
    pub waves_per_group: Option<u32>,
    /// The vector and the scalar registers that the words name; a compiler may allocate more.
    pub named: [u32; 2],
}

/// One machine instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// The address, in bytes from the start of the shader.
    pub offset: u32,
    /// The bytes as 32-bit words in memory order.
    pub words: Vec<u32>,
    /// The text, operands separated by `, `, comments removed.
    pub text: String,
    /// The ordinal of the TGSI instruction it comes from (the debug line);
    /// 0 is code that several share or none owns.
    pub ordinal: u32,
}

/// A reason why text and bytes are not joined.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The bytes are not words.
    #[error("{0} bytes of code are not a whole number of words")]
    NoWords(usize),
    /// A `.loc` does not say which line.
    #[error("`.loc {0}` names no line")]
    NoLine(String),
    /// A `.p2align` does not say how far.
    #[error("`.p2align {0}` is not an alignment")]
    NoAlignment(String),
    /// Data stand between the instructions.
    #[error("the compiler put data (`{0}`) between the instructions")]
    Data(String),
    /// The bytes end too early.
    #[error("the code ends before `{0}`")]
    Ends(String),
    /// The bytes are not an instruction.
    #[error("at byte {at} there is no instruction (0x{word:08x}) where the text has `{text}`")]
    NoInstruction {
        /// The place of the bytes.
        at: usize,
        /// The first word there.
        word: u32,
        /// The instruction of the text.
        text: String,
    },
    /// The bytes are another instruction than the text.
    #[error("at byte {at} the text has `{mnemonic}`, the code {encoding} number {opcode}")]
    OtherInstruction {
        /// The place of the bytes.
        at: usize,
        /// The mnemonic of the text.
        mnemonic: String,
        /// The encoding of the bytes.
        encoding: &'static str,
        /// The number of their opcode.
        opcode: u16,
    },
    /// Bytes follow that the text does not explain.
    #[error("the text has {instructions} instructions, and 0x{word:08x} follows in the code")]
    Follows {
        /// The number of the text's instructions.
        instructions: usize,
        /// The first word that follows.
        word: u32,
    },
    /// There is no instruction at all.
    #[error("the compiler wrote no instruction")]
    Empty,
    /// A figure of the compiler's is not a number.
    #[error(transparent)]
    Figure(#[from] NoFigure),
}

/// Joins the compiler's assembly text and the bytes of its code.
///
/// # Errors
/// The place where text and bytes do not agree or an instruction is not understood.
pub fn read(assembly: &str, code: &[u8], target: Target) -> Result<Compiled, ReadError> {
    let mut reader = Reader::new(code, target)?;
    let mut sections = Sections::default();
    let mut configuration = Configuration::default();
    let mut remarks = Remarks::default();
    for statement in statements(assembly, Dialect::Llvm) {
        configuration.read(&statement, &mut remarks);
        if !sections.elsewhere {
            reader.read_labels(&statement);
        }
        if !sections.enter(&statement) && !sections.elsewhere {
            reader.read(&statement)?;
        }
    }
    let Reader { instructions, labels, .. } = reader.finish()?;
    remarks.read_comments(assembly)?;
    let code = code_of(&instructions, target);
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let usage = analysis::usage(&code, &def_use, &declared(&remarks, target));
    let named = analysis::usage(&code, &def_use, &Declared::NOTHING);
    let occupancy = occupancy(usage, target);
    let statistics = statistics(&instructions, (usage, target), &remarks, &occupancy);
    let (waves_per_group, named) = (Some(1), [named.vgprs, named.sgprs]);
    Ok(Compiled { instructions, labels, statistics, occupancy, waves_per_group, named })
}

/// The figures that a compiler states beside code which has no assembly text of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stated {
    /// Vector registers that are allocated. They count where they are more than those that the
    /// code names, as for inputs that the hardware loads and nobody reads.
    pub vgprs: u32,
    /// Scalar registers that are allocated; they count as the vector registers do.
    pub sgprs: u32,
    /// Bytes of local data share.
    pub lds: u32,
    /// Bytes of scratch memory per lane.
    pub scratch: u32,
    /// Vector registers spilled.
    pub spilled_vgprs: u32,
    /// Scalar registers spilled.
    pub spilled_sgprs: u32,
    /// Waves of a workgroup; `None` where nobody knows how many share its memory, which then
    /// bounds no waves.
    pub waves_per_group: Option<u32>,
}

/// Makes a compiled shader of bare machine code: our disassembler gives the text, and the
/// registers are counted from the words. No instruction has an ordinal
/// yet.
///
/// # Errors
/// The place where the words are no instructions of the chip.
pub fn of_words(words: &[u32], stated: Stated, target: Target) -> Result<Compiled, ReadError> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let listing = object::listing(&bytes, Some(target)).map_err(|_| ReadError::Empty)?;
    let (mut instructions, mut labels) = (Vec::new(), Vec::new());
    for (section, line) in listing.lines() {
        let (offset, words, text) = match line {
            ListingLine::Instruction { offset, words, text, jump } => {
                (*offset, *words, jump.unwrap_or(*text))
            }
            ListingLine::Inexact { offset, words, text } => (*offset, *words, *text),
            ListingLine::Label(name) => {
                labels.push((name.clone(), instructions.len()));
                continue;
            }
            ListingLine::Word { offset, word } => {
                let text = "an instruction".to_owned();
                return Err(ReadError::NoInstruction { at: *offset, word: *word, text });
            }
            ListingLine::Directive(_)
            | ListingLine::Data { .. }
            | ListingLine::Relocation { .. }
            | ListingLine::Rest { .. } => continue,
        };
        let (words, text) = (section.words(offset, words).to_vec(), section.text(text).to_owned());
        let offset = u32::try_from(offset).map_err(|_| ReadError::NoWords(bytes.len()))?;
        instructions.push(Instruction { offset, words, text, ordinal: 0 });
    }
    if instructions.is_empty() {
        return Err(ReadError::Empty);
    }
    let Stated { lds, scratch, spilled_vgprs, spilled_sgprs, waves_per_group, .. } = stated;
    let remarks = Remarks { lds, scratch, spilled_vgprs, spilled_sgprs, ..Remarks::default() };
    let code = code_of(&instructions, target);
    let declared = Declared {
        lds: if waves_per_group.is_some() { lds } else { 0 },
        waves_per_group: Some(waves_per_group.unwrap_or(1)),
        ..Declared::NOTHING
    };
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let named = analysis::usage(&code, &def_use, &declared);
    let allocated = occupancy(named, target);
    let more = |stated: u32, named: u32| if stated > named { stated } else { 0 };
    let declared = Declared {
        vgprs: more(stated.vgprs, allocated.allocated_vgprs),
        sgprs: more(stated.sgprs, allocated.allocated_sgprs),
        ..declared
    };
    let usage = analysis::usage(&code, &def_use, &declared);
    let occupancy = occupancy(usage, target);
    let statistics =
        Statistics { lds, ..statistics(&instructions, (usage, target), &remarks, &occupancy) };
    let named = [named.vgprs, named.sgprs];
    Ok(Compiled { instructions, labels, statistics, occupancy, waves_per_group, named })
}

/// The resources that LLVM allocated.
fn declared(remarks: &Remarks, target: Target) -> Declared {
    // Where the chip always allocates the same number, LLVM notes that number.
    let fixed = target.row().limits.fixed_sgprs.is_some();
    Declared {
        vgprs: remarks.vgprs,
        agprs: remarks.agprs,
        sgprs: if fixed { 0 } else { remarks.sgprs },
        lds: remarks.lds,
        waves_per_group: Some(1),
    }
}

fn statistics(
    instructions: &[Instruction],
    (usage, target): (Usage, Target),
    remarks: &Remarks,
    occupancy: &Occupancy,
) -> Statistics {
    let end = |it: &Instruction| it.offset.saturating_add(4 * it.words.len() as u32);
    Statistics {
        instructions: u32::try_from(instructions.len()).unwrap_or(u32::MAX),
        bytes: instructions.last().map_or(0, end),
        vgprs: usage.vgprs,
        agprs: usage.agprs,
        total_vgprs: usage.total_vgprs(target).unwrap_or(0),
        sgprs: usage.sgprs,
        lds: usage.lds,
        scratch: remarks.scratch,
        spilled_vgprs: remarks.spilled_vgprs,
        spilled_sgprs: remarks.spilled_sgprs,
        waves: occupancy.waves,
        limiter: occupancy.limiter.name().to_owned(),
    }
}

/// The section that statements go to: `.text`, with which assembly begins, or another.
#[derive(Debug, Default)]
struct Sections {
    elsewhere: bool,
    was_elsewhere: bool,
}

impl Sections {
    /// Tells whether a statement changes the section.
    fn enter(&mut self, statement: &Statement<'_>) -> bool {
        let next = match statement.word() {
            ".text" => false,
            ".data" | ".bss" | ".rodata" => true,
            ".section" | ".pushsection" => {
                let name = statement.operands().split([',', ' ', '\t']).next().unwrap_or_default();
                let name = name.trim_matches('"');
                name != ".text" && !name.starts_with(".text.")
            }
            ".previous" | ".popsection" => self.was_elsewhere,
            _ => return false,
        };
        self.was_elsewhere = std::mem::replace(&mut self.elsewhere, next);
        true
    }
}

/// Walks text and bytes together.
#[derive(Debug)]
struct Reader {
    target: Target,
    words: Vec<u32>,
    /// The next word.
    at: usize,
    ordinal: u32,
    instructions: Vec<Instruction>,
    labels: Vec<(String, usize)>,
    /// Words of the operands that could be labels.
    mentioned: FxHashSet<String>,
}

/// `s_nop` with any operand.
const NOP: u32 = 0xbf80_0000;
const NOP_MASK: u32 = 0xffff_0000;

/// The coarsest alignment that is believed, as a power of two.
const COARSEST_ALIGNMENT: u32 = 16;

impl Reader {
    fn new(code: &[u8], target: Target) -> Result<Reader, ReadError> {
        let (words, rest) = code.as_chunks::<4>();
        if !rest.is_empty() || u32::try_from(code.len()).is_err() {
            return Err(ReadError::NoWords(code.len()));
        }
        Ok(Reader {
            target,
            words: words.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect(),
            at: 0,
            ordinal: 0,
            instructions: Vec::new(),
            labels: Vec::new(),
            mentioned: FxHashSet::default(),
        })
    }

    fn read_labels(&mut self, statement: &Statement<'_>) {
        let names = statement.labels.iter().map(|label| statement.slice(*label).to_owned());
        self.labels.extend(names.map(|name| (name, self.instructions.len())));
    }

    fn read(&mut self, statement: &Statement<'_>) -> Result<(), ReadError> {
        let (word, rest) = (statement.word(), statement.operands());
        match word.as_bytes().first() {
            None => Ok(()),
            Some(b'.') => self.read_directive(word, rest),
            Some(_) => self.read_instruction(word, rest),
        }
    }

    fn read_directive(&mut self, name: &str, arguments: &str) -> Result<(), ReadError> {
        match name {
            ".loc" => {
                // `.loc file line column flags`
                let line = arguments.split_ascii_whitespace().nth(1);
                let line = line.and_then(|line| line.parse().ok());
                self.ordinal = line.ok_or_else(|| ReadError::NoLine(arguments.to_owned()))?;
            }
            ".p2align" | ".p2alignl" => {
                let power = first_number(arguments).filter(|power| *power <= COARSEST_ALIGNMENT);
                let Some(power) = power else {
                    return Err(ReadError::NoAlignment(arguments.to_owned()));
                };
                self.skip_padding(((1 << power) / 4_usize).max(1));
            }
            // `.fill count, size, value`: room for instruction prefetch behind the code.
            ".fill" => self.skip_padding(usize::MAX),
            // A word that the assembler has no name for.
            ".long" => {
                for value in arguments.split(',') {
                    self.push(1, format!(".long {}", value.trim()))?;
                }
            }
            name @ (".quad" | ".byte" | ".short" | ".ascii" | ".zero" | ".skip" | ".space") => {
                return Err(ReadError::Data(name.to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    fn read_instruction(&mut self, mnemonic: &str, operands: &str) -> Result<(), ReadError> {
        let text = normal_text(mnemonic, operands);
        let words = self.words.get(self.at..).unwrap_or_default();
        let shape = match encoding::shape(words, self.target.generation()) {
            Ok(shape) => shape,
            Err(Undecodable::Truncated) => return Err(ReadError::Ends(text)),
            Err(Undecodable::Unassigned) => {
                let word = words.first().copied().unwrap_or_default();
                return Err(ReadError::NoInstruction { at: 4 * self.at, word, text });
            }
        };
        self.agree(&shape, mnemonic)?;
        if shape.encoding.is_scalar() {
            let names = operands.split(|c: char| c.is_whitespace() || ",+-*()".contains(c));
            let labels = names.map(|name| name.split('@').next().unwrap_or(name));
            self.mentioned.extend(labels.filter(|name| name.starts_with('.')).map(str::to_owned));
        }
        self.push(usize::from(shape.words), text)
    }

    /// Refuses bytes that are another instruction than the text's. A mnemonic that
    /// the table lacks is believed.
    fn agree(&self, shape: &InstLayout, mnemonic: &str) -> Result<(), ReadError> {
        let forms = op_info(mnemonic).map_or(&[][..], |info| info.forms(self.target));
        let fits =
            |form: &OpEncoding| (form.encoding, form.opcode) == (shape.encoding, shape.opcode);
        if forms.is_empty() || forms.iter().any(fits) {
            return Ok(());
        }
        Err(ReadError::OtherInstruction {
            at: 4 * self.at,
            mnemonic: mnemonic.to_owned(),
            encoding: shape.encoding.name(),
            opcode: shape.opcode,
        })
    }

    fn push(&mut self, length: usize, text: String) -> Result<(), ReadError> {
        let words = self.words.get(self.at..self.at + length).map(<[u32]>::to_vec);
        let Some(words) = words else { return Err(ReadError::Ends(text)) };
        let offset = 4 * self.at as u32;
        self.at += length;
        self.instructions.push(Instruction { offset, words, text, ordinal: self.ordinal });
        Ok(())
    }

    /// Passes padding up to the next multiple of `alignment` words. Where the code
    /// before it does not end there, the padding is executed and counts.
    fn skip_padding(&mut self, alignment: usize) {
        let runs =
            self.instructions.last().is_some_and(|last| last.text != Opcode::s_endpgm.name());
        while !self.at.is_multiple_of(alignment) {
            let Some(word) = self.words.get(self.at).copied().filter(|word| is_padding(*word))
            else {
                return;
            };
            if runs {
                self.instructions.push(Instruction {
                    offset: 4 * self.at as u32,
                    words: vec![word],
                    text: format!("s_nop {}", word & !NOP_MASK),
                    ordinal: 0,
                });
            }
            self.at += 1;
        }
    }

    /// Checks that the text explains all of the code.
    fn finish(mut self) -> Result<Reader, ReadError> {
        let rest = self.words.get(self.at..).unwrap_or_default();
        if let Some(word) = rest.iter().find(|word| !is_padding(**word)) {
            let instructions = self.instructions.len();
            return Err(ReadError::Follows { instructions, word: *word });
        }
        if self.instructions.is_empty() {
            return Err(ReadError::Empty);
        }
        // The assembler's own labels are of use where an instruction goes to them.
        let mentioned = std::mem::take(&mut self.mentioned);
        self.labels.retain(|(name, _)| !name.starts_with(".L") || mentioned.contains(name));
        Ok(self)
    }
}

/// Returns what assemblers fill gaps with.
fn is_padding(word: u32) -> bool {
    word == 0 || word & NOP_MASK == NOP
}

fn first_number(arguments: &str) -> Option<u32> {
    arguments.split([',', ' ', '\t']).next()?.parse().ok()
}

/// Mnemonic and operands with one blank between words and `, ` between operands.
fn normal_text(mnemonic: &str, operands: &str) -> String {
    let mut text = String::with_capacity(mnemonic.len() + operands.len() + 1);
    text.push_str(mnemonic);
    for word in operands.split_whitespace() {
        if !word.starts_with(',') {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

impl Compiled {
    /// Returns the machine code, and the resources that the compiler allocated.
    pub fn code(&self, target: Target) -> (Code, Declared) {
        let Statistics { vgprs, agprs, sgprs, lds, .. } = self.statistics;
        let declared = Declared {
            vgprs,
            agprs,
            sgprs,
            lds: if self.waves_per_group.is_some() { lds } else { 0 },
            waves_per_group: Some(self.waves_per_group.unwrap_or(1)),
        };
        (code_of(&self.instructions, target), declared)
    }
}

/// The machine code of instructions.
fn code_of(instructions: &[Instruction], target: Target) -> Code {
    let instructions = instructions.iter().map(|it| {
        let address = image_address(&it.text, &it.words, target);
        analysis::Instruction::new(it.offset, &it.words, address)
    });
    Code::of(target, instructions.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shader as the compiler writes it; `lines` go into `.text`.
    fn assembly(lines: &str) -> String {
        format!(
            "\t.section\t.AMDGPU.config,\"\",@progbits\n\t.long\t4\n\t.long\t2\n\t.long\t8\n\t.long\t3\n\
             \t.text\n\t.globl\tmain ; -- Begin function main\n\t.p2align\t8\n\t.type\tmain,@function\n\
             main:                                   ; @main\n{lines}.Lfunc_end0:\n\
             \t.size\tmain, .Lfunc_end0-main\n\t.section\t.AMDGPU.csdata,\"\",@progbits\n\
             ; Kernel info:\n; NumSgprs: 9\n; NumVgprs: 3\n; ScratchSize: 16\n\
             ; LDSByteSize: 512 bytes/workgroup (compile time only)\n"
        )
    }

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    const LINES: &str = "; %bb.0:\n\t.loc\t1 7 1 prologue_end ; a.tgsi:7:1\n\
         \tv_mul_f32_e32 v0, 0x40500000, v1 ; literal\n.Ltmp0:\n\t; wave barrier\n\
         \t.loc\t1 0 1\n\ts_cbranch_vccz .LBB0_2\n\t.loc 1 9 1\n\
         \tv_mov_b32_e32\tv0,  1.0\n.LBB0_2:\n\ts_endpgm\n";
    const WORDS: [u32; 5] = [0x1000_02ff, 0x4050_0000, 0xbf86_0001, 0x7e00_02f2, 0xbf81_0000];

    fn target() -> Target {
        Target::find("verde").expect("verde")
    }

    #[test]
    fn bare_words_are_read_as_code() {
        // v_mov_b32 v5, s3; s_endpgm
        let words = [0x7e0a_0203, 0xbf81_0000];
        let stated =
            Stated { lds: 512, scratch: 16, waves_per_group: Some(1), ..Stated::default() };
        let compiled = of_words(&words, stated, Target::default()).unwrap();
        let texts: Vec<&str> = compiled.instructions.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["v_mov_b32_e32 v5, s3", "s_endpgm"]);
        let figures = &compiled.statistics;
        assert_eq!((figures.vgprs, figures.bytes, figures.lds, figures.scratch), (6, 8, 512, 16));
        let refused = of_words(&[0xffff_ffff], stated, Target::default());
        assert!(matches!(refused, Err(ReadError::NoInstruction { at: 0, .. })), "{refused:?}");
        assert_eq!(of_words(&[], stated, Target::default()), Err(ReadError::Empty));
    }

    #[test]
    fn text_and_bytes_are_joined() {
        let found = read(&assembly(LINES), &bytes(&WORDS), target()).expect("joined");
        let rows: Vec<(u32, usize, u32, &str)> = found
            .instructions
            .iter()
            .map(|it| (it.offset, it.words.len(), it.ordinal, it.text.as_str()))
            .collect();
        assert_eq!(
            rows,
            [
                (0, 2, 7, "v_mul_f32_e32 v0, 0x40500000, v1"),
                (8, 1, 0, "s_cbranch_vccz .LBB0_2"),
                (12, 1, 9, "v_mov_b32_e32 v0, 1.0"),
                (16, 1, 9, "s_endpgm"),
            ]
        );
        assert_eq!(found.labels, [("main".to_owned(), 0), (".LBB0_2".to_owned(), 3)]);
    }

    #[test]
    fn statistics_are_the_larger_of_ours_and_the_compilers() {
        let found = read(&assembly(LINES), &bytes(&WORDS), target()).expect("joined");
        assert_eq!(
            found.statistics,
            Statistics {
                instructions: 4,
                bytes: 20,
                vgprs: 3,
                agprs: 0,
                total_vgprs: 0,
                sgprs: 9,
                lds: 512,
                scratch: 16,
                spilled_vgprs: 3,
                spilled_sgprs: 2,
                waves: 10,
                limiter: "waves".to_owned(),
            }
        );
        // Nine scalar registers of LLVM's are the chip's fixed number there.
        let tonga = Target::find("tonga").expect("tonga");
        let words = [&[0x0a00_02ff][..], &WORDS[1..]].concat();
        let found = read(&assembly(LINES), &bytes(&words), tonga);
        assert_eq!(found.map(|found| found.statistics.sgprs), Ok(2));
    }

    #[test]
    fn padding_behind_the_code_is_no_code() {
        let mut words = WORDS.to_vec();
        words.extend([0xbf80_0000; 11]);
        let lines = format!("{LINES}\t.p2align 6\n");
        let found = read(&assembly(&lines), &bytes(&words), target()).expect("padded");
        assert_eq!((found.statistics.instructions, found.statistics.bytes), (4, 20));
    }

    #[test]
    fn padding_that_is_run_counts() {
        let lines = "\ts_nop 1\n\t.p2align 4\n\ts_endpgm\n";
        let words = [0xbf80_0001, 0xbf80_0000, 0xbf80_0000, 0xbf80_0000, 0xbf81_0000];
        let found = read(&assembly(lines), &bytes(&words), target()).expect("padded");
        assert_eq!(found.instructions.len(), 5);
        assert_eq!(found.instructions[3].text, "s_nop 0");
    }

    #[test]
    fn disagreement_is_an_error() {
        let refused = |lines: &str, words: &[u32]| {
            read(&assembly(lines), &bytes(words), target()).expect_err(lines)
        };
        refused(LINES, &WORDS[..4]);
        refused(LINES, &[&WORDS[..], &[0xbf81_0000]].concat());
        refused("", &[]);
        refused("\t.loc 1\n\ts_endpgm\n", &[0xbf81_0000]);
        refused("\t.quad 1\n\ts_endpgm\n", &[1, 0, 0xbf81_0000]);
        // Another instruction of the same length.
        refused("\tv_sqrt_f32_e32 v0, v1\n\ts_endpgm\n", &[0x7e00_02f2, 0xbf81_0000]);
        // A word that is not an instruction.
        refused("\ts_endpgm\n", &[0xffff_ffff]);
        assert!(read(&assembly(LINES), &[1, 2, 3], target()).is_err());
    }
}
