//! The changes that CLRX makes to forms: defaults, and what an instruction may say.

use super::builder::is_compare;
use super::clrx_memory as memory;
use super::{Chip, Form};
use crate::plain::Generation;
use crate::plain::encoding::{Encoding, Extension, Layout, OpEncoding};
use crate::plain::operand::{Immediate, NumberKind, OperandSpec, Origin, Type};
use crate::plain::slot::{
    Bits, Check, Flag, Key, Modifiers, NO_BIT, OffsetRule, ScalarSet, Slot, SlotKind, Source,
    SourceSet,
};

/// Returns an encoding as CLRX has it: comparisons move lanes wherever they select bytes.
pub(crate) fn with_lane_movement(place: &OpEncoding) -> OpEncoding {
    OpEncoding { dpp: place.dpp || (place.sdwa && place.encoding == Encoding::Vopc), ..*place }
}

/// Returns the long encoding that CLRX gives to what has the short one alone.
pub(crate) fn missing_long(places: &[OpEncoding], generation: Generation) -> Option<OpEncoding> {
    let [place] = places else { return None };
    let first = if generation < Generation::Gfx8 { 0x180 } else { 0x140 };
    (place.encoding == Encoding::Vop1).then_some(OpEncoding {
        encoding: Encoding::Vop3,
        opcode: place.opcode + first,
        dpp: false,
        sdwa: false,
    })
}

/// Adds a form that was built for LLVM, changed.
pub(crate) fn adapt(mut form: Form, spec: &OperandSpec, chip: &Chip<'_>, forms: &mut Vec<Form>) {
    if form.slots.iter().any(|slot| slot.kind == SlotKind::FormatParts) {
        return;
    }
    if form.extension == Extension::Sdwa && form.slots.is_empty() {
        // Fields of no operand are filled all the same, where a scalar could be one.
        if chip.generation == Generation::Gfx9 {
            form.base |= NO_SELECTIONS;
            forms.push(form);
        }
        return;
    }
    form.slots.retain(|slot| !is_unknown(slot.kind));
    let changes = source_changes(&form);
    for slot in &mut form.slots {
        change_default(slot);
        change_kind(slot, form.encoding, changes);
    }
    if form.slots.iter().any(Slot::is_positional) {
        match (form.extension, form.encoding) {
            (Extension::Sdwa, _) => selections(&mut form, spec, chip),
            (_, Encoding::Vop3) => long(&mut form, chip),
            (_, Encoding::Vop3p) => packed(&mut form),
            _ => {}
        }
    }
    if is_compare(spec) {
        widen_mask_of_classes(&mut form);
    }
    match form.encoding {
        Encoding::Mubuf | Encoding::Mtbuf => memory::buffer(form, spec, chip, forms),
        Encoding::Flat | Encoding::Global | Encoding::Scratch => memory::flat(form, chip, forms),
        Encoding::Smem => forms.push(memory::scalar(form, chip)),
        Encoding::Ds => forms.push(memory::data_share(form, spec, chip)),
        Encoding::Mimg => memory::image(form, spec, chip, forms),
        // Halves of registers are not paired.
        Encoding::Exp => forms.push(Form { check: Check::None, ..form }),
        _ => forms.push(form),
    }
}

/// The selection of a whole result that is not there, from a scalar.
const NO_SELECTIONS: Bits = 0x0080_0600 << 32;

/// Slots that CLRX has no words for.
fn is_unknown(kind: SlotKind) -> bool {
    matches!(
        kind,
        SlotKind::Number { rule: OffsetRule::Absent, .. }
            | SlotKind::Immediate(Immediate::Optional)
    )
}

fn change_default(slot: &mut Slot) {
    slot.default = match slot.kind {
        SlotKind::Number { key: Key::Dmask, .. } => Some(1),
        // The rest of the register becomes zero.
        SlotKind::Number { key: Key::DstUnused, .. } => Some(0),
        // Lanes stay where they are.
        SlotKind::Number { key: Key::DppCtrl, .. } => Some(0xe4),
        SlotKind::List { key: Key::OpSelHi, .. } => Some(7),
        // Nothing is left out that names a register.
        SlotKind::Vcc => None,
        _ => slot.default,
    };
}

