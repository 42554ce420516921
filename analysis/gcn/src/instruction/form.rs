//! Forms: what one mnemonic looks like in one encoding on one chip.
//!
//! A form is a list of slots in the order of assembly. The assembler fills them
//! from operands and the decoder reads them from the words, so that both follow
//! the same rules.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, OnceLock};

use super::features::Features;
use super::fields;
use super::modifier::{Flag, Key};
use super::operands::{Immediate, Origin, Signature, Traits, Type};
use crate::Target;
use crate::assembler::Dialect;
use crate::encoding::{self, Encoding, Extension};
use crate::mnemonics::{self, MnemonicInfo};

/// What fills a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Vector registers.
    Vector {
        dwords: u8,
    },
    /// Vector registers of any count; the whole decides whether it is right.
    Vectors,
    /// A vector register, or the word the local data share hands over.
    VectorOrLds,
    /// Accumulation registers.
    Accumulator {
        dwords: u8,
    },
    /// Vector or accumulation registers; a bit says which.
    VectorOrAccumulator {
        dwords: u8,
    },
    /// Scalar registers; the field holds their number divided by a power of two.
    Scalar {
        dwords: u8,
        set: ScalarSet,
        shift: u8,
    },
    /// A bit for every lane, in a scalar pair.
    Mask,
    /// The word `vcc`, which no field holds.
    Vcc,
    /// A source of a vector instruction.
    Source(Source),
    /// A source of a scalar instruction.
    ScalarSource {
        ty: Type,
        from: Origin,
    },
    /// A scalar register or constant: a lane's number, or what is written to a lane.
    Lane {
        /// Whether a literal may stand here.
        literal: bool,
    },
    /// The constant after the instruction.
    Literal(Type),
    /// Sixteen bits of the instruction.
    Immediate(Immediate),
    Branch,
    HardwareRegister,
    WaitCounters,
    Message,
    IndexMode,
    /// `attr3.x`.
    Attribute,
    /// `p10`.
    AttributePart,
    /// `mrt0`.
    ExportTarget,
    /// A register to export, or `off`; its bit says which.
    ExportSource {
        place: u8,
    },
    /// The word `off`; where it has a field, it is a code of its own there.
    Off {
        code: u8,
    },
    /// An offset of scalar memory.
    ScalarOffset(ScalarOffset),
    /// Seven bits of which page.
    Probe,
    /// `glc`, `slc`.
    CachePolicy {
        slc: u8,
    },
    /// A word that sets a bit.
    Flag(Flag),
    /// A number after a key, and what fits.
    Number {
        key: Key,
        lowest: i32,
        highest: i32,
        rule: OffsetRule,
    },
    /// A list after a key: a bit for each source, then one for the destination.
    List {
        key: Key,
        sources: u8,
    },
    /// The formats of a typed buffer.
    Format,
    /// The formats before the offset's register, as older texts have them.
    FormatParts,
}

/// Which offsets scalar memory takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScalarOffset {
    /// Eight bits, in dwords.
    Byte,
    /// A literal, in dwords.
    Literal,
    /// Twenty bits, in bytes.
    Unsigned20,
    /// Twenty-one bits, in bytes.
    Signed21,
}

/// What is said of a number that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OffsetRule {
    /// It is an error.
    Strict,
    /// The target has no such field.
    Absent,
}

/// Special scalar registers that a slot takes beside the numbered ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScalarSet {
    /// All that can be written.
    All,
    /// Neither M0 nor EXEC.
    NoM0NoExec,
    /// All but the upper half of EXEC.
    NoExecHigh,
}

/// A source of a vector instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) ty: Type,
    pub(crate) from: SourceSet,
    pub(crate) modifiers: Modifiers,
}

/// Where a vector instruction's source may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceSet {
    /// Registers, constants and literals.
    Literal,
    /// Registers and constants.
    Inline,
    /// Vector registers.
    Vector,
    /// Vector registers and constants.
    VectorOrConstant,
    /// Vector registers, in eight bits.
    ShortVector,
    /// Registers and constants, in eight bits and one that tells scalar ones.
    SdwaInline,
}

/// What may be done to a source on its way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Modifiers {
    None,
    /// Sign and magnitude.
    Float,
    /// Sign.
    Sign,
    /// Sign extension.
    Integer,
}

/// A place in a form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) kind: Kind,
    /// The lowest bit of its field.
    pub(crate) low: u8,
    /// The bits of its field.
    pub(crate) width: u8,
    /// Whether it may be left out, and what then is in the field.
    pub(crate) default: Option<u32>,
    /// The bits for negation, magnitude and sign extension; `NO_BIT` where none.
    pub(crate) negate: u8,
    pub(crate) magnitude: u8,
    pub(crate) extend: u8,
    /// The bit that tells a scalar register in an eight-bit source.
    pub(crate) scalar: u8,
}

impl Slot {
    /// Whether it is an operand between commas, and no modifier behind them.
    pub(crate) fn is_positional(&self) -> bool {
        !matches!(
            self.kind,
            Kind::CachePolicy { .. }
                | Kind::Flag(_)
                | Kind::Number { .. }
                | Kind::List { .. }
                | Kind::Format
                | Kind::FormatParts
        )
    }
}

pub(crate) const NO_BIT: u8 = u8::MAX;

/// Checks that look at more than one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    None,
    Vector,
    Scalar,
    /// Data registers against what moves.
    Image,
    /// Registers that move in pairs.
    Export,
    /// Sums that are read and written.
    Matrix,
    /// Atomics with and without a result must say `glc` or must not.
    Returns(bool),
}

