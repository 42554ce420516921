//! From words to text: the slots of a form, read back.

use isa::gcn::FeatureSet;

use super::constant::{self, LITERAL};
use super::encode::COMPRESSED;
use super::fields::{self, Layout};
use super::form::{
    Bits, InstDesc, Modifiers, NO_BIT, ScalarSet, Slot, SlotKind, Source, SourceSet, is_set,
};
use super::modifier::{Key, cache};
use super::operands::{Origin, Type};
use super::print;
use super::register::{self, Bank, Register};
use super::set::InstructionSet;
use crate::Target;
use crate::encoding::{self, Encoding, Extension, InstLayout, Undecodable};
use crate::mnemonics::Opcode;

/// An instruction that was read from words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// Its text in LLVM's dialect.
    pub text: String,
    /// Its encoding.
    pub encoding: Encoding,
    /// The words it takes: 1, 2 or 4.
    pub words: usize,
    /// Tells whether it holds the distance of a jump.
    pub jumps: bool,
    /// Its opcode.
    pub opcode: Opcode,
    /// Set bits that mean nothing to it.
    pub ignored: Bits,
    /// Its fields and their values.
    pub fields: Vec<(&'static fields::Field, u64)>,
}

/// An instruction whose form was found, with the text of its slots.
pub(crate) struct Recognised {
    pub(crate) form: &'static InstDesc,
    /// The words but a literal.
    pub(crate) bits: Bits,
    pub(crate) literal: Option<u32>,
    /// Set bits that mean nothing to the form.
    pub(crate) ignored: Bits,
    /// The words it takes: 1, 2 or 4.
    pub(crate) words: usize,
    /// The slots that have a text, with their index in the form.
    pub(crate) pieces: Vec<(usize, String)>,
}

impl Recognised {
    /// Its text in LLVM's dialect.
    pub(crate) fn text(&self, set: InstructionSet) -> String {
        let mut text = print::mnemonic(self.form, set);
        let mut operands = 0;
        for (index, piece) in &self.pieces {
            let modifier = !self.form.slots()[*index].is_positional();
            // Tradition has no comma after the target of an export.
            let after_target = operands == 1 && self.form.encoding == Encoding::Exp;
            if !modifier && operands > 0 && !after_target {
                text.push(',');
            }
            operands += u32::from(!modifier);
            text.push(' ');
            text.push_str(piece);
        }
        text
    }

    /// Writes the literal as one, `lit(0x1)`, as LLVM 22 does where an inline constant would
    /// have its value; false where it has none.
    pub(crate) fn mark_literal(&mut self) -> bool {
        let Some(literal) = self.literal else { return false };
        let written = format!("{literal:#x}");
        let Some((_, piece)) = self.pieces.iter_mut().find(|(_, piece)| *piece == written) else {
            return false;
        };
        *piece = format!("lit({written})");
        true
    }

    /// The fields of its encoding and of what follows that.
    pub(crate) fn fields(
        &self,
        features: FeatureSet,
    ) -> impl Iterator<Item = &'static fields::Field> + use<> {
        let layout = match self.form.extension {
            Extension::Sdwa => Some(Layout::Sdwa),
            Extension::Dpp => Some(Layout::Dpp),
            Extension::None | Extension::Literal => None,
        };
        fields::fields(Layout::Of(self.form.encoding), features)
            .chain(layout.into_iter().flat_map(move |it| fields::fields(it, features)))
    }
}

/// Reads the instruction that `words` begin with.
///
/// # Errors
/// Where the chip has no such instruction, or the words end too early. Never panics.
pub fn decode(words: &[u32], set: InstructionSet) -> Result<Decoded, Undecodable> {
    let found = recognise(words, set)?;
    let bits = found.bits;
    Ok(Decoded {
        text: found.text(set),
        encoding: found.form.encoding,
        words: found.words,
        jumps: found.form.slots().iter().any(|slot| slot.kind == SlotKind::Branch),
        opcode: found.form.opcode(),
        ignored: found.ignored,
        fields: found
            .fields(set.target().features())
            .map(|field| (field, field.value(bits)))
            .collect(),
    })
}

/// The words of an instruction, read as those of a form.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    form: &'a InstDesc,
    pub(super) target: Target,
    /// The words but a literal.
    pub(super) bits: Bits,
    literal: Option<u32>,
}

