//! The text of what is not a plain operand: suffixes, modifiers, names.

use std::fmt::Write as _;

use source::digits;

use super::buffer_format::{DATA, DATA_PREFIX, NUMBER_PREFIX, number_name};
use super::decode::Reading;
use super::form::{Bits, InstDesc, Modifiers, NO_BIT, ScalarOffset, Slot, SlotKind, Source};
use super::modifier::{BARE_MOVEMENTS, Key, MOVEMENTS, Movement, SELECTIONS, UNUSED};
use super::names::{self, NameKind};
use super::operands::Immediate;
use super::set::InstructionSet;
use super::special::{
    ATTRIBUTE_PARTS, CHANNELS, COUNTERS, EXPORT_TARGETS, INDEX_MODES, counter_limit, counter_name,
    counter_value, no_wait, operation_kind,
};
use super::special::{FFT, ROTATE};
use crate::Target;
use crate::encoding::{Encoding, Extension};
use crate::mnemonics::FormSuffix;

/// Writes to a string, which cannot fail.
macro_rules! put {
    ($out:expr, $($argument:tt)*) => {{
        let _ = write!($out, $($argument)*);
    }};
}

/// Writes the mnemonic, with the suffix of its form where there are several.
pub(crate) fn mnemonic(out: &mut String, form: &InstDesc, set: InstructionSet) {
    out.push_str(form.name());
    out.push_str(suffix(form, set).map_or("", FormSuffix::name));
}

/// Returns the suffix of a form, where its opcode has several.
pub(crate) fn suffix(form: &InstDesc, set: InstructionSet) -> Option<FormSuffix> {
    match form.extension {
        Extension::Sdwa => Some(FormSuffix::Sdwa),
        Extension::Dpp => Some(FormSuffix::Dpp),
        _ => {
            let long = |encoding: Encoding| encoding.is_long_vector();
            let is_long = long(form.encoding);
            let forms = set.forms_of(form.opcode());
            let other = forms.iter().any(|other| long(other.encoding) != is_long);
            match (other, is_long) {
                (true, true) => Some(FormSuffix::Long),
                // Without operands only the longer one needs a word.
                (true, false) if !form.slots().is_empty() => Some(FormSuffix::Short),
                _ => None,
            }
        }
    }
}

/// Returns whether a source is negated, and whether its magnitude is taken.
pub(super) fn signs(reading: &Reading, slot: &Slot, source: Source) -> (bool, bool) {
    match source.modifiers {
        Modifiers::Float => (reading.bit(slot.negate), reading.bit(slot.magnitude)),
        Modifiers::Sign => (reading.bit(slot.negate), false),
        _ => (false, false),
    }
}

/// Writes a number in hexadecimal digits behind `0x`.
pub(crate) fn prefixed_hex(out: &mut String, value: u64) {
    out.push_str("0x");
    digits::hex(out, value, 1);
}

