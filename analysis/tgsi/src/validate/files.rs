//! Operands by register file: what can be written, what can be read, and what
//! only some opcodes can name.
//!
//! Facts: register files and "Resource Access Opcodes" of the Gallium
//! documentation of 2020. A sampler or a resource may also be a handle that
//! stands in an ordinary register (bindless).

use source::{Diagnostic, Fix, TextEdit, TextRange};

use super::context::Context;
use super::operands::{Files, Glance, files};
use crate::ast::{Index, Instruction, Register};
use crate::codes;
use crate::opcodes::{Control, Family, OpInfo, VIEW};
use crate::print;
use crate::report::Report;
use crate::words::{File, Stage};

/// The nature of a register of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// A value that is read and written.
    Value,
    /// A value that is only read.
    Constant,
    /// A value that is written, and read in few places.
    Output,
    /// No value but the name of something.
    Name,
    /// Historic or handled elsewhere.
    Other,
}

fn nature(file: File) -> Nature {
    match file {
        File::Temporary | File::Address => Nature::Value,
        File::Constant | File::Input | File::Immediate | File::SystemValue => Nature::Constant,
        File::Output => Nature::Output,
        file if file.is_name() => Nature::Name,
        _ => Nature::Other,
    }
}

/// Files of which a plain opcode takes a register as its destination.
const WRITTEN: Files = files(&[File::Temporary, File::Address, File::Output]);

/// The same of its sources.
const READ: Files = files(&[
    File::Temporary,
    File::Address,
    File::Constant,
    File::Input,
    File::Immediate,
    File::SystemValue,
]);

/// Tells whether any of an instruction's operands may be of a file that it does not take.
pub(super) fn may_differ(operands: Glance, row: &OpInfo) -> bool {
    let is_plain = row.family == Family::Plain && row.control != Control::Case;
    let usual = operands.written & !WRITTEN == 0 && operands.read & !READ == 0;
    !is_plain || !usual || operands.odd || operands.offsets
}

/// Checks the files of all operands of an instruction.
pub(super) fn check(context: &Context<'_>, instruction: &Instruction, report: &mut Report) {
    let row = instruction.info();
    for destination in &instruction.destinations {
        let register = &destination.register;
        check_indices(register, report);
        match (nature(register.file), row.family) {
            (Nature::Value | Nature::Output | Nature::Other, _) => {}
            (_, Family::Historic) => {}
            (Nature::Constant, Family::Store) if is_handle(register.file) => {}
            (Nature::Name, Family::Store) if is_resource(register.file) => {}
            (_, Family::Store) => {
                wants(instruction, register, "an IMAGE, BUFFER or MEMORY", report)
            }
            _ => report.push(|| {
                let message = format!("{} cannot be written", register.file);
                let mut diagnostic =
                    Diagnostic::warning(codes::READ_ONLY_FILE, destination.range, message);
                if register.file == File::Input {
                    diagnostic.fixes.extend(other_file(context, register, File::Output));
                }
                diagnostic
            }),
        }
    }
    if is_swapped(instruction) {
        return swapped(instruction, report);
    }
    for (number, source) in instruction.sources.iter().enumerate() {
        let register = &source.register;
        check_indices(register, report);
        check_source(context, instruction, (number, register), report);
    }
    for offset in &instruction.offsets {
        check_indices(&offset.register, report);
        if nature(offset.register.file) == Nature::Name {
            wants(instruction, &offset.register, "a value as its offset", report);
        }
    }
}

/// Files that a bindless handle may stand in.
fn is_handle(file: File) -> bool {
    matches!(file, File::Temporary | File::Constant | File::Input | File::Output)
}

fn is_resource(file: File) -> bool {
    matches!(file, File::Image | File::Buffer | File::Memory | File::HardwareAtomic)
}

/// Names the register of the same number in another file, where that is declared.
fn other_file(context: &Context<'_>, register: &Register, file: File) -> Option<Fix> {
    let number = register.number()?;
    let mut declared = context.declared(file);
    declared.find(|declared| declared.range.value.contains(number))?;
    let length = u32::try_from(register.file.word().len()).ok()?;
    let range = TextRange::at(register.range.start(), length.into());
    let title = format!("Write `{file}[{number}]`");
    Some(Fix { title, edits: vec![TextEdit::replace(range, file.word())] })
}

/// Tells whether a look-up names its sampler first and its coordinates last.
fn is_swapped(instruction: &Instruction) -> bool {
    match (instruction.info().family, instruction.sources.as_slice()) {
        (Family::Texture, [first, last]) => {
            first.register.file == File::Sampler
                && matches!(nature(last.register.file), Nature::Value | Nature::Constant)
        }
        _ => false,
    }
}

