//! Operands that are written in a way of their own: counters, messages, hardware
//! registers, index modes, lane patterns, attributes, export targets.

use std::ops::Range;

use isa::gcn::Feature;
use isa::gcn::behaviour::Counter;

use super::cursor::Cursor;
use super::error::LineError;
use super::expression;
use super::form::SlotKind;
use super::names::{self, NameKind};
use super::parse::{Value, number};
use crate::Generation;
use crate::codes;

/// Reads the operand of a kind that has its own syntax.
pub(crate) fn parse(cursor: &mut Cursor<'_>, kind: SlotKind) -> Result<Value, LineError> {
    match kind {
        SlotKind::WaitCounters => counters(cursor),
        SlotKind::Message => message(cursor),
        SlotKind::HardwareRegister => hardware_register(cursor),
        SlotKind::IndexMode => index_mode(cursor),
        SlotKind::Attribute => attribute(cursor),
        SlotKind::AttributePart => attribute_part(cursor),
        SlotKind::ExportTarget => export_target(cursor),
        _ => branch(cursor),
    }
}

fn branch(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    if let Some(register) = super::register_operand::parse(cursor)? {
        return Ok(Value::Register(register));
    }
    Ok(number(expression::parse(cursor)?))
}

/// Tells whether some word and an opening parenthesis follow.
fn begins_call(cursor: &Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    !ahead.word().is_empty() && ahead.take(b'(')
}

fn sixteen_bits(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let refusal = || "this number must fit 16 bits";
    let value = expression::within(cursor, -0x8000..=0xffff, refusal)?;
    Ok(Value::Integer(value & 0xffff))
}

/// The counters of `s_waitcnt`, in the order in which they are written.
pub(crate) const COUNTERS: [Counter; 3] = [Counter::Vm, Counter::Exp, Counter::Lgkm];

/// Returns the name of a counter in assembly.
pub(crate) fn counter_name(counter: Counter) -> &'static str {
    match counter {
        Counter::Vm => "vmcnt",
        Counter::Exp => "expcnt",
        Counter::Lgkm => "lgkmcnt",
    }
}

/// Returns the counter of a name.
pub(crate) fn counter_named(name: &str) -> Option<Counter> {
    COUNTERS.into_iter().find(|counter| counter_name(*counter) == name)
}

/// Returns the bits of a counter among the 16 of `s_waitcnt`, in one run or in two.
fn counter_mask(counter: Counter, generation: Generation) -> u64 {
    match counter {
        Counter::Vm if generation == Generation::Gfx9 => 0xc00f,
        Counter::Vm => 0x000f,
        Counter::Exp => 0x0070,
        Counter::Lgkm => 0x0f00,
    }
}

/// The runs of bits of a counter: the lower one, the place in the counter's value at which the
/// upper one begins, and that, which most counters have none of.
fn counter_runs(counter: Counter, generation: Generation) -> (u64, u32, u64) {
    let mask = counter_mask(counter, generation);
    let low = mask.trailing_zeros();
    let width = (mask >> low).trailing_ones();
    let lower = ((1 << width) - 1) << low;
    (lower, width, mask & !lower)
}

/// Puts a counter's value into the 16 bits.
pub(crate) fn put_counter(bits: u64, counter: Counter, generation: Generation, value: u64) -> u64 {
    let (lower, width, upper) = counter_runs(counter, generation);
    let low = value << lower.trailing_zeros() & lower;
    let high = if upper == 0 { 0 } else { value >> width << upper.trailing_zeros() & upper };
    bits & !(lower | upper) | low | high
}

/// Reads a counter out of the 16 bits.
pub(crate) fn counter_value(bits: u64, counter: Counter, generation: Generation) -> u64 {
    let (lower, width, upper) = counter_runs(counter, generation);
    let high = if upper == 0 { 0 } else { (bits & upper) >> upper.trailing_zeros() << width };
    (bits & lower) >> lower.trailing_zeros() | high
}

/// The largest value of a counter.
pub(crate) fn counter_limit(counter: Counter, generation: Generation) -> u64 {
    (1 << counter_mask(counter, generation).count_ones()) - 1
}

