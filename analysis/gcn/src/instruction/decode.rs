//! From words to text: the slots of a form, read back.

use isa::gcn::FeatureSet;

use super::constant::LITERAL;
use super::encode::COMPRESSED;
use super::fields::{self, Layout};
use super::form::{Bits, InstDesc, NO_BIT, Slot, SlotKind, SourceSet, is_set};
use super::pieces::{self, Pieces};
use super::register::{self, Bank, Register};
use super::set::InstructionSet;
use super::slot_text::{literal_bits, write_slot};
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

/// An instruction whose form was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) form: &'static InstDesc,
    /// The words but a literal.
    pub(crate) bits: Bits,
    pub(crate) literal: Option<u32>,
    /// Set bits that mean nothing to the form.
    pub(crate) ignored: Bits,
    /// The words it takes: 1, 2 or 4.
    pub(crate) words: usize,
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
        let mut text = String::new();
        let pieces = self.pieces.iter().map(|(slot, piece)| (*slot, piece.as_str()));
        pieces::write_line(&mut text, self.form, pieces, set);
        text
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
pub(super) struct Reading {
    pub(super) form: &'static InstDesc,
    pub(super) target: Target,
    /// The words but a literal.
    pub(super) bits: Bits,
    pub(super) literal: Option<u32>,
}

impl Reading {
    /// The value of a slot's field.
    pub(super) fn value(&self, slot: &Slot) -> u64 {
        slot.value(self.bits)
    }

    pub(super) fn bit(&self, place: u8) -> bool {
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
    let mut pieces = Pieces::default();
    let Found { form, bits, literal, ignored, words } = find(words, set, &mut pieces)?;
    let pieces = pieces.iter().map(|(slot, piece)| (slot, piece.to_owned())).collect();
    Ok(Recognised { form, bits, literal, ignored, words, pieces })
}

/// Finds the form of the instruction that `words` begin with, and writes its operands.
///
/// # Errors
/// Where the chip has no such instruction, or the words end too early. Never panics.
pub(crate) fn find(
    words: &[u32],
    set: InstructionSet,
    pieces: &mut Pieces,
) -> Result<Found, Undecodable> {
    let target = set.target();
    let (shape, bits, literal) = parts(words, target)?;
    // A form whose fixed bits all agree; else one that ignores the fewest, above all
    // of those that choose between forms.
    let mut best: Option<(u32, Found)> = None;
    // The bits that say which form is meant where its operands are none.
    let mut meant = 0;
    for form in set.decoded(shape) {
        let reading = Reading { form, target, bits, literal };
        let Some(ignored) = read(&reading, pieces) else {
            meant |= form.unknown_bits(bits).map_or(0, |unknown| bits & !unknown);
            continue;
        };
        let words = usize::from(shape.words);
        let found = Found { form, bits, literal, ignored, words };
        if ignored == 0 {
            return Ok(found);
        }
        let cost = cost(form, target, ignored);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, found));
        }
    }
    let found = best.filter(|(_, found)| found.ignored & meant == 0);
    let (_, found) = found.ok_or(Undecodable::Unassigned)?;
    // Other forms have been read since.
    read(&Reading { form: found.form, target, bits, literal }, pieces);
    Ok(found)
}

/// Ranks how badly ignored bits speak against a form: a field of one bit says which form is
/// meant, one of several holds an operand that may be there for nothing.
fn cost(form: &InstDesc, target: Target, ignored: Bits) -> u32 {
    let flags = fields::fields(Layout::Of(form.encoding), target.features())
        .filter(|field| field.width == 1)
        .fold(0, |mask, field| mask | 1 << field.low);
    ignored.count_ones() + 64 * (ignored & flags).count_ones()
}

/// Bits of fields that a form has but that mean nothing beside others: sources of
/// exports that are off, the upper half of a literal of 16 bits.
fn meaningless(reading: &Reading) -> Bits {
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

/// Writes the operands of a form with these bits, and returns the bits it does not know;
/// `None` where a slot has a value that none of its operands gives.
fn read(reading: &Reading, pieces: &mut Pieces) -> Option<Bits> {
    let ignored = reading.form.unknown_bits(reading.bits)?;
    pieces.clear();
    for (index, slot) in reading.form.slots().iter().enumerate() {
        if !pieces.push(index, |out| write_slot(out, reading, slot)) {
            return None;
        }
    }
    Some(ignored | meaningless(reading))
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
