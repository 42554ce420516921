//! TGSI to LLVM IR: a pure function from a shader to a text.
//!
//! The IR follows the ABI that Mesa's radeonsi gave its shaders while it
//! compiled TGSI itself, as one monolithic function per shader. Debug lines
//! are instruction ordinals, from 1; line 0 is LLVM's own "shared by several".

use text::TextRange;
use tgsi::ast::Shader;

/// What the IR depends on beside the shader: the instruction set's generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Generation {
    Gfx6,
    Gfx7,
    Gfx8,
    Gfx9,
}

/// A lowered shader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Module {
    /// The IR as text, without target triple and data layout.
    pub ir: String,
    /// How many TGSI instructions it was made from; bounds the compile time.
    pub instructions: u32,
}

/// Why a shader, or a part of it, was not lowered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// Where.
    pub range: TextRange,
    /// `opcode FOO`, `stage GEOM`, `file BUFFER`: what stands in the way.
    pub construct: String,
    /// Whether the shader itself is at fault.
    pub kind: FailureKind,
    /// One sentence for the user.
    pub message: String,
}

/// Whose fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// Valid TGSI that Tungsten does not compile yet.
    Unsupported,
    /// The shader has an error that leaves nothing to compile.
    Invalid,
}

/// Lowers a shader for a generation.
///
/// # Errors
/// Every construct that stands in the way, in order of the text.
pub fn lower(shader: &Shader, generation: Generation) -> Result<Module, Vec<Failure>> {
    let _ = (shader, generation);
    Err(Vec::new())
}
