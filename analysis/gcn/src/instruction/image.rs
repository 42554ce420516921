//! Rules of image instructions: how many registers the data takes.

use super::check::Broken;
use super::encode::Assembly;
use super::form::{InstDesc, SlotKind};
use super::modifier::{Flag, Key};
use super::parse::{Parsed, Value};
use crate::{Target, codes};
use isa::gcn::Feature;
use isa::gcn::operand::OpFlags;

/// The modifiers that decide how many registers the data of an image instruction takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct DataModifiers {
    /// The components that move; for gathers the one that is gathered.
    dmask: u8,
    /// One more register says whether pages were missing.
    tfe: bool,
    /// Components of 16 bits.
    d16: bool,
}

/// Returns what the fields say that count registers; 0 where the form has no such field.
///
/// All are found in one walk over the slots: a line would else spend most of its
/// time there.
fn modifiers(form: &InstDesc, bits: u64) -> DataModifiers {
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

/// The registers that four texels take.
pub(crate) const GATHERED: u64 = 4;

/// The components that move, a bit for each.
pub(crate) fn dmask(form: &InstDesc, bits: u64) -> u64 {
    u64::from(modifiers(form, bits).dmask)
}

/// The registers that an image instruction's data takes.
pub(crate) fn data_dwords(form: &InstDesc, target: Target, bits: u64) -> u64 {
    u64::from(count_registers(form.flags(), modifiers(form, bits), target))
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
    let wanted = u64::from(count_registers(form.flags(), modifiers, *target));
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

/// The place of `dmask` among operands.
pub(super) fn dmask_place(operands: &[Parsed]) -> usize {
    let is_dmask = |it: &Parsed| matches!(it.value, Value::Keyed(Key::Dmask, _));
    operands.iter().position(is_dmask).unwrap_or(0)
}

/// Counts the data registers that operands name.
pub(super) fn named_registers(operands: &[Parsed]) -> u64 {
    operands.first().and_then(Parsed::register).map_or(0, |it| it.dwords.into())
}

/// Counts the registers that data with these modifiers takes.
fn count_registers(flags: OpFlags, modifiers: DataModifiers, target: Target) -> u32 {
    let components = match (modifiers.dmask & 15).count_ones() {
        _ if flags.gather() => 4,
        0 => 1,
        count => count,
    };
    let packs = flags.d16() && modifiers.d16 && target.has(Feature::PackedD16);
    let registers = if packs { components.div_ceil(2) } else { components };
    registers + u32::from(modifiers.tfe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnemonics::op_info;

    #[test]
    fn data_follows_mask_status_and_halves() {
        let registers = |name: &str, dmask, tfe, d16, target: &str| {
            let info = op_info(name).expect(name);
            let target = Target::find(target).expect(target);
            let operands = info.opcode.operands(target.row().subtarget);
            let modifiers = DataModifiers { dmask, tfe, d16 };
            count_registers(operands.expect(name).flags, modifiers, target)
        };
        assert_eq!(registers("image_sample", 0xf, false, false, "gfx600"), 4);
        assert_eq!(registers("image_sample", 0x5, true, false, "gfx600"), 3);
        assert_eq!(registers("image_gather4", 0x1, false, false, "gfx600"), 4);
        // gfx803 gives each half a register of its own, gfx810 and gfx900 do not.
        assert_eq!(registers("image_load", 0x7, false, true, "gfx803"), 3);
        assert_eq!(registers("image_load", 0x7, false, true, "gfx810"), 2);
        assert_eq!(registers("image_load", 0x7, true, true, "gfx900"), 3);
    }
}
