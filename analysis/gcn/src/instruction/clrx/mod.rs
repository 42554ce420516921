//! The dialect of CLRadeonExtender's assembler.
//!
//! It has the same instructions as LLVM's, so it fills the same forms; but its
//! modifiers stand in any order, its constants are encoded by another rule, and
//! what is meant where nothing is said differs. [`forms`] changes the forms once,
//! [`assemble`] reads a line and puts its parts in the order of a form.
//!
//! Sources: CLRX's documentation (GcnOperands, GcnSdwaDpp, GcnInstrs…), and
//! clrxasm 0.1.9 where that is silent.

mod check;
mod constant;
mod cut;
mod modifier;
mod parse;
mod register;
mod special;
#[cfg(test)]
mod tests;

use super::constant::Encoded;
use super::cursor::Cursor;
use super::encode::{self, FixupKind, Mismatch, Reason};
use super::error::LineError;
use super::fields::{self, Layout};
use super::form::{Bits, InstDesc, Slot, SlotKind};
use super::modifier::{Flag, Key};
use super::operands::Type;
use super::parse::{Operands, Parsed, Value};
use super::register::{Register, code};
use super::set::InstructionSet;
use super::source::number;
use super::{Assembled, Encoding, Mnemonic, is_asked_for};
use crate::dialect::Dialect;
use crate::encoding::Extension;
use crate::expression::Symbols;
use crate::mnemonics::{self, FormSuffix};
use crate::{Generation, Target, codes};
use parse::ParsedLine;

/// Assembles the instruction of a line.
pub(super) fn assemble(
    line: &str,
    set: InstructionSet,
    symbols: &dyn Symbols,
) -> Result<Assembled, LineError> {
    let Mnemonic { opcode, suffix, place, context } = super::mnemonic(line, set, symbols)?;
    let mut cursor = Cursor { at: place.end, ..Cursor::new(line, Dialect::Clrx, &context) };
    let target = set.target();
    let forms = set.forms_of(opcode);
    let has_operands =
        forms.iter().any(|form| form.slots().first().is_some_and(Slot::is_positional));
    let line = parse::parse(&mut cursor, has_operands)?;
    let asked = match &line.modifiers.asked {
        None => suffix,
        Some((asked, _)) if suffix.is_none_or(|it| it == *asked) => Some(*asked),
        Some((_, range)) => {
            let message = "this asks for another encoding than the mnemonic's suffix does";
            return Err(LineError::new(codes::MODIFIER, range.clone(), message));
        }
    };
    let plain = line.modifiers == modifier::Modifiers::new();
    if suffix == Some(FormSuffix::Long) && context.encoding == Encoding::Vintrp && plain {
        let message = "CLRX chooses the long encoding of interpolation by `vop3` alone";
        return Err(LineError::new(codes::MODIFIER, place, message));
    }
    let changes_sources = line.modifiers.masks != modifier::SourceMasks::default();
    let fits = |form: &&InstDesc| {
        is_asked_for(asked, form, Dialect::Clrx) && !(changes_sources && is_short(form))
    };
    let mut best: Option<(&InstDesc, Mismatch, Operands)> = None;
    for form in forms.iter().filter(fits) {
        let operands = arrange(form, &line, asked, target)?;
        match fill(form, &line, &operands, suffix, target)? {
            Ok(assembled) => {
                return context.cut.get().map_or(Ok(assembled), |it| Err(it.error(assembled)));
            }
            Err(mismatch) => {
                // A number that is too large tells more than an operand too many.
                let is_better = |best: Mismatch| match mismatch.reason {
                    Reason::Range(..) => mismatch.operand >= best.operand,
                    _ => mismatch.operand > best.operand,
                };
                if best.as_ref().is_none_or(|(_, best, _)| is_better(*best)) {
                    best = Some((form, mismatch, operands));
                }
            }
        }
    }
    let Some((form, mismatch, mut operands)) = best else {
        if changes_sources {
            let message = "`neg`, `abs` and `sext` change sources, and no encoding of it can";
            return Err(LineError::new(codes::MODIFIER, line.modifiers.masks_place, message));
        }
        let message = super::unavailable(opcode, asked, set);
        return Err(LineError::new(codes::UNAVAILABLE, place, message));
    };
    let mut error = super::mismatched((forms, form), mismatch, &mut operands, target, place);
    if cut::cut(mismatch, &line.operands, &mut operands) {
        let assembled = fill(form, &line, &operands, suffix, target)?;
        error.cut = assembled.ok();
        error.message = format!("{}; CLRX cuts it off", error.message).into();
    }
    Err(error)
}

