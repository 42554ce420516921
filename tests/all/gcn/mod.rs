//! Everything about GCN code.

mod assemble;
mod assembler;
mod assembler_bounds;
mod compiled;
mod convert;
mod cost_surfaces;
mod costs;
mod descriptors;
mod dialect;
mod disassembler;
mod encoding;
mod format;
mod hazards;
mod listings;
mod liveness;
mod objects;
mod occupancy;
mod program;
mod program_bounds;
mod register_renames;
mod robustness;
mod tables;
mod timing;
mod values;
