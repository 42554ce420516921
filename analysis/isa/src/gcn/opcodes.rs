//! The opcodes of GCN, with what is known of each.

use super::chips::Target;
use super::features::{Clause, FeatureSet, Subtarget, When};
use super::plain::Generation;
use super::plain::behaviour::{
    Behaviour, BranchCondition, Condition, Control, Counter, CounterEvent, CounterInc, Implicit,
    IssueClass, Unit,
};
use super::plain::encoding::{Encoding, OpEncoding};
use super::plain::names::Dialect;
use super::plain::operand::{
    Class, Immediate, NumberKind, OpFlags, Operand, OperandSpec, Origin, Type,
};

include!(concat!(env!("OUT_DIR"), "/gcn_opcodes.rs"));

/// Says what each opcode got on each chip, from which row: tab-separated cells.
pub static LISTING: &str = include_str!(concat!(env!("OUT_DIR"), "/gcn_listing"));

/// The facts about an opcode, a row of `data/gcn/opcodes.tsv`.
#[derive(Debug)]
pub struct OpInfo {
    /// The opcode.
    pub opcode: Opcode,
    /// Its name, without the suffixes `_e32`, `_e64`, `_sdwa` and `_dpp`.
    pub name: &'static str,
    /// Other spellings of the same opcode.
    pub aliases: &'static [&'static str],
    /// The aliases that LLVM takes.
    pub llvm_aliases: &'static [&'static str],
    /// Its effect in a sentence.
    pub summary: &'static str,
    /// The source of the row.
    pub source: &'static str,
    encodings: &'static [(When, &'static [OpEncoding])],
}

impl Opcode {
    /// Returns the opcode of a name as the tables spell it.
    pub fn named(name: &str) -> Option<Opcode> {
        let row = &ROWS[find(name)?];
        (row.name == name).then_some(row.opcode)
    }

    /// Returns the opcode of a name or of another spelling that a dialect takes. CLRX takes
    /// them all.
    pub fn find_in(name: &str, dialect: Dialect) -> Option<Opcode> {
        let row = &ROWS[find(name)?];
        let takes =
            row.name == name || dialect == Dialect::Clrx || row.llvm_aliases.contains(&name);
        takes.then_some(row.opcode)
    }

    /// Returns the opcode of a name or of another spelling of it.
    pub fn find(name: &str) -> Option<Opcode> {
        find(name).map(|number| ROWS[number].opcode)
    }

    /// Lists every opcode in the order of the alphabet.
    pub fn all() -> impl ExactSizeIterator<Item = Opcode> {
        ROWS.iter().map(|row| row.opcode)
    }

    /// Lists the facts about all, in the order of the alphabet.
    pub fn rows() -> &'static [OpInfo] {
        &ROWS
    }

    /// Returns the facts about it.
    pub fn row(self) -> &'static OpInfo {
        &ROWS[self as usize]
    }

    /// Returns its name, without a suffix.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns what it takes on chips of a subtarget.
    pub fn operands(self, subtarget: Subtarget) -> Option<&'static OperandSpec> {
        OPERANDS.get(usize::from(OPERANDS_OF[self as usize][usize::from(subtarget.0)]))
    }

    /// Returns what executing it means on chips of a subtarget.
    pub fn behaviour(self, subtarget: Subtarget) -> Option<&'static Behaviour> {
        BEHAVIOURS.get(usize::from(BEHAVIOURS_OF[self as usize][usize::from(subtarget.0)]))
    }

    /// Returns the formula of what it computes on chips of a subtarget, `-` where it computes
    /// nothing.
    pub fn formula(self, subtarget: Subtarget) -> Option<&'static str> {
        FORMULAS.get(usize::from(FORMULAS_OF[self as usize][usize::from(subtarget.0)])).copied()
    }
}

fn find(name: &str) -> Option<usize> {
    let spelled = |number: usize| match number.checked_sub(ROWS.len()) {
        Some(alias) => ALIASES[alias].0,
        None => ROWS[number].name,
    };
    let number = tables::find(&INDEX, name.as_bytes(), spelled)?;
    Some(number.checked_sub(ROWS.len()).map_or(number, |alias| usize::from(ALIASES[alias].1)))
}

impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl OpInfo {
    /// Returns its encodings on chips with these features; none where they lack it.
    pub fn encodings(&self, features: FeatureSet) -> &'static [OpEncoding] {
        let found = self.encodings.iter().find(|(when, _)| when.holds(features));
        found.map_or(&[], |(_, encodings)| encodings)
    }

    /// Tells whether it works on images.
    pub fn is_of_images(&self) -> bool {
        self.encodings.iter().flat_map(|it| it.1).any(|it| it.encoding == Encoding::Mimg)
    }

    /// Returns its encodings on every chip of a generation; none where only some have it.
    pub fn generation_forms(&self, generation: Generation) -> &'static [OpEncoding] {
        self.encodings(generation.features())
    }

    /// Returns its encodings on a chip.
    pub fn forms(&self, target: Target) -> &'static [OpEncoding] {
        self.encodings(target.features())
    }

    /// Tells whether only some chips of a generation have it.
    pub fn is_later(&self, generation: Generation) -> bool {
        self.generation_forms(generation).is_empty() && self.subtarget(generation).is_some()
    }

    /// Lists the generations of which some chip has it.
    pub fn generations(&self) -> impl Iterator<Item = Generation> + use<'_> {
        Generation::ALL.into_iter().filter(|generation| self.subtarget(*generation).is_some())
    }

    /// Lists the processors whose encodings differ from those of their generation, those
    /// together that have the same.
    pub fn chips_that_differ(&self) -> Vec<(String, &'static [OpEncoding])> {
        let mut all: Vec<(String, &'static [OpEncoding])> = Vec::new();
        for target in Target::all().filter(|it| it.name() == it.row().processor) {
            let own = self.forms(target);
            if own == self.generation_forms(target.generation()) {
                continue;
            }
            match all.last_mut() {
                Some((names, encodings)) if *encodings == own => {
                    names.push_str(", ");
                    names.push_str(target.name());
                }
                _ => all.push((target.name().to_owned(), own)),
            }
        }
        all
    }

    /// Returns the features of the chips of a generation that have it: of all, or else of
    /// the first that has it.
    pub fn subtarget(&self, generation: Generation) -> Option<Subtarget> {
        if !self.generation_forms(generation).is_empty() {
            return Some(generation.subtarget());
        }
        let own = Target::all().filter(|target| target.generation() == generation);
        own.into_iter().find(|it| !self.forms(*it).is_empty()).map(|it| it.row().subtarget)
    }

    /// Returns what executing it means in a generation; `None` where the generation lacks it.
    pub fn behaviour(&self, generation: Generation) -> Option<Behaviour> {
        self.opcode.behaviour(self.subtarget(generation)?).copied()
    }
}

impl Unit {
    /// Returns what it is called in sentences.
    pub fn title(self) -> &'static str {
        UNIT_TITLES[self as usize]
    }
}
