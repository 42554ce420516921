//! GCN: its chips, and its opcodes with all that is known of them.

mod chips;
mod features;
mod forms;
mod opcodes;
pub mod operation;
mod plain;
mod rows;
mod unsupported;

pub use chips::{Feature, Limits, Row, Target};
pub use features::{Clause, FeatureSet, Subtarget, When};
pub use forms::InstDesc;
pub use opcodes::{LISTING, Opcode, OpcodeRow};
pub use plain::encoding::{Layout, Place};
pub use plain::{Generation, Group, behaviour, encoding, hazard, names, operand, slot, timing};
pub use rows::{
    Field, Hazard, IssueClocks, Named, ResultClocks, Suffix, field, fields, renames, unknown_name,
};
pub use unsupported::UnsupportedChip;
