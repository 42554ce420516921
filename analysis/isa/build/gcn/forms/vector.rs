//! Slots of vector arithmetic, in its short and long encodings and with the extensions.

use super::builder::{Builder, Variant, is_compare, number};
use super::has_float_result;
use crate::plain::Generation;
use crate::plain::encoding::{Encoding, Extension, Layout};
use crate::plain::operand::{NumberKind, Operand, OperandSpec, Origin, Type};
use crate::plain::slot::{
    Bits, Check, Flag, Key, Modifiers, NO_BIT, ScalarSet, Slot, SlotKind, Source, SourceSet,
};

pub(crate) fn slots(
    builder: Builder<'_>,
    spec: &OperandSpec,
    extension: Extension,
    variants: &mut Vec<Variant>,
) {
    let long = matches!(builder.encoding, Encoding::Vop3 | Encoding::Vop3p);
    match extension {
        Extension::Sdwa => sdwa(builder, spec, variants),
        Extension::Dpp => dpp(builder, spec, variants),
        _ if long => self::long(builder, spec, variants),
        _ => short(builder, spec, variants),
    }
}

/// Pushes the slot of the destination, which is in the same field in all encodings; returns
/// the other operands with their places. A comparison has none: it writes a mask.
fn push_destination<'a>(
    builder: &mut Builder<'_>,
    spec: &'a OperandSpec,
) -> impl Iterator<Item = (usize, Operand)> + use<'a> {
    let destinations = usize::from(!is_compare(spec));
    let kind = spec.operands.first().and_then(|operand| match *operand {
        Operand::Number { ty, .. } => Some(SlotKind::Vector { dwords: ty.dwords() }),
        Operand::Part { dwords, .. } => Some(SlotKind::Vector { dwords }),
        Operand::Scalar { dwords, .. } => {
            Some(SlotKind::Scalar { dwords, set: ScalarSet::All, shift: 0 })
        }
        _ => None,
    });
    if let Some(kind) = kind {
        builder.push(kind, "vdst");
    }
    spec.operands.iter().copied().enumerate().skip(destinations)
}

fn short(mut builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let mut sources = 0;
    let mut reads_vcc = spec.flags.reads_vcc();
    let last = spec.operands.len().saturating_sub(1);
    for (index, operand) in push_destination(&mut builder, spec) {
        match operand {
            // A mask in the short encodings is VCC. It may be left out where
            // nothing else could be meant.
            Operand::Mask => {
                let carry_in = index == last && index > 1;
                reads_vcc |= carry_in;
                let carries_both = spec.operands.len() == 5;
                // Before gfx9 the same mnemonic without it would be read as a sum
                // without carry.
                let ambiguous =
                    !carry_in && index > 0 && builder.chip.generation < Generation::Gfx9;
                if carries_both || ambiguous {
                    builder.push_word(SlotKind::Vcc);
                } else {
                    builder.push_word(SlotKind::Vcc).default = Some(0);
                }
            }
            Operand::Number { ty, from, .. } => {
                if sources > 0 {
                    builder.push(SlotKind::Vector { dwords: ty.dwords() }, "vsrc1");
                } else if spec.flags.lane() {
                    builder.push(SlotKind::VectorOrLds, "src0");
                } else {
                    let vector = from == Origin::Vector;
                    let from = if vector { SourceSet::Vector } else { SourceSet::Literal };
                    let source = Source { ty, from, modifiers: Modifiers::None };
                    builder.push(SlotKind::Source(source), "src0");
                }
                sources += 1;
            }
            Operand::Lane => {
                let name = if sources == 0 { "src0" } else { "vsrc1" };
                builder.push(SlotKind::Lane { literal: sources == 0 }, name);
                sources += 1;
            }
            Operand::Literal => {
                builder.push_word(SlotKind::Literal(first_type(spec)));
            }
            _ => {}
        }
    }
    variants.push(Variant { slots: builder.slots, check: Check::Vector, base: 0, reads_vcc });
}

fn first_type(spec: &OperandSpec) -> Type {
    spec.operands
        .iter()
        .find_map(|operand| match operand {
            Operand::Number { ty, .. } => Some(*ty),
            _ => None,
        })
        .unwrap_or(Type::WORD)
}

