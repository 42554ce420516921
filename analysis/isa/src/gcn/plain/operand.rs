//! The operands of instructions: the words of `data/gcn/operands.tsv`.

spelled! {
    /// The meaning of a number of an operand, which decides how constants are encoded.
    pub enum NumberKind {
        /// A float.
        Float,
        /// An integer, or bits.
        Integer,
        /// A pair of halves.
        PackedFloat,
        /// A pair of shorts.
        PackedInteger,
        /// The upper half of a float of 32 bits (bfloat16).
        UpperFloat,
        /// A pair of these.
        PackedUpperFloat,
    }
}

/// The type of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    /// The meaning of its number.
    pub kind: NumberKind,
    /// Bits of a lane; of one half where the value is a pair.
    pub bits: u8,
}

impl Type {
    /// An integer of 32 bits.
    pub const WORD: Type = Type { kind: NumberKind::Integer, bits: 32 };

    /// The registers that a value takes.
    pub fn dwords(self) -> u8 {
        match self.kind {
            NumberKind::Float | NumberKind::Integer | NumberKind::UpperFloat => {
                self.bits.div_ceil(32)
            }
            NumberKind::PackedFloat | NumberKind::PackedInteger | NumberKind::PackedUpperFloat => {
                self.bits.div_ceil(16)
            }
        }
    }

    /// Tells whether it is a pair of halves or of shorts.
    pub fn is_pair(self) -> bool {
        use NumberKind::{PackedFloat, PackedInteger, PackedUpperFloat};
        matches!(self.kind, PackedFloat | PackedInteger | PackedUpperFloat)
    }

    /// Tells whether it is a float, or a pair of them.
    pub fn is_float(self) -> bool {
        !matches!(self.kind, NumberKind::Integer | NumberKind::PackedInteger)
    }
}

/// One operand of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// A number: any source, or the vector register a result goes to.
    Number {
        /// Its type.
        ty: Type,
        /// The sources that it may come from.
        from: Origin,
        /// Tells whether sign extension is written in the long encoding too.
        sign_extension: bool,
    },
    /// A scalar register of so many dwords.
    Scalar {
        /// Dwords.
        dwords: u8,
        /// Tells whether it is read, not written.
        read: bool,
    },
    /// A bit for every lane.
    Mask,
    /// A lane's number: scalar register or small constant.
    Lane,
    /// The constant that follows the instruction.
    Literal,
    /// Sixteen bits in the instruction, with this rule for what fits.
    Immediate(Immediate),
    /// The target of a jump.
    Branch,
    /// A hardware register's field.
    HardwareRegister,
    /// Says what `s_waitcnt` waits for.
    WaitCounters,
    /// A message.
    Message,
    /// Says which operands an index applies to.
    IndexMode,
    /// An interpolated attribute.
    Attribute,
    /// One of a triangle's three values of an attribute.
    AttributePart,
    /// Says which page a probe is for.
    Probe,
    /// The name of a thing whose dwords follow from the mnemonic: `d2`.
    Part {
        /// The letter of the part.
        letter: char,
        /// Dwords.
        dwords: u8,
    },
}

spelled! {
    /// The origins of a number.
    pub enum Origin {
        /// Register or constant.
        Any,
        /// A vector register.
        Vector,
        /// A register.
        Register,
        /// A register, or a constant that needs no literal.
        Inline,
    }
}

spelled! {
    /// Says which numbers sixteen bits of an instruction take.
    pub enum Immediate {
        /// From -32768 to 65535.
        Either,
        /// From 0 to 65535.
        Unsigned,
        /// Any, cut to its low half.
        Cut,
        /// Like `Cut`, and it may be left out.
        Optional,
    }
}

