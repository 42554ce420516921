//! Components that mean something: of semantics that are one number, of what a
//! declaration's mask promises, and of scalar sources.
//!
//! Facts: `data/semantic_components.tsv`; "Declaration" of the Gallium
//! documentation of 2020: the mask says which components can be accessed; the
//! opcodes whose result is one number, replicated.

use rustc_hash::FxHashMap;
use source::{Diagnostic, Severity, TextEdit, TextRange};

use super::context::Context;
use super::dataflow::components_read;
use super::operands::{self, Files, Glance};
use crate::ast::{Declaration, Instruction, Numbers, Register, Source, WriteMask};
use crate::codes;
use crate::opcodes::{Family, OpInfo, Opcode, OutputMode, Reads};
use crate::report::Report;
use crate::words::{File, SemanticName, Stage};

/// The most registers whose meaning is entered; drivers have far fewer.
const MOST_REGISTERS: usize = 4096;

/// A row of the table.
#[derive(Debug, Clone, Copy)]
struct Meaning {
    semantic: SemanticName,
    file: File,
    /// `None` for every stage.
    stage: Option<Stage>,
    components: u8,
    what: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/semantic_components.rs"));

/// The facts that are known of the components of inputs, outputs and system values.
pub(super) struct Components {
    /// Registers of which only some components mean something.
    meanings: FxHashMap<(File, u32), &'static Meaning>,
    /// Outputs that are not colours, for `FBFETCH`.
    others: FxHashMap<u32, SemanticName>,
    /// The files of registers of which only some components mean something.
    files: Files,
}

impl Components {
    pub(super) fn new(context: &Context<'_>) -> Components {
        let mut meanings = FxHashMap::default();
        let mut others = FxHashMap::default();
        let mut entered = 0;
        let fetches = context.has(Family::Framebuffer);
        let mut files = 0;
        for (_, declaration) in &context.declarations {
            let (file, range) = (declaration.file.value, declaration.range.value);
            let Some(semantic) = declaration.semantic else { continue };
            let name = semantic.value.name;
            let meaning = meaning(name, file, context.stage.value);
            let is_other = file == File::Output && name != SemanticName::Color;
            if meaning.is_none() && !is_other {
                continue;
            }
            for number in range.first..=range.last {
                if entered == MOST_REGISTERS {
                    break;
                }
                entered += 1;
                if let Some(meaning) = meaning {
                    meanings.insert((file, number), meaning);
                    files |= operands::files(&[file]);
                }
                if is_other && fetches {
                    others.insert(number, name);
                }
            }
        }
        Components { meanings, others, files }
    }

    fn of(&self, register: &Register) -> Option<&'static Meaning> {
        let number = register.number()?;
        self.meanings.get(&(register.file, number)).copied()
    }
}

fn meaning(name: SemanticName, file: File, stage: Stage) -> Option<&'static Meaning> {
    MEANINGS.iter().find(|row| {
        row.semantic == name && row.file == file && row.stage.is_none_or(|only| only == stage)
    })
}

/// The components of a system value that mean something in a stage.
pub fn of_system_value(name: SemanticName, stage: Stage) -> WriteMask {
    WriteMask(meaning(name, File::SystemValue, stage).map_or(0xf, |it| it.components))
}

fn letters(mask: u8) -> String {
    WriteMask(mask).letters()
}

/// Checks one instruction.
pub(super) fn check(
    components: &Components,
    instruction: &Instruction,
    operands: Glance,
    report: &mut Report,
) {
    let row = instruction.info();
    if operands.files() & components.files != 0 {
        check_meanings(components, instruction, report);
    }
    if row.output == OutputMode::Replicate && !row.is_historic() {
        for (number, source) in instruction.sources.iter().enumerate() {
            if row.read_of(number) == Reads::Fixed(1) {
                check_scalar(row, source, report);
            }
        }
    }
    if row.family == Family::Framebuffer
        && let Some(source) = instruction.sources.first()
        && let Ok(number) = u32::try_from(source.register.index.offset)
        && source.register.file == File::Output
        && let Some(name) = components.others.get(&number)
    {
        report.warning(codes::OPERAND_FILE, source.range, || {
            format!("`FBFETCH` reads outputs of the semantic COLOR; this is {name}")
        });
    }
}

fn check_meanings(components: &Components, instruction: &Instruction, report: &mut Report) {
    let row = instruction.info();
    for destination in &instruction.destinations {
        let Some(meaning) = components.of(&destination.register) else { continue };
        if destination.mask.0 & meaning.components == 0 {
            report.warning(codes::SEMANTIC_COMPONENT, destination.range, || {
                let (semantic, what) = (meaning.semantic, meaning.what);
                format!(
                    "{what} of {semantic} is `.{}`; what is written to `.{}` counts nowhere",
                    letters(meaning.components),
                    letters(destination.mask.0)
                )
            });
        }
    }
    for (number, source) in instruction.sources.iter().enumerate() {
        let Some(meaning) = components.of(&source.register) else { continue };
        let Some(read) = components_read(instruction, row, number) else { continue };
        // A copy of all components hurts nobody.
        let copies_some = row.opcode == Opcode::MOV && read & meaning.components != 0;
        if read & !meaning.components != 0 && !copies_some {
            let key = (codes::SEMANTIC_COMPONENT, Severity::Hint, "read");
            report.note(key, source.range, || {
                let semantic = meaning.semantic;
                let known = letters(meaning.components);
                let read = letters(read & !meaning.components);
                format!("{semantic} has a value in `.{known}` only; `.{read}` has none")
            });
        }
    }
}

