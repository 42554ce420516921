//! Helpers that tests share: the corpora beside the project, literate suites, a bench that
//! runs the engine with a real compiler, and a client of the real server.

pub mod aco;
pub mod advising;
pub mod agreement;
pub mod bench;
pub mod checks;
pub mod client;
pub mod code_lines;
pub mod compiled;
pub mod conversion;
pub mod corpora;
pub mod corpus;
pub mod disassembler;
pub mod driver_registers;
pub mod endless;
pub mod inefficiencies;
pub mod kernels;
pub mod lane_programs;
pub mod listings;
pub mod literate;
pub mod load;
pub mod lower_shaders;
pub mod matrix;
pub mod measure;
pub mod mutation;
pub mod names;
pub mod planted;
pub mod programs;
pub mod random_shaders;
pub mod reducing;
pub mod sanity;
pub mod search;
pub mod survival;
pub mod tools;
pub mod views;
pub mod writers;
