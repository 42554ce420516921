//! Constants as operands: the small ones that have an operand code, and the
//! others, which follow the instruction as a literal.

use source::digits;

use super::operands::{NumberKind, Type};

/// The operand code of 0; 1 to 64 and -1 to -16 follow.
pub(crate) const ZERO: u16 = 128;
const MINUS_ONE: u16 = 193;
const LAST_NEGATIVE: u16 = 208;
/// 0.5, -0.5, 1, -1, 2, -2, 4, -4, then 1/2π.
const FIRST_FLOAT: u16 = 240;
/// The code that announces a literal.
pub(crate) const LITERAL: u16 = 255;

/// The floats that have a code, in order of the codes; the last is 1/2π.
const FLOATS: [f64; 9] = [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.15915494309189532];
/// The same as halves.
const FLOATS_16: [u16; 9] =
    [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];

/// The same as upper halves of floats, cut.
const UPPER_FLOATS: [u16; 9] =
    [0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22];

/// A constant as an operand takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoded {
    /// A value that has a code.
    Code(u16),
    /// A value that follows the instruction.
    Literal(u32),
    /// A value that does not fit.
    Unfit,
}

/// A number as it was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i64),
    Float(f64),
}

/// The code of an integer from -16 to 64.
pub(crate) fn integer_code(value: i64) -> Option<u16> {
    match value {
        0..=64 => Some(ZERO + value as u16),
        -16..=-1 => Some(MINUS_ONE + (-1 - value) as u16),
        _ => None,
    }
}

/// The code of the first float of a table that is the one: 1/2π has one from gfx8 on.
fn float_code<T>(table: &[T; 9], is_it: impl Fn(&T) -> bool, has_inverse_pi: bool) -> Option<u16> {
    let count = if has_inverse_pi { 9 } else { 8 };
    Some(FIRST_FLOAT + table[..count].iter().position(is_it)? as u16)
}

fn half_code(value: u16, has_inverse_pi: bool) -> Option<u16> {
    float_code(&FLOATS_16, |known| *known == value, has_inverse_pi)
}

fn upper_half_code(value: u16, has_inverse_pi: bool) -> Option<u16> {
    float_code(&UPPER_FLOATS, |known| *known == value, has_inverse_pi)
}

/// The code of a 64-bit float whose upper half is given, the lower one being zero.
pub(crate) fn code_of_upper_word(value: u32) -> Option<u16> {
    float_code(&FLOATS, |known| known.to_bits() == u64::from(value) << 32, false)
}

fn code_16(value: u16, has_inverse_pi: bool) -> Option<u16> {
    integer_code(i64::from(value as i16)).or_else(|| half_code(value, has_inverse_pi))
}

fn code_32(value: u32, has_inverse_pi: bool) -> Option<u16> {
    let is_it = |known: &f64| (*known as f32).to_bits() == value;
    integer_code(i64::from(value as i32)).or_else(|| float_code(&FLOATS, is_it, has_inverse_pi))
}

fn code_64(value: u64, has_inverse_pi: bool) -> Option<u16> {
    let is_it = |known: &f64| known.to_bits() == value;
    integer_code(value as i64).or_else(|| float_code(&FLOATS, is_it, has_inverse_pi))
}

/// Tells whether an integer is one of so many bits, with or without sign.
fn fits(value: i64, bits: u32) -> bool {
    value >= -(1 << (bits - 1)) && value < (1 << bits)
}