/// Says what may be done to the sources of a form, integers too: where the scalar
/// destination lies, there are no bits for magnitudes.
fn source_changes(form: &Form) -> Option<Modifiers> {
    let sdst = SCALAR_DESTINATION;
    let in_place = |slot: &Slot| matches!(slot.kind, SlotKind::Mask) && slot.low == sdst;
    match (form.extension, form.encoding) {
        (Extension::Sdwa, _) => Some(Modifiers::All),
        (Extension::Dpp, _) => Some(Modifiers::Float),
        (_, Encoding::Vop3) if form.slots.iter().any(in_place) => Some(Modifiers::Sign),
        (_, Encoding::Vop3) => Some(Modifiers::Float),
        _ => None,
    }
}

/// The lowest bit of the scalar destination in the long encoding.
const SCALAR_DESTINATION: u8 = 8;

/// The bits of a source that can be any register.
const ANY_REGISTER: u8 = 9;

fn change_kind(slot: &mut Slot, encoding: Encoding, changes: Option<Modifiers>) {
    let any = |from| SlotKind::Source(Source { ty: Type::WORD, from, modifiers: Modifiers::None });
    match &mut slot.kind {
        SlotKind::Source(source) if slot.negate != NO_BIT => {
            source.modifiers = match (encoding, source.modifiers) {
                (Encoding::Vop3p, Modifiers::None) => Modifiers::Sign,
                (_, modifiers) => changes.unwrap_or(modifiers),
            };
        }
        // Lanes are read and written whatever register says which.
        SlotKind::Lane { literal: true } if slot.width == ANY_REGISTER => {
            slot.kind = any(SourceSet::Literal);
        }
        SlotKind::Lane { .. } | SlotKind::VectorOrLds if slot.width == ANY_REGISTER => {
            slot.kind = any(SourceSet::Inline);
        }
        SlotKind::IndexMode if encoding == Encoding::Sopc => slot.width = 8,
        SlotKind::IndexMode => slot.width = 16,
        SlotKind::Scalar { set, .. } if matches!(encoding, Encoding::Smrd | Encoding::Smem) => {
            *set = ScalarSet::All;
        }
        SlotKind::ScalarSource { from: from @ Origin::Inline, .. }
            if encoding == Encoding::Sop2 =>
        {
            *from = Origin::Any;
        }
        SlotKind::Immediate(rule @ Immediate::Unsigned) => *rule = Immediate::Either,
        // What is added to may be a part of a register.
        SlotKind::Number { key: Key::DstSel, lowest, .. } => *lowest = 0,
        _ => {}
    }
}

impl Form {
    fn has(&self, is_it: impl Fn(SlotKind) -> bool) -> bool {
        self.slots.iter().any(|slot| is_it(slot.kind))
    }

    /// Adds what may be said behind the operands, where the chip has a field for it.
    pub(crate) fn option(&mut self, kind: SlotKind, layout: Layout, name: &str, chip: &Chip<'_>) {
        let known = self.has(|it| match (it, kind) {
            (SlotKind::Number { key, .. }, SlotKind::Number { key: new, .. }) => key == new,
            _ => it == kind,
        });
        if let Some(field) = chip.field(layout, name).filter(|_| !known) {
            let slot = Slot::new(kind, field.low);
            self.slots.push(Slot { width: field.width, default: Some(0), ..slot });
        }
    }
}

fn number(key: Key, highest: i32) -> SlotKind {
    SlotKind::Number { key, lowest: 0, highest, rule: OffsetRule::Strict }
}

/// The code of a selection of all of a register.
const WHOLE_WORD: u32 = 6;

