//! Messages about operands that do not fit.

use super::encode::{Mismatch, Reason};
use super::form::{InstDesc, SlotKind, SourceSet};
use super::modifier::Flag;
use super::operands::{NumberKind, Type};
use super::parse::{Parsed, Value};
use super::register::Bank;
use crate::codes;
use crate::encoding::Encoding;

/// The code and the sentence of a mismatch.
pub(crate) fn explain(
    form: &InstDesc,
    mismatch: Mismatch,
    operand: &Parsed,
    target: &str,
) -> (source::Code, String) {
    let name = form.name();
    match mismatch.reason {
        Reason::Wanted(kind) => (codes::OPERAND, format!("`{name}` takes {} here", describe(kind))),
        Reason::Literal if operand.literal => (
            codes::LITERAL,
            format!(
                "`lit()` makes a literal of this constant, and `{name}` has no place for one in {}",
                form.encoding.name()
            ),
        ),
        Reason::Literal => (
            codes::LITERAL,
            format!(
                "this constant has no short code, and `{name}` has no place for a literal in {}",
                form.encoding.name()
            ),
        ),
        Reason::TwoLiterals => {
            (codes::LITERAL, "an instruction carries one literal; these two differ".to_owned())
        }
        Reason::Unfit(ty) => {
            (codes::RANGE, format!("this number does not fit {}", describe_type(ty)))
        }
        Reason::Range(lowest, highest) => {
            let what = match operand.value {
                Value::Keyed(key, value) => format!("`{}` is {value}, and", key.name()),
                Value::Integer(value) => format!("this number is {value}, and"),
                _ => "this number".to_owned(),
            };
            (codes::RANGE, format!("{what} must be {lowest} to {highest}"))
        }
        Reason::Absent(key) => (codes::MODIFIER, format!("{target} has no `{}` here", key.name())),
        Reason::Modifiers => (codes::MODIFIER, format!("`{name}` takes this operand as it is")),
        Reason::Odd => {
            (codes::REGISTER, format!("`{name}` takes a register with an even number here"))
        }
        Reason::Banks => (
            codes::OPERAND,
            format!(
                "one bit of `{name}` says whether its registers are vector or accumulation \
                 registers: these must be of the same kind as those before"
            ),
        ),
        Reason::Extra => {
            (codes::EXTRA_OPERAND, format!("`{name}` takes no such operand, or not at this place"))
        }
    }
}

/// The field of flat encodings that holds the address.
const FLAT_ADDRESS: u8 = 32;

/// The address of global memory that does not fit its base, which is written last: one
/// register beside a scalar base, two without.
pub(crate) fn address<'a>(
    form: &InstDesc,
    mismatch: Mismatch,
    operands: &'a [Parsed],
) -> Option<(&'a Parsed, String)> {
    let name = form.name();
    let Reason::Wanted(wanted) = mismatch.reason else { return None };
    let base = operands.get(mismatch.operand)?;
    let place = form.slots().iter().position(|slot| slot.low == FLAT_ADDRESS)?;
    let address = operands.get(place).filter(|_| form.encoding == Encoding::Global)?;
    let register = address.register().filter(|it| it.bank == Bank::Vector)?;
    let has_base = base.register().is_some_and(|it| it.bank == Bank::Scalar && it.dwords == 2);
    let message = match wanted {
        SlotKind::Off { .. } if has_base && register.dwords == 2 => format!(
            "with a scalar base `{name}` takes one vector register as address, the offset to the base"
        ),
        SlotKind::Scalar { .. } | SlotKind::ScalarSource { .. }
            if matches!(base.value, Value::Flag(Flag::Off, _)) && register.dwords == 1 =>
        {
            format!("without a scalar base `{name}` takes 2 vector registers as address")
        }
        _ => return None,
    };
    Some((address, message))
}

/// Returns what a slot takes, for "takes … here".
pub(crate) fn describe(kind: SlotKind) -> String {
    let registers = |what: &str, dwords: u8| match dwords {
        1 => format!("one {what} register"),
        _ => format!("{dwords} {what} registers"),
    };
    match kind {
        SlotKind::Vector { dwords } => registers("vector", dwords),
        SlotKind::VectorOrAccumulator { dwords } => registers("vector or accumulation", dwords),
        SlotKind::Sum { dwords, .. } => {
            format!("{} or a small constant", registers("vector or accumulation", dwords))
        }
        SlotKind::Accumulator { dwords } => registers("accumulation", dwords),
        SlotKind::Vectors => "vector registers".to_owned(),
        SlotKind::VectorOrLds => "one vector register".to_owned(),
        SlotKind::Scalar { dwords, .. } => registers("scalar", dwords),
        SlotKind::Mask => "a pair of scalar registers, a bit for every lane".to_owned(),
        SlotKind::Vcc => "vcc".to_owned(),
        SlotKind::Source(source) => match source.from {
            SourceSet::Vector | SourceSet::ShortVector => registers("vector", source.ty.dwords()),
            _ => format!("{} or a constant", registers("vector or scalar", source.ty.dwords())),
        },
        SlotKind::ScalarSource { ty, .. } => {
            format!("{} or a constant", registers("scalar", ty.dwords()))
        }
        SlotKind::Lane { .. } => "a scalar register or small constant".to_owned(),
        SlotKind::Literal(_) | SlotKind::Immediate(_) => "a number".to_owned(),
        SlotKind::Branch => "a label or a distance".to_owned(),
        SlotKind::HardwareRegister => "hwreg(…) or a number".to_owned(),
        SlotKind::WaitCounters => "counters or a number".to_owned(),
        SlotKind::Message => "sendmsg(…) or a number".to_owned(),
        SlotKind::IndexMode => "gpr_idx(…) or a number".to_owned(),
        SlotKind::Attribute => "an attribute such as attr0.x".to_owned(),
        SlotKind::AttributePart => "p0, p10 or p20".to_owned(),
        SlotKind::ExportTarget => "an export target".to_owned(),
        SlotKind::ExportSource { .. } => "one vector register or `off`".to_owned(),
        SlotKind::Off { .. } => "`off`".to_owned(),
        SlotKind::ScalarOffset(_) => "an offset".to_owned(),
        SlotKind::Probe => "a number".to_owned(),
        SlotKind::CachePolicy { words, .. } => {
            let [first, second, third] = super::modifier::cache::words(words).map(|it| it.0);
            format!("`{first}`, `{second}` or `{third}`")
        }
        SlotKind::Flag(flag) => format!("`{}`", flag.name()),
        SlotKind::Number { key, .. } | SlotKind::List { key, .. } => format!("`{}:`", key.name()),
        SlotKind::Format | SlotKind::FormatParts => "`format:`".to_owned(),
    }
}

fn describe_type(ty: Type) -> String {
    let kind = match ty.kind {
        NumberKind::Float => "float",
        NumberKind::Integer => "integer",
        NumberKind::PackedFloat => "packed floats",
        NumberKind::PackedInteger => "packed integers",
        NumberKind::UpperFloat => "upper half of a float",
        NumberKind::PackedUpperFloat => "packed upper halves of floats",
    };
    format!("{} bits ({kind})", ty.bits)
}
