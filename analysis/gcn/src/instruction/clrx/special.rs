//! Operands that CLRX writes in a way of its own: counters, messages, hardware
//! registers. After `@` stands the number itself.

use crate::codes;
use crate::encoding::Encoding;
use crate::instruction::cursor::Cursor;
use crate::instruction::error::LineError;
use crate::instruction::expression;
use crate::instruction::form::SlotKind;
use crate::instruction::names::{self, NameKind};
use crate::instruction::parse::Value;
use crate::instruction::special;

/// Reads the operand of a kind that has its own syntax.
pub(super) fn parse(cursor: &mut Cursor<'_>, kind: SlotKind) -> Result<Value, LineError> {
    cursor.skip_blanks();
    match kind {
        SlotKind::WaitCounters | SlotKind::Message | SlotKind::HardwareRegister
            if cursor.take(b'@') =>
        {
            Ok(Value::Integer(bounded(cursor, 0xffff)?))
        }
        SlotKind::WaitCounters => counters(cursor),
        SlotKind::Message => message(cursor),
        SlotKind::HardwareRegister => hardware_register(cursor),
        SlotKind::IndexMode => {
            let highest = if cursor.context.encoding == Encoding::Sopc { 0xff } else { 0xffff };
            Ok(Value::Integer(bounded(cursor, highest)?))
        }
        SlotKind::ExportTarget => export_target(cursor),
        SlotKind::Probe => Ok(Value::Integer(expression::eventual(cursor)?)),
        SlotKind::Branch => branch(cursor),
        SlotKind::Attribute => attribute(cursor),
        _ => special::parse(cursor, kind),
    }
}

/// A label, or an address: never a distance.
fn branch(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    expression::trimmed(cursor)?;
    Ok(Value::Unresolved)
}

/// `attr3.x`: the attribute, and above its six bits the channel.
fn attribute(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let (mut word, mut place) = name(cursor, "ATTR");
    // Blanks may stand around the point.
    while !word.contains('.') || word.ends_with('.') {
        let mut ahead = *cursor;
        let (part, part_place) = name(&mut ahead, "");
        if part.is_empty() || !(word.ends_with('.') || part.starts_with('.')) {
            break;
        }
        word.push_str(&part);
        place.end = part_place.end;
        *cursor = ahead;
    }
    let (digits, channel) = word.split_once('.').unwrap_or((&word, ""));
    let is_channel = |name: &&str| name.eq_ignore_ascii_case(channel);
    let channel = special::CHANNELS.iter().position(is_channel);
    match (digits.parse::<i64>(), channel) {
        (Ok(number @ 0..=63), Some(channel)) => Ok(Value::Integer(number | (channel as i64) << 6)),
        _ => {
            let message = "an attribute from attr0.x to attr63.w is expected";
            Err(LineError::new(codes::OPERAND, place, message))
        }
    }
}

/// `mrt0`, `param00`: zeros before the number mean nothing.
fn export_target(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let (word, place) = cursor.placed_word();
    let word = word.to_ascii_lowercase();
    let name = word.trim_end_matches(|byte: char| byte.is_ascii_digit());
    let number = match word[name.len()..].trim_start_matches('0') {
        "" if name.len() < word.len() => "0",
        digits => digits,
    };
    special::export_target_of(&format!("{name}{number}"), place)
}

/// A name, in capitals and without a prefix that may be left out.
fn name(cursor: &mut Cursor<'_>, prefix: &str) -> (String, std::ops::Range<usize>) {
    let (word, place) = cursor.placed_word();
    let word = word.to_ascii_uppercase();
    (word.strip_prefix(prefix).map(str::to_owned).unwrap_or(word), place)
}

/// Reads a number, and cuts it to the bits of `highest`.
fn bounded(cursor: &mut Cursor<'_>, highest: i64) -> Result<i64, LineError> {
    let (value, place) = expression::placed(cursor)?;
    Ok(cursor.context.cut(value, highest, place))
}

