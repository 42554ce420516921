//! Modifiers: the words and `key:value` pairs after the operands.

pub(crate) use isa::gcn::slot::{Flag, Key};

use super::cursor::Cursor;
use super::error::{Code, LineError};
use super::expression;
use super::parse::{Context, Value};
use super::special;

/// The words for halves and bytes of a register, by their code.
pub(crate) const SELECTIONS: [&str; 7] =
    ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"];

/// The fates of the bits that a narrow result leaves, by their code.
pub(crate) const UNUSED: [&str; 3] = ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"];

/// Bits of the cache policy.
pub(crate) mod cache {
    pub(crate) const GLC: u8 = 1;
    pub(crate) const SLC: u8 = 2;
}

/// The bit of a word of the cache policy, and whether the word sets it.
pub(crate) fn cache_policy(word: &str) -> Option<(u8, bool)> {
    match word {
        "glc" => Some((cache::GLC, true)),
        "slc" => Some((cache::SLC, true)),
        "noglc" => Some((cache::GLC, false)),
        "noslc" => Some((cache::SLC, false)),
        _ => None,
    }
}

pub(crate) fn flag(word: &str) -> Option<(Flag, bool)> {
    let known = |word: &str| {
        Some(match word {
            "clamp" => Flag::Clamp,
            "high" => Flag::High,
            "gds" => Flag::Gds,
            "offen" => Flag::Offen,
            "idxen" => Flag::Idxen,
            "addr64" => Flag::Addr64,
            "lds" => Flag::Lds,
            "tfe" => Flag::Tfe,
            "lwe" => Flag::Lwe,
            "unorm" => Flag::Unorm,
            "da" => Flag::Da,
            "r128" => Flag::R128,
            "a16" => Flag::A16,
            "d16" => Flag::D16,
            "done" => Flag::Done,
            "vm" => Flag::Vm,
            "compr" => Flag::Compr,
            _ => return None,
        })
    };
    if word == "off" {
        return Some((Flag::Off, true));
    }
    match word.strip_prefix("no").and_then(known) {
        Some(flag) => Some((flag, false)),
        None => known(word).map(|flag| (flag, true)),
    }
}

/// A movement between lanes that has no value.
pub(crate) fn bare_movement(word: &str) -> Option<i64> {
    match word {
        "row_mirror" => Some(0x140),
        "row_half_mirror" => Some(0x141),
        _ => None,
    }
}

/// The key of a word before a colon. Each movement between lanes is a key of its
/// own in the text; all are one field.
pub(crate) fn key(word: &str) -> Option<(&str, Key)> {
    let key = match word {
        "offset" => Key::Offset,
        "offset0" => Key::Offset0,
        "offset1" => Key::Offset1,
        "dmask" => Key::Dmask,
        "mul" | "div" => Key::Omod,
        "dst_sel" => Key::DstSel,
        "dst_unused" => Key::DstUnused,
        "src0_sel" => Key::Src0Sel,
        "src1_sel" => Key::Src1Sel,
        "quad_perm" | "row_shl" | "row_shr" | "row_ror" | "wave_shl" | "wave_rol" | "wave_shr"
        | "wave_ror" | "row_bcast" => Key::DppCtrl,
        "row_mask" => Key::RowMask,
        "bank_mask" => Key::BankMask,
        "bound_ctrl" => Key::BoundCtrl,
        "op_sel" => Key::OpSel,
        "op_sel_hi" => Key::OpSelHi,
        "neg_lo" => Key::NegLo,
        "neg_hi" => Key::NegHi,
        "dfmt" => Key::Dfmt,
        "nfmt" => Key::Nfmt,
        "format" => Key::Format,
        "cbsz" => Key::Cbsz,
        "abid" => Key::Abid,
        "blgp" => Key::Blgp,
        _ => return None,
    };
    Some((word, key))
}

