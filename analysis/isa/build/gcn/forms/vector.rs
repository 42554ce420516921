//! Slots of vector arithmetic, in its short and long encodings and with the extensions.

use super::builder::{Builder, Variant, is_compare};
use super::fields::Layout;
use crate::plain::Generation;
use crate::plain::encoding::{Encoding, Extension};
use crate::plain::operand::{NumberKind, Operand, OperandRow, Origin, Type};
use crate::plain::slot::{
    Check, Flag, Key, Kind, Modifiers, NO_BIT, OffsetRule, ScalarSet, Source, SourceSet,
};

pub(crate) fn slots(
    builder: Builder<'_>,
    signature: &OperandRow,
    extension: Extension,
    variants: &mut Vec<Variant>,
) {
    let long = matches!(builder.encoding, Encoding::Vop3 | Encoding::Vop3p);
    match extension {
        Extension::Sdwa => sdwa(builder, signature, variants),
        Extension::Dpp => dpp(builder, signature, variants),
        _ if long => self::long(builder, signature, variants),
        _ => short(builder, signature, variants),
    }
}

/// Tells whether an operand is the destination: the first one, but of comparisons, which write
/// a mask.
fn is_destination(signature: &OperandRow, index: usize) -> bool {
    index == 0 && !is_compare(signature)
}

fn destination(builder: &mut Builder<'_>, operand: Operand, low: u8) {
    match operand {
        Operand::Number { ty, .. } => {
            builder.push(Kind::Vector { dwords: ty.dwords() }, low);
        }
        Operand::Scalar { dwords, .. } => {
            builder.push(Kind::Scalar { dwords, set: ScalarSet::All, shift: 0 }, low);
        }
        _ => {}
    }
}

/// Pushes the slot of a destination, which is in the same field in all encodings; tells whether
/// the operand is one.
fn push_destination(
    builder: &mut Builder<'_>,
    signature: &OperandRow,
    index: usize,
    operand: Operand,
) -> bool {
    let is_one = is_destination(signature, index);
    if is_one {
        let low = builder.own("vdst");
        destination(builder, operand, low);
    }
    is_one
}

fn short(mut builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let mut sources = 0;
    let mut reads_vcc = signature.traits.reads_vcc();
    let last = signature.operands.len().saturating_sub(1);
    for (index, operand) in signature.operands.iter().enumerate() {
        if push_destination(&mut builder, signature, index, *operand) {
            continue;
        }
        match *operand {
            // A mask in the short encodings is VCC. It may be left out where
            // nothing else could be meant.
            Operand::Mask => {
                let carry_in = index == last && index > 1;
                reads_vcc |= carry_in;
                let carries_both = signature.operands.len() == 5;
                // Before gfx9 the same mnemonic without it would be read as a sum
                // without carry.
                let ambiguous =
                    !carry_in && index > 0 && builder.chip.generation < Generation::Gfx9;
                if carries_both || ambiguous {
                    builder.push(Kind::Vcc, 0);
                } else {
                    builder.option(Kind::Vcc, 0, 0);
                }
            }
            Operand::Number { ty, from, .. } => {
                let vector = from == Origin::Vector || sources > 0;
                let low = builder.own(if sources == 0 { "src0" } else { "vsrc1" });
                let lane = signature.traits.lane();
                if sources == 0 && lane {
                    builder.push(Kind::VectorOrLds, low);
                } else if sources == 0 {
                    let from = if vector { SourceSet::Vector } else { SourceSet::Literal };
                    let source = Source { ty, from, modifiers: Modifiers::None };
                    builder.push(Kind::Source(source), low);
                } else {
                    builder.push(Kind::Vector { dwords: ty.dwords() }, low);
                }
                sources += 1;
            }
            Operand::Lane => {
                let low = builder.own(if sources == 0 { "src0" } else { "vsrc1" });
                builder.push(Kind::Lane { literal: sources == 0 }, low);
                sources += 1;
            }
            Operand::Literal => {
                let ty = first_type(signature);
                builder.push(Kind::Literal(ty), 0);
            }
            _ => {}
        }
    }
    variants.push(Variant { slots: builder.slots, check: Check::Vector, base: 0, reads_vcc });
}

fn first_type(signature: &OperandRow) -> Type {
    signature
        .operands
        .iter()
        .find_map(|operand| match operand {
            Operand::Number { ty, .. } => Some(*ty),
            _ => None,
        })
        .unwrap_or(Type { kind: NumberKind::Integer, bits: 32 })
}

