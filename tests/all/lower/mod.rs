//! The way from TGSI to LLVM IR.

mod environment;
mod fixtures;
mod ir;
mod opcodes;
mod robustness;
