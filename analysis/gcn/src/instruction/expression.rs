//! Numbers of a line: literals and arithmetic on them.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use super::cursor::Cursor;
use super::error::LineError;
use crate::codes;
use crate::dialect::Dialect;
use crate::expression::{
    Evaluated, ExpressionError, ExpressionErrorKind, Reader, Scope, Symbols, Value,
};

/// The symbols of a line, which have numbers or values that come later.
struct Known<'a>(&'a dyn Symbols);

impl Scope for Known<'_> {
    fn symbol(&mut self, name: &str) -> Value {
        // The labels `1b` and `1f` are placed later.
        if name.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            return Value::Unknown;
        }
        as_value(self.0.value(name))
    }
}

/// The symbols of a line, which may be defined on a later one.
struct Eventually<'a>(&'a dyn Symbols);

impl Scope for Eventually<'_> {
    fn symbol(&mut self, name: &str) -> Value {
        match Known(self.0).symbol(name) {
            Value::Unknown => as_value(self.0.later(name)),
            known => known,
        }
    }
}

fn as_value(value: Option<i64>) -> Value {
    value.map_or(Value::Unknown, Value::Absolute)
}

/// Reads with the expressions' reader at the cursor, and moves the cursor behind it. `None`
/// is a value that comes later.
fn read(
    cursor: &mut Cursor<'_>,
    read: impl FnOnce(Reader<'_>) -> Result<Evaluated, ExpressionError>,
) -> Result<Option<i64>, LineError> {
    read_with(cursor, &mut Known(cursor.context.symbols), read)
}

fn read_with(
    cursor: &mut Cursor<'_>,
    symbols: &mut dyn Scope,
    read: impl FnOnce(Reader<'_>) -> Result<Evaluated, ExpressionError>,
) -> Result<Option<i64>, LineError> {
    match read(Reader::new(cursor.text, cursor.at, cursor.dialect, symbols)) {
        Ok(Evaluated { value, end, .. }) => {
            cursor.at = end;
            Ok(match value {
                Value::Absolute(value) => Some(value),
                // The reference leaves a division by zero for later, too.
                _ => None,
            })
        }
        Err(error) => {
            cursor.at = error.at;
            Err(refused(cursor, &error))
        }
    }
}

/// Says why an operand is not a number.
#[cold]
fn refused(cursor: &mut Cursor<'_>, error: &ExpressionError) -> LineError {
    let number = error.start..error.at;
    match error.kind {
        ExpressionErrorKind::NoDigits => {
            LineError::new(codes::SYNTAX, number, "this number has no digits")
        }
        ExpressionErrorKind::UnfitNumber => LineError::new(
            codes::RANGE,
            number,
            "this number is not a 64-bit integer, or has a digit its base lacks",
        ),
        ExpressionErrorKind::TooDeep => cursor.unexpected("this expression is nested too deep"),
        ExpressionErrorKind::NoOperand => cursor.unexpected("a number is expected here"),
        ExpressionErrorKind::NoParenthesis => cursor.unexpected("a closing parenthesis is missing"),
        ExpressionErrorKind::NoCharacter => {
            cursor.unexpected("this is not a character between quotes")
        }
        ExpressionErrorKind::NoColon => cursor.unexpected("the `:` of a choice is missing"),
        ExpressionErrorKind::NoComma => cursor.unexpected("a comma or `)` is missing"),
        ExpressionErrorKind::FewArguments => {
            cursor.unexpected("this function needs more arguments")
        }
        ExpressionErrorKind::DivisionByZero => cursor.unexpected("this divides by zero"),
    }
}

/// Reads an expression.
///
/// # Errors
/// Where its text is not an expression.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<Option<i64>, LineError> {
    read(cursor, |reader| reader.whole())
}

/// Reads an expression whose value must be known.
pub(crate) fn absolute(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    cursor.skip_blanks();
    if let Some(value) = plain_number(cursor).or_else(|| plain_sum(cursor)) {
        return Ok(value);
    }
    let start = cursor.at;
    let value = parse(cursor)?;
    value.ok_or_else(|| {
        let message = "this must be a number that is known here";
        LineError::new(codes::SYNTAX, start..cursor.at, message)
    })
}

/// Reads an expression whose value a later line may give.
pub(crate) fn eventual(cursor: &mut Cursor<'_>) -> Result<i64, LineError> {
    cursor.skip_blanks();
    let start = cursor.at;
    let value = read_with(cursor, &mut Eventually(cursor.context.symbols), |it| it.whole())?;
    cursor.at = cursor.text[..cursor.at].trim_ascii_end().len().max(start);
    value.ok_or_else(|| {
        let message = "no number is known for this, here or on a later line";
        LineError::new(codes::SYNTAX, start..cursor.at, message)
    })
}

/// Reads an expression whose value must be known, and its place.
pub(crate) fn placed(cursor: &mut Cursor<'_>) -> Result<(i64, Range<usize>), LineError> {
    cursor.skip_blanks();
    let start = cursor.at;
    let value = absolute(cursor)?;
    Ok((value, start..cursor.at))
}

/// Reads an expression whose value must be known and lie within bounds; `refusal` says
/// what is wrong with another.
pub(crate) fn within<M: Into<Cow<'static, str>>>(
    cursor: &mut Cursor<'_>,
    bounds: RangeInclusive<i64>,
    refusal: impl FnOnce() -> M,
) -> Result<i64, LineError> {
    let (value, place) = placed(cursor)?;
    match bounds.contains(&value) {
        true => Ok(value),
        false => Err(LineError::new(codes::RANGE, place, refusal())),
    }
}

