//! Diagnostics of code, as plain data: instructions instead of places in a text.

use source::Severity;

use super::register_set::SCC;
use crate::instruction::{Bank, Features, Register, write_register};

/// Something that is wrong with a code, or could be better.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstDiagnostic {
    /// The stable name.
    pub code: source::Code,
    /// Its certainty and gravity.
    pub severity: Severity,
    /// The index of the instruction.
    pub instruction: u32,
    /// The message: one sentence without a full stop.
    pub message: String,
    /// A second instruction that explains it, and its part in it.
    pub related: Option<(u32, String)>,
    /// A fix that is sure.
    pub fix: Option<InstFix>,
}

/// A change of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstFix {
    /// The title in a menu.
    pub title: String,
    /// The change.
    pub change: Change,
}

/// One change of the code; texts are in LLVM's dialect, which CLRX reads too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Instructions, one a line, before the diagnostic's.
    InsertBefore(String),
    /// A new instruction instead of the diagnosed one.
    Replace(String),
    /// The diagnostic's instruction goes.
    Remove,
}

impl InstDiagnostic {
    pub(crate) fn new(
        code: source::Code,
        severity: Severity,
        instruction: usize,
        message: String,
    ) -> InstDiagnostic {
        InstDiagnostic {
            code,
            severity,
            instruction: instruction as u32,
            message,
            related: None,
            fix: None,
        }
    }
}

/// A register in words: `v4`, `s[2:3]`, `vcc`.
pub(crate) fn register_name(register: Register, features: &Features) -> String {
    let mut name = String::new();
    match register.first {
        SCC if register.bank == Bank::Scalar => name.push_str("scc"),
        _ => write_register(&mut name, register, features),
    }
    name
}
