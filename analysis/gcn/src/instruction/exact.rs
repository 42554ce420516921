//! A check whether the text of decoded words assembles to them again, without the text.
//!
//! The operands are made as the reader of the text would make them, and the encoder has the
//! word. Where an operand is written in a way of its own, only its text tells.

use super::constant::{self, LITERAL};
use super::decode::{Found, Reading, registers};
use super::encode::COMPRESSED;
use super::form::{CacheWords, NO_BIT, ScalarOffset, Slot, SlotKind, Source, SourceSet, is_set};
use super::modifier::{Flag, Key, cache};
use super::operands::{Immediate, Origin, Type};
use super::parse::{NOTHING, Operands, Parsed, Value};
use super::print;
use super::register::Register;
use super::set::InstructionSet;
use super::slot_text::{existing, literal_bits};
use crate::encoding::{Encoding, Extension};

/// Tells whether the text of an instruction is known to assemble to its words again; false
/// where it does not, or only the text tells.
pub(crate) fn assembles_to(words: &[u32], found: &Found, set: InstructionSet) -> bool {
    let Found { form, bits, literal, ignored, .. } = *found;
    if ignored != 0 || form.extension != Extension::None || form.encoding == Encoding::Mimg {
        return false;
    }
    let reading = Reading { form, target: set.target(), bits, literal };
    let mut operands = Operands::new();
    for slot in form.slots() {
        let taken = match operand(&reading, slot) {
            Written::As(value) => operands.push(Parsed { value, ..NOTHING }),
            Written::Signed { value, negated, absolute } => {
                operands.push(Parsed { value, negated, absolute, ..NOTHING })
            }
            Written::Nothing => Ok(()),
            Written::InItsOwnWay => return false,
        };
        if taken.is_err() {
            return false;
        }
    }
    let suffix = print::suffix(form, set);
    let again = super::encoded(form.opcode(), suffix, operands.as_slice(), set);
    again.is_ok_and(|again| again.fixup.is_none() && again.words() == words)
}

/// An operand as its text would be read.
enum Written {
    As(Value),
    Signed {
        value: Value,
        negated: bool,
        absolute: bool,
    },
    /// Nothing: it is left out.
    Nothing,
    /// Only the text tells.
    InItsOwnWay,
}

fn integer(value: u64) -> Written {
    Written::As(Value::Integer(value as i64))
}

