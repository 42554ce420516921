//! An image instruction as it is used: what each register of its address and data holds.

use std::fmt::Write as _;

use crate::Target;
use crate::dialect::Dialect;
use crate::encoding::Encoding;
use crate::formula;
use crate::image::{self, Shape};
use crate::instruction::form::{Slot, SlotKind};
use crate::instruction::{InstructionSet, Recognised, Register, image as rules, registers};

/// Returns the first register of an address or of data, by its slot.
fn register(found: &Recognised, is_it: impl Fn(&Slot) -> bool, target: Target) -> Option<Register> {
    if found.form.encoding != Encoding::Mimg {
        return None;
    }
    let slot = found.form.slots().iter().find(|slot| is_it(slot))?;
    registers(found.form, slot, found.bits, target)
}

fn is_address(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Vector { .. })
}

fn is_data(slot: &Slot) -> bool {
    slot.kind == SlotKind::Vectors
}

/// Gives the address of an image as many registers as the text names: its words do not say.
/// In CLRX's dialect a gather does not name the register of the status.
pub(super) fn name_registers(found: &mut Recognised, address: u8, set: InstructionSet) {
    name(found, is_address, address, set.target());
    if set.dialect() == Dialect::Clrx && found.form.flags().gather() {
        name(found, is_data, rules::GATHERED as u8, set.target());
    }
}

fn name(found: &mut Recognised, is_it: fn(&Slot) -> bool, count: u8, target: Target) {
    let Some(first) = register(found, is_it, target) else { return };
    let form = found.form;
    let piece = found.pieces.iter_mut().find(|(index, _)| is_it(&form.slots()[*index]));
    if let Some((_, text)) = piece {
        *text = Register { dwords: count, ..first }.name(target);
    }
}

/// Returns a formula with the types and halves that the mask of an image's atomic asks for.
pub(super) fn formula(found: &Recognised, formula: &str, target: Target) -> String {
    let flags = found.form.flags();
    let data = register(found, is_data, target).filter(|_| flags.atomic());
    let Some(data) = data else { return formula.to_owned() };
    let width = rules::data(found.form, target, found.bits).moved();
    let value = if flags.pair() { (width / 2).max(1) } else { width };
    let text = if value > 1 { formula::of_64_bits(formula) } else { formula.to_owned() };
    let part = |first: u8| {
        Register { first: data.first + u16::from(first), dwords: value, ..data }.name(target)
    };
    if !flags.pair() {
        return text;
    }
    let text = text.replace("DATA[0]", &part(0)).replace("DATA[1]", &part(value));
    formula::with_operands(&text, &|symbol| (symbol == "D").then(|| part(0)))
}

/// Returns what each register of an image instruction's address and data holds; empty for
/// others. `named`: the registers of the address that the text names.
pub(super) fn registers_page(found: &Recognised, named: Option<u8>, target: Target) -> String {
    let mut text = String::new();
    let address = register(found, is_address, target);
    let Some((address, data)) = address.zip(register(found, is_data, target)) else { return text };
    let (array, packing) = rules::address_fields(found.form, found.bits);
    let all = image::shapes(found.form.opcode(), array, packing);
    let with = if array { " with `da`" } else { "" };
    let shapes = fitting(&all, named);
    if let Some(named) = named.filter(|_| shapes.is_empty()) {
        let _ = writeln!(text, "No image{with} has an address of {named} registers:\n");
    }
    let _ = writeln!(text, "| image{with} | address |\n|---|---|");
    for shape in if shapes.is_empty() { all.iter().collect() } else { shapes } {
        let held = held(address.first, &shape.registers, target);
        let _ = writeln!(text, "| {} | {held} |", shape.dimension.name());
    }
    let names = rules::data(found.form, target, found.bits).names();
    let _ = writeln!(text, "\nData: {}.\n", held(data.first, &names, target));
    text
}

/// Returns the shapes of images that an address of so many registers may be of: those that it
/// fits, else the largest of those that need fewer. All of them where nobody says.
fn fitting(all: &[Shape], named: Option<u8>) -> Vec<&Shape> {
    let Some(named) = named.map(usize::from) else { return all.iter().collect() };
    let below = all.iter().map(|shape| shape.registers.len()).filter(|size| *size <= named);
    let size = below.max();
    all.iter().filter(|shape| Some(shape.registers.len()) == size).collect()
}

/// Returns registers one after the other, each with what it holds.
fn held(first: u16, names: &[String], target: Target) -> String {
    let register = |number: u16| Register::vector(number, 1).name(target);
    let held = (first..).zip(names).map(|(number, name)| format!("{} {name}", register(number)));
    held.collect::<Vec<_>>().join(", ")
}
