//! Source operands to bits: registers, constants, and the signs before them.

use super::constant::{self, Encoded, LITERAL, Number};
use super::encode::{Assembly, FixupKind, Reason, fixup};
use super::form::{Modifiers, NO_BIT, Slot, Source, SourceSet};
use super::operands::{Origin, Type};
use super::parse::{Parsed, Value};
use super::register::Bank;
use crate::{Generation, Target};

pub(super) fn number(operand: &Parsed) -> Option<Number> {
    match operand.value {
        Value::Integer(value) => Some(Number::Integer(value)),
        Value::Float(value) => Some(Number::Float(value)),
        _ => None,
    }
}

pub(super) fn encode_number(operand: &Parsed, ty: Type, target: Target) -> Option<Encoded> {
    if let Value::Encoded(encoded) = operand.value {
        return Some(encoded);
    }
    let has_inverse_pi = target.generation() >= Generation::Gfx8;
    let number = number(operand)?;
    Some(literal_if(operand, number, ty, constant::encode(number, ty, has_inverse_pi)))
}

/// Makes a literal of a constant that has a code, where the text says so: `lit(1)`.
fn literal_if(operand: &Parsed, number: Number, ty: Type, encoded: Encoded) -> Encoded {
    match encoded {
        Encoded::Code(_) if operand.literal => match (number, ty.bits) {
            (Number::Float(value), 64) => Encoded::Literal((value.to_bits() >> 32) as u32),
            _ => constant::literal(number, ty).map_or(Encoded::Unfit, Encoded::Literal),
        },
        encoded => encoded,
    }
}

pub(super) fn fill_scalar_source(
    slot: &Slot,
    ty: Type,
    from: Origin,
    operand: &Parsed,
    assembly: &mut Assembly<'_>,
) -> Result<(), Reason> {
    let wanted = Err(Reason::Wanted(slot.kind));
    let code = match operand.value {
        Value::Register(register) => {
            let fits = register.bank == Bank::Scalar
                && (register.dwords == ty.dwords() || register.dwords == 0)
                && !register.is_lds_direct();
            if !fits || (from == Origin::Register && register.is_read_only()) {
                return wanted;
            }
            register.first
        }
        _ if from == Origin::Register => return wanted,
        Value::Integer(_) | Value::Float(_) | Value::Encoded(_) => {
            match encode_number(operand, ty, assembly.target) {
                Some(Encoded::Code(code)) => code,
                Some(Encoded::Literal(value)) if from != Origin::Inline => {
                    assembly.put_literal(value)?;
                    LITERAL
                }
                Some(Encoded::Literal(_)) => return Err(Reason::Literal),
                _ => return Err(Reason::Unfit(ty)),
            }
        }
        // A symbol, even one that is named like a modifier. An address does not
        // fit 64 bits' sign rule, so only whole words take one.
        Value::Unresolved | Value::Flag(..) if ty.bits <= 32 && from == Origin::Any => {
            assembly.fixup = Some(fixup(operand, FixupKind::Literal));
            assembly.put_literal(0)?;
            LITERAL
        }
        _ => return wanted,
    };
    assembly.put(slot.low, u64::from(code));
    Ok(())
}

