//! The way from TGSI to LLVM IR.

mod fixtures;
mod opcodes;
mod robustness;
