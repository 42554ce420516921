//! Numbers as both dialects write them.

use super::lines::is_word;

/// What the digits at the start of a text are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    /// A whole number.
    Integer {
        /// The value; 64 bits, whatever its sign.
        value: i64,
        /// Bytes read.
        length: usize,
    },
    /// `1b`, `1f`: the nearest such label before or after.
    NearLabel {
        /// Bytes read.
        length: usize,
    },
    /// `1.5`, `0x1.8p1`, `1e3`.
    Float {
        /// The value.
        value: f64,
        /// Bytes read.
        length: usize,
    },
    /// More than 64 bits.
    TooLarge {
        /// Bytes read.
        length: usize,
    },
}

/// Reads the number at the start of a text, which begins with a digit.
pub(super) fn number(text: &str) -> Number {
    let bytes = text.as_bytes();
    let digits = |from: usize, radix: u32| {
        let digit = |byte: &u8| char::from(*byte).is_digit(radix);
        from + bytes[from.min(bytes.len())..].iter().take_while(|byte| digit(byte)).count()
    };
    let prefix = (bytes.first() == Some(&b'0')).then(|| bytes.get(1)).flatten();
    let (from, radix) = match prefix {
        Some(b'x' | b'X') if digits(2, 16) > 2 => (2, 16),
        Some(b'b' | b'B') if digits(2, 2) > 2 => (2, 2),
        _ => (0, 10),
    };
    let length = digits(from, radix);
    if radix == 10 {
        let next = bytes.get(length).copied();
        let after = bytes.get(length + 1).copied();
        if matches!(next, Some(b'b' | b'f')) && !after.is_some_and(is_word) {
            return Number::NearLabel { length: length + 1 };
        }
        if let Some(float) = decimal_float(text, length) {
            return float;
        }
    }
    let radix = if radix == 10 && length > 1 && bytes[0] == b'0' { 8 } else { radix };
    match u64::from_str_radix(&text[from..length], radix) {
        Ok(value) => Number::Integer { value: value as i64, length },
        // `09`: no octal number; read as it stands.
        Err(_) if radix == 8 => match text[from..length].parse::<u64>() {
            Ok(value) => Number::Integer { value: value as i64, length },
            Err(_) => Number::TooLarge { length },
        },
        Err(_) => Number::TooLarge { length },
    }
}

/// A decimal fraction or exponent behind `whole` digits.
fn decimal_float(text: &str, whole: usize) -> Option<Number> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = whole;
    if bytes.get(length) == Some(&b'.') {
        length = digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let from = length + 1 + sign;
        if bytes.get(from).is_some_and(u8::is_ascii_digit) {
            length = digits(from);
        }
    }
    if length == whole {
        return None;
    }
    let value = text[..length].trim_end_matches('.').parse().ok()?;
    Some(Number::Float { value, length })
}
