//! GCN: its chips, and its opcodes with all that is known of them.

mod chips;
mod features;
mod forms;
pub mod matrix;
mod opcodes;
pub mod operation;
mod plain;
mod rows;
mod unsupported;

pub use chips::{Compiles, Feature, Limits, Target, TargetInfo};
pub use features::{Clause, FeatureSet, Subtarget, When};
pub use forms::InstDesc;
pub use opcodes::{LISTING, OpInfo, Opcode};
pub use plain::encoding::{Layout, OpEncoding};
pub use plain::{Generation, OpGroup, behaviour, encoding, hazard, names, operand, slot, timing};
pub use rows::{
    Field, Hazard, IssueClocks, Named, ResultClocks, Suffix, field, fields, renames, unknown_name,
};
pub use unsupported::{Side, UnsupportedChip, side_of};
