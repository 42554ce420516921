//! Instruction sets, each instruction described once.
//!
//! The tables in `data` are read by the build, which makes enums and constants of them: a
//! wrong cell ends the build with its table and line, and no table is read when the program
//! runs. Everything that knows an opcode matches on its enum or asks its row.

#[macro_use]
mod spelled;

pub mod gcn;
pub mod tgsi;

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
