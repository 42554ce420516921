//! Opcodes that are not compiled for good, each with the reason.

use tgsi::Opcode;

use crate::{Failure, FailureKind};
use text::TextRange;

/// Returns why an opcode is never compiled; `None` for all others.
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
        None => crate::unsupported(range, construct),
    }
}
