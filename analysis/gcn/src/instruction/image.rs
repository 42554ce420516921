//! Rules of image instructions: how many registers the data takes.

use super::check::Broken;
use super::encode::{Assembly, Reason};
use super::form::{Bits, InstDesc, Slot, SlotKind};
use super::modifier::{Flag, Key};
use super::parse::{Parsed, Value};
use super::set::InstructionSet;
use crate::encoding::Encoding;
use crate::image::{Data, DataModifiers, Packing};
use crate::{Target, codes};

/// Returns what the fields say that count registers; 0 where the form has no such field.
///
/// All are found in one walk over the slots: a line would else spend most of its
/// time there.
fn modifiers(form: &InstDesc, bits: Bits) -> DataModifiers {
    let mut modifiers = DataModifiers { dmask: 0, tfe: false, d16: false };
    for slot in form.slots() {
        match slot.kind {
            SlotKind::Number { key: Key::Dmask, .. } => modifiers.dmask = slot.value(bits) as u8,
            SlotKind::Flag(Flag::Tfe) => modifiers.tfe = slot.value(bits) != 0,
            SlotKind::Flag(Flag::D16) => modifiers.d16 = slot.value(bits) != 0,
            _ => {}
        }
    }
    modifiers
}

/// Tells how the parts of an image instruction's address lie, and whether it is of images
/// with layers or faces.
pub(crate) fn address_fields(form: &InstDesc, bits: Bits) -> (bool, Packing) {
    let has = |flag| {
        let is_flag = |slot: &&Slot| slot.kind == SlotKind::Flag(flag);
        form.slots().iter().find(is_flag).is_some_and(|slot| slot.value(bits) != 0)
    };
    (has(Flag::Da), if has(Flag::A16) { Packing::Halves } else { Packing::Whole })
}

/// The registers that four texels take.
pub(crate) const GATHERED: u64 = 4;

/// The components that move, a bit for each.
pub(crate) fn dmask(form: &InstDesc, bits: Bits) -> u64 {
    u64::from(modifiers(form, bits).dmask)
}

/// Returns the data of an image instruction.
pub(crate) fn data(form: &InstDesc, target: Target, bits: Bits) -> Data {
    Data::of(form.opcode(), modifiers(form, bits), target)
}

/// The registers that an image instruction's data takes.
pub(crate) fn data_dwords(form: &InstDesc, target: Target, bits: Bits) -> u64 {
    data(form, target, bits).registers().into()
}

pub(crate) fn check(assembly: &Assembly<'_>, operands: &[Parsed]) -> Result<(), Broken> {
    let Assembly { form, target, .. } = assembly;
    let modifiers = modifiers(form, assembly.bits);
    let dmask = modifiers.dmask;
    let place = || dmask_place(operands);
    let name = form.name();
    if form.flags().gather() && dmask.count_ones() != 1 {
        let message = format!("`{name}` gathers one component: `dmask` has exactly one bit");
        return Err((codes::DATA_SIZE, place(), message));
    }
    // Four components are two values of 64 bits: only value and comparand take them.
    let whole = form.flags().pair() && dmask == 15;
    if form.flags().atomic() && !matches!(dmask, 1 | 3) && !whole {
        let masks = if form.flags().pair() { "0x3 or 0xf" } else { "0x1 or 0x3" };
        let message = format!("`{name}` takes a `dmask` of {masks}");
        return Err((codes::DATA_SIZE, place(), message));
    }
    let wanted = u64::from(Data::of(form.opcode(), modifiers, *target).registers());
    let given = named_registers(operands);
    if wanted != given {
        let why = if form.flags().gather() { "four texels" } else { "`dmask`" };
        let message = format!(
            "`{name}` moves {wanted} registers by {why}, `tfe` and `d16`, but {given} are named"
        );
        return Err((codes::DATA_SIZE, 0, message));
    }
    let smallest = if form.flags().pair() { 2 } else { 1 };
    if wanted < smallest {
        let message = format!("`{name}` needs value and comparand: `dmask` 0x3 or 0xf");
        return Err((codes::DATA_SIZE, place(), message));
    }
    Ok(())
}

/// The sizes of an address that the forms of an image instruction take.
fn sizes_of(forms: &[InstDesc]) -> impl Iterator<Item = u8> + '_ {
    let forms = forms.iter().filter(|form| form.encoding == Encoding::Mimg);
    let size = |slot: &Slot| match slot.kind {
        SlotKind::Vector { dwords } => Some(dwords),
        _ => None,
    };
    forms.flat_map(move |form| form.slots().iter().filter_map(size))
}

/// Tells whether an address has the size that disassemblers write: the encoding has its first
/// register only, so they name as few as an assembler takes, whichever image it is of.
pub(crate) fn is_disassembled(form: &InstDesc, target: Target, named: u8) -> bool {
    let forms = InstructionSet::of(target).forms_of(form.opcode());
    sizes_of(forms).min() == Some(named)
}

/// The sizes of an address that the forms of an image instruction take, in ascending order.
pub(crate) fn address_sizes(forms: &[InstDesc]) -> Vec<u8> {
    let mut sizes: Vec<u8> = sizes_of(forms).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Returns the sizes of an address in words where that is what was wanted, and is not one
/// size alone.
#[cold]
pub(super) fn sizes_in_words(forms: &[InstDesc], reason: Reason) -> Option<String> {
    if !matches!(reason, Reason::Wanted(SlotKind::Vector { .. })) {
        return None;
    }
    let sizes = address_sizes(forms);
    let (least, most) = (*sizes.first()?, *sizes.last()?);
    let is_gap = |pair: &[u8]| pair[1] > pair[0] + 1;
    Some(match sizes.windows(2).find(|pair| is_gap(pair)) {
        Some(gap) => format!("{least} to {} or {most} vector registers", gap[0]),
        None => format!("{least} to {most} vector registers"),
    })
}

/// The place of `dmask` among operands.
pub(super) fn dmask_place(operands: &[Parsed]) -> usize {
    let is_dmask = |it: &Parsed| matches!(it.value, Value::Keyed(Key::Dmask, _));
    operands.iter().position(is_dmask).unwrap_or(0)
}

/// Counts the data registers that operands name.
pub(super) fn named_registers(operands: &[Parsed]) -> u64 {
    operands.first().and_then(Parsed::register).map_or(0, |it| it.dwords.into())
}