/// Says how the sources of the long encoding can be changed. Where any source is a
/// float, those that are integers take sign extension instead.
fn long_modifiers(spec: &OperandSpec, ty: Type, sign_extension: bool) -> Modifiers {
    match ty.kind {
        NumberKind::Float if spec.flags.no_abs() => Modifiers::Sign,
        NumberKind::Float | NumberKind::UpperFloat => Modifiers::Float,
        NumberKind::PackedFloat | NumberKind::PackedUpperFloat
            if spec.flags.mix() || spec.flags.plain_halves() =>
        {
            Modifiers::Float
        }
        _ if sign_extension => Modifiers::Integer,
        _ => Modifiers::None,
    }
}

fn long(mut builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let packed = builder.encoding == Encoding::Vop3p;
    let mut sources: u8 = 0;
    let last = spec.operands.len().saturating_sub(1);
    let signs = builder.own(if packed { "neg_lo" } else { "neg" });
    let magnitudes = builder.own(if packed { "neg_hi" } else { "abs" });
    for (index, operand) in push_destination(&mut builder, spec) {
        match operand {
            Operand::Mask => {
                let name = match index {
                    0 => "vdst",
                    _ if index == last && index > 1 => "src2",
                    _ => "sdst",
                };
                builder.push(SlotKind::Mask, name);
            }
            Operand::Number { ty, from, sign_extension } => {
                let name = ["src0", "src1", "src2"][usize::from(sources.min(2))];
                if spec.flags.lane() {
                    builder.push(SlotKind::VectorOrLds, name);
                } else {
                    let from = match from {
                        Origin::Vector => SourceSet::Vector,
                        _ => SourceSet::Inline,
                    };
                    let modifiers = long_modifiers(spec, ty, sign_extension);
                    let slot = builder.push(SlotKind::Source(Source { ty, from, modifiers }), name);
                    slot.negate = signs + sources;
                    slot.magnitude = magnitudes + sources;
                    slot.extend = signs + sources;
                }
                sources += 1;
            }
            Operand::Lane => {
                let name = if sources == 0 { "src0" } else { "src1" };
                builder.push(SlotKind::Lane { literal: false }, name);
                sources += 1;
            }
            // More registers than a number has.
            Operand::Part { dwords, .. } => {
                let name = ["src0", "src1", "src2"][usize::from(sources.min(2))];
                builder.push(SlotKind::Vector { dwords }, name);
                sources += 1;
            }
            _ => {}
        }
    }
    let flags = spec.flags;
    if flags.row_swap() {
        // In the places of two halves that are chosen.
        let low = builder.own("op_sel");
        builder.push_at(number(Key::BoundCtrl, 0, 1), low + 1).default = Some(0);
        builder.push_at(number(Key::Fi, 0, 1), low).default = Some(0);
    }
    if flags.truth_table() {
        // In three fields: those of the signs, of the magnitudes, and of the scale.
        let slot = builder.push(number(Key::Bitop3, 0, 0xff), "neg");
        *slot = Slot { width: 3, default: Some(0), magnitude: magnitudes, ..*slot };
        let scale = builder.own("omod");
        if let Some(slot) = builder.slots.last_mut() {
            slot.extend = scale;
        }
    }
    let has_op_sel = (flags.op_sel() || flags.op_sel_all()) && builder.has("op_sel");
    if has_op_sel {
        let low = builder.own("op_sel");
        let sources = if flags.op_sel_all() { 3 } else { sources };
        let slot = builder.push_at(SlotKind::List { key: Key::OpSel, sources }, low);
        slot.default = Some(0);
        // The last bit is the destination's.
        slot.extend = if packed { NO_BIT } else { low + 3 };
    }
    let mut base = 0;
    if packed && !flags.op_sel_hi() {
        // No halves can be chosen: the bits are as for both.
        base = 3 << builder.own("op_sel_hi") | 1 << builder.own("op_sel_hi_2");
        if flags.neg_lo() {
            builder.option(SlotKind::List { key: Key::NegLo, sources }, "neg_lo", 0);
            builder.option(SlotKind::List { key: Key::NegHi, sources }, "neg_hi", 0);
        }
    } else if packed {
        // Both halves are used unless something else is said; a source that is
        // not there has its bit too.
        let third = builder.own("op_sel_hi_2");
        let slot = builder.push(SlotKind::List { key: Key::OpSelHi, sources }, "op_sel_hi");
        slot.default = Some(if flags.mix() { 0 } else { 7 });
        slot.extend = third;
        if flags.neg_lo() {
            builder.option(SlotKind::List { key: Key::NegLo, sources }, "neg_lo", 0);
            builder.option(SlotKind::List { key: Key::NegHi, sources }, "neg_hi", 0);
        }
        if sources == 2 && !flags.mix() {
            base |= 1 << third;
        }
    }
    // Before gfx8 the scalar destination lies over the bit.
    let has_carry = spec.operands.get(1) == Some(&Operand::Mask);
    let old = builder.chip.generation <= Generation::Gfx7;
    if flags.clamp() && !(has_carry && old) {
        builder.flag(Flag::Clamp);
    }
    if flags.omod() {
        builder.option(number(Key::Omod, 0, 3), "omod", 0);
    }
    variants.push(Variant {
        slots: builder.slots,
        check: Check::Vector,
        base,
        reads_vcc: flags.reads_vcc(),
    });
}

