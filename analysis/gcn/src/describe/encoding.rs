//! The words of an instruction, field by field.

use std::fmt::Write as _;

use crate::encoding::{self, Extension, Undecodable};
use crate::instruction::form::{Bits, NO_BIT, Slot, SlotKind};
use crate::instruction::set::InstructionSet;
use crate::instruction::{Recognised, recognise};

/// An instruction's words and what their fields hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodingView {
    /// The encoding's name in the manuals, with what follows it: `VOP2`, `VOP1 + SDWA`.
    pub name: String,
    /// The words, one or two.
    pub words: Vec<u32>,
    /// The fields, from bit 0 up; they do not overlap.
    pub fields: Vec<FieldView>,
    /// Set bits that mean nothing to the instruction, counted from bit 0 of the first word.
    pub ignored: Bits,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldView {
    /// Its name in the manuals, in lower case.
    pub name: &'static str,
    /// Its lowest bit, counted from bit 0 of the first word through bit 63 of the second.
    pub low: u8,
    /// Its bits.
    pub width: u8,
    /// Its value.
    pub value: u64,
    /// The meaning of the value in this instruction.
    pub meaning: String,
}

/// The fields of the instruction that `words` begin with.
///
/// # Errors
/// Where the chip has no such instruction, or the words end too early. Never panics.
pub fn encoding(words: &[u32], set: InstructionSet) -> Result<EncodingView, Undecodable> {
    let found = recognise(words, set)?;
    Ok(view(&found, words, set))
}

/// Returns how well a field explains bits of a form: a field of that name, a field at the very
/// place of an operand, one that shares bits with it, none.
fn score(found: &Recognised, name: &str, low: u8, width: u8) -> u8 {
    let mask = ((1 << width) - 1) << low;
    let slots = found.form.slots();
    let key = |slot: &Slot| match slot.kind {
        SlotKind::Number { key, .. } | SlotKind::List { key, .. } => key.name() == name,
        SlotKind::Flag(flag) => flag.name() == name,
        _ => false,
    };
    let place = |slot: &Slot| slot.low == low && slot.width == width;
    let shares = |slot: &Slot| slot.covered() & mask != 0;
    if slots.iter().any(|slot| key(slot) && shares(slot)) {
        3
    } else if slots.iter().any(place) {
        2
    } else {
        u8::from(slots.iter().any(shares))
    }
}

pub(super) fn view(found: &Recognised, words: &[u32], set: InstructionSet) -> EncodingView {
    let generation = set.target().generation();
    let bits = found.bits;
    let first = words.first().copied().unwrap_or(0);
    let mut fields = Vec::new();
    let mut taken: Bits = 0;
    if let Some((identifying, (low, width))) = encoding::identifying(first, generation) {
        fields.extend(identifying_fields(identifying, bits, found));
        taken |= Bits::from(identifying);
        if width > 0 {
            let (low, width) = (low as u8, width as u8);
            let mask = ((1 << width) - 1) << low;
            taken |= mask;
            let value = ((bits & mask) >> low) as u64;
            let meaning = found.form.name().to_owned();
            fields.push(FieldView { name: "op", low, width, value, meaning });
        }
    }
    let mut candidates: Vec<_> = found
        .fields(generation.features())
        .map(|field| (score(found, field.name, field.low, field.width), field))
        .collect();
    // Fields share their places with others; what the form uses wins, then the narrower.
    candidates.sort_by_key(|(score, field)| (std::cmp::Reverse(*score), field.width));
    for (score, field) in candidates {
        let mask = ((1 << field.width) - 1) << field.low;
        if taken & mask != 0 {
            continue;
        }
        taken |= mask;
        let value = field.value(bits);
        fields.push(FieldView {
            name: field.name,
            low: field.low,
            width: field.width,
            value,
            meaning: meaning(found, score, field.low, field.width, value),
        });
    }
    if let Some(literal) = found.literal {
        let meaning = "the literal after the instruction".to_owned();
        let value = u64::from(literal);
        fields.push(FieldView { name: "literal", low: 32, width: 32, value, meaning });
    }
    fields.sort_by_key(|field| field.low);
    let extension = match found.form.extension {
        Extension::Sdwa => " + SDWA",
        Extension::Dpp => " + DPP",
        _ if found.literal.is_some() => " + literal",
        _ => "",
    };
    EncodingView {
        name: format!("{}{extension}", found.form.encoding.name()),
        words: words[..found.words.min(words.len())].to_vec(),
        fields,
        ignored: found.ignored,
    }
}

