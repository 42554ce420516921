//! Modifiers: the words and `key:value` pairs after the operands.

use std::ops::RangeInclusive;

pub(crate) use isa::gcn::slot::{Flag, Key};

use super::buffer_format;
use super::cursor::Cursor;
use super::error::LineError;
use super::expression;
use super::parse::Value;
use super::special;
use crate::codes;
use crate::dialect::Dialect;

/// The words for halves and bytes of a register, by their code.
pub(crate) const SELECTIONS: [&str; 7] =
    ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"];

/// The fates of the bits that a narrow result leaves, by their code.
pub(crate) const UNUSED: [&str; 3] = ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"];

/// Bits of the cache policy.
pub(crate) mod cache {
    use isa::gcn::slot::{CacheWords, NO_BIT, Slot, SlotKind};

    pub(crate) const GLC: u8 = 1;
    pub(crate) const SLC: u8 = 2;
    const SCC: u8 = 4;
    pub(crate) const SC0: u8 = 8;
    const NT: u8 = 16;
    const SC1: u8 = 32;

    /// All words, each with its bit.
    pub(crate) const ALL: [(&str, u8); 6] =
        [("glc", GLC), ("slc", SLC), ("scc", SCC), ("sc0", SC0), ("nt", NT), ("sc1", SC1)];

    /// The words that a slot takes.
    pub(crate) fn taken(slot: &Slot) -> impl Iterator<Item = &'static str> + use<> {
        let of = match slot.kind {
            SlotKind::CachePolicy { slc, scc, words: own } => Some((own, [slot.low, slc, scc])),
            _ => None,
        };
        let named = of.into_iter().flat_map(|(own, places)| words(own).into_iter().zip(places));
        named.filter(|(_, place)| *place != NO_BIT).map(|((word, _), _)| word)
    }

    /// The words of the same three bits, on chips that have one set or the other.
    pub(crate) fn words(words: CacheWords) -> [(&'static str, u8); 3] {
        match words {
            CacheWords::Glc | CacheWords::GlcWithoutScope => [ALL[0], ALL[1], ALL[2]],
            CacheWords::Sc => [ALL[3], ALL[4], ALL[5]],
        }
    }
}

/// The bit of a word of the cache policy, and whether the word sets it.
pub(crate) fn cache_policy(word: &str) -> Option<(u8, bool)> {
    let bit = |word: &str| cache::ALL.iter().find(|(name, _)| *name == word).map(|(_, bit)| *bit);
    match bit(word) {
        Some(bit) => Some((bit, true)),
        None => Some((bit(word.strip_prefix("no")?)?, false)),
    }
}

/// The flag of a word, and whether the word switches it on.
pub(crate) fn flag(word: &str) -> Option<(Flag, bool)> {
    match word.strip_prefix("no").and_then(Flag::named) {
        Some(flag) if !matches!(flag, Flag::Off | Flag::Nv) => Some((flag, false)),
        // LLVM has no word for the bit.
        _ => Flag::named(word).filter(|flag| *flag != Flag::Nv).map(|flag| (flag, true)),
    }
}