impl Reading<'_> {
    /// The value of a slot's field.
    pub(super) fn value(&self, slot: &Slot) -> u64 {
        slot.value(self.bits)
    }

    fn bit(&self, place: u8) -> bool {
        is_set(self.bits, place)
    }
}

/// Returns the outline of the instruction that `words` begin with, its words but a literal,
/// and that.
pub(super) fn parts(
    words: &[u32],
    target: Target,
) -> Result<(InstLayout, Bits, Option<u32>), Undecodable> {
    let shape = encoding::shape(words, target.generation())?;
    let own = words.iter().take(shape.words.into()).rev();
    let bits = own.fold(0, |bits, word| bits << 32 | Bits::from(*word));
    Ok(match shape.extension {
        Extension::Literal => (shape, bits & 0xffff_ffff, Some((bits >> 32) as u32)),
        _ => (shape, bits, None),
    })
}

/// Finds the form of the instruction that `words` begin with.
///
/// # Errors
/// Where the chip has no such instruction, or the words end too early. Never panics.
pub(crate) fn recognise(words: &[u32], set: InstructionSet) -> Result<Recognised, Undecodable> {
    let target = set.target();
    let (shape, bits, literal) = parts(words, target)?;
    // A form whose fixed bits all agree; else one that ignores the fewest, above all
    // of those that choose between forms.
    let mut best: Option<(u32, Recognised)> = None;
    // The bits that say which form is meant where its operands are none.
    let mut meant = 0;
    for form in set.decoded(shape) {
        let reading = Reading { form, target, bits, literal };
        let Some((pieces, ignored)) = read(&reading) else {
            meant |= form.unknown_bits(bits).map_or(0, |unknown| bits & !unknown);
            continue;
        };
        let cost = cost(form, target, ignored);
        if best.as_ref().is_some_and(|(least, _)| *least <= cost) {
            continue;
        }
        let words = usize::from(shape.words);
        best = Some((cost, Recognised { form, bits, literal, ignored, words, pieces }));
        if ignored == 0 {
            break;
        }
    }
    let found = best.filter(|(_, found)| found.ignored & meant == 0);
    found.map(|(_, found)| found).ok_or(Undecodable::Unassigned)
}

/// Ranks how badly ignored bits speak against a form: a field of one bit says which form is
/// meant, one of several holds an operand that may be there for nothing.
fn cost(form: &InstDesc, target: Target, ignored: Bits) -> u32 {
    if ignored == 0 {
        return 0;
    }
    let flags = fields::fields(Layout::Of(form.encoding), target.features())
        .filter(|field| field.width == 1)
        .fold(0, |mask, field| mask | 1 << field.low);
    ignored.count_ones() + 64 * (ignored & flags).count_ones()
}

/// Bits of fields that a form has but that mean nothing beside others: sources of
/// exports that are off, the upper half of a literal of 16 bits.
fn meaningless(reading: &Reading<'_>) -> Bits {
    let Reading { form, bits, literal, .. } = *reading;
    if form.encoding == Encoding::Exp {
        let compressed = bits & COMPRESSED != 0;
        let used = (0..4_u32).filter(|place| bits & (1 << place) != 0);
        let used = used.fold(0, |mask, place| {
            mask | 0xff << (32 + 8 * if compressed { place / 2 } else { place })
        });
        return bits & !used & 0xffff_ffff_0000_0000;
    }
    let narrow = |slot: &Slot| match slot.kind {
        SlotKind::Literal(ty) => literal_bits(ty) == 16,
        SlotKind::Source(source) => {
            reading.value(slot) == u64::from(LITERAL) && literal_bits(source.ty) == 16
        }
        _ => false,
    };
    match literal {
        Some(literal) if form.slots().iter().any(narrow) => Bits::from(literal >> 16) << 48,
        _ => 0,
    }
}

/// The texts of a form's slots with these bits, and the bits it does not know;
/// `None` where a slot has a value that none of its operands gives.
fn read(reading: &Reading<'_>) -> Option<(Vec<(usize, String)>, Bits)> {
    let Reading { form, bits, .. } = *reading;
    let ignored = form.unknown_bits(bits)? | meaningless(reading);
    let mut pieces = Vec::with_capacity(form.slots().len());
    for (index, slot) in form.slots().iter().enumerate() {
        let mut piece = String::new();
        if !write_slot(&mut piece, reading, slot) {
            return None;
        }
        if !piece.is_empty() {
            pieces.push((index, piece));
        }
    }
    Some((pieces, ignored))
}

