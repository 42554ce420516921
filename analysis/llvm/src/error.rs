//! Failures of LLVM inside the worker, which tells its parent of them in words.

use thiserror::Error;

/// A failure in LLVM's own words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub(crate) struct Message(pub(crate) String);

/// The reason why a library cannot be used.
#[derive(Debug, Error)]
pub(crate) enum LoadError {
    /// The system does not load it.
    #[error(transparent)]
    Loader(libloading::Error),
    /// A function is not in it, such as `LLVMInitializeAMDGPUTarget` in an LLVM built
    /// without the AMD back end.
    #[error("a function is missing: {0}")]
    Function(libloading::Error),
    /// The version has another IR.
    #[error("{}", crate::library::too_old(.0))]
    TooOld(&'static str),
    /// LLVM does not know the target.
    #[error(transparent)]
    Target(#[from] Message),
}

/// The reason why a job has no output.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum JobError {
    /// LLVM refused the program.
    #[error(transparent)]
    Refused(#[from] Message),
    /// From LLVM 17 on a misspelt intrinsic becomes a call.
    #[error("the compiled code calls a function, which a shader cannot do")]
    Call,
    /// The object file is not as expected.
    #[error("LLVM's object file has no code section")]
    NoCode,
    /// A name cannot be passed on.
    #[error("{0} holds a NUL")]
    Nul(&'static str),
    /// The processor is unknown.
    #[error("LLVM has no code generator for {0}")]
    Processor(String),
}
