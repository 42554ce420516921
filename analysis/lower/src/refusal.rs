//! Opcodes that are not compiled for good, each with the reason.

use tgsi::Opcode;

use crate::{Failure, FailureKind};
use text::TextRange;

const TEXT: &str = include_str!("../data/refused_opcodes.tsv");

/// Why an opcode is never compiled; `None` for all others.
pub fn refusal(opcode: Opcode) -> Option<&'static str> {
    let rows = TEXT.lines().filter(|line| !line.starts_with('#'));
    let mut rows = rows.filter_map(|line| line.split_once('\t'));
    rows.find(|(mnemonic, _)| *mnemonic == opcode.mnemonic()).map(|(_, reason)| reason)
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
