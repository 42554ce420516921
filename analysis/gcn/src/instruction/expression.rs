//! Numbers of a line: literals and arithmetic on them.
//!
//! Precedence and meaning are the GNU assembler's, which LLVM shares: `*` and the
//! shifts bind tightest, then `|` `^` `&`, then `+` `-`, then comparisons (which
//! give -1), `&&`, `||`; shifts to the right fill with zeros. CLRX has operators
//! of its own for division without sign and shifts with it.

use super::cursor::Cursor;
use super::error::{Code, LineError};
use crate::dialect::Dialect;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolValue {
    /// A number that is known now.
    Absolute(i64),
    /// An address, or something that another file or a later line gives.
    Later,
}

/// Gives names their values.
pub trait Symbols {
    /// The value of a name.
    fn value(&self, name: &str) -> SymbolValue;

    /// The registers that a name stands for, as CLRX writes them: `v[4:7]`, or
    /// `v:4` where an allocator chooses them.
    fn registers(&self, _name: &str) -> Option<&str> {
        None
    }
}

/// No name has a value yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSymbols;

impl Symbols for NoSymbols {
    fn value(&self, _name: &str) -> SymbolValue {
        SymbolValue::Later
    }
}

/// Parentheses and signs may nest this deep.
const DEEPEST: u32 = 64;

/// Reads an expression.
///
/// # Errors
/// Where its text is no expression.
pub(crate) fn parse(
    cursor: &mut Cursor<'_>,
    symbols: &dyn Symbols,
) -> Result<SymbolValue, LineError> {
    binary(cursor, symbols, 1, DEEPEST)
}

