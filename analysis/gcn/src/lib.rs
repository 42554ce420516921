//! GCN, the instruction set of AMD's GPUs from 2012 to 2019: chips, machine
//! code, registers, occupancy.
//!
//! A pure library: no I/O, no database, no editor. Compiled shaders and
//! hand-written files take the same road through it.

pub mod compiled;
pub mod encoding;
pub mod occupancy;
pub mod targets;

pub use targets::{Generation, Target};
