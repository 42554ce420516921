//! Execution: what a program computes, without the hardware it is for.
//!
//! A pure library: no I/O, no time, no randomness; the same inputs give the
//! same outputs. [`Program::prepare`] takes a parsed TGSI shader, [`launch`]
//! runs it in quads of four lanes on [`Resources`]. What is not executed is
//! refused by name ([`Refusal`]) before the first step; a run is bounded in
//! steps and memory ([`Limits`]).

mod access;
mod action;
#[cfg(test)]
mod behaviour_tests;
mod compute;
mod conversion;
pub mod execution;
mod float;
mod flow;
mod group;
mod historic;
mod images;
pub mod inputs;
mod integer;
pub mod launch;
mod lookup;
mod loop_exits;
pub mod open;
mod operation;
mod out_of_bounds;
pub mod patch;
mod precision;
mod products;
mod program;
#[cfg(test)]
mod program_tests;
mod quad;
#[cfg(test)]
mod record_tests;
mod recorded;
mod registers;
mod resources;
mod sampling;
#[cfg(test)]
mod sampling_tests;
mod stepping;

#[cfg(test)]
mod tests;
mod together;
mod uniformity;
#[cfg(test)]
mod uniformity_tests;
mod wide;

pub use group::Subgroup;
pub use images::{Absent, DeclaredImages};
pub use precision::Promised;
pub use program::{Denormals, Program, Refusal};
pub use quad::{Limits, Stop, StopReason, TraceStep};
pub use registers::{EMPTY, LANES, Place, Register};
pub use resources::{Image, Resources, Sampled, Textures};
pub use stepping::{FileSize, Stepping};
