//! The functions of the vector unit: of one lane most of them, of several the others.

use gcn::instruction::{OpFlags, Operand, OperandSpec};
use isa::gcn::operation::{self, NumberType, Relations, VectorLanes, VectorRowSwap};

use super::narrow::Narrow;
use super::packed::Packed;
use super::{bit_functions, compare, conversion, division, floats, integers, transcendental, wide};
use crate::mode::Mode;
use crate::operand::Fields;

/// The inputs of a function in one lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inputs {
    /// The sources, with their modifiers.
    pub(crate) s: [u64; 3],
    /// The old value of the destination.
    pub(crate) d: u64,
    /// The lane's bit of the mask that is read.
    pub(crate) carry: bool,
    /// True if the result is clamped.
    pub(crate) clamp: bool,
    pub(crate) lane: u32,
    pub(crate) mode: Mode,
}

/// The function that an instruction computes in one lane.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function {
    /// Arithmetic on floats: denormals count as MODE says.
    Float(fn(&Inputs) -> u64),
    /// Bits: nothing is done to them.
    Bits(fn(&Inputs) -> u64),
    /// A result and a lane's bit of a mask.
    Carry(fn(&Inputs) -> (u64, bool)),
    /// The same of floats, whose sources keep their denormals.
    Scale(fn(&Inputs) -> (u64, bool)),
    /// A comparison: the relations for which the lane's bit of the mask is set, the type of
    /// the numbers, and whether EXEC gets the mask too.
    Compare(Relations, NumberType, Mask),
    /// A lane's bit of a mask, where denormals are what is asked for.
    Class(fn(&Inputs) -> bool, Mask),
    /// 128 bits: the third source and the result.
    Wide(fn([u64; 2], [u32; 4]) -> [u32; 4]),
    /// Two halves at once.
    Packed(Packed),
    /// The truth table of three sources' bits.
    Table(u8),
    /// A conversion between narrow formats.
    Narrow(Narrow),
    /// An exchange of rows of lanes.
    RowSwap(VectorRowSwap),
    /// A function of several lanes.
    Lanes(VectorLanes),
}

/// The destination of a comparison's mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mask {
    Register,
    RegisterAndExec,
}

impl Function {
    /// Returns that of an operation; `None` for those that are not executed.
    pub(super) fn of(
        operation: operation::Vector,
        row: &OperandSpec,
        fields: &Fields,
    ) -> Option<Function> {
        let mut sources = row.operands.iter().skip(1);
        let bits = sources.find_map(|operand| match operand {
            Operand::Number { ty, .. } => Some(ty.bits),
            _ => None,
        });
        match bits {
            Some(16) => Function::of_width::<16>(operation, row.flags, fields),
            Some(64) => Function::of_width::<64>(operation, row.flags, fields),
            _ => Function::of_width::<32>(operation, row.flags, fields),
        }
    }

    /// Returns that of an operation whose first source, if it is a float, has so many bits.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn of_width<const BITS: u8>(
        operation: operation::Vector,
        flags: OpFlags,
        fields: &Fields,
    ) -> Option<Function> {
        use operation::Vector;
        let mask = if flags.writes_exec() { Mask::RegisterAndExec } else { Mask::Register };
        Some(match operation {
            Vector::Float(opcode) => Function::Float(floats::function::<BITS>(opcode)),
            Vector::FloatOrder(opcode) => Function::Float(floats::order::<BITS>(opcode)),
            Vector::Transcendental(opcode) => {
                Function::Float(transcendental::function::<BITS>(opcode))
            }
            Vector::Division(opcode) => division::function::<BITS>(opcode),
            Vector::Conversion(opcode) if conversion::is_packed(opcode) => {
                Function::Bits(conversion::function(opcode))
            }
            Vector::Conversion(opcode) => Function::Float(conversion::function(opcode)),
            Vector::Saturation(opcode) => Function::Bits(conversion::saturation(opcode)),
            Vector::Carry(opcode) => Function::Carry(integers::carry(opcode)),
            Vector::Product(opcode) => Function::Bits(integers::product_of(opcode)),
            Vector::Sum(opcode) => Function::Bits(integers::sum_of(opcode)),
            Vector::IntegerOrder(opcode) => Function::Bits(integers::order(opcode)),
            Vector::Short(opcode) => Function::Bits(integers::short_of(opcode)),
            Vector::Wide(opcode) => wide::function(opcode),
            Vector::Bits(opcode) => Function::Bits(integers::bits(opcode)),
            Vector::Packed(opcode) => Function::Packed(Packed::of(opcode)),
            Vector::Compare { relations, number } => Function::Compare(relations, number, mask),
            Vector::Class(_) => Function::Class(compare::is_of_class::<BITS>, mask),
            Vector::Lanes(opcode) => Function::Lanes(opcode),
            Vector::PackedWords(opcode) => Function::Packed(Packed::of_words(opcode)),
            Vector::PackedShort(opcode) => Function::Packed(Packed::of_short(opcode)),
            Vector::Extremes(opcode) => Function::Float(floats::strict(opcode)),
            Vector::Fused(opcode) => Function::Float(floats::fused(opcode)),
            Vector::WordPair(opcode) => Function::Bits(bit_functions::of_pair(opcode)),
            Vector::BitFunction(opcode) => bit_functions::function(opcode, fields),
            Vector::RowSwap(opcode) => Function::RowSwap(opcode),
            Vector::Narrow { count, to, from, rounding, scale } => {
                Function::Narrow(Narrow::of([to, from], count, rounding, scale, fields))
            }
            Vector::Undocumented => return None,
        })
    }
}
