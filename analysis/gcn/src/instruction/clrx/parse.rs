//! Operands in CLRX: commas stand between them, words without commas follow.

use super::modifier::{self, Modifiers};
use super::register::{self, Alignment, DEEPEST_NAME, Named};
use super::{constant, special};
use crate::codes;
use crate::dialect::Dialect;
use crate::encoding::Encoding;
use crate::instruction::constant::Number;
use crate::instruction::cursor::Cursor;
use crate::instruction::error::LineError;
use crate::instruction::expression;
use crate::instruction::modifier::Flag;
use crate::instruction::operands::{NumberKind, Type};
use crate::instruction::parse::{self, NOTHING, Operands, Parsed, Value};
use crate::instruction::register_operand;

/// Operands and modifiers of a line.
#[derive(Debug)]
pub(super) struct ParsedLine {
    pub(super) operands: Operands,
    pub(super) modifiers: Modifiers,
}

/// Reads the rest of a line. `has_operands` is whether some form of the mnemonic
/// takes any; else modifiers begin at once.
pub(super) fn parse(cursor: &mut Cursor<'_>, has_operands: bool) -> Result<ParsedLine, LineError> {
    let mut line = ParsedLine { operands: Operands::new(), modifiers: Modifiers::new() };
    while has_operands && !cursor.is_at_end() {
        let start = cursor.at;
        let index = line.operands.as_slice().len();
        let kind = cursor.context.special.iter().flatten().find(|(place, _)| *place == index);
        let mut parsed = match kind {
            Some((_, kind)) => Parsed { value: special::parse(cursor, *kind)?, ..NOTHING },
            None => operand(cursor)?,
        };
        parsed.start = start as u32;
        parsed.end = cursor.at as u32;
        line.operands.push(parsed)?;
        if !cursor.take(b',') {
            break;
        }
        if cursor.is_at_end() {
            return Err(cursor.error_here("an operand is expected after the comma"));
        }
    }
    modifier::parse(cursor, &mut line.modifiers)?;
    Ok(line)
}

fn alignment(encoding: Encoding) -> Alignment {
    use Encoding::{Vop1, Vop2, Vop3, Vop3p, Vopc};
    match encoding {
        Vop1 | Vop2 | Vopc | Vop3 | Vop3p => Alignment::WithinFour,
        _ => Alignment::Strict,
    }
}

fn is_vector(encoding: Encoding) -> bool {
    alignment(encoding) == Alignment::WithinFour || encoding == Encoding::Vintrp
}

/// An operand with what is done to it on its way in.
fn operand(cursor: &mut Cursor<'_>) -> Result<Parsed, LineError> {
    let mut parsed = NOTHING;
    if !is_vector(cursor.context.encoding) {
        (parsed.value, parsed.allocated) = plain(cursor)?;
        return Ok(parsed);
    }
    cursor.skip_blanks();
    parsed.sign_extended = cursor.takes_call("sext");
    cursor.skip_blanks();
    if cursor.peek() == b'-' {
        let mut ahead = *cursor;
        ahead.at += 1;
        ahead.skip_blanks();
        let magnitude = ahead.peek() == b'|' || ahead.clone().takes_call("abs");
        let found = !magnitude && registers(&mut ahead.clone())?.is_some();
        if magnitude || found {
            parsed.negated = true;
            *cursor = ahead;
        }
    }
    let start = cursor.at;
    let bar = cursor.take(b'|');
    if cursor.context.encoding == Encoding::Vop3p && (bar || cursor.clone().takes_call("abs")) {
        let message = "packed sources have no magnitude; CLRX would drop it silently";
        return Err(LineError::new(codes::MODIFIER, start..start + 1, message));
    }
    let call = !bar && cursor.takes_call("abs");
    parsed.absolute = bar || call;
    (parsed.value, parsed.allocated) = if bar { between_bars(cursor)? } else { plain(cursor)? };
    if bar {
        cursor.expect(b'|', "the closing `|` is missing")?;
    }
    if call {
        cursor.expect(b')', "the closing parenthesis of `abs` is missing")?;
    }
    if parsed.sign_extended {
        cursor.expect(b')', "the closing parenthesis of `sext` is missing")?;
    }
    Ok(parsed)
}

/// A register or float: other numbers would take the closing `|` as an operator.
fn between_bars(cursor: &mut Cursor<'_>) -> Result<(Value, bool), LineError> {
    match registers(cursor)? {
        Some(named) => Ok((Value::Register(named.register), named.allocated)),
        None => match float(cursor) {
            Some(value) => Ok((value, false)),
            None => Err(cursor.unexpected("a register is expected between bars")),
        },
    }
}

/// Registers, by their numbers or by a symbol's name.
fn registers(cursor: &mut Cursor<'_>) -> Result<Option<Named>, LineError> {
    let alignment = alignment(cursor.context.encoding);
    let mut ahead = *cursor;
    // Scalar memory has no operands for these: the names are symbols.
    let memory = matches!(cursor.context.encoding, Encoding::Smrd | Encoding::Smem);
    if memory && ["vccz", "execz", "scc", "lds"].contains(&ahead.word()) {
        return Ok(None);
    }
    match register::parse(cursor, alignment)? {
        Some(register) => Ok(Some(Named { register, allocated: false })),
        None => register::named(cursor, alignment, DEEPEST_NAME),
    }
}

