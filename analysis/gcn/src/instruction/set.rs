//! Instruction sets: all forms of a chip in an assembly language.
//!
//! A set is built from the tables once, and then serves every line and every word that
//! is read for its chip.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, OnceLock};

use super::features::Features;
use super::form::{Form, Kind, SourceSet};
use super::operands::{Operand, Signature};
use crate::Target;
use crate::assembler::Dialect;
use crate::encoding::{self, Encoding, Extension};
use crate::mnemonics::{self, MnemonicInfo};

/// Operands that are written in their own way, by place.
pub(crate) type SpecialOperands = [Option<(usize, Kind)>; 2];

/// All forms of a chip in an assembly language.
#[derive(Debug)]
pub struct InstructionSet {
    pub(crate) features: Features,
    pub(crate) dialect: Dialect,
    pub(crate) forms: Vec<Form>,
    /// For every mnemonic its forms.
    by_mnemonic: Vec<std::ops::Range<u32>>,
    /// For every mnemonic the operands that are written in their own way.
    special: Vec<SpecialOperands>,
    pub(crate) by_code: FxHashMap<(Encoding, u16, Extension), Vec<u32>>,
}

impl InstructionSet {
    /// The instruction set of a target in LLVM's assembly language.
    pub fn of(target: Target) -> &'static InstructionSet {
        InstructionSet::in_dialect(target, Dialect::Llvm)
    }

    /// The instruction set of a target as an assembly language has it: names,
    /// operands and what is meant where nothing is said differ between them.
    ///
    /// Built at the first call; chips with equal features share it.
    pub fn in_dialect(target: Target, dialect: Dialect) -> &'static InstructionSet {
        type Sets = FxHashMap<(Target, Dialect), &'static InstructionSet>;
        static SETS: OnceLock<Mutex<Sets>> = OnceLock::new();
        let sets = SETS.get_or_init(Mutex::default);
        let mut sets = sets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(set) = sets.get(&(target, dialect)) {
            return set;
        }
        let features = Features::of(target);
        let same =
            sets.values().copied().find(|set| set.features == features && set.dialect == dialect);
        // Leaked once for each of some twenty processors: they live as long as the program.
        let set =
            same.unwrap_or_else(|| Box::leak(Box::new(InstructionSet::build(target, dialect))));
        sets.insert((target, dialect), set);
        set
    }

    /// The assembly language whose lines it takes.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What the chip's instruction set has.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The operands of a mnemonic that are written in their own way.
    pub(crate) fn special_of(&self, mnemonic: usize) -> SpecialOperands {
        self.special.get(mnemonic).copied().unwrap_or_default()
    }

    /// The forms of the mnemonic with an index of the table, in order of preference.
    pub(crate) fn forms_of(&self, mnemonic: usize) -> &[Form] {
        let range = self.by_mnemonic.get(mnemonic).cloned().unwrap_or(0..0);
        &self.forms[range.start as usize..range.end as usize]
    }

    /// The forms of a mnemonic as it is written: a suffix chooses some of them.
    pub(crate) fn forms_written(&self, word: &str) -> Vec<&Form> {
        match super::find(word, self.dialect) {
            Some((index, asked)) => {
                self.forms_of(index).iter().filter(|form| asked.takes(form)).collect()
            }
            None => Vec::new(),
        }
    }

    fn build(target: Target, dialect: Dialect) -> InstructionSet {
        let features = Features::of(target);
        let mut forms = Vec::new();
        let mut by_mnemonic = Vec::new();
        let mut by_code: FxHashMap<_, Vec<u32>> = FxHashMap::default();
        let mut spellings = Vec::new();
        for info in mnemonics::all() {
            let start = forms.len() as u32;
            let known = dialect == Dialect::Clrx || !info.source.starts_with("CLRX");
            if known {
                build_forms(&features, target, dialect, info, &mut forms);
                if start == forms.len() as u32
                    && let Some((other, long)) =
                        mnemonics::stands_for(info.opcode, features.set, dialect)
                {
                    build_forms(&features, target, dialect, other.row(), &mut forms);
                    if long {
                        keep_long(&mut forms, start as usize);
                    }
                    spellings.push(start..forms.len() as u32);
                }
            }
            by_mnemonic.push(start..forms.len() as u32);
        }
        for (index, form) in forms.iter().enumerate() {
            // The decoder writes what the manuals call it.
            if spellings.iter().any(|range| range.contains(&(index as u32))) {
                continue;
            }
            let key = (form.encoding, form.opcode, form.extension);
            by_code.entry(key).or_default().push(index as u32);
        }
        let first = |range: &std::ops::Range<u32>| {
            forms.get(range.start as usize..range.end as usize)?.first()
        };
        let special =
            by_mnemonic.iter().map(|range| first(range).map_or([None, None], special_of)).collect();
        InstructionSet { features, dialect, forms, by_mnemonic, special, by_code }
    }
}