/// Tells whether a form has no bits for changes of its sources.
fn is_short(form: &InstDesc) -> bool {
    !matches!(form.encoding, Encoding::Vop3 | Encoding::Vop3p) && form.extension == Extension::None
}

/// Fills a form and checks the whole; a form that does not fit says why.
fn fill(
    form: &InstDesc,
    line: &ParsedLine,
    operands: &Operands,
    suffix: Option<FormSuffix>,
    target: Target,
) -> Result<Result<Assembled, Mismatch>, LineError> {
    let operands = operands.as_slice();
    let mut assembly = match encode::fill(form, operands, target) {
        Ok(assembly) => assembly,
        Err(mismatch) => return Ok(Err(mismatch)),
    };
    if form.encoding == Encoding::Exp {
        join_halves(&mut assembly.bits);
    }
    name_fields(&line.modifiers.fields, &mut assembly);
    if let Some(operand) = operands.iter().find(|it| it.allocated) {
        // Which registers they are decides about the rules, too.
        assembly.fixup = Some(encode::fixup(operand, FixupKind::Registers));
    } else {
        let checked = check::check(&assembly, operands, suffix);
        checked.map_err(|it| encode::line_error(it, operands))?;
    }
    Ok(Ok(super::finish(&assembly, operands)))
}

/// With `compr` the third operand of an export moves to the second place; the enabled ones
/// stay as they are.
fn join_halves(bits: &mut Bits) {
    if *bits & encode::COMPRESSED != 0 {
        let third = (*bits >> 48) & 0xff;
        *bits = (*bits & !(0xffff_ff00 << 32)) | third << 40;
    }
}

/// Refuses a name that CLRX does not have on the target, and says the one it has.
pub(super) fn known(
    word: &str,
    place: &std::ops::Range<usize>,
    target: Target,
) -> Result<(), LineError> {
    let name = word.to_ascii_lowercase();
    let base = mnemonics::base_name(&name);
    match mnemonics::is_unknown_to(base, target.features(), Dialect::Clrx) {
        None => Ok(()),
        Some("") => {
            let message = format!("CLRX does not know `{base}` on {}", target.processor());
            Err(LineError::new(codes::UNKNOWN_MNEMONIC, place.clone(), message))
        }
        Some(other) => {
            let message = format!("CLRX calls `{base}` `{other}` on {}", target.processor());
            Err(LineError::new(codes::UNKNOWN_MNEMONIC, place.clone(), message))
        }
    }
}

/// Fills the fields that are named. The disassembler names them where they hold
/// what no operand says; a name that the encoding lacks says nothing.
fn name_fields(named: &[(String, u64)], assembly: &mut encode::Assembly<'_>) {
    let layout = Layout::Of(assembly.form.encoding);
    for (name, value) in named {
        if let Some(field) = fields::field(layout, assembly.target.features(), name) {
            let mask = (1 << field.width) - 1;
            assembly.bits &= !(mask << field.low);
            assembly.bits |= (Bits::from(*value) & mask) << field.low;
        }
    }
}

/// Tells whether a modifier is the one that a slot is for.
fn is_for(value: Value, kind: SlotKind) -> bool {
    match (value, kind) {
        (Value::Keyed(given, _), SlotKind::Number { key, .. }) => given == key,
        (Value::Keyed(given, _), SlotKind::Format) => given == Key::Format,
        (Value::List(given, ..), SlotKind::List { key, .. }) => given == key,
        (Value::Flag(given, _), SlotKind::Flag(flag)) => given == flag,
        (Value::CachePolicy(_), SlotKind::CachePolicy { .. }) => true,
        _ => false,
    }
}

