//! The text of a slot: registers, constants and signs, read from its bits.

use super::constant::{self, LITERAL};
use super::decode::{Reading, registers};
use super::form::{Modifiers, NO_BIT, ScalarSet, Slot, SlotKind, Source, SourceSet};
use super::modifier::{Key, cache};
use super::operands::{Origin, Type};
use super::print;
use super::register::{Bank, Register, code};
use super::register_names::{self, by_code};
use crate::Target;

/// Writes a slot behind nothing; false where its value is none.
pub(super) fn write_slot(out: &mut String, reading: &Reading, slot: &Slot) -> bool {
    use SlotKind::*;
    let Reading { form, target, bits, literal } = *reading;
    let value = reading.value(slot);
    let code = value as u16;
    let register = registers(form, slot, bits, target);
    let write = |out: &mut String| {
        let found = register.and_then(|it| existing(it, target));
        found.inspect(|it| register_names::write(out, *it, target)).is_some()
    };
    match slot.kind {
        Vector { .. } => (slot.width < 9 || code >= 256) && write(out),
        Vectors | Vcc => write(out),
        Accumulator { .. } | VectorOrAccumulator { .. } => {
            (slot.width < 9 || code >= 256) && write(out)
        }
        Sum { ty, .. } if code < 256 => constant::write_code(out, code, ty),
        Sum { .. } => write(out),
        VectorOrLds => (code >= 256 || code == code::LDS_DIRECT) && write(out),
        Mask if slot.scalar != NO_BIT && !reading.bit(slot.scalar) => value == 0 && write(out),
        // The code of its upper half says that there is no register.
        Scalar { set: ScalarSet::NoExecHigh, .. } if code == code::EXEC + 1 => false,
        Scalar { .. } | Mask => register.is_some_and(|it| !it.is_read_only()) && write(out),
        Source(source) => write_source(out, reading, slot, source),
        ScalarSource { from: Origin::Register, .. } => {
            register.is_some_and(|it| !it.is_read_only()) && write(out)
        }
        ScalarSource { ty, .. } => match code {
            LITERAL => write_literal(out, literal, ty.bits),
            _ => write(out) || constant::write_code(out, code, ty),
        },
        Lane { .. } => match code {
            LITERAL => write_literal(out, literal, 32),
            _ => write(out) || constant::write_code(out, code, Type::WORD),
        },
        ExportSource { .. } if register.is_none() => {
            out.push_str("off");
            true
        }
        ExportSource { .. } => write(out),
        Literal(ty) => write_literal(out, literal, ty.bits),
        Off { code } => {
            out.push_str("off");
            slot.width == 0 || value == u64::from(code)
        }
        ScalarOffset(rule) => print::scalar_offset(out, rule, value, literal),
        CachePolicy { slc, scc, words } => {
            let places = [slot.low, slc, scc].into_iter();
            for (place, (word, _)) in places.zip(cache::words(words)) {
                if reading.bit(place) {
                    print::word(out, word);
                }
            }
            true
        }
        // Modifiers that must be there distinguish forms.
        Flag(flag) => {
            if value == 1 {
                out.push_str(flag.name());
            }
            value == 1 || slot.default.is_some()
        }
        FormatParts => false,
        List { key, sources } => {
            print::list(out, form, slot, (key, sources), bits);
            true
        }
        Number { key: Key::Bitop3, .. } => {
            let field = |low: u8| (bits >> (low & 127)) as u64;
            let value = value | (field(slot.magnitude) & 7) << 3 | (field(slot.extend) & 3) << 6;
            print::truth_table(out, value);
            true
        }
        Number { key: Key::Cbsz | Key::Blgp | Key::DppCtrl, lowest, highest, .. }
            if !(i64::from(lowest)..=i64::from(highest)).contains(&(value as i64)) =>
        {
            false
        }
        Number { key, lowest, .. } => print::number(out, form, slot, key, lowest, value),
        _ => print::special(out, reading, slot),
    }
}

/// Returns registers, where the chip has them and they are an aligned group.
pub(super) fn existing(register: Register, target: Target) -> Option<Register> {
    let Register { bank, first, dwords } = register;
    match bank {
        Bank::Scalar => by_code(first, dwords, target),
        Bank::Vector | Bank::Accumulator => {
            let is_aligned = !register.is_odd_group(target);
            (dwords > 0 && first + u16::from(dwords) <= 256 && is_aligned).then_some(register)
        }
    }
}

/// The bits of a literal: a pair has a whole word.
pub(super) fn literal_bits(ty: Type) -> u8 {
    if ty.is_pair() { 32 } else { ty.bits }
}

fn write_literal(out: &mut String, literal: Option<u32>, bits: u8) -> bool {
    let Some(value) = literal else { return false };
    // The upper half means nothing.
    let value = if bits == 16 { value & 0xffff } else { value };
    print::prefixed_hex(out, value.into());
    true
}

fn write_source(out: &mut String, reading: &Reading, slot: &Slot, source: Source) -> bool {
    let Reading { form, target, bits, literal } = *reading;
    let code = reading.value(slot) as u16;
    let (negated, absolute) = print::signs(reading, slot, source);
    let extended = source.modifiers == Modifiers::Integer && reading.bit(slot.extend);
    let Some(register) = registers(form, slot, bits, target) else { return false };
    let found = existing(register, target);
    // `-1` would be another number than 1 negated.
    let number = match source.from {
        _ if register.bank == Bank::Vector => false,
        SourceSet::Vector => return false,
        SourceSet::VectorOrConstant => true,
        SourceSet::Literal if code == LITERAL => true,
        _ => found.is_none(),
    };
    match (negated, absolute) {
        (true, true) => out.push_str("-|"),
        (true, false) if number => out.push_str("neg("),
        (true, false) => out.push('-'),
        (false, true) => out.push('|'),
        (false, false) => {}
    }
    if extended {
        out.push_str("sext(");
    }
    let written = match (found, source.from) {
        (Some(register), _) if !number => {
            register_names::write(out, register, target);
            true
        }
        (_, SourceSet::Literal) if code == LITERAL => {
            write_literal(out, literal, literal_bits(source.ty))
        }
        _ => number && constant::write_code(out, code, source.ty),
    };
    if extended || (negated && !absolute && number) {
        out.push(')');
    }
    if absolute {
        out.push('|');
    }
    written
}
