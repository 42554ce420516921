//! Numbers as both dialects write them.

use crate::dialect::words::is_word;

/// The digits at the start of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    /// A whole number: 64 bits, whatever its sign.
    Integer(i64),
    /// `1b`, `1f`: the nearest such label before or after.
    NumericLabel,
    /// `0x` without digits.
    NoDigits,
    /// More than 64 bits, or a digit that its base lacks.
    Unfit,
}

/// Reads the whole number at the start of a text, which begins with a digit; also returns
/// its length.
pub(super) fn integer(text: &str) -> (Number, usize) {
    let bytes = text.as_bytes();
    let digits = |from: usize, radix: u32| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| char::from(**byte).is_digit(radix)).count()
    };
    let (from, radix) = match bytes {
        [b'0', b'x' | b'X', ..] => (2, 16),
        [b'0', b'b' | b'B', b'0' | b'1', ..] => (2, 2),
        [b'0', ..] => (0, 8),
        _ => (0, 10),
    };
    // A digit that the base lacks belongs to the number all the same.
    let length = digits(from, if radix == 8 { 10 } else { radix });
    if length == from {
        return (Number::NoDigits, length);
    }
    let is_label = matches!(bytes.get(length), Some(b'b' | b'f'))
        && !bytes.get(length + 1).is_some_and(|after| is_word(*after));
    if radix != 16 && is_label {
        return (Number::NumericLabel, length + 1);
    }
    match u64::from_str_radix(&text[from..length], radix) {
        Ok(value) => (Number::Integer(value as i64), length),
        Err(_) => (Number::Unfit, length),
    }
}

/// Reads the floating-point number at the start of a text, if one begins there; also
/// returns its length.
pub(crate) fn float(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    if let [b'0', b'x' | b'X', ..] = bytes {
        return hexadecimal_float(text);
    }
    let digits =
        |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
        if end == 1 {
            return None;
        }
    }
    if end > 0 && matches!(bytes.get(end), Some(b'e' | b'E')) {
        let from = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let power = bytes.get(from).map_or(0, |_| digits(from));
        if power > 0 {
            end = from + power;
        }
    }
    if end == whole {
        return None;
    }
    Some((text[..end].parse().ok()?, end))
}

/// Reads `0x1.8p1`: digits of base 16, then a power of two.
fn hexadecimal_float(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let mut at = 2;
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
    let from = at + 1 + sign;
    let count = bytes.get(from..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let power: i32 = text.get(from..from + count)?.parse().ok()?;
    let power = if sign == 1 && bytes[at + 1] == b'-' { -power } else { power };
    Some((value * 2.0_f64.powi(scale.saturating_add(power)), from + count))
}