/// The code of the first movement that gives all lanes of a row the value of one; others
/// are on 32 bits alone.
const ROW_BROADCAST: i32 = 0x150;

/// Source codes that announce the extensions.
const SDWA_MARK: Bits = 249;
const DPP_MARK: Bits = 250;

/// Adds the operands of a form with an extension; tells whether VCC is read, and the number
/// of sources.
fn extended(builder: &mut Builder<'_>, spec: &OperandSpec) -> (bool, usize) {
    let sdwa = builder.extension == Some(Layout::Sdwa);
    let from = match builder.chip.generation {
        Generation::Gfx9 if sdwa => SourceSet::SdwaInline,
        _ => SourceSet::ShortVector,
    };
    let mut reads_vcc = spec.flags.reads_vcc();
    let mut sources = 0;
    let last = spec.operands.len().saturating_sub(1);
    for (index, operand) in push_destination(builder, spec) {
        match operand {
            Operand::Mask if is_compare(spec) && from == SourceSet::SdwaInline => {
                // VCC has a bit of its own: none.
                let (low, scalar) = (builder.second("sdst"), builder.second("sd"));
                builder.push_at(SlotKind::Mask, low).scalar = scalar;
            }
            Operand::Mask => {
                reads_vcc |= index == last && index > 1;
                builder.push_word(SlotKind::Vcc);
            }
            Operand::Number { ty, .. } => {
                let (low, scalar) = match sources {
                    0 => (builder.second("src0"), builder.second("s0")),
                    _ => (builder.own("vsrc1"), builder.second("s1")),
                };
                let modifiers = match ty.is_float() {
                    true => Modifiers::Float,
                    false if sdwa && !spec.flags.byte_source() => Modifiers::Integer,
                    false => Modifiers::None,
                };
                let [negate, magnitude, extend] = ["neg", "abs", "sext"]
                    .map(|change| builder.second(&format!("src{sources}_{change}")));
                let slot = builder.push_at(SlotKind::Source(Source { ty, from, modifiers }), low);
                *slot = Slot { negate, magnitude, extend, scalar, ..*slot };
                sources += 1;
            }
            _ => {}
        }
    }
    (reads_vcc, sources)
}

