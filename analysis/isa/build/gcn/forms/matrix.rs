//! Slots of instructions on matrices and accumulation registers.

use super::builder::{Builder, Variant, number};
use crate::plain::encoding::Encoding;
use crate::plain::operand::{NumberKind, Operand, OperandSpec, Type};
use crate::plain::slot::{Check, Key, Modifiers, NO_BIT, Slot, SlotKind, Source, SourceSet};

/// The formats of elements that fill so many registers.
struct Format {
    dwords: u8,
    lowest: i32,
    highest: i32,
}

const FORMATS: [Format; 3] = [
    Format { dwords: 8, lowest: 0, highest: 1 },
    Format { dwords: 6, lowest: 2, highest: 3 },
    Format { dwords: 4, lowest: 4, highest: 4 },
];

/// Adds the ways to write an instruction on accumulation registers.
pub(crate) fn slots(builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    if spec.flags.formats() {
        for first in &FORMATS {
            for second in &FORMATS {
                variants.push(variant(builder.clone(), spec, Some([first, second])));
            }
        }
    } else {
        variants.push(variant(builder, spec, None));
    }
}

fn variant(mut builder: Builder<'_>, spec: &OperandSpec, formats: Option<[&Format; 2]>) -> Variant {
    let accumulates = builder.own("acc");
    let flags = spec.flags;
    let product = spec.operands.len() >= 4;
    // Some have no result.
    let first = matches!(spec.operands.first(), Some(Operand::Part { letter: 'y', .. }));
    for (index, operand) in spec.operands.iter().enumerate() {
        let Operand::Part { letter, dwords } = *operand else { continue };
        let name = ["vdst", "src0", "src1", "src2", "scale0", "scale1"][index.min(5)];
        match letter {
            'c' if product => sum(&mut builder, spec, dwords, name),
            'c' => {
                builder.push(SlotKind::Accumulator { dwords }, name);
            }
            'w' => {
                let format =
                    formats.and_then(|formats| formats.get(index.wrapping_sub(1)).copied());
                let dwords = format.map_or(dwords, |it| it.dwords);
                let slot = builder.push(SlotKind::VectorOrAccumulator { dwords }, name);
                // A bit for each of the first two sources.
                slot.scalar = accumulates + index as u8 - 1;
            }
            'y' if first => {
                push_source(&mut builder, SourceSet::Inline, ["src0", "src1"][index.min(1)])
            }
            'y' => push_source(&mut builder, SourceSet::Inline, name),
            'k' => push_source(&mut builder, SourceSet::VectorOrConstant, name),
            _ if index > 0 => push_source(&mut builder, SourceSet::Vector, name),
            _ => {
                builder.push(SlotKind::Vector { dwords }, name);
            }
        }
    }
    let mut base = 0;
    if flags.op_sel() {
        selections(&mut builder);
        if builder.encoding == Encoding::Vop3p {
            return Variant {
                base: 1 << builder.own("op_sel_hi_2"),
                ..Variant::new(builder.slots, Check::Vector)
            };
        }
    }
    if product {
        modifiers(&mut builder, spec, formats);
    } else if builder.encoding == Encoding::Vop3p {
        // Moves have the upper halves' bits set, like all of the layout.
        base = (3 << accumulates) | (1 << builder.own("op_sel_hi_2"));
    }
    let check = if flags.sparse() { Check::None } else { Check::Matrix };
    Variant { base, ..Variant::new(builder.slots, check) }
}

fn push_source(builder: &mut Builder<'_>, from: SourceSet, name: &str) {
    let source = Source { ty: Type::WORD, from, modifiers: Modifiers::None };
    builder.push(SlotKind::Source(source), name);
}

/// Adds the sum or what is added to it: where one bit says which registers both are, vector
/// registers too, and what is added may be a constant.
fn sum(builder: &mut Builder<'_>, spec: &OperandSpec, dwords: u8, name: &str) {
    let bit = builder.own("acc_cd");
    let kind = match (bit, name) {
        (NO_BIT, _) => SlotKind::Accumulator { dwords },
        (_, "vdst") => SlotKind::VectorOrAccumulator { dwords },
        _ if spec.flags.doubles() => {
            SlotKind::Sum { dwords, ty: Type { kind: NumberKind::Float, bits: 64 } }
        }
        _ => SlotKind::Sum { dwords, ty: Type::WORD },
    };
    let slot = builder.push(kind, name);
    *slot = Slot { scalar: bit, ..*slot };
}

/// Adds what says which byte of each scale counts. The bits of a third source mean nothing
/// beside matrices; they are written, so that words come back as they were.
fn selections(builder: &mut Builder<'_>) {
    let scaled = builder.encoding == Encoding::Vop3px;
    let sources = if scaled { 3 } else { 2 };
    builder.option(SlotKind::List { key: Key::OpSel, sources }, "op_sel", 0);
    let third = builder.own("op_sel_hi_2");
    let slot = builder.push(SlotKind::List { key: Key::OpSelHi, sources }, "op_sel_hi");
    slot.default = Some(if scaled { 0 } else { 3 });
    slot.extend = third;
}

/// Adds what says which blocks and lanes count, which formats, and which signs change.
fn modifiers(builder: &mut Builder<'_>, spec: &OperandSpec, formats: Option<[&Format; 2]>) {
    let flags = spec.flags;
    if let Some(formats) = formats {
        let keys = [(Key::Cbsz, "cbsz"), (Key::Blgp, "blgp")];
        for ((key, name), format) in keys.into_iter().zip(formats) {
            let slot = builder.push(number(key, format.lowest, format.highest), name);
            slot.width = 3;
            slot.default = (format.lowest == 0).then_some(0);
        }
        return;
    }
    builder.option(number(Key::Cbsz, 0, 7), "cbsz", 0);
    builder.option(number(Key::Abid, 0, 15), "abid", 0);
    if flags.doubles() && builder.chip.has("gfx940-insts") {
        builder.option(SlotKind::List { key: Key::Neg, sources: 3 }, "blgp", 0);
    } else if !flags.sparse() {
        builder.option(number(Key::Blgp, 0, 7), "blgp", 0);
    }
}