/// Reads an expression whose value must be known.
pub(crate) fn absolute(cursor: &mut Cursor<'_>, symbols: &dyn Symbols) -> Result<i64, LineError> {
    cursor.skip_blanks();
    if let Some(value) = plain_number(cursor) {
        return Ok(value);
    }
    let start = cursor.at;
    match parse(cursor, symbols)? {
        SymbolValue::Absolute(value) => Ok(value),
        SymbolValue::Later => Err(LineError::new(
            Code::Syntax,
            start..cursor.at,
            "this must be a number that is known here",
        )),
    }
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
pub(crate) fn primary(
    cursor: &mut Cursor<'_>,
    symbols: &dyn Symbols,
) -> Result<SymbolValue, LineError> {
    unary(cursor, symbols, DEEPEST)
}

/// Goes on with an expression whose first operand was read already.
pub(crate) fn continue_from(
    cursor: &mut Cursor<'_>,
    symbols: &dyn Symbols,
    first: SymbolValue,
) -> Result<SymbolValue, LineError> {
    continue_binary(cursor, symbols, first, 1, DEEPEST)
}

fn binary(
    cursor: &mut Cursor<'_>,
    symbols: &dyn Symbols,
    lowest: u8,
    depth: u32,
) -> Result<SymbolValue, LineError> {
    let left = unary(cursor, symbols, depth)?;
    continue_binary(cursor, symbols, left, lowest, depth)
}

fn continue_binary(
    cursor: &mut Cursor<'_>,
    symbols: &dyn Symbols,
    mut left: SymbolValue,
    lowest: u8,
    depth: u32,
) -> Result<SymbolValue, LineError> {
    loop {
        cursor.skip_blanks();
        let Some((operator, width, strength)) = operator(cursor) else { return Ok(left) };
        if strength < lowest {
            return Ok(left);
        }
        cursor.at += width;
        let right = binary(cursor, symbols, strength + 1, depth - 1)?;
        left = match (left, right) {
            (SymbolValue::Absolute(left), SymbolValue::Absolute(right)) => {
                match apply(operator, left, right) {
                    Some(value) => SymbolValue::Absolute(value),
                    // Division by zero: the reference leaves it for later, too.
                    None => SymbolValue::Later,
                }
            }
            _ => SymbolValue::Later,
        };
    }
}

/// The operator at the cursor: its bytes, their count, how tight it binds.
fn operator(cursor: &Cursor<'_>) -> Option<([u8; 2], usize, u8)> {
    let (first, second) = (cursor.peek(), cursor.second());
    if cursor.dialect == Dialect::Clrx {
        match (first, second) {
            (b'/', b'/') | (b'%', b'%') => return Some(([first, second], 2, 6)),
            (b'>', b'>') if cursor.text.as_bytes().get(cursor.at + 2) == Some(&b'>') => {
                return Some((*SIGNED_SHIFT, 3, 6));
            }
            _ => {}
        }
    }
    Some(match (first, second) {
        (b'|', b'|') => ([first, second], 2, 1),
        (b'&', b'&') => ([first, second], 2, 2),
        (b'=' | b'!' | b'<' | b'>', b'=') | (b'<', b'>') => ([first, second], 2, 3),
        (b'<', b'<') | (b'>', b'>') => ([first, second], 2, 6),
        (b'<' | b'>', _) => ([first, 0], 1, 3),
        // A comment begins.
        (b'/', b'/' | b'*') => return None,
        (b'+' | b'-', _) => ([first, 0], 1, 4),
        (b'|' | b'^' | b'&', _) => ([first, 0], 1, 5),
        (b'*' | b'/' | b'%', _) => ([first, 0], 1, 6),
        _ => return None,
    })
}

/// How `>>>` is known among operators of two bytes.
const SIGNED_SHIFT: &[u8; 2] = b">s";

fn apply(operator: [u8; 2], left: i64, right: i64) -> Option<i64> {
    let truth = |value: bool| -i64::from(value);
    let distance = |right: i64| u32::try_from(right).ok().filter(|distance| *distance < 64);
    Some(match &operator {
        b"||" => i64::from(left != 0 || right != 0),
        b"&&" => i64::from(left != 0 && right != 0),
        b"==" => truth(left == right),
        b"!=" | b"<>" => truth(left != right),
        b"<=" => truth(left <= right),
        b">=" => truth(left >= right),
        b"<\0" => truth(left < right),
        b">\0" => truth(left > right),
        b"<<" => distance(right).map_or(0, |distance| left << distance),
        b">>" => distance(right).map_or(0, |distance| ((left as u64) >> distance) as i64),
        SIGNED_SHIFT => left >> distance(right).unwrap_or(63),
        b"//" => (right != 0).then(|| ((left as u64) / (right as u64)) as i64)?,
        b"%%" => (right != 0).then(|| ((left as u64) % (right as u64)) as i64)?,
        b"+\0" => left.wrapping_add(right),
        b"-\0" => left.wrapping_sub(right),
        b"|\0" => left | right,
        b"^\0" => left ^ right,
        b"&\0" => left & right,
        b"*\0" => left.wrapping_mul(right),
        b"/\0" => (right != 0).then(|| left.wrapping_div(right))?,
        b"%\0" => (right != 0).then(|| left.wrapping_rem(right))?,
        _ => return None,
    })
}

fn unary(
    cursor: &mut Cursor<'_>,
    symbols: &dyn Symbols,
    depth: u32,
) -> Result<SymbolValue, LineError> {
    if depth == 0 {
        return Err(cursor.unexpected("this expression is nested too deep"));
    }
    cursor.skip_blanks();
    let sign = cursor.peek();
    match sign {
        b'-' | b'~' | b'!' | b'+' => {
            cursor.at += 1;
            let value = unary(cursor, symbols, depth - 1)?;
            let SymbolValue::Absolute(value) = value else { return Ok(value) };
            Ok(SymbolValue::Absolute(match sign {
                b'-' => value.wrapping_neg(),
                b'~' => !value,
                b'!' => i64::from(value == 0),
                _ => value,
            }))
        }
        b'(' => {
            cursor.at += 1;
            let value = binary(cursor, symbols, 1, depth - 1)?;
            cursor.expect(b')', "a closing parenthesis is missing")?;
            Ok(value)
        }
        b'0'..=b'9' => integer(cursor),
        b'\'' => character(cursor),
        _ => {
            let word = cursor.path();
            if word.is_empty() {
                return Err(cursor.unexpected("a number is expected here"));
            }
            Ok(symbols.value(word))
        }
    }
}

fn character(cursor: &mut Cursor<'_>) -> Result<SymbolValue, LineError> {
    let bytes = cursor.text.as_bytes();
    let value = match bytes.get(cursor.at + 1..cursor.at + 3) {
        Some([byte, b'\'']) if *byte != b'\\' => Some((*byte, 3)),
        Some([b'\\', byte]) if bytes.get(cursor.at + 3) == Some(&b'\'') => match byte {
            b'n' => Some((b'\n', 4)),
            b't' => Some((b'\t', 4)),
            b'\\' | b'\'' => Some((*byte, 4)),
            _ => None,
        },
        _ => None,
    };
    let Some((value, width)) = value else {
        return Err(cursor.unexpected("this is no character between quotes"));
    };
    cursor.at += width;
    Ok(SymbolValue::Absolute(i64::from(value)))
}

/// Reads an integer: decimal, `0x`, `0b`, octal with a leading zero; `1f` and
/// `1b` are the nearest numeric label below and above.
fn integer(cursor: &mut Cursor<'_>) -> Result<SymbolValue, LineError> {
    let start = cursor.at;
    let bytes = cursor.text.as_bytes();
    let digits = |from: usize, is: fn(&u8) -> bool| {
        bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| is(byte)).count())
    };
    let marked = |marks: [u8; 2]| {
        bytes[start] == b'0' && bytes.get(start + 1).is_some_and(|byte| marks.contains(byte))
    };
    let (from, count, radix) = if marked(*b"xX") {
        (start + 2, digits(start + 2, u8::is_ascii_hexdigit), 16)
    } else if marked(*b"bB") && matches!(bytes.get(start + 2), Some(b'0' | b'1')) {
        (start + 2, digits(start + 2, |byte| matches!(byte, b'0' | b'1')), 2)
    } else {
        let count = digits(start, u8::is_ascii_digit);
        (start, count, if bytes[start] == b'0' { 8 } else { 10 })
    };
    cursor.at = from + count;
    if count == 0 {
        return Err(LineError::new(Code::Syntax, start..cursor.at, "this number has no digits"));
    }
    let label = radix != 16
        && matches!(cursor.peek(), b'f' | b'b')
        && !cursor.second().is_ascii_alphanumeric()
        && cursor.second() != b'_';
    if label {
        cursor.at += 1;
        return Ok(SymbolValue::Later);
    }
    match u64::from_str_radix(&cursor.text[from..cursor.at], radix) {
        Ok(value) => Ok(SymbolValue::Absolute(value as i64)),
        Err(_) => Err(LineError::new(
            Code::Range,
            start..cursor.at,
            "this number is no 64-bit integer, or has a digit its base lacks",
        )),
    }
}

