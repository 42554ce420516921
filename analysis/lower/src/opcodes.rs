//! Opcodes that mean another one, and opcodes that are not compiled for good.

use source::TextRange;
use tgsi::ast::Instruction;
use tgsi::{Opcode, Stage};

use crate::failure::{Failure, FailureKind, invalid, unsupported};

/// Returns an opcode under the name that it has today.
pub const fn meaning(opcode: Opcode) -> Opcode {
    match opcode.successor() {
        Some(today) if opcode.row().not_compiled.is_empty() => today,
        _ => opcode,
    }
}

/// Returns the reason why an opcode is never compiled; `None` for all others.
pub fn refusal(opcode: Opcode) -> Option<&'static str> {
    Some(opcode.row().not_compiled).filter(|reason| !reason.is_empty())
}

/// The failure at an opcode that nothing emits.
pub(crate) fn refused_opcode(range: TextRange, opcode: Opcode) -> Failure {
    let construct = format!("opcode {opcode:?}");
    match refusal(opcode) {
        Some(reason) => {
            let message = format!("{opcode:?} cannot be compiled: {reason}");
            Failure { range, construct, kind: FailureKind::Unsupported, message }
        }
        None => unsupported(range, construct),
    }
}

/// Refuses an opcode in a shader of another stage than the one that has it.
///
/// # Errors
/// If the stages differ.
pub(crate) fn only_in(stage: Stage, own: Stage, instruction: &Instruction) -> Result<(), Failure> {
    if own == stage {
        return Ok(());
    }
    let opcode = instruction.opcode.value.mnemonic();
    let message = format!("{opcode} exists in {stage} only");
    Err(invalid(instruction.opcode.range, &format!("opcode {opcode}"), message))
}