/// All counters at their largest: nothing is waited for.
pub(crate) fn no_wait(generation: Generation) -> u64 {
    COUNTERS.into_iter().fold(0, |bits, counter| bits | counter_mask(counter, generation))
}

/// `vmcnt(0) & lgkmcnt(1)`, or the 16 bits.
fn counters(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    if !begins_call(cursor) {
        let value = expression::absolute(cursor)?;
        return Ok(Value::Integer(value));
    }
    let generation = cursor.context.target.generation();
    let mut bits = no_wait(generation);
    loop {
        let (word, place) = cursor.placed_word();
        if word.is_empty() {
            return Err(cursor.unexpected("the name of a counter is expected"));
        }
        let name = word.strip_suffix("_sat").unwrap_or(word);
        let saturates = name.len() != word.len();
        cursor.expect(b'(', "a value in parentheses is expected")?;
        let Some(counter) = counter_named(name) else {
            let message = format!("`{word}` is not a counter; there are vmcnt, expcnt and lgkmcnt");
            return Err(LineError::new(codes::OPERAND, place, message));
        };
        let (value, place) = expression::placed(cursor)?;
        let limit = counter_limit(counter, generation);
        let fitting = u64::try_from(value).ok().filter(|value| *value <= limit);
        let value = match fitting {
            Some(value) => value,
            None if saturates => limit,
            None => {
                let message = format!("{name} counts to {limit}; `{name}_sat` would wait for that");
                return Err(LineError::new(codes::RANGE, place, message));
            }
        };
        bits = put_counter(bits, counter, generation, value);
        cursor.expect(b')', "a closing parenthesis is missing")?;
        let mut ahead = *cursor;
        let separated = ahead.take(b'&') || ahead.take(b',');
        if separated {
            *cursor = ahead;
        }
        let ended = cursor.is_at_end();
        if ended && separated {
            return Err(cursor.unexpected("the name of a counter is expected"));
        }
        if ended {
            return Ok(Value::Integer(bits as i64));
        }
    }
}

/// `sendmsg(MSG_GS, GS_OP_EMIT, 0)`, or the 16 bits.
fn message(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    if !cursor.takes_call("sendmsg") {
        return sixteen_bits(cursor);
    }
    let generation = cursor.context.target.generation();
    let mut ahead = *cursor;
    let strict = names::find(NameKind::Message, ahead.word()).is_some();
    let (id, id_range) = named_number(cursor, NameKind::Message)?;
    let operation = match cursor.take(b',') {
        true => Some(operation(cursor, id)?),
        false => None,
    };
    let stream = match operation.is_some() && cursor.take(b',') {
        true => Some(expression::placed(cursor)?),
        false => None,
    };
    cursor.expect(b')', "a closing parenthesis is missing")?;
    if !(0..=15).contains(&id) {
        return Err(LineError::new(codes::RANGE, id_range, "a message's number is 0 to 15"));
    }
    let has_operations = matches!(id, 2 | 3 | 15);
    let (op, op_range) = match (operation, strict) {
        (Some((_, range)), true) if !has_operations => {
            return Err(LineError::new(codes::OPERAND, range, "this message has no operations"));
        }
        (None, true) if has_operations => {
            let message = "this message needs an operation";
            return Err(LineError::new(codes::MISSING_OPERAND, id_range, message));
        }
        (Some((op, range)), _) => (op, range),
        (None, _) => (0, id_range),
    };
    let op_fits = match (strict, id) {
        (false, _) => (0..=7).contains(&op),
        (true, 2) => (1..=3).contains(&op),
        (true, 3) => (0..=3).contains(&op),
        (true, 15) => (1..=4).contains(&op) && !(op == 3 && generation == Generation::Gfx9),
        _ => op == 0,
    };
    if !op_fits {
        return Err(LineError::new(codes::RANGE, op_range, "this message has no such operation"));
    }
    let has_stream = matches!(id, 2 | 3) && op != 0;
    let mut stream_number = 0;
    if let Some((stream, range)) = stream {
        if strict && !has_stream {
            return Err(LineError::new(codes::OPERAND, range, "this operation has no stream"));
        }
        if !(0..=3).contains(&stream) {
            return Err(LineError::new(codes::RANGE, range, "a stream is 0 to 3"));
        }
        stream_number = stream;
    }
    Ok(Value::Integer(id | op << 4 | stream_number << 8))
}

