//! Slots of scalar arithmetic and program control.

use super::builder::{Builder, Variant};
use crate::plain::encoding::Encoding;
use crate::plain::operand::{Immediate, Operand, OperandRow, Type};
use crate::plain::slot::{Check, Kind, ScalarSet};

pub(crate) fn slots(mut builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let mut sources = ["s0", "s1"].into_iter();
    for operand in signature.operands {
        match *operand {
            Operand::Scalar { dwords, .. } => {
                builder.push(Kind::Scalar { dwords, set: ScalarSet::All, shift: 0 }, "sdst");
            }
            Operand::Number { ty, from, .. } => {
                builder.push(Kind::ScalarSource { ty, from }, sources.next().unwrap_or("s1"));
            }
            Operand::Immediate(Immediate::Optional) => {
                builder.option(Kind::Immediate(Immediate::Optional), "simm16", 0);
            }
            Operand::Literal => {
                builder.push_word(Kind::Literal(Type::WORD));
            }
            Operand::IndexMode if builder.encoding == Encoding::Sopc => {
                builder.push(Kind::IndexMode, "s1");
            }
            _ => {
                if let Some(kind) = immediate(*operand) {
                    builder.push(kind, "simm16");
                }
            }
        }
    }
    variants.push(Variant::new(builder.slots, Check::Scalar));
}

/// Returns what takes an operand in the sixteen bits of the instruction.
fn immediate(operand: Operand) -> Option<Kind> {
    Some(match operand {
        Operand::Immediate(rule) => Kind::Immediate(rule),
        Operand::Branch => Kind::Branch,
        Operand::HardwareRegister => Kind::HardwareRegister,
        Operand::WaitCounters => Kind::WaitCounters,
        Operand::Message => Kind::Message,
        Operand::IndexMode => Kind::IndexMode,
        _ => return None,
    })
}