/// Reads a float if one begins here; the cursor stays where none does.
pub(crate) fn float(cursor: &mut Cursor<'_>) -> Option<f64> {
    let bytes = cursor.text.as_bytes();
    let start = cursor.at;
    let rest = bytes.get(start..)?;
    if rest.first() == Some(&b'0') && matches!(rest.get(1), Some(b'x' | b'X')) {
        return hexadecimal_float(cursor);
    }
    let whole = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = whole;
    let mut is_float = false;
    if rest.get(end) == Some(&b'.') {
        let part = rest[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if whole + part == 0 {
            return None;
        }
        end += 1 + part;
        is_float = true;
    }
    if end > 0 && matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let power = rest[end + 1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if power > 0 {
            end += 1 + sign + power;
            is_float = true;
        }
    }
    if !is_float {
        return None;
    }
    let value = cursor.text.get(start..start + end)?.parse().ok()?;
    cursor.at = start + end;
    Some(value)
}

/// `0x1.8p1`: digits of base 16, then a power of two.
fn hexadecimal_float(cursor: &mut Cursor<'_>) -> Option<f64> {
    let bytes = cursor.text.as_bytes();
    let mut at = cursor.at + 2;
    let (mut value, mut scale, mut after_point, mut digits) = (0.0_f64, 0_i32, false, 0);
    loop {
        match bytes.get(at) {
            Some(b'.') if !after_point => after_point = true,
            Some(byte) if byte.is_ascii_hexdigit() => {
                let digit = char::from(*byte).to_digit(16)?;
                value = value * 16.0 + f64::from(digit);
                scale -= if after_point { 4 } else { 0 };
                digits += 1;
            }
            _ => break,
        }
        at += 1;
    }
    if digits == 0 || !matches!(bytes.get(at), Some(b'p' | b'P')) {
        return None;
    }
    let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
    let power_start = at + 1 + sign;
    let count = bytes.get(power_start..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let power: i32 = cursor.text.get(power_start..power_start + count)?.parse().ok()?;
    let power = if sign == 1 && bytes[at + 1] == b'-' { -power } else { power };
    cursor.at = power_start + count;
    Some(value * 2.0_f64.powi(scale.saturating_add(power)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<i64> {
        let mut cursor = Cursor::new(text, Dialect::Llvm);
        let value = absolute(&mut cursor, &NoSymbols).ok()?;
        cursor.is_at_end().then_some(value)
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
        let read = |text: &str| float(&mut Cursor::new(text, Dialect::Llvm));
        assert_eq!(read("1.5"), Some(1.5));
        assert_eq!(read(".5"), Some(0.5));
        assert_eq!(read("1."), Some(1.0));
        assert_eq!(read("1e1"), Some(10.0));
        assert_eq!(read("0x1.8p1"), Some(3.0));
        assert_eq!((read("15"), read("0x15"), read("1e"), read(".")), (None, None, None, None));
    }
}
