//! The values of immediates that are read as what they are
//! used for: bit patterns of floats in integers, and the reverse, and the
//! values that swizzled operands read.

use salsa::Database;
use source::TextRange;
use tgsi::ast::{
    Component, Immediate, Instruction, Shader, Source, Statement, StatementKind, Swizzle, WriteMask,
};
use tgsi::opcodes::{OutputMode, ValueType};
use tgsi::values::{self, float, usual_float};
use tgsi::words::ImmediateType;

use crate::inputs::File;
use crate::queries::shaders;
use editor_model::{InlayHint, InlayHintKind};

pub(crate) fn value_hints(db: &dyn Database, file: File, range: TextRange) -> Vec<InlayHint> {
    let regions = shaders::regions(db, file);
    let mut hints = Vec::new();
    for (shader, region) in shaders::shaders(db, file).iter().zip(&regions.shaders) {
        let Some(visible) = region.map().touched(range) else { continue };
        let parse = shaders::parse(db, *shader);
        let Some(tree) = &parse.shader else { continue };
        let immediates: Vec<&Immediate> = tree.immediates().collect();
        for statement in statements_within(tree, visible) {
            let found = match &statement.kind {
                _ if statement.broken => continue,
                StatementKind::Immediate(immediate) => of_immediate(immediate),
                StatementKind::Instruction(instruction) => of_operands(instruction, &immediates),
                _ => continue,
            };
            hints.extend(found.into_iter().map(|found| InlayHint {
                offset: region.map().to_file(found.range).end(),
                label: format!("= {}", found.label),
                tooltip: found.tooltip,
                kind: InlayHintKind::Value,
            }));
        }
    }
    hints.retain(|hint| range.contains_inclusive(hint.offset));
    hints
}

/// The statements of a shader that a range of its text touches.
pub(super) fn statements_within(
    tree: &Shader,
    range: TextRange,
) -> impl Iterator<Item = &Statement> {
    let first = tree.statements.partition_point(|it| it.range.end() < range.start());
    tree.statements[first..].iter().take_while(move |it| it.range.start() <= range.end())
}

/// A value to be shown behind a range of the shader's text.
struct Found {
    range: TextRange,
    label: String,
    tooltip: String,
}

/// The values of an immediate that were surely meant as another type.
fn of_immediate(immediate: &Immediate) -> Vec<Found> {
    let label = |bits: u32| match immediate.ty.value {
        ImmediateType::Unsigned32 if bits.is_multiple_of(ROUND) => None,
        ImmediateType::Signed32 if bits as i32 % ROUND as i32 == 0 => None,
        ImmediateType::Unsigned32 | ImmediateType::Signed32 => usual_float(bits).map(float),
        ImmediateType::Float32 => integer_in(bits).map(|integer| integer.to_string()),
        _ => None,
    };
    let values = immediate.values.iter().zip(immediate.bits);
    let found = values.filter_map(|(range, bits)| {
        let label = label(bits)?;
        let other = match immediate.ty.value {
            ImmediateType::Float32 => "an integer",
            _ => "a float",
        };
        let tooltip = format!("The bits `0x{bits:08x}` are `{label}` as {other}");
        Some(Found { range: *range, label, tooltip })
    });
    found.collect()
}

/// An integer that ends in four decimal zeros is meant as a number.
const ROUND: u32 = 10_000;

/// The integer that a float is probably the bits of: a denormal, or what no
/// computation yields, a not-a-number of all ones but the last few.
fn integer_in(bits: u32) -> Option<i32> {
    let integer = bits as i32;
    let small_negative = (-0x1_0000..0).contains(&integer);
    (f32::from_bits(bits).is_subnormal() && integer > 0 || small_negative).then_some(integer)
}

