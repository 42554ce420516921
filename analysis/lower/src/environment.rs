//! What a shader's text does not say but its machine code depends on.
//!
//! A driver compiles a shader for the state it is used with: formats, bound
//! buffers, rasterizer switches. The defaults here are the most common state
//! of a current OpenGL program:
//!
//! - vertex attributes are fetched with the formats of their descriptors, one
//!   per vertex (no instance divisor), base vertex added;
//! - colours are written as half floats, which is what drivers choose for
//!   8-bit and half float render targets;
//! - one colour buffer is bound when colour 0 goes to all of them;
//! - no alpha test, no colour clamping, no flat shading by state, no two-sided
//!   lighting, no polygon stipple;
//! - fragment positions have the origin that the shader declares: Mesa draws
//!   window surfaces upside down rather than flip coordinates in the shader.

/// The state that a shader is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Environment {
    /// How colours are exported.
    pub color_export: ColorExport,
    /// How many colour buffers are bound, 1 to 8; counts only for shaders
    /// with `FS_COLOR0_WRITES_ALL_CBUFS`.
    pub color_buffers: u8,
    /// How many bytes of memory the lanes of a group share, where the shader
    /// uses some; 0 if that is not known.
    pub shared_memory: u32,
}

/// How a fragment shader exports colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColorExport {
    /// Four half floats, two to a register, rounded towards zero.
    HalfFloat,
    /// Four registers of 32 bits, unchanged: float and integer targets alike.
    Full,
}

impl Default for Environment {
    fn default() -> Environment {
        Environment { color_export: ColorExport::HalfFloat, color_buffers: 1, shared_memory: 0 }
    }
}