/// Leaves only the long forms from a place on, with a vector register as second source.
fn keep_long(forms: &mut Vec<Form>, start: usize) {
    let mut added = forms.split_off(start);
    added.retain(|form| form.encoding == Encoding::Vop3);
    for form in &mut added {
        let second = form.slots.iter_mut().rev().find_map(|slot| match &mut slot.kind {
            Kind::Source(source) => Some(source),
            _ => None,
        });
        if let Some(source) = second {
            source.from = SourceSet::Vector;
        }
    }
    forms.append(&mut added);
}

fn build_forms(
    features: &Features,
    target: Target,
    dialect: Dialect,
    info: &'static MnemonicInfo,
    forms: &mut Vec<Form>,
) {
    let generation = features.generation;
    let signature = super::operands::signature(info.name, generation);
    let known = |row: &&Signature| dialect == Dialect::Clrx || !row.traits.other_dialects();
    let Some(signature) = signature.filter(known) else { return };
    let places = info.forms(target);
    let mut add = |extension: Extension, place: &mnemonics::Form| {
        let Some(base) = encoding::base(place.encoding, place.opcode, generation) else { return };
        let mut variants = Vec::new();
        super::build::slots(features, signature, place, extension, &mut variants);
        for variant in variants {
            let words = match extension {
                Extension::Sdwa | Extension::Dpp => 2,
                _ => encoding::words(place.encoding),
            };
            let form = Form {
                mnemonic: info,
                encoding: place.encoding,
                opcode: place.opcode,
                extension,
                base: u64::from(base) | variant.base,
                words,
                slots: variant.slots,
                check: variant.check,
                traits: signature.traits,
                reads_vcc: variant.reads_vcc,
                float_result: has_float_result(signature),
            };
            match dialect {
                Dialect::Llvm => forms.push(form),
                Dialect::Clrx => super::clrx::forms::adapt(form, signature, features, forms),
            }
        }
    };
    // The short encodings come first: who asks for none gets the shortest.
    let is_long =
        |place: &&mnemonics::Form| matches!(place.encoding, Encoding::Vop3 | Encoding::Vop3p);
    for place in places.iter().filter(|place| !is_long(place)) {
        add(Extension::None, place);
    }
    for place in places.iter().filter(is_long) {
        add(Extension::None, place);
    }
    for place in places.iter().filter(|place| place.sdwa) {
        add(Extension::Sdwa, place);
    }
    for place in places.iter().filter(|place| place.dpp) {
        add(Extension::Dpp, place);
    }
}

fn has_float_result(signature: &Signature) -> bool {
    matches!(
        signature.operands.first(),
        Some(Operand::Number { ty, .. }) if ty.is_float()
    )
}

/// The operands of a form that are written in their own way.
fn special_of(form: &Form) -> SpecialOperands {
    let mut found = form.slots.iter().enumerate().filter(|(_, slot)| {
        matches!(
            slot.kind,
            Kind::WaitCounters
                | Kind::Message
                | Kind::HardwareRegister
                | Kind::IndexMode
                | Kind::Branch
                | Kind::Attribute
                | Kind::AttributePart
                | Kind::ExportTarget
        )
    });
    let mut next = || found.next().map(|(index, slot)| (index, slot.kind));
    [next(), next()]
}
