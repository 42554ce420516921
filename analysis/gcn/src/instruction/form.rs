//! Forms: what one mnemonic looks like in one encoding on one chip.
//!
//! A form is a list of slots in the order of assembly. The assembler fills them
//! from operands and the decoder reads them from the words, so that both follow
//! the same rules.

use super::features::Features;
use super::fields::{self, Layout};
use super::modifier::{Flag, Key};
use super::operands::{Immediate, Origin, Signature, Traits, Type};
use crate::encoding::{Encoding, Extension};
use crate::mnemonics::MnemonicInfo;

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
    pub(crate) extension: Option<Layout>,
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
    pub(crate) fn low(&self, layout: Layout, name: &str) -> u8 {
        fields::field(layout, self.features.set, name).map_or(NO_BIT, |field| field.low)
    }

    /// The lowest bit of a field of the form's own encoding.
    pub(crate) fn own(&self, name: &str) -> u8 {
        self.low(Layout::Of(self.encoding), name)
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
            Kind::Mask if self.extension == Some(Layout::Sdwa) => 7,
            Kind::IndexMode => 4,
            Kind::Format | Kind::FormatParts => 7,
            Kind::ScalarOffset(ScalarOffset::Byte | ScalarOffset::Literal) => 8,
            Kind::ScalarOffset(ScalarOffset::Unsigned20) => 20,
            Kind::ScalarOffset(ScalarOffset::Signed21) => 21,
            _ => {
                let extension = self.extension.filter(|_| low >= 32);
                extension
                    .into_iter()
                    .chain([Layout::Of(self.encoding)])
                    .flat_map(|layout| fields::fields(layout, self.features.set))
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
