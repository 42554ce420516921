//! The changes that CLRX makes to forms: defaults, and what an instruction may say.

use super::builder::is_compare;
use super::{Chip, Form};
use crate::plain::Generation;
use crate::plain::encoding::{Encoding, Extension, Layout};
use crate::plain::operand::{Immediate, OperandSpec, Origin};
use crate::plain::slot::{
    Check, Flag, Key, Modifiers, NO_BIT, OffsetRule, ScalarSet, Slot, SlotKind,
};

/// The lowest bit of a result's selection in the second word, and its code for
/// all of a register.
const DST_SEL: u32 = 40;
const WHOLE_WORD: u64 = 6;

/// The registers of an image's description that `r128` asks for.
const SHORT_DESCRIPTION: u8 = 4;

/// Adds a form that was built for LLVM, changed.
pub(crate) fn adapt(mut form: Form, spec: &OperandSpec, chip: &Chip<'_>, forms: &mut Vec<Form>) {
    form.slots.retain(|slot| !is_unknown(slot.kind));
    let changes = source_changes(&form);
    for slot in &mut form.slots {
        change_default(slot);
        change_kind(slot, form.encoding, changes);
    }
    let packed = form.encoding == Encoding::Vop3p;
    for slot in form.slots.iter_mut().filter(|_| packed) {
        if let SlotKind::List { key: Key::OpSelHi, sources } = &mut slot.kind {
            // All bits are set where nothing is said; a list says them all.
            *sources = 3;
            form.base &= !(1_u64 << slot.extend);
        }
    }
    let names_destination = form.slots.iter().any(|slot| matches!(slot.kind, SlotKind::Mask));
    if form.extension == Extension::Sdwa && is_compare(spec) && !names_destination {
        // The selection of a result that has none is the whole word.
        form.base |= WHOLE_WORD << DST_SEL;
    }
    match form.encoding {
        Encoding::Mubuf if spec.flags.to_lds() => to_local_data(form, chip, forms),
        Encoding::Mimg if chip.generation < Generation::Gfx9 => descriptions(form, forms),
        _ => forms.push(form),
    }
}

/// Slots that CLRX has no words for.
fn is_unknown(kind: SlotKind) -> bool {
    matches!(
        kind,
        SlotKind::Number { rule: OffsetRule::Absent, .. }
            | SlotKind::Immediate(Immediate::Optional)
            | SlotKind::FormatParts
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

/// Says what may be done to the sources of a form's long encoding, integers too: where
/// the scalar destination lies, there are no bits for magnitudes.
fn source_changes(form: &Form) -> Option<Modifiers> {
    let sdst = SCALAR_DESTINATION;
    let in_place = |slot: &Slot| matches!(slot.kind, SlotKind::Mask) && slot.low == sdst;
    match (form.encoding, form.slots.iter().any(in_place)) {
        (Encoding::Vop3, true) => Some(Modifiers::Sign),
        (Encoding::Vop3, false) => Some(Modifiers::Float),
        _ => None,
    }
}

/// The lowest bit of the scalar destination in the long encoding.
const SCALAR_DESTINATION: u8 = 8;

fn change_kind(slot: &mut Slot, encoding: Encoding, changes: Option<Modifiers>) {
    match &mut slot.kind {
        SlotKind::Source(source) if slot.negate != NO_BIT => {
            source.modifiers = changes.unwrap_or(source.modifiers);
        }
        SlotKind::Scalar { set, .. } if matches!(encoding, Encoding::Smrd | Encoding::Smem) => {
            *set = ScalarSet::All;
        }
        SlotKind::ScalarSource { from: from @ Origin::Inline, .. }
            if encoding == Encoding::Sop2 =>
        {
            *from = Origin::Any;
        }
        SlotKind::Immediate(rule @ Immediate::Unsigned) => *rule = Immediate::Either,
        _ => {}
    }
}

/// Loads that may go to the local data share name a register nonetheless.
fn to_local_data(mut form: Form, chip: &Chip<'_>, forms: &mut Vec<Form>) {
    let has_data =
        form.slots.first().is_some_and(|slot| matches!(slot.kind, SlotKind::Vector { .. }));
    if !has_data {
        return;
    }
    let layout = Layout::Of(form.encoding);
    if let Some(field) = chip.field(layout, Flag::Lds.name()) {
        let flag = Slot::new(SlotKind::Flag(Flag::Lds), field.low);
        form.slots.push(Slot { width: 1, default: Some(0), ..flag });
    }
    forms.push(form);
}

/// With `r128` the description of an image is half as long.
fn descriptions(form: Form, forms: &mut Vec<Form>) {
    let mut short = form.clone();
    for slot in &mut short.slots {
        match &mut slot.kind {
            SlotKind::Flag(Flag::R128) => slot.default = None,
            SlotKind::Scalar { dwords: dwords @ 8, .. } => *dwords = SHORT_DESCRIPTION,
            _ => {}
        }
    }
    let mut long = form;
    long.slots.retain(|slot| slot.kind != SlotKind::Flag(Flag::R128));
    debug_assert_eq!(long.check, Check::Image);
    forms.push(long);
    forms.push(short);
}
