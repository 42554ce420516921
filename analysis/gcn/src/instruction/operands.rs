//! The operands of every mnemonic, as the tables of `isa` have them.

pub use isa::gcn::operand::{
    Class, Immediate, NumberKind, OpFlags, Operand, OperandSpec, Origin, Type,
};
