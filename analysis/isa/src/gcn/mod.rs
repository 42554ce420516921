//! GCN: its chips, and what their instruction sets have.

mod chips;
mod features;
mod plain;

pub use chips::{Feature, Limits, Row, Target};
pub use features::FeatureSet;
pub use plain::Generation;
