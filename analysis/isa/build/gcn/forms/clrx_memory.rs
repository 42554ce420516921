//! The changes that CLRX makes to forms of memory.

use super::memory::part;
use super::{Chip, Form};
use crate::plain::Generation;
use crate::plain::encoding::{Encoding, Layout};
use crate::plain::operand::{Operand, OperandSpec};
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

/// Images: addresses have sizes of their own, and halves are everywhere.
pub(crate) fn image(mut form: Form, spec: &OperandSpec, chip: &Chip<'_>, forms: &mut Vec<Form>) {
    let parts = |wanted| {
        spec.operands.iter().filter_map(move |operand| match operand {
            Operand::Part { letter, dwords } if *letter == wanted => Some(*dwords),
            _ => None,
        })
    };
    let is_address = |slot: &&mut Slot| matches!(slot.kind, SlotKind::Vector { .. });
    let size = |form: &mut Form, dwords| {
        let address = form.slots.iter_mut().filter(is_address);
        address.for_each(|slot| slot.kind = SlotKind::Vector { dwords });
    };
    // Built once for each size that LLVM has: the first of them stands for all.
    let first = parts('a').next().map(|dwords| SlotKind::Vector { dwords });
    if !form.slots.iter().any(|slot| Some(slot.kind) == first) {
        return;
    }
    if chip.generation >= Generation::Gfx8 {
        form.option(SlotKind::Flag(Flag::D16), Layout::Of(form.encoding), Flag::D16.name(), chip);
    }
    let (least, most) = (parts('x').min(), parts('x').max());
    for dwords in least.unwrap_or(1)..=most.unwrap_or(0) {
        let mut sized = form.clone();
        size(&mut sized, dwords);
        match chip.generation {
            Generation::Gfx9 => forms.push(sized),
            _ => descriptions(sized, forms),
        }
    }
}

/// The registers of an image's description that `r128` asks for.
const SHORT_DESCRIPTION: u8 = 4;

/// Images before gfx9: with `r128` their description is half as long.
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
    forms.push(long);
    forms.push(short);
}
