//! Slots of scalar arithmetic and program control.

use super::builder::{Builder, Variant};
use crate::plain::encoding::Encoding;
use crate::plain::operand::{Immediate, Operand, OperandRow, Origin, Type};
use crate::plain::slot::{Check, Kind, ScalarSet};

pub(crate) fn slots(mut builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let immediate = builder.own("simm16");
    let mut sources = 0;
    for operand in signature.operands {
        match *operand {
            Operand::Scalar { dwords, .. } => {
                let low = builder.own("sdst");
                builder.push(Kind::Scalar { dwords, set: ScalarSet::All, shift: 0 }, low);
            }
            Operand::Number { ty, from, .. } => {
                let low = builder.own(if sources == 0 { "s0" } else { "s1" });
                sources += 1;
                builder.push(source(ty, from), low);
            }
            Operand::Immediate(Immediate::Optional) => {
                builder.option(Kind::Immediate(Immediate::Optional), immediate, 0);
            }
            Operand::Immediate(rule) => {
                builder.push(Kind::Immediate(rule), immediate);
            }
            Operand::Branch => {
                builder.push(Kind::Branch, immediate);
            }
            Operand::HardwareRegister => {
                builder.push(Kind::HardwareRegister, immediate);
            }
            Operand::WaitCounters => {
                builder.push(Kind::WaitCounters, immediate);
            }
            Operand::Message => {
                builder.push(Kind::Message, immediate);
            }
            Operand::IndexMode => {
                let low =
                    if builder.encoding == Encoding::Sopc { builder.own("s1") } else { immediate };
                builder.push(Kind::IndexMode, low);
            }
            Operand::Literal => {
                builder.push(Kind::Literal(Type::WORD), 0);
            }
            _ => {}
        }
    }
    variants.push(Variant::new(builder.slots, Check::Scalar));
}

fn source(ty: Type, from: Origin) -> Kind {
    Kind::ScalarSource { ty, from }
}
