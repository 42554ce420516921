//! From operands to words: each operand fills the next slot that takes it.

use super::check::Broken;
use super::error::LineError;
use super::fill_slot::{fill_default, fill_slot};
use super::form::{Bits, Check, InstDesc, NO_BIT, SlotKind};
use super::modifier::Key;
use super::operands::Type;
use super::parse::Parsed;
use super::register::Register;
use crate::Target;

/// The words of an instruction as they are put together.
#[derive(Debug, Clone)]
pub(crate) struct Assembly<'a> {
    pub(crate) form: &'a InstDesc,
    pub(crate) target: Target,
    pub(crate) bits: Bits,
    pub(crate) literal: Option<u32>,
    /// An operand whose value comes later: its place, and where it goes.
    pub(crate) fixup: Option<Fixup>,
    /// The scalar registers a vector instruction reads.
    pub(crate) scalars: ScalarReads,
    /// The bits for the kind of registers that an operand has decided.
    pub(crate) banks_said: Bits,
}

/// A fixup: a value that is filled in later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixup {
    /// The operand's bytes in the line.
    pub range: (u32, u32),
    /// The use of the value.
    pub kind: FixupKind,
}

impl Fixup {
    /// Returns the operand's text, of a line.
    pub(crate) fn text(self, line: &str) -> Option<&str> {
        line.get(self.range.0 as usize..self.range.1 as usize)
    }
}

/// The bits that a fixup fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixupKind {
    /// The literal word.
    Literal,
    /// The low half of the first word: a distance in words from the end of the
    /// instruction.
    Branch,
    /// Fields of registers that an allocator chooses: the words are not known.
    Registers,
}

/// Distinct scalar registers, and where the last new one was read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ScalarReads {
    registers: [Option<Register>; 4],
    pub(crate) last_operand: u8,
}

impl ScalarReads {
    pub(crate) fn add(&mut self, register: Register, operand: usize) {
        for place in &mut self.registers {
            match place {
                Some(known) if *known == register => return,
                Some(_) => {}
                None => {
                    *place = Some(register);
                    self.last_operand = operand as u8;
                    return;
                }
            }
        }
    }

    /// Adds a register that no operand names.
    pub(crate) fn add_implicit(&mut self, register: Register) {
        let last = self.last_operand;
        self.add(register, usize::from(last));
        self.last_operand = last;
    }

    pub(crate) fn count(&self) -> usize {
        self.registers.iter().flatten().count()
    }
}

/// A reason why operands do not fill the slots: the operand, and the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// The operand; one past the last where one is missing.
    pub(crate) operand: usize,
    pub(crate) reason: Reason,
}

/// The rule that an operand breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The slot takes something else.
    Wanted(SlotKind),
    /// A literal has no place in this encoding.
    Literal,
    /// A second, different literal.
    TwoLiterals,
    /// The number does not fit the type.
    Unfit(Type),
    /// The number is outside these bounds.
    Range(i64, i64),
    /// The target has no such field.
    Absent(Key),
    /// `-`, `| |` or `sext` where the operand takes none.
    Modifiers,
    /// One more operand than the instruction takes.
    Extra,
    /// A register whose number must be even.
    Odd,
    /// Vector registers here and accumulation registers there, where one bit says which both
    /// are.
    Banks,
}

impl Assembly<'_> {
    /// Sets bits of a field; those of a field that is nowhere are no one's.
    pub(super) fn put(&mut self, low: u8, value: u64) {
        if low != NO_BIT {
            self.bits |= Bits::from(value) << low;
        }
    }

    /// Puts the literal, of which there is one.
    pub(super) fn put_literal(&mut self, value: u32) -> Result<(), Reason> {
        match self.literal.replace(value) {
            Some(other) if other != value => Err(Reason::TwoLiterals),
            _ => Ok(()),
        }
    }
}

/// Fills the slots of a form.
pub(crate) fn fill<'a>(
    form: &'a InstDesc,
    operands: &[Parsed],
    target: Target,
) -> Result<Assembly<'a>, Mismatch> {
    let scalars = ScalarReads::default();
    let mut assembly = Assembly {
        form,
        target,
        bits: form.base,
        literal: None,
        fixup: None,
        scalars,
        banks_said: 0,
    };
    let mut next = 0;
    for slot in form.slots() {
        let outcome = match operands.get(next) {
            Some(operand) => fill_slot(slot, operand, next, &mut assembly),
            None => Err(Reason::Wanted(slot.kind)),
        };
        // Where an operand is missing, a result that may be left out is the one.
        let outcome = match slot.kind {
            SlotKind::Vcc if next == 0 && lacks_operand(form, operands) => {
                Err(Reason::Wanted(slot.kind))
            }
            _ => outcome,
        };
        match (outcome, slot.default) {
            (Ok(()), _) => next += 1,
            (Err(Reason::Wanted(_)), Some(default)) => fill_default(slot, default, &mut assembly),
            (Err(reason), _) => return Err(Mismatch { operand: next, reason }),
        }
    }
    if next < operands.len() {
        return Err(Mismatch { operand: next, reason: Reason::Extra });
    }
    if form.check == Check::Export {
        join_halves(&mut assembly.bits);
    }
    Ok(assembly)
}

/// Tells whether there are fewer operands than a form has places between commas.
fn lacks_operand(form: &InstDesc, operands: &[Parsed]) -> bool {
    let places = form.slots().iter().filter(|slot| slot.is_positional()).count();
    operands.iter().filter(|it| it.value.is_positional()).count() < places
}

/// The bit of exports by which a register holds two halves.
pub(super) const COMPRESSED: Bits = 1 << 10;

/// With `compr` a register holds two halves: the second and fourth operands only
/// repeat the first and third, which move together and are enabled in pairs.
fn join_halves(bits: &mut Bits) {
    if *bits & COMPRESSED == 0 {
        return;
    }
    let third = (*bits >> 48) & 0xff;
    let enabled = *bits & 15;
    let pairs = [0b0011, 0b1100].into_iter().enumerate();
    // Only the first of a pair is looked at: the first and third operand.
    let joined = pairs
        .filter(|(index, _)| enabled & (1 << (2 * index)) != 0)
        .fold(0, |joined, (_, pair)| joined | pair);
    *bits = (*bits & !(0xffff_ff00 << 32) & !15) | third << 40 | joined;
}

pub(super) fn fixup(operand: &Parsed, kind: FixupKind) -> Fixup {
    Fixup { range: (operand.start, operand.end), kind }
}

/// The error of a broken rule, at the operand that is to blame.
pub(super) fn line_error((code, operand, message): Broken, operands: &[Parsed]) -> LineError {
    let range = operands.get(operand).map_or(0..0, Parsed::range);
    LineError::new(code, range, message)
}
