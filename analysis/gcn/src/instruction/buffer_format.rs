//! Formats of typed buffers: seven bits, the data format below the number format.

use super::cursor::Cursor;
use super::error::LineError;
use super::expression;
use super::modifier::Key;
use crate::Generation;
use crate::codes;

/// The data formats by number, of buffers and, up to 14, of images.
pub const DATA: [&str; 16] = [
    "INVALID",
    "8",
    "16",
    "8_8",
    "32",
    "16_16",
    "10_11_11",
    "11_11_10",
    "10_10_10_2",
    "2_10_10_10",
    "8_8_8_8",
    "32_32",
    "16_16_16_16",
    "32_32_32",
    "32_32_32_32",
    "RESERVED_15",
];

/// The number formats by number. Number 6 is named by the generation.
pub const NUMBER: [&str; 8] =
    ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "SNORM_OGL", "FLOAT"];

pub(crate) const DATA_PREFIX: &str = "BUF_DATA_FORMAT_";
pub(crate) const NUMBER_PREFIX: &str = "BUF_NUM_FORMAT_";

/// The data format that is meant where none is said, and the number format.
pub(crate) use isa::gcn::slot::FORMAT_DEFAULT as DEFAULT;

/// The name of a number format on a generation.
pub(crate) fn number_name(number: usize, generation: Generation) -> &'static str {
    if number == 6 && generation >= Generation::Gfx8 { "RESERVED_6" } else { NUMBER[number & 7] }
}

/// Reads `[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]` or a number.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    cursor.skip_blanks();
    if cursor.peek() != b'[' {
        return expression::within(cursor, 0..=127, || "a format is 0 to 127");
    }
    cursor.at += 1;
    let (mut data, mut number) = (None, None);
    loop {
        let (word, range) = cursor.placed_word();
        let (place, value) = named(word, cursor.context.target.generation()).ok_or_else(|| {
            let message = "a format's name such as BUF_DATA_FORMAT_32 is expected";
            LineError::new(codes::SYNTAX, range.clone(), message)
        })?;
        let slot = if place == 0 { &mut data } else { &mut number };
        if slot.replace(value).is_some() {
            return Err(LineError::new(codes::SYNTAX, range, "this is given twice"));
        }
        if cursor.take(b']') {
            break;
        }
        if data.is_some() && number.is_some() {
            return Err(cursor.unexpected("the closing bracket is expected"));
        }
        cursor.expect(b',', "a comma or the closing bracket is expected")?;
    }
    Ok(data.unwrap_or(i64::from(DEFAULT)) | number.unwrap_or(0) << 4)
}

/// Reads what follows `dfmt:` or `nfmt:`, and the other of them if it comes next.
pub(crate) fn parse_parts(cursor: &mut Cursor<'_>, first: Key) -> Result<i64, LineError> {
    let part = |cursor: &mut Cursor<'_>, key: Key| {
        let (highest, shift) = if key == Key::Dfmt { (15, 0) } else { (7, 4) };
        let refusal = || format!("this is 0 to {highest}");
        Ok(expression::within(cursor, 0..=highest, refusal)? << shift)
    };
    let value = part(cursor, first)?;
    let other = if first == Key::Dfmt { Key::Nfmt } else { Key::Dfmt };
    let mut ahead = *cursor;
    ahead.take(b',');
    if ahead.word() == other.name() && ahead.take(b':') {
        *cursor = ahead;
        return Ok(value | part(cursor, other)?);
    }
    Ok(if first == Key::Dfmt { value } else { value | i64::from(DEFAULT) })
}

/// Returns which part of the format a name is of, and its number.
pub(crate) fn named(word: &str, generation: Generation) -> Option<(usize, i64)> {
    if let Some(name) = word.strip_prefix(DATA_PREFIX) {
        return DATA.iter().position(|known| *known == name).map(|value| (0, value as i64));
    }
    let name = word.strip_prefix(NUMBER_PREFIX)?;
    (0..8).find(|number| number_name(*number, generation) == name).map(|value| (1, value as i64))
}