/// Adds a word, with a blank before it if another is there.
pub(crate) fn word(out: &mut String, word: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

/// Small integers as they are, others by their bits.
fn sixteen(out: &mut String, value: u64) {
    match value as u16 as i16 {
        small @ -16..=64 => digits::signed(out, small.into()),
        _ => prefixed_hex(out, value & 0xffff),
    }
}

pub(crate) fn scalar_offset(
    out: &mut String,
    rule: ScalarOffset,
    value: u64,
    literal: Option<u32>,
) -> bool {
    match rule {
        ScalarOffset::Literal => {
            let Some(literal) = literal else { return false };
            prefixed_hex(out, literal.into());
        }
        ScalarOffset::Signed21 if value >> 20 == 1 => {
            put!(out, "-{:#x}", (1 << 21) - value);
        }
        _ => prefixed_hex(out, value),
    }
    true
}

pub(crate) fn list(
    out: &mut String,
    form: &InstDesc,
    slot: &Slot,
    (key, sources): (Key, u8),
    bits: Bits,
) {
    let read = |low: u8, width: u8| (bits >> (low & 127)) as u64 & ((1 << width) - 1);
    let (value, count, usual) = match key {
        Key::OpSelHi => {
            let high = if sources == 3 { read(slot.extend, 1) << 2 } else { 0 };
            let usual = u64::from(slot.default.unwrap_or(0)) & ((1 << sources) - 1);
            (read(slot.low, 2) | high, sources, usual)
        }
        Key::OpSel if slot.extend != NO_BIT => {
            (read(slot.low, sources) | read(slot.extend, 1) << sources, sources + 1, 0)
        }
        _ => (read(slot.low, sources), sources, 0),
    };
    // Beside scales they are always written.
    if value == usual && !(key == Key::OpSelHi && form.flags().scaled()) {
        return;
    }
    put!(out, "{}:[", key.name());
    for place in 0..count {
        put!(out, "{}{}", if place > 0 { "," } else { "" }, (value >> place) & 1);
    }
    out.push(']');
}

/// A modifier with a number; false where the number is none of its values.
pub(crate) fn number(
    out: &mut String,
    form: &InstDesc,
    slot: &Slot,
    key: Key,
    lowest: i32,
    value: u64,
) -> bool {
    let name = key.name();
    match key {
        Key::Omod => out.push_str(["", "mul:2", "mul:4", "div:2"][(value & 3) as usize]),
        Key::DstSel | Key::Src0Sel | Key::Src1Sel => {
            let Some(word) = SELECTIONS.get(value as usize) else { return false };
            put!(out, "{name}:{word}");
            return value as i64 >= i64::from(lowest);
        }
        Key::DstUnused => {
            let Some(word) = UNUSED.get(value as usize) else { return false };
            put!(out, "{name}:{word}");
        }
        Key::DppCtrl => return movement(out, value),
        Key::RowMask | Key::BankMask => put!(out, "{name}:{value:#x}"),
        Key::BoundCtrl if value == 1 => put!(out, "{name}:1"),
        Key::Dmask if value != 0 => put!(out, "{name}:{value:#x}"),
        Key::Offset if form.flags().swizzle() && value != 0 => {
            out.push_str("offset:");
            swizzle(out, value, has_fft(form));
        }
        Key::Offset if form.encoding == Encoding::Smem => {
            out.push_str("offset:");
            let signed = lowest < 0;
            let rule = if signed { ScalarOffset::Signed21 } else { ScalarOffset::Unsigned20 };
            return scalar_offset(out, rule, value, None);
        }
        _ if value != 0 => {
            let sign = 1_u64 << (slot.width.max(1) - 1);
            let value = if lowest < 0 && value & sign != 0 {
                value as i64 - (1 << slot.width)
            } else {
                value as i64
            };
            out.push_str(name);
            out.push(':');
            digits::signed(out, value);
        }
        _ => {}
    }
    true
}

/// The table of a function of three bits.
pub(crate) fn truth_table(out: &mut String, value: u64) {
    match value {
        0 => {}
        1..=9 => put!(out, "bitop3:{value}"),
        _ => put!(out, "bitop3:{value:#x}"),
    }
}

fn movement(out: &mut String, value: u64) -> bool {
    let code = value as i64;
    if code <= 0xff {
        put!(out, "quad_perm:[{}]", lanes(value));
    } else if let Some((name, _)) = BARE_MOVEMENTS.iter().find(|(_, own)| *own == code) {
        out.push_str(name);
    } else {
        let numbered = |(name, numbers, first): &Movement| {
            let number = code - first + numbers.start();
            numbers.contains(&number).then_some((*name, number))
        };
        let Some((name, number)) = MOVEMENTS.iter().find_map(numbered) else { return false };
        put!(out, "{name}:{number}");
    }
    true
}

/// The lane that each lane of four reads.
fn lanes(value: u64) -> String {
    [0, 2, 4, 6].map(|low| ((value >> low) & 3).to_string()).join(",")
}

/// Tells whether a form is of a chip whose patterns of lanes have rotations and butterflies.
fn has_fft(form: &InstDesc) -> bool {
    form.slots().iter().any(|slot| matches!(slot.kind, SlotKind::VectorOrAccumulator { .. }))
}

fn swizzle(out: &mut String, value: u64, has_fft: bool) {
    let (and, or, xor) = (value & 31, (value >> 5) & 31, (value >> 10) & 31);
    let group = 32 - and;
    if value & 0xff00 == 0x8000 {
        put!(out, "swizzle(QUAD_PERM,{})", lanes(value));
    } else if has_fft && value & !31 == FFT {
        put!(out, "swizzle(FFT,{})", value & 31);
    } else if has_fft && value & !0x7e0 == ROTATE {
        put!(out, "swizzle(ROTATE,{},{})", value >> 10 & 1, value >> 5 & 31);
    } else if value & 0x8000 != 0 {
        put!(out, "{value}");
    } else if and == 31 && or == 0 && xor.is_power_of_two() {
        put!(out, "swizzle(SWAP,{xor})");
    } else if and == 31 && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
        put!(out, "swizzle(REVERSE,{})", xor + 1);
    } else if group > 1 && group.is_power_of_two() && or < group && xor == 0 {
        put!(out, "swizzle(BROADCAST,{group},{or})");
    } else if or & and != 0 || xor & !and != 0 {
        // Letters say what becomes of each bit, not how: this would read back
        // as other numbers.
        put!(out, "{value}");
    } else {
        out.push_str("swizzle(BITMASK_PERM,\"");
        for place in (0..5).rev() {
            let bit = |mask: u64| (mask >> place) & 1 == 1;
            out.push(match (bit(and), bit(or), bit(xor)) {
                (true, _, true) => 'i',
                (true, _, false) => 'p',
                (false, true, _) => '1',
                (false, false, _) => '0',
            });
        }
        out.push_str("\")");
    }
}

