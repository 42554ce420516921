//! Rules over the whole of an instruction that differ in CLRX.

use crate::Generation;
use crate::codes;
use crate::encoding::{Encoding, Extension};
use crate::instruction::check::{self, Broken, constant_bus};
use crate::instruction::encode::Assembly;
use crate::instruction::form::{Check, InstDesc, NO_BIT, Slot, SlotKind};
use crate::instruction::image;
use crate::instruction::modifier::{Flag, Key};
use crate::instruction::parse::{Parsed, Value};
use crate::mnemonics::FormSuffix;

pub(super) fn check(
    assembly: &Assembly<'_>,
    operands: &[Parsed],
    suffix: Option<FormSuffix>,
) -> Result<(), Broken> {
    short_literal(assembly, operands, suffix)?;
    lists(assembly.form, operands)?;
    stored_offset(assembly, operands)?;
    exported_halves(assembly, operands)?;
    status_of_data_share(operands)?;
    words_asked_for(assembly, suffix)?;
    match assembly.form.check {
        Check::Image => check_image(assembly, operands),
        Check::Vector => constant_bus(assembly),
        Check::Returns(false) => check::check(assembly, operands),
        _ => Ok(()),
    }
}

fn short_literal(
    assembly: &Assembly<'_>,
    operands: &[Parsed],
    suffix: Option<FormSuffix>,
) -> Result<(), Broken> {
    if suffix != Some(FormSuffix::Short)
        || assembly.literal.is_none()
        || assembly.form.extension != Extension::None
    {
        return Ok(());
    }
    let is_literal =
        |operand: &Parsed| matches!(operand.value, Value::Encoded(_) | Value::Unresolved);
    let place = operands.iter().position(is_literal).unwrap_or(0);
    let message = "CLRX refuses a literal with `_e32`, since both together are 64 bits";
    Err((codes::LITERAL, place, message.to_owned()))
}

/// Tells whether a slot is a source that an element of a list is for.
fn is_source(kind: SlotKind) -> bool {
    matches!(kind, SlotKind::Source(_) | SlotKind::Attribute)
}

/// Halves that are exported together are in one register: it is named twice.
fn exported_halves(assembly: &Assembly<'_>, operands: &[Parsed]) -> Result<(), Broken> {
    if assembly.form.encoding != Encoding::Exp || !has(operands, Flag::Compr) {
        return Ok(());
    }
    let register = |index: usize| operands.get(index).and_then(Parsed::register);
    for first in [1, 3] {
        let pair = register(first).zip(register(first + 1));
        if pair.is_some_and(|(one, other)| one != other) {
            let message = "with `compr` both operands of a pair name the same register";
            return Err((codes::OPERAND, first + 1, message.to_owned()));
        }
    }
    Ok(())
}

/// Refuses a status where the data go to the local data share and not to a register.
fn status_of_data_share(operands: &[Parsed]) -> Result<(), Broken> {
    if has(operands, Flag::Lds) && has(operands, Flag::Tfe) {
        let message = "`lds` and `tfe` exclude each other: no register is written";
        return Err((codes::MODIFIER, 0, message.to_owned()));
    }
    Ok(())
}

/// `_e64` and `_e32` of what has no long encoding ask for two words and for one.
fn words_asked_for(assembly: &Assembly<'_>, suffix: Option<FormSuffix>) -> Result<(), Broken> {
    let Assembly { form, literal, .. } = assembly;
    let long = form.words == 2 || literal.is_some();
    if form.encoding.is_vector() || suffix.is_none() || long == (suffix == Some(FormSuffix::Long)) {
        return Ok(());
    }
    let words = if long { "two words" } else { "one word" };
    let message = format!("`{}` has {words} here, and the suffix asks for others", form.name());
    Err((codes::MODIFIER, 0, message))
}

fn has(operands: &[Parsed], flag: Flag) -> bool {
    operands.iter().any(|it| it.value == Value::Flag(flag, true))
}

/// A list has as many elements as there are sources, and with `op_sel` outside
/// the packed instructions one for the destination.
fn lists(form: &InstDesc, operands: &[Parsed]) -> Result<(), Broken> {
    for (index, operand) in operands.iter().enumerate() {
        let Value::List(given, _, count) = operand.value else { continue };
        let sources = form.slots().iter().filter(|slot| is_source(slot.kind)).count();
        let with_destination = form.slots().iter().any(|slot| {
            matches!(slot.kind, SlotKind::List { key, .. } if key == given)
                && slot.extend != NO_BIT
                && given == Key::OpSel
        });
        let wanted = sources + usize::from(with_destination);
        if count != super::modifier::ANY_COUNT && usize::from(count) != wanted {
            let message = format!("this list has {wanted} elements in CLRX");
            return Err((codes::MODIFIER, index, message));
        }
    }
    Ok(())
}

/// On gfx8 what writes scalar memory takes its offset from M0 alone.
fn stored_offset(assembly: &Assembly<'_>, operands: &[Parsed]) -> Result<(), Broken> {
    let Assembly { form, target, .. } = assembly;
    let probes = matches!(form.slots().first().map(|slot| slot.kind), Some(SlotKind::Probe));
    let writes = form.flags().store() || form.flags().atomic() || probes;
    if form.encoding != Encoding::Smem || target.generation() != Generation::Gfx8 || !writes {
        return Ok(());
    }
    let offset =
        (2..operands.len()).find(|at| operands[*at].register().is_some_and(|it| !it.is_m0()));
    match offset {
        None => Ok(()),
        Some(index) => {
            let message = format!("`{}` takes its offset from m0 alone", form.name());
            Err((codes::OPERAND, index, message))
        }
    }
}

/// Rules of images: the data is as large as `dmask` and `tfe` say, and what
/// writes has `unorm`.
fn check_image(assembly: &Assembly<'_>, operands: &[Parsed]) -> Result<(), Broken> {
    let Assembly { form, target, .. } = assembly;
    let name = form.name();
    if image::dmask(form, assembly.bits) == 0 {
        let message = format!("`{name}` moves nothing: `dmask` is 0");
        return Err((codes::DATA_SIZE, image::dmask_place(operands), message));
    }
    let unorm = operands.iter().any(|it| it.value == Value::Flag(Flag::Unorm, true));
    if (form.flags().store() || form.flags().atomic()) && !unorm {
        let message = format!("`{name}` needs `unorm`, since it writes whole texels");
        return Err((codes::MODIFIER, 0, message));
    }
    // An older LLVM wrote 16 registers for 9 to 12.
    let address = operands.get(1).and_then(Parsed::register).map(|it| it.dwords);
    let takes =
        |slot: &Slot| matches!(slot.kind, SlotKind::Vector { dwords } if Some(dwords) == address);
    if !form.slots().iter().any(takes) {
        let message = format!("`{name}` takes no address of 16 registers");
        return Err((codes::OPERAND, 1, message));
    }
    // CLRX counts no status behind what was gathered.
    let wanted = if form.flags().gather() {
        image::GATHERED
    } else {
        image::data_dwords(form, *target, assembly.bits)
    };
    let given = image::named_registers(operands);
    if wanted != given {
        let message = format!(
            "`{name}` moves {wanted} registers by `dmask`, `tfe` and `d16`, but {given} are named"
        );
        return Err((codes::DATA_SIZE, 0, message));
    }
    Ok(())
}