/// Puts the parts of a line in the order of a form's slots, constants encoded by
/// the types of the slots.
fn arrange(
    form: &InstDesc,
    line: &ParsedLine,
    asked: Option<FormSuffix>,
    target: Target,
) -> Result<Operands, LineError> {
    let mut arranged = Operands::new();
    let mut slots = form.slots().iter().filter(|slot| slot.is_positional());
    let (mut sources, mut literals, mut changed) = (0, 0, 0);
    // Two words of a scalar instruction are its literal, even if a short code would do.
    let forced = asked == Some(FormSuffix::Long) && form.encoding.is_scalar();
    let masks = line.modifiers.masks;
    for operand in line.operands.as_slice() {
        let slot = slots.find(|slot| slot.default.is_none() || takes(slot, operand));
        let mut operand = *operand;
        if let Some(slot) = slot {
            match slot.kind {
                SlotKind::ScalarSource { ty, .. } if forced => force_literal(&mut operand, ty),
                _ => encode_constant(&mut operand, slot.kind, target),
            }
            if matches!(slot.kind, SlotKind::Source(_)) {
                let bit = 1 << source_number(form, slot, sources);
                operand.negated |= masks.negated & bit != 0;
                operand.absolute |= masks.absolute & bit != 0;
                operand.sign_extended |= masks.sign_extended & bit != 0;
                changed |= bit;
                sources += 1;
            }
        }
        literals += u32::from(matches!(operand.value, Value::Encoded(Encoded::Literal(_))));
        if literals > 1 {
            let message = "CLRX takes one literal in an instruction, even if two are equal";
            return Err(LineError::new(codes::LITERAL, operand.range(), message));
        }
        arranged.push(operand)?;
    }
    if (masks.negated | masks.absolute | masks.sign_extended) & !changed != 0 {
        let message = "this names a source that the instruction does not have";
        return Err(LineError::new(codes::MODIFIER, line.modifiers.masks_place.clone(), message));
    }
    // A word that is switched off asks for nothing.
    let given = || line.modifiers.items.as_slice().iter().filter(|item| !is_off(item.value));
    for slot in form.slots().iter().filter(|slot| !slot.is_positional()) {
        if let Some(item) = given().find(|item| is_for(item.value, slot.kind)) {
            arranged.push(*item)?;
        }
    }
    // What the form has no place for goes last, and is refused there.
    for item in given() {
        if !form.slots().iter().any(|slot| is_for(item.value, slot.kind)) {
            arranged.push(*item)?;
        }
    }
    Ok(arranged)
}

/// Returns the number of a source among those that modifiers count. In the long encoding
/// of interpolation the attribute is the first, wherever it is written.
fn source_number(form: &InstDesc, slot: &Slot, written: u8) -> u8 {
    match form.encoding {
        Encoding::Vop3 | Encoding::Vop3p => slot.low.saturating_sub(FIRST_SOURCE) / SOURCE_BITS,
        _ => written,
    }
}

/// The place of the first source in the long encodings, and the bits of each.
const FIRST_SOURCE: u8 = 32;
const SOURCE_BITS: u8 = 9;

/// Makes a constant the literal of the instruction.
fn force_literal(operand: &mut Parsed, ty: Type) {
    if let Some(number) = number(operand) {
        operand.value = Value::Encoded(constant::literal(number, ty));
    }
}

/// Tells whether a word is switched off.
fn is_off(value: Value) -> bool {
    matches!(value, Value::Flag(_, false) | Value::CachePolicy(0))
}

/// Tells whether an operand fills a slot that may be left out.
fn takes(slot: &Slot, operand: &Parsed) -> bool {
    match slot.kind {
        SlotKind::Vcc => operand.value == Value::Register(Register::scalar(code::VCC, 2)),
        SlotKind::Off { .. } => matches!(operand.value, Value::Flag(Flag::Off, _)),
        SlotKind::ScalarOffset(_) | SlotKind::Immediate(_) => {
            !matches!(operand.value, Value::Register(_))
        }
        _ => true,
    }
}

fn encode_constant(operand: &mut Parsed, kind: SlotKind, target: Target) {
    let Some(number) = number(operand) else { return };
    let has_inverse_pi = target.generation() >= Generation::Gfx8;
    let encoded = match kind {
        SlotKind::Source(source) => constant::encode(number, source.ty, has_inverse_pi),
        SlotKind::ScalarSource { ty, .. } => constant::encode(number, ty, has_inverse_pi),
        SlotKind::Lane { .. } => constant::encode(number, Type::WORD, has_inverse_pi),
        SlotKind::Literal(ty) => constant::literal(number, ty),
        _ => return,
    };
    operand.value = Value::Encoded(encoded);
}