fn operation(cursor: &mut Cursor<'_>, message: i64) -> Result<Placed, LineError> {
    let mut ahead = *cursor;
    let (word, place) = ahead.placed_word();
    let kind = operation_kind(message as u64);
    if let Some(named) = kind.and_then(|kind| names::find(kind, word)) {
        *cursor = ahead;
        if !named.holds(cursor.context.target.features()) {
            let message = format!("this chip has no {word}");
            return Err(LineError::new(codes::RANGE, place, message));
        }
        return Ok((i64::from(named.number), place));
    }
    expression::placed(cursor)
}

/// The names that a message's operations have.
pub(super) fn operation_kind(message: u64) -> Option<NameKind> {
    match message {
        2 | 3 => Some(NameKind::GeometryOperation),
        15 => Some(NameKind::SystemOperation),
        _ => None,
    }
}

/// `hwreg(HW_REG_MODE, 0, 4)`, `{id: 1, offset: 0, size: 4}`, or the 16 bits.
fn hardware_register(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    cursor.skip_blanks();
    let fields = if cursor.peek() == b'{' {
        structured(cursor)?
    } else if cursor.takes_call("hwreg") {
        let id = named_number(cursor, NameKind::HardwareRegister)?;
        let mut fields = whole_register(id);
        if cursor.take(b',') {
            fields[1] = expression::placed(cursor)?;
            cursor.expect(b',', "the width of the field is expected after its offset")?;
            fields[2] = expression::placed(cursor)?;
        }
        cursor.expect(b')', "a closing parenthesis is missing")?;
        fields
    } else {
        return sixteen_bits(cursor);
    };
    let rules = [
        (0..=63, "a hardware register's number is 0 to 63"),
        (0..=31, "the field begins at bit 0 to 31"),
        (1..=32, "the field has 1 to 32 bits"),
    ];
    for ((value, place), (bounds, message)) in fields.iter().zip(rules) {
        if !bounds.contains(value) {
            return Err(LineError::new(codes::RANGE, place.clone(), message));
        }
    }
    let [(id, _), (offset, _), (width, _)] = fields;
    Ok(Value::Integer(id | offset << 6 | (width - 1) << 11))
}

type Placed = (i64, Range<usize>);

/// Reads a number, or the name of one that the chip has.
fn named_number(cursor: &mut Cursor<'_>, kind: NameKind) -> Result<Placed, LineError> {
    let mut ahead = *cursor;
    let (word, place) = ahead.placed_word();
    match names::find(kind, word) {
        Some(named) => {
            *cursor = ahead;
            if named.holds(cursor.context.target.features()) {
                return Ok((i64::from(named.number), place));
            }
            let message = format!("{word} does not exist on {}", cursor.context.target.processor());
            Err(LineError::new(codes::UNAVAILABLE, place, message))
        }
        None => expression::placed(cursor),
    }
}

/// The fields that mean all bits of a hardware register.
fn whole_register(id: Placed) -> [Placed; 3] {
    let place = id.1.clone();
    [id, (0, place.clone()), (32, place)]
}

fn structured(cursor: &mut Cursor<'_>) -> Result<[Placed; 3], LineError> {
    let open = cursor.at;
    cursor.at += 1;
    let mut fields = whole_register((0, open..open + 1));
    let mut seen = [false; 3];
    if cursor.take(b'}') {
        return Ok(fields);
    }
    loop {
        let (word, place) = cursor.placed_word();
        let Some(index) = ["id", "offset", "size"].iter().position(|name| *name == word) else {
            return Err(LineError::new(codes::SYNTAX, place, "this is one of id, offset, size"));
        };
        if std::mem::replace(&mut seen[index], true) {
            return Err(LineError::new(codes::SYNTAX, place, "this is given twice"));
        }
        cursor.expect(b':', "a colon is expected")?;
        fields[index] = match index {
            0 => named_number(cursor, NameKind::HardwareRegister)?,
            _ => expression::placed(cursor)?,
        };
        if cursor.take(b'}') {
            return Ok(fields);
        }
        cursor.expect(b',', "a comma or a closing brace is expected")?;
    }
}