/// The values that the swizzled immediates of an instruction stand for.
fn of_operands(instruction: &Instruction, immediates: &[&Immediate]) -> Vec<Found> {
    let types = instruction.info().source_types;
    let typed = instruction.sources.iter().zip(types);
    let found = typed.filter_map(|(source, ty)| {
        let register = &source.register;
        let swizzled = source.swizzle != Swizzle::IDENTITY;
        let immediate =
            register.immediate(immediates).filter(|_| swizzled && register.dimension.is_none())?;
        let read = Read::new(source, *ty, immediate);
        let label = read.label(&positions(instruction, read.ty.is_wide()));
        let tooltip = format!("The operand's value, read as {}", read.type_name());
        Some(Found { range: source.range, label, tooltip })
    });
    found.collect()
}

/// The positions of a swizzle that count: those that are written, where each
/// component is computed for itself.
fn positions(instruction: &Instruction, wide: bool) -> Vec<Component> {
    let componentwise = instruction.info().output == OutputMode::Componentwise;
    let mask = instruction.destinations.first().filter(|_| componentwise);
    let mask = mask.map_or(WriteMask::ALL, |destination| destination.mask);
    if wide {
        // A value of 64 bits takes both components of a pair.
        let pair = |bits: u8| if mask.0 & bits != 0 { bits } else { 0 };
        return WriteMask(pair(0b0011) | pair(0b1100)).components().collect();
    }
    mask.components().collect()
}

/// The type that an operand reads an immediate as.
struct Read<'a> {
    source: &'a Source,
    ty: ValueType,
    bits: [u32; 4],
}

impl<'a> Read<'a> {
    fn new(source: &'a Source, ty: ValueType, immediate: &Immediate) -> Read<'a> {
        let modified = source.absolute || source.negate;
        let ty = match (ty, immediate.ty.value) {
            (ValueType::Untyped, _) if modified => ValueType::Float,
            (ValueType::Untyped, ImmediateType::Float32) => ValueType::Float,
            (ValueType::Untyped, ImmediateType::Signed32) => ValueType::Signed,
            (ValueType::Untyped, ImmediateType::Unsigned32) => {
                // Compilers write the bits of floats so.
                let read = source.swizzle.0.map(|component| immediate.bits[component as usize]);
                let is_float = |bits: &u32| *bits == 0 || usual_float(*bits).is_some();
                let any = read.iter().any(|bits| *bits != 0);
                if any && read.iter().all(is_float) {
                    ValueType::Float
                } else {
                    ValueType::Unsigned
                }
            }
            (ValueType::Untyped, _) => ValueType::Unsigned,
            (ty, _) => ty,
        };
        Read { source, ty, bits: immediate.bits }
    }

    fn type_name(&self) -> &'static str {
        match self.ty {
            ValueType::Float => "a float",
            ValueType::Signed => "a signed integer",
            ValueType::Double => "a double",
            ValueType::Signed64 => "a signed integer of 64 bits",
            ValueType::Unsigned64 => "an unsigned integer of 64 bits",
            ValueType::Unsigned | ValueType::Untyped => "an unsigned integer",
        }
    }

    /// The values at these positions; one where all are the same.
    fn label(&self, positions: &[Component]) -> String {
        let word = |it: &Component| self.bits[self.source.swizzle.0[*it as usize] as usize];
        let size = if self.ty.is_wide() { 2 } else { 1 };
        let values = positions.chunks_exact(size).flat_map(|own| {
            let bits = own.iter().rev().fold(0, |bits, it| bits << 32 | u64::from(word(it)));
            let bits = self.modified(bits);
            values::words(self.ty, &[bits as u32, (bits >> 32) as u32][..size])
        });
        match values.collect::<Vec<_>>().as_slice() {
            [first, rest @ ..] if rest.iter().all(|value| value == first) => first.clone(),
            values => format!("({})", values.join(", ")),
        }
    }

