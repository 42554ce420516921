//! Diagnostics of code, as plain data: instructions instead of places in a text.

use source::Severity;

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
    /// Other instructions that explain it, and the part of each in it.
    pub related: Vec<(u32, String)>,
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
        message: impl Into<String>,
    ) -> InstDiagnostic {
        InstDiagnostic {
            code,
            severity,
            instruction: instruction as u32,
            message: message.into(),
            related: Vec::new(),
            fix: None,
        }
    }

    /// The same with another instruction that explains it.
    pub(crate) fn related(mut self, instruction: u32, part: String) -> InstDiagnostic {
        self.related.push((instruction, part));
        self
    }

    /// The same with a fix.
    pub(crate) fn fix(mut self, title: impl Into<String>, change: Change) -> InstDiagnostic {
        self.fix = Some(InstFix { title: title.into(), change });
        self
    }
}