/// The operands an index can apply to, by bit.
pub(crate) const INDEX_MODES: [&str; 4] = ["SRC0", "SRC1", "SRC2", "DST"];

/// `gpr_idx(SRC0,DST)`, or the four bits.
fn index_mode(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    if !cursor.takes_call("gpr_idx") {
        let refusal = || "this number must fit 4 bits";
        return Ok(Value::Integer(expression::within(cursor, 0..=15, refusal)?));
    }
    let mut bits = 0;
    if cursor.take(b')') {
        return Ok(Value::Integer(bits));
    }
    loop {
        let (word, place) = cursor.placed_word();
        let Some(bit) = INDEX_MODES.iter().position(|mode| *mode == word) else {
            let message = "this is one of SRC0, SRC1, SRC2, DST";
            return Err(LineError::new(codes::SYNTAX, place, message));
        };
        if bits & (1 << bit) != 0 {
            return Err(LineError::new(codes::SYNTAX, place, format!("{word} is given twice")));
        }
        bits |= 1 << bit;
        if cursor.take(b')') {
            return Ok(Value::Integer(bits));
        }
        cursor.expect(b',', "a comma or a closing parenthesis is expected")?;
    }
}

/// The channels of an attribute, by their code.
pub(crate) const CHANNELS: [&str; 4] = ["x", "y", "z", "w"];

/// `attr3.x`: the attribute, and above its six bits the channel.
fn attribute(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let (word, range) = cursor.placed_word();
    let Some(rest) = word.strip_prefix("attr") else {
        let message = "an attribute such as attr0.x is expected";
        return Err(LineError::new(codes::OPERAND, range, message));
    };
    let (number, channel) = rest.split_once('.').unwrap_or((rest, ""));
    let Some(channel) = CHANNELS.iter().position(|name| *name == channel) else {
        let message = "an attribute's channel is .x, .y, .z or .w";
        return Err(LineError::new(codes::OPERAND, range, message));
    };
    match number.parse::<u32>() {
        Ok(number @ 0..=32) => Ok(Value::Integer(i64::from(number) | (channel as i64) << 6)),
        Ok(_) => Err(LineError::new(codes::RANGE, range, "attributes go from attr0 to attr32")),
        Err(_) => Err(LineError::new(codes::OPERAND, range, "the attribute's number is missing")),
    }
}

/// The names of a triangle's three values, by the code of the instruction.
pub(crate) const ATTRIBUTE_PARTS: [&str; 3] = ["p10", "p20", "p0"];

fn attribute_part(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let (word, place) = cursor.placed_word();
    match ATTRIBUTE_PARTS.iter().position(|part| *part == word) {
        Some(code) => Ok(Value::Integer(code as i64)),
        None => Err(LineError::new(codes::OPERAND, place, "this is one of p0, p10, p20")),
    }
}

/// The targets of exports: name, first code, how many.
pub(crate) const EXPORT_TARGETS: [(&str, u8, u8); 5] =
    [("mrtz", 8, 1), ("null", 9, 1), ("mrt", 0, 8), ("pos", 12, 4), ("param", 32, 32)];

fn export_target(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let (word, place) = cursor.placed_word();
    export_target_of(word, place)
}

/// The target of a name at a place.
pub(super) fn export_target_of(word: &str, place: Range<usize>) -> Result<Value, LineError> {
    for (name, first, count) in EXPORT_TARGETS {
        let Some(rest) = word.strip_prefix(name) else { continue };
        let number = match rest {
            "" if count == 1 => Some(0),
            "0" => Some(0),
            _ if rest.starts_with('0') => None,
            _ => rest.parse::<u8>().ok(),
        };
        if let Some(number) =
            number.filter(|number| *number < count && (count > 1) != rest.is_empty())
        {
            return Ok(Value::Integer(i64::from(first + number)));
        }
    }
    let message = "exports go to mrt0 to mrt7, mrtz, null, pos0 to pos3 or param0 to param31";
    Err(LineError::new(codes::OPERAND, place, message))
}