/// A movement between lanes: its key in the text, the numbers behind that, and the code
/// of the lowest of them. All are one field.
pub(super) type Movement = (&'static str, RangeInclusive<i64>, i64);

pub(crate) const MOVEMENTS: [Movement; 10] = [
    ("row_shl", 1..=15, 0x101),
    ("row_shr", 1..=15, 0x111),
    ("row_ror", 1..=15, 0x121),
    ("wave_shl", 1..=1, 0x130),
    ("wave_rol", 1..=1, 0x134),
    ("wave_shr", 1..=1, 0x138),
    ("wave_ror", 1..=1, 0x13c),
    ("row_bcast", 15..=15, 0x142),
    ("row_bcast", 31..=31, 0x143),
    ("row_newbcast", 0..=15, 0x150),
];

/// Movements between lanes that have no number, and their codes.
pub(crate) const BARE_MOVEMENTS: [(&str, i64); 2] =
    [("row_mirror", 0x140), ("row_half_mirror", 0x141)];

/// The code of a movement between lanes that has no number.
pub(crate) fn bare_movement(word: &str) -> Option<i64> {
    BARE_MOVEMENTS.iter().find(|(name, _)| *name == word).map(|(_, code)| *code)
}

/// The code of a movement between lanes.
pub(super) fn movement(word: &str, number: i64) -> Option<i64> {
    let is_it = |(name, numbers, _): &&Movement| *name == word && numbers.contains(&number);
    MOVEMENTS.iter().find(is_it).map(|(_, numbers, code)| code + number - numbers.start())
}

/// The key of a word before a colon. Each movement between lanes is a key of its
/// own in the text; all are one field.
pub(crate) fn key(word: &str) -> Option<(&str, Key)> {
    let key = match word {
        "div" => Key::Omod,
        _ if MOVEMENTS.iter().any(|(name, ..)| *name == word) => Key::DppCtrl,
        _ => Key::named(word)?,
    };
    Some((word, key))
}

/// Reads what follows the colon.
pub(crate) fn parse_value(
    cursor: &mut Cursor<'_>,
    (word, key): (&str, Key),
) -> Result<Value, LineError> {
    cursor.skip_blanks();
    let value = match key {
        Key::DstSel | Key::Src0Sel | Key::Src1Sel => name_of(cursor, &SELECTIONS)?,
        Key::DstUnused => name_of(cursor, &UNUSED)?,
        Key::OpSel | Key::OpSelHi | Key::NegLo | Key::NegHi | Key::Neg => {
            let (bits, count) = bits(cursor)?;
            return Ok(Value::List(key, bits, count));
        }
        Key::DppCtrl if word == "quad_perm" => parse_quad(cursor)?,
        Key::Format => buffer_format::parse(cursor)?,
        Key::Dfmt | Key::Nfmt => {
            let value = buffer_format::parse_parts(cursor, key)?;
            return Ok(Value::Keyed(Key::Dfmt, value));
        }
        Key::Offset if cursor.text[cursor.at..].starts_with("swizzle") => {
            special::parse_swizzle(cursor)?
        }
        _ => {
            let (value, place) = expression::placed(cursor)?;
            let code = match (key, word, value) {
                (Key::Omod, _, 1) => Some(0),
                (Key::Omod, "mul", 2) => Some(1),
                (Key::Omod, "mul", 4) => Some(2),
                (Key::Omod, "div", 2) => Some(3),
                (Key::DppCtrl, ..) => {
                    let is_clrx = cursor.dialect == Dialect::Clrx;
                    let is_cut = is_clrx && word.starts_with("row_") && word != "row_bcast";
                    let value = match is_cut {
                        true => cursor.context.cut(value, 15, place.clone()),
                        false => value,
                    };
                    movement(word, value)
                }
                // Both spellings switch it on, for historic reasons.
                (Key::BoundCtrl, _, 0 | 1) => Some(1),
                (Key::Omod | Key::BoundCtrl, ..) => None,
                _ => Some(value),
            };
            code.ok_or_else(|| {
                LineError::new(codes::RANGE, place, format!("`{word}` has no such value"))
            })?
        }
    };
    Ok(Value::Keyed(key, value))
}

/// Reads a name, or its code as LLVM 22 takes it.
fn name_of(cursor: &mut Cursor<'_>, names: &[&str]) -> Result<i64, LineError> {
    let start = cursor.at;
    if cursor.dialect == Dialect::Llvm && matches!(cursor.peek(), b'0'..=b'9' | b'(') {
        let refusal = || format!("this is one of {}, or its number", names.join(", "));
        return expression::within(cursor, 0..=names.len() as i64 - 1, refusal);
    }
    let word = cursor.word();
    names.iter().position(|name| *name == word).map(|code| code as i64).ok_or_else(|| {
        let range = start..cursor.at.max(cursor.behind_character(start));
        LineError::new(codes::MODIFIER, range, format!("this is one of {}", names.join(", ")))
    })
}

/// `[0,1,1]`, up to four elements: as bits, and their count.
pub(super) fn bits(cursor: &mut Cursor<'_>) -> Result<(u8, u8), LineError> {
    cursor.expect(b'[', "a list in brackets is expected")?;
    let (mut bits, mut count) = (0_u8, 0_u8);
    loop {
        let bit = expression::within(cursor, 0..=1, || "this is 0 or 1")?;
        bits |= (bit as u8) << count;
        count += 1;
        if cursor.take(b']') {
            return Ok((bits, count));
        }
        if count == 4 {
            return Err(cursor.unexpected("a list has at most four elements"));
        }
        cursor.expect(b',', "a comma is expected")?;
    }
}

/// `[3,2,1,0]`: for each lane of four the lane it reads.
fn parse_quad(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    cursor.expect(b'[', "a list in brackets is expected")?;
    let mut value = 0;
    for place in 0..4 {
        if place > 0 {
            cursor.expect(b',', "four lanes, with commas between, are expected")?;
        }
        let lane = expression::within(cursor, 0..=3, || "a lane is 0 to 3")?;
        value |= lane << (2 * place);
    }
    cursor.expect(b']', "the closing bracket is missing")?;
    Ok(value)
}
