//! What goes to the worker and what comes back.

/// One compile job.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Job {
    /// LLVM IR as text, without target triple and data layout.
    pub ir: String,
    /// The processor, `gfx803`.
    pub processor: String,
    /// LLVM's feature string; empty for none.
    pub features: String,
    /// The size of the source, in TGSI instructions: bounds the time.
    pub instructions: u32,
}

/// What the compiler made of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Verbose assembly text.
    pub assembly: String,
    /// The bytes of the object's `.text` section.
    pub code: Vec<u8>,
}