fn sdwa(mut builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let gfx9 = builder.chip.generation == Generation::Gfx9;
    let compare = is_compare(spec);
    let (reads_vcc, sources) = extended(&mut builder, spec);
    let has_result = !spec.operands.is_empty();
    if has_result && !(compare && gfx9) {
        builder.second_option(SlotKind::Flag(Flag::Clamp), "clamp", 0);
    }
    if gfx9 && has_float_result(spec) && !compare {
        builder.second_option(number(Key::Omod, 0, 3), "omod", 0);
    }
    if spec.flags.byte_source() {
        // All of the result is written, and no field says how.
        builder.second_option(number(Key::Src0Sel, 0, 6), "src0_sel", 6);
        let base = SDWA_MARK | 6 << builder.second("dst_sel");
        let (slots, check) = (builder.slots, Check::Vector);
        variants.push(Variant { slots, check, base, reads_vcc });
        return;
    }
    if has_result && !compare {
        // What is added to must be the whole register.
        let lowest = if spec.flags.reads_destination() { 6 } else { 0 };
        builder.second_option(number(Key::DstSel, lowest, 6), "dst_sel", 6);
        builder.second_option(number(Key::DstUnused, 0, 2), "dst_unused", 2);
    }
    let selections = [(Key::Src0Sel, "src0_sel"), (Key::Src1Sel, "src1_sel")];
    for (key, name) in selections.into_iter().take(sources) {
        builder.second_option(number(key, 0, 6), name, 6);
    }
    let (slots, check) = (builder.slots, Check::Vector);
    variants.push(Variant { slots, check, base: SDWA_MARK, reads_vcc });
}

fn dpp(mut builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let (reads_vcc, _) = extended(&mut builder, spec);
    let wide = |operand: &Operand| matches!(operand, Operand::Number { ty, .. } if ty.bits == 64);
    let has_broadcast = builder.chip.has("gfx90a-insts");
    let (lowest, highest) = match spec.operands.iter().any(wide) {
        true => (ROW_BROADCAST, ROW_BROADCAST + 15),
        false if has_broadcast => (0, ROW_BROADCAST + 15),
        false => (0, ROW_BROADCAST - 1),
    };
    builder.push_at(number(Key::DppCtrl, lowest, highest), builder.second("dpp_ctrl"));
    builder.second_option(number(Key::RowMask, 0, 15), "row_mask", 15);
    builder.second_option(number(Key::BankMask, 0, 15), "bank_mask", 15);
    builder.second_option(number(Key::BoundCtrl, 0, 1), "bound_ctrl", 0);
    let (slots, check) = (builder.slots, Check::Vector);
    variants.push(Variant { slots, check, base: DPP_MARK, reads_vcc });
}

/// Interpolation, in its own encoding and in the long one.
pub(crate) fn interpolation(
    mut builder: Builder<'_>,
    spec: &OperandSpec,
    variants: &mut Vec<Variant>,
) {
    let long = builder.encoding == Encoding::Vop3;
    let mut sources = 0;
    for (_, operand) in push_destination(&mut builder, spec) {
        // In the long encoding the attribute is where the first source would be.
        let name = match (long, sources) {
            (false, _) => "vsrc",
            (true, 0) => "src1",
            (true, _) => "src2",
        };
        match operand {
            Operand::Number { ty, .. } if long => {
                let source = Source { ty, from: SourceSet::Vector, modifiers: Modifiers::Float };
                let place = if sources == 0 { 1 } else { 2 };
                let (negate, magnitude) = (builder.own("neg") + place, builder.own("abs") + place);
                let slot = builder.push(SlotKind::Source(source), name);
                slot.negate = negate;
                slot.magnitude = magnitude;
                sources += 1;
            }
            Operand::Number { ty, .. } => {
                builder.push(SlotKind::Vector { dwords: ty.dwords() }, name);
            }
            Operand::AttributePart => {
                builder.push(SlotKind::AttributePart, name);
            }
            Operand::Attribute => {
                let (low, channel) = if long {
                    let low = builder.own("src0");
                    (low, low + 6)
                } else {
                    (builder.own("attr"), builder.own("attrchan"))
                };
                builder.push_at(SlotKind::Attribute, low).scalar = channel;
            }
            _ => {}
        }
    }
    if long {
        let flags = spec.flags;
        if flags.high() {
            let low = builder.own("src0") + 8;
            builder.push_at(SlotKind::Flag(Flag::High), low).default = Some(0);
        }
        if flags.clamp() {
            builder.flag(Flag::Clamp);
        }
        if flags.omod() {
            builder.option(number(Key::Omod, 0, 3), "omod", 0);
        }
    }
    variants.push(Variant::new(builder.slots, Check::None));
}
