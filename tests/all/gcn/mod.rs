//! Everything about GCN code.

mod assemble;
mod assembler_bounds;
mod bundles;
mod compiled;
mod convert;
mod cost_surfaces;
mod costs;
mod descriptors;
mod dialect;
mod disassembler;
mod expansion;
mod explanations;
mod format;
mod hazards;
mod kernel_waves;
mod lane_runs;
mod listings;
mod liveness;
mod objects;
mod occupancy;
mod own;
mod program_bounds;
mod recovery;
mod register_renames;
mod robustness;
mod values;
