//! The vocabulary of the tables: types that the build and the program share.
//!
//! The build prints values of them with `{:?}` as code that makes them again.

mod generation;

pub use generation::Generation;