#[cold]
fn swapped(instruction: &Instruction, report: &mut Report) {
    let [first, last] = instruction.sources.as_slice() else { return };
    report.push(|| {
        let word = instruction.opcode.value.mnemonic();
        let message = format!("`{word}` takes the coordinates first and the sampler last");
        let range = first.range.cover(last.range);
        let edits = vec![
            TextEdit::replace(first.range, print::source(last)),
            TextEdit::replace(last.range, print::source(first)),
        ];
        Diagnostic::warning(codes::OPERAND_FILE, range, message).with_edits("Exchange them", edits)
    });
}

fn check_source(
    context: &Context<'_>,
    instruction: &Instruction,
    (number, register): (usize, &Register),
    report: &mut Report,
) {
    let row = instruction.info();
    let file = register.file;
    let (stage, nature) = (context.stage.value, nature(file));
    if nature == Nature::Other || row.family == Family::Historic {
        return;
    }
    let last = number + 1 == row.sources;
    let wanted = match row.family {
        Family::Texture if last => {
            let fits = file == File::Sampler || is_handle(file);
            (!fits).then_some("a SAMP as its sampler")
        }
        Family::Sample | Family::View if number == VIEW => {
            (file != File::SamplerView).then_some("an SVIEW")
        }
        Family::Sample if number == VIEW + 1 => {
            (file != File::Sampler).then_some("a SAMP as its sampler")
        }
        // An atomic on a handle names the image's target.
        Family::Atomic if number == 0 && is_handle(file) && instruction.target.is_none() => {
            Some("an IMAGE, BUFFER, HWATOMIC or MEMORY")
        }
        Family::Access | Family::Atomic if number == 0 => {
            let fits = is_resource(file) || is_handle(file);
            let constants = file == File::ConstantBuffer && !row.store;
            // Sampler views were loaded from before there were images.
            let fits = fits || constants || file == File::SamplerView;
            (!fits).then_some("an IMAGE, BUFFER or MEMORY")
        }
        Family::Handle if number == 0 => {
            let fits = matches!(file, File::Sampler | File::Image);
            (!fits).then_some("a SAMP or an IMAGE")
        }
        Family::Interpolate if number == 0 => {
            (file != File::Input).then_some("an input as its first source")
        }
        Family::Framebuffer => (file != File::Output).then_some("an output as its source"),
        Family::Immediate => (file != File::Immediate).then_some("an immediate"),
        Family::Plain
        | Family::Texture
        | Family::Sample
        | Family::View
        | Family::Access
        | Family::Atomic
        | Family::Store
        | Family::Handle
        | Family::Interpolate
        | Family::Historic => {
            if row.control == Control::Case {
                (file != File::Immediate).then_some("an immediate")
            } else if nature == Nature::Name {
                Some("a value here")
            } else {
                if file == File::Output && stage != Stage::TessellationControl {
                    let message = "outputs can be read back in TESS_CTRL only";
                    report.warning(codes::OUTPUT_READ, register.range, || message);
                }
                None
            }
        }
    };
    if let Some(wanted) = wanted {
        let sampler = row.family == Family::Texture && last && file == File::SamplerView;
        let fix = if sampler { other_file(context, register, File::Sampler) } else { None };
        wants_with(instruction, register, wanted, fix, report);
    }
}

fn wants(instruction: &Instruction, register: &Register, wanted: &str, report: &mut Report) {
    wants_with(instruction, register, wanted, None, report);
}

#[cold]
fn wants_with(
    instruction: &Instruction,
    register: &Register,
    wanted: &str,
    fix: Option<Fix>,
    report: &mut Report,
) {
    report.push(|| {
        let word = instruction.opcode.value.mnemonic();
        let message = format!("`{word}` takes {wanted}; {} is not one", register.file);
        let mut diagnostic = Diagnostic::warning(codes::OPERAND_FILE, register.range, message);
        diagnostic.fixes.extend(fix);
        diagnostic
    });
}

/// An index comes out of a register that holds a value.
fn check_indices(register: &Register, report: &mut Report) {
    if !register.is_computed() {
        return;
    }
    let mut check = |index: Index, range: TextRange| {
        let Some(indirect) = index.indirect else { return };
        if matches!(nature(indirect.file), Nature::Name) || indirect.file == File::Null {
            report.warning(codes::INDEX_FILE, range, || {
                format!("an index is read from ADDR or TEMP; {} holds no number", indirect.file)
            });
        }
    };
    check(register.index, register.range);
    if let Some(dimension) = register.dimension {
        check(dimension, register.range);
    }
}
