//! The operands of every mnemonic, as the tables of `isa` have them.

pub use isa::gcn::operand::{
    Class, Immediate, NumberKind, Operand, OperandRow as Signature, Origin, Traits, Type,
};

use crate::Generation;
use crate::mnemonics::Opcode;

/// Returns the row of a mnemonic in a generation.
pub fn signature(name: &str, generation: Generation) -> Option<&'static Signature> {
    Opcode::named(name)?.operands(generation.subtarget())
}