/// One mnemonic in one encoding.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) mnemonic: &'static MnemonicInfo,
    pub(crate) encoding: Encoding,
    pub(crate) opcode: u16,
    pub(crate) extension: Extension,
    /// Identifying bits and opcode.
    pub(crate) base: u64,
    /// Words without a literal.
    pub(crate) words: u8,
    pub(crate) slots: Vec<Slot>,
    pub(crate) check: Check,
    pub(crate) traits: Traits,
    /// Whether VCC is read though no operand says so.
    pub(crate) reads_vcc: bool,
    /// Whether the result is a float.
    pub(crate) float_result: bool,
}

/// Builds the slots of a form from named fields.
pub(crate) struct Builder<'a> {
    pub(crate) features: &'a Features,
    pub(crate) encoding: Encoding,
    /// The layout of the second word, where it is an extension's.
    pub(crate) extension: &'static str,
    pub(crate) slots: Vec<Slot>,
}

impl Slot {
    /// The bits of the words that it fills.
    pub(crate) fn covered(&self) -> u64 {
        let mut mask = 0;
        let mut add = |low: u8, width: u8| {
            if low != NO_BIT {
                mask |= ((1_u64 << width) - 1) << low;
            }
        };
        add(self.low, self.width);
        match self.kind {
            Kind::Source(source) => {
                match source.modifiers {
                    Modifiers::None => {}
                    Modifiers::Float => {
                        add(self.negate, 1);
                        add(self.magnitude, 1);
                    }
                    Modifiers::Sign => add(self.negate, 1),
                    Modifiers::Integer => add(self.extend, 1),
                }
                add(self.scalar, 1);
            }
            Kind::Mask | Kind::VectorOrAccumulator { .. } => add(self.scalar, 1),
            Kind::Attribute => add(self.scalar, 2),
            Kind::List { key: Key::OpSel, .. } => add(self.extend, 1),
            Kind::List { key: Key::OpSelHi, sources: 3 } => add(self.extend, 1),
            Kind::ExportSource { place } => add(place, 1),
            Kind::CachePolicy { slc } => add(slc, 1),
            _ => {}
        }
        mask
    }
}

impl Builder<'_> {
    /// The lowest bit of a field; a missing field is bit 0 of nothing.
    pub(crate) fn low(&self, layout: &str, name: &str) -> u8 {
        fields::field(layout, self.features.generation, name).map_or(NO_BIT, |field| field.low)
    }

    /// The lowest bit of a field of the form's own encoding.
    pub(crate) fn own(&self, name: &str) -> u8 {
        self.low(self.encoding.name(), name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.own(name) != NO_BIT
    }

    pub(crate) fn push(&mut self, kind: Kind, low: u8) -> &mut Slot {
        let width = self.width(kind, low);
        self.slots.push(Slot {
            kind,
            low,
            width,
            default: None,
            negate: NO_BIT,
            magnitude: NO_BIT,
            extend: NO_BIT,
            scalar: NO_BIT,
        });
        let last = self.slots.len() - 1;
        &mut self.slots[last]
    }

    /// The bits that a slot fills: those of its field, where the kind does not say.
    fn width(&self, kind: Kind, low: u8) -> u8 {
        let of_number = |highest: i32, signed: bool| {
            (32 - highest.max(0).leading_zeros()) as u8 + u8::from(signed)
        };
        match kind {
            Kind::Vcc | Kind::Literal(_) => 0,
            _ if low == NO_BIT => 0,
            Kind::Off { code: 0 } => 0,
            Kind::Number { lowest, highest, .. } => of_number(highest, lowest < 0),
            Kind::Flag(_) | Kind::CachePolicy { .. } => 1,
            Kind::List { key: Key::OpSelHi, .. } => 2,
            Kind::List { sources, .. } => sources,
            Kind::Attribute => 6,
            // It shares its place with the selection of other results.
            Kind::Mask if self.extension == "SDWA" => 7,
            Kind::IndexMode => 4,
            Kind::Format | Kind::FormatParts => 7,
            Kind::ScalarOffset(ScalarOffset::Byte | ScalarOffset::Literal) => 8,
            Kind::ScalarOffset(ScalarOffset::Unsigned20) => 20,
            Kind::ScalarOffset(ScalarOffset::Signed21) => 21,
            _ => {
                let extension = if low >= 32 { self.extension } else { "" };
                fields::fields(extension, self.features.generation)
                    .chain(fields::fields(self.encoding.name(), self.features.generation))
                    .find(|field| field.low == low)
                    .map_or(0, |field| field.width)
            }
        }
    }

    /// A slot that may be left out.
    pub(crate) fn option(&mut self, kind: Kind, low: u8, default: u32) {
        self.push(kind, low).default = Some(default);
    }

    /// A word that sets a bit of a field, where the generation has the field.
    pub(crate) fn flag(&mut self, flag: Flag) {
        let low = self.own(flag.name());
        if low != NO_BIT {
            self.option(Kind::Flag(flag), low, 0);
        }
    }
}

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
                        mnemonics::stands_for(info.name, features.generation, dialect)
                {
                    build_forms(&features, target, dialect, other, &mut forms);
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

/// The slots of one way to write a form.
pub(crate) struct Variant {
    pub(crate) slots: Vec<Slot>,
    pub(crate) check: Check,
    /// More fixed bits.
    pub(crate) base: u64,
    pub(crate) reads_vcc: bool,
}

impl Variant {
    pub(crate) fn new(slots: Vec<Slot>, check: Check) -> Variant {
        Variant { slots, check, base: 0, reads_vcc: false }
    }
}

/// Whether a row is of a vector compare.
pub(crate) fn is_compare(signature: &Signature) -> bool {
    matches!(signature.operands.first(), Some(super::operands::Operand::Mask))
}

fn has_float_result(signature: &Signature) -> bool {
    matches!(
        signature.operands.first(),
        Some(super::operands::Operand::Number { ty, .. }) if ty.is_float()
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
