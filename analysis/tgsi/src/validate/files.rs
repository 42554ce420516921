//! Operands by register file: what can be written, what can be read, and what
//! only some opcodes can name.
//!
//! Facts: register files and "Resource Access Opcodes" of the Gallium
//! documentation of 2020. A sampler or a resource may also be a handle that
//! stands in an ordinary register (bindless).

use source::TextRange;

use crate::ast::{Index, Instruction, Register};
use crate::codes;
use crate::opcodes::{Control, Family, VIEW};
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

/// Checks the files of all operands of an instruction.
pub(super) fn check(stage: Stage, instruction: &Instruction, report: &mut Report) {
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
            _ => report.warning(codes::READ_ONLY_FILE, destination.range, || {
                format!("{} cannot be written", register.file)
            }),
        }
    }
    for (number, source) in instruction.sources.iter().enumerate() {
        let register = &source.register;
        check_indices(register, report);
        check_source(stage, instruction, (number, register), report);
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

fn check_source(
    stage: Stage,
    instruction: &Instruction,
    (number, register): (usize, &Register),
    report: &mut Report,
) {
    let row = instruction.info();
    let file = register.file;
    let nature = nature(file);
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
        wants(instruction, register, wanted, report);
    }
}

#[cold]
fn wants(instruction: &Instruction, register: &Register, wanted: &str, report: &mut Report) {
    report.warning(codes::OPERAND_FILE, register.range, || {
        let word = instruction.opcode.value.mnemonic();
        format!("`{word}` wants {wanted}; {} is none", register.file)
    });
}

/// An index comes out of a register that holds a value.
fn check_indices(register: &Register, report: &mut Report) {
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
