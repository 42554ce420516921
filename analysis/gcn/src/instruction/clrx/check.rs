//! Rules over the whole of an instruction that differ in CLRX.

use crate::encoding::Extension;
use crate::instruction::Asked;
use crate::instruction::encode::{self, Assembly};
use crate::instruction::error::{Code, LineError};
use crate::instruction::features::Features;
use crate::instruction::form::{Check, Form, Kind};
use crate::instruction::parse::{Parsed, Value};

pub(super) fn check(
    form: &Form,
    assembly: &Assembly,
    operands: &[Parsed],
    features: &Features,
    suffix: Asked,
) -> Result<(), LineError> {
    if suffix == Asked::Short && assembly.literal.is_some() && form.extension == Extension::None {
        let place = operands
            .iter()
            .find(|operand| matches!(operand.value, Value::Encoded(_)))
            .map_or(0..0, Parsed::range);
        let message = "CLRX refuses a literal with `_e32`, since both together are 64 bits";
        return Err(LineError::new(Code::Literal, place, message));
    }
    lists(form, operands)?;
    match form.check {
        Check::Image => super::forms::check_image(form, assembly, operands),
        Check::Vector => encode::check(form, assembly, operands, features),
        _ => Ok(()),
    }
}

/// A list has as many elements as there are sources, and with `op_sel` outside
/// the packed instructions one for the destination.
fn lists(form: &Form, operands: &[Parsed]) -> Result<(), LineError> {
    for operand in operands {
        let Value::List(given, _, count) = operand.value else { continue };
        let sources = form.slots.iter().filter(|slot| matches!(slot.kind, Kind::Source(_))).count();
        let with_destination = form.slots.iter().any(|slot| {
            matches!(slot.kind, Kind::List { key, .. } if key == given)
                && slot.extend != crate::instruction::form::NO_BIT
                && given == crate::instruction::modifier::Key::OpSel
        });
        let wanted = sources + usize::from(with_destination);
        if count != super::modifier::ANY_COUNT && usize::from(count) != wanted {
            let message = format!("this list has {wanted} elements in CLRX");
            return Err(LineError::new(Code::Modifier, operand.range(), message));
        }
    }
    Ok(())
}