pub(super) fn fill_source(
    slot: &Slot,
    source: Source,
    operand: &Parsed,
    index: usize,
    assembly: &mut Assembly<'_>,
) -> Result<(), Reason> {
    let wanted = Err(Reason::Wanted(slot.kind));
    let signs = operand.negated | operand.absolute;
    let allowed = match source.modifiers {
        Modifiers::None => !operand.has_modifiers(),
        Modifiers::Float => !operand.sign_extended,
        Modifiers::Sign => !operand.sign_extended && !operand.absolute,
        Modifiers::Integer => !signs,
        Modifiers::All => true,
    };
    if let Value::Register(register) = operand.value {
        if !allowed {
            return Err(Reason::Modifiers);
        }
        let dwords = source.ty.dwords();
        match register.bank {
            Bank::Vector if register.dwords == dwords => {
                let short = matches!(source.from, SourceSet::ShortVector | SourceSet::SdwaInline);
                let base = if short { 0 } else { 256 };
                assembly.put(slot.low, u64::from(register.first) + base);
            }
            Bank::Scalar
                if matches!(
                    source.from,
                    SourceSet::Literal | SourceSet::Inline | SourceSet::SdwaInline
                ) && (register.dwords == dwords || register.dwords == 0) =>
            {
                if register.is_lds_direct() {
                    // Only the first source has the path, and not the reversed
                    // operations; the caller knows those.
                    if slot.scalar != NO_BIT || !matches!(slot.low, 0 | 32) {
                        return wanted;
                    }
                } else {
                    assembly.scalars.add(register, index);
                }
                assembly.put(slot.low, u64::from(register.first));
                assembly.put(slot.scalar, 1);
            }
            _ => return wanted,
        }
        put_modifiers(slot, operand, assembly);
        return Ok(());
    }
    let takes_fixup = source.from == SourceSet::Literal && source.ty.bits == 32;
    if matches!(operand.value, Value::Unresolved | Value::Flag(..)) && takes_fixup {
        if operand.has_modifiers() {
            return wanted;
        }
        assembly.fixup = Some(fixup(operand, FixupKind::Literal));
        assembly.literal = Some(0);
        assembly.put(slot.low, u64::from(LITERAL));
        return Ok(());
    }
    let (encoded, number) = match operand.value {
        Value::Encoded(encoded) => (Some(encoded), Some(Number::Integer(0))),
        _ => (None, number(operand)),
    };
    let takes_none = matches!(source.from, SourceSet::Vector | SourceSet::ShortVector);
    let Some(mut number) = number.filter(|_| !takes_none) else { return wanted };
    if source.modifiers == Modifiers::None && signs {
        // The short encoding has no bits for them: the constant itself changes.
        if source.from != SourceSet::Literal || !source.ty.is_float() || encoded.is_some() {
            return Err(Reason::Modifiers);
        }
        if matches!(number, Number::Integer(_)) && source.ty.bits == 64 {
            return wanted;
        }
        number = with_modifiers(number, operand, source.ty.bits);
    } else if !allowed {
        return Err(Reason::Modifiers);
    } else {
        put_modifiers(slot, operand, assembly);
    }
    let has_inverse_pi = assembly.target.generation() >= Generation::Gfx8;
    if source.from == SourceSet::Inline
        && source.ty.bits == 16
        && !has_inverse_pi
        && encoded.is_none()
    {
        // Halves came with gfx8; before, no constant is one in the long encoding.
        return Err(Reason::Literal);
    }
    let encoded = encoded.unwrap_or_else(|| {
        let encoded = constant::encode(number, source.ty, has_inverse_pi);
        literal_if(operand, number, source.ty, encoded)
    });
    match encoded {
        Encoded::Code(code) => {
            assembly.put(slot.low, u64::from(code));
            assembly.put(slot.scalar, 1);
            Ok(())
        }
        Encoded::Literal(value) if source.from == SourceSet::Literal => {
            assembly.put_literal(value)?;
            assembly.put(slot.low, u64::from(LITERAL));
            Ok(())
        }
        Encoded::Literal(value) => {
            // Where no literal can follow, LLVM 19 and later read it as the upper word too.
            let wide = source.ty.bits == 64 && source.ty.is_float() && !operand.literal;
            let code = constant::code_of_upper_word(value).filter(|_| wide);
            assembly.put(slot.low, u64::from(code.ok_or(Reason::Literal)?));
            Ok(())
        }
        Encoded::Unfit => Err(Reason::Unfit(source.ty)),
    }
}

fn put_modifiers(slot: &Slot, operand: &Parsed, assembly: &mut Assembly<'_>) {
    assembly.put(slot.negate, operand.negated.into());
    assembly.put(slot.magnitude, operand.absolute.into());
    assembly.put(slot.extend, operand.sign_extended.into());
}

/// A constant made absolute, then negated.
fn with_modifiers(number: Number, operand: &Parsed, bits: u8) -> Number {
    match number {
        Number::Float(value) => {
            let value = if operand.absolute { value.abs() } else { value };
            Number::Float(if operand.negated { -value } else { value })
        }
        Number::Integer(value) => {
            let sign = 1_i64 << (bits - 1);
            let value = if operand.absolute { value & !sign } else { value };
            let value = if operand.negated { value ^ sign } else { value };
            // Only so many bits are there: the rest is the sign again.
            let above = 64 - u32::from(bits);
            Number::Integer(value << above >> above)
        }
    }
}
