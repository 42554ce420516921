//! Modifiers in CLRX: words behind the operands, in any order, without commas. A
//! word that switches something on may be followed by `:0` or `:1`.

use crate::codes;
use crate::instruction::buffer_format;
use crate::instruction::cursor::Cursor;
use crate::instruction::error::LineError;
use crate::instruction::expression;
use crate::instruction::modifier::{self, Flag, Key};
use crate::instruction::parse::{NOTHING, Operands, Parsed, Value};
use crate::mnemonics::FormSuffix;

/// The words behind the operands.
#[derive(Debug, PartialEq)]
pub(super) struct Modifiers {
    /// The words that have a place in some encoding, each once.
    pub(super) items: Operands,
    /// The encoding that a word asks for, and the word's place.
    pub(super) asked: Option<(FormSuffix, std::ops::Range<usize>)>,
    /// Bits of the sources that are negated, made absolute, sign-extended.
    pub(super) masks: SourceMasks,
    /// The place of the last of these.
    pub(super) masks_place: std::ops::Range<usize>,
    /// Fields that the disassembler names because no operand shows them:
    /// `vsrc2=0x80`.
    pub(super) fields: Vec<(String, u64)>,
}

/// A bit for each source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SourceMasks {
    pub(super) negated: u8,
    pub(super) absolute: u8,
    pub(super) sign_extended: u8,
}

impl Modifiers {
    pub(super) fn new() -> Modifiers {
        Modifiers {
            items: Operands::new(),
            asked: None,
            masks: SourceMasks::default(),
            masks_place: 0..0,
            fields: Vec::new(),
        }
    }

    /// The last of two that say the same counts, as in the reference.
    fn set(&mut self, value: Value, start: usize, end: usize) -> Result<(), LineError> {
        let parsed = Parsed { value, start: start as u32, end: end as u32, ..NOTHING };
        let known = self.items.as_mut_slice().iter_mut().find(|item| same(item.value, value));
        let Some(known) = known else { return self.items.push(parsed) };
        match (&mut known.value, value) {
            (Value::CachePolicy(known), Value::CachePolicy(bits)) => *known |= bits,
            _ => *known = parsed,
        }
        Ok(())
    }
}

/// Tells whether two modifiers are about the same thing.
fn same(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::Keyed(left, _), Value::Keyed(right, _)) => left == right,
        (Value::List(left, ..), Value::List(right, ..)) => left == right,
        (Value::Flag(left, _), Value::Flag(right, _)) => left == right,
        (Value::CachePolicy(_), Value::CachePolicy(_)) => true,
        _ => false,
    }
}

/// Reads modifiers up to the end of the line.
pub(super) fn parse(cursor: &mut Cursor<'_>, modifiers: &mut Modifiers) -> Result<(), LineError> {
    while !cursor.is_at_end() {
        let start = cursor.at;
        let word = cursor.word().to_ascii_lowercase();
        if word.is_empty() {
            return Err(cursor.unexpected("a modifier or the end of the line is expected"));
        }
        let place = start..cursor.at;
        if cursor.take(b'=') {
            let value = number(cursor, 0, i64::from(u32::MAX))?;
            modifiers.fields.push((word, value as u64));
            continue;
        }
        one(cursor, &word, place, modifiers)?;
    }
    Ok(())
}