/// Operands that have a text of their own; false where the value is none of theirs.
pub(super) fn special(out: &mut String, reading: &Reading, slot: &Slot) -> bool {
    let (target, value) = (reading.target, reading.value(slot));
    match slot.kind {
        SlotKind::Immediate(Immediate::Optional) if value == 0 => {}
        SlotKind::Immediate(Immediate::Unsigned | Immediate::Either) => prefixed_hex(out, value),
        SlotKind::Immediate(Immediate::Cut) => sixteen(out, value),
        SlotKind::Immediate(Immediate::Optional) | SlotKind::Branch => digits::decimal(out, value),
        SlotKind::Probe => match value {
            0..=64 => put!(out, "{value}"),
            _ => put!(out, "{value:#x}"),
        },
        SlotKind::HardwareRegister => hardware_register(out, value, target),
        SlotKind::WaitCounters => wait_counters(out, value, target),
        SlotKind::Message => message(out, value, target),
        SlotKind::IndexMode => {
            out.push_str("gpr_idx(");
            let mut first = true;
            for (bit, mode) in INDEX_MODES.iter().enumerate() {
                if value & (1 << bit) != 0 {
                    put!(out, "{}{mode}", if first { "" } else { "," });
                    first = false;
                }
            }
            out.push(')');
        }
        SlotKind::Attribute => {
            let channel = (reading.bits >> (slot.scalar & 63)) & 3;
            let channel = CHANNELS[channel as usize];
            put!(out, "attr{value}.{channel}");
            return value <= 32;
        }
        SlotKind::AttributePart => {
            let Some(part) = ATTRIBUTE_PARTS.get(value as usize) else { return false };
            out.push_str(part);
        }
        SlotKind::ExportTarget => {
            let found = EXPORT_TARGETS.iter().find(|(_, first, count)| {
                (u64::from(*first)..u64::from(*first) + u64::from(*count)).contains(&value)
            });
            let Some((name, first, count)) = found else { return false };
            out.push_str(name);
            if *count > 1 {
                put!(out, "{}", value - u64::from(*first));
            }
        }
        SlotKind::Format => format(out, value, target),
        _ => return false,
    }
    true
}

fn hardware_register(out: &mut String, value: u64, target: Target) {
    let (id, offset, width) = (value & 63, (value >> 6) & 31, (value >> 11) + 1);
    out.push_str("hwreg(");
    match names::name_of(NameKind::HardwareRegister, id, target.features()) {
        Some(name) => out.push_str(name),
        None => put!(out, "{id}"),
    }
    if (offset, width) != (0, 32) {
        put!(out, ", {offset}, {width}");
    }
    out.push(')');
}

fn wait_counters(out: &mut String, value: u64, target: Target) {
    let generation = target.generation();
    let counters = COUNTERS.map(|counter| {
        let limit = counter_limit(counter, generation);
        (counter_name(counter), counter_value(value, counter, generation), limit)
    });
    if value & !no_wait(generation) != 0 {
        // Bits that count nothing would be lost.
        put!(out, "{value:#x}");
        return;
    }
    let all = counters.iter().all(|(_, value, limit)| value == limit);
    for (name, value, limit) in counters {
        if all || value != limit {
            word(out, name);
            out.push('(');
            digits::decimal(out, value);
            out.push(')');
        }
    }
}

fn message(out: &mut String, value: u64, target: Target) {
    let (id, operation, stream) = (value & 15, (value >> 4) & 7, (value >> 8) & 3);
    let whole = id | operation << 4 | stream << 8;
    let kind = operation_kind(id);
    let name = names::name_of(NameKind::Message, id, target.features());
    let operation_name = kind.and_then(|kind| names::name_of(kind, operation, target.features()));
    let has_stream = matches!(id, 2 | 3) && operation != 0;
    let plain = whole != value;
    match (name, kind, operation_name) {
        _ if plain => put!(out, "{}", value as i64),
        (Some(name), None, _) if operation == 0 && stream == 0 => {
            put!(out, "sendmsg({name})");
        }
        (Some(name), Some(_), Some(operation)) if has_stream => {
            put!(out, "sendmsg({name}, {operation}, {stream})");
        }
        (Some(name), Some(_), Some(operation)) if stream == 0 && id != 2 => {
            put!(out, "sendmsg({name}, {operation})");
        }
        _ => put!(out, "sendmsg({id}, {operation}, {stream})"),
    }
}

fn format(out: &mut String, value: u64, target: Target) {
    let (data, number) = ((value & 15) as usize, (value >> 4) as usize);
    if value == u64::from(super::buffer_format::DEFAULT) {
        return;
    }
    out.push_str("format:[");
    if data != super::buffer_format::DEFAULT as usize {
        put!(out, "{DATA_PREFIX}{}", DATA[data]);
    }
    if number != 0 {
        let comma = if out.ends_with('[') { "" } else { "," };
        let name = number_name(number, target.generation());
        put!(out, "{comma}{NUMBER_PREFIX}{name}");
    }
    out.push(']');
}