/// Reads an expression; blanks behind it are not part of it.
pub(crate) fn trimmed(cursor: &mut Cursor<'_>) -> Result<Option<i64>, LineError> {
    let value = parse(cursor)?;
    cursor.at = cursor.text[..cursor.at].trim_ascii_end().len();
    Ok(value)
}

/// Reads a short number that is a whole expression: most numbers are. The
/// cursor stays where there is another.
#[inline]
pub(crate) fn plain_number(cursor: &mut Cursor<'_>) -> Option<i64> {
    let bytes = cursor.text.as_bytes().get(cursor.at..)?;
    let (value, length) = match bytes {
        [b'0', b'x', digits @ ..] => {
            let (value, length) = hexadecimal(digits)?;
            (value, length + 2)
        }
        _ => decimal(bytes)?,
    };
    let is_whole = match bytes.get(length) {
        None | Some(b',' | b']' | b':' | b')') => true,
        // No operator is a letter.
        Some(b' ') => bytes.get(length + 1).is_some_and(u8::is_ascii_alphabetic),
        _ => false,
    };
    is_whole.then(|| {
        cursor.at += length;
        value
    })
}

/// Reads a sum of symbols and short numbers, as registers in macros are numbered: `first+3`.
/// The cursor stays where there is anything else, or a value comes later.
fn plain_sum(cursor: &mut Cursor<'_>) -> Option<i64> {
    // In CLRX a colon may go on with a name.
    if cursor.dialect == Dialect::Clrx {
        return None;
    }
    let mut ahead = *cursor;
    let (mut sum, mut sign) = (0_i64, b'+');
    loop {
        let rest = ahead.text.as_bytes().get(ahead.at..)?;
        let term = match rest.first()? {
            b'0'..=b'9' => {
                let (number, length) = decimal(rest)?;
                ahead.at += length;
                number
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => ahead.context.symbols.value(ahead.word())?,
            _ => return None,
        };
        sum = if sign == b'-' { sum.wrapping_sub(term) } else { sum.wrapping_add(term) };
        let rest = ahead.text.as_bytes().get(ahead.at..)?;
        match rest.first() {
            None | Some(b',' | b']' | b':' | b')') => {
                cursor.at = ahead.at;
                return Some(sum);
            }
            Some(operator @ (b'+' | b'-')) => sign = *operator,
            Some(_) => return None,
        }
        ahead.at += 1;
    }
}

/// Up to nine digits, and how many there are. Octal numbers begin with a zero:
/// they are none of these.
#[inline]
fn decimal(bytes: &[u8]) -> Option<(i64, usize)> {
    let mut value = 0;
    let mut length = 0;
    while let Some(digit @ b'0'..=b'9') = bytes.get(length) {
        value = value * 10 + i64::from(digit - b'0');
        length += 1;
        if length > 9 {
            return None;
        }
    }
    (length == 1 || (length > 1 && bytes[0] != b'0')).then_some((value, length))
}

/// Up to eight digits, and how many there are.
#[inline]
fn hexadecimal(bytes: &[u8]) -> Option<(i64, usize)> {
    let mut value = 0;
    let mut length = 0;
    while let Some(digit) = bytes.get(length).and_then(|byte| char::from(*byte).to_digit(16)) {
        value = value << 4 | i64::from(digit);
        length += 1;
        if length > 8 {
            return None;
        }
    }
    (length > 0).then_some((value, length))
}

/// Reads a number or name without operators.
pub(crate) fn primary(cursor: &mut Cursor<'_>) -> Result<Option<i64>, LineError> {
    read(cursor, |reader| reader.operand())
}

/// Goes on with an expression whose first operand was read already.
pub(crate) fn continue_from(
    cursor: &mut Cursor<'_>,
    first: Option<i64>,
) -> Result<Option<i64>, LineError> {
    read(cursor, |reader| reader.behind(as_value(first)))
}

/// Reads a float if one begins here; the cursor stays where none does.
pub(crate) fn float(cursor: &mut Cursor<'_>) -> Option<f64> {
    let (value, length) = crate::expression::float(cursor.text.get(cursor.at..)?)?;
    cursor.at += length;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::super::parse::Context;
    use super::*;
    use crate::Target;
    use crate::encoding::Encoding;
    use crate::expression::NoSymbols;

    fn at_start<T>(text: &str, read: impl FnOnce(&mut Cursor<'_>) -> T) -> T {
        let target = Target::default();
        let (symbols, encoding) = (&NoSymbols, Encoding::Sopp);
        let cut = std::cell::Cell::new(None);
        let context = Context { target, symbols, special: [None, None], encoding, cut };
        read(&mut Cursor::new(text, Dialect::Llvm, &context))
    }

    fn value(text: &str) -> Option<i64> {
        at_start(text, |cursor| {
            let value = absolute(cursor).ok()?;
            cursor.is_at_end().then_some(value)
        })
    }

    #[test]
    fn operators_bind_as_in_the_references() {
        for (text, expected) in [
            ("1 << 3 + 1", 9),
            ("3|4", 7),
            ("-7/2", -3),
            ("-1>>60", 15),
            ("3 > 2", -1),
            ("3 && 2", 1),
            ("010", 8),
            ("0b101", 5),
            ("'a'", 97),
            ("~(2+3)*2", -12),
            ("5 | 2 ! 4", -1),
            ("1 << 65", 2),
            ("0xffffffffffffffff", -1),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        for text in ["1/0", "1+", "(1", "99999999999999999999", "08", "x", ""] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn deep_nesting_ends() {
        assert_eq!(value(&"(".repeat(100_000)), None);
        assert_eq!(value(&"-".repeat(100_000)), None);
        assert_eq!(value(&vec!["1"; 10_000].join("+")), Some(10_000));
    }

    #[test]
    fn floats_are_told_from_integers() {
        let read = |text: &str| at_start(text, float);
        assert_eq!(read("1.5"), Some(1.5));
        assert_eq!(read(".5"), Some(0.5));
        assert_eq!(read("1."), Some(1.0));
        assert_eq!(read("1e1"), Some(10.0));
        assert_eq!(read("0x1.8p1"), Some(3.0));
        assert_eq!((read("15"), read("0x15"), read("1e"), read(".")), (None, None, None, None));
    }
}