/// Says how the sources of the long encoding can be changed. Where any source is a
/// float, those that are integers take sign extension instead.
fn long_modifiers(signature: &OperandRow, ty: Type, sign_extension: bool) -> Modifiers {
    match ty.kind {
        NumberKind::Float if signature.traits.no_abs() => Modifiers::Sign,
        NumberKind::Float => Modifiers::Float,
        NumberKind::PackedFloat if signature.traits.mix() || signature.traits.plain_halves() => {
            Modifiers::Float
        }
        _ if sign_extension => Modifiers::Integer,
        _ => Modifiers::None,
    }
}

fn long(mut builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let packed = builder.encoding == Encoding::Vop3p;
    let mut sources: u8 = 0;
    let last = signature.operands.len().saturating_sub(1);
    let signs = builder.own(if packed { "neg_lo" } else { "neg" });
    let magnitudes = builder.own(if packed { "neg_hi" } else { "abs" });
    for (index, operand) in signature.operands.iter().enumerate() {
        if push_destination(&mut builder, signature, index, *operand) {
            continue;
        }
        match *operand {
            Operand::Mask => {
                let low = if index == 0 {
                    builder.own("vdst")
                } else if index == last && index > 1 {
                    builder.own("src2")
                } else {
                    builder.own("sdst")
                };
                builder.push(Kind::Mask, low);
            }
            Operand::Number { ty, from, sign_extension } => {
                let low = builder.own(["src0", "src1", "src2"][usize::from(sources.min(2))]);
                if signature.traits.lane() {
                    builder.push(Kind::VectorOrLds, low);
                } else {
                    let from = match from {
                        Origin::Vector => SourceSet::Vector,
                        _ => SourceSet::Inline,
                    };
                    let modifiers = long_modifiers(signature, ty, sign_extension);
                    let slot = builder.push(Kind::Source(Source { ty, from, modifiers }), low);
                    slot.negate = signs + sources;
                    slot.magnitude = magnitudes + sources;
                    slot.extend = signs + sources;
                }
                sources += 1;
            }
            Operand::Lane => {
                let low = builder.own(if sources == 0 { "src0" } else { "src1" });
                builder.push(Kind::Lane { literal: false }, low);
                sources += 1;
            }
            _ => {}
        }
    }
    let traits = signature.traits;
    let has_op_sel = traits.op_sel() && builder.has("op_sel");
    if has_op_sel {
        let low = builder.own("op_sel");
        let slot = builder.push(Kind::List { key: Key::OpSel, sources }, low);
        slot.default = Some(0);
        // The last bit is the destination's.
        slot.extend = if packed { NO_BIT } else { low + 3 };
    }
    let mut base = 0;
    if packed {
        // Both halves are used unless something else is said; a source that is
        // not there has its bit too.
        let low = builder.own("op_sel_hi");
        let third = builder.own("op_sel_hi_2");
        let slot = builder.push(Kind::List { key: Key::OpSelHi, sources }, low);
        slot.default = Some(if traits.mix() { 0 } else { 7 });
        slot.extend = third;
        if traits.neg_lo() {
            builder.option(Kind::List { key: Key::NegLo, sources }, signs, 0);
            builder.option(Kind::List { key: Key::NegHi, sources }, magnitudes, 0);
        }
        if sources == 2 && !traits.mix() {
            base |= 1 << builder.own("op_sel_hi_2");
        }
    }
    // Before gfx8 the scalar destination lies over the bit.
    let has_carry = signature.operands.get(1) == Some(&Operand::Mask);
    let old = builder.chip.generation <= Generation::Gfx7;
    if traits.clamp() && !(has_carry && old) {
        builder.flag(Flag::Clamp);
    }
    if traits.omod() {
        let low = builder.own("omod");
        builder.option(number(Key::Omod, 0, 3), low, 0);
    }
    variants.push(Variant {
        slots: builder.slots,
        check: Check::Vector,
        base,
        reads_vcc: traits.reads_vcc(),
    });
}

fn number(key: Key, lowest: i32, highest: i32) -> Kind {
    Kind::Number { key, lowest, highest, rule: OffsetRule::Strict }
}

