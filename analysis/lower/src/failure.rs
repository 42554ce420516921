//! Failures: constructs that stand in the way of a lowering, for now or for good.

use source::TextRange;
use tgsi::ast::Register;

/// The reason why a shader, or a part of it, was not lowered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The place in the shader's text.
    pub range: TextRange,
    /// `opcode FOO`, `stage GEOM`, `file BUFFER`: what stands in the way.
    pub construct: String,
    /// Tells the fault of the shader from a limit of the compiler.
    pub kind: FailureKind,
    /// One sentence for the user.
    pub message: String,
}

/// The sides that can be at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// Valid TGSI that Tungsten does not compile yet, or that leaves too much open.
    Unsupported,
    /// The shader has an error that leaves nothing to compile.
    Invalid,
}

/// A construct that is not lowered yet.
pub fn unsupported(range: TextRange, construct: String) -> Failure {
    let named = construct.strip_prefix("opcode ").unwrap_or(&construct);
    let message = format!("not compiled yet: {named}");
    Failure { range, construct, kind: FailureKind::Unsupported, message }
}

/// A construct that readers take, and that leaves open what machine code needs to know.
pub fn left_open(range: TextRange, construct: &str, message: String) -> Failure {
    let construct = construct.to_owned();
    Failure { range, construct, kind: FailureKind::Unsupported, message }
}

/// A construct that means nothing.
pub fn invalid(range: TextRange, construct: &str, message: String) -> Failure {
    Failure { range, construct: construct.to_owned(), kind: FailureKind::Invalid, message }
}

/// The failure of a register that no declaration has.
pub fn undeclared(register: &Register, index: u32) -> Failure {
    let file = register.file;
    let message = format!("{file}[{index}] is not declared");
    invalid(register.range, &format!("register {file}"), message)
}