/// `vmcnt(0) & lgkmcnt(1)`; the disassembler writes the whole number behind a
/// colon where it says more than the counters do.
fn counters(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let generation = cursor.context.target.generation();
    let mut bits = special::no_wait(generation);
    loop {
        let (word, place) = name(cursor, "");
        let Some(counter) = special::counter_named(&word.to_ascii_lowercase()) else {
            return Err(LineError::new(
                codes::OPERAND,
                place,
                "a counter is expected: vmcnt(…), expcnt(…) or lgkmcnt(…)",
            ));
        };
        cursor.expect(b'(', "a value in parentheses is expected")?;
        let limit = special::counter_limit(counter, generation) as i64;
        let value = bounded(cursor, limit)? as u64;
        bits = special::put_counter(bits, counter, generation, value);
        cursor.expect(b')', "a closing parenthesis is missing")?;
        if cursor.take(b':') {
            return Ok(Value::Integer(bounded(cursor, 0xffff)?));
        }
        let separated = cursor.take(b'&');
        if !separated && cursor.is_at_end() {
            return Ok(Value::Integer(bits as i64));
        }
    }
}

/// `sendmsg(GS, EMIT, 0)`; the prefixes `MSG_` and `GS_OP_` may stand there.
fn message(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    opening(cursor, "sendmsg")?;
    let id = if cursor.take(b'@') {
        bounded(cursor, 15)?
    } else {
        let (word, place) = name(cursor, "MSG_");
        let full = format!("MSG_{word}");
        match names::find(NameKind::Message, &full) {
            Some(named) if named.holds(cursor.context.target.features()) => i64::from(named.number),
            _ if names::find(NameKind::ClrxMessage, &word).is_some() => {
                names::find(NameKind::ClrxMessage, &word).map_or(0, |it| it.number.into())
            }
            Some(_) => {
                let message =
                    format!("{full} does not exist on {}", cursor.context.target.processor());
                return Err(LineError::new(codes::UNAVAILABLE, place, message));
            }
            None => return Err(LineError::new(codes::OPERAND, place, "no message is called so")),
        }
    };
    let (mut operation, mut stream) = (0, 0);
    if matches!(id, 2 | 3) {
        cursor.expect(b',', "this message needs an operation")?;
        operation = if cursor.take(b'@') {
            bounded(cursor, 3)?
        } else {
            let (word, place) = name(cursor, "GS_OP_");
            let full = format!("GS_OP_{}", word.strip_prefix("GS_").unwrap_or(&word));
            let Some(named) = names::find(NameKind::GeometryOperation, &full) else {
                let message = "this is one of NOP, CUT, EMIT, EMIT_CUT";
                return Err(LineError::new(codes::OPERAND, place, message));
            };
            i64::from(named.number)
        };
        if operation != 0 {
            cursor.expect(b',', "this operation needs a stream")?;
            stream = bounded(cursor, 3)?;
        }
    }
    cursor.expect(b')', "a closing parenthesis is missing")?;
    Ok(Value::Integer(id | operation << 4 | stream << 8))
}

fn opening(cursor: &mut Cursor<'_>, function: &'static str) -> Result<(), LineError> {
    let (word, place) = name(cursor, "");
    if word.eq_ignore_ascii_case(function) && cursor.take(b'(') {
        return Ok(());
    }
    let message = format!("`{function}(…)` is expected, or a number after `@`");
    Err(LineError::new(codes::OPERAND, place, message))
}

/// `hwreg(MODE, 0, 4)`; the prefix `HWREG_` may stand there.
fn hardware_register(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    opening(cursor, "hwreg")?;
    let id = if cursor.take(b'@') {
        bounded(cursor, 63)?
    } else {
        let (word, place) = name(cursor, "HWREG_");
        let known = names::find(NameKind::HardwareRegister, &format!("HW_REG_{word}"))
            .filter(|named| named.holds(cursor.context.target.features()))
            .or_else(|| {
                let own = names::find(NameKind::ClrxRegister, &word);
                own.filter(|named| named.holds(cursor.context.target.features()))
            });
        match (known, word.strip_prefix("HW_REG_")) {
            (Some(named), _) => i64::from(named.number),
            (None, Some(rest)) => {
                let message = format!("CLRX calls it {rest} or HWREG_{rest}");
                return Err(LineError::new(codes::OPERAND, place, message));
            }
            (None, None) => {
                let message = "no hardware register is called so";
                return Err(LineError::new(codes::OPERAND, place, message));
            }
        }
    };
    cursor.expect(b',', "the first bit of the field is expected")?;
    let offset = bounded(cursor, 31)?;
    cursor.expect(b',', "the width of the field is expected after its offset")?;
    let refusal = || "the field has 1 to 32 bits";
    let width = expression::within(cursor, 1..=32, refusal)?;
    cursor.expect(b')', "a closing parenthesis is missing")?;
    Ok(Value::Integer(id | offset << 6 | (width - 1) << 11))
}
