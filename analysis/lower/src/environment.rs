//! The state that machine code depends on and that the text of a shader does not say.
//!
//! A driver compiles a shader for the state it is used with: formats, bound
//! buffers, rasterizer switches. The defaults here are the most common state
//! of a current OpenGL program:
//!
//! - vertex attributes are fetched with the formats of their descriptors, one
//!   per vertex (no instance divisor), base vertex added;
//! - all of the user's clip planes are on; nothing is captured by stream output;
//! - colours are written as half floats, which is what drivers choose for
//!   8-bit and half float render targets;
//! - one colour buffer is bound when colour 0 goes to all of them;
//! - no alpha test, no colour clamping, no flat shading by state, no two-sided
//!   lighting, no polygon stipple, no smoothing, no blending of two sources;
//! - vertex and evaluation shaders come last before the rasterizer, unless
//!   their `NEXT_SHADER` says otherwise;
//! - a geometry shader is compiled itself, not its copy shader;
//! - a control shader tessellates the largest domain whose factors it writes,
//!   and the evaluation shader does not read them;
//! - fragment positions have the origin that the shader declares: Mesa draws
//!   window surfaces upside down rather than flip coordinates in the shader.
//!
//! What the hardware does without the shader has no place here: the stipple of
//! lines, the range of depths that is clipped, the places that sprites give to
//! x and y, a point's size where the shader writes none.

use crate::captures::StreamOutput;
use crate::vertex_formats::VertexFormat;

/// The number of vertex attributes with formats and divisors of their own. The fields say 16
/// themselves: with the name a closure that copies an environment crashes Rust 1.95.
pub const MOST_ATTRIBUTES: usize = 16;

/// The state that a shader is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Environment {
    /// Memory layouts of the vertex attributes; the last is that of all further ones, here and in
    /// the divisors.
    pub vertex_formats: [VertexFormat; 16],
    /// Numbers of instances that share a value of each vertex attribute; 0 if every vertex has its
    /// own.
    pub instance_divisors: [u32; 16],
    /// User clip planes, or clip distances, that are on: a bit for each of the eight.
    pub user_clip_planes: u8,
    /// Makes depths from 0 to w of those from -w to w, for hardware that is set to clip the former.
    pub half_z_clip: bool,
    /// Exports the size of points if the shader writes it.
    pub point_size: bool,
    /// Clamps the colours of vertices to 0..1.
    pub clamp_vertex_color: bool,
    /// Exports the number of the primitive after the shader's own parameters, for a fragment
    /// shader that reads it.
    pub export_primitive_id: bool,
    /// Outputs that are written to buffers beside being exported.
    pub stream_output: StreamOutput,
    /// Export formats of the colours of each buffer.
    pub color_exports: [ColorExport; 8],
    /// Clamps colours to 0..1 before they are exported.
    pub clamp_color: bool,
    /// Takes the value of the provoking vertex for the inputs `COLOR` without an interpolation of
    /// their own.
    pub flat_shade: bool,
    /// Comparison of the alpha of colour 0 with a reference that the shader is passed; fragments
    /// that fail it are discarded.
    pub alpha_test: AlphaTest,
    /// Number of colour buffers that are bound, 1 to 8; counts only for shaders with
    /// `FS_COLOR0_WRITES_ALL_CBUFS`.
    pub color_buffers: u8,
    /// Gives fragments of back faces the back colours, which follow all other inputs.
    pub two_sided_color: bool,
    /// Texture coordinates or generic inputs that are places in a point sprite: a bit each. Of
    /// these z is 0 and w is 1.
    pub sprite_coordinates: u32,
    /// Discards fragments where the pattern of polygons has holes.
    pub polygon_stipple: bool,
    /// Scales alpha by the share of the pixel's samples that a line or polygon covers.
    pub smoothing: bool,
    /// Makes colour 1 the second source for blending, in the format of colour 0.
    pub dual_source: bool,
    /// Sets alpha to 1 whatever the shader writes.
    pub alpha_to_one: bool,
    /// Number of runs of a fragment shader for each pixel: 1, 2, 4, 8 or 16.
    pub shaded_samples: u8,
    /// The height of the surface drawn to, from which positions with the origin
    /// below are counted; 0 if they come so from the hardware.
    pub framebuffer_height: u16,
    /// The size of a compute shader's block that does not fix it; 0 if only the
    /// dispatch says it.
    pub block_size: [u16; 3],
    /// Number of vertices of the patches that a control shader reads; 0 if only the draw says it.
    pub patch_vertices: u8,
    /// Bytes of memory that the lanes of a group share, where the shader uses some; 0 if that is
    /// not known.
    pub shared_memory: u32,
    /// Bytes of memory that a lane has of its own, where the shader uses some; 0 if that is not
    /// known.
    pub private_memory: u32,
    /// Form in which the chip hands a compute shader the place of a lane in its block.
    pub thread_ids: ThreadIds,
    /// Stage after a vertex or evaluation shader whose `NEXT_SHADER` names none.
    pub next_stage: NextStage,
    /// Program of a geometry shader that is compiled.
    pub geometry_part: GeometryPart,
    /// Domain that the evaluation shader tessellates, for control shaders; `None` is the largest
    /// whose factors the control shader writes.
    pub tessellation_domain: Option<TessellationDomain>,
    /// Hands the tessellation factors on to the evaluation shader, which reads them.
    pub tessellation_factors_read: bool,
}

/// The forms of the place of a lane in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThreadIds {
    /// A vector register for each direction.
    Separate,
    /// Ten bits of one register for each, the first lowest: gfx90a and later.
    Packed,
}

/// The reader of the outputs of a vertex or evaluation shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NextStage {
    /// The rasterizer, and after it the fragment shader.
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

/// The shapes that the tessellator cuts patches into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TessellationDomain {
    /// Lines: two outer factors.
    Isolines,
    /// Triangles: three outer factors and an inner one.
    Triangles,
    /// Quads: four outer factors and two inner ones.
    Quads,
}

/// The formats in which a fragment shader exports the colours of a buffer.
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

/// The comparisons of alpha with its reference.
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
            vertex_formats: [VertexFormat::default(); MOST_ATTRIBUTES],
            instance_divisors: [0; MOST_ATTRIBUTES],
            user_clip_planes: u8::MAX,
            half_z_clip: false,
            point_size: true,
            clamp_vertex_color: false,
            export_primitive_id: false,
            stream_output: StreamOutput::default(),
            two_sided_color: false,
            sprite_coordinates: 0,
            polygon_stipple: false,
            smoothing: false,
            dual_source: false,
            alpha_to_one: false,
            shaded_samples: 1,
            framebuffer_height: 0,
            block_size: [0; 3],
            patch_vertices: 0,
            color_exports: [ColorExport::HalfFloat; 8],
            clamp_color: false,
            flat_shade: false,
            alpha_test: AlphaTest::Always,
            color_buffers: 1,
            shared_memory: 0,
            private_memory: 0,
            thread_ids: ThreadIds::Separate,
            next_stage: NextStage::Rasterizer,
            geometry_part: GeometryPart::Shader,
            tessellation_domain: None,
            tessellation_factors_read: false,
        }
    }
}