fn sdwa(mut builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let gfx9 = builder.chip.generation == Generation::Gfx9;
    let compare = is_compare(signature);
    let mut reads_vcc = signature.traits.reads_vcc();
    let mut sources = 0;
    let mut base = 0;
    let last = signature.operands.len().saturating_sub(1);
    let mut float_result = false;
    for (index, operand) in signature.operands.iter().enumerate() {
        if let (true, Operand::Number { ty, .. }) = (is_destination(signature, index), operand) {
            float_result = ty.is_float();
        }
        if push_destination(&mut builder, signature, index, *operand) {
            continue;
        }
        match *operand {
            Operand::Mask if compare && gfx9 => {
                let low = builder.low(Layout::Sdwa, "sdst");
                let sd = builder.low(Layout::Sdwa, "sd");
                // VCC has a bit of its own: none.
                let slot = builder.push(Kind::Mask, low);
                slot.scalar = sd;
            }
            Operand::Mask => {
                reads_vcc |= index == last && index > 1;
                builder.push(Kind::Vcc, 0);
            }
            Operand::Number { ty, .. } => {
                let first = sources == 0;
                let low =
                    if first { builder.low(Layout::Sdwa, "src0") } else { builder.own("vsrc1") };
                let bit = |builder: &Builder<'_>, what: &str| {
                    builder.low(Layout::Sdwa, &format!("src{sources}_{what}"))
                };
                let (negate, magnitude, extend) =
                    (bit(&builder, "neg"), bit(&builder, "abs"), bit(&builder, "sext"));
                let scalar = builder.low(Layout::Sdwa, if first { "s0" } else { "s1" });
                let modifiers = if ty.is_float() { Modifiers::Float } else { Modifiers::Integer };
                let from = if gfx9 { SourceSet::SdwaInline } else { SourceSet::ShortVector };
                let slot = builder.push(Kind::Source(Source { ty, from, modifiers }), low);
                slot.negate = negate;
                slot.magnitude = magnitude;
                slot.extend = extend;
                slot.scalar = scalar;
                sources += 1;
            }
            _ => {}
        }
    }
    base |= SDWA_MARK;
    let place = |builder: &Builder<'_>, name: &str| builder.low(Layout::Sdwa, name);
    let has_result = !signature.operands.is_empty();
    if has_result && !(compare && gfx9) {
        let low = place(&builder, "clamp");
        builder.option(Kind::Flag(Flag::Clamp), low, 0);
    }
    if gfx9 && float_result && !compare {
        let low = place(&builder, "omod");
        builder.option(number(Key::Omod, 0, 3), low, 0);
    }
    if has_result && !compare {
        let low = place(&builder, "dst_sel");
        // What is added to must be the whole register.
        let lowest = if signature.traits.reads_destination() { 6 } else { 0 };
        builder.option(number(Key::DstSel, lowest, 6), low, 6);
        let low = place(&builder, "dst_unused");
        builder.option(number(Key::DstUnused, 0, 2), low, 2);
    }
    for (source, key) in [(0, Key::Src0Sel), (1, Key::Src1Sel)] {
        if source < sources {
            let low = place(&builder, if source == 0 { "src0_sel" } else { "src1_sel" });
            builder.option(number(key, 0, 6), low, 6);
        }
    }
    variants.push(Variant { slots: builder.slots, check: Check::Vector, base, reads_vcc });
}

/// Source codes that announce the extensions.
const SDWA_MARK: u64 = 249;
const DPP_MARK: u64 = 250;

fn dpp(mut builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let mut reads_vcc = signature.traits.reads_vcc();
    let mut sources = 0;
    let last = signature.operands.len().saturating_sub(1);
    for (index, operand) in signature.operands.iter().enumerate() {
        if push_destination(&mut builder, signature, index, *operand) {
            continue;
        }
        match *operand {
            Operand::Mask => {
                reads_vcc |= index == last && index > 1;
                builder.push(Kind::Vcc, 0);
            }
            Operand::Number { ty, .. } => {
                let low = if sources == 0 {
                    builder.low(Layout::Dpp, "src0")
                } else {
                    builder.own("vsrc1")
                };
                let bit = |builder: &Builder<'_>, what: &str| {
                    builder.low(Layout::Dpp, &format!("src{sources}_{what}"))
                };
                let (negate, magnitude) = (bit(&builder, "neg"), bit(&builder, "abs"));
                let modifiers = if ty.is_float() { Modifiers::Float } else { Modifiers::None };
                let source = Source { ty, from: SourceSet::ShortVector, modifiers };
                let slot = builder.push(Kind::Source(source), low);
                slot.negate = negate;
                slot.magnitude = magnitude;
                sources += 1;
            }
            _ => {}
        }
    }
    let place = |builder: &Builder<'_>, name: &str| builder.low(Layout::Dpp, name);
    let low = place(&builder, "dpp_ctrl");
    builder.push(number(Key::DppCtrl, 0, 0x1ff), low);
    let low = place(&builder, "row_mask");
    builder.option(number(Key::RowMask, 0, 15), low, 15);
    let low = place(&builder, "bank_mask");
    builder.option(number(Key::BankMask, 0, 15), low, 15);
    let low = place(&builder, "bound_ctrl");
    builder.option(number(Key::BoundCtrl, 0, 1), low, 0);
    variants.push(Variant {
        slots: builder.slots,
        check: Check::Vector,
        base: DPP_MARK,
        reads_vcc,
    });
}

