//! Registers as operands of a line.

use super::cursor::Cursor;
use super::error::LineError;
use super::expression;
use super::register::{Bank, Register, alignment};
use super::register_names::{special, trap_codes};
use crate::{Target, codes};
use isa::gcn::Feature;

/// The letters before a number, and what they count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Scalar,
    Trap,
    Vector,
    Accumulator,
}

/// The family of a word, and the digits after its letters.
pub(crate) fn family(word: &str) -> Option<(Family, &str)> {
    let (family, rest) = match word.as_bytes().first()? {
        b's' => (Family::Scalar, &word[1..]),
        b'v' => (Family::Vector, &word[1..]),
        // LLVM reads `acc3` as well, and writes `a3`.
        b'a' => (Family::Accumulator, word.strip_prefix("acc").unwrap_or(&word[1..])),
        b't' => (Family::Trap, word.strip_prefix("ttmp")?),
        _ => return None,
    };
    rest.bytes().all(|byte| byte.is_ascii_digit()).then_some((family, rest))
}

/// Reads `v12` or `s[4:7]` written with plain numbers, which most registers are:
/// the family, the first and the last number. The cursor stays where there is
/// something else.
#[inline]
fn plain(cursor: &mut Cursor<'_>) -> Option<(Family, u32, u32)> {
    let bytes = cursor.text.as_bytes().get(cursor.at..)?;
    let family = match bytes.first()? {
        b'v' => Family::Vector,
        b's' => Family::Scalar,
        _ => return None,
    };
    if bytes.get(1) == Some(&b'[') {
        let (first, colon) = digits(bytes, 2)?;
        let (last, close) = digits(bytes, colon + 1)?;
        let is_range =
            bytes.get(colon) == Some(&b':') && bytes.get(close) == Some(&b']') && first <= last;
        return is_range.then(|| {
            cursor.at += close + 1;
            (family, first, last)
        });
    }
    let (number, end) = digits(bytes, 1)?;
    matches!(bytes.get(end), None | Some(b',' | b' ' | b')' | b'|')).then(|| {
        cursor.at += end;
        (family, number, number)
    })
}

/// A decimal number of a few digits without a zero in front, and where it ends.
#[inline]
fn digits(bytes: &[u8], from: usize) -> Option<(u32, usize)> {
    let mut number = 0;
    let mut at = from;
    while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
        number = number * 10 + u32::from(digit - b'0');
        at += 1;
        if at > from + 4 {
            return None;
        }
    }
    let is_octal = at > from + 1 && bytes[from] == b'0';
    (at > from && !is_octal).then_some((number, at))
}

/// Reads a single register or an aligned group that the chip has, written with plain numbers;
/// the cursor stays where there is something else, however wrong.
#[inline]
pub(crate) fn parse_plain(cursor: &mut Cursor<'_>) -> Option<Register> {
    let (start, target) = (cursor.at, cursor.context.target);
    let (family, first, last) = plain(cursor)?;
    let (bank, count) = match family {
        Family::Vector => (Bank::Vector, 256),
        _ => (Bank::Scalar, target.row().limits.sgpr_addressable),
    };
    // Both are below 256.
    let register = Register { bank, first: first as u16, dwords: (last - first + 1) as u8 };
    let is_one = first == last;
    if last < count && (is_one || is_group(register, target)) {
        return Some(register);
    }
    cursor.at = start;
    None
}

/// Tells whether registers are as many as some instruction takes, and aligned.
fn is_group(register: Register, target: Target) -> bool {
    matches!(register.dwords, 1..=12 | 16 | 32)
        && !register.is_misaligned()
        && !register.is_odd_group(target)
}

/// Reads a register if the word at the cursor names one; the cursor stays where
/// it does not.
///
/// # Errors
/// Where the name is a register's but the target has no such register.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<Option<Register>, LineError> {
    cursor.skip_blanks();
    let (start, target) = (cursor.at, cursor.context.target);
    if cursor.peek() == b'[' {
        return parse_list(cursor).map(Some);
    }
    if let Some((family, first, last)) = plain(cursor) {
        return make(family, first, last, start..cursor.at, target).map(Some);
    }
    let word = cursor.word();
    if let Some((family, digits)) = family(word) {
        if !digits.is_empty() {
            let number = digits.parse().unwrap_or(u32::MAX);
            return make(family, number, number, start..cursor.at, target).map(Some);
        }
        let name = cursor.at;
        cursor.skip_blanks();
        if cursor.peek() == b'[' {
            let (first, last) = range(cursor)?;
            return make(family, first, last, start..cursor.at, target).map(Some);
        }
        cursor.at = name;
    }
    if let Some(special) = special(word, target) {
        if !special.available {
            let message = format!("`{word}` does not exist on {}", target.processor());
            return Err(LineError::new(codes::REGISTER, start..cursor.at, message));
        }
        return Ok(Some(Register::scalar(special.first, special.dwords)));
    }
    cursor.at = start;
    Ok(None)
}

