//! Instruction sets: all forms of a chip in an assembly language.

use isa::gcn::Subtarget;

use super::form::{Bits, InstDesc, Slot, SlotKind};
use super::modifier::Key;
use crate::Target;
use crate::dialect::Dialect;
use crate::encoding::{Extension, InstLayout};
use crate::mnemonics::Opcode;

/// Operands that are written in their own way, by place.
pub(crate) type SpecialOperands = [Option<(usize, SlotKind)>; 2];

/// All forms of a chip in an assembly language.
#[derive(Debug, Clone, Copy)]
pub struct InstructionSet {
    target: Target,
    dialect: Dialect,
    subtarget: Subtarget,
}

impl InstructionSet {
    /// Returns the instruction set of a target in LLVM's assembly language.
    pub fn of(target: Target) -> InstructionSet {
        InstructionSet::in_dialect(target, Dialect::Llvm)
    }

    /// Returns the instruction set of a target as an assembly language has it: names,
    /// operands and what is meant where nothing is said differ between them.
    pub fn in_dialect(target: Target, dialect: Dialect) -> InstructionSet {
        InstructionSet { target, dialect, subtarget: target.row().subtarget }
    }

    /// Returns the assembly language whose lines it takes.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the chip.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the chip's set of features.
    pub(crate) fn subtarget(&self) -> Subtarget {
        self.subtarget
    }

    /// Returns the operands of a mnemonic that are written in their own way.
    pub(crate) fn special_of(&self, opcode: Opcode) -> SpecialOperands {
        self.forms_of(opcode).first().map_or([None, None], special_of)
    }

    /// Lists the forms of a mnemonic, in order of preference.
    pub(crate) fn forms_of(&self, opcode: Opcode) -> &'static [InstDesc] {
        InstDesc::of(opcode, self.subtarget, self.dialect)
    }

    /// Lists the forms of a mnemonic as it is written: a suffix chooses some of them.
    pub(crate) fn forms_written(&self, word: &str) -> Vec<&'static InstDesc> {
        match super::find(word, self.dialect) {
            Some((opcode, asked)) => self
                .forms_of(opcode)
                .iter()
                .filter(|form| super::is_asked_for(asked, form, self.dialect))
                .collect(),
            None => Vec::new(),
        }
    }

    /// Lists the forms that words of a shape may have.
    pub(crate) fn decoded(&self, shape: InstLayout) -> impl Iterator<Item = &'static InstDesc> {
        let extension = match shape.extension {
            Extension::Literal => Extension::None,
            extension => extension,
        };
        InstDesc::decoded(shape.encoding, shape.opcode, extension, self.subtarget, self.dialect)
    }

    /// Finds the form of an instruction, with its bits: literals are not among them.
    pub(crate) fn describe(&self, words: &[u32]) -> Option<(&'static InstDesc, Bits)> {
        let (shape, bits, _) = super::decode::parts(words, self.target).ok()?;
        let forms = self.decoded(shape).filter(|form| has_formats(form, bits));
        let fitting = forms.filter_map(|form| Some((form.unknown_bits(bits)?, form)));
        let (_, form) = fitting.min_by_key(|(unknown, _)| unknown.count_ones())?;
        Some((form, bits))
    }
}

/// Tells whether a form is that of the formats that the words say, which rule how many registers
/// a matrix takes.
fn has_formats(form: &InstDesc, bits: Bits) -> bool {
    let in_range = |slot: &Slot| match slot.kind {
        SlotKind::Number { key: Key::Cbsz | Key::Blgp, lowest, highest, .. } => {
            (i64::from(lowest)..=i64::from(highest)).contains(&(slot.value(bits) as i64))
        }
        _ => true,
    };
    !form.flags().formats() || form.slots().iter().all(in_range)
}

/// The operands of a form that are written in their own way.
fn special_of(form: &InstDesc) -> SpecialOperands {
    let mut found = form.slots().iter().enumerate().filter(|(_, slot)| {
        matches!(
            slot.kind,
            SlotKind::WaitCounters
                | SlotKind::Message
                | SlotKind::HardwareRegister
                | SlotKind::IndexMode
                | SlotKind::Branch
                | SlotKind::Attribute
                | SlotKind::AttributePart
                | SlotKind::ExportTarget
        )
    });
    let mut next = || found.next().map(|(index, slot)| (index, slot.kind));
    [next(), next()]
}