/// An operand, and whether an allocator chooses its registers.
fn plain(cursor: &mut Cursor<'_>) -> Result<(Value, bool), LineError> {
    cursor.skip_blanks();
    let mut ahead = *cursor;
    if !ahead.take(b'@')
        && let Some(named) = registers(cursor)?
    {
        return Ok((Value::Register(named.register), named.allocated));
    }
    if let Some(value) = constant_symbol(cursor)? {
        return Ok((value, false));
    }
    Ok((number(cursor)?, false))
}

/// Reads a name of a constant, with or without an index that means all of it: `one`,
/// `one[0:1]`. The cursor stays where the name is none of a constant.
fn constant_symbol(cursor: &mut Cursor<'_>) -> Result<Option<Value>, LineError> {
    let mut ahead = *cursor;
    let word = ahead.path();
    let Some(text) = cursor.context.symbols.registers(word) else { return Ok(None) };
    let mut inner = Cursor::new(text, Dialect::Clrx, cursor.context);
    let Ok(value) = number(&mut inner) else { return Ok(None) };
    if !inner.is_at_end() || !matches!(value, Value::Integer(_) | Value::Float(_)) {
        return Ok(None);
    }
    let end = ahead.at;
    ahead.skip_blanks();
    if ahead.peek() == b'[' {
        let start = ahead.at;
        let (first, last) = register_operand::range(&mut ahead)?;
        // A constant fills one register or two.
        if first > 0 || last > 1 {
            let message = "the index of a constant is [0], or [0:1] for 64 bits";
            return Err(LineError::new(codes::REGISTER, start..ahead.at, message));
        }
    } else {
        ahead.at = end;
    }
    *cursor = ahead;
    Ok(Some(value))
}

/// An operand that is not a register.
fn number(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    if !cursor.take(b'@') {
        let mut ahead = *cursor;
        if ahead.word().eq_ignore_ascii_case("off") {
            *cursor = ahead;
            return Ok(Value::Flag(Flag::Off, true));
        }
        if cursor.takes_call("lit") {
            let value = forced(cursor)?;
            cursor.expect(b')', "the closing parenthesis of `lit` is missing")?;
            return Ok(value);
        }
        if let Some(value) = float(cursor) {
            return Ok(value);
        }
    }
    let start = cursor.at;
    let value = parse::number(expression::trimmed(cursor)?);
    if value == Value::Unresolved && is_offset(cursor.context.encoding) {
        cursor.at = start;
        return expression::eventual(cursor).map(Value::Integer);
    }
    Ok(value)
}

/// Tells whether numbers of an encoding fill fields: a later line may give them. What
/// follows an instruction as a literal is filled in when all is placed.
fn is_offset(encoding: Encoding) -> bool {
    use Encoding::{Smem, Smrd, Sopk, Sopp};
    matches!(encoding, Smem | Smrd | Sopk | Sopp)
}

/// Returns what stands in `lit(…)`: a literal even where a short code would do.
fn forced(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let start = cursor.at;
    let number = match float(cursor) {
        Some(Value::Float(value)) => Number::Float(value),
        Some(encoded) => return Ok(encoded),
        None => match (expression::parse(cursor)?, is_offset(cursor.context.encoding)) {
            (Some(value), _) => Number::Integer(value),
            (None, false) => return Ok(Value::Unresolved),
            (None, true) => {
                cursor.at = start;
                Number::Integer(expression::eventual(cursor)?)
            }
        },
    };
    match constant::literal(number, Type::WORD) {
        crate::instruction::constant::Encoded::Unfit => {
            Err(LineError::new(codes::RANGE, start..cursor.at, "this does not fit 32 bits"))
        }
        encoded => Ok(Value::Encoded(encoded)),
    }
}

/// A float with a sign before and a size behind it: `1.5h`, `-2.0s`.
fn float(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.skip_blanks();
    let start = cursor.at;
    let negative = cursor.peek() == b'-';
    if negative || cursor.peek() == b'+' {
        cursor.at += 1;
    }
    let Some(value) = expression::float(cursor) else {
        cursor.at = start;
        return None;
    };
    let value = if negative { -value } else { value };
    let bits = match cursor.peek().to_ascii_lowercase() {
        b'h' => Some(16),
        b's' => Some(32),
        b'l' | b'd' => Some(64),
        _ => None,
    };
    let Some(bits) = bits.filter(|_| !cursor.second().is_ascii_alphanumeric()) else {
        return Some(Value::Float(value));
    };
    cursor.at += 1;
    let ty = Type { kind: NumberKind::Float, bits };
    Some(Value::Encoded(constant::encode(Number::Float(value), ty, false)))
}
