//! The jobs of a compiler and what becomes of them.

use serde::{Deserialize, Serialize};

/// One compile job.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Job {
    /// LLVM IR as text, without target triple and data layout.
    pub ir: String,
    /// The processor, `gfx803`. A name LLVM does not know kills the worker.
    pub processor: String,
    /// LLVM's feature string; empty for none.
    pub features: String,
    /// The size of the source, in TGSI instructions: bounds the time.
    pub instructions: u32,
}

/// The output of the compiler for a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Verbose assembly text.
    pub assembly: String,
    /// The bytes of the object's `.text` section.
    pub code: Vec<u8>,
    /// LLVM's warnings, in its order.
    pub warnings: Vec<Warning>,
}

/// A warning of LLVM's, which did not keep it from compiling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The debug line that it is about; 0 where it names none.
    pub line: u32,
    /// LLVM's words.
    pub message: String,
}
