//! The way from TGSI to LLVM IR.

mod corpus;
mod fixtures;
mod opcodes;
mod robustness;
