//! The forms of opcodes: what each looks like in each encoding on a chip.
//!
//! A form is a list of slots in the order of assembly, and what analyses need to read its
//! registers out of words.

use super::chips::SUBTARGETS;
use super::features::Subtarget;
use super::opcodes::{BEHAVIOURS, OPERANDS, OpInfo, Opcode, ROWS};
use super::plain::behaviour::{Behaviour, Control};
use super::plain::encoding::{Encoding, Extension};
use super::plain::names::Dialect;
use super::plain::operand::{Class, Immediate, NumberKind, OpFlags, OperandSpec, Origin, Type};
use super::plain::slot::{
    Bits, CacheWords, Check, Flag, Key, Modifiers, OffsetRule, Role, ScalarOffset, ScalarSet, Slot,
    SlotKind, Source, SourceSet,
};

include!(concat!(env!("OUT_DIR"), "/gcn_forms.rs"));

/// The description of one opcode in one encoding.
#[derive(Debug)]
pub struct InstDesc {
    opcode: u16,
    /// The encoding.
    pub encoding: Encoding,
    /// The number in it.
    pub number: u16,
    /// The second word, where it is an extension's.
    pub extension: Extension,
    /// Identifying bits and opcode.
    pub base: Bits,
    /// Words without a literal.
    pub words: u8,
    /// A check that looks at more than one operand.
    pub check: Check,
    /// Tells whether VCC is read though no operand says so.
    pub reads_vcc: bool,
    /// Tells whether the result is a float.
    pub float_result: bool,
    /// Tells whether a result is 16 bits wide, so that it may go to one half.
    pub half_result: bool,
    row: u16,
    behaviour: u16,
    slots: List,
    operands: List,
    data: List,
    must_mask: Bits,
    must_value: Bits,
    known: Bits,
}

/// A part of an array. Forms hold no pointers: thousands of them need not be relocated when
/// the program starts.
#[derive(Debug)]
struct List {
    start: u16,
    count: u8,
}

impl List {
    fn of<T>(&self, values: &'static [T]) -> &'static [T] {
        &values[usize::from(self.start)..][..usize::from(self.count)]
    }
}

impl InstDesc {
    /// Returns the facts about its opcode.
    pub fn mnemonic(&self) -> &'static OpInfo {
        &ROWS[usize::from(self.opcode)]
    }

    /// Returns its opcode.
    pub fn opcode(&self) -> Opcode {
        self.mnemonic().opcode
    }

    /// Returns the name of its opcode, without suffix.
    pub fn name(&self) -> &'static str {
        self.mnemonic().name
    }

    /// Lists its operands and modifiers in the order of assembly.
    pub fn slots(&self) -> &'static [Slot] {
        self.slots.of(&SLOTS)
    }

    /// Returns the word that asks an atomic for what was there.
    pub fn returning_word(&self) -> &'static str {
        let is_new =
            |slot: &Slot| matches!(slot.kind, SlotKind::CachePolicy { words: CacheWords::Sc, .. });
        if self.slots().iter().any(is_new) { "sc0" } else { "glc" }
    }

    /// Lists the slots that name registers, each with what is done to them.
    pub fn operands(&self) -> &'static [(Slot, Role)] {
        self.operands.of(&ROLES)
    }

    /// Lists where the fields of the data begin that memory operations move.
    pub fn data(&self) -> &'static [u8] {
        self.data.of(&DATA)
    }

    /// Returns the row of its operands.
    pub fn operand_spec(&self) -> &'static OperandSpec {
        &OPERANDS[usize::from(self.row)]
    }

    /// Returns the way its encodings are built.
    pub fn class(&self) -> Class {
        self.operand_spec().class
    }

    /// Returns what may follow it, and how it deals with its operands.
    pub fn flags(&self) -> OpFlags {
        self.operand_spec().flags
    }

    /// Returns the meaning of its execution to the wave.
    pub fn behaviour(&self) -> &'static Behaviour {
        &BEHAVIOURS[usize::from(self.behaviour)]
    }

    /// Returns where control goes.
    pub fn control(&self) -> Control {
        self.behaviour().control
    }

    /// Returns the set bits of words that mean nothing to it; `None` where bits speak against
    /// it.
    pub fn unknown_bits(&self, bits: Bits) -> Option<Bits> {
        let fits = bits & self.must_mask == self.must_value;
        fits.then_some(bits & !self.known)
    }

    /// Lists the forms of an opcode's name on chips of a subtarget, in order of preference.
    pub fn of(opcode: Opcode, subtarget: Subtarget, dialect: Dialect) -> &'static [InstDesc] {
        let set = dialect as usize * SUBTARGETS + usize::from(subtarget.0);
        let (start, count) = FORMS_OF[set][opcode as usize];
        &FORMS[usize::from(start)..][..usize::from(count)]
    }

    /// Lists the forms that words with an encoding, a number in it and an extension may have.
    pub fn decoded(
        encoding: Encoding,
        number: u16,
        extension: Extension,
        subtarget: Subtarget,
        dialect: Dialect,
    ) -> impl Iterator<Item = &'static InstDesc> {
        let bounds = [0, 1].map(|next| usize::from(ENCODING_STARTS[encoding as usize + next]));
        let numbers = &DECODING[usize::from(subtarget.0)][bounds[0]..bounds[1]];
        let opcode = numbers.get(usize::from(number)).and_then(|it| ROWS.get(usize::from(*it)));
        let forms = opcode.map_or(&[][..], |row| InstDesc::of(row.opcode, subtarget, dialect));
        forms.iter().filter(move |form| {
            (form.encoding, form.number, form.extension) == (encoding, number, extension)
        })
    }
}
