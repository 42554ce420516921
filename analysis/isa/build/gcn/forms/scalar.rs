//! Slots of scalar arithmetic and program control.

use super::builder::{Builder, Variant};
use crate::plain::encoding::Encoding;
use crate::plain::operand::{Immediate, Operand, OperandSpec, Type};
use crate::plain::slot::{Check, ScalarSet, SlotKind};

pub(crate) fn slots(mut builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let mut sources = ["s0", "s1"].into_iter();
    for operand in spec.operands {
        match *operand {
            Operand::Scalar { dwords, .. } => {
                builder.push(SlotKind::Scalar { dwords, set: ScalarSet::All, shift: 0 }, "sdst");
            }
            Operand::Number { ty, from, .. } => {
                builder.push(SlotKind::ScalarSource { ty, from }, sources.next().unwrap_or("s1"));
            }
            Operand::Immediate(Immediate::Optional) => {
                builder.option(SlotKind::Immediate(Immediate::Optional), "simm16", 0);
            }
            Operand::Literal => {
                builder.push_word(SlotKind::Literal(Type::WORD));
            }
            Operand::IndexMode if builder.encoding == Encoding::Sopc => {
                builder.push(SlotKind::IndexMode, "s1");
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
fn immediate(operand: Operand) -> Option<SlotKind> {
    Some(match operand {
        Operand::Immediate(rule) => SlotKind::Immediate(rule),
        Operand::Branch => SlotKind::Branch,
        Operand::HardwareRegister => SlotKind::HardwareRegister,
        Operand::WaitCounters => SlotKind::WaitCounters,
        Operand::Message => SlotKind::Message,
        Operand::IndexMode => SlotKind::IndexMode,
        _ => return None,
    })
}
