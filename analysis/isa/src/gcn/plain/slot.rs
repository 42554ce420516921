//! Slots: the places of an instruction's operands and modifiers in its words.
//!
//! A form is a list of slots in the order of assembly. The assembler fills them from
//! operands and the decoder reads them from the words, so that both follow the same rules.

// Most variants are the words of the language.
#![allow(missing_docs)]

use super::operand::{Immediate, Origin, Type};

/// The operands that fill a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotKind {
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
    /// Vector or accumulation registers, or a constant without literal.
    Sum {
        dwords: u8,
        ty: Type,
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
    /// `glc slc scc`, or `sc0 nt sc1`.
    CachePolicy {
        slc: u8,
        scc: u8,
        words: CacheWords,
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
        /// Twenty-one bits, in bytes, with or without a sign.
        Either21,
    }
}

spelled! {
    /// The words of the cache policy.
    pub enum CacheWords {
        /// `glc`, `slc`, `scc`.
        Glc,
        /// The same, of which `scc` is taken but not written.
        GlcWithoutScope,
        /// `sc0`, `nt`, `sc1`, for the same bits.
        Sc,
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
        /// Sign, magnitude and sign extension.
        All,
    }
}

/// A place in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub kind: SlotKind,
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
    /// Returns one that fills no bits beside its field.
    pub fn new(kind: SlotKind, low: u8) -> Slot {
        let [negate, magnitude, extend, scalar] = [NO_BIT; 4];
        Slot { kind, low, width: 0, default: None, negate, magnitude, extend, scalar }
    }

    /// Returns the value of its field.
    pub fn value(&self, bits: Bits) -> u64 {
        (bits >> (self.low & 127)) as u64 & ((1 << self.width) - 1)
    }

    /// Tells whether it is an operand between commas, and no modifier behind them.
    pub fn is_positional(&self) -> bool {
        !matches!(
            self.kind,
            SlotKind::CachePolicy { .. }
                | SlotKind::Flag(_)
                | SlotKind::Number { .. }
                | SlotKind::List { .. }
                | SlotKind::Format
                | SlotKind::FormatParts
        )
    }
}

/// The words of an instruction, the first one lowest.
pub type Bits = u128;

/// The place of a bit that is not there.
pub const NO_BIT: u8 = u8::MAX;

/// Tells whether a bit is there and set.
pub fn is_set(bits: Bits, place: u8) -> bool {
    place != NO_BIT && (bits >> (place & 127)) & 1 == 1
}

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
    pub fn covered(&self) -> Bits {
        let mut mask = 0;
        let mut add = |low: u8, width: u8| {
            if low != NO_BIT {
                mask |= ((1 << width) - 1) << low;
            }
        };
        add(self.low, self.width);
        match self.kind {
            SlotKind::Source(source) => {
                match source.modifiers {
                    Modifiers::None => {}
                    Modifiers::Float => {
                        add(self.negate, 1);
                        add(self.magnitude, 1);
                    }
                    Modifiers::Sign => add(self.negate, 1),
                    Modifiers::Integer => add(self.extend, 1),
                    Modifiers::All => {
                        add(self.negate, 1);
                        add(self.magnitude, 1);
                        add(self.extend, 1);
                    }
                }
                add(self.scalar, 1);
            }
            SlotKind::Mask
            | SlotKind::Vectors
            | SlotKind::VectorOrAccumulator { .. }
            | SlotKind::Sum { .. } => add(self.scalar, 1),
            SlotKind::Attribute => add(self.scalar, 2),
            SlotKind::Number { key: Key::Bitop3, .. } => {
                add(self.magnitude, 3);
                add(self.extend, 2);
            }
            SlotKind::List { key: Key::OpSel, .. } => add(self.extend, 1),
            SlotKind::List { key: Key::OpSelHi, sources: 3 } => add(self.extend, 1),
            SlotKind::ExportSource { place } => add(place, 1),
            SlotKind::CachePolicy { slc, scc, .. } => {
                add(slc, 1);
                add(scc, 1);
            }
            _ => {}
        }
        mask
    }
}

named! {
    /// A modifier with a value, and its word before a colon.
    Key {
        Offset "offset",
        Offset0 "offset0",
        Offset1 "offset1",
        Dmask "dmask",
        Omod "mul",
        DstSel "dst_sel",
        DstUnused "dst_unused",
        Src0Sel "src0_sel",
        Src1Sel "src1_sel",
        DppCtrl "quad_perm",
        RowMask "row_mask",
        BankMask "bank_mask",
        BoundCtrl "bound_ctrl",
        Fi "fi",
        OpSel "op_sel",
        OpSelHi "op_sel_hi",
        NegLo "neg_lo",
        NegHi "neg_hi",
        Neg "neg",
        Bitop3 "bitop3",
        Dfmt "dfmt",
        Nfmt "nfmt",
        Format "format",
        Cbsz "cbsz",
        Abid "abid",
        Blgp "blgp",
    }
}

named! {
    /// A modifier that is said or not.
    Flag {
        Off "off",
        Clamp "clamp",
        High "high",
        Gds "gds",
        Offen "offen",
        Idxen "idxen",
        Addr64 "addr64",
        Lds "lds",
        Tfe "tfe",
        Lwe "lwe",
        Unorm "unorm",
        Da "da",
        R128 "r128",
        A16 "a16",
        D16 "d16",
        Done "done",
        Vm "vm",
        Compr "compr",
        Nv "nv",
    }
}
