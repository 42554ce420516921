//! Formulas of the arithmetic opcodes, one for each.
//!
//! An operation sees bits and gives bits. How operands are read and where
//! results go is decided by its kind, not by the opcode, so that a row of the
//! tables in [`float`](crate::float), [`integer`](crate::integer),
//! [`conversion`](crate::conversion) and [`wide`](crate::wide) is the opcode's
//! formula and nothing else.

use tgsi::Opcode;
use tgsi::ast::WriteMask;
use tgsi::opcodes::ByOpcode;

use crate::products::{Ieee, Products, ZeroWins};

/// The words of up to five sources; those that are not there are 0.
pub(crate) type Words = [u32; 5];
/// The 64-bit values of up to three sources.
pub(crate) type Longs = [u64; 3];
/// The four components of up to five sources.
pub(crate) type Vectors = [[u32; 4]; 5];

/// A kind of operation and its formula.
#[derive(Clone, Copy)]
pub(crate) enum Operation {
    /// Each component of the mask from the same component of the sources.
    Each(fn(Words) -> u32),
    /// One value from the x components, for all components of the mask.
    Replicated(fn(Words) -> u32),
    /// A rule for each component, from all components.
    Whole(fn(&Vectors) -> [u32; 4]),
    /// A 64-bit value for xy and one for zw. A source of 32 bits gives x to
    /// the first and y to the second.
    Wide(fn(Longs) -> u64),
    /// As [`Wide`](Operation::Wide), with z of 32-bit sources for the second.
    WideSparse(fn(Longs) -> u64),
    /// 32-bit results of 64-bit sources, in x and z.
    Compare(fn(Longs) -> bool),
    /// 32-bit results of 64-bit sources, in the first and second component
    /// that the mask has.
    Narrow(fn(Longs) -> u32),
}

impl Operation {
    /// The components that it writes where a mask allows some, a bit each.
    pub(crate) fn written(self, mask: WriteMask) -> u8 {
        match self {
            Operation::Each(_) | Operation::Replicated(_) | Operation::Whole(_) => mask.0,
            Operation::Wide(_) | Operation::WideSparse(_) => mask.0,
            Operation::Compare(_) => mask.0 & 0b0101,
            Operation::Narrow(_) => {
                mask.components().take(2).fold(0, |all, component| all | 1 << component as u8)
            }
        }
    }
}

/// The rows of one file.
pub(crate) type Table = &'static [(Opcode, Operation)];

/// The opcodes' operations, with one rule for products.
const fn operations(products: Table) -> ByOpcode<Operation> {
    ByOpcode::of(&[
        crate::float::TABLE,
        crate::integer::TABLE,
        crate::conversion::TABLE,
        crate::wide::TABLE,
        crate::historic::TABLE,
        products,
    ])
}

static OPERATIONS: ByOpcode<Operation> = operations(Products::<Ieee>::TABLE);

/// Operations of shaders in which zero wins.
static ZERO_WINS: ByOpcode<Operation> = operations(Products::<ZeroWins>::TABLE);

/// Returns what an opcode computes where 0 times anything is 0; as [`operation`].
pub(crate) fn operation_with_zeros(opcode: Opcode) -> Option<Operation> {
    ZERO_WINS.get(opcode)
}

/// Returns what an opcode computes; `None` where it is not arithmetic.
pub(crate) const fn operation(opcode: Opcode) -> Option<Operation> {
    OPERATIONS.get(opcode)
}

#[cfg(test)]
#[path = "operation_tests.rs"]
mod tests;
