//! Questions of editors about a shader: pure functions from its text and statements to plain data,
//! in bytes of the region's text.
//!
//! Those that serve a text while it is typed ([`completion`], [`signature`],
//! [`tokens`]) read tokens and never need a statement to be complete; the
//! others read the statements that the parser understood.

pub mod accesses;
pub mod completion;
pub mod declared;
pub mod folding;
pub mod formula;
pub mod navigation;
pub mod refactor;
pub mod rename;
pub mod selection;
pub mod signature;
mod statement_start;
pub mod tokens;

#[cfg(test)]
mod tests;