/// Reads what follows the colon.
pub(crate) fn parse_value(
    cursor: &mut Cursor<'_>,
    (word, key): (&str, Key),
    context: &Context<'_>,
) -> Result<Value, LineError> {
    cursor.skip_blanks();
    let start = cursor.at;
    let value = match key {
        Key::DstSel | Key::Src0Sel | Key::Src1Sel => name_of(cursor, &SELECTIONS)?,
        Key::DstUnused => name_of(cursor, &UNUSED)?,
        Key::OpSel | Key::OpSelHi | Key::NegLo | Key::NegHi => {
            return parse_bits(cursor, key, context);
        }
        Key::DppCtrl if word == "quad_perm" => parse_quad(cursor, context)?,
        Key::Format => special::parse_format(cursor, context)?,
        Key::Dfmt | Key::Nfmt => {
            let value = super::buffer_format::parse_parts(cursor, key, context)?;
            return Ok(Value::Keyed(Key::Dfmt, value));
        }
        Key::Offset if cursor.text[start..].starts_with("swizzle") => {
            special::parse_swizzle(cursor, context)?
        }
        _ => {
            let value = expression::absolute(cursor, context.symbols)?;
            let checked = match (word, value) {
                ("mul", 1) => Some(0),
                ("mul", 2) => Some(1),
                ("mul", 4) => Some(2),
                ("div", 1) => Some(0),
                ("div", 2) => Some(3),
                ("row_shl", 1..=15) => Some(0x100 + value),
                ("row_shr", 1..=15) => Some(0x110 + value),
                ("row_ror", 1..=15) => Some(0x120 + value),
                ("wave_shl", 1) => Some(0x130),
                ("wave_rol", 1) => Some(0x134),
                ("wave_shr", 1) => Some(0x138),
                ("wave_ror", 1) => Some(0x13c),
                ("row_bcast", 15) => Some(0x142),
                ("row_bcast", 31) => Some(0x143),
                // Both spellings switch it on, for historic reasons.
                ("bound_ctrl", 0 | 1) => Some(1),
                ("mul" | "div", _) => None,
                _ if key == Key::DppCtrl || key == Key::BoundCtrl => None,
                _ => Some(value),
            };
            checked.ok_or_else(|| {
                let range = start..cursor.at;
                LineError::new(Code::Range, range, format!("`{word}` has no such value"))
            })?
        }
    };
    Ok(Value::Keyed(key, value))
}

fn name_of(cursor: &mut Cursor<'_>, names: &[&str]) -> Result<i64, LineError> {
    let start = cursor.at;
    let word = cursor.word();
    names.iter().position(|name| *name == word).map(|code| code as i64).ok_or_else(|| {
        let range = start..cursor.at.max(start + 1).min(cursor.text.len().max(start));
        LineError::new(Code::Modifier, range, format!("this is one of {}", names.join(", ")))
    })
}

/// `[0,1,1]`, up to four elements.
pub(crate) fn parse_bits(
    cursor: &mut Cursor<'_>,
    key: Key,
    context: &Context<'_>,
) -> Result<Value, LineError> {
    cursor.expect(b'[', "a list in brackets is expected")?;
    let (mut bits, mut count) = (0_u8, 0_u8);
    loop {
        cursor.skip_blanks();
        let start = cursor.at;
        let bit = expression::absolute(cursor, context.symbols)?;
        if !(0..=1).contains(&bit) {
            return Err(LineError::new(Code::Range, start..cursor.at, "this is 0 or 1"));
        }
        bits |= (bit as u8) << count;
        count += 1;
        if cursor.take(b']') {
            return Ok(Value::List(key, bits, count));
        }
        if count == 4 {
            return Err(cursor.unexpected("a list has at most four elements"));
        }
        cursor.expect(b',', "a comma is expected")?;
    }
}

/// `[3,2,1,0]`: for each lane of four the lane it reads.
fn parse_quad(cursor: &mut Cursor<'_>, context: &Context<'_>) -> Result<i64, LineError> {
    cursor.expect(b'[', "a list in brackets is expected")?;
    let mut value = 0;
    for place in 0..4 {
        if place > 0 {
            cursor.expect(b',', "four lanes, with commas between, are expected")?;
        }
        cursor.skip_blanks();
        let start = cursor.at;
        let lane = expression::absolute(cursor, context.symbols)?;
        if !(0..=3).contains(&lane) {
            return Err(LineError::new(Code::Range, start..cursor.at, "a lane is 0 to 3"));
        }
        value |= lane << (2 * place);
    }
    cursor.expect(b']', "the closing bracket is missing")?;
    Ok(value)
}
