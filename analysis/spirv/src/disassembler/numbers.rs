//! Numbers and strings as the text has them.

use crate::words::Op;

/// The type of a constant's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberType {
    Unsigned,
    Signed,
    Unsigned64,
    Signed64,
    Float,
    Double,
}

impl NumberType {
    /// The type of an instruction's operands: width, and the sign of integers.
    pub(crate) fn of(op: Op, width: u32, signed: Option<u32>) -> Option<NumberType> {
        Some(match (op, width, signed) {
            (Op::TypeInt, 32, Some(0)) => NumberType::Unsigned,
            (Op::TypeInt, 32, Some(1)) => NumberType::Signed,
            (Op::TypeInt, 64, Some(0)) => NumberType::Unsigned64,
            (Op::TypeInt, 64, Some(1)) => NumberType::Signed64,
            (Op::TypeFloat, 32, None) => NumberType::Float,
            (Op::TypeFloat, 64, None) => NumberType::Double,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            NumberType::Unsigned => "uint",
            NumberType::Signed => "int",
            NumberType::Unsigned64 => "ulong",
            NumberType::Signed64 => "long",
            NumberType::Float => "float",
            NumberType::Double => "double",
        }
    }

    pub(crate) fn is_wide(self) -> bool {
        matches!(self, NumberType::Unsigned64 | NumberType::Signed64 | NumberType::Double)
    }

    /// Returns a number as text.
    pub(crate) fn number(self, bits: u64) -> String {
        match self {
            NumberType::Unsigned => (bits as u32).to_string(),
            NumberType::Signed => (bits as i32).to_string(),
            NumberType::Unsigned64 => bits.to_string(),
            NumberType::Signed64 => (bits as i64).to_string(),
            NumberType::Float => {
                let float = f32::from_bits(bits as u32);
                match float.is_normal() || float == 0.0 {
                    true => decimal(&format!("{float:.8e}"), 9),
                    false => hexadecimal(bits, 8, 23),
                }
            }
            NumberType::Double => {
                let double = f64::from_bits(bits);
                match double.is_normal() || double == 0.0 {
                    true => decimal(&format!("{double:.16e}"), 17),
                    false => hexadecimal(bits, 11, 52),
                }
            }
        }
    }
}

/// A number with so many digits as C prints it in its general form, without zeros at its end.
fn decimal(scientific: &str, digits: i32) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let all = all.trim_end_matches('0');
    let all = if all.is_empty() { "0" } else { all };
    if !(-4..digits).contains(&exponent) {
        let rest = &all[1..];
        let point = if rest.is_empty() { "" } else { "." };
        let side = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{}{point}{rest}e{side}{:02}", &all[..1], exponent.abs());
    }
    if exponent < 0 {
        return format!("{sign}0.{}{all}", "0".repeat((-exponent - 1) as usize));
    }
    let whole = exponent as usize + 1;
    match all.len() > whole {
        true => format!("{sign}{}.{}", &all[..whole], &all[whole..]),
        false => format!("{sign}{all}{}", "0".repeat(whole - all.len())),
    }
}

/// Numbers that decimal digits cannot say: infinities, NaN with their bits, and denormals.
fn hexadecimal(bits: u64, exponent_bits: u32, fraction_bits: u32) -> String {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let sign = if bits >> (exponent_bits + fraction_bits) & 1 != 0 { "-" } else { "" };
    let field = (bits >> fraction_bits & ((1 << exponent_bits) - 1)) as i32;
    let mut fraction = bits & ((1 << fraction_bits) - 1);
    let mut exponent = field - bias;
    if field == 0 {
        exponent += 1;
        while fraction >> fraction_bits == 0 {
            fraction <<= 1;
            exponent -= 1;
        }
        fraction &= (1 << fraction_bits) - 1;
    }
    // Digits of four bits each.
    let digits = fraction_bits.div_ceil(4);
    let text =
        format!("{:0width$x}", fraction << (digits * 4 - fraction_bits), width = digits as usize);
    let text = text.trim_end_matches('0');
    let point = if text.is_empty() { "" } else { "." };
    let side = if exponent < 0 { '-' } else { '+' };
    format!("{sign}0x1{point}{text}p{side}{}", exponent.abs())
}

/// A string that begins with a word, and the number of words behind it that it takes.
pub(crate) fn string(first: u32, rest: &[u32]) -> Option<(String, usize)> {
    let mut bytes = Vec::new();
    for (used, word) in std::iter::once(&first).chain(rest).enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                return Some((String::from_utf8_lossy(&bytes).into_owned(), used));
            }
            bytes.push(byte);
        }
    }
    None
}
