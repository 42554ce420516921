//! Operations of opcodes: the part of the compute unit and the operation there, from
//! `data/gcn/operations.tsv`. A match on these enums names what it does for each opcode.

pub use super::plain::operation::{
    AccessWidth, Atomic, ComponentBits, Conversion, Half, ImageAccess, NarrowRounding, NarrowScale,
    NumberType, Relations, TexelFormat,
};

use super::matrix::MatrixType;
use super::opcodes::Opcode;

include!(concat!(env!("OUT_DIR"), "/gcn_operations.rs"));

/// The operation of an opcode, by the part that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Scalar arithmetic and control flow.
    Scalar(Scalar),
    /// Vector arithmetic.
    Vector(Vector),
    /// Interpolation of attributes.
    Interpolation(Interpolation),
    /// The matrix unit.
    Matrix(Matrix),
    /// Scalar memory.
    ScalarMemory(ScalarMemory),
    /// Buffers.
    Buffer(Buffer),
    /// Flat, global and scratch memory.
    Flat(Flat),
    /// The data shares.
    Share(Share),
    /// The global wave synchronisation.
    WaveSync(WaveSync),
    /// Images.
    Image(Image),
    /// Exports.
    Export,
}

/// An operation of the scalar unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// A move or a choice.
    Move(ScalarMove),
    /// Logic on EXEC.
    SaveExec(ScalarSaveExec),
    /// Arithmetic on integers.
    Integer(ScalarInteger),
    /// Logic, on masks of lanes too.
    Logic(ScalarLogic),
    /// An operation on bits.
    Bits(ScalarBits),
    /// An operation on bits of wide numbers with sign.
    SignedBits(ScalarSignedBits),
    /// A comparison.
    Compare {
        /// The relations for which it holds.
        relations: Relations,
        /// The type of the numbers.
        number: NumberType,
    },
    /// A comparison with the constant.
    CompareConstant {
        /// The relations for which it holds.
        relations: Relations,
        /// The type of the numbers.
        number: NumberType,
    },
    /// Control flow and the wave's own registers.
    Control(ScalarControl),
    /// A trap handler is entered or left, or a debugger halts or kills the wave.
    Trap,
    /// An opcode that no manual has.
    Undocumented,
}

/// An operation of the vector unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vector {
    /// Arithmetic on floats.
    Float(VectorFloat),
    /// An extreme or a median of floats: one of the sources.
    FloatOrder(VectorFloatOrder),
    /// A reciprocal, a root, an exponential, a logarithm or a function of angles.
    Transcendental(VectorTranscendental),
    /// A step of a division.
    Division(VectorDivision),
    /// A conversion from or to floats.
    Conversion(VectorConversion),
    /// A conversion of integers to narrower ones.
    Saturation(VectorSaturation),
    /// A sum or a difference that may have a carry.
    Carry(VectorCarry),
    /// A product of integers.
    Product(VectorProduct),
    /// A sum of integers.
    Sum(VectorSum),
    /// An extreme or a median of integers.
    IntegerOrder(VectorIntegerOrder),
    /// Arithmetic on integers of 16 bits.
    Short(VectorShort),
    /// Arithmetic on integers of 64 and 128 bits.
    Wide(VectorWide),
    /// A move or an operation on bits.
    Bits(VectorBits),
    /// An operation on two halves at once.
    Packed(VectorPacked),
    /// A comparison.
    Compare {
        /// The relations for which it holds.
        relations: Relations,
        /// The type of the numbers.
        number: NumberType,
    },
    /// A test of the class of a float.
    Class(VectorClass),
    /// An operation on several lanes.
    Lanes(VectorLanes),
    /// An operation on two words at once.
    PackedWords(VectorPackedWords),
    /// An extreme of three floats, in which what is no number wins.
    Extremes(VectorExtremes),
    /// An operation on two floats of 16 bits at once.
    PackedShort(VectorPackedShort),
    /// Conversions between formats of which one has 16 bits or fewer.
    Narrow {
        /// Numbers at once.
        count: u8,
        /// Their type afterwards.
        to: MatrixType,
        /// Their type before.
        from: MatrixType,
        /// The rounding.
        rounding: NarrowRounding,
        /// The scale, a power of two.
        scale: NarrowScale,
    },
    /// A product and a sum of floats, rounded once.
    Fused(VectorFused),
    /// A move or sum of 64 bits.
    WordPair(VectorWordPair),
    /// A function of bits.
    BitFunction(VectorBitFunction),
    /// An exchange of rows of lanes.
    RowSwap(VectorRowSwap),
    /// An opcode that no manual has.
    Undocumented,
}

