//! Slots: the places of an instruction's operands and modifiers in its words.
//!
//! A form is a list of slots in the order of assembly. The assembler fills them from
//! operands and the decoder reads them from the words, so that both follow the same rules.

// Most variants are the words of the language.
#![allow(missing_docs)]

use super::operand::{Immediate, Origin, Type};

/// The operands that fill a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
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
        /// Tells whether a literal may stand here.
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

spelled! {
    /// The offsets that scalar memory takes.
    pub enum ScalarOffset {
        /// Eight bits, in dwords.
        Byte,
        /// A literal, in dwords.
        Literal,
        /// Twenty bits, in bytes.
        Unsigned20,
        /// Twenty-one bits, in bytes.
        Signed21,
    }
}

spelled! {
    /// Says what is said of a number that does not fit.
    pub enum OffsetRule {
        /// An error.
        Strict,
        /// The target has no such field.
        Absent,
    }
}

spelled! {
    /// Special scalar registers that a slot takes beside the numbered ones.
    pub enum ScalarSet {
        /// All that can be written.
        All,
        /// Neither M0 nor EXEC.
        NoM0NoExec,
        /// All but the upper half of EXEC.
        NoExecHigh,
    }
}

/// A source of a vector instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    pub ty: Type,
    pub from: SourceSet,
    pub modifiers: Modifiers,
}

spelled! {
    /// The origins of a vector instruction's source.
    pub enum SourceSet {
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
}

spelled! {
    /// The changes of a source on its way in.
    pub enum Modifiers {
        None,
        /// Sign and magnitude.
        Float,
        /// Sign.
        Sign,
        /// Sign extension.
        Integer,
    }
}

/// A place in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub kind: Kind,
    /// The lowest bit of its field.
    pub low: u8,
    /// The bits of its field.
    pub width: u8,
    /// Tells whether it may be left out, and what then is in the field.
    pub default: Option<u32>,
    /// The bits for negation, magnitude and sign extension; `NO_BIT` where none.
    pub negate: u8,
    pub magnitude: u8,
    pub extend: u8,
    /// The bit that tells a scalar register in an eight-bit source.
    pub scalar: u8,
}

impl Slot {
    /// Tells whether it is an operand between commas, and no modifier behind them.
    pub fn is_positional(&self) -> bool {
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

/// The place of a bit that is not there.
pub const NO_BIT: u8 = u8::MAX;

/// The format of typed buffers where nothing is said.
pub const FORMAT_DEFAULT: u32 = 1;

spelled! {
    /// The use of an operand.
    pub enum Role {
        Read,
        Write,
        /// Both, whatever is between.
        ReadWrite,
        /// Read, and written where the instruction returns what memory held.
        Exchange,
    }
}

/// Checks that look at more than one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
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

impl Slot {
    /// The bits of the words that it fills.
    pub fn covered(&self) -> u64 {
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

spelled! {
    /// A modifier with a value.
    pub enum Key {
        Offset,
        Offset0,
        Offset1,
        Dmask,
        Omod,
        DstSel,
        DstUnused,
        Src0Sel,
        Src1Sel,
        DppCtrl,
        RowMask,
        BankMask,
        BoundCtrl,
        OpSel,
        OpSelHi,
        NegLo,
        NegHi,
        Dfmt,
        Nfmt,
        Format,
        Cbsz,
        Abid,
        Blgp,
    }
}

spelled! {
    /// A modifier that is said or not.
    pub enum Flag {
        Off,
        Clamp,
        High,
        Gds,
        Offen,
        Idxen,
        Addr64,
        Lds,
        Tfe,
        Lwe,
        Unorm,
        Da,
        R128,
        A16,
        D16,
        Done,
        Vm,
        Compr,
    }
}

impl Flag {
    pub fn name(self) -> &'static str {
        match self {
            Flag::Off => "off",
            Flag::Clamp => "clamp",
            Flag::High => "high",
            Flag::Gds => "gds",
            Flag::Offen => "offen",
            Flag::Idxen => "idxen",
            Flag::Addr64 => "addr64",
            Flag::Lds => "lds",
            Flag::Tfe => "tfe",
            Flag::Lwe => "lwe",
            Flag::Unorm => "unorm",
            Flag::Da => "da",
            Flag::R128 => "r128",
            Flag::A16 => "a16",
            Flag::D16 => "d16",
            Flag::Done => "done",
            Flag::Vm => "vm",
            Flag::Compr => "compr",
        }
    }
}
