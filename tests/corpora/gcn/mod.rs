//! Everything about GCN code.

mod assemble;
mod assembler;
mod cdna_kernels;
mod code_objects;
mod compiled_kernels;
mod convert;
mod cost_surfaces;
mod costs;
mod dialect;
mod edits;
mod encoding;
mod format;
mod hazards;
mod listings;
mod liveness;
mod matrix;
mod missing_waits;
mod newer_chips;
mod occupancy;
mod occupancy_of_one_file;
mod program;
mod program_bounds;
mod register_renames;
mod tables;
mod timing;
