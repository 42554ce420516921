//! Operands whose value or type is known: immediates that name a component or
//! a stream, offsets, address registers, system values that are integers, and
//! swizzles of 64-bit values.
//!
//! Facts: "TG4", "EMIT", "MEMBAR", "ARL", "UARL" and "Declaration Semantic" of
//! the Gallium documentation of 2020, and the types of `isa/data/tgsi/opcodes.tsv`.

use source::Severity;

use super::context::Context;
use super::dataflow::components_read;
use super::operands::{Files, Glance, files};
use crate::ast::{Immediate, Instruction, Source};
use crate::codes;
use crate::opcodes::{Family, Flag, OpInfo, Opcode, Reads, ValueType};
use crate::report::Report;
use crate::words::{File, ImmediateType, SemanticName, TextureTarget};

/// The most ranges that are searched for each operand; real shaders have less.
const MOST_RANGES: usize = 32;

/// Immediates, and the registers that hold integers or floats for certain.
pub(super) struct Values<'a> {
    immediates: &'a [&'a Immediate],
    /// File, first and last register, and whether they hold integers.
    typed: Vec<(File, u32, u32, bool)>,
    /// The files of registers that may hold either for certain.
    certain: Files,
}

impl<'a> Values<'a> {
    pub(super) fn new(context: &'a Context<'a>) -> Values<'a> {
        let typed = context.declarations.iter().filter_map(|(_, declared)| {
            let (file, range) = (declared.file.value, declared.range.value);
            let integer = match (file, declared.semantic?.value.name) {
                (File::SystemValue, name) => is_integer(name).then_some(true)?,
                (File::Input, SemanticName::Face) => false,
                _ => return None,
            };
            Some((file, range.first, range.last, integer))
        });
        let typed: Vec<_> = typed.take(MOST_RANGES).collect();
        let certain = typed.iter().fold(files(&[File::Immediate]), |all, it| all | files(&[it.0]));
        Values { immediates: &context.immediates, typed, certain }
    }

    fn immediate(&self, source: &Source) -> Option<u32> {
        let immediate = source.register.immediate(self.immediates)?;
        Some(immediate.bits[source.swizzle.0[0] as usize])
    }

    /// Tells whether a source holds integers; `None` where nothing is certain.
    fn holds_integers(&self, source: &Source, read: impl FnOnce() -> Option<u8>) -> Option<bool> {
        let register = &source.register;
        if register.file == File::Immediate && register.index.indirect.is_none() {
            return self.immediate_is_integer(register.index.offset, read()?);
        }
        if !matches!(register.file, File::Input | File::SystemValue) {
            return None;
        }
        let number = u32::try_from(register.index.offset).ok()?;
        let covers = |typed: &&(File, u32, u32, bool)| {
            typed.0 == register.file && (typed.1..=typed.2).contains(&number)
        };
        self.typed.iter().find(covers).map(|typed| typed.3)
    }
}

impl Values<'_> {
    /// Tells whether the components of an immediate are surely integers, or surely floats. Bit
    /// patterns of floats are often written as integers, so the values decide.
    fn immediate_is_integer(&self, number: i32, read: u8) -> Option<bool> {
        let immediate = self.immediates.get(usize::try_from(number).ok()?)?;
        let mut components = (0..4).filter(|it| read & 1 << it != 0);
        let bits = |it: usize| immediate.bits[it];
        match immediate.ty.value {
            // As floats these are denormals, which most chips take for zero.
            ImmediateType::Unsigned32 | ImmediateType::Signed32 => {
                components.all(|it| bits(it) != 0 && bits(it) & 0x7f80_0000 == 0).then_some(true)
            }
            ImmediateType::Float32 => components
                .all(|it| {
                    let value = f32::from_bits(bits(it));
                    value.is_normal() && value.fract() == 0.0 && value.abs() < 65536.0
                })
                .then_some(false),
            _ => None,
        }
    }
}

/// System values that are integers wherever they are.
fn is_integer(name: SemanticName) -> bool {
    matches!(
        name,
        SemanticName::Face
            | SemanticName::InstanceId
            | SemanticName::VertexId
            | SemanticName::VertexIdNoBase
            | SemanticName::BaseVertex
            | SemanticName::PrimitiveId
            | SemanticName::InvocationId
            | SemanticName::SampleId
            | SemanticName::VerticesIn
            | SemanticName::ThreadId
            | SemanticName::BlockId
            | SemanticName::GridSize
    )
}

/// Checks one instruction.
pub(super) fn check(
    values: &Values<'_>,
    instruction: &Instruction,
    operands: Glance,
    report: &mut Report,
) {
    let row = instruction.info();
    check_named_numbers(values, instruction, report);
    check_address(instruction, row, operands, report);
    if row.family == Family::Plain {
        if operands.read & values.certain != 0 {
            check_types(values, instruction, row, report);
        }
        check_pairs(instruction, row, report);
    }
}

