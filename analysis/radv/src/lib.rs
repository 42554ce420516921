//! Mesa's driver RADV, whose compiler ACO needs no GPU: found on this machine, and run in a
//! process of its own for each chip.
//!
//! The driver believes every module: one that is broken ends its process. So it is never
//! loaded into the server; the crate `worker` starts, bounds and restarts it. The driver's
//! library is opened as Vulkan's loader would open it, without the loader: no layers of the
//! machine come with it. This crate does I/O; it knows SPIR-V's words, and nothing of TGSI,
//! of machine code or of the engine.

pub mod convention;
pub mod library;
pub mod worker;

mod cached;
mod compiler;
mod driver;
mod executables;
mod interface;
mod job;
mod join;
mod partner;
mod pipeline;
mod programs;
mod spirv;
mod stores;

pub use ::worker::{Attempt, Interrupter, Layer, LayerState, Priority};
pub use compiler::{CompileError, Compiler, Configuration, Road};
pub use driver::{Driver, Faults};
pub use interface::workgroup;
pub use job::{Binding, BindingKind, Colour, Executable, Job, Module, Output, Stage, State};
pub use join::{Place, has_lines, join, places_of_exports};
pub use library::Found;
pub use programs::inputs;
