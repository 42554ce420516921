//! What the tests of the whole share: the corpora beside the project, literate
//! suites, and a bench that runs the engine with a real compiler.

pub mod aco;
pub mod bench;
pub mod compiled;
pub mod corpora;
pub mod disassembler;
pub mod driver_registers;
pub mod kernels;
pub mod listings;
pub mod literate;
pub mod matrix;
pub mod measure;
pub mod programs;
pub mod sanity;
pub mod survival;
pub mod views;
