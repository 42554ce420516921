//! The fields of every encoding, as the tables of `isa` have them.

pub use isa::gcn::{Field, Layout, field, fields};
