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
//! - vertex and evaluation shaders come last before the rasterizer, unless
//!   their `NEXT_SHADER` says otherwise;
//! - a geometry shader is compiled itself, not its copy shader;
//! - a control shader tessellates the largest domain whose factors it writes,
//!   and the evaluation shader does not read them;
//! - fragment positions have the origin that the shader declares: Mesa draws
//!   window surfaces upside down rather than flip coordinates in the shader.

/// The state that a shader is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Environment {
    /// How the colours of each buffer are exported.
    pub color_exports: [ColorExport; 8],
    /// Whether colours are clamped to 0..1 before they are exported.
    pub clamp_color: bool,
    /// Whether the inputs `COLOR` without an interpolation of their own are
    /// those of the provoking vertex.
    pub flat_shade: bool,
    /// Which fragments the alpha of colour 0 lets live, compared with a
    /// reference that the shader is passed.
    pub alpha_test: AlphaTest,
    /// How many colour buffers are bound, 1 to 8; counts only for shaders
    /// with `FS_COLOR0_WRITES_ALL_CBUFS`.
    pub color_buffers: u8,
    /// How many bytes of memory the lanes of a group share, where the shader
    /// uses some; 0 if that is not known.
    pub shared_memory: u32,
    /// What follows a vertex or evaluation shader whose `NEXT_SHADER` does not
    /// say so.
    pub next_stage: NextStage,
    /// Which program of a geometry shader is compiled.
    pub geometry_part: GeometryPart,
    /// What the evaluation shader tessellates, for control shaders; `None` is
    /// the largest domain whose factors the control shader writes.
    pub tessellation_domain: Option<TessellationDomain>,
    /// Whether the evaluation shader reads the tessellation factors, which a
    /// control shader then has to hand on.
    pub tessellation_factors_read: bool,
}

/// What reads the outputs of a vertex or evaluation shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NextStage {
    /// The rasterizer, and behind it the fragment shader.
    Rasterizer,
    /// A tessellation control shader.
    Tessellation,
    /// A geometry shader.
    Geometry,
}

/// The programs that a geometry shader becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GeometryPart {
    /// The shader, which writes vertices to memory.
    Shader,
    /// The vertex shader that fetches and exports them.
    Copy,
}

/// What a patch is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TessellationDomain {
    /// Lines: two outer factors.
    Isolines,
    /// Triangles: three outer factors and an inner one.
    Triangles,
    /// Quads: four outer factors and two inner ones.
    Quads,
}

/// How a fragment shader exports the colours of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColorExport {
    /// Not at all: no buffer is bound.
    Nothing,
    /// Red alone, 32 bits.
    Red,
    /// Red and green, 32 bits each.
    RedGreen,
    /// Red and alpha, 32 bits each.
    RedAlpha,
    /// Four half floats, two to a register, rounded towards zero.
    HalfFloat,
    /// Four numbers from 0 to 1 in 16 bits each.
    Unorm16,
    /// Four numbers from -1 to 1 in 16 bits each.
    Snorm16,
    /// Four unsigned integers of 16 bits, larger ones cut to the largest.
    Uint16,
    /// Four signed integers of 16 bits, cut alike.
    Sint16,
    /// Four registers of 32 bits, unchanged: float and integer targets alike.
    Full,
}

/// How alpha is compared with its reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AlphaTest {
    Never,
    Less,
    Equal,
    LessOrEqual,
    Greater,
    NotEqual,
    GreaterOrEqual,
    Always,
}

impl Default for Environment {
    fn default() -> Environment {
        Environment {
            color_exports: [ColorExport::HalfFloat; 8],
            clamp_color: false,
            flat_shade: false,
            alpha_test: AlphaTest::Always,
            color_buffers: 1,
            shared_memory: 0,
            next_stage: NextStage::Rasterizer,
            geometry_part: GeometryPart::Shader,
            tessellation_domain: None,
            tessellation_factors_read: false,
        }
    }
}
