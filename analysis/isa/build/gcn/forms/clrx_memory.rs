//! The changes that CLRX makes to forms of memory.

use super::memory::part;
use super::{Chip, Form};
use crate::plain::Generation;
use crate::plain::encoding::{Encoding, Layout};
use crate::plain::operand::OperandSpec;
use crate::plain::slot::{Flag, Key, ScalarOffset, Slot, SlotKind};

/// Buffers: an address may be named that is not used, one that is not used left out; all
/// data may have a register of status, and all untyped data go to the local data share.
pub(crate) fn buffer(mut form: Form, spec: &OperandSpec, chip: &Chip<'_>, forms: &mut Vec<Form>) {
    let is_flag = |flag| move |slot: &Slot| slot.kind == SlotKind::Flag(flag);
    if part(spec, 'd').is_none() {
        // What the local data share gives is not asked for by name.
        let own = form.slots.iter_mut().filter(|slot| is_flag(Flag::Lds)(slot));
        own.for_each(|slot| slot.default = Some(0));
        return forms.push(form);
    }
    // Those with a status and without data are made of the others below.
    if form.slots.iter().any(|slot| is_flag(Flag::Tfe)(slot) || is_flag(Flag::Lds)(slot)) {
        return;
    }
    let layout = Layout::Of(form.encoding);
    if form.encoding == Encoding::Mubuf {
        form.option(SlotKind::Flag(Flag::Lds), layout, Flag::Lds.name(), chip);
    }
    let with_status = with_status(&form, layout, chip);
    for mut form in std::iter::once(form).chain(with_status) {
        let unused = form.slots.iter_mut().find(|slot| matches!(slot.kind, SlotKind::Off { .. }));
        let Some(unused) = unused else {
            forms.push(form);
            continue;
        };
        unused.default = Some(0);
        let low = unused.low;
        let mut named = form.clone();
        forms.push(form);
        for slot in named.slots.iter_mut().filter(|it| matches!(it.kind, SlotKind::Off { .. })) {
            *slot = Slot { width: 8, ..Slot::new(SlotKind::Vector { dwords: 1 }, low) };
        }
        forms.push(named);
    }
}

/// Returns the form with one more register, which says whether pages were missing.
fn with_status(form: &Form, layout: Layout, chip: &Chip<'_>) -> Option<Form> {
    let field = chip.field(layout, Flag::Tfe.name())?;
    let mut form = form.clone();
    // What flat memory stores has no register of its own for it.
    let names = ["vdata", "vdst"];
    let is_data = |slot: &Slot| names.iter().any(|name| chip.low(layout, name) == slot.low);
    if let Some(Slot { kind: SlotKind::Vector { dwords }, .. }) =
        form.slots.first_mut().filter(|slot| is_data(slot))
    {
        *dwords += 1;
    }
    let slot = Slot::new(SlotKind::Flag(Flag::Tfe), field.low);
    form.slots.push(Slot { width: 1, ..slot });
    Some(form)
}

/// Flat memory, which has the bits of its encoding on every instruction.
pub(crate) fn flat(mut form: Form, chip: &Chip<'_>, forms: &mut Vec<Form>) {
    let layout = Layout::Of(form.encoding);
    for flag in [Flag::Lds, Flag::Nv] {
        form.option(SlotKind::Flag(flag), layout, flag.name(), chip);
    }
    let with_status = with_status(&form, layout, chip);
    forms.push(form);
    forms.extend(with_status);
}

/// Scalar memory: on gfx9 its offset has 21 bits, with or without a sign.
pub(crate) fn scalar(mut form: Form, chip: &Chip<'_>) -> Form {
    if chip.generation < Generation::Gfx9 {
        return form;
    }
    for slot in &mut form.slots {
        match &mut slot.kind {
            SlotKind::ScalarOffset(rule) => *rule = ScalarOffset::Either21,
            SlotKind::Number { key: Key::Offset, lowest, highest, .. } => {
                (*lowest, *highest) = (-0x10_0000, 0x1f_ffff);
            }
            _ => continue,
        }
        slot.width = 21;
    }
    form.option(SlotKind::Flag(Flag::Nv), Layout::Of(Encoding::Smem), Flag::Nv.name(), chip);
    form
}

/// The data share: every instruction names a register, and an ordered count may be without
/// the global data share.
pub(crate) fn data_share(mut form: Form, spec: &OperandSpec, chip: &Chip<'_>) -> Form {
    if !form.slots.iter().any(Slot::is_positional) {
        let low = chip.low(Layout::Of(Encoding::Ds), "addr");
        let slot = Slot::new(SlotKind::Vector { dwords: 1 }, low);
        form.slots.insert(0, Slot { width: 8, ..slot });
    }
    let is_gds = |slot: &&mut Slot| slot.kind == SlotKind::Flag(Flag::Gds);
    if part(spec, 'r').is_some() {
        form.slots.iter_mut().filter(is_gds).for_each(|slot| slot.default = Some(0));
    }
    form
}

/// The registers of an image's description that `r128` asks for.
const SHORT_DESCRIPTION: u8 = 4;

/// Images: with `r128` their description is half as long.
pub(crate) fn descriptions(form: Form, forms: &mut Vec<Form>) {
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
    forms.push(long);
    forms.push(short);
}
