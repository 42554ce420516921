//! The reasons for which shader and code are not compared.

use tgsi_interp::inputs::TextureError;
use tgsi_interp::{Refusal, Stop};
use thiserror::Error;

/// The reason for which a shader and its code are not compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    /// A construct is not lowered.
    #[error("not lowered: {0}")]
    NotLowered(String),
    /// The interpreter does not execute the shader.
    #[error(transparent)]
    NotExecuted(#[from] Refusal),
    /// The compiler's output is not understood.
    #[error("{0}")]
    NotRead(String),
    /// The interpreter gave up.
    #[error("the interpreter: {0}")]
    Stopped(#[from] Stop),
    /// The machine gave up.
    #[error("more steps than a run may take")]
    TooManySteps,
    /// The machine was not brought to its first instruction.
    #[error("{0}")]
    NotLaunched(String),
    /// A texture of the inputs cannot be.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// Resources do not fit into memory.
    #[error("more memory than a run may have")]
    TooMuchMemory,
    /// Words were to be changed that were never placed.
    #[error("words where there is no memory")]
    NoMemory,
    /// More than the lists of descriptors, or a launch, have room for.
    #[error("too many {0}")]
    TooMany(&'static str),
    /// A thread group has more threads than a launch has room for.
    #[error("a group too large")]
    GroupTooLarge,
    /// A patch needs more memory than a group has.
    #[error("a patch that fills the memory of the group")]
    PatchTooLarge,
    /// Textures answer what was recorded, whatever is asked.
    #[error("textures of recorded runs")]
    RecordedTextures,
    /// Vertices of one wave see the numbers of their lanes.
    #[error("vertices that run together have the numbers of their lanes")]
    LaneNumbers,
    /// The inputs contradict each other.
    #[error("VERTEXID is not VERTEXID_NOBASE and BASEVERTEX together")]
    VertexNumbers,
    /// Pixels see values of each other that the inputs do not have.
    #[error("values between pixels, of which nothing is given")]
    BetweenPixels,
    /// Lanes see each other, and whoever executes them has others beside them.
    #[error("lanes that see each other, in a subgroup of another size")]
    Subgroup,
    /// Pixels read the colours that are there, and whoever executes has none.
    #[error("colours that the pixels have")]
    Framebuffer,
    /// Lanes of two stages see each other.
    #[error("lanes of two stages that see each other")]
    CoupledStages,
    /// A primitive or patch of two stages has more vertices than a quad has lanes.
    #[error("a primitive or patch of more than four vertices, where the stage before runs at four")]
    VerticesOfSeveralQuads,
    /// The first of two stages reads other memory than constants.
    #[error("a first half with more in memory than constants")]
    MemoryInFirstHalf,
}