/// Returns the registers that a slot names, scalar ones by an operand code that may also be a
/// constant's; `None` where it names none.
pub(crate) fn registers(
    form: &InstDesc,
    slot: &Slot,
    bits: Bits,
    target: Target,
) -> Option<Register> {
    use SlotKind::*;
    let code = slot.value(bits) as u16;
    let vector = |dwords| Register::vector(code & 0xff, dwords);
    let accumulator = |dwords| Register { bank: Bank::Accumulator, ..vector(dwords) };
    Some(match slot.kind {
        Vector { dwords } => vector(dwords),
        Vectors if is_set(bits, slot.scalar) => {
            accumulator(super::image::data_dwords(form, target, bits) as u8)
        }
        Vectors => vector(super::image::data_dwords(form, target, bits) as u8),
        VectorOrLds if code >= 256 => vector(1),
        Accumulator { dwords } => accumulator(dwords),
        VectorOrAccumulator { dwords } if is_set(bits, slot.scalar) => accumulator(dwords),
        VectorOrAccumulator { dwords } => vector(dwords),
        Sum { dwords, .. } if code < 256 => Register::scalar(code, dwords),
        Sum { dwords, .. } if is_set(bits, slot.scalar) => accumulator(dwords),
        Sum { dwords, .. } => vector(dwords),
        Scalar { dwords, shift, .. } => Register::scalar(code << shift, dwords),
        Mask if slot.scalar == NO_BIT || is_set(bits, slot.scalar) => Register::scalar(code, 2),
        Mask | Vcc => Register::scalar(register::code::VCC, 2),
        Source(source) => {
            let is_vector = match source.from {
                SourceSet::ShortVector => true,
                SourceSet::SdwaInline => !is_set(bits, slot.scalar),
                _ => code >= 256,
            };
            let dwords = source.ty.dwords();
            if is_vector { vector(dwords) } else { Register::scalar(code, dwords) }
        }
        ScalarSource { ty, .. } => Register::scalar(code, ty.dwords()),
        VectorOrLds | Lane { .. } => Register::scalar(code, 1),
        ExportSource { place } if is_set(bits, place) => {
            // With halves two operands stand for one register.
            let index = u32::from(if bits & COMPRESSED != 0 { place / 2 } else { place });
            Register::vector((bits >> (32 + 8 * index) & 0xff) as u16, 1)
        }
        _ => return None,
    })
}

/// Writes a slot; false where its value is none.
fn write_slot(out: &mut String, reading: &Reading<'_>, slot: &Slot) -> bool {
    use SlotKind::*;
    let Reading { form, target, bits, literal } = *reading;
    let value = reading.value(slot);
    let code = value as u16;
    let register = registers(form, slot, bits, target);
    let write = |out: &mut String| register.is_some_and(|it| write_register(out, it, target));
    match slot.kind {
        Vector { .. } => (slot.width < 9 || code >= 256) && write(out),
        Vectors | Vcc => write(out),
        Accumulator { .. } | VectorOrAccumulator { .. } => {
            (slot.width < 9 || code >= 256) && write(out)
        }
        Sum { ty, .. } if code < 256 => constant::write_code(out, code, ty),
        Sum { .. } => write(out),
        VectorOrLds => (code >= 256 || code == register::code::LDS_DIRECT) && write(out),
        Mask if slot.scalar != NO_BIT && !reading.bit(slot.scalar) => value == 0 && write(out),
        // The code of its upper half says that there is no register.
        Scalar { set: ScalarSet::NoExecHigh, .. } if code == register::code::EXEC + 1 => false,
        Scalar { .. } | Mask => register.is_some_and(|it| !it.is_read_only()) && write(out),
        Source(source) => write_source(out, reading, slot, source),
        ScalarSource { from: Origin::Register, .. } => {
            register.is_some_and(|it| !it.is_read_only()) && write(out)
        }
        ScalarSource { ty, .. } => match code {
            LITERAL => write_literal(out, literal, ty.bits),
            _ => write(out) || constant::write_code(out, code, ty),
        },
        Lane { .. } => match code {
            LITERAL => write_literal(out, literal, 32),
            _ => write(out) || constant::write_code(out, code, Type::WORD),
        },
        ExportSource { .. } if register.is_none() => {
            out.push_str("off");
            true
        }
        ExportSource { .. } => write(out),
        Literal(ty) => write_literal(out, literal, ty.bits),
        Off { code } => {
            out.push_str("off");
            slot.width == 0 || value == u64::from(code)
        }
        ScalarOffset(rule) => print::scalar_offset(out, rule, value, literal),
        CachePolicy { slc, scc, words } => {
            let places = [slot.low, slc, scc].into_iter();
            for (place, (word, _)) in places.zip(cache::words(words)) {
                if reading.bit(place) {
                    print::word(out, word);
                }
            }
            true
        }
        // Modifiers that must be there distinguish forms.
        Flag(flag) => {
            if value == 1 {
                out.push_str(flag.name());
            }
            value == 1 || slot.default.is_some()
        }
        FormatParts => false,
        List { key, sources } => {
            print::list(out, form, slot, (key, sources), bits);
            true
        }
        Number { key: Key::Bitop3, .. } => {
            let field = |low: u8| (bits >> (low & 127)) as u64;
            let value = value | (field(slot.magnitude) & 7) << 3 | (field(slot.extend) & 3) << 6;
            print::truth_table(out, value);
            true
        }
        Number { key: Key::Cbsz | Key::Blgp | Key::DppCtrl, lowest, highest, .. }
            if !(i64::from(lowest)..=i64::from(highest)).contains(&(value as i64)) =>
        {
            false
        }
        Number { key, lowest, .. } => print::number(out, form, slot, key, lowest, value),
        _ => print::special(out, reading, slot),
    }
}