fn one(
    cursor: &mut Cursor<'_>,
    word: &str,
    place: std::ops::Range<usize>,
    modifiers: &mut Modifiers,
) -> Result<(), LineError> {
    let start = place.start;
    let asked = match word {
        "vop3" => Some(FormSuffix::Long),
        "sdwa" => Some(FormSuffix::Sdwa),
        "dpp" => Some(FormSuffix::Dpp),
        _ => None,
    };
    if let Some(asked) = asked {
        if switched_on(cursor)? {
            modifiers.asked = Some((asked, place));
        }
        return Ok(());
    }
    let mask = match word {
        "neg" => Some(&mut modifiers.masks.negated),
        "abs" => Some(&mut modifiers.masks.absolute),
        "sext" => Some(&mut modifiers.masks.sign_extended),
        _ => None,
    };
    if let Some(mask) = mask {
        *mask = source_bits(cursor)?;
        modifiers.masks_place = start..cursor.at;
        return Ok(());
    }
    if let Some((bit, true)) = modifier::cache_policy(word) {
        let bits = if switched_on(cursor)? { bit } else { 0 };
        return modifiers.set(Value::CachePolicy(bits), start, cursor.at);
    }
    let volatile = (word == Flag::Nv.name()).then_some((Flag::Nv, true));
    if let Some((flag, true)) =
        modifier::flag(word).or(volatile).filter(|(flag, _)| *flag != Flag::Off)
    {
        let on = switched_on(cursor)?;
        return modifiers.set(Value::Flag(flag, on), start, cursor.at);
    }
    let value = value(cursor, word, &place)?;
    modifiers.set(value, start, cursor.at)
}

/// `:0` after a word that could stand alone switches it off, another number on.
fn switched_on(cursor: &mut Cursor<'_>) -> Result<bool, LineError> {
    if !cursor.take(b':') {
        return Ok(true);
    }
    Ok(expression::absolute(cursor)? != 0)
}

fn number(cursor: &mut Cursor<'_>, lowest: i64, highest: i64) -> Result<i64, LineError> {
    let refusal = || format!("this number must be {lowest} to {highest}");
    expression::within(cursor, lowest..=highest, refusal)
}

/// A number, or a list of bits, for the sources in order.
fn source_bits(cursor: &mut Cursor<'_>) -> Result<u8, LineError> {
    colon(cursor)?;
    cursor.skip_blanks();
    if cursor.peek() != b'[' {
        return Ok(number(cursor, 0, 7)? as u8);
    }
    Ok(modifier::bits(cursor)?.0)
}

fn colon(cursor: &mut Cursor<'_>) -> Result<(), LineError> {
    cursor.expect(b':', "a colon and a value are expected")
}

/// The value of a modifier that has one.
fn value(
    cursor: &mut Cursor<'_>,
    word: &str,
    place: &std::ops::Range<usize>,
) -> Result<Value, LineError> {
    if word == "bound_ctrl" {
        // The first number switches it on whatever it is, as does the word alone; one
        // behind that says which.
        switched_on(cursor)?;
        return Ok(Value::Keyed(Key::BoundCtrl, switched_on(cursor)?.into()));
    }
    let word = match word {
        "inst_offset" => "offset",
        "dst_un" => "dst_unused",
        "row_hmirror" => "row_half_mirror",
        word => word,
    };
    let movement = match word {
        "row_bcast15" => modifier::movement("row_bcast", 15),
        "row_bcast31" => modifier::movement("row_bcast", 31),
        "wave_shl" | "wave_rol" | "wave_shr" | "wave_ror" => {
            // By one lane, whether that is said or not.
            if cursor.take(b':') {
                number(cursor, 1, 1)?;
            }
            modifier::movement(word, 1)
        }
        _ => modifier::bare_movement(word),
    };
    if let Some(code) = movement {
        return Ok(Value::Keyed(Key::DppCtrl, code));
    }
    let key = if word == "omod" { Some((word, Key::Omod)) } else { modifier::key(word) };
    let Some((word, key)) = key.filter(|(_, key)| !matches!(key, Key::Dfmt | Key::Nfmt)) else {
        let message = format!("no modifier is called `{word}`");
        return Err(LineError::new(codes::MODIFIER, place.clone(), message));
    };
    colon(cursor)?;
    let value = match key {
        Key::DstSel | Key::Src0Sel | Key::Src1Sel => selection(cursor)?,
        Key::DstUnused => unused(cursor)?,
        Key::Format => format(cursor)?,
        Key::OpSel | Key::OpSelHi | Key::NegLo | Key::NegHi => {
            cursor.skip_blanks();
            if cursor.peek() == b'[' {
                let (bits, count) = modifier::bits(cursor)?;
                return Ok(Value::List(key, bits, count));
            }
            return Ok(Value::List(key, number(cursor, 0, 15)? as u8, ANY_COUNT));
        }
        Key::Omod if word == "omod" => number(cursor, 0, 3)?,
        Key::Offset | Key::Offset0 | Key::Offset1 => expression::eventual(cursor)?,
        Key::Dmask => expression::absolute(cursor)?,
        Key::RowMask | Key::BankMask => number(cursor, 0, 15)?,
        _ => return modifier::parse_value(cursor, (word, key)),
    };
    Ok(Value::Keyed(key, value))
}

