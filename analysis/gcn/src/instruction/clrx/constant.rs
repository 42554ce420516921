//! Constants as CLRX encodes them: only integers from -16 to 64 and floats that
//! are written as floats become short codes; bits of a float stay a literal.

use crate::instruction::constant::{self, Encoded, Number};
use crate::instruction::operands::{NumberKind, Type};

/// A number as an operand of a type.
pub(super) fn encode(number: Number, ty: Type, has_inverse_pi: bool) -> Encoded {
    match number {
        Number::Integer(value) => match constant::integer_code(value) {
            Some(code) => Encoded::Code(code),
            None => literal(number, ty),
        },
        Number::Float(value) => {
            let half = ty.bits == 16 && ty.is_float();
            let kind = NumberKind::Float;
            let bits = match (half, ty.bits, ty.kind) {
                (true, ..) => 16,
                (_, 64, NumberKind::Float) => 64,
                _ => 32,
            };
            match constant::encode(Number::Float(value), Type { kind, bits }, has_inverse_pi) {
                // Its literals of 64 bits are rounded to the upper half.
                Encoded::Literal(_) if bits == 64 => Encoded::Literal(upper_half(value)),
                // What is too small for a float is zero.
                Encoded::Unfit if value.abs() < 1.0 => Encoded::Code(constant::ZERO),
                encoded => encoded,
            }
        }
    }
}

/// A number as the constant that follows the instruction.
pub(super) fn literal(number: Number, ty: Type) -> Encoded {
    match number {
        Number::Integer(value) => match (u32::try_from(value), i32::try_from(value)) {
            (Ok(bits), _) => Encoded::Literal(bits),
            (_, Ok(value)) => Encoded::Literal(value as u32),
            _ => Encoded::Unfit,
        },
        Number::Float(value) if ty.bits == 64 && ty.kind == NumberKind::Float => {
            Encoded::Literal(upper_half(value))
        }
        Number::Float(value) => {
            let bits = if ty.bits == 16 && ty.is_float() { 16 } else { 32 };
            match constant::literal(Number::Float(value), Type { kind: NumberKind::Float, bits }) {
                Some(bits) => Encoded::Literal(bits),
                None => Encoded::Unfit,
            }
        }
    }
}

/// The upper half of a double, to the nearest.
fn upper_half(value: f64) -> u32 {
    let bits = value.to_bits();
    (bits.saturating_add(1 << 31) >> 32) as u32
}
