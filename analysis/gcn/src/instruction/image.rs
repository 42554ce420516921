//! Rules of image instructions: how many registers the data takes.

use super::encode::Assembly;
use super::error::Code;
use super::features::Features;
use super::form::{Form, Kind};
use super::modifier::{Flag, Key};
use super::parse::{Parsed, Value};
use crate::image::{DataModifiers, count_registers};

/// The value of the slot of a kind; 0 where the form has none.
fn value(form: &Form, bits: u64, is: fn(Kind) -> bool) -> u64 {
    form.slots
        .iter()
        .find(|slot| is(slot.kind))
        .map_or(0, |slot| (bits >> slot.low) & ((1_u64 << slot.width) - 1))
}

fn is_dmask(kind: Kind) -> bool {
    matches!(kind, Kind::Number { key: Key::Dmask, .. })
}

/// The registers that four texels take.
pub(crate) const GATHERED: u64 = 4;

/// The components that move, a bit for each.
pub(crate) fn dmask(form: &Form, bits: u64) -> u64 {
    value(form, bits, is_dmask)
}

/// The registers that an image instruction's data takes.
pub(crate) fn data_dwords(form: &Form, features: &Features, bits: u64) -> u64 {
    let flag = |is: fn(Kind) -> bool| value(form, bits, is) != 0;
    let modifiers = DataModifiers {
        dmask: dmask(form, bits) as u8,
        tfe: flag(|kind| kind == Kind::Flag(Flag::Tfe)),
        d16: flag(|kind| kind == Kind::Flag(Flag::D16)),
    };
    u64::from(count_registers(form.traits, modifiers, features))
}

pub(crate) fn check(
    form: &Form,
    assembly: &Assembly,
    operands: &[Parsed],
    features: &Features,
) -> Result<(), (Code, usize, String)> {
    let bits = assembly.bits;
    let dmask = dmask(form, bits);
    let place = operands
        .iter()
        .position(|operand| matches!(operand.value, Value::Keyed(Key::Dmask, _)))
        .unwrap_or(0);
    let name = form.mnemonic.name;
    if form.traits.gather() && dmask.count_ones() != 1 {
        let message = format!("`{name}` gathers one component: `dmask` has exactly one bit");
        return Err((Code::DataSize, place, message));
    }
    if form.traits.atomic() && !matches!(dmask, 1 | 3 | 15) {
        let message = format!("`{name}` takes a `dmask` of 0x1, 0x3 or 0xf");
        return Err((Code::DataSize, place, message));
    }
    let wanted = data_dwords(form, features, bits);
    let given = match operands.first().map(|operand| operand.value) {
        Some(Value::Register(register)) => u64::from(register.dwords),
        _ => 0,
    };
    if wanted != given {
        let why = if form.traits.gather() { "four texels" } else { "`dmask`" };
        let message = format!(
            "`{name}` moves {wanted} registers by {why}, `tfe` and `d16`, but {given} are named"
        );
        return Err((Code::DataSize, 0, message));
    }
    let smallest = if form.traits.pair() { 2 } else { 1 };
    if wanted < smallest {
        let message = format!("`{name}` needs value and comparand: `dmask` 0x3 or 0xf");
        return Err((Code::DataSize, place, message));
    }
    Ok(())
}
