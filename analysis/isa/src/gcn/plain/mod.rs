//! The vocabulary of the tables: types that the build and the program share.
//!
//! The build prints values of them with `{:?}` as code that makes them again.

pub mod behaviour;
pub mod encoding;
mod generation;
mod group;
pub mod hazard;
pub(super) mod matrix;
pub mod names;
pub mod operand;
pub(super) mod operation;
pub mod slot;
pub mod timing;

pub use generation::Generation;
pub use group::OpGroup;
