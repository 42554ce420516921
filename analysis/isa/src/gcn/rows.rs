//! Tables each of whose rows is one constant: fields, names of numbers, spellings,
//! hazards, clocks.

use super::features::{Clause, FeatureSet, When};
use super::opcodes::Opcode;
use super::plain::OpGroup;
use super::plain::behaviour::IssueClass;
use super::plain::encoding::{Encoding, Layout};
use super::plain::hazard::{Certainty, Consumer, Producer, States, Via};
use super::plain::names::{Dialect, NameKind, SuffixPlace};
use super::plain::slot::Bits;
use super::plain::timing::{Clocks, Operation};

include!(concat!(env!("OUT_DIR"), "/gcn_rows.rs"));

/// A field of an encoding.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// The encoding's name, or `SDWA` or `DPP`.
    pub encoding: &'static str,
    /// Its name in the manuals, in lower case.
    pub name: &'static str,
    /// Its lowest bit, from bit 0 of the first word.
    pub low: u8,
    /// Its bits.
    pub width: u8,
    when: When,
    /// The source of the row.
    pub source: &'static str,
}

impl Field {
    /// Returns its value in an instruction's words.
    pub fn value(&self, words: Bits) -> u64 {
        (words >> self.low) as u64 & ((1 << self.width) - 1)
    }
}

/// Lists the fields of a layout on chips with these features, in the order of the table.
pub fn fields(layout: Layout, features: FeatureSet) -> impl Iterator<Item = &'static Field> {
    let own = match layout {
        Layout::Of(encoding) => FIELDS_OF[encoding as usize],
        Layout::Sdwa => FIELDS_OF[Encoding::ALL.len()],
        Layout::Dpp => FIELDS_OF[Encoding::ALL.len() + 1],
    };
    own.iter().filter(move |field| field.when.holds(features))
}

/// Returns one field by name.
pub fn field(layout: Layout, features: FeatureSet, name: &str) -> Option<&'static Field> {
    fields(layout, features).find(|field| field.name == name)
}

/// A name and its number.
#[derive(Debug)]
pub struct Named {
    /// The sort of number.
    pub kind: NameKind,
    /// The name.
    pub name: &'static str,
    /// The number.
    pub number: u8,
    when: When,
}

impl Named {
    /// Lists all of them.
    pub fn all() -> impl Iterator<Item = &'static Named> {
        NAMES.iter()
    }

    /// Tells whether chips with these features have it.
    pub fn holds(&self, features: FeatureSet) -> bool {
        self.when.holds(features)
    }
}

/// A name that a dialect does not know.
struct UnknownName {
    opcode: Opcode,
    dialect: Dialect,
    when: When,
    /// The name of that which it knows; empty where it lacks the instruction.
    instead: &'static str,
}

/// Tells whether a dialect does not know an opcode's name on chips with these features; with
/// it, what it says instead, empty where it lacks the instruction.
pub fn unknown_name(
    opcode: Opcode,
    features: FeatureSet,
    dialect: Dialect,
) -> Option<&'static str> {
    let fits = |row: &&UnknownName| {
        row.opcode == opcode && row.dialect == dialect && row.when.holds(features)
    };
    UNKNOWN_NAMES.iter().find(fits).map(|row| row.instead)
}

/// Lists the names of one operation in different generations, the opcode's own among them.
pub fn renames(opcode: Opcode) -> &'static [Opcode] {
    RENAMES.iter().find(|names| names.contains(&opcode)).copied().unwrap_or_default()
}

/// The meaning of one word of an image opcode's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suffix {
    /// The word.
    pub word: &'static str,
    /// Its meaning, as part of a sentence.
    pub meaning: &'static str,
    /// The component that it adds to the address.
    pub component: &'static str,
    /// The place of that there.
    pub place: SuffixPlace,
}

impl Suffix {
    /// Lists all of them, in the order of the address.
    pub fn all() -> &'static [Suffix] {
        &SUFFIXES
    }
}

impl Opcode {
    /// Returns the group of opcodes that it is in.
    pub fn group(self) -> Option<OpGroup> {
        GROUPS[self as usize]
    }

    /// Returns the words behind the operation of an image opcode's name, in their order.
    pub fn suffixes(self) -> &'static [&'static Suffix] {
        let row = SUFFIXES_OF.binary_search_by_key(&self, |row| row.0);
        row.map_or(&[], |row| SUFFIXES_OF[row].1)
    }
}

/// A pair of instructions between which wait states must stand.
#[derive(Debug)]
pub struct Hazard {
    when: When,
    /// The first of the pair.
    pub producer: Producer,
    /// The register between them.
    pub via: Via,
    /// The second of the pair.
    pub consumer: Consumer,
    /// The states that must stand between them.
    pub states: States,
    /// The most severe thing that can be said where they do not.
    pub certainty: Certainty,
    /// Says who asks for the states and who does without, where they do not agree.
    pub only: Option<(&'static str, &'static str)>,
}

impl Hazard {
    /// Lists all of them.
    pub fn all() -> impl Iterator<Item = &'static Hazard> {
        HAZARDS.iter()
    }

    /// Tells whether chips with these features have it.
    pub fn holds(&self, features: FeatureSet) -> bool {
        self.when.holds(features)
    }

    /// Lists the hazards of chips with these features.
    pub fn of(features: FeatureSet) -> impl Iterator<Item = &'static Hazard> {
        Hazard::all().filter(move |row| row.holds(features))
    }
}

/// The clocks of a class of issue time.
#[derive(Debug)]
pub struct IssueClocks {
    /// In the model of Mesa's ACO.
    pub aco: Clocks,
    /// As measured.
    pub measured: Clocks,
    /// In its place where 64-bit addition has half of the 32-bit rate.
    pub f64_add_half: Option<u32>,
    /// Clocks for which a unit that four SIMDs share is taken.
    pub busy: Option<u32>,
}

impl IssueClass {
    /// Returns its clocks.
    pub fn clocks(self) -> &'static IssueClocks {
        &ISSUE_CLOCKS[self as usize]
    }
}

/// Clocks between the issue of an operation and its result.
#[derive(Debug)]
pub struct ResultClocks {
    /// In the model of Mesa's ACO; `None` where it knows of no result.
    pub aco: Option<u32>,
    /// At best, as a rule, at worst.
    pub bands: [u32; 3],
}

impl Operation {
    /// Returns the clocks until its result is there.
    pub fn clocks(self) -> &'static ResultClocks {
        &RESULT_CLOCKS[self as usize]
    }
}