/// Interpolation, in its own encoding and in the long one.
pub(crate) fn interpolation(
    mut builder: Builder<'_>,
    signature: &OperandRow,
    variants: &mut Vec<Variant>,
) {
    let long = builder.encoding == Encoding::Vop3;
    let vdst = builder.own("vdst");
    let mut sources = 0;
    for (index, operand) in signature.operands.iter().enumerate() {
        if index == 0 {
            destination(&mut builder, *operand, vdst);
            continue;
        }
        // In the long encoding the attribute is where the first source would be.
        let name = match (long, sources) {
            (false, _) => "vsrc",
            (true, 0) => "src1",
            (true, _) => "src2",
        };
        match *operand {
            Operand::Number { ty, .. } if long => {
                let low = builder.own(name);
                let source = Source { ty, from: SourceSet::Vector, modifiers: Modifiers::Float };
                let place = if sources == 0 { 1 } else { 2 };
                let (negate, magnitude) = (builder.own("neg") + place, builder.own("abs") + place);
                let slot = builder.push(Kind::Source(source), low);
                slot.negate = negate;
                slot.magnitude = magnitude;
                sources += 1;
            }
            Operand::Number { ty, .. } => {
                let low = builder.own(name);
                builder.push(Kind::Vector { dwords: ty.dwords() }, low);
            }
            Operand::AttributePart => {
                let low = builder.own(name);
                builder.push(Kind::AttributePart, low);
            }
            Operand::Attribute => {
                let (low, channel) = if long {
                    let low = builder.own("src0");
                    (low, low + 6)
                } else {
                    (builder.own("attr"), builder.own("attrchan"))
                };
                let slot = builder.push(Kind::Attribute, low);
                slot.scalar = channel;
            }
            _ => {}
        }
    }
    if long {
        let traits = signature.traits;
        if traits.high() {
            let low = builder.own("src0") + 8;
            builder.option(Kind::Flag(Flag::High), low, 0);
        }
        if traits.clamp() {
            builder.flag(Flag::Clamp);
        }
        if traits.omod() {
            let low = builder.own("omod");
            builder.option(number(Key::Omod, 0, 3), low, 0);
        }
    }
    variants.push(Variant::new(builder.slots, Check::None));
}

/// Instructions on accumulation registers, in the packed layout.
pub(crate) fn matrix(
    mut builder: Builder<'_>,
    signature: &OperandRow,
    variants: &mut Vec<Variant>,
) {
    let accumulates = builder.own("acc");
    let product = signature.operands.len() == 4;
    for (index, operand) in signature.operands.iter().enumerate() {
        let Operand::Part { letter, dwords } = *operand else { continue };
        let low = builder.own(["vdst", "src0", "src1", "src2"][index.min(3)]);
        let integer = Type { kind: NumberKind::Integer, bits: 32 };
        match letter {
            'c' => {
                builder.push(Kind::Accumulator { dwords }, low);
            }
            'w' => {
                let slot = builder.push(Kind::VectorOrAccumulator { dwords }, low);
                // A bit for each of the first two sources.
                slot.scalar = accumulates + index as u8 - 1;
            }
            'k' => {
                let modifiers = Modifiers::None;
                let from = SourceSet::VectorOrConstant;
                builder.push(Kind::Source(Source { ty: integer, from, modifiers }), low);
            }
            _ => {
                builder.push(Kind::Vector { dwords }, low);
            }
        }
    }
    let mut variant = Variant::new(Vec::new(), Check::Matrix);
    if product {
        for (key, name, highest) in
            [(Key::Cbsz, "cbsz", 7), (Key::Abid, "abid", 15), (Key::Blgp, "blgp", 7)]
        {
            let low = builder.own(name);
            builder.option(number(key, 0, highest), low, 0);
        }
    } else {
        // Moves have the upper halves' bits set, like all of the layout.
        variant.base = (3 << accumulates) | (1 << builder.own("op_sel_hi_2"));
    }
    variant.slots = builder.slots;
    variants.push(variant);
}