/// `swizzle(QUAD_PERM, 0, 1, 2, 3)` and its like, after `offset:`.
pub(crate) fn parse_swizzle(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    if !cursor.takes_call("swizzle") {
        return Err(cursor.unexpected("`swizzle(…)` or a number is expected"));
    }
    let (mode, place) = cursor.placed_word();
    let value = match mode {
        "QUAD_PERM" => {
            let mut value = 0x8000;
            for place in 0..4 {
                let lane = swizzle_number(cursor, 3, "a lane of four is 0 to 3")?;
                value |= lane << (2 * place);
            }
            value
        }
        "BITMASK_PERM" => bitmask(cursor)?,
        "BROADCAST" => {
            let group = group_size(cursor, 2, 32)?;
            let lane = swizzle_number(cursor, group - 1, "the lane must be in the group")?;
            (32 - group) | lane << 5
        }
        "SWAP" => 31 | group_size(cursor, 1, 16)? << 10,
        "REVERSE" => 31 | (group_size(cursor, 2, 32)? - 1) << 10,
        "FFT" if cursor.context.target.has(Feature::Gfx90aInsts) => {
            FFT as i64 | swizzle_number(cursor, 31, "the pattern is 0 to 31")?
        }
        "ROTATE" if cursor.context.target.has(Feature::Gfx90aInsts) => {
            let direction = swizzle_number(cursor, 1, "the direction is 0 or 1")?;
            let lanes = swizzle_number(cursor, 31, "a rotation is by 0 to 31 lanes")?;
            ROTATE as i64 | direction << 10 | lanes << 5
        }
        _ => {
            let message = "this is one of QUAD_PERM, BITMASK_PERM, BROADCAST, SWAP, REVERSE";
            return Err(LineError::new(codes::SYNTAX, place, message));
        }
    };
    cursor.expect(b')', "a closing parenthesis is missing")?;
    Ok(value)
}

/// The patterns of lanes of butterflies and of rotations.
pub(super) const FFT: u64 = 0xe000;
pub(super) const ROTATE: u64 = 0xc000;

fn swizzle_number(
    cursor: &mut Cursor<'_>,
    highest: i64,
    message: &'static str,
) -> Result<i64, LineError> {
    cursor.expect(b',', "a comma is expected")?;
    expression::within(cursor, 0..=highest, || message)
}

fn group_size(cursor: &mut Cursor<'_>, lowest: i64, highest: i64) -> Result<i64, LineError> {
    cursor.expect(b',', "a comma is expected")?;
    let (value, place) = expression::placed(cursor)?;
    if !(lowest..=highest).contains(&value) || value & (value - 1) != 0 {
        let message = format!("a group has {lowest} to {highest} lanes, a power of two");
        return Err(LineError::new(codes::RANGE, place, message));
    }
    Ok(value)
}

/// `"01pip"`: for each bit of the lane, from the highest, clear, set, keep or invert.
fn bitmask(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    cursor.expect(b',', "a comma is expected")?;
    cursor.skip_blanks();
    let start = cursor.at;
    let rest = cursor.text.get(start..).unwrap_or("");
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let Some((letters, _)) = quoted else {
        return Err(cursor.unexpected("five letters in quotes are expected"));
    };
    cursor.at = start + letters.len() + 2;
    let wrong = || {
        let message = "the mask has five letters of 0, 1, p (keep) and i (invert)";
        LineError::new(codes::SYNTAX, start..start + letters.len() + 2, message)
    };
    if letters.len() != 5 {
        return Err(wrong());
    }
    let (mut and, mut or, mut xor) = (0, 0, 0);
    for letter in letters.bytes() {
        (and, or, xor) = (and << 1, or << 1, xor << 1);
        match letter {
            b'0' => {}
            b'1' => or |= 1,
            b'p' => and |= 1,
            b'i' => (and, xor) = (and | 1, xor | 1),
            _ => return Err(wrong()),
        }
    }
    Ok(and | or << 5 | xor << 10)
}