/// An operation of the matrix unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matrix {
    /// From an accumulation register to a vector register.
    Read,
    /// To an accumulation register.
    Write,
    /// From an accumulation register to another.
    Move,
    /// A product and a sum, whose numbers are in the table of products.
    Product,
}

/// An operation of scalar memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum ScalarMemory {
    /// A load.
    Load { access: AccessWidth },
    /// A store.
    Store { access: AccessWidth },
    /// A load of scratch, where a register's offset counts 64 bytes.
    ScratchLoad { access: AccessWidth },
    /// A store to scratch, where a register's offset counts 64 bytes.
    ScratchStore { access: AccessWidth },
    /// An atomic.
    Atomic { atomic: Atomic, bits: u8 },
    /// The time.
    Clock,
    /// Control of caches.
    Cache,
}

/// An operation on a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum Buffer {
    /// A load.
    Load { access: AccessWidth },
    /// A store.
    Store { access: AccessWidth },
    /// A load of a texel.
    LoadFormat { format: TexelFormat },
    /// A store of a texel.
    StoreFormat { format: TexelFormat },
    /// A store of what the local data share holds.
    StoreShare,
    /// An atomic.
    Atomic { atomic: Atomic, bits: u8 },
    /// Control of caches.
    Cache,
}

/// An operation by address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum Flat {
    /// A load.
    Load { access: AccessWidth },
    /// A store.
    Store { access: AccessWidth },
    /// A load into the local data share.
    LoadShare { access: AccessWidth },
    /// An atomic.
    Atomic { atomic: Atomic, bits: u8 },
}

/// An operation of the data shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by their types; units of offsets are bytes")]
pub enum Share {
    /// Nothing.
    Nothing,
    /// A load.
    Load { access: AccessWidth },
    /// A store.
    Store { access: AccessWidth },
    /// A load whose elements are transposed among lanes.
    LoadTransposed { access: AccessWidth, bits: u8 },
    /// Loads from two places.
    LoadTwo { bytes: u8, unit: u16 },
    /// Stores to two places.
    StoreTwo { bytes: u8, unit: u16 },
    /// Exchanges with two places.
    ExchangeTwo { bytes: u8, unit: u16 },
    /// An atomic.
    Atomic { atomic: Atomic, bits: u8 },
    /// An atomic whose datum is at another place of the share.
    AtomicSecond { atomic: Atomic, bits: u8 },
    /// A copy from another place of the share.
    MoveSecond { bits: u8 },
    /// Dwords that are replaced where the datum's highest bit is set.
    ConditionalExchange { dwords: u8 },
    /// A counter that goes up by the number of active lanes.
    Append,
    /// A counter that goes down by the number of active lanes.
    Consume,
    /// A load from the place of the lane's number.
    LoadByLane,
    /// A store to the place of the lane's number.
    StoreByLane,
    /// Values from lanes that a pattern names.
    Swizzle,
    /// Values for lanes that each lane names.
    Push,
    /// Values from lanes that each lane names.
    Pull,
    /// A counter that waves change in order.
    OrderedCount,
}

/// An operation of the texture unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by their types")]
pub enum Image {
    /// Filtered texels.
    Sample { access: ImageAccess },
    /// One component of the four texels that filtering would use.
    Gather { access: ImageAccess },
    /// Texels in a row, of which no manual says which.
    GatherRow,
    /// A load of a texel.
    Load { access: ImageAccess },
    /// A store of a texel.
    Store { access: ImageAccess },
    /// An atomic on a texel.
    Atomic { atomic: Atomic },
    /// The level of detail.
    LevelQuery,
    /// The size.
    SizeQuery,
}

impl Opcode {
    /// Returns what it does.
    pub fn operation(self) -> Operation {
        OPERATIONS[self as usize]
    }
}