/// Says what may follow an instruction, and what it uses without naming it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpFlags {
    pub(crate) bits: u64,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident $constant:ident $text:literal;)*) => {
        #[allow(non_upper_case_globals)]
        mod bit {
            #[repr(u32)]
            pub(super) enum Position { $($constant),* }
        }
        impl OpFlags {
            $($(#[$doc])* pub fn $name(self) -> bool {
                self.bits & (1 << bit::Position::$constant as u32) != 0
            })*
            /// Adds the one that a word of the tables names; tells whether there is one.
            pub fn add(&mut self, word: &str) -> bool {
                match word {
                    $($text => self.bits |= 1 << bit::Position::$constant as u32,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

flags! {
    /// The long encoding can clamp the result.
    clamp Clamp "clamp";
    /// The long encoding can scale the result.
    omod Omod "omod";
    /// Halves of the registers can be chosen, from gfx9 on.
    op_sel OpSel "op_sel";
    /// Four bits choose a part of a source or of the destination.
    op_sel_all OpSelAll "op_sel4";
    /// The upper results' halves can be chosen.
    op_sel_hi OpSelHi "op_sel_hi";
    /// Each half can be negated.
    neg_lo NegLo "neg_lo";
    /// A mix of halves and whole floats: sources have sign and magnitude bits.
    mix Mix "mix";
    /// No source can be made absolute.
    no_abs NoAbs "no-abs";
    /// Works on one lane.
    lane Lane "lane";
    /// The destination is a source too.
    reads_destination ReadsDestination "reads-destination";
    /// The source is written too, with what the destination had.
    exchanges Exchanges "exchanges";
    /// The destination's number is counted on from, by M0.
    indirect_destination IndirectDestination "indirect-destination";
    /// The source's number is counted on from, by M0.
    indirect_source IndirectSource "indirect-source";
    /// Works on lanes whether EXEC has them or not.
    ignores_exec IgnoresExec "ignores:exec";
    /// Reads VCC without naming it.
    reads_vcc ReadsVcc "reads:vcc";
    /// Reads EXEC without naming it, beside every vector instruction.
    reads_exec ReadsExec "reads:exec";
    /// Reads SCC.
    reads_scc ReadsScc "reads:scc";
    /// Reads M0 without naming it.
    reads_m0 ReadsM0 "reads:m0";
    /// Writes EXEC without naming it.
    writes_exec WritesExec "writes:exec";
    /// Writes SCC.
    writes_scc WritesScc "writes:scc";
    /// Writes M0 without naming it.
    writes_m0 WritesM0 "writes:m0";
    /// Memory is read.
    load Load "load";
    /// Memory is written.
    store Store "store";
    /// Memory is changed; `glc` asks for what was there.
    atomic Atomic "atomic";
    /// A sampler is read.
    sampler Sampler "sampler";
    /// One component of four texels.
    gather Gather "gather";
    /// Data of 16 bits, packed where the chip packs.
    d16 D16 "d16";
    /// Two offsets instead of one.
    two_offsets TwoOffsets "two-offsets";
    /// Only the global data share.
    gds Gds "gds";
    /// The offset may be a pattern of lanes.
    swizzle Swizzle "swizzle";
    /// Never the global data share.
    no_gds NoGds "no-gds";
    /// The upper half of the attribute can be chosen.
    high High "high";
    /// Other assemblers know it, LLVM's does not.
    other_dialects OtherDialects "other-dialects";
    /// Says what was in memory is not returned.
    no_return NoReturn "no-return";
    /// Halves that have sign and magnitude as one.
    plain_halves PlainHalves "plain-halves";
    /// Data and comparand, in twice the registers.
    pair Pair "pair";
    /// Loads may go to the local data share.
    to_lds ToLds "lds";
    /// No address.
    no_address NoAddress "no-address";
    /// A buffer, not an address.
    buffer Buffer "buffer";
    /// The number of the lane is part of the address.
    add_thread AddThread "add-thread";
    /// Its matrices are of 64-bit floats.
    doubles Doubles "f64";
    /// Its first matrix has half of its elements, and an index that says which.
    sparse Sparse "sparse";
    /// Its matrices have the formats that modifiers say.
    formats Formats "formats";
    /// Its matrices have a scale each.
    scaled Scaled "scaled";
    /// A table of eight bits says which function it is.
    truth_table TruthTable "bitop3";
    /// A byte or word of the source can be chosen in the SDWA form alone, and nothing else.
    byte_source ByteSource "byte-source";
    /// Exchanges rows of lanes, with `bound_ctrl` and `fi`.
    row_swap RowSwap "row-swap";
    /// Moves memory into the local data share.
    into_lds IntoLds "into-lds";
    /// Has no bit for the word `scc`.
    no_scope NoScope "no-scope";
}

named! {
    /// The way the encodings of a row are built.
    Class {
        /// Vector arithmetic.
        Vector "VOP",
        /// Scalar arithmetic and program control.
        Scalar "SOP",
        /// Matrices and accumulation registers.
        Matrix "MATRIX",
        /// Interpolation.
        Interpolation "INTERP",
        /// Scalar memory.
        ScalarMemory "SMEM",
        /// Data share.
        DataShare "DS",
        /// Flat memory and its segments.
        Flat "FLAT",
        /// Untyped or typed buffers.
        Buffer "BUF",
        /// Images.
        Image "IMG",
        /// Export.
        Export "EXP",
    }
}

/// Says what an opcode takes: a row of `data/gcn/operands.tsv`.
#[derive(Debug)]
pub struct OperandSpec {
    /// The way its encodings are built.
    pub class: Class,
    /// Its operands in the order of assembly.
    pub operands: &'static [Operand],
    /// Says what may follow and what is used unnamed.
    pub flags: OpFlags,
    /// The source of the row.
    pub source: &'static str,
}