    /// The bits of one value with the operand's modifiers; beyond its size they mean nothing.
    fn modified(&self, bits: u64) -> u64 {
        let Source { absolute, negate, .. } = *self.source;
        let sign = match self.ty {
            ValueType::Float => 1 << 31,
            ValueType::Double => 1 << 63,
            _ => 0,
        };
        let bits = match self.ty {
            ValueType::Signed if absolute => i64::from(bits as i32).unsigned_abs(),
            ValueType::Signed64 if absolute => (bits as i64).unsigned_abs(),
            _ if absolute => bits & !sign,
            _ => bits,
        };
        match (negate, sign) {
            (false, _) => bits,
            (true, 0) => bits.wrapping_neg(),
            (true, sign) => bits ^ sign,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use source::TextSize;

    use super::*;
    use crate::Language;
    use crate::ide::WantedHints;
    use crate::{Host, Settings};

    /// The values shown behind words of a text.
    fn hints(text: &str) -> Vec<String> {
        let mut host = Host::new(Settings::default());
        let file = host.set_file("a.tgsi", Arc::from(text), Language::Tgsi);
        let all = TextRange::up_to(TextSize::of(text));
        let hints = host
            .snapshot()
            .inlay_hints(file, all, &WantedHints::everywhere(&[InlayHintKind::Value]))
            .expect("not cancelled");
        let shown = hints.into_iter().map(|hint| {
            assert_eq!(hint.kind, InlayHintKind::Value);
            let before = &text[..usize::from(hint.offset)];
            let word = before.rsplit([' ', '{']).next().unwrap_or_default();
            format!("{word} {}", hint.label)
        });
        shown.collect()
    }

    #[test]
    fn bit_patterns_of_the_other_type_are_shown() {
        let text = "VERT\nIMM[0] UINT32 {1065353216, 1000000000, 3, 3204448256}\n\
                    IMM[1] UINT32 {4294967295, 2147483647, 1073741823, 0}\n\
                    IMM[2] INT32 {-1, -1082130432, 1056964608, -1000000000}\n\
                    IMM[3] FLT32 {0x00000005, 0xffffffff, 0.0, 1.0}\nEND";
        assert_eq!(
            hints(text),
            [
                "1065353216 = 1.0",
                "3204448256 = -0.5",
                "-1082130432 = -1.0",
                "1056964608 = 0.5",
                "0x00000005 = 5",
                "0xffffffff = -1",
            ]
        );
    }

    #[test]
    fn swizzled_operands_show_what_they_read() {
        let text = "VERT\nIMM[0] FLT32 {0.5, 1.0, -2.0, 0.5}\nIMM[1] UINT32 {7, 4294967295, 1, 2}\n\
                    IMM[2] FLT64 {0.25, 3.0}\nIMM[3] UINT32 {0, 1056964608, 8, 9}\n\
                    MUL TEMP[0].x, TEMP[0], IMM[0].yyyy\nADD TEMP[0].xy, -IMM[0].zxxx, |IMM[0].zzzz|\n\
                    IMAX TEMP[0], IMM[1].yyyy, -IMM[1].xxxx\nUADD TEMP[0].xw, IMM[1].xyzw, IMM[1].wxyz\n\
                    DADD TEMP[0].xy, IMM[2].zwzw, IMM[2].xyxy\nMOV TEMP[0], IMM[3].xyxx\n\
                    MOV TEMP[0], IMM[3].zzzw\nMOV TEMP[0], IMM[0]\nMOV TEMP[0], IMM[9].xxxx\nEND";
        let operands: Vec<String> =
            hints(text).into_iter().filter(|hint| hint.contains("IMM")).collect();
        assert_eq!(
            operands,
            [
                "IMM[0].yyyy = 1.0",
                "-IMM[0].zxxx = (2.0, -0.5)",
                "|IMM[0].zzzz| = 2.0",
                "IMM[1].yyyy = -1",
                "-IMM[1].xxxx = -7",
                "IMM[1].wxyz = (2, 1)",
                "IMM[2].zwzw = 3.0",
                "IMM[2].xyxy = 0.25",
                "IMM[3].xyxx = (0.0, 0.5, 0.0, 0.0)",
                "IMM[3].zzzw = (8, 8, 8, 9)",
            ]
        );
    }
}
