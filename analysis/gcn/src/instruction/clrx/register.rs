//! Registers as CLRX writes them: letter case does not count, there are no lists,
//! and vector instructions take pairs that begin at odd numbers.

use crate::Generation;
use crate::instruction::cursor::Cursor;
use crate::instruction::error::{Code, LineError};
use crate::instruction::features::Features;
use crate::instruction::parse::Context;
use crate::instruction::register::{self, Bank, Register, code};

/// Where groups of scalar registers may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alignment {
    /// Pairs at even numbers, larger groups at multiples of four.
    Strict,
    /// Anywhere, as long as a group of four registers has them all.
    WithinFour,
}

/// Reads a register if the word at the cursor names one; the cursor stays where
/// it does not.
///
/// # Errors
/// Where the name is a register's but the target has no such register.
pub(super) fn parse(
    cursor: &mut Cursor<'_>,
    context: &Context<'_>,
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
    let features = context.features;
    if let Some((family, digits)) = register::family(word) {
        if !digits.is_empty() {
            let number = digits.parse().unwrap_or(u32::MAX);
            let register = register::numbered(family, number, number, start..cursor.at, features)?;
            return Ok(Some(register));
        }
        let name = cursor.at;
        cursor.skip_blanks();
        if cursor.peek() == b'[' {
            let (first, last) = register::range(cursor, context.symbols)?;
            let place = start..cursor.at;
            let register = register::numbered(family, first, last, place.clone(), features)?;
            check_alignment(register, place, alignment, features)?;
            return Ok(Some(register));
        }
        cursor.at = name;
    }
    let name = if word == "lds" { "lds_direct" } else { word };
    if let Some(special) = register::special(name, features) {
        // Every chip from gfx8 on has the name here.
        let xnack = name.starts_with("xnack_mask") && features.generation >= Generation::Gfx8;
        if special.available || xnack {
            return Ok(Some(Register::scalar(special.first, special.dwords)));
        }
        let message = format!("`{word}` does not exist on {}", features.name);
        return Err(LineError::new(Code::Register, start..cursor.at, message));
    }
    cursor.at = start;
    Ok(None)
}

fn check_alignment(
    register: Register,
    range: std::ops::Range<usize>,
    alignment: Alignment,
    features: &Features,
) -> Result<(), LineError> {
    if register.bank != Bank::Scalar || register.dwords <= 1 {
        return Ok(());
    }
    let first = register.first;
    let last = first + u16::from(register.dwords) - 1;
    let fits = match alignment {
        // A trap handler's registers are not held to it before gfx9.
        _ if first >= code::TTMP && features.generation < Generation::Gfx9 => true,
        Alignment::Strict if register.dwords == 2 => first.is_multiple_of(2),
        Alignment::Strict => first.is_multiple_of(4),
        Alignment::WithinFour if register.dwords > 4 => first.is_multiple_of(4),
        Alignment::WithinFour => first / 4 == last / 4,
    };
    if fits {
        return Ok(());
    }
    let message = match alignment {
        Alignment::Strict => format!(
            "{} scalar registers must begin at a multiple of {}",
            register.dwords,
            if register.dwords == 2 { 2 } else { 4 }
        ),
        Alignment::WithinFour => {
            "these scalar registers must lie within an aligned group of four".to_owned()
        }
    };
    Err(LineError::new(Code::Register, range, message))
}
