//! Single instructions: masks of 64-bit results, modifiers against types,
//! array numbers, and how many brackets a register has.
//!
//! Facts: "Modifiers", "Double ISA" and "Array Declaration" of the Gallium
//! documentation of 2020, and the types of `isa/data/tgsi/opcodes.tsv`.

use rustc_hash::FxHashSet;
use source::{Diagnostic, Severity, TextEdit, TextRange};

use super::context::Context;
use super::dataflow::pairs;
use super::gaps::Gaps;
use super::operands::{Files, Glance, files};
use crate::ast::{Index, Instruction, Register, WriteMask};
use crate::codes;
use crate::opcodes::{Family, OpInfo, ValueType};
use crate::report::Report;
use crate::words::{File, Stage};

/// Declarations that operands must agree with.
pub(super) struct Shapes<'a> {
    gaps: &'a Gaps<'a>,
    stage: Stage,
    arrays: FxHashSet<(File, u32)>,
    /// The files whose registers have two brackets.
    doubled: Files,
    /// Inputs and outputs that the patch or primitive has once, as ranges.
    flat: Vec<(File, u32, u32)>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(context: &'a Context<'a>) -> Self {
        let stage = context.stage.value;
        let mut arrays = FxHashSet::default();
        let mut flat = Vec::new();
        for (_, declaration) in &context.declarations {
            let file = declaration.file.value;
            if let Some(array) = declaration.array {
                arrays.insert((file, array.value));
            }
            let once = declaration.semantic.is_some_and(|it| it.value.name.is_per_patch());
            // Programs of 2007 declare inputs without vertices, and read them so.
            let is_old = stage == Stage::Geometry
                && declaration.semantic.is_none()
                && declaration.dimension.is_none();
            if once || is_old {
                let range = declaration.range.value;
                flat.push((file, range.first, range.last));
            }
        }
        let per_vertex = File::ALL.iter().filter(|file| stage.is_per_vertex(**file));
        let doubled =
            per_vertex.fold(files(&[File::HardwareAtomic]), |all, file| all | files(&[*file]));
        Shapes { gaps: &context.gaps, stage, arrays, doubled, flat }
    }

    fn is_flat(&self, file: File, index: Index) -> bool {
        let number = u32::try_from(index.offset).unwrap_or(0);
        // Few registers are; a text with very many is not judged.
        self.flat.len() > 64
            || self.gaps.hide(file)
            || self
                .flat
                .iter()
                .any(|(flat, first, last)| *flat == file && (*first..=*last).contains(&number))
    }
}

/// Checks one instruction.
pub(super) fn check(
    shapes: &Shapes<'_>,
    instruction: &Instruction,
    operands: Glance,
    report: &mut Report,
) {
    let row = instruction.info();
    check_types(instruction, row, operands, report);
    if !operands.odd && operands.files() & shapes.doubled == 0 {
        return;
    }
    instruction.registers().for_each(|register| {
        check_dimension(shapes, register, report);
        if register.is_computed() {
            check_arrays(shapes, register, report);
        }
    });
}

fn check_arrays(shapes: &Shapes<'_>, register: &Register, report: &mut Report) {
    let indices = [Some(register.index), register.dimension];
    for indirect in indices.into_iter().flatten().filter_map(|index| index.indirect) {
        let Some(array) = indirect.array.filter(|array| *array != 0) else { continue };
        if !shapes.arrays.contains(&(register.file, array)) && !shapes.gaps.hide(register.file) {
            report.warning(codes::UNKNOWN_ARRAY, register.range, || {
                format!("no {} is declared with ARRAY({array})", register.file)
            });
        }
    }
}

fn check_dimension(shapes: &Shapes<'_>, register: &Register, report: &mut Report) {
    let message = match register.file {
        File::Temporary
        | File::Address
        | File::Immediate
        | File::Sampler
        | File::SamplerView
        | File::Image
        | File::Buffer
        | File::Memory => {
            if register.dimension.is_none() {
                return;
            }
            format!("{} has one bracket", register.file)
        }
        file if shapes.stage.is_per_vertex(file) => {
            if register.dimension.is_some() || shapes.is_flat(file, register.index) {
                return;
            }
            format!("each vertex has its {file} here: write two brackets, the vertex first")
        }
        File::HardwareAtomic => match register.dimension {
            None => "HWATOMIC has two brackets, the buffer first".to_owned(),
            Some(_) => return,
        },
        File::Input | File::Output if register.dimension.is_some() => {
            format!("{} has one bracket in {}", register.file, shapes.stage)
        }
        _ => return,
    };
    report.warning(codes::REGISTER_DIMENSION, register.range, || message);
}

fn is_integer(ty: ValueType) -> bool {
    matches!(ty, ValueType::Signed | ValueType::Unsigned)
}

/// Tells whether an opcode may round: only then can a transformation change its result.
fn rounds(row: &OpInfo) -> bool {
    let whole = |ty: &ValueType| {
        is_integer(*ty) || matches!(ty, ValueType::Signed64 | ValueType::Unsigned64)
    };
    !row.destination_types.iter().chain(row.source_types).all(whole)
}

fn check_types(instruction: &Instruction, row: &OpInfo, operands: Glance, report: &mut Report) {
    if instruction.precise && !rounds(row) {
        report.note(codes::IDLE_PRECISE, instruction.opcode.range, || {
            let word = row.mnemonic;
            format!("`_PRECISE` keeps floats from being rounded otherwise; `{word}` rounds none")
        });
    }
    if row.family != Family::Plain {
        return;
    }
    for (destination, ty) in instruction.destinations.iter().zip(row.destination_types) {
        if ty.is_wide() {
            let mask = destination.mask.0;
            let pairs = [0b0011, 0b1100, 0b1111].contains(&mask);
            if !pairs {
                half_pair(instruction, destination.range, destination.register.range, mask, report);
            }
        }
    }
    if instruction.saturate && row.destination_types.first().is_some_and(|ty| is_integer(*ty)) {
        report.hint(codes::INTEGER_MODIFIER, instruction.opcode.range, || {
            format!("`_SAT` limits floats; the result of `{}` is an integer", row.mnemonic)
        });
    }
    if !operands.absolute {
        return;
    }
    for (source, ty) in instruction.sources.iter().zip(row.source_types) {
        if source.absolute && is_integer(*ty) {
            let key = (codes::INTEGER_MODIFIER, Severity::Hint, "absolute");
            report.note(key, source.range, || {
                format!("`|…|` is for floats; `{}` reads this source as an integer", row.mnemonic)
            });
        }
    }
}

#[cold]
fn half_pair(
    instruction: &Instruction,
    operand: TextRange,
    register: TextRange,
    mask: u8,
    report: &mut Report,
) {
    report.push(|| {
        let letters = WriteMask(pairs(mask)).letters();
        let message = format!(
            "`{}` writes 64-bit values, which take the pairs xy and zw",
            instruction.opcode.value.mnemonic()
        );
        let edit =
            TextEdit::replace(TextRange::new(register.end(), operand.end()), format!(".{letters}"));
        Diagnostic::warning(codes::HALF_PAIR, operand, message).with_fix(
            format!("Write `.{letters}`"),
            edit.range,
            edit.insert,
        )
    });
}