/// Immediates that stand for a component, a stream or a set of memories.
fn check_named_numbers(values: &Values<'_>, instruction: &Instruction, report: &mut Report) {
    let opcode = instruction.opcode.value;
    let (source, highest, what) = if matches!(opcode, Opcode::EMIT | Opcode::ENDPRIM) {
        (0, 3, "a vertex stream is 0 to 3")
    } else if opcode == Opcode::MEMBAR {
        let what = "the memories of `MEMBAR` are the bits 1 buffers, 2 atomics, 4 images, \
                    8 shared and 16 the group only";
        (0, 31, what)
    } else if opcode == Opcode::TG4 && instruction.sources.len() == 3 && !compares(instruction) {
        (1, 3, "a component is 0 to 3")
    } else {
        return;
    };
    let Some(source) = instruction.sources.get(source) else { return };
    if let Some(value) = values.immediate(source).filter(|value| *value > highest) {
        report.warning(codes::OPERAND_VALUE, source.range, || format!("{what}; this is {value}"));
    }
    let one = opcode != Opcode::TG4;
    for offset in instruction.offsets.iter().filter(|_| one) {
        if offset.register.file != File::Immediate {
            let message = "only `TG4` takes an offset that is computed";
            report.hint(codes::TEXTURE_OFFSET, offset.range, || message);
        }
    }
}

/// Tells whether the second source is the reference of a comparison, as of cube arrays.
fn compares(instruction: &Instruction) -> bool {
    instruction.target.is_some_and(|target| target.value == TextureTarget::ShadowCubeArray)
}

/// Address registers are loaded by opcodes of their own, and those load
/// nothing else.
fn check_address(instruction: &Instruction, row: &OpInfo, operands: Glance, report: &mut Report) {
    let loads = row.has(Flag::Address);
    if !loads && operands.written & files(&[File::Address]) == 0 {
        return;
    }
    let Some(destination) = instruction.destinations.first() else { return };
    let is_address = destination.register.file == File::Address;
    if row.family == Family::Historic || loads == is_address {
        return;
    }
    let key = (codes::ADDRESS_LOAD, Severity::Hint, if loads { "loads" } else { "is loaded" });
    report.note(key, destination.range, || {
        let word = row.mnemonic;
        match loads {
            true => format!("`{word}` loads an ADDR; {} is none", destination.register.file),
            false => format!("an ADDR is loaded by `ARL`, `ARR` or `UARL`; `{word}` is none"),
        }
    });
}

fn check_types(values: &Values<'_>, instruction: &Instruction, row: &OpInfo, report: &mut Report) {
    if row.has(Flag::Bits) {
        return;
    }
    let types = instruction.sources.iter().zip(row.source_types);
    for (number, (source, ty)) in types.enumerate() {
        let read = || components_read(instruction, row, number);
        let Some(integers) = values.holds_integers(source, read) else { continue };
        let wrong = match ty {
            ValueType::Float => integers,
            ValueType::Signed | ValueType::Unsigned => {
                !integers && (source.register.file != File::Immediate || row.has(Flag::Integer))
            }
            _ => false,
        };
        if !wrong {
            continue;
        }
        let key = (codes::VALUE_TYPE, Severity::Hint, if integers { "integer" } else { "float" });
        report.note(key, source.range, || {
            let word = row.mnemonic;
            let (holds, reads) =
                if integers { ("an integer", "a float") } else { ("a float", "an integer") };
            format!("this register holds {holds}; `{word}` reads it as {reads}")
        });
    }
}

/// A 64-bit value is taken from xy or from zw.
fn check_pairs(instruction: &Instruction, row: &OpInfo, report: &mut Report) {
    if row.reads != Reads::Pairs {
        return;
    }
    let written = instruction.destinations.first().map_or(0, |first| first.mask.0);
    for (number, source) in instruction.sources.iter().enumerate() {
        let wide = row.source_types.get(number).is_some_and(|ty| ty.is_wide());
        if !wide || row.read_of(number) != Reads::Pairs {
            continue;
        }
        let swizzle = source.swizzle.0.map(|component| component as u8);
        let split = |first: usize| {
            written & (0b11 << first) != 0
                && (swizzle[first] % 2 != 0 || swizzle[first + 1] != swizzle[first] + 1)
        };
        if split(0) || split(2) {
            let key = (codes::HALF_PAIR, Severity::Warning, "source");
            report.note(key, source.range, || {
                let word = row.mnemonic;
                format!("`{word}` reads 64-bit values, which are the pairs xy and zw")
            });
        }
    }
}
