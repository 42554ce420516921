//! Emitters: the functions that opcodes are emitted by, in tables by family.

use tgsi::Opcode;
use tgsi::ast::Instruction;

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::values::Value;

/// A function that emits an opcode.
#[derive(Clone, Copy)]
pub(crate) enum Emitter {
    /// From the sources' values of one component, or one pair of components,
    /// to the result's.
    Values(fn(&mut Builder, &[Value]) -> Value),
    /// By looking at the whole instruction.
    Instruction(fn(&mut Lowering<'_>, &Instruction) -> Emitted),
}

/// A family's opcodes.
pub(crate) type Table = &'static [(Opcode, Emitter)];