/// The numbers in `[first]` or `[first:last]`.
pub(crate) fn range(cursor: &mut Cursor<'_>) -> Result<(u32, u32), LineError> {
    cursor.expect(b'[', "a bracket is expected")?;
    let start = cursor.at;
    let first = expression::absolute(cursor)?;
    let last = if cursor.take(b':') { expression::absolute(cursor)? } else { first };
    cursor.expect(b']', "the closing bracket of the registers is missing")?;
    match (u32::try_from(first), u32::try_from(last)) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => {
            let message = "the first register must not be above the last, nor below 0";
            Err(LineError::new(codes::REGISTER, start..cursor.at - 1, message))
        }
    }
}

/// `[s0,s1]`: single registers that follow one another.
fn parse_list(cursor: &mut Cursor<'_>) -> Result<Register, LineError> {
    let (start, target) = (cursor.at, cursor.context.target);
    cursor.at += 1;
    let mut whole: Option<Register> = None;
    loop {
        cursor.skip_blanks();
        let from = cursor.at;
        let part = if cursor.peek() == b'[' { None } else { parse(cursor)? };
        let Some(part) = part.filter(|part| part.dwords == 1) else {
            let message = "a list takes single registers";
            let end = cursor.at.max(cursor.behind_character(from));
            return Err(LineError::new(codes::REGISTER, from..end, message));
        };
        match &mut whole {
            None => whole = Some(part),
            Some(whole)
                if whole.bank == part.bank
                    && u32::from(part.first)
                        == u32::from(whole.first) + u32::from(whole.dwords)
                    && whole.dwords < 32 =>
            {
                whole.dwords += 1;
            }
            Some(_) => {
                let message = "the registers of a list must follow one another";
                return Err(LineError::new(codes::REGISTER, from..cursor.at, message));
            }
        }
        if !cursor.take(b',') {
            break;
        }
    }
    cursor.expect(b']', "a comma or the closing bracket of the list is missing")?;
    let whole = whole.unwrap_or(Register::scalar(0, 1));
    check_size_and_alignment(whole, start..cursor.at, target)?;
    Ok(whole)
}

fn make(
    family: Family,
    first: u32,
    last: u32,
    range: std::ops::Range<usize>,
    target: Target,
) -> Result<Register, LineError> {
    let register = numbered(family, first, last, range.clone(), target)?;
    check_size_and_alignment(register, range, target)?;
    Ok(register)
}

/// The registers of a family from a number to another, wherever they begin.
///
/// # Errors
/// Where the target has fewer.
#[inline]
pub(crate) fn numbered(
    family: Family,
    first: u32,
    last: u32,
    range: std::ops::Range<usize>,
    target: Target,
) -> Result<Register, LineError> {
    let (bank, base, count) = match family {
        Family::Vector => (Bank::Vector, 0, 256),
        Family::Accumulator => {
            (Bank::Accumulator, 0, if target.has(Feature::Mai) { 256 } else { 0 })
        }
        Family::Scalar => (Bank::Scalar, 0, target.row().limits.sgpr_addressable),
        Family::Trap => {
            let codes = trap_codes(target);
            (Bank::Scalar, codes.start, u32::from(codes.end - codes.start))
        }
    };
    if last >= count {
        return Err(beyond(family, count, range, target));
    }
    // Both are below 256.
    let dwords = (last - first + 1).min(255) as u8;
    Ok(Register { bank, first: base + first as u16, dwords })
}

/// The error of a register behind the last one.
#[cold]
fn beyond(family: Family, count: u32, range: std::ops::Range<usize>, target: Target) -> LineError {
    let message = match family {
        Family::Accumulator if count == 0 => format!(
            "accumulation registers exist on gfx908 only; the target is {}",
            target.processor()
        ),
        _ => format!("{} has {count} of these registers", target.processor()),
    };
    LineError::new(codes::REGISTER, range, message)
}

/// Groups come in the sizes that some instruction takes; scalar ones begin at
/// even numbers, those of three and more at multiples of four; from gfx90a on vector ones
/// begin at even numbers.
#[inline]
fn check_size_and_alignment(
    register: Register,
    range: std::ops::Range<usize>,
    target: Target,
) -> Result<(), LineError> {
    if !matches!(register.dwords, 1..=12 | 16 | 32) {
        let message = format!("no instruction takes {} registers at once", register.dwords);
        return Err(LineError::new(codes::REGISTER, range, message));
    }
    if register.is_misaligned() {
        let alignment = alignment(register.dwords);
        let message =
            format!("{} scalar registers must begin at a multiple of {alignment}", register.dwords);
        return Err(LineError::new(codes::REGISTER, range, message));
    }
    if register.is_odd_group(target) {
        let message = format!(
            "on {} two and more vector registers begin at an even number",
            target.processor()
        );
        return Err(LineError::new(codes::REGISTER, range, message));
    }
    Ok(())
}