/// The count of a list that is written as a number.
pub(super) const ANY_COUNT: u8 = 0;

fn lower_word(cursor: &mut Cursor<'_>) -> (String, std::ops::Range<usize>) {
    let (word, place) = cursor.placed_word();
    (word.to_ascii_lowercase(), place)
}

/// `byte0`, `byte_0` or `b0`; words likewise.
fn selection(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    if cursor.take(b'@') {
        return number(cursor, 0, 7);
    }
    let (word, place) = lower_word(cursor);
    let part = |stems: [&str; 3], count: u8| {
        let digits = stems.iter().find_map(|stem| word.strip_prefix(stem))?;
        digits.parse::<u8>().ok().filter(|number| digits.len() == 1 && *number < count)
    };
    let code = match word.as_str() {
        "dword" => Some(6),
        _ => part(["byte_", "byte", "b"], 4).or(part(["word_", "word", "w"], 2).map(|it| it + 4)),
    };
    code.map(i64::from).ok_or_else(|| {
        let message = "this is one of byte0 to byte3, word0, word1, dword";
        LineError::new(codes::MODIFIER, place, message)
    })
}

fn unused(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    if cursor.take(b'@') {
        return number(cursor, 0, 3);
    }
    let (word, place) = lower_word(cursor);
    match word.strip_prefix("unused_").unwrap_or(&word) {
        "pad" => Ok(0),
        "sext" => Ok(1),
        "preserve" => Ok(2),
        _ => Err(LineError::new(codes::MODIFIER, place, "this is one of pad, sext, preserve")),
    }
}

/// `[32_32,float]`, either part alone, or a number after `@`.
fn format(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    if cursor.take(b'@') {
        return number(cursor, 0, 127);
    }
    cursor.expect(b'[', "formats in brackets, or a number after `@`, are expected")?;
    let (mut data, mut numeric) = (None, None);
    loop {
        cursor.skip_blanks();
        let start = cursor.at;
        if cursor.take(b'@') {
            let highest = if data.is_none() { 15 } else { 7 };
            let value = number(cursor, 0, highest)?;
            *(if data.is_none() { &mut data } else { &mut numeric }) = Some(value);
        } else {
            let rest = cursor.text.get(start..).unwrap_or("");
            let length = rest.bytes().take_while(|it| it.is_ascii_alphanumeric() || *it == b'_');
            let word = rest.get(..length.count()).unwrap_or("").to_ascii_uppercase();
            cursor.at = start + word.len();
            let generation = cursor.context.target.generation();
            let known =
                buffer_format::named(&format!("{}{word}", buffer_format::DATA_PREFIX), generation)
                    .or_else(|| {
                        let full = format!("{}{word}", buffer_format::NUMBER_PREFIX);
                        buffer_format::named(&full, generation)
                    })
                    .or_else(|| buffer_format::named(&word, generation));
            match known {
                Some((0, value)) if data.is_none() => data = Some(value),
                Some((1, value)) => numeric = Some(value),
                _ => {
                    let message = "a format such as 32_32 or float is expected";
                    return Err(LineError::new(codes::MODIFIER, start..cursor.at, message));
                }
            }
        }
        if cursor.take(b']') {
            let data = data.unwrap_or(i64::from(buffer_format::DEFAULT));
            return Ok(data | numeric.unwrap_or(0) << 4);
        }
        cursor.expect(b',', "a comma or the closing bracket is expected")?;
    }
}