/// The runs of identifying bits, of which flat memory has two.
fn identifying_fields(mask: u32, bits: Bits, found: &Recognised) -> Vec<FieldView> {
    let mut fields = Vec::new();
    let mut rest = mask;
    while rest != 0 {
        let low = rest.trailing_zeros();
        let width = (rest >> low).trailing_ones();
        let run = (((1_u64 << width) - 1) as u32) << low;
        rest &= !run;
        fields.push(FieldView {
            name: if low < 26 && rest != 0 { "seg" } else { "encoding" },
            low: low as u8,
            width: width as u8,
            value: u64::from(bits as u32 & run) >> low,
            meaning: found.form.encoding.name().to_owned(),
        });
    }
    fields
}

fn meaning(found: &Recognised, score: u8, low: u8, width: u8, value: u64) -> String {
    let slots = found.form.slots();
    let text_of = |index: usize| {
        found.pieces.iter().find(|(slot, _)| *slot == index).map(|(_, text)| text.clone())
    };
    let exact = slots.iter().position(|slot| slot.low == low && slot.width > 0);
    match (score, exact) {
        (2 | 3, Some(index)) if width > 1 => {
            text_of(index).unwrap_or_else(|| "the usual".to_owned())
        }
        (1.., _) if width == 1 => if value == 1 { "set" } else { "not set" }.to_owned(),
        (1, Some(index)) => text_of(index).unwrap_or_else(|| "the usual".to_owned()),
        (1, None) => bits_of_sources(found, low, width, value),
        _ if found.form.extension == Extension::Sdwa && value == 249 => "SDWA follows".to_owned(),
        _ if found.form.extension == Extension::Dpp && value == 250 => "DPP follows".to_owned(),
        _ if value & (found.ignored >> low) as u64 != 0 => "ignored".to_owned(),
        _ => "unused".to_owned(),
    }
}

/// The operands whose sign, magnitude or other bits a field holds.
fn bits_of_sources(found: &Recognised, low: u8, width: u8, value: u64) -> String {
    let in_field = |bit: u8| bit != NO_BIT && (low..low + width).contains(&bit);
    let mut names = Vec::new();
    for (index, slot) in found.form.slots().iter().enumerate() {
        let own = [slot.negate, slot.magnitude, slot.extend, slot.scalar];
        let set = own.into_iter().any(|bit| in_field(bit) && (value >> (bit - low)) & 1 == 1);
        let text = found.pieces.iter().find(|(slot, _)| *slot == index).map(|(_, text)| text);
        if let (true, Some(text)) = (set, text) {
            names.push(format!("of `{text}`"));
        }
    }
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl EncodingView {
    /// The words in hexadecimal and a table of the fields.
    pub fn markdown(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| format!("{word:08x}")).collect();
        let mut text = format!("`{}` {}\n\n", words.join(" "), self.name);
        text.push_str("| bits | field | value | meaning |\n|---|---|---|---|\n");
        for field in &self.fields {
            let high = field.low + field.width - 1;
            let bits =
                if field.width == 1 { format!("{high}") } else { format!("{high}:{}", field.low) };
            // A bar would end the cell.
            let meaning = field.meaning.replace('|', "\\|");
            let _ = writeln!(text, "| {bits} | {} | {:#x} | {meaning} |", field.name, field.value);
        }
        if self.ignored != 0 {
            let _ = writeln!(text, "\nBits that mean nothing here are set: {:#x}.", self.ignored);
        }
        text
    }
}
