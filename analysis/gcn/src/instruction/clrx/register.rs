//! Registers as CLRX writes them: letter case does not count, there are no lists,
//! and vector instructions take pairs that begin at odd numbers.

use crate::dialect::Dialect;
use crate::instruction::cursor::Cursor;
use crate::instruction::error::LineError;
use crate::instruction::parse::Context;
use crate::instruction::register::{self, Bank, Register, code};
use crate::instruction::register_names::special;
use crate::instruction::register_operand::{Family, family, numbered, range};
use crate::{Generation, Target, codes};

/// The numbers with which groups of scalar registers may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alignment {
    /// Pairs at even numbers, larger groups at multiples of four.
    Strict,
    /// Anywhere, as long as a group of four registers has them all.
    WithinFour,
    /// Anywhere: their use decides.
    Free,
}

/// Reads a register if the word at the cursor names one; the cursor stays where
/// it does not.
///
/// # Errors
/// Where the name is a register's but the target has no such register.
pub(super) fn parse(
    cursor: &mut Cursor<'_>,
    alignment: Alignment,
) -> Result<Option<Register>, LineError> {
    cursor.skip_blanks();
    let start = cursor.at;
    let spelled = cursor.word();
    let lower;
    let word = if spelled.bytes().any(|byte| byte.is_ascii_uppercase()) {
        lower = spelled.to_ascii_lowercase();
        lower.as_str()
    } else {
        spelled
    };
    let target = cursor.context.target;
    // Accumulation registers came after this assembler: `a1` may be a symbol.
    let family = family(word).filter(|(family, _)| *family != Family::Accumulator);
    if let Some((family, digits)) = family {
        if !digits.is_empty() {
            let number = digits.parse().unwrap_or(u32::MAX);
            let register = numbered(family, number, number, start..cursor.at, target)?;
            return Ok(Some(register));
        }
        cursor.skip_blanks();
        if cursor.peek() == b'[' {
            let (first, last) = range(cursor)?;
            let place = start..cursor.at;
            let register = numbered(family, first, last, place.clone(), target)?;
            check_alignment(register, place, alignment, target)?;
            return Ok(Some(register));
        }
    }
    let name = if word == "lds" { "lds_direct" } else { word };
    if let Some(special) = special(name, target) {
        // Every chip from gfx8 on has the name here.
        let xnack = name.starts_with("xnack_mask") && target.generation() >= Generation::Gfx8;
        if special.available || xnack {
            let whole = Register::scalar(special.first, special.dwords);
            return part_of_pair(cursor, whole).map(Some);
        }
        let message = format!("`{word}` does not exist on {}", target.processor());
        return Err(LineError::new(codes::REGISTER, start..cursor.at, message));
    }
    cursor.at = start;
    Ok(None)
}

/// Reads which of a pair of a fixed name is meant: `vcc[1]`, `exec[0:1]`.
fn part_of_pair(cursor: &mut Cursor<'_>, whole: Register) -> Result<Register, LineError> {
    let mut ahead = *cursor;
    ahead.skip_blanks();
    if whole.dwords != 2 || ahead.peek() != b'[' {
        return Ok(whole);
    }
    let start = ahead.at;
    let (first, last) = range(&mut ahead)?;
    if last > 1 {
        let message = "a pair has the registers 0 and 1";
        return Err(LineError::new(codes::REGISTER, start..ahead.at, message));
    }
    *cursor = ahead;
    Ok(Register::scalar(whole.first + first as u16, (last - first + 1) as u8))
}

/// Registers that a name stands for, and whether an allocator chooses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) register: Register,
    pub(super) allocated: bool,
}

/// Names of registers may stand for parts of others so many times.
pub(super) const DEEPEST_NAME: u8 = 8;

/// Reads a name of registers, with or without an index: `pool`, `pool[1]`,
/// `pool[0:3]`. The cursor stays where the name is none of registers.
///
/// # Errors
/// Where the index goes beyond the registers.
pub(super) fn named(
    cursor: &mut Cursor<'_>,
    alignment: Alignment,
    depth: u8,
) -> Result<Option<Named>, LineError> {
    let mut ahead = *cursor;
    let word = ahead.path();
    let start = ahead.at - word.len();
    let Some(text) = cursor.context.symbols.registers(word) else { return Ok(None) };
    let Some(mut named) = meaning(text, cursor.context, depth) else { return Ok(None) };
    let end = ahead.at;
    ahead.skip_blanks();
    if ahead.peek() == b'[' {
        let (first, last) = range(&mut ahead)?;
        let count = u32::from(named.register.dwords);
        if last >= count {
            let message = format!("`{word}` has {count} registers, counted from 0");
            return Err(LineError::new(codes::REGISTER, start..ahead.at, message));
        }
        named.register.first += if named.allocated { 0 } else { first as u16 };
        named.register.dwords = (last - first + 1) as u8;
    } else {
        ahead.at = end;
    }
    if !named.allocated {
        check_alignment(named.register, start..ahead.at, alignment, cursor.context.target)?;
    }
    *cursor = ahead;
    Ok(Some(named))
}

/// Returns what a register symbol stands for: registers, or `v:4`, the bank and count of a
/// variable.
fn meaning(text: &str, context: &Context<'_>, depth: u8) -> Option<Named> {
    let (kind, count) = text.split_once(':').unwrap_or((text, "1"));
    let bank = match kind.trim().to_ascii_lowercase().as_str() {
        "v" => Some(Bank::Vector),
        "s" => Some(Bank::Scalar),
        _ => None,
    };
    if let Some(bank) = bank {
        let dwords = count.trim().parse().ok().filter(|count| *count > 0)?;
        let register = Register { bank, first: 0, dwords };
        return Some(Named { register, allocated: true });
    }
    let mut cursor = Cursor::new(text, Dialect::Clrx, context);
    let found = match parse(&mut cursor, Alignment::Free).ok()? {
        Some(register) => Some(Named { register, allocated: false }),
        None if depth > 0 => named(&mut cursor, Alignment::Free, depth - 1).ok()?,
        None => None,
    };
    found.filter(|_| cursor.is_at_end())
}

fn check_alignment(
    register: Register,
    range: std::ops::Range<usize>,
    alignment: Alignment,
    target: Target,
) -> Result<(), LineError> {
    if register.bank != Bank::Scalar {
        return Ok(());
    }
    let strict = register::alignment(register.dwords);
    let first = register.first;
    let last = first + u16::from(register.dwords) - 1;
    let fits = match alignment {
        // A trap handler's registers are not held to it before gfx9.
        Alignment::Free => true,
        _ if first >= code::TTMP && target.generation() < Generation::Gfx9 => true,
        Alignment::Strict => first.is_multiple_of(strict),
        Alignment::WithinFour if register.dwords > 4 => first.is_multiple_of(4),
        Alignment::WithinFour => first / 4 == last / 4,
    };
    if fits {
        return Ok(());
    }
    let message = match alignment {
        Alignment::Strict => {
            format!("{} scalar registers must begin at a multiple of {strict}", register.dwords)
        }
        Alignment::WithinFour | Alignment::Free => {
            "these scalar registers must lie within an aligned group of four".to_owned()
        }
    };
    Err(LineError::new(codes::REGISTER, range, message))
}