/// Selections of parts: every instruction has them all, a comparison on gfx8 too, though
/// its result is a mask.
fn selections(form: &mut Form, spec: &OperandSpec, chip: &Chip<'_>) {
    let gfx9 = chip.generation == Generation::Gfx9;
    if gfx9 && is_compare(spec) {
        return;
    }
    if gfx9 {
        form.option(number(Key::Omod, 3), Layout::Sdwa, "omod", chip);
    }
    form.option(number(Key::DstUnused, 2), Layout::Sdwa, "dst_unused", chip);
    let selection = number(Key::DstSel, 6);
    form.option(selection, Layout::Sdwa, "dst_sel", chip);
    let own = form.slots.iter_mut().filter(|slot| slot.kind == selection);
    own.for_each(|slot| slot.default = Some(WHOLE_WORD));
}

/// The long encoding: its fields can be set whatever the instruction is.
fn long(form: &mut Form, chip: &Chip<'_>) {
    let layout = Layout::Of(Encoding::Vop3);
    let is_mask = |slot: &Slot| slot.kind == SlotKind::Mask && slot.low == SCALAR_DESTINATION;
    let has_carry = form.slots.iter().any(is_mask);
    if form.has(|kind| kind == SlotKind::Attribute) {
        interpolated(form, chip);
    }
    if !has_carry || chip.generation > Generation::Gfx7 {
        form.option(SlotKind::Flag(Flag::Clamp), layout, "clamp", chip);
    }
    form.option(number(Key::Omod, 3), layout, "omod", chip);
    let is_list = |kind| matches!(kind, SlotKind::List { .. });
    if let Some(field) = chip.field(layout, "op_sel").filter(|_| !has_carry && !form.has(is_list)) {
        let is_source =
            |slot: &&Slot| matches!(slot.kind, SlotKind::Source(_) | SlotKind::Attribute);
        let sources = form.slots.iter().filter(is_source).count() as u8;
        let slot = Slot::new(SlotKind::List { key: Key::OpSel, sources }, field.low);
        let destination = field.low + 3;
        form.slots.push(Slot { width: sources, default: Some(0), extend: destination, ..slot });
    }
}

/// The bit of the half of an attribute, above its number and channel.
const HALF_OF_ATTRIBUTE: u8 = 8;

/// Interpolation in the long encoding: the third source can be scalar, and the attribute
/// has halves.
fn interpolated(form: &mut Form, chip: &Chip<'_>) {
    let layout = Layout::Of(Encoding::Vop3);
    let third = chip.low(layout, "src2");
    for slot in form.slots.iter_mut().filter(|slot| slot.low == third) {
        if let SlotKind::Source(source) = &mut slot.kind {
            source.from = SourceSet::Inline;
        }
    }
    let half = SlotKind::Flag(Flag::High);
    if !form.has(|kind| kind == half) {
        let slot = Slot::new(half, chip.low(layout, "src0") + HALF_OF_ATTRIBUTE);
        form.slots.push(Slot { width: 1, default: Some(0), ..slot });
    }
}

/// Pairs of halves: all bits are set where nothing is said, and a list says them all.
fn packed(form: &mut Form) {
    for slot in &mut form.slots {
        if let SlotKind::List { key: Key::OpSelHi, sources } = &mut slot.kind {
            *sources = 3;
            form.base &= !(1 << slot.extend);
        }
    }
}

/// The classes to compare with are as wide as the value.
fn widen_mask_of_classes(form: &mut Form) {
    let mut sources = form
        .slots
        .iter_mut()
        .filter(|slot| matches!(slot.kind, SlotKind::Source(_) | SlotKind::Vector { .. }));
    let first = sources.next().map(|slot| slot.kind);
    let Some(SlotKind::Source(Source { ty: Type { bits: 64, .. }, .. })) = first else { return };
    match sources.next().map(|slot| &mut slot.kind) {
        Some(SlotKind::Vector { dwords }) => *dwords = 2,
        Some(SlotKind::Source(source)) if source.ty.bits < 64 => {
            source.ty = Type { kind: NumberKind::Integer, bits: 64 };
        }
        _ => {}
    }
}
