//! GCN, the instruction set of AMD's GPUs from 2012 to 2019: chips, machine
//! code, registers, occupancy.
//!
//! A pure library: no I/O, no database, no editor. Compiled shaders and
//! hand-written files take the same road through it.

// Tests that other crates share name this one as those do.
#[cfg(test)]
extern crate self as gcn;

pub mod analysis;
pub mod assembler;
pub mod behaviour;
#[cfg(test)]
#[path = "../../../tests/src/code_lines.rs"]
pub mod code_lines;
pub mod codes;
pub mod compiled;
pub mod convert;
#[cfg(test)]
mod corner_tests;
pub mod describe;
pub mod dialect;
pub mod encoding;
pub mod expression;
pub mod formula;
pub mod image;
pub mod instruction;
pub mod limits;
#[cfg(test)]
mod made_number_tests;
#[cfg(test)]
mod made_tests;
#[cfg(test)]
mod made_text_tests;
pub mod matrix;
pub mod mnemonics;
pub mod object;
pub mod occupancy;
#[cfg(test)]
mod odd_tests;
pub mod program;
pub mod service;
pub mod target_id;
pub mod targets;

#[cfg(test)]
mod opcode_cost_tests;
#[cfg(test)]
mod random_expression_tests;
#[cfg(test)]
mod recorded_tests;
mod remarks;

pub use dialect::Dialect;
pub use targets::{Generation, Target};

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
