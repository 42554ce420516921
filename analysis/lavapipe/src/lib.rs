//! Mesa's lavapipe as an executor: SPIR-V runs on the processor, by code that nobody here wrote.
//!
//! The driver believes every module: one that is broken ends its process. So it is never loaded
//! into the server; the crate `worker` starts, bounds and restarts it. This crate does I/O; it
//! knows nothing of TGSI, of machine code or of the engine.

pub mod worker;

mod device;
mod execute;
mod executor;
mod images;
mod job;
mod library;
mod made;
mod pipeline;
mod textures;

pub use ::worker::{Attempt, Layer, LayerState, Priority};
pub use executor::{Configuration, ExecuteError, Executor};
pub use job::{
    Buffer, BufferKind, Dimension, Filter, Image, Job, Launch, MipFilter, Numbers, Output, Sampler,
    Texels, Texture, Wrap,
};
pub use library::{Found, choose, find};