/// Writes registers; false where the chip lacks them, or they are not an aligned group.
fn write_register(out: &mut String, register: Register, target: Target) -> bool {
    let Register { bank, first, dwords } = register;
    let found = match bank {
        Bank::Scalar => register::by_code(first, dwords, target),
        Bank::Vector | Bank::Accumulator => {
            let is_aligned = !register.is_odd_group(target);
            (dwords > 0 && first + u16::from(dwords) <= 256 && is_aligned).then_some(register)
        }
    };
    if let Some(register) = found {
        register::write(out, register, target);
    }
    found.is_some()
}

/// The bits of a literal: a pair has a whole word.
fn literal_bits(ty: Type) -> u8 {
    if ty.is_pair() { 32 } else { ty.bits }
}

fn write_literal(out: &mut String, literal: Option<u32>, bits: u8) -> bool {
    use std::fmt::Write as _;
    let Some(value) = literal else { return false };
    // The upper half means nothing.
    let value = if bits == 16 { value & 0xffff } else { value };
    // Writing to a string cannot fail.
    let _ = write!(out, "{value:#x}");
    true
}

fn write_source(out: &mut String, reading: &Reading<'_>, slot: &Slot, source: Source) -> bool {
    let Reading { form, target, bits, literal } = *reading;
    let code = reading.value(slot) as u16;
    let (negated, absolute) = match source.modifiers {
        Modifiers::Float => (reading.bit(slot.negate), reading.bit(slot.magnitude)),
        Modifiers::Sign => (reading.bit(slot.negate), false),
        _ => (false, false),
    };
    let extended = source.modifiers == Modifiers::Integer && reading.bit(slot.extend);
    let mut inner = String::new();
    let Some(register) = registers(form, slot, bits, target) else { return false };
    let written = match source.from {
        _ if register.bank == Bank::Vector => write_register(&mut inner, register, target),
        SourceSet::Vector => false,
        SourceSet::VectorOrConstant => constant::write_code(&mut inner, code, source.ty),
        SourceSet::Literal if code == LITERAL => {
            write_literal(&mut inner, literal, literal_bits(source.ty))
        }
        _ => {
            write_register(&mut inner, register, target)
                || constant::write_code(&mut inner, code, source.ty)
        }
    };
    if !written {
        return false;
    }
    // `-1` would be another number than 1 negated.
    let number = inner.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    match (negated, absolute) {
        (true, true) => out.push_str("-|"),
        (true, false) if number => out.push_str("neg("),
        (true, false) => out.push('-'),
        (false, true) => out.push('|'),
        (false, false) => {}
    }
    if extended {
        out.push_str("sext(");
    }
    out.push_str(&inner);
    if extended || (negated && !absolute && number) {
        out.push(')');
    }
    if absolute {
        out.push('|');
    }
    true
}