/// A number as an operand of a type.
pub(crate) fn encode(number: Number, ty: Type, has_inverse_pi: bool) -> Encoded {
    let code_or = |code: Option<u16>, literal: u32| match code {
        Some(code) => Encoded::Code(code),
        None => Encoded::Literal(literal),
    };
    match number {
        Number::Integer(value) => match (ty.kind, ty.bits) {
            (_, 64) => match code_64(value as u64, has_inverse_pi) {
                Some(code) => Encoded::Code(code),
                None if fits(value, 32) => Encoded::Literal(value as u32),
                None => Encoded::Unfit,
            },
            // Only the low half of a pair has the constant: small integers do not
            // fill both, so their whole word decides.
            (NumberKind::PackedFloat, 16) if fits(value, 32) => {
                let half = u16::try_from(value).ok();
                let float = half.and_then(|half| half_code(half, has_inverse_pi));
                code_or(integer_code(i64::from(value as i32)).or(float), value as u32)
            }
            (NumberKind::PackedUpperFloat, 16) if fits(value, 32) => {
                let half = u16::try_from(value).ok();
                let float = half.and_then(|half| upper_half_code(half, has_inverse_pi));
                code_or(integer_code(i64::from(value as i32)).or(float), value as u32)
            }
            (NumberKind::UpperFloat, 16) if fits(value, 16) => {
                let half = value as u16;
                let integer = integer_code(i64::from(half as i16));
                code_or(integer.or_else(|| upper_half_code(half, has_inverse_pi)), half.into())
            }
            (NumberKind::Float, 16) if fits(value, 16) => {
                code_or(code_16(value as u16, has_inverse_pi), u32::from(value as u16))
            }
            (NumberKind::Integer, 16) if fits(value, 16) => {
                code_or(integer_code(i64::from(value as i16)), u32::from(value as u16))
            }
            (kind, 16) if kind != NumberKind::PackedInteger => Encoded::Unfit,
            _ if fits(value, 32) => code_or(code_32(value as u32, has_inverse_pi), value as u32),
            _ => Encoded::Unfit,
        },
        Number::Float(value) => match (ty.kind, ty.bits) {
            (kind, 64) => match code_64(value.to_bits(), has_inverse_pi) {
                Some(code) => Encoded::Code(code),
                // The low half is lost, as in the reference.
                None if kind == NumberKind::Float => {
                    Encoded::Literal((value.to_bits() >> 32) as u32)
                }
                None => Encoded::Unfit,
            },
            (NumberKind::Float | NumberKind::PackedFloat, 16) => match half(value) {
                Some(half) => code_or(code_16(half, has_inverse_pi), u32::from(half)),
                None => Encoded::Unfit,
            },
            (NumberKind::UpperFloat | NumberKind::PackedUpperFloat, 16) => {
                match upper_half(value) {
                    Some(half) => code_or(upper_half_code(half, has_inverse_pi), half.into()),
                    None => Encoded::Unfit,
                }
            }
            _ => match single(value) {
                // A short is filled from a whole float. Sizes that only a half
                // has are not sizes of it.
                Some(_)
                    if ty.bits == 16 && ty.kind == NumberKind::Integer && half(value).is_none() =>
                {
                    Encoded::Unfit
                }
                Some(single) => code_or(code_32(single, has_inverse_pi), single),
                None => Encoded::Unfit,
            },
        },
    }
}

/// The nearest float of 32 bits; `None` where it is too large, or so small that
/// digits are lost.
fn single(value: f64) -> Option<u32> {
    let nearest = value as f32;
    let overflows = nearest.is_infinite() && value.is_finite();
    let underflows = nearest.abs() < f32::MIN_POSITIVE && f64::from(nearest) != value;
    (!overflows && !underflows).then(|| nearest.to_bits())
}

/// The nearest float of 16 bits, under the same rule.
fn half(value: f64) -> Option<u16> {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return Some(sign);
    }
    if !magnitude.is_finite() {
        return Some(sign | if magnitude.is_nan() { 0x7e00 } else { 0x7c00 });
    }
    // The exponent, by way of the bits: a normal number of 64 bits, or one so
    // small that it is lost in any case.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    // One unit in the last place of the half.
    let unit = 2.0_f64.powi(exponent - 10);
    let steps = (magnitude / unit).round_ties_even();
    let nearest = steps * unit;
    if nearest > 65504.0 || (nearest < 2.0_f64.powi(-14) && nearest != magnitude) {
        return None;
    }
    // Steps are below 2048, or 2048 exactly, which carries into the exponent.
    let steps = steps as u16;
    let bits = if steps < 1024 { steps } else { (((exponent + 14) as u16) << 10) + steps };
    Some(sign | bits)
}

/// The upper half of the nearest float of 32 bits, rounded to even; of 1/2π the one that has
/// a code.
fn upper_half(value: f64) -> Option<u16> {
    let single = single(value)?;
    if f32::from_bits(single) == FLOATS[8] as f32 {
        return Some(UPPER_FLOATS[8]);
    }
    let odd = single >> 16 & 1;
    Some((single.saturating_add(0x7fff + odd) >> 16) as u16)
}