/// A scalar source names its component four times, so that every reader takes
/// the same.
fn check_scalar(row: &OpInfo, source: &Source, report: &mut Report) {
    let first = source.swizzle.0[0];
    if source.swizzle.0.iter().all(|component| *component == first) {
        return;
    }
    let key = (codes::SCALAR_SOURCE, Severity::Hint, "");
    let letter = first.letter();
    let words = || {
        let word = row.mnemonic;
        let message =
            format!("`{word}` reads one component, here `.{letter}`; the others say nothing");
        (message, "Write the component four times")
    };
    // A closing bar of an absolute value stands behind the swizzle.
    let end = TextRange::new(source.register.range.end(), source.range.end());
    let bar = if source.absolute { "|" } else { "" };
    let swizzle = format!(".{}{bar}", letter.to_string().repeat(4));
    report.lenient(key, source.range, words, Some(TextEdit::replace(end, swizzle)));
}

/// The components of each register that instructions use.
#[derive(Default)]
struct Uses {
    of: FxHashMap<(File, u32), u8>,
    /// Files of which a register is named by a computed number.
    computed: Vec<File>,
}

impl Uses {
    /// Takes registers that a broken statement may name.
    fn numbers(&mut self, numbers: &Numbers) {
        for file in [File::Input, File::Output, File::Temporary] {
            if numbers.is_any_of(file) {
                self.computed.push(file);
            }
            for named in numbers.known_of(file) {
                match named.number() {
                    Some(number) => {
                        self.of.insert((file, number), WriteMask::ALL.0);
                    }
                    None => self.computed.push(file),
                }
            }
        }
    }

    fn add(&mut self, register: &Register, mask: u8) {
        match (register.index.indirect, u32::try_from(register.index.offset)) {
            (None, Ok(number)) => *self.of.entry((register.file, number)).or_insert(0) |= mask,
            (None, Err(_)) => {}
            (Some(_), _) if self.computed.contains(&register.file) => {}
            (Some(_), _) => self.computed.push(register.file),
        }
    }
}

/// Checks masks of declarations against what instructions use. A declaration
/// without a mask promises nothing.
pub(super) fn check_masks(context: &Context<'_>, report: &mut Report) {
    let masked = |declaration: &Declaration| {
        let judged = matches!(declaration.file.value, File::Input | File::Output | File::Temporary);
        declaration.mask.filter(|mask| judged && mask.value != WriteMask::ALL)
    };
    let all = context.declarations.iter();
    let judged = all.filter(|(_, it)| masked(it).is_some()).map(|(_, it)| it.file.value);
    let judged = judged.fold(0, |all, file| all | operands::files(&[file]));
    if judged == 0 {
        return;
    }
    let mut uses = Uses::default();
    for unread in context.gaps.statements() {
        uses.numbers(&unread.reads);
        uses.numbers(&unread.writes);
    }
    let is_judged = |register: &Register| judged & operands::files(&[register.file]) != 0;
    for ((instruction, row), operands) in context.instructions.iter().zip(&context.operands.glances)
    {
        if operands.files() & judged == 0 && !operands.offsets {
            continue;
        }
        for destination in instruction.destinations.iter().filter(|it| is_judged(&it.register)) {
            uses.add(&destination.register, destination.mask.0);
        }
        for (number, source) in instruction.sources.iter().enumerate() {
            if !is_judged(&source.register) {
                continue;
            }
            let all = source.swizzle.mask().0;
            let read = components_read(instruction, row, number);
            // Coordinates are not all that a look-up reads.
            let read = read.filter(|_| row.family == Family::Plain).unwrap_or(all);
            uses.add(&source.register, read);
        }
        for offset in &instruction.offsets {
            uses.add(&offset.register, WriteMask::ALL.0);
        }
    }
    let mut entered = 0;
    for (_, declaration) in &context.declarations {
        let Some(mask) = masked(declaration) else { continue };
        let (file, range) = (declaration.file.value, declaration.range.value);
        if uses.computed.contains(&file) {
            continue;
        }
        entered += range.last.saturating_sub(range.first) as usize + 1;
        if entered > MOST_REGISTERS {
            return;
        }
        let used = (range.first..=range.last)
            .filter_map(|number| uses.of.get(&(file, number)))
            .fold(0, |all, mask| all | mask);
        let idle = mask.value.0 & !used;
        let left = mask.value.0 & used;
        // One that nothing uses at all has its own diagnostic.
        if idle == 0 || left == 0 {
            continue;
        }
        report.push(|| {
            let what = if file == File::Output { "writes" } else { "uses" };
            let message = format!("nothing {what} `.{}` of this {file}", letters(idle));
            Diagnostic::hint(codes::UNUSED_COMPONENT, mask.range, message).with_fix(
                format!("Declare `.{}`", letters(left)),
                mask.range,
                format!(".{}", letters(left)),
            )
        });
    }
}