fn operand(reading: &Reading, slot: &Slot) -> Written {
    let Reading { form, target, bits, literal } = *reading;
    let value = reading.value(slot);
    let code = value as u16;
    let found = || registers(form, slot, bits, target).and_then(|it| existing(it, target));
    let register = |found: Option<Register>| match found {
        Some(register) => Written::As(Value::Register(register)),
        None => Written::InItsOwnWay,
    };
    match slot.kind {
        SlotKind::Vector { .. }
        | SlotKind::Accumulator { .. }
        | SlotKind::VectorOrAccumulator { .. }
        | SlotKind::Vcc
        | SlotKind::Mask
        | SlotKind::Scalar { .. } => register(found()),
        SlotKind::ExportSource { place } if is_set(bits, place) && bits & COMPRESSED == 0 => {
            register(found())
        }
        SlotKind::Source(source) => source_operand(reading, slot, source, found()),
        SlotKind::ScalarSource { from: Origin::Register, .. } => register(found()),
        SlotKind::ScalarSource { ty, .. } if code == LITERAL => literal_operand(literal, ty),
        SlotKind::ScalarSource { .. } => match found() {
            None => constant_operand(code),
            found => register(found),
        },
        SlotKind::Literal(ty) => literal_operand(literal, ty),
        SlotKind::ScalarOffset(ScalarOffset::Literal) => literal_operand(literal, Type::WORD),
        SlotKind::ScalarOffset(ScalarOffset::Signed21) if value >> 20 == 1 => Written::InItsOwnWay,
        SlotKind::ScalarOffset(_) | SlotKind::Branch | SlotKind::WaitCounters => integer(value),
        SlotKind::Immediate(Immediate::Optional) if value == 0 => Written::Nothing,
        SlotKind::Immediate(Immediate::Cut) => match code as i16 {
            small @ -16..=64 => Written::As(Value::Integer(small.into())),
            _ => integer(value),
        },
        SlotKind::Immediate(_) => integer(value),
        SlotKind::Off { .. } => Written::As(Value::Flag(Flag::Off, true)),
        SlotKind::Flag(flag) if value == 1 => Written::As(Value::Flag(flag, true)),
        SlotKind::Flag(_) if slot.default.is_some() => Written::Nothing,
        SlotKind::CachePolicy { slc, scc, words: CacheWords::Glc } => {
            let set = |place: u8, bit| if reading.bit(place) { bit } else { 0 };
            match set(slot.low, cache::GLC) | set(slc, cache::SLC) {
                _ if scc != NO_BIT && reading.bit(scc) => Written::InItsOwnWay,
                0 => Written::Nothing,
                policy => Written::As(Value::CachePolicy(policy)),
            }
        }
        SlotKind::Number { key: Key::Offset | Key::Offset0 | Key::Offset1 | Key::Omod, .. }
            if value == 0 =>
        {
            Written::Nothing
        }
        SlotKind::Number {
            key: key @ (Key::Offset | Key::Offset0 | Key::Offset1),
            lowest: 0,
            ..
        } if !form.flags().swizzle() && form.encoding != Encoding::Smem => {
            Written::As(Value::Keyed(key, value as i64))
        }
        _ => Written::InItsOwnWay,
    }
}

fn source_operand(
    reading: &Reading,
    slot: &Slot,
    source: Source,
    found: Option<Register>,
) -> Written {
    let code = reading.value(slot) as u16;
    let (negated, absolute) = print::signs(reading, slot, source);
    match found {
        Some(register) if source.from != SourceSet::VectorOrConstant && code != LITERAL => {
            Written::Signed { value: Value::Register(register), negated, absolute }
        }
        _ if negated || absolute || source.from != SourceSet::Literal => Written::InItsOwnWay,
        _ if code == LITERAL => literal_operand(reading.literal, source.ty),
        _ => constant_operand(code),
    }
}

fn literal_operand(literal: Option<u32>, ty: Type) -> Written {
    match literal {
        Some(literal) if literal_bits(ty) == 16 => integer(u64::from(literal & 0xffff)),
        Some(literal) => integer(literal.into()),
        None => Written::InItsOwnWay,
    }
}

/// A constant that has a code. The text of 1/2π is shortened.
fn constant_operand(code: u16) -> Written {
    match constant::of_code(code) {
        Some(constant::Number::Integer(value)) => Written::As(Value::Integer(value)),
        Some(constant::Number::Float(value)) => Written::As(Value::Float(value)),
        None => Written::InItsOwnWay,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NoSymbols, Pieces, assemble_line, find_form, write_line};
    use super::*;
    use crate::Target;

    /// Answers without the text are those of the text, for random words of every chip.
    #[test]
    fn the_text_of_operands_that_are_vouched_for_assembles_to_the_words() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 32) as u32
        };
        let (mut vouched, mut pieces) = (0, Pieces::default());
        for target in Target::all() {
            let set = InstructionSet::of(target);
            for _ in 0..6_000 {
                let words = [random(), random()];
                let Ok(found) = find_form(&words, set, &mut pieces) else { continue };
                if !assembles_to(&words[..found.words.min(2)], &found, set) {
                    continue;
                }
                vouched += 1;
                let mut text = String::new();
                write_line(&mut text, found.form, pieces.iter(), set);
                let again = assemble_line(&text, set, &NoSymbols).expect(&text);
                assert_eq!(again.words(), &words[..found.words], "{text}");
            }
        }
        assert!(vouched > 20_000, "{vouched} were vouched for");
    }
}