/// The literal of a `madak` or `madmk`: never a code, since the word is there anyway.
pub(crate) fn literal(number: Number, ty: Type) -> Option<u32> {
    match number {
        Number::Integer(value) if fits(value, u32::from(ty.bits.min(32))) => {
            Some(if ty.bits == 16 { u32::from(value as u16) } else { value as u32 })
        }
        Number::Integer(_) => None,
        Number::Float(value) if ty.bits == 16 => half(value).map(u32::from),
        Number::Float(value) => single(value),
    }
}

/// Returns the number of a code, but for 1/2π.
pub(crate) fn of_code(code: u16) -> Option<Number> {
    match code {
        ZERO..=192 => Some(Number::Integer(i64::from(code - ZERO))),
        MINUS_ONE..=LAST_NEGATIVE => Some(Number::Integer(-1 - i64::from(code - MINUS_ONE))),
        FIRST_FLOAT..=247 => Some(Number::Float(FLOATS[usize::from(code - FIRST_FLOAT)])),
        _ => None,
    }
}

/// Returns what a disassembler writes for a code below the registers; `None` for codes that are
/// none.
pub(crate) fn write_code(out: &mut String, code: u16, ty: Type) -> bool {
    use std::fmt::Write as _;
    match code {
        ZERO..=192 => digits::decimal(out, u64::from(code - ZERO)),
        MINUS_ONE..=LAST_NEGATIVE => digits::signed(out, -1 - i64::from(code - MINUS_ONE)),
        FIRST_FLOAT..=248 => {
            let float = FLOATS[usize::from(code - FIRST_FLOAT)];
            // Writing to a string cannot fail.
            let _ = match ty.bits {
                64 => write!(out, "{float:?}"),
                _ => write!(out, "{:?}", float as f32),
            };
        }
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_to_even() {
        assert_eq!(half(1.0), Some(0x3c00));
        assert_eq!(half(-2.0), Some(0xc000));
        assert_eq!(half(65504.0), Some(0x7bff));
        assert_eq!(half(65536.0), None);
        assert_eq!(half(2.0_f64.powi(-24)), Some(1));
        assert_eq!(half(2.0_f64.powi(-26)), None);
        assert_eq!(half(0.15915494309189532), Some(0x3118));
        assert_eq!(half(2047.9999), Some(0x6800));
        assert_eq!(half(0.1), Some(0x2e66));
    }

    #[test]
    fn upper_halves_of_floats_round_to_even() {
        assert_eq!(upper_half(1.0), Some(0x3f80));
        assert_eq!(upper_half(-2.0), Some(0xc000));
        assert_eq!(upper_half(3.4), Some(0x405a));
        assert_eq!(upper_half(0.1592), Some(0x3e23));
        assert_eq!(upper_half(0.15915494), Some(0x3e22));
        assert_eq!(upper_half(1e39), None);
        let pair = Type { kind: NumberKind::PackedUpperFloat, bits: 16 };
        assert_eq!(encode(Number::Integer(0x3f80), pair, true), Encoded::Code(242));
        assert_eq!(encode(Number::Integer(0x3c00), pair, true), Encoded::Literal(0x3c00));
        assert_eq!(code_of_upper_word(0x3ff0_0000), Some(242));
        assert_eq!(code_of_upper_word(0x3ff0_0001), None);
    }

    #[test]
    fn a_constant_depends_on_the_type() {
        let ty = |kind, bits| Type { kind, bits };
        let float = |bits| ty(NumberKind::Float, bits);
        let integer = |bits| ty(NumberKind::Integer, bits);
        assert_eq!(encode(Number::Integer(0x3c00), float(16), true), Encoded::Code(242));
        assert_eq!(encode(Number::Integer(0x3c00), integer(16), true), Encoded::Literal(0x3c00));
        assert_eq!(encode(Number::Integer(-17), float(16), true), Encoded::Literal(0xffef));
        assert_eq!(encode(Number::Integer(65536), integer(16), true), Encoded::Unfit);
        assert_eq!(encode(Number::Float(1.5), integer(64), true), Encoded::Unfit);
        assert_eq!(encode(Number::Float(1.5), float(64), true), Encoded::Literal(0x3ff8_0000));
        assert_eq!(
            encode(Number::Integer(0x3e22_f983), float(32), false),
            Encoded::Literal(0x3e22_f983)
        );
        assert_eq!(encode(Number::Integer(0x3e22_f983), float(32), true), Encoded::Code(248));
        assert_eq!(encode(Number::Float(1e50), float(32), true), Encoded::Unfit);
    }
}
